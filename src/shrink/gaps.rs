//! Gaps between values, closed: everything beyond one moves nearer together.
//!
//! What fails by the order of its numbers, and by which of them are near to each other, holds them apart by nothing but
//! each other: an interval that overlaps two others can end earlier only if what begins and ends behind it does, too. So
//! for each value, all that are at least as far out come nearer by the same amount, up to the value before it. Numbers
//! are compared with those that constraints compare them with: beginnings with ends, and with no weights beside them.

use super::search::{Search, Stopped};
use super::stride::stride_from;
use super::values::{Atom, atoms, with};
use crate::format::{FieldId, Format, Rule};
use crate::validate::violation;
use std::collections::BTreeSet;

/// Gaps are closed when at most so many numbers are away from their simplest: for more, single numbers come nearer by
/// fewer questions.
const ATOMS_UP_TO: usize = 16;

/// Closes the gaps between the values of fields that are compared with each other, outside of the simplest, on both sides.
pub(super) fn gaps(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    for family in families(search) {
        for side in [1, -1] {
            let all = members(search, &family, side);
            if all.len() > ATOMS_UP_TO {
                continue;
            }
            let values: BTreeSet<i128> = all.iter().map(|a| a.value).collect();
            // By the number of values nearer than it: that does not change while a gap becomes smaller, but not closed.
            for nearer in (0..values.len()).rev() {
                close(search, &family, side, nearer)?;
            }
        }
    }
    Ok(())
}

/// Numbers that size nothing, those together that one comparison speaks of.
fn families(search: &Search<'_, '_>) -> Vec<Vec<FieldId>> {
    let format = search.format();
    let is_plain = |field: &FieldId| format.field(*field).letters().is_none() && !search.plan.is_size(*field);
    let mut families: Vec<Vec<FieldId>> =
        (0..format.fields.len()).map(FieldId).filter(is_plain).map(|f| vec![f]).collect();
    for compared in format.constraints.iter().filter_map(|c| compared(format, &c.rule)) {
        let (mut joined, apart): (Vec<_>, Vec<_>) =
            families.into_iter().partition(|family| family.iter().any(|f| compared.contains(f)));
        families = apart;
        if !joined.is_empty() {
            families.push(joined.drain(..).flatten().collect());
        }
    }
    families.iter_mut().for_each(|family| family.sort_unstable_by_key(|f| f.0));
    families.sort_unstable_by_key(|family| family.first().map(|f| f.0));
    families
}

fn compared(format: &Format, rule: &Rule) -> Option<Vec<FieldId>> {
    let Rule::Compare(comparison) = rule else { return None };
    Some(format.concerned(comparison.left.iter().chain(&comparison.right)))
}

/// How far out a number is.
fn distance(atom: &Atom) -> i128 {
    (atom.value - atom.simplest).abs()
}

/// The numbers of these fields that lie on one side of their simplest.
fn members(search: &Search<'_, '_>, family: &[FieldId], side: i128) -> Vec<Atom> {
    let mut all = atoms(search);
    all.retain(|a| family.contains(&a.field) && (a.value - a.simplest).signum() == side);
    all
}

/// What is beyond the gap behind so many different values moves nearer, as far as it goes.
fn close(search: &mut Search<'_, '_>, family: &[FieldId], side: i128, nearer: usize) -> Result<(), Stopped> {
    // The values themselves are compared, not how far they are from simplest values that may differ.
    let beyond = |search: &Search<'_, '_>| -> (Vec<Atom>, i128) {
        let all = members(search, family, side);
        let values: BTreeSet<i128> = all.iter().map(|a| a.value * side).collect();
        let mut from = values.iter().skip(nearer);
        let Some(first) = from.next().copied() else { return (Vec::new(), 0) };
        let before = values.range(..first).next_back().copied();
        let beyond: Vec<Atom> = all.into_iter().filter(|a| a.value * side >= first).collect();
        let room = beyond.iter().map(distance).min().unwrap_or(0);
        let gap = before.map_or(room, |before| (first - before).min(room));
        (beyond, gap)
    };
    let farthest = |search: &Search<'_, '_>| match beyond(search) {
        // One alone has been moved before.
        (beyond, _) if beyond.len() < 2 => 0,
        (_, gap) => gap,
    };
    let moved = |search: &Search<'_, '_>, step: i128| {
        let (beyond, _) = beyond(search);
        let changes: Vec<(&Atom, i128)> = beyond.iter().map(|a| (a, a.value - side * step)).collect();
        let candidate = with(search, &changes);
        // Where values have to differ, mending puts back all but the last of what closes a gap: that would bring the last
        // nearer, one step a question, and never come to an end.
        if violation(search.format(), &candidate).is_some() { Vec::new() } else { vec![candidate] }
    };
    stride_from(search, &|gap| vec![gap, 1, 2], &farthest, &moved)?;
    Ok(())
}
