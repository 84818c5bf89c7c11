//! Compaction: gaps between values are closed by moving all values beyond them together.
//!
//! If an input fails because of the order and proximity of numbers, these numbers keep each other in place: an
//! interval that overlaps two others can end earlier only if all later ends and starts move as well. So for each
//! value, all leaves that are at least as far out come nearer by the same amount, up to the value before it. Only
//! numbers that constraints compare with each other move together: starts and ends, but not weights.

use super::values::{movable_leaves, with_changes};
use crate::language::{ConstraintRule, FieldId, Format};
use crate::shrink::adaptive_step::step_adaptively_from;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::shrink::value_leaf::ValueLeaf;
use crate::tuning::MAX_COMPACTED_LEAVES;
use crate::validate::find_violation;
use std::collections::BTreeSet;

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
    let mut families: Vec<Vec<FieldId>> =
        (0..format.fields.len()).map(FieldId).filter(is_plain).map(|f| vec![f]).collect();
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
    Some(format.affecting_fields(comparison.left.iter().chain(&comparison.right)))
}

/// Returns the distance of a leaf.
fn leaf_distance(leaf: &ValueLeaf) -> i128 {
    (leaf.value - leaf.simplest).abs()
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
        let slack = beyond.iter().map(leaf_distance).min().unwrap_or(0);
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
        let changes: Vec<(&ValueLeaf, i128)> = beyond.iter().map(|a| (a, a.value - side * step)).collect();
        let candidate = with_changes(search, &changes);
        // Where values have to be distinct, repair would move all but the last leaf of a closing gap back, and
        // the last one would come nearer by one step per query.
        if find_violation(search.format(), &candidate).is_some() { Vec::new() } else { vec![candidate] }
    };
    step_adaptively_from(search, &|gap| vec![gap, 1, 2], &farthest, &moved)?;
    Ok(())
}
