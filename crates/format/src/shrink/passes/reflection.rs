//! Reflects negative numbers about their simplest value, which is usually zero: -7 becomes 7.
//!
//! If a failure depends on a product of two negative numbers, neither can change its sign alone. So the numbers
//! of all fields change together, or those of one field.

use super::values::{movable_leaves, with_changes};
use crate::language::FieldId;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::shrink::value_leaf::ValueLeaf;

/// Reflects the numbers of all fields together, then those of each field.
pub(super) fn reflect_values(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let all = movable_leaves(search);
    let mut fields: Vec<Option<FieldId>> = vec![None];
    for leaf in all.iter().filter(|a| a.value < a.simplest) {
        if !fields.contains(&Some(leaf.field)) {
            fields.push(Some(leaf.field));
        }
    }
    if fields.len() == 1 {
        return Ok(());
    }
    for field in fields {
        let all = movable_leaves(search);
        let chosen = all.iter().filter(|a| field.is_none_or(|f| a.field == f) && can_go_below(search, a));
        let changes: Vec<(&ValueLeaf, i128)> = chosen.map(|a| (a, 2 * a.simplest - a.value)).collect();
        let candidate = with_changes(search, &changes);
        search.attempt_one(candidate)?;
    }
    Ok(())
}

/// Returns true if a number can be less than its simplest value, so that reflecting it changes its sign.
fn can_go_below(search: &ShrinkSearch<'_, '_>, leaf: &ValueLeaf) -> bool {
    let field = search.format().field(leaf.field);
    field.alphabet().is_none() && field.range.lo < leaf.simplest
}
