//! Moves of two values at a time, for failures that need a sum, a difference, a product or an order.
//!
//! The pass is quadratic in the number of leaves away from their simplest, so it runs late, and only if they
//! are few.

use super::arrays::fields_bounded_by;
use super::values::{attempt_changes, distance_to_limit, movable_leaves, movable_numbers, with_changes};
use crate::language::{Format, Interval};
use crate::shrink::adaptive_step::step_adaptively_from;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::parts::exchange_value;
use crate::shrink::search::{ShrinkSearch, ValueLeaf};
use crate::tuning::{
    MAX_DISTANT, MAX_EXCHANGED_VALUES, MAX_PAIRED_LEAVES, MAX_PLACES, MAX_TIED_LEAVES, MIN_TRADED_DISTANCE,
};
use crate::value::Value;
use std::collections::BTreeSet;

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
    let home = |leaf: &ValueLeaf| 2 * format.blocks_around(format.field(leaf.field).block).count();
    let shared = home(a).min(home(b));
    a.field == b.field || a.path.get(..shared) == b.path.get(..shared)
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
        vec![with_changes(search, [(a, nearer), (b, other)])]
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
    attempt_changes(search, [(a, b.value), (b, a.value)])
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
        if !search.attempt_each(moves, |search, changes| [with_changes(search, changes)])? {
            return Ok(());
        }
    }
}

// Exchanges of two numbers wherever they occur, such as the names of two vertices.
//
// Numbers that only name something keep their meaning if two of them are exchanged everywhere, in all fields of
// the same range.

/// Exchanges each two numbers of a range, as long as that makes the input smaller.
pub(super) fn exchange_values(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let all = movable_numbers(search);
    if all.len() > MAX_TIED_LEAVES {
        return Ok(());
    }
    let mut ranges: Vec<Interval> = Vec::new();
    for range in all.iter().map(|leaf| search.format().field(leaf.field).range) {
        if !ranges.contains(&range) {
            ranges.push(range);
        }
    }
    for range in ranges {
        let values: BTreeSet<i128> = numbers_of_range(search, range).iter().map(|leaf| leaf.value).collect();
        if values.len() > MAX_EXCHANGED_VALUES {
            continue;
        }
        let pairs = values.iter().flat_map(|one| values.range(one + 1..).map(move |other| (*one, *other)));
        let pairs: Vec<(i128, i128)> = pairs.collect();
        while search.attempt_each(&pairs, |search, pair| [with_exchange(search, range, *pair)])? {}
    }
    Ok(())
}

fn numbers_of_range(search: &ShrinkSearch<'_, '_>, range: Interval) -> Vec<ValueLeaf> {
    // Numbers that limit others, such as the number of vertices, name nothing.
    let is_name = |leaf: &ValueLeaf| {
        search.format().field(leaf.field).range == range && fields_bounded_by(search.format(), leaf.field).is_empty()
    };
    movable_numbers(search).into_iter().filter(is_name).collect()
}

fn with_exchange(search: &ShrinkSearch<'_, '_>, range: Interval, (one, other): (i128, i128)) -> Value {
    let all = numbers_of_range(search, range);
    with_changes(search, all.iter().map(|leaf| (leaf, exchange_value(leaf.value, one, other))))
}

// Other places for two values at a time, on boards and in arrays that are otherwise at their simplest.
//
// Two stones of a board that must be in line can be anywhere, but moving one of them alone breaks the line. So
// all places for both are tried, the last ones first: what is simple comes first in the smallest value.

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
        let changes = free.iter().map(|at| (&places[*at], value_at(*at).unwrap_or(places[*at].simplest)));
        [with_changes(search, changes)]
    })?;
    Ok(())
}
