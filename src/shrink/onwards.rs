//! What a round of all passes changed, changed again and again.
//!
//! Where three values trade against each other, no move of two goes far: each ends after a step or two, where the third
//! has to follow, and round after round leads on by as little as the one before, a hundred thousand steps in the same
//! direction. That direction is what a round shows that changes values alone: so all of its changes are made together
//! once more, as many times as they go.

use super::search::{Search, Stopped};
use super::stride::stride;
use super::values::{Atom, atoms, atoms_in, room};

/// Goes on in the direction of the round so far.
pub(super) fn onwards(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let Some(changes) = changes(search) else { return Ok(()) };
    let farthest = |search: &Search<'_, '_>| {
        let now = atoms(search);
        let times = |(atom, change): (&Atom, &i128)| reach(search, atom, *change);
        now.iter().zip(&changes).filter(|(_, change)| **change != 0).map(times).min().unwrap_or(0)
    };
    let moved = |search: &Search<'_, '_>, times: i128| {
        let now = atoms(search);
        let moved = now.iter().zip(&changes).filter(|(_, change)| **change != 0);
        let moved: Vec<(&Atom, i128)> = moved.map(|(a, change)| (a, a.value + times * change)).collect();
        vec![super::values::with(search, &moved)]
    };
    stride(search, &farthest, &moved)?;
    Ok(())
}

/// How much each atom changed since the round began; none if nothing did, or if not only they did.
fn changes(search: &Search<'_, '_>) -> Option<Vec<i128>> {
    let start = search.round_start()?;
    if start.elements() != search.best().elements() {
        return None;
    }
    let (before, now) = (atoms_in(search, start), atoms(search));
    let places = |all: &[Atom]| all.iter().map(|a| (a.path.clone(), a.index)).collect::<Vec<_>>();
    if places(&before) != places(&now) {
        return None;
    }
    let changes: Vec<i128> = before.iter().zip(&now).map(|(before, now)| now.value - before.value).collect();
    changes.iter().any(|change| *change != 0).then_some(changes)
}

/// How many times an atom can change by so much: not past its simplest, and within its range.
fn reach(search: &Search<'_, '_>, atom: &Atom, change: i128) -> i128 {
    let gap = atom.simplest - atom.value;
    let far = if gap.signum() == change.signum() { gap.abs() } else { room(search, atom, change.signum()) };
    far / change.abs()
}
