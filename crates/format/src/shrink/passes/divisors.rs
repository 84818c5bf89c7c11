//! Values that bisection misses: divisors, round numbers, and the first few numbers one by one.
//!
//! A failure that needs one particular value, or a multiple of some number, is not monotone in the distance. So
//! values are divided, rounded, and lowered by ten, a hundred or a thousand at a time. Equal values of a field
//! change together as well: values that must be both equal and multiples of ten cannot change alone. And a
//! value that must be congruent to another one moves nearer to it by a factor of their difference. This pass
//! runs late, when only few values are still large.

use super::values::{current_value, movable_leaves, with_changes};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::shrink::value_leaf::ValueLeaf;
use crate::tuning::MAX_NEAREST;
use crate::tuning::{MAX_FACTOR, MAX_GROUP, MAX_ONE_BY_ONE, MAX_OTHERS, MAX_ROUNDED_LEAVES};
use std::collections::BTreeSet;

/// Tries divisors, round numbers and small numbers for each leaf that is not near its simplest, and for groups
/// of equal leaves.
pub(super) fn try_round_values(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let all = distant_leaves(search);
    if all.len() <= MAX_ROUNDED_LEAVES {
        try_groups(search, &all.iter().map(std::slice::from_ref).collect::<Vec<_>>(), MAX_ONE_BY_ONE)?;
    }
    let mut all = distant_leaves(search);
    all.sort_by_key(|a| (a.field, a.value));
    let groups: Vec<&[ValueLeaf]> = all.chunk_by(|a, b| (a.field, a.value) == (b.field, b.value)).collect();
    if groups.len() <= MAX_ROUNDED_LEAVES {
        let groups: Vec<&[ValueLeaf]> = groups.into_iter().filter(|g| (2..=MAX_GROUP).contains(&g.len())).collect();
        try_groups(search, &groups, MAX_ONE_BY_ONE / 2)?;
    }
    reduce_differences(search)
}

/// Moves each leaf nearer to the others of its field, by factors of the difference.
fn reduce_differences(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let all = distant_leaves(search);
    if all.len() > MAX_ROUNDED_LEAVES {
        return Ok(());
    }
    for leaf in &all {
        let same = |a: &ValueLeaf| a.field == leaf.field && (&a.path, a.index) != (&leaf.path, leaf.index);
        let others: BTreeSet<i128> = movable_leaves(search).into_iter().filter(same).map(|a| a.value).collect();
        for other in others.into_iter().take(MAX_OTHERS) {
            while let Some(value) = current_value(search, leaf) {
                let nearer = prime_factors(value - other).into_iter().map(|f| other + (value - other) / f);
                if !search.attempt_each(nearer, |search, v| [with_changes(search, &[(leaf, v)])])? {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Returns the prime factors of a number, the largest first. The cofactor of the small ones counts as a prime.
pub(super) fn prime_factors(number: i128) -> Vec<i128> {
    let (mut rest, mut found) = (number.abs(), Vec::new());
    for factor in 2..MAX_FACTOR {
        if rest < factor {
            break;
        }
        if rest % factor == 0 {
            found.push(factor);
        }
        while rest % factor == 0 {
            rest /= factor;
        }
    }
    found.extend((rest > 1).then_some(rest));
    found.reverse();
    found
}

/// Returns the leaves that are not near their simplest, without those known to be at a bound.
fn distant_leaves(search: &ShrinkSearch<'_, '_>) -> Vec<ValueLeaf> {
    let far = |a: &ValueLeaf| (a.value - a.simplest).abs() > MAX_NEAREST && !search.is_at_bound(a, a.value);
    movable_leaves(search).into_iter().filter(far).collect()
}

fn try_groups(search: &mut ShrinkSearch<'_, '_>, groups: &[&[ValueLeaf]], all: i128) -> Result<(), ShrinkStopped> {
    let each = all / groups.len().max(1) as i128;
    for group in groups {
        let changed = |search: &ShrinkSearch<'_, '_>, v: i128| {
            [with_changes(search, &group.iter().map(|leaf| (leaf, v)).collect::<Vec<_>>())]
        };
        while let Some(value) = group.first().and_then(|leaf| current_value(search, leaf))
            && search.attempt_each(target_values(group, value, each), changed)?
        {}
    }
    Ok(())
}

/// Returns the values to try for a group of equal leaves.
fn target_values(group: &[ValueLeaf], value: i128, each: i128) -> Vec<i128> {
    let simplest = group.first().map_or(value, |leaf| leaf.simplest);
    let (distance, sign) = ((value - simplest).abs(), (value - simplest).signum());
    let small = (MAX_NEAREST + 1..=each.min(distance - 1)).map(|d| simplest + sign * d);
    let divided = [10, 7, 5, 3, 2].into_iter().filter(|d| value % d == 0).map(|d| value / d);
    let powers = (1..37).map(|e| 10_i128.pow(e)).take_while(|p| *p < value.abs());
    let powers: Vec<i128> = powers.collect();
    let round = powers.iter().map(|p| p * value.signum());
    let lower = powers.iter().rev().filter(|p| **p < distance).map(|p| value - sign * p);
    divided.chain(round).chain(small).chain(lower).collect()
}
