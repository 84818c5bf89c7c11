//! Values that halving misses: divisors, round numbers, the first few one by one.
//!
//! A failure that needs one certain value, or a multiple of something, does not grow with the distance. These come last,
//! for only few values are still large then, and only what is left costs anything.

use super::search::{Search, Stopped};
use super::values::{Atom, NEAREST, atoms, present, with};
use crate::value::Value;

/// Atoms are looked at one by one when at most so many are away from their simplest.
const ATOMS_UP_TO: usize = 8;
/// So many values are tried one by one for all of them together.
const ONE_BY_ONE: i128 = 40;

/// Tries divisors, round numbers and small numbers for each atom that is not near its simplest.
pub(super) fn rounds(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let far = |a: &Atom| (a.value - a.simplest).abs() > NEAREST;
    let all: Vec<Atom> = atoms(search).into_iter().filter(far).collect();
    if all.is_empty() || all.len() > ATOMS_UP_TO {
        return Ok(());
    }
    let each = (ONE_BY_ONE / all.len() as i128).min(32);
    for atom in &all {
        while let Some(value) = present(search, atom)
            && search.attempt_any(candidates(search, &Atom { value, ..atom.clone() }, each))?
        {}
    }
    Ok(())
}

fn candidates(search: &Search<'_, '_>, atom: &Atom, each: i128) -> Vec<Value> {
    let distance = (atom.value - atom.simplest).abs();
    let sign = (atom.value - atom.simplest).signum();
    let small = (NEAREST + 1..=each.min(distance - 1)).map(|d| atom.simplest + sign * d);
    let divided = [10, 7, 5, 3, 2].into_iter().filter(|d| atom.value % d == 0).map(|d| atom.value / d);
    let powers = (1..37).map(|e| 10_i128.pow(e)).take_while(|p| *p < atom.value.abs());
    let round = powers.map(|p| p * atom.value.signum());
    divided.chain(round).chain(small).map(|v| with(search, &[(atom, v)])).collect()
}
