//! The bounds of a format and of its statement, side by side.

use super::bound_terms::{ConstantBounds, constant_bounds};
use super::statement::Statement;
use rebut_diagnostics::SourceText;
use rebut_format::syntax::{ComparisonChain, SyntaxRule, SyntaxTerm, SyntaxTermKind, SyntaxTree};
use std::collections::{BTreeMap, BTreeSet};

/// A bound on which a statement and a format differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundDifference {
    /// The number or the sum, as the format spells it: `n`, `sum(n)`.
    pub quantity: String,
    /// Whether it is the upper bound.
    pub is_upper: bool,
    /// The bound in the statement.
    pub stated: i128,
    /// The bound in the format.
    pub formatted: i128,
}

/// Returns the constant bounds that a statement and a format give to the same quantity, where they differ. What only one of
/// them bounds, and what the statement bounds in several ways, is left out.
///
/// # Examples
///
/// ```
/// use rebut_diagnostics::SourceText;
/// use rebut_infer::find_bound_differences;
///
/// let format = SourceText::new("input.format", "n; a[n] where 1 <= n <= 100; 0 <= a <= 10^6");
/// let found = find_bound_differences("An integer $n$ ($1 \\le n \\le 1000$), then $a_1, ..., a_n$ ($0 \\le a_i \\le 10^6$).", &format);
/// let texts: Vec<String> = found.iter().map(|one| format!("{} {} {}", one.quantity, one.stated, one.formatted)).collect();
/// assert_eq!(texts, ["n 1000 100"]);
/// ```
pub fn find_bound_differences(statement: &str, format: &SourceText) -> Vec<BoundDifference> {
    let rules = SyntaxTree::parse_leniently(format).rules;
    let chains =
        rules.into_iter().filter_map(|rule| if let SyntaxRule::Chain(chain) = rule { Some(chain) } else { None });
    let formatted = collect_bounds(&chains.collect::<Vec<_>>());
    let statement = Statement::parse(statement);
    let mut stated = collect_bounds(&statement.chains);
    for (term, bound) in &statement.sums {
        stated.entry((format!("sum({term})"), true)).or_default().extend(bound.constant_value());
    }
    let mut found = Vec::new();
    for ((quantity, is_upper), bounds) in formatted {
        // The tightest one counts.
        let Some(formatted) = (if is_upper { bounds.first() } else { bounds.last() }) else { continue };
        let Some(stated) = stated.get(&(quantity.clone(), is_upper)).filter(|stated| stated.len() == 1) else {
            continue;
        };
        let differing = stated.first().filter(|stated| !bounds.contains(stated));
        found.extend(differing.map(|stated| BoundDifference {
            quantity,
            is_upper,
            stated: *stated,
            formatted: *formatted,
        }));
    }
    found
}

/// Returns the constant bounds in some chains, lower or upper ones, by their quantities.
fn collect_bounds(chains: &[ComparisonChain]) -> BTreeMap<(String, bool), BTreeSet<i128>> {
    let mut found: BTreeMap<_, BTreeSet<i128>> = BTreeMap::new();
    for chain in chains {
        for (at, list) in chain.lists.iter().enumerate() {
            let ConstantBounds { lo, hi } = constant_bounds(chain, at);
            for quantity in list.iter().filter_map(spelled_quantity) {
                for (is_upper, bound) in [(false, lo), (true, hi)] {
                    found.entry((quantity.clone(), is_upper)).or_default().extend(bound);
                }
            }
        }
    }
    found
}

/// Returns the spelling of a number or of a sum of numbers.
fn spelled_quantity(term: &SyntaxTerm) -> Option<String> {
    match &term.kind {
        SyntaxTermKind::Name(name) => Some(name.clone()),
        SyntaxTermKind::Call(function, _) if function == "sum" => Some(term.to_string()),
        _ => None,
    }
}
