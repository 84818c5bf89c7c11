//! Upper bounds of which a statement has several, such as one for each kind of query, or for half of the tests.

use crate::bound_terms::constant_bounds;
use crate::statement::Statement;
use rebut_diagnostics::list_and;
use rebut_format::syntax::{ComparisonChain, SyntaxTerm};

/// Returns a statement that only has the largest of the constants that bound a term, and a remark about such terms. A
/// format with a smaller one would refuse valid inputs. Terms of no field, or of several, keep their
/// bounds.
pub(crate) fn with_largest_bounds(
    statement: &Statement,
    is_one_field: impl Fn(&SyntaxTerm) -> bool,
) -> (Statement, Option<String>) {
    let bounds: Vec<(SyntaxTerm, i128)> = statement.chains.iter().flat_map(upper_bounds).collect();
    let largest = |term: &SyntaxTerm| bounds.iter().filter(|(other, _)| other == term).map(|(_, most)| *most).max();
    let mut contested: Vec<String> = Vec::new();
    let mut widened = statement.clone();
    widened.chains.retain_mut(|chain| {
        let smaller = upper_bounds(chain).into_iter().filter(|(term, most)| largest(term).is_some_and(|hi| hi > *most));
        let smaller: Vec<SyntaxTerm> = smaller.map(|(term, _)| term).filter(&is_one_field).collect();
        chain.lists.iter_mut().for_each(|list| list.retain(|term| !smaller.contains(term)));
        for term in smaller.iter().map(|term| format!("`{term}`")) {
            if !contested.contains(&term) {
                contested.push(term);
            }
        }
        chain.lists.iter().all(|list| !list.is_empty())
    });
    let remark = (!contested.is_empty()).then(|| {
        format!("the statement has several upper bounds of {}: the format has the largest", list_and(&contested))
    });
    (widened, remark)
}

/// Returns the largest values that a chain allows to the terms of its only list that is not constant.
fn upper_bounds(chain: &ComparisonChain) -> Vec<(SyntaxTerm, i128)> {
    let is_constant = |list: &[SyntaxTerm]| list.iter().all(|term| term.constant_value().is_some());
    let mut places = (0..chain.lists.len()).filter(|place| !is_constant(&chain.lists[*place]));
    let (Some(place), None) = (places.next(), places.next()) else { return Vec::new() };
    let is_equal = chain.signs.iter().any(|(sign, _)| !matches!(*sign, "<" | "<=" | ">" | ">="));
    let most = constant_bounds(chain, place).hi.filter(|_| !is_equal);
    let most = most.and_then(|(hi, is_strict)| hi.checked_sub(i128::from(is_strict)));
    most.into_iter().flat_map(|most| chain.lists[place].iter().map(move |term| (term.clone(), most))).collect()
}
