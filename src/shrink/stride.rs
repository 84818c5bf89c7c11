//! How far something can move: the one routine for steps of numbers.
//!
//! The whole way first, then half of it; then the smallest steps, since what is tied to a remainder moves by two or
//! three; and what moved goes on with steps twice as long while that succeeds, and half as long after. So a move that
//! cannot be made costs five questions, and a long one as many as its distance has digits.

use super::search::{Search, Stopped};
use super::values::middle;
use crate::value::Value;

/// Moves by steps of 1 to `farthest`, counted afresh after each step. `moved` makes the candidates of a step; whether
/// anything moved.
pub(super) fn stride(
    search: &mut Search<'_, '_>,
    farthest: &dyn Fn(&Search<'_, '_>) -> i128,
    moved: &dyn Fn(&Search<'_, '_>, i128) -> Vec<Value>,
) -> Result<bool, Stopped> {
    stride_from(search, &|gap| vec![gap, gap / 2, 1, 2, 3], farthest, moved)
}

/// The same with other first steps, given how far it is.
pub(super) fn stride_from(
    search: &mut Search<'_, '_>,
    first_steps: &dyn Fn(i128) -> Vec<i128>,
    farthest: &dyn Fn(&Search<'_, '_>) -> i128,
    moved: &dyn Fn(&Search<'_, '_>, i128) -> Vec<Value>,
) -> Result<bool, Stopped> {
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
        bracket(search, farthest, moved)?;
    } else {
        gallop(search, step, gap, farthest, moved)?;
    }
    Ok(true)
}

/// The whole way is too far and half of it is not: so how much of it has to be left lies between, and most often it is
/// little. By the number of its digits first, then half way.
fn bracket(
    search: &mut Search<'_, '_>,
    farthest: &dyn Fn(&Search<'_, '_>) -> i128,
    moved: &dyn Fn(&Search<'_, '_>, i128) -> Vec<Value>,
) -> Result<(), Stopped> {
    let (mut too_little, mut left) = (0, farthest(search));
    while left - too_little > 1 {
        let leave = middle(too_little.max(1), left).max(too_little + 1);
        let candidates = moved(search, left - leave);
        if !search.attempt_any(candidates)? {
            too_little = leave;
            continue;
        }
        let now = farthest(search);
        // Mending may have taken back a part of the move.
        if now >= left {
            break;
        }
        left = now;
    }
    Ok(())
}

/// Steps twice as long while that succeeds, and half as long after.
fn gallop(
    search: &mut Search<'_, '_>,
    mut step: i128,
    gap: i128,
    farthest: &dyn Fn(&Search<'_, '_>) -> i128,
    moved: &dyn Fn(&Search<'_, '_>, i128) -> Vec<Value>,
) -> Result<(), Stopped> {
    let (mut growing, mut before) = (true, gap);
    loop {
        let left = farthest(search);
        // Mending may have taken back a part of the move: then there is no end to it, one small step a question.
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
