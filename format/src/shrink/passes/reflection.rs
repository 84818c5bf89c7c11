//! Reflection of numbers at their simplest value.
//!
//! A product of two negative numbers stays the same only if both change their sign; neither can alone.

use super::values::{ValueLeaf, movable_leaves, with_changes};
use crate::language::FieldId;
use crate::shrink::search::{ShrinkSearch, ShrinkStopped};

/// Reflects the numbers of each field, and those of all fields together.
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

fn can_go_below(search: &ShrinkSearch<'_, '_>, leaf: &ValueLeaf) -> bool {
    let field = search.format().field(leaf.field);
    field.alphabet().is_none() && field.range.lo < leaf.simplest
}
