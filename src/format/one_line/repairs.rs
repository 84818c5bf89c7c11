//! The braces that make one line unambiguous.

use super::nest::Rest;
use super::pieces::{End, Piece, Takes};
use super::{OpenBlock, Repair};
use crate::diagnostic::Diagnostic;
use crate::format::Source;
use std::collections::BTreeSet;

/// Maximum number of blocks without braces on a line for which all ways to group the lines behind them are tried.
const MAX_HEADS: usize = 4;

/// Maximum number of ways that are tried.
const MAX_REPAIRS: usize = 64;

/// Maximum number of ways that are shown.
const MAX_SHOWN: usize = 3;

/// All ways to group the lines: those that give more of them to the first block come first.
pub(super) fn repairs(rest: Rest<'_>) -> Vec<Repair> {
    let heads = |piece: &Piece| piece.heads.len();
    let many = heads(rest.piece) - rest.level + rest.following.iter().map(heads).sum::<usize>() > MAX_HEADS;
    let mut found = sequences(rest, many);
    found.sort_by_key(|(taken, _)| std::cmp::Reverse(*taken));
    found.truncate(MAX_REPAIRS);
    found.into_iter().map(|(_, repair)| repair).collect()
}

/// The ways to read a line and all that follows it, each with how many pieces are in the body of the line.
fn sequences(rest: Rest<'_>, plain: bool) -> Vec<(usize, Repair)> {
    let mut found = Vec::new();
    for (taken, repair) in lines(rest, plain) {
        match rest.following[taken..].split_first() {
            None => found.push((taken, repair)),
            Some((piece, following)) => {
                for (_, more) in sequences(Rest { piece, level: 0, following }, plain) {
                    found.push((taken, [repair.clone(), more].concat()));
                }
            }
        }
        if found.len() >= MAX_REPAIRS {
            break;
        }
    }
    found
}

/// The ways to read a line; it may take some of what follows it. Only those that take nothing more than they must if
/// `plain`.
fn lines(rest: Rest<'_>, plain: bool) -> Vec<(usize, Repair)> {
    let Some(head) = rest.piece.heads.get(rest.level) else { return vec![(0, Repair::new())] };
    let last = rest.level + 1 == rest.piece.heads.len();
    if rest.piece.is_braced(rest.level) || last && matches!(rest.piece.end, End::Nothing) {
        return vec![(0, Repair::new())];
    }
    let all = rest.reach(&head.takes);
    match &head.takes {
        Takes::Rest | Takes::Subtask | Takes::Where => {
            let inside = Rest { following: &rest.following[..all], ..rest.inner() };
            sequences(inside, plain).into_iter().map(|(_, repair)| (all, repair)).collect()
        }
        Takes::Forms => forms(rest, all, plain),
        Takes::One | Takes::OneWith(_) => bodies(rest, plain),
    }
}

/// The ways to read an `either`, which has two forms at least.
fn forms(rest: Rest<'_>, all: usize, plain: bool) -> Vec<(usize, Repair)> {
    let mut found = Vec::new();
    for taken in (1..=all).rev().filter(|taken| !plain || *taken == all) {
        let inside = Rest { following: &rest.following[..taken], ..rest.inner() };
        for (_, repair) in sequences(inside, plain) {
            let clear = taken == 1 && taken == rest.following.len();
            found.push((taken, if clear { repair } else { braces(rest, taken, repair) }));
        }
    }
    found
}

/// The ways to read a block whose body is one line if there are no braces.
fn bodies(rest: Rest<'_>, plain: bool) -> Vec<(usize, Repair)> {
    let mut found = Vec::new();
    let count = rest.following.len();
    for (first, repair) in lines(rest.inner(), plain) {
        let more = if plain { first } else { count };
        for taken in first + 1..=more {
            let Some((piece, following)) = rest.following[first..taken].split_first() else { continue };
            for (_, behind) in sequences(Rest { piece, level: 0, following }, plain) {
                found.push((taken, braces(rest, taken, [repair.clone(), behind].concat())));
            }
        }
        let clear = match &rest.piece.heads[rest.level].takes {
            Takes::OneWith(name) => !rest.following[first..].iter().any(|piece| piece.mentions(name)),
            _ => first == count,
        };
        found.push((first, if clear { repair } else { braces(rest, first, repair) }));
    }
    found
}

/// Adds braces around the body of a head that takes so many of the following pieces.
fn braces(rest: Rest<'_>, taken: usize, mut repair: Repair) -> Repair {
    let last = taken.checked_sub(1).map_or(rest.piece, |last| &rest.following[last]);
    repair.push((rest.piece.start_of(rest.level + 1), "{ "));
    repair.push((last.span.end, " }"));
    repair
}

/// Explains what has to be grouped by braces. Of the ways to do that, those are shown with which `can_be_meant` is true of
/// the text.
pub(in crate::format) fn ask_for_braces(
    source: &Source,
    open: &[OpenBlock],
    can_be_meant: impl Fn(&Source) -> bool,
) -> Vec<Diagnostic> {
    let combined = combinations(open);
    let meant = |choice: &&Vec<usize>| {
        let repair: Repair = choice.iter().zip(open).flat_map(|(i, block)| block.repairs[*i].clone()).collect();
        can_be_meant(&Source::new(source.name.clone(), repaired(&source.text, 0, repair)))
    };
    let possible: Vec<&Vec<usize>> = combined.iter().filter(meant).collect();
    open.iter()
        .enumerate()
        .map(|(i, block)| {
            let chosen: BTreeSet<usize> = possible.iter().map(|choice| choice[i]).collect();
            let all = || (0..block.repairs.len()).collect();
            let shown: BTreeSet<usize> = if chosen.is_empty() { all() } else { chosen };
            explain(source, block, &shown)
        })
        .collect()
}

/// A repair for each block, in all combinations.
fn combinations(open: &[OpenBlock]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for block in open {
        found = found
            .into_iter()
            .flat_map(|choice: Vec<usize>| (0..block.repairs.len()).map(move |i| [&choice[..], &[i]].concat()))
            .take(MAX_REPAIRS)
            .collect();
    }
    found
}

fn explain(source: &Source, block: &OpenBlock, repairs: &BTreeSet<usize>) -> Diagnostic {
    let text = |start, end| String::from_utf8_lossy(&source.text[start..end]).trim().to_owned();
    let head = text(block.head.start, block.head.end);
    let stretch = &source.text[block.stretch.start..block.stretch.end];
    let mut ways: Vec<String> = Vec::new();
    for i in repairs {
        let way = repaired(stretch, block.stretch.start, block.repairs[*i].clone());
        let way = format!("`{}`", String::from_utf8_lossy(&way));
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    // The first way gives most lines to the block, the last one fewest.
    if ways.len() > MAX_SHOWN {
        ways.drain(MAX_SHOWN - 1..ways.len() - 1);
    }
    let problem = Diagnostic::error("open-block", block.next, format!("does this belong to `{head}`?"))
        .label(block.head, "a body on the same line is one line, or stands in braces");
    match &ways[..] {
        [one] => problem.caret("in the block, or behind it?").help(format!("write {one}")),
        many => problem.caret("in the block, or behind it?").help(format!("write {}", many.join("\nor    "))),
    }
}

/// A piece of the text that starts at `offset` with braces inserted.
fn repaired(text: &[u8], offset: usize, mut repair: Repair) -> Vec<u8> {
    repair.sort_by_key(|(at, _)| *at);
    let mut found = Vec::new();
    let mut from = 0;
    for (at, brace) in repair {
        found.extend_from_slice(&text[from..at - offset]);
        found.extend_from_slice(brace.as_bytes());
        from = at - offset;
    }
    found.extend_from_slice(&text[from..]);
    found
}
