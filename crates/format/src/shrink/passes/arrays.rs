//! Moves of whole arrays: sorting, shifting, compressing, and changing equal values together.
//!
//! Relations between elements (an order, equality, a difference) stop the passes that change one leaf at a
//! time; these moves preserve such relations.

use super::values::{attempt_changes, current_value, movable_leaves, movable_numbers, with_changes};
use crate::language::{ConstraintRule, Expr, FieldId, Format};
use crate::shrink::adaptive_step::{step_adaptively, step_adaptively_from};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::parts::exchange_value;
use crate::shrink::search::{ShrinkSearch, ValueLeaf};
use crate::tuning::{MAX_COMPACTED_LEAVES, MAX_EQUALIZED_VALUES, MAX_TIED_LEAVES, MIN_FAR_DISTANCE};
use crate::validate::find_violation;
use crate::value::{Value, ValuePath, visit_leaves};
use std::collections::BTreeSet;

/// Returns the fields that a comparison with `bound` limits from above.
pub(super) fn fields_bounded_by(format: &Format, bound: FieldId) -> Vec<FieldId> {
    let mut found: Vec<FieldId> = Vec::new();
    for comparison in format.comparisons() {
        if let Some((Expr::Field(field), _, Expr::Field(other))) = comparison.upper_bound()
            && *other == bound
            && *field != bound
            && !found.contains(field)
        {
            found.push(*field);
        }
    }
    found
}

/// Tries each move on each array, and on all numbers of each field together.
pub(in crate::shrink) fn simplify_arrays(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    compress_values(search, None)?;
    for (field, leaves) in array_paths_by_field(search) {
        for path in leaves {
            sort_array(search, &path)?;
        }
        compress_values(search, Some(field))?;
        if !moves_alone(search, field)? {
            shift_field(search, field)?;
        }
        change_equal_values(search, field)?;
    }
    change_across_fields(search)
}

/// Returns the paths of the leaves of each field that sizes nothing.
fn array_paths_by_field(search: &ShrinkSearch<'_, '_>) -> Vec<(FieldId, Vec<ValuePath>)> {
    let mut found: Vec<(FieldId, Vec<ValuePath>)> = Vec::new();
    visit_leaves(search.format(), search.best_value(), &mut |path, field, _| {
        if search.plan.is_size(field) {
            return;
        }
        match found.iter_mut().find(|(f, _)| *f == field) {
            Some((_, paths)) => paths.push(ValuePath::from_slice(path)),
            None => found.push((field, vec![ValuePath::from_slice(path)])),
        }
    });
    found
}

fn sort_array(search: &mut ShrinkSearch<'_, '_>, path: &[usize]) -> Result<(), ShrinkStopped> {
    search.check_stop()?;
    if !matches!(search.best_value().value_at(path), Some(Value::Ints(_) | Value::Text(_))) {
        return Ok(());
    }
    let mut value = search.best_value().clone();
    match value.value_at_mut(path) {
        Some(Value::Ints(numbers)) => numbers.sort_unstable(),
        Some(Value::Text(letters)) => letters.sort_unstable(),
        _ => {}
    }
    search.attempt_one(value)?;
    Ok(())
}

fn leaves_of_field(search: &ShrinkSearch<'_, '_>, field: FieldId) -> Vec<ValueLeaf> {
    movable_leaves(search).into_iter().filter(|a| a.field == field).collect()
}

/// Replaces the values of a field, or of all fields, by the smallest with the same order: 17, 900, 17 becomes
/// 1, 2, 1.
fn compress_values(search: &mut ShrinkSearch<'_, '_>, field: Option<FieldId>) -> Result<(), ShrinkStopped> {
    let is_number = |a: &ValueLeaf| search.format().field(a.field).alphabet().is_none();
    let mut all = movable_leaves(search);
    all.retain(|a| field.map_or_else(|| is_number(a), |f| a.field == f));
    let mut ranks: Vec<i128> = all.iter().map(|a| a.value).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let Some(simplest) = all.iter().map(|a| a.simplest).min() else { return Ok(()) };
    let rank = |value: i128| ranks.partition_point(|v| *v < value) as i128;
    let offset = simplest - rank(simplest);
    let changes = all.iter().map(|a| (a, offset + rank(a.value)));
    attempt_changes(search, changes)?;
    Ok(())
}

/// Tries to halve the distance of the farthest value of a field alone. If that succeeds, the values are
/// independent.
fn moves_alone(search: &mut ShrinkSearch<'_, '_>, field: FieldId) -> Result<bool, ShrinkStopped> {
    let all = leaves_of_field(search, field);
    let Some(farthest) = all.iter().max_by_key(|a| (a.value - a.simplest).abs()) else { return Ok(false) };
    let way = farthest.simplest - farthest.value;
    if all.len() < 2 || way.abs() < MIN_FAR_DISTANCE {
        return Ok(false);
    }
    attempt_changes(search, [(farthest, farthest.value + way / 2)])
}

/// Moves all values of a field nearer to the simplest by the same amount.
fn shift_field(search: &mut ShrinkSearch<'_, '_>, field: FieldId) -> Result<(), ShrinkStopped> {
    let nearest = |all: &[ValueLeaf]| all.iter().map(|a| a.value - a.simplest).min_by_key(|d| d.abs()).unwrap_or(0);
    let farthest = |search: &ShrinkSearch<'_, '_>| {
        let all = leaves_of_field(search, field);
        if all.len() < 2 { 0 } else { nearest(&all).abs() }
    };
    let moved = |search: &ShrinkSearch<'_, '_>, step: i128| {
        let all = leaves_of_field(search, field);
        let step = step * nearest(&all).signum();
        vec![with_changes(search, all.iter().map(|a| (a, a.value - step)))]
    };
    step_adaptively(search, &farthest, &moved)?;
    Ok(())
}

/// Changes equal values of a field together: to the simplest, to another value of the field, or one step
/// nearer.
fn change_equal_values(search: &mut ShrinkSearch<'_, '_>, field: FieldId) -> Result<(), ShrinkStopped> {
    let values: BTreeSet<i128> = leaves_of_field(search, field).iter().map(|a| a.value).collect();
    if values.len() > MAX_EQUALIZED_VALUES {
        return Ok(());
    }
    for value in values.iter().rev() {
        let all = leaves_of_field(search, field);
        let group: Vec<&ValueLeaf> = all.iter().filter(|a| a.value == *value).collect();
        let Some(simplest) = group.first().map(|a| a.simplest).filter(|s| s != value && group.len() > 1) else {
            continue;
        };
        if let Some(nearer) = values.range(..value).next_back() {
            // `baaab` becomes `abbba`, of which less may be needed.
            let all = leaves_of_field(search, field);
            attempt_changes(search, all.iter().map(|a| (a, exchange_value(a.value, *nearer, *value))))?;
        }
        let others = values.iter().copied().filter(|v| (v - simplest).abs() < (value - simplest).abs());
        let targets = [simplest].into_iter().chain(others.take(3));
        let all_to =
            |search: &ShrinkSearch<'_, '_>, target: i128| [with_changes(search, group.iter().map(|a| (*a, target)))];
        if !search.attempt_each(targets, all_to)? {
            move_group_nearer(search, &group)?;
        }
    }
    Ok(())
}

/// Changes equal numbers of several fields together, such as a key that one line sets, another deletes and a
/// third queries. Groups of two are pairs; this moves three or more.
fn change_across_fields(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let all = movable_numbers(search);
    if all.len() > MAX_TIED_LEAVES {
        return Ok(());
    }
    let values: BTreeSet<i128> = all.iter().filter(|a| a.value != a.simplest).map(|a| a.value).collect();
    for value in values.into_iter().rev() {
        let now = movable_numbers(search);
        let group: Vec<&ValueLeaf> = now.iter().filter(|a| a.value == value && a.simplest != value).collect();
        if group.len() > 2 && group.iter().any(|a| a.field != group[0].field) {
            move_group_nearer(search, &group)?;
        }
    }
    Ok(())
}

/// Moves equal values as near to the simplest as they go together.
fn move_group_nearer(search: &mut ShrinkSearch<'_, '_>, group: &[&ValueLeaf]) -> Result<(), ShrinkStopped> {
    let now = |search: &ShrinkSearch<'_, '_>| group.first().and_then(|a| current_value(search, a));
    let simplest = group.first().map_or(0, |a| a.simplest);
    let farthest = |search: &ShrinkSearch<'_, '_>| now(search).map_or(0, |v| (v - simplest).abs());
    let moved = |search: &ShrinkSearch<'_, '_>, step: i128| {
        let Some(value) = now(search) else { return Vec::new() };
        let target = value + step * (simplest - value).signum();
        vec![with_changes(search, group.iter().map(|a| (*a, target)))]
    };
    step_adaptively(search, &farthest, &moved)?;
    Ok(())
}

// Compaction: gaps between values are closed by moving all values beyond them together.
//
// If an input fails because of the order and proximity of numbers, these numbers keep each other in place: an
// interval that overlaps two others can end earlier only if all later ends and starts move as well. So for each
// value, all leaves that are at least as far out come nearer by the same amount, up to the value before it. Only
// numbers that constraints compare with each other move together: starts and ends, but not weights.

/// Closes the gaps between the values of fields that are compared with each other, on both sides of the
/// simplest.
pub(super) fn close_gaps(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    for family in comparable_fields(search) {
        for side in [1, -1] {
            let all = leaves_on_side(search, &family, side);
            if all.len() > MAX_COMPACTED_LEAVES {
                continue;
            }
            let values: BTreeSet<i128> = all.iter().map(|a| a.value).collect();
            // A value is identified by its rank, which stays while a gap shrinks but is not closed.
            for nearer in (0..values.len()).rev() {
                close_gap(search, &family, side, nearer)?;
            }
        }
    }
    Ok(())
}

/// Returns groups of numeric fields that size nothing and are compared with each other.
fn comparable_fields(search: &ShrinkSearch<'_, '_>) -> Vec<Vec<FieldId>> {
    let format = search.format();
    let is_plain = |field: &FieldId| format.field(*field).alphabet().is_none() && !search.plan.is_size(*field);
    let mut families: Vec<Vec<FieldId>> = format.field_ids().filter(is_plain).map(|f| vec![f]).collect();
    for compared in format.constraints.iter().filter_map(|c| compared_fields(format, &c.rule)) {
        let (mut joined, separate): (Vec<_>, Vec<_>) =
            families.into_iter().partition(|family| family.iter().any(|f| compared.contains(f)));
        families = separate;
        if !joined.is_empty() {
            families.push(joined.drain(..).flatten().collect());
        }
    }
    families.iter_mut().for_each(|family| family.sort_unstable_by_key(|f| f.0));
    families.sort_unstable_by_key(|family| family.first().map(|f| f.0));
    families
}

fn compared_fields(format: &Format, rule: &ConstraintRule) -> Option<Vec<FieldId>> {
    let comparison = rule.comparison()?;
    Some(format.affecting_fields(comparison.all_operands()))
}

/// Returns the leaves of these fields on one side of their simplest.
fn leaves_on_side(search: &ShrinkSearch<'_, '_>, family: &[FieldId], side: i128) -> Vec<ValueLeaf> {
    let mut all = movable_leaves(search);
    all.retain(|a| family.contains(&a.field) && (a.value - a.simplest).signum() == side);
    all
}

/// Moves all leaves beyond the first `nearer` different values nearer, as far as they go.
fn close_gap(
    search: &mut ShrinkSearch<'_, '_>,
    family: &[FieldId],
    side: i128,
    nearer: usize,
) -> Result<(), ShrinkStopped> {
    // Compare the values themselves, since simplest values may differ between fields.
    let beyond = |search: &ShrinkSearch<'_, '_>| -> (Vec<ValueLeaf>, i128) {
        let all = leaves_on_side(search, family, side);
        let values: BTreeSet<i128> = all.iter().map(|a| a.value * side).collect();
        let mut from = values.iter().skip(nearer);
        let Some(first) = from.next().copied() else { return (Vec::new(), 0) };
        let before = values.range(..first).next_back().copied();
        let beyond: Vec<ValueLeaf> = all.into_iter().filter(|a| a.value * side >= first).collect();
        let slack = beyond.iter().map(|leaf| (leaf.value - leaf.simplest).abs()).min().unwrap_or(0);
        let gap = before.map_or(slack, |before| (first - before).min(slack));
        (beyond, gap)
    };
    let farthest = |search: &ShrinkSearch<'_, '_>| match beyond(search) {
        // A single leaf has been moved before.
        (beyond, _) if beyond.len() < 2 => 0,
        (_, gap) => gap,
    };
    let moved = |search: &ShrinkSearch<'_, '_>, step: i128| {
        let (beyond, _) = beyond(search);
        let changes = beyond.iter().map(|a| (a, a.value - side * step));
        let candidate = with_changes(search, changes);
        // Where values have to be distinct, repair would move all but the last leaf of a closing gap back, and
        // the last one would come nearer by one step per query.
        if find_violation(search.format(), &candidate).is_some() { Vec::new() } else { vec![candidate] }
    };
    step_adaptively_from(search, &|gap| vec![gap, 1, 2], &farthest, &moved)?;
    Ok(())
}
