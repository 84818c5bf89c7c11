//! Reordering of arrays and boards for the last part of the total order: simplest values first.
//!
//! Nothing here makes an input shorter. It makes the result canonical, so that different starts end at the same
//! input. Only small arrays and boards are worth the queries.

use super::values::{attempt_changes, movable_leaves};
use crate::language::{FieldId, Format};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::parts::{index_pairs, part_count, rotate_parts, swap_parts};
use crate::shrink::search::{ShrinkSearch, ValueLeaf};
use crate::tuning::MAX_SORTED_ELEMENTS;
use crate::value::{Value, visit_leaves};

/// Rotates and swaps the elements of each array, and swaps the rows of each board.
pub(in crate::shrink) fn reorder_arrays(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    for path in array_paths(search) {
        search.check_stop()?;
        if search.best_value().value_at(&path).is_some_and(|v| v.element_count() <= MAX_SORTED_ELEMENTS) {
            while rotate_array(search, &path)? {}
            while swap_two_parts(search, &path)? {}
        }
    }
    for path in board_paths(search) {
        if search.best_value().value_at(&path).is_some_and(|v| v.element_count() <= MAX_SORTED_ELEMENTS) {
            while swap_two_parts(search, &path)? {}
        }
    }
    Ok(())
}

fn array_paths(search: &ShrinkSearch<'_, '_>) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    visit_leaves(search.format(), search.best_value(), &mut |path, _, leaf| {
        if leaf.element_count() > 1 {
            found.push(path.to_vec());
        }
    });
    found
}

/// Returns the paths of fields with rows.
fn board_paths(search: &ShrinkSearch<'_, '_>) -> Vec<Vec<usize>> {
    let format = search.format();
    let mut found: Vec<Vec<usize>> = Vec::new();
    visit_leaves(format, search.best_value(), &mut |path, field: FieldId, _| {
        if format.field(field).dimensions.len() == 2 {
            let rows = path[..path.len() - 1].to_vec();
            if found.last() != Some(&rows) {
                found.push(rows);
            }
        }
    });
    found
}

fn with_changed_part(search: &ShrinkSearch<'_, '_>, path: &[usize], change: impl FnOnce(&mut Value)) -> Value {
    let mut value = search.best_value().clone();
    if let Some(part) = value.value_at_mut(path) {
        change(part);
    }
    value
}

fn rotate_array(search: &mut ShrinkSearch<'_, '_>, path: &[usize]) -> Result<bool, ShrinkStopped> {
    let length = search.best_value().value_at(path).map_or(0, Value::element_count);
    let rotated =
        |search: &ShrinkSearch<'_, '_>, by: isize| [with_changed_part(search, path, |value| rotate_parts(value, -by))];
    search.attempt_each(1..length as isize, rotated)
}

/// Swaps two elements of an array, or two rows of a board.
fn swap_two_parts(search: &mut ShrinkSearch<'_, '_>, path: &[usize]) -> Result<bool, ShrinkStopped> {
    let count = search.best_value().value_at(path).map_or(0, part_count);
    let swapped = |search: &ShrinkSearch<'_, '_>, (a, b): (usize, usize)| {
        [with_changed_part(search, path, |value| swap_parts(value, a, b))]
    };
    search.attempt_each(index_pairs(count), swapped)
}

// Reflects negative numbers about their simplest value, which is usually zero: -7 becomes 7.
//
// If a failure depends on a product of two negative numbers, neither can change its sign alone. So the numbers
// of all fields change together, or those of one field.

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
        let format = search.format();
        let chosen = all.iter().filter(|a| field.is_none_or(|f| a.field == f) && can_go_below(format, a));
        attempt_changes(search, chosen.map(|a| (a, 2 * a.simplest - a.value)))?;
    }
    Ok(())
}

/// Returns true if a number can be less than its simplest value, so that reflecting it changes its sign.
fn can_go_below(format: &Format, leaf: &ValueLeaf) -> bool {
    let field = format.field(leaf.field);
    field.alphabet().is_none() && field.range.lo < leaf.simplest
}
