//! The adaptive step: how far a number, or several at once, can move.
//!
//! First the whole distance is tried, then half of it, then the smallest steps, since numbers that must keep a
//! remainder move by two or three. After a success, steps double while they succeed, and are halved afterwards.
//! So an impossible move costs five queries, and a long one a number logarithmic in its distance.

use super::oracle::ShrinkStopped;
use super::passes::values::probe_between;
use super::search::ShrinkSearch;
use crate::value::Value;

/// Moves by steps of 1 to `farthest`, which is evaluated again after each step. `moved` builds the candidates
/// of a step. Returns true if anything moved.
pub(super) fn step_adaptively(
    search: &mut ShrinkSearch<'_, '_>,
    farthest: &dyn Fn(&ShrinkSearch<'_, '_>) -> i128,
    moved: &dyn Fn(&ShrinkSearch<'_, '_>, i128) -> Vec<Value>,
) -> Result<bool, ShrinkStopped> {
    step_adaptively_from(search, &|gap| vec![gap, gap / 2, 1, 2, 3], farthest, moved)
}

/// Like [`step_adaptively`], with other first steps for a given distance.
pub(super) fn step_adaptively_from(
    search: &mut ShrinkSearch<'_, '_>,
    first_steps: &dyn Fn(i128) -> Vec<i128>,
    farthest: &dyn Fn(&ShrinkSearch<'_, '_>) -> i128,
    moved: &dyn Fn(&ShrinkSearch<'_, '_>, i128) -> Vec<Value>,
) -> Result<bool, ShrinkStopped> {
    let gap = farthest(search);
    let mut first = None;
    for step in first_steps(gap).into_iter().filter(|s| (1..=gap).contains(s)) {
        let candidates = moved(search, step);
        if search.attempt_any(candidates)? {
            first = Some(step);
            break;
        }
    }
    let Some(step) = first else { return Ok(false) };
    if step > 1 && step == gap / 2 {
        bisect_remaining(search, farthest, moved)?;
    } else {
        gallop_steps(search, step, gap, farthest, moved)?;
    }
    Ok(true)
}

/// Bisects the distance that has to remain, when the whole distance is too far but half of it is not. The rest
/// is mostly small, so the number of its digits is halved first.
fn bisect_remaining(
    search: &mut ShrinkSearch<'_, '_>,
    farthest: &dyn Fn(&ShrinkSearch<'_, '_>) -> i128,
    moved: &dyn Fn(&ShrinkSearch<'_, '_>, i128) -> Vec<Value>,
) -> Result<(), ShrinkStopped> {
    let (mut too_little, mut left) = (0, farthest(search));
    while left - too_little > 1 {
        let leave = probe_between(too_little.max(1), left).max(too_little + 1);
        let candidates = moved(search, left - leave);
        if !search.attempt_any(candidates)? {
            too_little = leave;
            continue;
        }
        let now = farthest(search);
        // Repair may have undone part of the move.
        if now >= left {
            break;
        }
        left = now;
    }
    Ok(())
}

/// Doubles the step while it succeeds, and halves it afterwards.
fn gallop_steps(
    search: &mut ShrinkSearch<'_, '_>,
    mut step: i128,
    gap: i128,
    farthest: &dyn Fn(&ShrinkSearch<'_, '_>) -> i128,
    moved: &dyn Fn(&ShrinkSearch<'_, '_>, i128) -> Vec<Value>,
) -> Result<(), ShrinkStopped> {
    let (mut growing, mut before) = (true, gap);
    loop {
        let left = farthest(search);
        // Repair may have undone part of the move. Continuing would take one query per small step.
        if growing && left > before - step + 1 {
            break;
        }
        step = if growing { step.saturating_mul(2) } else { step / 2 }.min(left);
        if step <= 0 {
            break;
        }
        before = left;
        let candidates = moved(search, step);
        growing &= search.attempt_any(candidates)?;
    }
    Ok(())
}
