//! Extrapolation: the changes of a round of all passes are repeated.
//!
//! Where three values trade against each other, no move of two goes far: each ends after a step or two, when
//! the third has to follow. Round after round then makes the same small progress, perhaps a hundred thousand
//! times. So all changes of a round that changes only values are made together again, as many times as they
//! succeed.

use super::values::{distance_to_limit, movable_leaves, movable_leaves_in};
use crate::shrink::adaptive_step::step_adaptively;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::shrink::value_leaf::ValueLeaf;

/// Repeats the changes that the current round has made.
pub(super) fn extrapolate_round(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let Some(changes) = round_changes(search) else { return Ok(()) };
    let farthest = |search: &ShrinkSearch<'_, '_>| {
        let now = movable_leaves(search);
        let times = |(leaf, change): (&ValueLeaf, &i128)| max_repetitions(search, leaf, *change);
        now.iter().zip(&changes).filter(|(_, change)| **change != 0).map(times).min().unwrap_or(0)
    };
    let moved = |search: &ShrinkSearch<'_, '_>, times: i128| {
        let now = movable_leaves(search);
        let moved = now.iter().zip(&changes).filter(|(_, change)| **change != 0);
        let moved: Vec<(&ValueLeaf, i128)> = moved.map(|(a, change)| (a, a.value + times * change)).collect();
        vec![super::values::with_changes(search, &moved)]
    };
    step_adaptively(search, &farthest, &moved)?;
    Ok(())
}

/// Returns the change of each leaf since the round began. Returns `None` if no leaf changed, or if the structure
/// did.
fn round_changes(search: &ShrinkSearch<'_, '_>) -> Option<Vec<i128>> {
    let start = search.round_start()?;
    if start.element_count() != search.best_value().element_count() {
        return None;
    }
    let (before, now) = (movable_leaves_in(search, start), movable_leaves(search));
    let places = |all: &[ValueLeaf]| all.iter().map(|a| (a.path.clone(), a.index)).collect::<Vec<_>>();
    if places(&before) != places(&now) {
        return None;
    }
    let changes: Vec<i128> = before.iter().zip(&now).map(|(before, now)| now.value - before.value).collect();
    changes.iter().any(|change| *change != 0).then_some(changes)
}

/// Returns how many times a leaf can change by this amount, within its range and not past its simplest.
fn max_repetitions(search: &ShrinkSearch<'_, '_>, leaf: &ValueLeaf, change: i128) -> i128 {
    let gap = leaf.simplest - leaf.value;
    let far =
        if gap.signum() == change.signum() { gap.abs() } else { distance_to_limit(search, leaf, change.signum()) };
    far / change.abs()
}
