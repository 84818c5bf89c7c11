//! Simpler forms: another alternative, and no lines that need not be there.
//!
//! Where lines take one of several forms, what a failure needs of one may be in a simpler one as well, or may not matter
//! at all; but no number leads from the one to the other. So each is put into each other form, first with everything in
//! it as small as it can be, then with the numbers that it had. Which of a thousand queries have to stay what they are is
//! again a question of what is needed, so the sweep answers it. Lines under a condition are there because of a number,
//! and that number cannot change without them; so here it does change, and they come and go with it.

use super::axis::in_scope;
use super::least::{least, with_conditions_met};
use super::search::{Search, Stopped};
use super::sweep::hasty_sweep;
use super::values::{Atom, atoms_of, with};
use crate::format::{BlockId, Count, FieldId, Format, Item};
use crate::value::{Instances, Path, Value, each_instance};
use std::collections::HashSet;

/// Gives every part with several forms the simplest that will do.
pub(super) fn forms(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    conditions(search)?;
    for block in (0..search.format().blocks.len()).map(BlockId) {
        for item in &search.format().block(block).items {
            let Item::Either(children) = item else { continue };
            for target in children {
                into(search, block, children, *target)?;
            }
        }
    }
    Ok(())
}

/// Puts as many as possible of the instances that hold a choice into one form.
fn into(search: &mut Search<'_, '_>, holder: BlockId, children: &[BlockId], target: BlockId) -> Result<(), Stopped> {
    let slot = search.format().block(target).slot;
    let mut others: Vec<Vec<usize>> = Vec::new();
    each_instance(search.format(), search.best(), holder, &mut |path, instance| {
        let is_other = instance.get(slot).is_some_and(|list| list.as_instances().is_empty());
        others.extend(is_other.then(|| path.to_vec()));
    });
    hasty_sweep(others.len(), &mut |chosen| {
        let paths: Vec<&Vec<usize>> = chosen.iter().map(|i| &others[*i]).collect();
        let taken =
            search.attempt_each([false, true], |search, keep| changed(search, &paths, children, target, keep))?;
        if taken {
            let mut at = 0;
            others.retain(|_| {
                at += 1;
                chosen.binary_search(&(at - 1)).is_err()
            });
        }
        Ok(taken)
    })?;
    Ok(())
}

/// The best with some instances in another form: the least, or one that keeps the numbers it had, as far as they go.
fn changed(
    search: &Search<'_, '_>,
    paths: &[&Vec<usize>],
    children: &[BlockId],
    target: BlockId,
    keep: bool,
) -> Option<Value> {
    let format = search.format();
    let mut value = search.best().clone();
    for path in paths {
        let (mut form, before) = in_scope(format, search.best(), path, &mut |outer, instance| {
            let block = format.block(target).parent?;
            let scope = crate::value::Scope {
                format,
                block,
                slots: crate::value::Slots::Known(instance),
                outer,
                variables: &[],
            };
            let before = children.iter().find_map(|child| scope.list(*child).iter().next().map(<[Value]>::to_vec));
            Some((least(format, target, Some(&scope))?, before.unwrap_or_default()))
        })??;
        if keep {
            let numbers = before.iter().filter(|part| matches!(part, Value::Int(_)));
            let places = form.iter_mut().filter(|part| matches!(part, Value::Int(_)));
            places.zip(numbers).for_each(|(place, number)| *place = number.clone());
        }
        let slots = value.instance_at_mut(path)?;
        for child in children {
            let width = format.block(*child).slots;
            let list = if *child == target { Instances::of(width, [form.clone()]) } else { Instances::new(width) };
            *slots.get_mut(format.block(*child).slot)? = Value::Instances(list);
        }
    }
    Some(value)
}

/// So many numbers nearest to the simplest are tried for one on which lines depend.
const NEAREST: i128 = 3;

/// Changes numbers on which it depends whether lines are there: all that can to the simplest, then each to others.
fn conditions(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let format = search.format();
    let deciding: Vec<FieldId> = (0..format.fields.len()).map(FieldId).filter(|f| decides(format, *f)).collect();
    if deciding.is_empty() {
        return Ok(());
    }
    let apart = |search: &Search<'_, '_>| -> Vec<Atom> {
        let all = atoms_of(search, &|field| deciding.contains(&field)).into_iter();
        all.filter(|a| a.value != a.simplest).collect()
    };
    let all = apart(search);
    let mut left: Vec<usize> = (0..all.len()).collect();
    hasty_sweep(left.len(), &mut |chosen| {
        // Lines that went took their numbers along, so those that are left are looked up again by their places.
        let now = apart(search);
        let places: HashSet<(&Path, usize)> =
            chosen.iter().map(|i| &all[left[*i]]).map(|a| (&a.path, a.index)).collect();
        let wanted = |atom: &Atom| places.contains(&(&atom.path, atom.index));
        let changes: Vec<(&Atom, i128)> = now.iter().filter(|a| wanted(a)).map(|a| (a, a.simplest)).collect();
        let candidate = with_conditions_met(format, &with(search, &changes));
        let taken = search.attempt_any(candidate.into_iter().collect())?;
        if taken {
            let mut at = 0;
            left.retain(|_| {
                at += 1;
                chosen.binary_search(&(at - 1)).is_err()
            });
        }
        Ok(taken)
    })?;
    for atom in apart(search) {
        let nearer = (1..=NEAREST).flat_map(|d| [atom.simplest + d, atom.simplest - d]);
        let nearer = nearer.filter(|v| (v - atom.simplest).abs() < (atom.value - atom.simplest).abs());
        search.attempt_each(nearer, |search, v| with_conditions_met(format, &with(search, &[(&atom, v)])))?;
    }
    Ok(())
}

/// Whether lines are there or not because of a field.
fn decides(format: &Format, field: FieldId) -> bool {
    format.blocks.iter().any(|block| matches!(block.count, Count::When(_)) && block.count.mentions(field))
}
