//! Moves of two values at a time, for failures that need a sum, a difference, a product or an order.
//!
//! The pass is quadratic in the number of leaves away from their simplest, so it runs late, and only if they
//! are few.

use super::values::{distance_to_limit, movable_leaves, with_changes};
use crate::language::{BlockId, FieldId, Format};
use crate::shrink::adaptive_step::step_adaptively_from;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::shrink::value_leaf::ValueLeaf;
use crate::tuning::{MAX_PAIRED_LEAVES, MIN_TRADED_DISTANCE};

/// Moves pairs of leaves: swaps them, makes them equal, moves both nearer, or one nearer and the other farther.
pub(super) fn move_pairs(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let format = search.format();
    let all = movable_leaves(search);
    let distant = all.iter().filter(|a| a.value != a.simplest).count();
    if distant > MAX_PAIRED_LEAVES || all.len() > MAX_PAIRED_LEAVES * 4 {
        return Ok(());
    }
    for first in 0..all.len() {
        for second in (0..all.len()).filter(|s| *s != first && can_trade(format, &all[first], &all[*s])) {
            swap_pair(search, first, second)?;
            trade_pair(search, first, second)?;
            for motion in [PairMotion::BothNearer, PairMotion::KeepSum, PairMotion::TradeDistance] {
                move_pair(search, first, second, motion)?;
            }
        }
    }
    Ok(())
}

/// Returns true if two leaves are of the same field or line, or the line of one contains that of the other. A
/// leaf trades with a different field of another line indirectly, through its own line.
fn can_trade(format: &Format, a: &ValueLeaf, b: &ValueLeaf) -> bool {
    let home = |leaf: &ValueLeaf| 2 * count_outer_blocks(format, leaf.field);
    let shared = home(a).min(home(b));
    a.field == b.field || a.path.get(..shared) == b.path.get(..shared)
}

/// Returns the number of blocks around a field, without the whole input.
fn count_outer_blocks(format: &Format, field: FieldId) -> usize {
    let parent = |block: &BlockId| format.block(*block).parent;
    std::iter::successors(Some(format.field(field).block), parent).count() - 1
}

/// How the second leaf of a pair moves while the first comes nearer to its simplest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PairMotion {
    /// It comes nearer as well.
    BothNearer,
    /// It compensates the move, which keeps the sum.
    KeepSum,
    /// It moves away from its simplest by one less than the first comes nearer.
    TradeDistance,
}

fn move_pair(
    search: &mut ShrinkSearch<'_, '_>,
    first: usize,
    second: usize,
    motion: PairMotion,
) -> Result<bool, ShrinkStopped> {
    let farthest = |search: &ShrinkSearch<'_, '_>| {
        let all = movable_leaves(search);
        let (Some(a), Some(b)) = (all.get(first), all.get(second)) else { return 0 };
        let gap = (a.simplest - a.value).abs();
        if gap == 0 {
            return 0;
        }
        match motion {
            PairMotion::BothNearer => gap.min((b.simplest - b.value).abs()),
            PairMotion::KeepSum => gap.min(distance_to_limit(search, b, compensating_direction(a))),
            // If the second has no slack, this would move the first alone, one by one, over perhaps a hundred
            // million steps.
            PairMotion::TradeDistance => match distance_to_limit(search, b, outward_direction(b)) {
                ..=0 => 0,
                slack => gap.min(slack.saturating_add(1)),
            },
        }
    };
    let moved = |search: &ShrinkSearch<'_, '_>, step: i128| {
        let all = movable_leaves(search);
        let (Some(a), Some(b)) = (all.get(first), all.get(second)) else { return Vec::new() };
        let nearer = a.value + step * (a.simplest - a.value).signum();
        let other = match motion {
            PairMotion::BothNearer => b.value + step * (b.simplest - b.value).signum(),
            PairMotion::KeepSum => b.value + step * compensating_direction(a),
            PairMotion::TradeDistance if step < 2 => return Vec::new(),
            PairMotion::TradeDistance => b.value + (step - 1) * outward_direction(b),
        };
        vec![with_changes(search, &[(a, nearer), (b, other)])]
    };
    // Nearly every pair rejects these; pairs that trade at all do so with the smallest steps as well.
    let first_steps = |gap: i128| match motion {
        PairMotion::BothNearer => vec![gap, 1, 2, 3],
        PairMotion::KeepSum => vec![gap, 1, 2],
        PairMotion::TradeDistance => vec![gap, 2, 3],
    };
    step_adaptively_from(search, &first_steps, &farthest, &moved)
}

/// Returns the direction that keeps the sum of two numbers when the first comes nearer.
fn compensating_direction(a: &ValueLeaf) -> i128 {
    (a.value - a.simplest).signum()
}

/// Returns the direction away from the simplest value.
fn outward_direction(b: &ValueLeaf) -> i128 {
    if b.value < b.simplest { -1 } else { 1 }
}

fn swap_pair(search: &mut ShrinkSearch<'_, '_>, first: usize, second: usize) -> Result<bool, ShrinkStopped> {
    let all = movable_leaves(search);
    let (Some(a), Some(b)) = (all.get(first), all.get(second)) else { return Ok(false) };
    let alike = search.format().field(a.field).alphabet() == search.format().field(b.field).alphabet();
    if first > second || !alike || a.value == b.value {
        return Ok(false);
    }
    let candidate = with_changes(search, &[(a, b.value), (b, a.value)]);
    search.attempt_one(candidate)
}

/// Doubles one value while halving the other, or moves both to the middle of their product or their sum.
fn trade_pair(search: &mut ShrinkSearch<'_, '_>, first: usize, second: usize) -> Result<(), ShrinkStopped> {
    loop {
        let all = movable_leaves(search);
        let (Some(a), Some(b)) = (all.get(first), all.get(second)) else { return Ok(()) };
        let (far, near) = (a.value - a.simplest, b.value - b.simplest);
        if far.abs() < MIN_TRADED_DISTANCE || search.format().field(a.field).alphabet().is_some() {
            return Ok(());
        }
        let half = |n: i128| n / 2 + n % 2;
        let middle = (far.abs() + near.abs()) / 2;
        let mut moves: Vec<[(&ValueLeaf, i128); 2]> = Vec::new();
        let root = a.value.abs().saturating_mul(b.value.abs()).isqrt();
        for root in [root, root + 1].into_iter().filter(|_| first > second && a.value > 0 && b.value > 0) {
            moves.push([(a, root), (b, root)]);
        }
        moves.push([(a, half(a.value)), (b, b.value * 2)]);
        if first < second && far != near {
            let side = |n: i128| if n < 0 { -1 } else { 1 };
            moves.push([(a, a.simplest + middle * side(far)), (b, b.simplest + middle * side(near))]);
        }
        if !search.attempt_each(moves, |search, changes| [with_changes(search, &changes)])? {
            return Ok(());
        }
    }
}
