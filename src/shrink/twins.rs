//! Sequences that can only become shorter together.
//!
//! Two arrays whose lengths must be equal, a text and its copy, a board that must stay square: deleting from one alone
//! does not fail any more. So the same positions are deleted from two axes at once: of one instance, or of the same
//! kind in neighbouring instances; and from all of the same kind, where more than two must be alike.

use super::axis::{Axis, axes_of, length, sizes_something, without};
use super::search::{Search, Stopped};
use super::sweep::hasty_sweep;
use crate::format::{BlockId, FieldId};
use crate::value::Value;

/// Pairs are tried among so many axes of a block at most.
const AXES_UP_TO: usize = 8;

/// Two axes as long as each other, and longer than this, are shortened together before anything else: if they must stay
/// so, to try each alone asks about every position of it.
const LONG: usize = 8;

/// Shortens every two long axes of the same length.
pub(super) fn long_twins(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    for pair in pairs_of(search) {
        let [a, b] = pair.each_ref().map(|axis| length(search.format(), search.best(), axis).unwrap_or(0));
        if a == b && a > LONG {
            shorten(search, &pair, false)?;
        }
    }
    Ok(())
}

/// Shortens every two axes as far as they go together.
pub(super) fn twins(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    for pair in pairs_of(search) {
        shorten(search, &pair, false)?;
        shorten(search, &pair, true)?;
    }
    siblings(search)
}

/// Shortens three or more axes of the same kind and the same length, all of them at the same positions.
fn siblings(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    for block in (0..search.format().blocks.len()).map(BlockId) {
        search.check_time()?;
        let mut all: Vec<((Kind, usize), Axis)> = Vec::new();
        for axis in axes_of(search, block) {
            let length = length(search.format(), search.best(), &axis).unwrap_or(0);
            all.push(((kind(&axis), length), axis));
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        for alike in all.chunk_by(|a, b| a.0 == b.0) {
            let [((_, length), _), _, _, ..] = alike else { continue };
            if alike.len() <= AXES_UP_TO {
                shorten_all(search, alike, *length)?;
            }
        }
    }
    Ok(())
}

/// What an axis is apart from where it is: its number, or the slots on the way to its sequence.
type Kind = (Option<FieldId>, Vec<usize>);

fn kind(axis: &Axis) -> Kind {
    match axis {
        Axis::Named { field, .. } => (Some(*field), Vec::new()),
        Axis::Free { path } | Axis::Shared { path, .. } => (None, path.iter().step_by(2).copied().collect()),
    }
}

fn shorten_all<K>(search: &mut Search<'_, '_>, alike: &[(K, Axis)], length: usize) -> Result<(), Stopped> {
    hasty_sweep(length, &mut |deleted| {
        let shorter =
            |left: Value, (_, axis): &(K, Axis)| without(search.plan, &left, axis, deleted).into_iter().next();
        let all = alike.iter().try_fold(search.best().clone(), shorter);
        search.attempt_any(all.into_iter().collect())
    })?;
    Ok(())
}

fn pairs_of(search: &Search<'_, '_>) -> Vec<[Axis; 2]> {
    // Vertices that size nothing take their edges along, and nothing else is as long as there are vertices.
    let is_sequence = |axis: &Axis| match axis {
        Axis::Named { field, .. } => sizes_something(search.format(), *field),
        Axis::Free { .. } | Axis::Shared { .. } => true,
    };
    let all = (0..search.format().blocks.len()).flat_map(|block| axes_of(search, BlockId(block)));
    let all: Vec<Axis> = all.filter(is_sequence).take(AXES_UP_TO).collect();
    let pairs = (0..all.len()).flat_map(|a| (a + 1..all.len()).map(move |b| (a, b)));
    pairs.map(|(a, b)| [all[a].clone(), all[b].clone()]).collect()
}

/// Both from the front, or both from the back: where one is longer, that is not the same.
fn shorten(search: &mut Search<'_, '_>, [one, other]: &[Axis; 2], from_back: bool) -> Result<(), Stopped> {
    let lengths = |search: &Search<'_, '_>| {
        let of = |axis| length(search.format(), search.best(), axis).unwrap_or(0);
        (of(one), of(other))
    };
    let (a, b) = lengths(search);
    if from_back && a == b {
        return Ok(());
    }
    hasty_sweep(a.min(b), &mut |deleted| {
        let (a, b) = lengths(search);
        let shift = |length: usize| if from_back { length - a.min(b) } else { 0 };
        let at = |length: usize| deleted.iter().map(|d| d + shift(length)).collect::<Vec<usize>>();
        let format = search.format();
        let first = without(search.plan, search.best(), one, &at(a));
        let both = first.iter().flat_map(|left| match length(format, left, other) {
            // One of them took along the other.
            Some(now) if now < b => vec![left.clone()],
            _ => without(search.plan, left, other, &at(b)),
        });
        let both = both.collect();
        search.attempt_any(both)
    })?;
    Ok(())
}
