//! Marks the differences between two lines, down to characters where that is clearer.
//!
//! Differences are found by position as well: token i with token i if both lines have the same number of tokens, and
//! within two long tokens character i with character i. Only if the numbers differ, an alignment is computed, up to a
//! maximum size.

use std::ops::Range;
use std::time::Instant;

use super::align_sequences;
use super::diff_rule::DiffRule;
use crate::printable::char_boundary;
use crate::token_comparison::{TokenDifference, first_difference};
use crate::tokenizer::is_white_space;

/// The ranges of a line that differ, in order.
pub(crate) type MarkedRanges = Vec<Range<usize>>;

/// Maximum number of parts on a side for which an alignment is computed; beyond it, everything between the common ends
/// differs.
const MAX_ALIGNED_PARTS: usize = 1_000;
/// Maximum number of bytes of a line that are examined: more would not be shown, and would only cost memory.
const MAX_EXAMINED_BYTES: usize = 1 << 16;
/// Minimum length of tokens within which characters are marked: in `17` for `71` no single character is the difference.
const MIN_REFINED_CHARS: usize = 8;

/// Marks the differences between two lines that are not equal by the rules.
pub(crate) fn mark_differences(
    expected: &[u8],
    found: &[u8],
    rule: DiffRule<'_>,
    deadline: Option<Instant>,
) -> (MarkedRanges, MarkedRanges) {
    let (start, other_start) = examined_start(expected, found, rule);
    let (expected, found) = (examined_part(expected, start), examined_part(found, other_start));
    let parts = (split_segments(expected, rule.is_exact()), split_segments(found, rule.is_exact()));
    let same = |a: &[u8], b: &[u8]| rule.is_same_token(a, b);
    let changes = compare_parts((expected, &parts.0), (found, &parts.1), same, deadline);
    let (mut left, mut right) = (MarkedRanges::new(), MarkedRanges::new());
    for (old, new) in changes {
        match (old, new) {
            (Some(old), Some(new)) => {
                refine_marks((expected, old), (found, new), rule, deadline, &mut left, &mut right)
            }
            (old, new) => {
                left.extend(old);
                right.extend(new);
            }
        }
    }
    (shift_ranges(left, start), shift_ranges(right, other_start))
}

/// Returns where to look for differences: at the start, or shortly before the first difference if the lines are huge.
fn examined_start(expected: &[u8], found: &[u8], rule: DiffRule<'_>) -> (usize, usize) {
    if expected.len().max(found.len()) <= MAX_EXAMINED_BYTES {
        return (0, 0);
    }
    let (a, b) = match first_difference(expected, found, |a, b| rule.is_same_token(a, b)) {
        _ if rule.is_exact() => (0, 0),
        Some(TokenDifference::Different(a, b)) => (a.start, b.start),
        Some(TokenDifference::Missing(a)) => (a.start, found.len()),
        Some(TokenDifference::Extra(b)) => (expected.len(), b.start),
        None => (0, 0),
    };
    let shared = expected[a..].iter().zip(&found[b..]).take_while(|(a, b)| a == b).count();
    let skipped = shared.saturating_sub(MAX_EXAMINED_BYTES / 2);
    (char_boundary(expected, a + skipped), char_boundary(found, b + skipped))
}

fn examined_part(line: &[u8], start: usize) -> &[u8] {
    &line[start..char_boundary(line, start.saturating_add(MAX_EXAMINED_BYTES))]
}

/// Converts ranges of the examined part to ranges of the line.
fn shift_ranges(marks: MarkedRanges, start: usize) -> MarkedRanges {
    marks.into_iter().map(|mark| mark.start + start..mark.end + start).collect()
}

/// Two parts that differ, or one without a counterpart.
type RangeChange = (Option<Range<usize>>, Option<Range<usize>>);

/// Returns the parts that differ, each side in order.
fn compare_parts(
    (old_text, old): (&[u8], &[Range<usize>]),
    (new_text, new): (&[u8], &[Range<usize>]),
    same: impl Fn(&[u8], &[u8]) -> bool,
    deadline: Option<Instant>,
) -> Vec<RangeChange> {
    let is_same = |a: &Range<usize>, b: &Range<usize>| same(&old_text[a.clone()], &new_text[b.clone()]);
    if old.len() == new.len() {
        return zip_changes(old, new, is_same);
    }
    let head = old.iter().zip(new).take_while(|(a, b)| is_same(a, b)).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| is_same(a, b)).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    if old.len().max(new.len()) > MAX_ALIGNED_PARTS {
        return zip_changes(old, new, is_same);
    }
    let keys = |text: &[u8], parts: &[Range<usize>]| -> Vec<Vec<u8>> {
        parts.iter().map(|part| text[part.clone()].to_ascii_lowercase()).collect()
    };
    let aligned = align_sequences(&keys(old_text, old), &keys(new_text, new), deadline);
    aligned.into_iter().flat_map(|(a, b)| zip_changes(&old[a], &new[b], is_same)).collect()
}

/// Returns the differences by position; surplus parts of the longer side have no counterpart.
fn zip_changes(
    old: &[Range<usize>],
    new: &[Range<usize>],
    is_same: impl Fn(&Range<usize>, &Range<usize>) -> bool,
) -> Vec<RangeChange> {
    let pairs = (0..old.len().max(new.len())).map(|i| (old.get(i), new.get(i)));
    let differ = pairs.filter(|pair| !matches!(pair, (Some(a), Some(b)) if is_same(a, b)));
    differ.map(|(a, b)| (a.cloned(), b.cloned())).collect()
}

/// Marks the differences of two tokens: some characters of long tokens that are mostly equal, else both tokens as a
/// whole.
fn refine_marks(
    (old_text, old): (&[u8], Range<usize>),
    (new_text, new): (&[u8], Range<usize>),
    rule: DiffRule<'_>,
    deadline: Option<Instant>,
    left: &mut MarkedRanges,
    right: &mut MarkedRanges,
) {
    let (a, b) = (split_characters(old_text, old.clone()), split_characters(new_text, new.clone()));
    let alike = |a: &[u8], b: &[u8]| a == b || (rule.ignores_case() && a.eq_ignore_ascii_case(b));
    let long = a.len().max(b.len()) >= MIN_REFINED_CHARS;
    let changes = if long { compare_parts((old_text, &a), (new_text, &b), alike, deadline) } else { Vec::new() };
    let (marked_a, marked_b): (MarkedRanges, MarkedRanges) = (
        changes.iter().filter_map(|change| change.0.clone()).collect(),
        changes.iter().filter_map(|change| change.1.clone()).collect(),
    );
    if long && marked_a.len() * 2 <= a.len() && marked_b.len() * 2 <= b.len() {
        left.extend(marked_a);
        right.extend(marked_b);
    } else {
        left.push(old);
        right.push(new);
    }
}

/// Splits a line into tokens; with `white`, the white space between them is returned as well.
fn split_segments(text: &[u8], white: bool) -> Vec<Range<usize>> {
    let mut end = 0;
    let runs = text.chunk_by(|a, b| is_white_space(*a) == is_white_space(*b)).map(|run| {
        end += run.len();
        end - run.len()..end
    });
    runs.filter(|run| white || !is_white_space(text[run.start])).collect()
}

/// Splits a part into UTF-8 characters; invalid bytes belong to the character before them.
fn split_characters(text: &[u8], part: Range<usize>) -> Vec<Range<usize>> {
    let mut end = part.start;
    let units = text[part].chunk_by(|_, next| next & 0b1100_0000 == 0b1000_0000);
    units
        .map(|unit| {
            end += unit.len();
            end - unit.len()..end
        })
        .collect()
}
