//! Moves of whole arrays: sorting, shifting, compressing, and changing equal values together.
//!
//! Relations between elements (an order, equality, a difference) stop the passes that change one leaf at a
//! time; these moves preserve such relations.

use super::values::{current_value, movable_leaves, movable_numbers, with_changes};
use crate::language::{Comparison, ComparisonOperator, Expr, FieldId, Format};
use crate::shrink::adaptive_step::step_adaptively;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::shrink::value_leaf::ValueLeaf;
use crate::tuning::{MAX_EQUALIZED_VALUES, MAX_TIED_LEAVES, MIN_FAR_DISTANCE};
use crate::value::{Value, ValuePath, visit_leaves};
use std::collections::BTreeSet;

/// Returns the fields that a comparison with `bound` limits from above.
pub(super) fn fields_bounded_by(format: &Format, bound: FieldId) -> Vec<FieldId> {
    let limited = |(a, b): (&Expr, &Expr)| match (a, b) {
        (Expr::Field(field), Expr::Field(other)) if *other == bound && *field != bound => Some(*field),
        _ => None,
    };
    let mut found: Vec<FieldId> = Vec::new();
    for Comparison { left, sign, right, .. } in format.comparisons() {
        let ([left], [right]) = (&**left, &**right) else { continue };
        let pair = match sign {
            ComparisonOperator::Less | ComparisonOperator::LessEqual => (left, right),
            ComparisonOperator::Greater | ComparisonOperator::GreaterEqual => (right, left),
            _ => continue,
        };
        found.extend(limited(pair).filter(|f| !found.contains(f)));
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
    let changes: Vec<(&ValueLeaf, i128)> = all.iter().map(|a| (a, offset + rank(a.value))).collect();
    let candidate = with_changes(search, &changes);
    search.attempt_one(candidate)?;
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
    let candidate = with_changes(search, &[(farthest, farthest.value + way / 2)]);
    search.attempt_one(candidate)
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
        vec![with_changes(search, &all.iter().map(|a| (a, a.value - step)).collect::<Vec<_>>())]
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
            swap_value_classes(search, field, *nearer, *value)?;
        }
        let others = values.iter().copied().filter(|v| (v - simplest).abs() < (value - simplest).abs());
        let targets = [simplest].into_iter().chain(others.take(3));
        let all_to = |search: &ShrinkSearch<'_, '_>, target: i128| {
            [with_changes(search, &group.iter().map(|a| (*a, target)).collect::<Vec<_>>())]
        };
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
        vec![with_changes(search, &group.iter().map(|a| (*a, target)).collect::<Vec<_>>())]
    };
    step_adaptively(search, &farthest, &moved)?;
    Ok(())
}

/// Swaps two values of a field everywhere: `baaab` becomes `abbba`, of which less may be needed.
fn swap_value_classes(
    search: &mut ShrinkSearch<'_, '_>,
    field: FieldId,
    low: i128,
    high: i128,
) -> Result<(), ShrinkStopped> {
    let all = leaves_of_field(search, field);
    let other = |v: i128| if v == low { high } else { low };
    let chosen = all.iter().filter(|a| a.value == low || a.value == high);
    let candidate = with_changes(search, &chosen.map(|a| (a, other(a.value))).collect::<Vec<_>>());
    search.attempt_one(candidate)?;
    Ok(())
}
