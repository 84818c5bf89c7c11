//! Moving values towards the simplest, without changing the structure.
//!
//! First ddmin finds the leaves that have to keep their values while all others become the simplest. Then each
//! of these comes as near to the simplest as possible: first to the nearest few values, where most minima are,
//! then by bisecting the distance.

use crate::language::{Field, FieldId};
use crate::shrink::ddmin::ddmin_elements;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::parts::delete_items;
use crate::shrink::search::{ShrinkSearch, ValueLeaf};
use crate::tuning::{
    MAX_FACTOR, MAX_GROUP, MAX_NEAREST, MAX_ONE_BY_ONE, MAX_OTHERS, MAX_ROUNDED_LEAVES, MIN_BOUND_DISTANCES,
};
use crate::value::{Value, ValuePath, visit_leaves};
use std::collections::BTreeSet;

/// Returns true if a number sizes something. Texts and arrays that do so may change: what they size is adjusted.
fn is_counted_size(search: &ShrinkSearch<'_, '_>, field: FieldId) -> bool {
    search.plan.is_size(field) && search.format().field(field).is_scalar()
}

/// Returns all leaves of the best value that can change without changing any size.
pub(super) fn movable_leaves(search: &ShrinkSearch<'_, '_>) -> Vec<ValueLeaf> {
    leaves_where(search, &|field| !is_counted_size(search, field))
}

/// Returns the numbers among them: the leaves that are no characters.
pub(super) fn movable_numbers(search: &ShrinkSearch<'_, '_>) -> Vec<ValueLeaf> {
    leaves_where(search, &|field| !is_counted_size(search, field) && search.format().field(field).alphabet().is_none())
}

/// Returns these leaves of another value.
pub(super) fn movable_leaves_in(search: &ShrinkSearch<'_, '_>, value: &Value) -> Vec<ValueLeaf> {
    collect_leaves(search, value, &|field| !is_counted_size(search, field))
}

/// Returns the leaves of the fields `wanted`.
pub(super) fn leaves_where(search: &ShrinkSearch<'_, '_>, wanted: &dyn Fn(FieldId) -> bool) -> Vec<ValueLeaf> {
    collect_leaves(search, search.best_value(), wanted)
}

#[expect(clippy::expect_used, reason = "candidates are valid, so texts are made of the letters of their field")]
fn collect_leaves(search: &ShrinkSearch<'_, '_>, value: &Value, wanted: &dyn Fn(FieldId) -> bool) -> Vec<ValueLeaf> {
    let mut found = Vec::new();
    visit_leaves(search.format(), value, &mut |path, field, leaf| {
        if !wanted(field) {
            return;
        }
        let info = search.format().field(field);
        let simplest = if info.alphabet().is_some() { 0 } else { info.range.simplest_value() };
        for index in 0..leaf.element_count() {
            let value = leaf_value(info, leaf, index).expect("a text is made of its letters");
            found.push(ValueLeaf { path: ValuePath::from_slice(path), index, field, value, simplest });
        }
    });
    found
}

/// Returns an element of a field, or the rank of a character in its alphabet.
fn leaf_value(field: &Field, part: &Value, index: usize) -> Option<i128> {
    let element = part.element_at(index)?;
    match field.alphabet() {
        Some(letters) => letters.iter().position(|l| i128::from(*l) == element).map(|rank| rank as i128),
        None => Some(element),
    }
}

pub(super) fn current_value(search: &ShrinkSearch<'_, '_>, leaf: &ValueLeaf) -> Option<i128> {
    let part = search.best_value().value_at(&leaf.path)?;
    leaf_value(search.format().field(leaf.field), part, leaf.index)
}

/// Tries the best value with some leaves changed. Returns true if it was accepted.
pub(super) fn attempt_changes<'l>(
    search: &mut ShrinkSearch<'_, '_>,
    changes: impl IntoIterator<Item = (&'l ValueLeaf, i128)>,
) -> Result<bool, ShrinkStopped> {
    let candidate = with_changes(search, changes);
    search.attempt_one(candidate)
}

/// Returns the best value with some leaves changed.
pub(super) fn with_changes<'l>(
    search: &ShrinkSearch<'_, '_>,
    changes: impl IntoIterator<Item = (&'l ValueLeaf, i128)>,
) -> Value {
    let mut value = search.best_value().clone();
    for (leaf, new) in changes {
        let element = match search.format().field(leaf.field).alphabet() {
            Some(letters) => usize::try_from(new).ok().and_then(|rank| Some(i128::from(*letters.get(rank)?))),
            None => Some(new),
        };
        if let Some((part, element)) = value.value_at_mut(&leaf.path).zip(element) {
            part.set_element(leaf.index, element);
        }
    }
    value
}

/// Returns how far a leaf can move in a direction within its declared range.
pub(super) fn distance_to_limit(search: &ShrinkSearch<'_, '_>, leaf: &ValueLeaf, direction: i128) -> i128 {
    let field = search.format().field(leaf.field);
    match field.alphabet() {
        Some(letters) if direction > 0 => letters.len() as i128 - 1 - leaf.value,
        Some(_) => leaf.value,
        None if direction > 0 => field.range.hi.saturating_sub(leaf.value),
        None => leaf.value.saturating_sub(field.range.lo),
    }
}

/// Moves every leaf as near to its simplest value as possible.
pub(super) fn minimize_values(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let distant: Vec<ValueLeaf> = movable_leaves(search).into_iter().filter(|a| a.value != a.simplest).collect();
    // A leaf at a bound is tried again only if the bound has moved since.
    let (bounded, mut distant): (Vec<ValueLeaf>, Vec<ValueLeaf>) =
        distant.into_iter().partition(|a| search.is_at_bound(a, a.value));
    for leaf in bounded {
        search.check_stop()?;
        if attempt_changes(search, [(&leaf, leaf.value - (leaf.value - leaf.simplest).signum())])? {
            distant.extend(current_value(search, &leaf).map(|value| ValueLeaf { value, ..leaf }));
        }
    }
    ddmin_elements(distant.len(), &mut |chosen| {
        let changes = chosen.iter().map(|i| (&distant[*i], distant[*i].simplest));
        let taken = attempt_changes(search, changes)?;
        if taken {
            delete_items(&mut distant, chosen);
        }
        Ok(taken)
    })?;
    let mut last: Vec<ValueLeaf> = Vec::new();
    for known in &distant {
        // Repair may have moved other leaves.
        if let Some(value) = current_value(search, known) {
            let of_field = last.iter().position(|l| l.field == known.field);
            let alike = of_field.map(|at| last.swap_remove(at));
            minimize_leaf(search, &ValueLeaf { value, ..known.clone() }, alike.as_ref())?;
            last.push(known.clone());
        }
    }
    Ok(())
}

/// Moves a leaf as near to its simplest value as possible, trying the distance of another leaf of its field
/// first.
fn minimize_leaf(
    search: &mut ShrinkSearch<'_, '_>,
    leaf: &ValueLeaf,
    alike: Option<&ValueLeaf>,
) -> Result<(), ShrinkStopped> {
    let distance = (leaf.value - leaf.simplest).abs();
    let sign = (leaf.value - leaf.simplest).signum();
    // A value out of range would be repaired to the simplest, which has been tried.
    let other_side = distance_to_limit(search, &ValueLeaf { value: leaf.simplest, ..leaf.clone() }, -sign);
    let first = (1..=MAX_NEAREST.min(distance)).flat_map(|d| [Some(sign * d), (d <= other_side).then_some(-sign * d)]);
    if search.attempt_each(first.flatten(), |search, d| [with_changes(search, [(leaf, leaf.simplest + d)])])? {
        return Ok(());
    }
    let mut failures = FailingDistances { seen: vec![distance], is_bounded_alike: false };
    let alike = alike.and_then(|a| Some((a, current_value(search, a)?)));
    if let Some((other, value)) =
        alike.filter(|(_, v)| (MAX_NEAREST + 1..distance).contains(&((v - leaf.simplest) * sign)))
        && attempt_changes(search, [(leaf, value)])?
    {
        failures.seen.push((value - leaf.simplest).abs());
        failures.is_bounded_alike = search.is_at_bound(other, value);
    }
    bisect_distance(search, leaf, sign, failures)
}

/// The distances at which a leaf is known to fail.
struct FailingDistances {
    seen: Vec<i128>,
    /// Whether the leaf came as near as another one that is at a bound.
    is_bounded_alike: bool,
}

impl FailingDistances {
    /// Returns true if the leaf seems to be at a bound. It is if several distances without a common divisor fail,
    /// from far away down to the last one: then the failure depends neither on a remainder nor on a single value.
    fn indicates_bound(&self, last: i128) -> bool {
        let first = self.seen.first().copied().unwrap_or(last);
        let divisor = self.seen.iter().fold(0, |divisor, seen| greatest_divisor(divisor, seen - last));
        self.seen.len() >= MIN_BOUND_DISTANCES && divisor == 1 && first / last >= 4 || self.is_bounded_alike
    }
}

/// Finds the smallest failing distance if failures are monotone in the distance, otherwise a local minimum. The
/// number of digits is halved first, since most minima are small. A leaf that cannot come nearer by one, two or
/// three is given up early.
fn bisect_distance(
    search: &mut ShrinkSearch<'_, '_>,
    leaf: &ValueLeaf,
    sign: i128,
    mut failures: FailingDistances,
) -> Result<(), ShrinkStopped> {
    let mut passes = MAX_NEAREST;
    let mut fails = ((current_value(search, leaf).unwrap_or(leaf.value) - leaf.simplest) * sign).abs();
    let at =
        |search: &ShrinkSearch<'_, '_>, distance: i128| with_changes(search, [(leaf, leaf.simplest + sign * distance)]);
    let probes = [probe_between(passes, fails), fails / 2, fails - 1, fails - 2, fails - 3];
    let mut nearer = None;
    for probe in probes.into_iter().filter(|p| (MAX_NEAREST + 1..fails).contains(p)) {
        let candidate = at(search, probe);
        if search.attempt_one(candidate)? {
            nearer = Some(probe);
            break;
        }
        if probe <= fails / 2 {
            passes = passes.max(probe);
        }
    }
    if let Some(nearer) = nearer {
        fails = nearer;
        failures.seen.push(fails);
        while fails - passes > 1 {
            let between = probe_between(passes, fails);
            let candidate = at(search, between);
            if search.attempt_one(candidate)? {
                fails = between;
                failures.seen.push(fails);
            } else {
                passes = between;
            }
        }
    }
    if failures.indicates_bound(fails) {
        search.record_bound(leaf, leaf.simplest + sign * fails);
    }
    Ok(())
}

/// Returns a distance between two others: the geometric mean if they are far apart, otherwise the midpoint.
pub(in crate::shrink) fn probe_between(passes: i128, fails: i128) -> i128 {
    if fails / passes >= 4 { passes.saturating_mul(fails).isqrt() } else { passes + (fails - passes) / 2 }
}

/// Returns the greatest common divisor.
pub(super) fn greatest_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

// Values that bisection misses: divisors, round numbers, and the first few numbers one by one.
//
// A failure that needs one particular value, or a multiple of some number, is not monotone in the distance. So
// values are divided, rounded, and lowered by ten, a hundred or a thousand at a time. Equal values of a field
// change together as well: values that must be both equal and multiples of ten cannot change alone. And a
// value that must be congruent to another one moves nearer to it by a factor of their difference. This pass
// runs late, when only few values are still large.

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
                if !search.attempt_each(nearer, |search, v| [with_changes(search, [(leaf, v)])])? {
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
        let changed =
            |search: &ShrinkSearch<'_, '_>, v: i128| [with_changes(search, group.iter().map(|leaf| (leaf, v)))];
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
    // Of multiples of a number, and of the numbers beside them: a remainder that fails is often 1 or -1.
    let divided = [0, 1, -1].into_iter().flat_map(|beside| {
        let divided = prime_factors(value + beside).into_iter().map(move |f| (value + beside) / f - beside);
        divided.filter(|v| (MAX_NEAREST + 1..distance).contains(&((v - simplest) * sign)))
    });
    let powers = (1..37).map(|e| 10_i128.pow(e)).take_while(|p| *p < value.abs());
    let powers: Vec<i128> = powers.collect();
    let round = powers.iter().map(|p| p * value.signum());
    let lower = powers.iter().rev().filter(|p| **p < distance).map(|p| value - sign * p);
    divided.chain(round).chain(small).chain(lower).collect()
}
