//! Moves of numbers that are tied by arithmetic: one is a multiple or the square of another, all have a common factor, or
//! equal ones complement another one to a sum.
//!
//! None of them can change alone, and the exchange is not one to one: where `n = x * x`, `x` comes nearer by one and `n` by
//! `2 * x - 1`. The passes are quadratic in the number of numbers away from their simplest, so they run late, and only if
//! they are few.

use super::values::{
    current_value, distance_to_limit, greatest_divisor, movable_leaves, movable_leaves_in, movable_numbers,
    prime_factors, with_changes,
};
use crate::language::FieldId;
use crate::shrink::adaptive_step::{step_adaptively, step_adaptively_from};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::{ShrinkSearch, ValueLeaf};
use crate::tuning::{MAX_GROUP, MAX_PAIRED_LEAVES, MAX_SMALL_GAP, MAX_TIED_LEAVES};

/// How one number follows from another.
#[derive(Clone, Copy)]
enum Tie {
    /// It is this many times the other.
    Multiple(i128),
    /// It is the square of the other.
    Square,
}

impl Tie {
    fn find_ties(number: i128, other: i128) -> impl Iterator<Item = Tie> {
        let factor = number.checked_div(other).filter(|factor| factor.abs() > 1 && factor * other == number);
        let is_square = other.abs() > 1 && other.checked_mul(other) == Some(number);
        // A square that is taken for a multiple goes half of the way.
        [is_square.then_some(Tie::Square), factor.map(Tie::Multiple)].into_iter().flatten()
    }

    /// Returns the number that follows from another one.
    fn follow(self, other: i128) -> Option<i128> {
        match self {
            Tie::Multiple(factor) => other.checked_mul(factor),
            Tie::Square => other.checked_mul(other),
        }
    }
}

/// Returns the numbers that can change without changing any size, unless there are too many.
fn few_numbers(search: &ShrinkSearch<'_, '_>) -> Option<Vec<ValueLeaf>> {
    let all = movable_numbers(search);
    let distant = all.iter().filter(|leaf| leaf.value != leaf.simplest).count();
    (all.len() <= MAX_TIED_LEAVES && distant <= MAX_PAIRED_LEAVES).then_some(all)
}

/// Moves each number nearer together with another one that follows from it.
pub(super) fn move_tied_values(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let Some(all) = few_numbers(search) else { return Ok(()) };
    for (first, second) in (0..all.len()).flat_map(|first| (0..all.len()).map(move |second| (first, second))) {
        let (one, other) = (&all[first], &all[second]);
        let (Some(value), Some(following)) = (current_value(search, one), current_value(search, other)) else {
            continue;
        };
        if first == second || value == one.simplest {
            continue;
        }
        for tie in Tie::find_ties(following, value) {
            move_tied_pair(search, one, other, tie)?;
        }
    }
    Ok(())
}

fn move_tied_pair(
    search: &mut ShrinkSearch<'_, '_>,
    one: &ValueLeaf,
    other: &ValueLeaf,
    tie: Tie,
) -> Result<bool, ShrinkStopped> {
    let distance = |search: &ShrinkSearch<'_, '_>| current_value(search, one).map_or(0, |value| value - one.simplest);
    let moved = |search: &ShrinkSearch<'_, '_>, step: i128| {
        let nearer = one.simplest + distance(search) - step * distance(search).signum();
        tie.follow(nearer).map(|number| with_changes(search, [(one, nearer), (other, number)])).into_iter().collect()
    };
    // A third number may have to follow after a step or two. From far away, that is left to other passes: it would take as
    // many steps as the distance.
    let first_steps =
        |gap: i128| if gap <= MAX_SMALL_GAP { vec![gap, gap / 2, 1, 2, 3] } else { vec![gap, gap / 2, gap / 4] };
    step_adaptively_from(search, &first_steps, &|search| distance(search).abs(), &moved)
}

/// Divides all numbers by their common factors, then those of each field.
pub(super) fn divide_by_common_factors(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let Some(all) = few_numbers(search) else { return Ok(()) };
    let mut fields: Vec<Option<FieldId>> = vec![None];
    fields.extend(all.iter().map(|leaf| Some(leaf.field)));
    fields.dedup();
    for field in fields {
        let chosen = |search: &ShrinkSearch<'_, '_>| -> Vec<ValueLeaf> {
            let is_chosen = |leaf: &ValueLeaf| field.map_or(leaf.value != leaf.simplest, |field| leaf.field == field);
            movable_numbers(search).into_iter().filter(is_chosen).collect()
        };
        let divided = |search: &ShrinkSearch<'_, '_>, factor: i128| {
            let all = chosen(search);
            let changes = all.iter().map(|leaf| (leaf, leaf.value / factor));
            [with_changes(search, changes)]
        };
        let common = |search: &ShrinkSearch<'_, '_>| {
            chosen(search).iter().fold(0, |divisor, leaf| greatest_divisor(divisor, leaf.value))
        };
        while search.attempt_each(prime_factors(common(search)), divided)? {}
    }
    Ok(())
}

/// Moves equal numbers of a field nearer while another number of the input moves away by the same amount: two elements that
/// each complement a third to a target.
pub(super) fn trade_groups(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let Some(all) = few_numbers(search) else { return Ok(()) };
    let mut sorted = all.clone();
    sorted.sort_by_key(|leaf| (leaf.field, leaf.value));
    let groups = sorted.chunk_by(|one, other| (one.field, one.value) == (other.field, other.value));
    for group in groups.filter(|group| (2..=MAX_GROUP).contains(&group.len()) && group[0].value != group[0].simplest) {
        for other in all.iter().filter(|other| !group.contains(other)) {
            trade_group(search, group, other)?;
        }
    }
    Ok(())
}

fn trade_group(
    search: &mut ShrinkSearch<'_, '_>,
    group: &[ValueLeaf],
    other: &ValueLeaf,
) -> Result<bool, ShrinkStopped> {
    let Some(first) = group.first() else { return Ok(false) };
    let now = |search: &ShrinkSearch<'_, '_>, leaf: &ValueLeaf| current_value(search, leaf).unwrap_or(leaf.value);
    let gap = |search: &ShrinkSearch<'_, '_>| now(search, first) - first.simplest;
    let farthest = |search: &ShrinkSearch<'_, '_>| {
        let partner = ValueLeaf { value: now(search, other), ..other.clone() };
        gap(search).abs().min(distance_to_limit(search, &partner, gap(search).signum()))
    };
    let moved = |search: &ShrinkSearch<'_, '_>, step: i128| {
        let by = step * gap(search).signum();
        let nearer = now(search, first) - by;
        let changes = group.iter().map(|leaf| (leaf, nearer)).chain([(other, now(search, other) + by)]);
        vec![with_changes(search, changes)]
    };
    step_adaptively(search, &farthest, &moved)
}

// Extrapolation: the changes of a round of all passes are repeated.
//
// Where three values trade against each other, no move of two goes far: each ends after a step or two, when
// the third has to follow. Round after round then makes the same small progress, perhaps a hundred thousand
// times. So all changes of a round that changes only values are made together again, as many times as they
// succeed.

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
        let moved = moved.map(|(a, change)| (a, a.value + times * change));
        vec![with_changes(search, moved)]
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
