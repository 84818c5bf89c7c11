//! A format and its statement, side by side: bounds, and the names of numbers on a line.

use super::bound_terms::{ConstantBounds, constant_bounds};
use super::statement::Statement;
use rebut_diagnostics::SourceText;
use rebut_format::syntax::{
    ComparisonChain, LayoutNode, SyntaxPart, SyntaxPartKind, SyntaxRule, SyntaxTerm, SyntaxTermKind, SyntaxTree,
};
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

/// Returns the constant bounds on which a statement and a format differ, but none that one of them lacks or has twice.
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
    // The bounds of a name in the other case count, unless the format has it, too.
    let bounds_of = |quantity: &String, is_upper: bool| -> BTreeSet<i128> {
        let is_same = |name: &String| {
            name == quantity
                || name.eq_ignore_ascii_case(quantity) && !formatted.contains_key(&(name.clone(), is_upper))
        };
        let same = stated.iter().filter(|((name, side), _)| *side == is_upper && is_same(name));
        same.flat_map(|(_, bounds)| bounds.clone()).collect()
    };
    let mut found = Vec::new();
    for ((quantity, is_upper), bounds) in &formatted {
        // The tightest one counts.
        let Some(formatted) = (if *is_upper { bounds.first() } else { bounds.last() }) else { continue };
        let stated = bounds_of(quantity, *is_upper);
        let differing = stated.first().filter(|first| stated.len() == 1 && !bounds.contains(first));
        let (quantity, is_upper, formatted) = (quantity.clone(), *is_upper, *formatted);
        found.extend(differing.map(|stated| BoundDifference { quantity, is_upper, stated: *stated, formatted }));
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

/// Numbers of a line whose names differ between a statement and a format, or their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameDifference {
    /// The names in the statement.
    pub stated: Vec<String>,
    /// Those in the format.
    pub formatted: Vec<String>,
}

/// Returns the lists of numbers in a statement that the format has in another order, or with another name, more or less.
pub fn find_name_differences(statement: &str, format: &SourceText) -> Vec<NameDifference> {
    let mut lines = Vec::new();
    collect_lines(&SyntaxTree::parse_leniently(format).layout, &mut lines);
    let statement = Statement::parse(statement);
    let spell = |name: &String| {
        let original = statement.renamed.iter().find(|(_, other)| other == name).map_or(name, |(original, _)| original);
        original.replace('_', "").to_lowercase()
    };
    let spell_all = |names: &[String]| names.iter().map(spell).collect::<Vec<String>>();
    let fields: BTreeSet<String> = lines.iter().flatten().map(spell).collect();
    let stated: BTreeSet<String> = statement.names.iter().map(|stated| spell(&stated.name)).collect();
    // Statements have ten lists.
    let listed = &statement.listed[..statement.listed.len().min(200)];
    let lists: Vec<Vec<String>> = listed.iter().map(|list| spell_all(list)).collect();
    let mut found = Vec::new();
    for (list, names) in listed.iter().zip(&lists) {
        let as_set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<String>>();
        let set = as_set(names);
        let is_other = |line: &&Vec<String>| {
            let line = spell_all(line);
            let line_set = as_set(&line);
            // Lines of different lengths share two names, or they may be about different things.
            let least = if line.len() == names.len() { 1 } else { 2 };
            let renamed = || {
                set.intersection(&line_set).count() >= least
                    && set.difference(&line_set).all(|name| !fields.contains(name))
                    && line_set.difference(&set).all(|name| !stated.contains(name))
            };
            // Another list can have the order of the format.
            !lists.contains(&line) && (set == line_set && line.len() == names.len() || renamed())
        };
        let is_known = lines.iter().any(|line| spell_all(line) == *names);
        let difference = |line: &Vec<String>| NameDifference { stated: list.clone(), formatted: line.clone() };
        found.extend(lines.iter().filter(|_| !is_known).find(is_other).map(difference));
    }
    // Of several lists, only one can be about the line.
    let is_single = |one: &NameDifference| found.iter().filter(|other| other.formatted == one.formatted).count() == 1;
    found.iter().filter(|one| is_single(one)).cloned().collect()
}

/// Adds the names of the fields on each line of a layout.
fn collect_lines(nodes: &[LayoutNode], lines: &mut Vec<Vec<String>>) {
    fn add_names(parts: &[SyntaxPart], names: &mut Vec<String>) {
        for part in parts {
            match &part.kind {
                SyntaxPartKind::Field(field) => names.push(field.name.clone()),
                SyntaxPartKind::Group { parts, .. } => add_names(parts, names),
                SyntaxPartKind::Literal(_) => {}
            }
        }
    }
    for node in nodes {
        match node {
            LayoutNode::Parts(parts) => {
                let mut names = Vec::new();
                add_names(parts, &mut names);
                lines.push(names);
            }
            LayoutNode::Block { body, .. } => collect_lines(body, lines),
            LayoutNode::Either { alternatives, .. } => alternatives.iter().for_each(|body| collect_lines(body, lines)),
        }
    }
}

/// Returns the spelling of a number or of a sum of numbers.
fn spelled_quantity(term: &SyntaxTerm) -> Option<String> {
    match &term.kind {
        SyntaxTermKind::Name(name) => Some(name.clone()),
        SyntaxTermKind::Call(function, _) if function == "sum" => Some(term.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(statement: &str) -> Vec<String> {
        let format = SourceText::new("input.format", "n m q\nrepeat m:\n    u v w\nkinds[q]\nrepeat q:\n    l r\n");
        let found = find_name_differences(statement, &format);
        found.iter().map(|one| format!("{} | {}", one.stated.join(" "), one.formatted.join(" "))).collect()
    }

    #[test]
    fn names_of_a_line_differ_only_if_the_whole_line_is_known() {
        assert_eq!(names("three integers $n$, $m$ and $q$"), [""; 0]);
        assert_eq!(names("three integers $N$ ($1 \\le N \\le 9$), $Q$ and $M$ ($M < Q$)"), ["N Q M | n m q"]);
        assert_eq!(names("two integers $n$ and $m$, and a third, $q$"), [""; 0]);
        assert_eq!(names("three integers $v_i$, $u_i$ and $w_i$"), ["v u w | u v w"]);
        // The other list is in the order of the format.
        assert_eq!(names("three integers $u$, $v$, $w$. The integers $v$, $u$ and $w$ are positive."), [""; 0]);
        // Another name, and the format's own is not mentioned.
        assert_eq!(names("two integers $l$ and $x$"), ["l x | l r"]);
        assert_eq!(names("two integers $l$ and $x$, where $r = l + x$"), [""; 0]);
        // A name more, or less.
        assert_eq!(names("four integers $n$, $m$, $k$ and $q$"), ["n m k q | n m q"]);
        assert_eq!(names("two integers $u$ and $v$"), ["u v | u v w"]);
        assert_eq!(names("two integers $u$ and $v$; the weight $w$"), [""; 0]);
        // Two lines of the statement, and which of them is meant is open.
        assert_eq!(names("two integers $l$ and $x$; two integers $l$ and $y$"), [""; 0]);
        // Not a line of the format, elements, and numbers of the story.
        assert_eq!(
            names("two integers $x$ and $y$; $q$ integers $k_1, k_2, \\dots, k_q$; the numbers $u$ and $n$"),
            [""; 0]
        );
    }

    #[test]
    fn bounds_are_those_of_the_name_in_either_case() {
        let count = |format: &str| {
            let statement = "$N$ ($1 \\le N \\le 10$)";
            find_bound_differences(statement, &SourceText::new("input.format", format)).len()
        };
        assert_eq!(count("n where 1 <= n <= 100"), 1);
        assert_eq!(count("n N where 1 <= n <= 100; 1 <= N <= 10"), 0);
    }
}
