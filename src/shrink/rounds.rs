//! Values that halving misses: divisors, round numbers, the first few one by one.
//!
//! A failure that needs one certain value, or a multiple of something, does not grow with the distance. So values are
//! divided, made round, and lowered by a ten, a hundred or a thousand at a time. Equal values of a field change together,
//! too: what must stay equal and a multiple of ten can do neither alone. And what must leave the same remainder as another
//! value can come nearer to it by a factor of how far it is. All of that comes last, for only few values are still large
//! then, and only what is left costs anything.

use super::search::{Search, Stopped};
use super::values::{Atom, NEAREST, atoms, present, with};
use std::collections::BTreeSet;

/// Atoms, and groups of equal ones, are looked at when at most so many are away from their simplest.
const ATOMS_UP_TO: usize = 8;
/// So many other values of its field are compared with an atom.
const OTHERS_UP_TO: usize = 3;
/// Groups of more are left alone: each of their candidates is a large input.
const ALIKE_UP_TO: usize = 32;
/// So many values are tried one by one for all of them together; half as many for groups, whose parts were tried alone.
const ONE_BY_ONE: i128 = 32;

/// Tries divisors, round numbers and small numbers for each atom that is not near its simplest, and for those that are
/// equal.
pub(super) fn rounds(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let all = far(search);
    if all.len() <= ATOMS_UP_TO {
        tried(search, &all.iter().map(std::slice::from_ref).collect::<Vec<_>>(), ONE_BY_ONE)?;
    }
    let mut all = far(search);
    all.sort_by_key(|a| (a.field, a.value));
    let groups: Vec<&[Atom]> = all.chunk_by(|a, b| (a.field, a.value) == (b.field, b.value)).collect();
    if groups.len() <= ATOMS_UP_TO {
        let groups: Vec<&[Atom]> = groups.into_iter().filter(|g| (2..=ALIKE_UP_TO).contains(&g.len())).collect();
        tried(search, &groups, ONE_BY_ONE / 2)?;
    }
    remainders(search)
}

/// Brings each atom nearer to the others of its field, by factors of how far it is from them.
fn remainders(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let all = far(search);
    if all.len() > ATOMS_UP_TO {
        return Ok(());
    }
    for atom in &all {
        let same = |a: &Atom| a.field == atom.field && (&a.path, a.index) != (&atom.path, atom.index);
        let others: BTreeSet<i128> = atoms(search).into_iter().filter(same).map(|a| a.value).collect();
        for other in others.into_iter().take(OTHERS_UP_TO) {
            while let Some(value) = present(search, atom) {
                let nearer = factors(value - other).into_iter().map(|f| other + (value - other) / f);
                if !search.attempt_each(nearer, |search, v| [with(search, &[(atom, v)])])? {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The prime factors of a number, the largest first; what is left when the small ones are divided out counts as one.
fn factors(number: i128) -> Vec<i128> {
    /// They are looked for up to here.
    const LARGEST: i128 = 1 << 12;
    let (mut rest, mut found) = (number.abs(), Vec::new());
    for factor in 2..LARGEST {
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

/// The atoms that are not near their simplest, but for those that are known to be at a bound.
fn far(search: &Search<'_, '_>) -> Vec<Atom> {
    let far = |a: &Atom| (a.value - a.simplest).abs() > NEAREST && !search.is_bounded(a, a.value);
    atoms(search).into_iter().filter(far).collect()
}

fn tried(search: &mut Search<'_, '_>, groups: &[&[Atom]], all: i128) -> Result<(), Stopped> {
    let each = all / groups.len().max(1) as i128;
    for group in groups {
        let changed =
            |search: &Search<'_, '_>, v: i128| [with(search, &group.iter().map(|atom| (atom, v)).collect::<Vec<_>>())];
        while let Some(value) = group.first().and_then(|atom| present(search, atom))
            && search.attempt_each(targets(group, value, each), changed)?
        {}
    }
    Ok(())
}

/// The values that are tried for a group of equal atoms.
fn targets(group: &[Atom], value: i128, each: i128) -> Vec<i128> {
    let simplest = group.first().map_or(value, |atom| atom.simplest);
    let (distance, sign) = ((value - simplest).abs(), (value - simplest).signum());
    let small = (NEAREST + 1..=each.min(distance - 1)).map(|d| simplest + sign * d);
    let divided = [10, 7, 5, 3, 2].into_iter().filter(|d| value % d == 0).map(|d| value / d);
    let powers = (1..37).map(|e| 10_i128.pow(e)).take_while(|p| *p < value.abs());
    let powers: Vec<i128> = powers.collect();
    let round = powers.iter().map(|p| p * value.signum());
    let lower = powers.iter().rev().filter(|p| **p < distance).map(|p| value - sign * p);
    divided.chain(round).chain(small).chain(lower).collect()
}
