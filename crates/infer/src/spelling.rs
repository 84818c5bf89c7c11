//! Names that a statement spells in two ways: `n` in the Input section and `N` in a table of subtasks.

use crate::bound_terms::upper_bound;
use crate::statement::Statement;
use crate::terms::{Renaming, chain_names, rename_chain};
use rebut_format::syntax::{ComparisonChain, SyntaxTerm};

/// Returns a statement whose comparisons have the names of the fields where they only differ in case, unless it seems to
/// mean something else by the two: `N` may be the sum of all `n`.
pub(crate) fn spelled_as_fields(statement: &Statement, fields: &[String]) -> Statement {
    let mut spelled = statement.clone();
    if ["sum", "total"].iter().any(|word| statement.mentions_word(word)) {
        return spelled;
    }
    let chains = || spelled.chains.iter().chain(spelled.subtasks.iter().flatten());
    let mut names: Vec<String> = chains().flat_map(chain_names).collect();
    names.sort_unstable();
    names.dedup();
    let all: Vec<ComparisonChain> = chains().cloned().collect();
    let is_bounded = |name: &String| upper_bound(&SyntaxTerm::from_name(name.clone()), &all).is_some();
    let renaming: Renaming = names
        .into_iter()
        .filter(|name| !fields.contains(name))
        .filter_map(|name| {
            let mut same = fields.iter().filter(|field| field.eq_ignore_ascii_case(&name));
            let field = same.next().filter(|_| same.next().is_none())?.clone();
            (!is_bounded(&name) || !is_bounded(&field)).then_some((name, field))
        })
        .collect();
    for chain in spelled.chains.iter_mut().chain(spelled.subtasks.iter_mut().flatten()) {
        *chain = rename_chain(chain, &renaming);
    }
    spelled
}
