//! Simpler alternatives, and removal of optional lines.
//!
//! Where lines take one of several forms, a simpler form may fail as well, but no change of a number leads from
//! one form to another. So each instance is put into each other form, first as a minimal instance, then with
//! its previous numbers. Of a thousand instances, ddmin finds those that have to keep their form. A number that
//! decides whether lines exist cannot change without these lines, so this pass changes both together.

use super::values::{leaves_where, with_changes};
use crate::language::{BlockId, FieldId, Format, InstanceCount, LayoutItem};
use crate::shrink::ddmin::ddmin_quickly;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::parts::delete_items;
use crate::shrink::search::{ShrinkSearch, ValueLeaf};
use crate::shrink::size_cuts::{apply_conditions, minimal_instance, with_outer_scope};
use crate::tuning::MAX_NEAREST_VALUES;
use crate::value::{InstanceList, Value, ValuePath, visit_instances};
use std::collections::HashSet;

/// Gives every part with several forms the simplest form that still fails.
pub(super) fn simplify_alternatives(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    simplify_conditions(search)?;
    for block in search.format().block_ids() {
        for item in &search.format().block(block).items {
            let LayoutItem::Either(children) = item else { continue };
            for target in children {
                switch_alternative(search, block, children, *target)?;
            }
        }
    }
    Ok(())
}

/// Puts as many instances of a choice as possible into one form.
fn switch_alternative(
    search: &mut ShrinkSearch<'_, '_>,
    holder: BlockId,
    children: &[BlockId],
    target: BlockId,
) -> Result<(), ShrinkStopped> {
    let slot = search.format().block(target).slot;
    let mut others: Vec<Vec<usize>> = Vec::new();
    visit_instances(search.format(), search.best_value(), holder, &mut |path, instance| {
        let is_other = instance.get(slot).is_some_and(|list| list.as_instances().is_empty());
        others.extend(is_other.then(|| path.to_vec()));
    });
    ddmin_quickly(others.len(), &mut |chosen| {
        let paths: Vec<&Vec<usize>> = chosen.iter().map(|i| &others[*i]).collect();
        let taken = search
            .attempt_each([false, true], |search, keep| with_alternative(search, &paths, children, target, keep))?;
        if taken {
            delete_items(&mut others, chosen);
        }
        Ok(taken)
    })?;
    Ok(())
}

/// Returns the best value with some instances in another form: the minimal instance, or one that keeps the
/// previous numbers.
fn with_alternative(
    search: &ShrinkSearch<'_, '_>,
    paths: &[&Vec<usize>],
    children: &[BlockId],
    target: BlockId,
    keep: bool,
) -> Option<Value> {
    let format = search.format();
    let mut value = search.best_value().clone();
    for path in paths {
        let (mut form, before) = with_outer_scope(format, search.best_value(), path, &mut |outer, instance| {
            let block = format.block(target).parent?;
            let scope =
                crate::value::ValueScope::new(format, block, crate::value::InstanceSlots::Known(instance), outer);
            let before =
                children.iter().find_map(|child| scope.child_instances(*child).iter().next().map(<[Value]>::to_vec));
            Some((minimal_instance(format, target, Some(&scope))?, before.unwrap_or_default()))
        })??;
        if keep {
            let numbers = before.iter().filter(|part| matches!(part, Value::Int(_)));
            let places = form.iter_mut().filter(|part| matches!(part, Value::Int(_)));
            places.zip(numbers).for_each(|(place, number)| *place = number.clone());
        }
        let slots = value.instance_at_mut(path)?;
        for child in children {
            let width = format.block(*child).slots;
            let list = if *child == target {
                InstanceList::from_instances(width, [form.clone()])
            } else {
                InstanceList::new(width)
            };
            *slots.get_mut(format.block(*child).slot)? = Value::Instances(list);
        }
    }
    Some(value)
}

/// Changes numbers that decide whether lines exist: as many as possible to the simplest, then each to other
/// small values.
fn simplify_conditions(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let format = search.format();
    let deciding: Vec<FieldId> = format.field_ids().filter(|f| decides_condition(format, *f)).collect();
    if deciding.is_empty() {
        return Ok(());
    }
    let distant_leaves = |search: &ShrinkSearch<'_, '_>| -> Vec<ValueLeaf> {
        let all = leaves_where(search, &|field| deciding.contains(&field)).into_iter();
        all.filter(|a| a.value != a.simplest).collect()
    };
    let all = distant_leaves(search);
    let mut left: Vec<usize> = (0..all.len()).collect();
    ddmin_quickly(left.len(), &mut |chosen| {
        // Lines that disappeared took their numbers with them, so the leaves are looked up again by path.
        let now = distant_leaves(search);
        let places: HashSet<(&ValuePath, usize)> =
            chosen.iter().map(|i| &all[left[*i]]).map(|a| (&a.path, a.index)).collect();
        let wanted = |leaf: &ValueLeaf| places.contains(&(&leaf.path, leaf.index));
        let changes = now.iter().filter(|a| wanted(a)).map(|a| (a, a.simplest));
        let candidate = apply_conditions(format, &with_changes(search, changes), false);
        let taken = search.attempt_any(candidate.into_iter().collect())?;
        if taken {
            delete_items(&mut left, chosen);
        }
        Ok(taken)
    })?;
    for leaf in distant_leaves(search) {
        let nearer = (1..=MAX_NEAREST_VALUES).flat_map(|d| [leaf.simplest + d, leaf.simplest - d]);
        let nearer = nearer.filter(|v| (v - leaf.simplest).abs() < (leaf.value - leaf.simplest).abs());
        search
            .attempt_each(nearer, |search, v| apply_conditions(format, &with_changes(search, [(&leaf, v)]), false))?;
    }
    Ok(())
}

/// Returns true if a field decides whether some lines exist.
fn decides_condition(format: &Format, field: FieldId) -> bool {
    format
        .blocks
        .iter()
        .any(|block| matches!(block.count, InstanceCount::Conditional(_)) && block.count.mentions_field(field))
}
