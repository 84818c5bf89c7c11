//! Whole arrays at once: sorted, shifted, compressed, equal values changed together.
//!
//! What ties elements to each other (an order, equal values, a difference) stops the passes that change one atom at a
//! time; these moves keep such ties.

use super::search::{Search, Stopped};
use super::stride::stride;
use super::values::{Atom, atoms, greatest_divisor, present, with};
use crate::format::{Comparison, Expr, FieldId, Format, Rule, Sign};
use crate::value::{Path, Value, each_instance, each_leaf};
use std::collections::BTreeSet;

/// Numbers that one bound ties together (`x1, x2 <= h`), with and without the bound, nearer by the same amount: a picture
/// moved to the corner of a smaller board.
pub(super) fn ties(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let format = search.format();
    for bound in (0..format.fields.len()).map(FieldId).filter(|f| format.field(*f).is_scalar()) {
        let tied = tied_to(format, bound);
        if tied.is_empty() {
            continue;
        }
        for with_bound in [true, false] {
            for instance in instances(search, bound) {
                while tie(search, bound, &tied, with_bound, &instance)? {}
            }
        }
    }
    Ok(())
}

/// The fields that a comparison with `bound` limits.
fn tied_to(format: &Format, bound: FieldId) -> Vec<FieldId> {
    let limited = |(a, b): (&Expr, &Expr)| match (a, b) {
        (Expr::Field(field), Expr::Field(other)) if *other == bound && *field != bound => Some(*field),
        _ => None,
    };
    let mut found: Vec<FieldId> = Vec::new();
    for constraint in &format.constraints {
        let Rule::Compare(Comparison { left, sign, right, .. }) = &constraint.rule else { continue };
        let ([left], [right]) = (&**left, &**right) else { continue };
        let pair = match sign {
            Sign::Less | Sign::LessEqual => (left, right),
            Sign::Greater | Sign::GreaterEqual => (right, left),
            _ => continue,
        };
        found.extend(limited(pair).filter(|f| !found.contains(f)));
    }
    found
}

/// The paths of the instances of a field's block.
fn instances(search: &Search<'_, '_>, field: FieldId) -> Vec<Vec<usize>> {
    let format = search.format();
    let mut paths = Vec::new();
    each_instance(format, search.best(), format.field(field).block, &mut |path, _| paths.push(path.to_vec()));
    paths
}

fn tie(
    search: &mut Search<'_, '_>,
    bound: FieldId,
    tied: &[FieldId],
    with_bound: bool,
    instance: &[usize],
) -> Result<bool, Stopped> {
    let all = |search: &Search<'_, '_>| -> Vec<Atom> {
        let tied = |a: &Atom| tied.contains(&a.field) || with_bound && a.field == bound;
        atoms(search).into_iter().filter(|a| a.path.starts_with(instance) && tied(a)).collect()
    };
    let gap = |all: &[Atom]| all.iter().map(|a| a.simplest - a.value).min_by_key(|g| g.abs()).unwrap_or(0);
    let moved = |search: &Search<'_, '_>, step: i128| {
        let all = all(search);
        let step = step * gap(&all).signum();
        vec![with(search, &all.iter().map(|a| (a, a.value + step)).collect::<Vec<_>>())]
    };
    stride(search, &|search| gap(&all(search)).abs(), &moved)
}

/// Tries each move on each array, and on all numbers of each field together.
pub(super) fn arrays(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    compressed(search, None)?;
    for (field, leaves) in leaves(search) {
        for path in leaves {
            sorted(search, &path)?;
        }
        compressed(search, Some(field))?;
        divided(search, field)?;
        if !moves_alone(search, field)? {
            shifted(search, field)?;
        }
        groups(search, field)?;
    }
    across_fields(search)
}

/// Moves all values of each field nearer together, those that nothing seems to tie as well: alone they come nearer by far
/// fewer questions, so they have done that first.
pub(super) fn shifts(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    for (field, _) in leaves(search) {
        shifted(search, field)?;
    }
    Ok(())
}

/// The array leaves of each field that has any atoms.
fn leaves(search: &Search<'_, '_>) -> Vec<(FieldId, Vec<Path>)> {
    let mut found: Vec<(FieldId, Vec<Path>)> = Vec::new();
    each_leaf(search.format(), search.best(), &mut |path, field, _| {
        if search.plan.is_size(field) {
            return;
        }
        match found.iter_mut().find(|(f, _)| *f == field) {
            Some((_, paths)) => paths.push(Path::from_slice(path)),
            None => found.push((field, vec![Path::from_slice(path)])),
        }
    });
    found
}

fn sorted(search: &mut Search<'_, '_>, path: &[usize]) -> Result<(), Stopped> {
    search.check_time()?;
    if !matches!(search.best().at(path), Some(Value::Ints(_) | Value::Text(_))) {
        return Ok(());
    }
    let mut value = search.best().clone();
    match value.at_mut(path) {
        Some(Value::Ints(numbers)) => numbers.sort_unstable(),
        Some(Value::Text(letters)) => letters.sort_unstable(),
        _ => {}
    }
    search.attempt(value)?;
    Ok(())
}

fn of_field(search: &Search<'_, '_>, field: FieldId) -> Vec<Atom> {
    atoms(search).into_iter().filter(|a| a.field == field).collect()
}

/// The values of a field, or of all fields together, to the smallest with the same order: 17, 900, 17 becomes 1, 2, 1.
fn compressed(search: &mut Search<'_, '_>, field: Option<FieldId>) -> Result<(), Stopped> {
    let is_number = |a: &Atom| search.format().field(a.field).letters().is_none();
    let mut all = atoms(search);
    all.retain(|a| field.map_or_else(|| is_number(a), |f| a.field == f));
    let mut ranks: Vec<i128> = all.iter().map(|a| a.value).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let Some(simplest) = all.iter().map(|a| a.simplest).min() else { return Ok(()) };
    let rank = |value: i128| ranks.partition_point(|v| *v < value) as i128;
    let offset = simplest - rank(simplest);
    let changes: Vec<(&Atom, i128)> = all.iter().map(|a| (a, offset + rank(a.value))).collect();
    let candidate = with(search, &changes);
    search.attempt(candidate)?;
    Ok(())
}

/// Whether the farthest value of a field comes half of its way alone: then the values are not tied to each other.
fn moves_alone(search: &mut Search<'_, '_>, field: FieldId) -> Result<bool, Stopped> {
    /// From nearer, to move all costs no more.
    const FAR: i128 = 16;
    let all = of_field(search, field);
    let Some(farthest) = all.iter().max_by_key(|a| (a.value - a.simplest).abs()) else { return Ok(false) };
    let way = farthest.simplest - farthest.value;
    if all.len() < 2 || way.abs() < FAR {
        return Ok(false);
    }
    let candidate = with(search, &[(farthest, farthest.value + way / 2)]);
    search.attempt(candidate)
}

/// All values of a field nearer to the simplest by the same amount.
fn shifted(search: &mut Search<'_, '_>, field: FieldId) -> Result<(), Stopped> {
    let nearest = |all: &[Atom]| all.iter().map(|a| a.value - a.simplest).min_by_key(|d| d.abs()).unwrap_or(0);
    let farthest = |search: &Search<'_, '_>| {
        let all = of_field(search, field);
        if all.len() < 2 { 0 } else { nearest(&all).abs() }
    };
    let moved = |search: &Search<'_, '_>, step: i128| {
        let all = of_field(search, field);
        let step = step * nearest(&all).signum();
        vec![with(search, &all.iter().map(|a| (a, a.value - step)).collect::<Vec<_>>())]
    };
    stride(search, &farthest, &moved)?;
    Ok(())
}

/// All values of a field divided by what divides them all: values that step by a thousand come to step by one.
fn divided(search: &mut Search<'_, '_>, field: FieldId) -> Result<(), Stopped> {
    let all = of_field(search, field);
    let divisor = all.iter().fold(0, |d, a| greatest_divisor(d, a.value));
    if divisor > 1 {
        let changes: Vec<(&Atom, i128)> = all.iter().map(|a| (a, a.value / divisor)).collect();
        let candidate = with(search, &changes);
        search.attempt(candidate)?;
    }
    Ok(())
}

/// Equal values of a field, changed together: to the simplest, to one step nearer, to another value of the field.
fn groups(search: &mut Search<'_, '_>, field: FieldId) -> Result<(), Stopped> {
    /// So many different values are looked at.
    const VALUES_UP_TO: usize = 12;
    let values: BTreeSet<i128> = of_field(search, field).iter().map(|a| a.value).collect();
    if values.len() > VALUES_UP_TO {
        return Ok(());
    }
    for value in values.iter().rev() {
        let all = of_field(search, field);
        let group: Vec<&Atom> = all.iter().filter(|a| a.value == *value).collect();
        let Some(simplest) = group.first().map(|a| a.simplest).filter(|s| s != value && group.len() > 1) else {
            continue;
        };
        if let Some(nearer) = values.range(..value).next_back() {
            classes_exchanged(search, field, *nearer, *value)?;
        }
        let others = values.iter().copied().filter(|v| (v - simplest).abs() < (value - simplest).abs());
        let targets = [simplest].into_iter().chain(others.take(3));
        let all_to = |search: &Search<'_, '_>, target: i128| {
            [with(search, &group.iter().map(|a| (*a, target)).collect::<Vec<_>>())]
        };
        if !search.attempt_each(targets, all_to)? {
            group_nearer(search, &group)?;
        }
    }
    Ok(())
}

/// Equal numbers of several fields, changed together: a key that one line sets, another deletes and a third asks for.
/// Two of them are a pair; here are three or more.
fn across_fields(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    /// So many numbers are looked at.
    const ATOMS_UP_TO: usize = 48;
    let format = search.format();
    let numbers = |search: &Search<'_, '_>| -> Vec<Atom> {
        let mut all = atoms(search);
        all.retain(|a| format.field(a.field).letters().is_none());
        all
    };
    let all = numbers(search);
    if all.len() > ATOMS_UP_TO {
        return Ok(());
    }
    let values: BTreeSet<i128> = all.iter().filter(|a| a.value != a.simplest).map(|a| a.value).collect();
    for value in values.into_iter().rev() {
        let now = numbers(search);
        let group: Vec<&Atom> = now.iter().filter(|a| a.value == value && a.simplest != value).collect();
        if group.len() > 2 && group.iter().any(|a| a.field != group[0].field) {
            group_nearer(search, &group)?;
        }
    }
    Ok(())
}

/// Equal values as near to the simplest as they go together.
fn group_nearer(search: &mut Search<'_, '_>, group: &[&Atom]) -> Result<(), Stopped> {
    let now = |search: &Search<'_, '_>| group.first().and_then(|a| present(search, a));
    let simplest = group.first().map_or(0, |a| a.simplest);
    let farthest = |search: &Search<'_, '_>| now(search).map_or(0, |v| (v - simplest).abs());
    let moved = |search: &Search<'_, '_>, step: i128| {
        let Some(value) = now(search) else { return Vec::new() };
        let target = value + step * (simplest - value).signum();
        vec![with(search, &group.iter().map(|a| (*a, target)).collect::<Vec<_>>())]
    };
    stride(search, &farthest, &moved)?;
    Ok(())
}

/// Two values of a field exchanged wherever they are: `baaab` becomes `abbba`, of which less may be needed.
fn classes_exchanged(search: &mut Search<'_, '_>, field: FieldId, low: i128, high: i128) -> Result<(), Stopped> {
    let all = of_field(search, field);
    let other = |v: i128| if v == low { high } else { low };
    let chosen = all.iter().filter(|a| a.value == low || a.value == high);
    let candidate = with(search, &chosen.map(|a| (a, other(a.value))).collect::<Vec<_>>());
    search.attempt(candidate)?;
    Ok(())
}
