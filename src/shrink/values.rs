//! Values towards the simplest, structure left alone.
//!
//! Which leaves keep their value at all, all others made the simplest, is again a question of what is needed, so the
//! sweep answers it. What must stay away from the simplest then comes as near as it can: first the nearest few, where
//! most minima are, then by halving the distance.

use super::search::{Search, Stopped};
use super::sweep::sweep;
use crate::format::FieldId;
use crate::value::{Path, Value, each_leaf};

/// One number or character of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    pub(super) path: Path,
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

#[expect(clippy::expect_used, reason = "candidates are valid, so texts are made of the letters of their field")]
fn found_in(search: &Search<'_, '_>, value: &Value, wanted: &dyn Fn(FieldId) -> bool) -> Vec<Atom> {
    let format = search.format();
    let mut found = Vec::new();
    each_leaf(format, value, &mut |path, field, leaf| {
        if !wanted(field) {
            return;
        }
        let info = format.field(field);
        let mut add = |index, value, simplest| {
            found.push(Atom { path: Path::from_slice(path), index, field, value, simplest });
        };
        match leaf {
            Value::Int(number) => add(0, *number, info.range.simplest()),
            Value::Ints(numbers) => {
                numbers.iter().enumerate().for_each(|(i, n)| add(i, *n, info.range.simplest()));
            }
            Value::Text(text) => {
                let letters = info.letters().expect("a text has letters");
                for (i, letter) in text.iter().enumerate() {
                    let rank = letters.iter().position(|l| l == letter).expect("a text is made of its letters");
                    add(i, rank as i128, 0);
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
    let apart: Vec<Atom> = atoms(search).into_iter().filter(|a| a.value != a.simplest).collect();
    // What fails by a bound is asked about again only if the bound has moved since.
    let (bounded, mut apart): (Vec<Atom>, Vec<Atom>) = apart.into_iter().partition(|a| search.is_bounded(a, a.value));
    for atom in bounded {
        search.check_time()?;
        let candidate = with(search, &[(&atom, atom.value - (atom.value - atom.simplest).signum())]);
        if search.attempt(candidate)? {
            apart.extend(present(search, &atom).map(|value| Atom { value, ..atom }));
        }
    }
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
    let mut last: Vec<Atom> = Vec::new();
    for known in &apart {
        // Mending may have moved others along.
        if let Some(value) = present(search, known) {
            let of_field = last.iter().position(|l| l.field == known.field);
            let alike = of_field.map(|at| last.swap_remove(at));
            nearer(search, &Atom { value, ..known.clone() }, alike.as_ref())?;
            last.push(known.clone());
        }
    }
    Ok(())
}

/// So many values next to the simplest are tried one by one before halving.
pub(super) const NEAREST: i128 = 3;

/// Brings an atom as near to its simplest as it goes; perhaps as near as another of its field came.
fn nearer(search: &mut Search<'_, '_>, atom: &Atom, alike: Option<&Atom>) -> Result<(), Stopped> {
    let distance = (atom.value - atom.simplest).abs();
    let sign = (atom.value - atom.simplest).signum();
    // What lies outside the range would be mended to the simplest, which was asked about.
    let other_side = room(search, &Atom { value: atom.simplest, ..atom.clone() }, -sign);
    let first = (1..=NEAREST.min(distance)).flat_map(|d| [Some(sign * d), (d <= other_side).then_some(-sign * d)]);
    if search.attempt_each(first.flatten(), |search, d| [with(search, &[(atom, atom.simplest + d)])])? {
        return Ok(());
    }
    let mut way = Way { seen: vec![distance], bounded_alike: false };
    let alike = alike.and_then(|a| Some((a, present(search, a)?)));
    if let Some((other, value)) = alike.filter(|(_, v)| (NEAREST + 1..distance).contains(&((v - atom.simplest) * sign)))
    {
        let candidate = with(search, &[(atom, value)]);
        if search.attempt(candidate)? {
            way.seen.push((value - atom.simplest).abs());
            way.bounded_alike = search.is_bounded(other, value);
        }
    }
    halve(search, atom, sign, way)
}

/// The distances at which an atom was seen to fail, on its way.
struct Way {
    seen: Vec<i128>,
    /// Whether it came as near as another that fails by a bound.
    bounded_alike: bool,
}

impl Way {
    /// Whether what fails here fails because of a bound. Many a distance fails that has nothing in common with the
    /// others, from far away down to the last, so it is not for what divides them, nor for one value.
    fn shows_a_bound(&self, last: i128) -> bool {
        /// So many distances are enough.
        const MANY: usize = 4;
        let first = self.seen.first().copied().unwrap_or(last);
        let divisor = self.seen.iter().fold(0, |divisor, seen| greatest_divisor(divisor, seen - last));
        self.seen.len() >= MANY && divisor == 1 && first / last >= 4 || self.bounded_alike
    }
}

/// The smallest distance that still fails, if failing grows with the distance; else a local minimum. First the number
/// of digits is halved, since most minima are small. What cannot come nearer by one, two or three is left alone soon.
fn halve(search: &mut Search<'_, '_>, atom: &Atom, sign: i128, mut way: Way) -> Result<(), Stopped> {
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
    if let Some(nearer) = nearer {
        fails = nearer;
        way.seen.push(fails);
        while fails - passes > 1 {
            let between = middle(passes, fails);
            let candidate = at(search, between);
            if search.attempt(candidate)? {
                fails = between;
                way.seen.push(fails);
            } else {
                passes = between;
            }
        }
    }
    if way.shows_a_bound(fails) {
        search.bounded(atom, atom.simplest + sign * fails);
    }
    Ok(())
}

/// Between two distances: by their digits where they are far apart, else half way.
pub(super) fn middle(passes: i128, fails: i128) -> i128 {
    if fails / passes >= 4 { passes.saturating_mul(fails).isqrt() } else { passes + (fails - passes) / 2 }
}

/// The greatest number that divides both.
pub(super) fn greatest_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
