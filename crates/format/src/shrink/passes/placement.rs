//! Other places for two values at a time, on boards and in arrays that are otherwise at their simplest.
//!
//! Two stones of a board that must be in line can be anywhere, but moving one of them alone breaks the line. So
//! all places for both are tried, the last ones first: what is simple comes first in the smallest value.

use super::values::{movable_leaves, with_changes};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::shrink::value_leaf::ValueLeaf;
use crate::tuning::{MAX_DISTANT, MAX_PLACES};

/// Moves each pair of values that are away from their simplest to all other places of the same field.
pub(super) fn place_pairs(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let all = movable_leaves(search);
    for places in all.chunk_by(|a, b| a.field == b.field) {
        let distant: Vec<usize> = (0..places.len()).filter(|at| places[*at].value != places[*at].simplest).collect();
        if places.len() > MAX_PLACES || !(2..=MAX_DISTANT).contains(&distant.len()) {
            continue;
        }
        for (i, first) in distant.iter().enumerate() {
            for second in &distant[i + 1..] {
                place_pair(search, places, [*first, *second])?;
            }
        }
    }
    Ok(())
}

/// Tries all places for two of the leaves of a field.
fn place_pair(
    search: &mut ShrinkSearch<'_, '_>,
    places: &[ValueLeaf],
    [first, second]: [usize; 2],
) -> Result<(), ShrinkStopped> {
    let is_free = |at: &usize| *at == first || *at == second || places[*at].value == places[*at].simplest;
    let free: Vec<usize> = (0..places.len()).rev().filter(is_free).collect();
    let distance = |leaf: &ValueLeaf| (leaf.value - leaf.simplest).abs();
    let (mut near, mut far) = (&places[first], &places[second]);
    if distance(far) < distance(near) {
        (near, far) = (far, near);
    }
    // The smallest result first: the first one that fails is kept.
    let mut moves: Vec<[(usize, i128); 2]> = Vec::new();
    for (i, earlier) in free.iter().enumerate() {
        for later in &free[..i] {
            moves.push([(*earlier, near.value), (*later, far.value)]);
            if near.value != far.value {
                moves.push([(*earlier, far.value), (*later, near.value)]);
            }
        }
    }
    search.attempt_each(moves, |search, targets| {
        let value_at = |at: usize| targets.iter().find(|(target, _)| *target == at).map(|(_, value)| *value);
        let changes: Vec<(&ValueLeaf, i128)> =
            free.iter().map(|at| (&places[*at], value_at(*at).unwrap_or(places[*at].simplest))).collect();
        [with_changes(search, &changes)]
    })?;
    Ok(())
}
