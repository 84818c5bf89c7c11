//! The braces that make an ambiguous line unambiguous.

use super::splitter::{BodyExtent, LinePiece, PieceEnd, RemainingPieces};
use super::{AmbiguousBlock, BraceInsertions};
use crate::language::SourceText;
use crate::tuning::{MAX_GROUPED_HEADS, MAX_GROUPINGS};
use rebut_diagnostics::Diagnostic;
use std::collections::BTreeSet;

/// Maximum number of groupings that are shown.
const MAX_SHOWN_REPAIRS: usize = 3;

/// Returns all groupings of the lines; those with more lines in the first block come first.
pub(super) fn possible_repairs(rest: RemainingPieces<'_>) -> Vec<BraceInsertions> {
    let heads = |piece: &LinePiece| piece.heads.len();
    let many = heads(rest.piece) - rest.level + rest.following.iter().map(heads).sum::<usize>() > MAX_GROUPED_HEADS;
    let mut found = sequence_repairs(rest, many);
    found.sort_by_key(|(taken, _)| std::cmp::Reverse(*taken));
    found.truncate(MAX_GROUPINGS);
    found.into_iter().map(|(_, repair)| repair).collect()
}

/// Returns the readings of a line and everything after it, each with the number of pieces in the body of the line.
fn sequence_repairs(rest: RemainingPieces<'_>, plain: bool) -> Vec<(usize, BraceInsertions)> {
    let mut found = Vec::new();
    for (taken, repair) in line_repairs(rest, plain) {
        match rest.following[taken..].split_first() {
            None => found.push((taken, repair)),
            Some((piece, following)) => {
                for (_, more) in sequence_repairs(RemainingPieces { piece, level: 0, following }, plain) {
                    found.push((taken, [repair.clone(), more].concat()));
                }
            }
        }
        if found.len() >= MAX_GROUPINGS {
            break;
        }
    }
    found
}

/// Returns the readings of a line, which may take some of the following pieces; only the minimal ones if `plain`.
fn line_repairs(rest: RemainingPieces<'_>, plain: bool) -> Vec<(usize, BraceInsertions)> {
    let Some(head) = rest.piece.heads.get(rest.level) else { return vec![(0, BraceInsertions::new())] };
    let last = rest.level + 1 == rest.piece.heads.len();
    if rest.piece.is_braced(rest.level) || last && matches!(rest.piece.end, PieceEnd::Nothing) {
        return vec![(0, BraceInsertions::new())];
    }
    let all = rest.body_limit(&head.extent);
    match &head.extent {
        BodyExtent::UntilWhere | BodyExtent::Subtask | BodyExtent::Where => {
            let inside = RemainingPieces { following: &rest.following[..all], ..rest.after_head() };
            sequence_repairs(inside, plain).into_iter().map(|(_, repair)| (all, repair)).collect()
        }
        BodyExtent::Alternatives => either_repairs(rest, all, plain),
        BodyExtent::OneLine | BodyExtent::OneLineBinding(_) => body_repairs(rest, plain),
    }
}

/// Returns the readings of an `either`, which has at least two alternatives.
fn either_repairs(rest: RemainingPieces<'_>, all: usize, plain: bool) -> Vec<(usize, BraceInsertions)> {
    let mut found = Vec::new();
    for taken in (1..=all).rev().filter(|taken| !plain || *taken == all) {
        let inside = RemainingPieces { following: &rest.following[..taken], ..rest.after_head() };
        for (_, repair) in sequence_repairs(inside, plain) {
            let clear = taken == 1 && taken == rest.following.len();
            found.push((taken, if clear { repair } else { with_braces(rest, taken, repair) }));
        }
    }
    found
}

/// Returns the readings of a block with a body of one line unless there are braces.
fn body_repairs(rest: RemainingPieces<'_>, plain: bool) -> Vec<(usize, BraceInsertions)> {
    let mut found = Vec::new();
    let count = rest.following.len();
    for (first, repair) in line_repairs(rest.after_head(), plain) {
        let more = if plain { first } else { count };
        for taken in first + 1..=more {
            let Some((piece, following)) = rest.following[first..taken].split_first() else { continue };
            for (_, behind) in sequence_repairs(RemainingPieces { piece, level: 0, following }, plain) {
                found.push((taken, with_braces(rest, taken, [repair.clone(), behind].concat())));
            }
        }
        let clear = match &rest.piece.heads[rest.level].extent {
            BodyExtent::OneLineBinding(name) => !rest.following[first..].iter().any(|piece| piece.mentions_name(name)),
            _ => first == count,
        };
        found.push((first, if clear { repair } else { with_braces(rest, first, repair) }));
    }
    found
}

/// Adds braces around a body of `taken` pieces.
fn with_braces(rest: RemainingPieces<'_>, taken: usize, mut repair: BraceInsertions) -> BraceInsertions {
    let last = taken.checked_sub(1).map_or(rest.piece, |last| &rest.following[last]);
    repair.push((rest.piece.start_of_level(rest.level + 1), "{ "));
    repair.push((last.span.end, " }"));
    repair
}

/// Reports the ambiguous blocks. Only groupings that `can_be_meant` accepts are shown.
pub(in crate::language) fn ambiguity_errors(
    source: &SourceText,
    open: &[AmbiguousBlock],
    can_be_meant: impl Fn(&SourceText) -> bool,
) -> Vec<Diagnostic> {
    let combined = repair_combinations(open);
    let meant = |choice: &&Vec<usize>| {
        let repair: BraceInsertions =
            choice.iter().zip(open).flat_map(|(i, block)| block.repairs[*i].clone()).collect();
        can_be_meant(&SourceText::new(source.name.clone(), apply_repair(&source.text, 0, repair)))
    };
    let possible: Vec<&Vec<usize>> = combined.iter().filter(meant).collect();
    open.iter()
        .enumerate()
        .map(|(i, block)| {
            let chosen: BTreeSet<usize> = possible.iter().map(|choice| choice[i]).collect();
            let all = || (0..block.repairs.len()).collect();
            let shown: BTreeSet<usize> = if chosen.is_empty() { all() } else { chosen };
            ambiguity_error(source, block, &shown)
        })
        .collect()
}

fn repair_combinations(open: &[AmbiguousBlock]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for block in open {
        found = found
            .into_iter()
            .flat_map(|choice: Vec<usize>| (0..block.repairs.len()).map(move |i| [&choice[..], &[i]].concat()))
            .take(MAX_GROUPINGS)
            .collect();
    }
    found
}

fn ambiguity_error(source: &SourceText, block: &AmbiguousBlock, repairs: &BTreeSet<usize>) -> Diagnostic {
    let text = |start, end| String::from_utf8_lossy(&source.text[start..end]).trim().to_owned();
    let head = text(block.head.start, block.head.end);
    let stretch = &source.text[block.stretch.start..block.stretch.end];
    let mut repaired: Vec<String> = Vec::new();
    for i in repairs {
        let variant = apply_repair(stretch, block.stretch.start, block.repairs[*i].clone());
        let variant = format!("`{}`", String::from_utf8_lossy(&variant));
        if !repaired.contains(&variant) {
            repaired.push(variant);
        }
    }
    // The first grouping gives the block the most lines, the last one the fewest.
    if repaired.len() > MAX_SHOWN_REPAIRS {
        repaired.drain(MAX_SHOWN_REPAIRS - 1..repaired.len() - 1);
    }
    let problem = Diagnostic::error("open-block", block.next, format!("does this belong to `{head}`?"))
        .with_label(block.head, "a body on the same line is one line, or is enclosed in braces");
    match &repaired[..] {
        [one] => problem.with_caret("in the block, or after it?").with_help(format!("write {one}")),
        many => problem.with_caret("in the block, or after it?").with_help(format!("write {}", many.join("\nor    "))),
    }
}

/// Inserts braces into a part of the text that starts at `offset`.
fn apply_repair(text: &[u8], offset: usize, mut repair: BraceInsertions) -> Vec<u8> {
    repair.sort_by_key(|(at, _)| *at);
    assert!(
        repair.iter().all(|(at, _)| (offset..=offset + text.len()).contains(at)),
        "braces are inserted within the part of the text"
    );
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
