//! Two values at a time, for failures that need a sum, a difference or an order to stay.
//!
//! Quadratic in the number of atoms that are not at their simplest, so it runs last, and only when few are left.

use super::search::{Search, Stopped};
use super::values::{Atom, atoms, with};

/// Pairs are tried when at most so many atoms are away from their simplest.
const ATOMS_UP_TO: usize = 12;

/// Moves pairs of atoms: both nearer; one nearer and the other farther by as much; exchanged.
pub(super) fn pairs(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let all = atoms(search);
    let apart = all.iter().filter(|a| a.value != a.simplest).count();
    if apart > ATOMS_UP_TO || all.len() > ATOMS_UP_TO * 4 {
        return Ok(());
    }
    for first in 0..all.len() {
        for second in (0..all.len()).filter(|s| *s != first) {
            while pair(search, first, second)? {}
        }
    }
    Ok(())
}

/// Steps towards a gap's end, the largest first: halves of a wide gap, and every small step.
pub(super) fn steps(gap: i128) -> impl Iterator<Item = i128> {
    const SMALL: i128 = 6;
    let halves = std::iter::successors(Some(gap.abs()), |s| Some(s / 2)).take_while(|s| *s > SMALL);
    let small = (1..=gap.abs().min(SMALL)).rev();
    halves.chain(small).map(move |s| s * gap.signum())
}

/// One move of a pair, given by the positions of its atoms; whether one was found.
fn pair(search: &mut Search<'_, '_>, first: usize, second: usize) -> Result<bool, Stopped> {
    let all = atoms(search);
    let (Some(a), Some(b)) = (all.get(first), all.get(second)) else { return Ok(false) };
    let gap = a.simplest - a.value;
    let mut candidates = Vec::new();
    for step in steps(gap) {
        let together = b.value + step.signum() * step.abs().min((b.simplest - b.value).abs());
        let mut changes: Vec<[(&Atom, i128); 2]> =
            vec![[(a, a.value + step), (b, b.value + step)], [(a, a.value + step), (b, b.value - step)]];
        changes.push([(a, a.value + step), (b, together)]);
        candidates.extend(changes.iter().map(|c| with(search, c)));
    }
    if a.field == b.field && a.value != b.value {
        candidates.push(with(search, &[(a, b.value), (b, a.value)]));
    }
    search.attempt_any(candidates)
}
