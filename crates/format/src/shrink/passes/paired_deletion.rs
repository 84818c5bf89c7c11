//! Deletion from sequences that can only be shortened together.
//!
//! Two arrays that must have equal lengths, a text and its copy, a board that must stay square: after a deletion
//! from one of them alone, the input does not fail any more. So the same positions are deleted from two axes at
//! once, of one instance or of the same kind in neighbouring instances; and from all axes of the same kind, if
//! more than two must be equal.

use super::axes::{Axis, axes_of, axis_length, delete_positions, is_size_of_any};
use crate::language::{BlockId, FieldId};
use crate::shrink::ddmin::ddmin_quickly;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::tuning::MAX_PAIRED_AXES;
use crate::value::Value;

/// Shortens all pairs of axes as far as possible.
pub(super) fn shorten_pairs(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    for pair in axis_pairs(search) {
        shorten_pair(search, &pair)?;
    }
    shorten_groups(search)
}

/// Shortens three or more axes of the same kind and length, all at the same positions.
fn shorten_groups(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    for block in search.format().block_ids() {
        search.check_stop()?;
        let mut all: Vec<((AxisKind, usize), Axis)> = Vec::new();
        for axis in axes_of(search, block) {
            let length = axis_length(search.format(), search.best_value(), &axis).unwrap_or(0);
            all.push(((axis_kind(&axis), length), axis));
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        for alike in all.chunk_by(|a, b| a.0 == b.0) {
            let [((_, length), _), _, _, ..] = alike else { continue };
            if alike.len() <= MAX_PAIRED_AXES {
                shorten_group(search, alike, *length)?;
            }
        }
    }
    Ok(())
}

/// The kind of an axis, independent of its position: its size field, or the slots on the path to its sequence.
type AxisKind = (Option<FieldId>, Vec<usize>);

fn axis_kind(axis: &Axis) -> AxisKind {
    match axis {
        Axis::Named { field, .. } => (Some(*field), Vec::new()),
        Axis::Free { path } | Axis::Shared { path, .. } => (None, path.iter().step_by(2).copied().collect()),
    }
}

fn shorten_group<K>(
    search: &mut ShrinkSearch<'_, '_>,
    alike: &[(K, Axis)],
    length: usize,
) -> Result<(), ShrinkStopped> {
    ddmin_quickly(length, &mut |deleted| {
        let shorter =
            |left: Value, (_, axis): &(K, Axis)| delete_positions(search.plan, &left, axis, deleted).into_iter().next();
        let all = alike.iter().try_fold(search.best_value().clone(), shorter);
        search.attempt_any(all.into_iter().collect())
    })?;
    Ok(())
}

fn axis_pairs(search: &ShrinkSearch<'_, '_>) -> Vec<[Axis; 2]> {
    // Vertices that size nothing are deleted with their edges, and nothing else has the same length.
    let is_sequence = |axis: &Axis| match axis {
        Axis::Named { field, .. } => is_size_of_any(search.format(), *field),
        Axis::Free { .. } | Axis::Shared { .. } => true,
    };
    let all = (0..search.format().blocks.len()).flat_map(|block| axes_of(search, BlockId(block)));
    let all: Vec<Axis> = all.filter(is_sequence).take(MAX_PAIRED_AXES).collect();
    let pairs = (0..all.len()).flat_map(|a| (a + 1..all.len()).map(move |b| (a, b)));
    pairs.map(|(a, b)| [all[a].clone(), all[b].clone()]).collect()
}

/// Shortens both axes at equal positions.
fn shorten_pair(search: &mut ShrinkSearch<'_, '_>, [one, other]: &[Axis; 2]) -> Result<(), ShrinkStopped> {
    let format = search.format();
    let length = |value: &Value, axis| axis_length(format, value, axis).unwrap_or(0);
    let shortest = length(search.best_value(), one).min(length(search.best_value(), other));
    ddmin_quickly(shortest, &mut |deleted| {
        let before = length(search.best_value(), other);
        let first = delete_positions(search.plan, search.best_value(), one, deleted);
        let both = first.iter().flat_map(|left| match axis_length(format, left, other) {
            // The first deletion already shortened the other axis.
            Some(now) if now < before => vec![left.clone()],
            _ => delete_positions(search.plan, left, other, deleted),
        });
        let both = both.collect();
        search.attempt_any(both)
    })?;
    Ok(())
}
