//! Values towards the simplest, structure left alone.
//!
//! Which leaves keep their value at all, all others made the simplest, is again a question of what is needed, so the
//! sweep answers it. What must stay away from the simplest then comes as near as it can: first the nearest few, where
//! most minima are, then by halving the distance.

use super::search::{Search, Stopped};
use super::sweep::sweep;
use crate::format::FieldId;
use crate::value::{Value, each_leaf};

/// One number or character of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    pub(super) path: Vec<usize>,
    pub(super) index: usize,
    pub(super) field: FieldId,
    /// Numbers: the number. Characters: the rank of the letter.
    pub(super) value: i128,
    /// What it would be at its simplest.
    pub(super) simplest: i128,
}

/// All atoms that can change without changing any size.
pub(super) fn atoms(search: &Search<'_, '_>) -> Vec<Atom> {
    atoms_of(search, &|field| !search.plan.is_size(field))
}

/// The same of another value than the best.
pub(super) fn atoms_in(search: &Search<'_, '_>, value: &Value) -> Vec<Atom> {
    found_in(search, value, &|field| !search.plan.is_size(field))
}

/// The atoms of some of the fields.
pub(super) fn atoms_of(search: &Search<'_, '_>, wanted: &dyn Fn(FieldId) -> bool) -> Vec<Atom> {
    found_in(search, search.best(), wanted)
}

fn found_in(search: &Search<'_, '_>, value: &Value, wanted: &dyn Fn(FieldId) -> bool) -> Vec<Atom> {
    let format = search.format();
    let mut found = Vec::new();
    each_leaf(format, value, &mut |path, field, leaf| {
        if !wanted(field) {
            return;
        }
        let info = format.field(field);
        let mut add = |index, value, simplest| {
            found.push(Atom { path: path.to_vec(), index, field, value, simplest });
        };
        match leaf {
            Value::Int(number) => add(0, *number, info.range.simplest()),
            Value::Ints(numbers) => {
                numbers.iter().enumerate().for_each(|(i, n)| add(i, *n, info.range.simplest()));
            }
            Value::Text(text) => {
                let letters = info.letters().unwrap_or_default();
                for (i, letter) in text.iter().enumerate() {
                    add(i, letters.iter().position(|l| l == letter).unwrap_or(0) as i128, 0);
                }
            }
            Value::List(_) | Value::Instances(_) | Value::Block(_) => {}
        }
    });
    found
}

/// What an atom is in the best value so far.
pub(super) fn present(search: &Search<'_, '_>, atom: &Atom) -> Option<i128> {
    match search.best().at(&atom.path)? {
        Value::Int(number) => Some(*number),
        Value::Ints(numbers) => numbers.get(atom.index).copied(),
        Value::Text(text) => {
            let letters = search.format().field(atom.field).letters()?;
            let letter = text.get(atom.index)?;
            letters.iter().position(|l| l == letter).map(|rank| rank as i128)
        }
        Value::List(_) | Value::Instances(_) | Value::Block(_) => None,
    }
}

/// The best value with some atoms changed.
pub(super) fn with(search: &Search<'_, '_>, changes: &[(&Atom, i128)]) -> Value {
    let mut value = search.best().clone();
    for (atom, new) in changes {
        let letters = search.format().field(atom.field).letters();
        match value.at_mut(&atom.path) {
            Some(Value::Int(number)) => *number = *new,
            Some(Value::Ints(numbers)) if atom.index < numbers.len() => numbers[atom.index] = *new,
            Some(Value::Text(text)) if atom.index < text.len() => {
                let letter = usize::try_from(*new).ok().and_then(|rank| letters?.get(rank).copied());
                text[atom.index] = letter.unwrap_or(text[atom.index]);
            }
            _ => {}
        }
    }
    value
}

/// How far a number can go in a direction within its stated range.
pub(super) fn room(search: &Search<'_, '_>, atom: &Atom, direction: i128) -> i128 {
    let field = search.format().field(atom.field);
    match field.letters() {
        Some(letters) if direction > 0 => letters.len() as i128 - 1 - atom.value,
        Some(_) => atom.value,
        None if direction > 0 => field.range.hi.saturating_sub(atom.value),
        None => atom.value.saturating_sub(field.range.lo),
    }
}

/// Brings every atom as near to its simplest as it goes.
pub(super) fn values(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let mut apart: Vec<Atom> = atoms(search).into_iter().filter(|a| a.value != a.simplest).collect();
    sweep(apart.len(), &mut |chosen| {
        let changes: Vec<(&Atom, i128)> = chosen.iter().map(|i| (&apart[*i], apart[*i].simplest)).collect();
        let taken = search.attempt(with(search, &changes))?;
        if taken {
            let mut at = 0;
            apart.retain(|_| {
                at += 1;
                chosen.binary_search(&(at - 1)).is_err()
            });
        }
        Ok(taken)
    })?;
    let mut last: Option<Atom> = None;
    for known in &apart {
        // Mending may have moved others along.
        if let Some(value) = present(search, known) {
            let alike = last.as_ref().filter(|l| l.field == known.field).and_then(|l| present(search, l));
            nearer(search, &Atom { value, ..known.clone() }, alike)?;
            last = Some(known.clone());
        }
    }
    Ok(())
}

/// So many values next to the simplest are tried one by one before halving.
pub(super) const NEAREST: i128 = 3;

/// Brings an atom as near to its simplest as it goes; perhaps as near as another of its field came.
fn nearer(search: &mut Search<'_, '_>, atom: &Atom, alike: Option<i128>) -> Result<(), Stopped> {
    let distance = (atom.value - atom.simplest).abs();
    let sign = (atom.value - atom.simplest).signum();
    let first: Vec<Value> = (1..=NEAREST.min(distance))
        .flat_map(|d| [atom.simplest + sign * d, atom.simplest - sign * d])
        .map(|v| with(search, &[(atom, v)]))
        .collect();
    if search.attempt_any(first)? {
        return Ok(());
    }
    let alike = alike.filter(|v| (NEAREST + 1..distance).contains(&((v - atom.simplest) * sign)));
    if let Some(value) = alike {
        let candidate = with(search, &[(atom, value)]);
        search.attempt(candidate)?;
    }
    halve(search, atom, sign)
}

/// The smallest distance that still fails, if failing grows with the distance; else a local minimum. First the number
/// of digits is halved, since most minima are small. What cannot come nearer by one, two or three is left alone soon.
fn halve(search: &mut Search<'_, '_>, atom: &Atom, sign: i128) -> Result<(), Stopped> {
    let mut passes = NEAREST;
    let mut fails = ((present(search, atom).unwrap_or(atom.value) - atom.simplest) * sign).abs();
    let at = |search: &Search<'_, '_>, distance: i128| with(search, &[(atom, atom.simplest + sign * distance)]);
    let probes = [middle(passes, fails), fails / 2, fails - 1, fails - 2, fails - 3];
    let mut nearer = None;
    for probe in probes.into_iter().filter(|p| (NEAREST + 1..fails).contains(p)) {
        let candidate = at(search, probe);
        if search.attempt(candidate)? {
            nearer = Some(probe);
            break;
        }
        if probe <= fails / 2 {
            passes = passes.max(probe);
        }
    }
    let Some(nearer) = nearer else { return Ok(()) };
    fails = nearer;
    while fails - passes > 1 {
        let between = middle(passes, fails);
        let candidate = at(search, between);
        if search.attempt(candidate)? { fails = between } else { passes = between }
    }
    Ok(())
}

/// Between two distances: by their digits where they are far apart, else half way.
fn middle(passes: i128, fails: i128) -> i128 {
    if fails / passes >= 4 { passes.saturating_mul(fails).isqrt() } else { passes + (fails - passes) / 2 }
}
