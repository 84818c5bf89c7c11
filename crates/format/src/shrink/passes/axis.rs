//! Deletion along an axis: cases, rows, columns, elements, characters.
//!
//! See [`Axis`] for what an axis is. Deleting the third position of `n` makes `n` smaller by one and deletes the third part of
//! *everything* that `n` sizes (a square board loses its third row and its third column, two arrays of equal
//! length lose the same index), and references to later parts are renumbered. Outer axes come first: it is
//! cheaper to delete a whole case than its rows.

use super::axes::{Axis, axes_of, axis_length};
use super::shared_sizes::delete_shared;
use crate::generate::GenerationPlan;
use crate::language::BlockId;
use crate::shrink::ddmin::{ddmin_elements, ddmin_quickly};
use crate::shrink::graph::{delete_vertices, graphs_of};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::references::{follow_references, renumber_references, rerank_permutations};
use crate::shrink::search::ShrinkSearch;
use crate::shrink::size_cuts::{delete_from_sized, survival_filter};
use crate::value::Value;

/// Shortens every axis, with a limited number of rejections.
pub(super) fn shorten_axes(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    shorten_all_axes(search, false)
}

/// Tries every position of every axis, after all other passes have failed.
pub(super) fn shorten_axes_fully(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    shorten_all_axes(search, true)
}

fn shorten_all_axes(search: &mut ShrinkSearch<'_, '_>, is_thorough: bool) -> Result<(), ShrinkStopped> {
    let format = search.format();
    for block in (0..format.blocks.len()).map(BlockId) {
        // Deletion along one axis can remove other axes, which then have no length. It never adds any.
        for axis in axes_of(search, block) {
            shorten_axis(search, &axis, is_thorough)?;
        }
    }
    Ok(())
}

fn shorten_axis(search: &mut ShrinkSearch<'_, '_>, axis: &Axis, is_thorough: bool) -> Result<(), ShrinkStopped> {
    let Some(length) = axis_length(search.format(), search.best_value(), axis) else { return Ok(()) };
    let ddmin = if is_thorough { ddmin_elements } else { ddmin_quickly };
    ddmin(length, &mut |deleted| {
        let candidates = delete_positions(search.plan, search.best_value(), axis, deleted);
        search.attempt_any(candidates)
    })?;
    Ok(())
}

/// Returns the candidates after a deletion: with references renumbered, followed, and unchanged.
pub(super) fn delete_positions(plan: &GenerationPlan<'_>, value: &Value, axis: &Axis, deleted: &[usize]) -> Vec<Value> {
    let format = plan.format;
    match axis {
        Axis::Free { path } => {
            let (mut left, mut stays) = (value.clone(), survival_filter(deleted));
            match left.value_at_mut(path) {
                Some(Value::Text(letters)) => letters.retain(|_| stays()),
                Some(Value::Ints(numbers)) => numbers.retain(|_| stays()),
                Some(Value::Instances(list)) => list.retain(|i| deleted.binary_search(&i).is_err()),
                _ => {}
            }
            vec![left]
        }
        Axis::Shared { path, size } => delete_shared(format, value, path, size, deleted),
        Axis::Named { path, field } => {
            let graphs = graphs_of(format, *field);
            let mut left: Vec<Value> =
                graphs.iter().flat_map(|rule| delete_vertices(format, value, path, *field, rule, deleted)).collect();
            if graphs.is_empty() {
                let Some(cut) = delete_from_sized(format, value, path, *field, deleted) else { return Vec::new() };
                let renumbered = rerank_permutations(
                    plan,
                    renumber_references(format, &cut, path, *field, deleted),
                    &cut,
                    path,
                    *field,
                );
                let followed = follow_references(format, value, &renumbered, path, *field, deleted);
                let others = [Some(renumbered), followed, Some(cut)];
                for other in others.into_iter().flatten() {
                    if !left.contains(&other) {
                        left.push(other);
                    }
                }
            }
            left
        }
    }
}
