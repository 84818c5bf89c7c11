//! Two values at a time, for failures that need a sum, a difference, a product or an order to stay.
//!
//! Quadratic in the number of atoms that are not at their simplest, so it runs late, and only when few are left.

use super::search::{Search, Stopped};
use super::stride::stride_from;
use super::values::{Atom, atoms, room, with};
use crate::format::{BlockId, FieldId, Format};

/// Pairs are tried when at most so many atoms are away from their simplest.
const ATOMS_UP_TO: usize = 12;

/// Moves pairs of atoms: both nearer; one nearer and the other farther by as much; exchanged; made equal.
pub(super) fn pairs(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let format = search.format();
    let all = atoms(search);
    let apart = all.iter().filter(|a| a.value != a.simplest).count();
    if apart > ATOMS_UP_TO || all.len() > ATOMS_UP_TO * 4 {
        return Ok(());
    }
    for first in 0..all.len() {
        for second in (0..all.len()).filter(|s| *s != first && may_trade(format, &all[first], &all[*s])) {
            exchanged(search, first, second)?;
            traded(search, first, second)?;
            for motion in [Motion::Together, Motion::Against, Motion::Gaining] {
                move_pair(search, first, second, motion)?;
            }
        }
    }
    Ok(())
}

/// Whether two atoms are of one field, or of one line, or the line of one is around that of the other. What trades with
/// another field of another line does so by way of its own line.
fn may_trade(format: &Format, a: &Atom, b: &Atom) -> bool {
    let home = |atom: &Atom| 2 * outer_blocks(format, atom.field);
    let shared = home(a).min(home(b));
    a.field == b.field || a.path.get(..shared) == b.path.get(..shared)
}

/// How many blocks there are around a field, apart from the whole.
fn outer_blocks(format: &Format, field: FieldId) -> usize {
    let parent = |block: &BlockId| format.block(*block).parent;
    std::iter::successors(Some(format.field(field).block), parent).count() - 1
}

/// What the second of a pair does while the first goes nearer to its simplest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Motion {
    /// It goes nearer, too.
    Together,
    /// It goes the same way as the other by its number, which keeps their sum or difference.
    Against,
    /// It goes farther from its simplest by one less than the first comes nearer.
    Gaining,
}

fn move_pair(search: &mut Search<'_, '_>, first: usize, second: usize, motion: Motion) -> Result<bool, Stopped> {
    let farthest = |search: &Search<'_, '_>| {
        let all = atoms(search);
        let (Some(a), Some(b)) = (all.get(first), all.get(second)) else { return 0 };
        let gap = (a.simplest - a.value).abs();
        if gap == 0 || is_vain(search, (a, b), first < second, motion) {
            return 0;
        }
        match motion {
            Motion::Together => gap.min((b.simplest - b.value).abs()),
            Motion::Against => gap.min(room(search, b, away(a))),
            // Where the second has no room this would be the first alone, one by one: a way of a hundred million steps.
            Motion::Gaining => match room(search, b, outwards(b)) {
                ..=0 => 0,
                room => gap.min(room.saturating_add(1)),
            },
        }
    };
    let moved = |search: &Search<'_, '_>, step: i128| {
        let all = atoms(search);
        let (Some(a), Some(b)) = (all.get(first), all.get(second)) else { return Vec::new() };
        let nearer = a.value + step * (a.simplest - a.value).signum();
        let other = match motion {
            Motion::Together => b.value + step * (b.simplest - b.value).signum(),
            Motion::Against => b.value + step * away(a),
            Motion::Gaining if step < 2 => return Vec::new(),
            Motion::Gaining => b.value + (step - 1) * outwards(b),
        };
        vec![with(search, &[(a, nearer), (b, other)])]
    };
    // Each pair asks this in vain, nearly always; what trades at all does so by the smallest steps, too.
    let first_steps = |gap: i128| match motion {
        Motion::Together => vec![gap, 1, 2, 3],
        Motion::Against => vec![gap, 1, 2],
        Motion::Gaining => vec![gap, 2, 3],
    };
    stride_from(search, &first_steps, &farthest, &moved)
}

/// Whether what moves by steps of one has answered already. What fails by a bound fails the more, the farther it is: so if
/// it and another fail nearer together, the other does alone. And if it fails two nearer while another gains one, it does
/// one nearer; that has been asked where it is smaller, for one that comes before the other.
fn is_vain(search: &Search<'_, '_>, (a, b): (&Atom, &Atom), in_order: bool, motion: Motion) -> bool {
    let bounded = |atom: &Atom| search.is_bounded(atom, atom.value);
    match motion {
        Motion::Together => bounded(a) || bounded(b),
        Motion::Against => false,
        Motion::Gaining => in_order && bounded(a),
    }
}

/// The direction that keeps the sum of two numbers when the first goes nearer.
fn away(a: &Atom) -> i128 {
    (a.value - a.simplest).signum()
}

/// The direction away from the simplest.
fn outwards(b: &Atom) -> i128 {
    if b.value < b.simplest { -1 } else { 1 }
}

fn exchanged(search: &mut Search<'_, '_>, first: usize, second: usize) -> Result<bool, Stopped> {
    let all = atoms(search);
    let (Some(a), Some(b)) = (all.get(first), all.get(second)) else { return Ok(false) };
    let alike = search.format().field(a.field).letters() == search.format().field(b.field).letters();
    if first > second || !alike || a.value == b.value {
        return Ok(false);
    }
    let candidate = with(search, &[(a, b.value), (b, a.value)]);
    search.attempt(candidate)
}

/// One is doubled while the other is halved, and both meet in the middle of their product or of their sum.
fn traded(search: &mut Search<'_, '_>, first: usize, second: usize) -> Result<(), Stopped> {
    /// Smaller numbers are left to single steps.
    const LEAST: i128 = 8;
    loop {
        let all = atoms(search);
        let (Some(a), Some(b)) = (all.get(first), all.get(second)) else { return Ok(()) };
        let (far, near) = (a.value - a.simplest, b.value - b.simplest);
        if far.abs() < LEAST || search.format().field(a.field).letters().is_some() {
            return Ok(());
        }
        let half = |n: i128| n / 2 + n % 2;
        let middle = (far.abs() + near.abs()) / 2;
        let mut moves: Vec<[(&Atom, i128); 2]> = Vec::new();
        let root = a.value.abs().saturating_mul(b.value.abs()).isqrt();
        for root in [root, root + 1].into_iter().filter(|_| first > second && a.value > 0 && b.value > 0) {
            moves.push([(a, root), (b, root)]);
        }
        moves.push([(a, half(a.value)), (b, b.value * 2)]);
        if first < second && far != near {
            let side = |n: i128| if n < 0 { -1 } else { 1 };
            moves.push([(a, a.simplest + middle * side(far)), (b, b.simplest + middle * side(near))]);
        }
        if !search.attempt_each(moves, |search, changes| [with(search, &changes)])? {
            return Ok(());
        }
    }
}
