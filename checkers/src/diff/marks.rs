//! What differs between two lines, down to characters where that is clearer.
//!
//! First by position again: token i with token i if both lines have equally many, and within two long tokens
//! character i with character i. Only where counts differ is an alignment asked, for so many parts at most.

use std::ops::Range;
use std::time::Instant;

use super::hunks;
use super::rule::Rule;
use crate::compare::{Departure, depart};
use crate::show::boundary;
use crate::text::is_white;

/// The stretches of a line that differ, in order.
pub(crate) type Marks = Vec<Range<usize>>;

/// Above this many parts on a side no alignment is asked; all between the common ends counts as different.
const ALIGNED_PARTS_MAX: usize = 1_000;
/// Of longer lines only a part is examined: no reader sees more, and the memory for more is not worth it.
const EXAMINED_BYTES_MAX: usize = 1 << 16;
/// Shorter tokens are marked whole: in `17` for `71` no single character is the difference.
const REFINED_CHARS_MIN: usize = 8;

/// Marks what differs in two lines that the rule does not take for the same.
pub(crate) fn marks(expected: &[u8], found: &[u8], rule: Rule<'_>, deadline: Option<Instant>) -> (Marks, Marks) {
    let (start, other_start) = examined_from(expected, found, rule);
    let (expected, found) = (examined(expected, start), examined(found, other_start));
    let parts = (segments(expected, rule.is_exact()), segments(found, rule.is_exact()));
    let same = |a: &[u8], b: &[u8]| rule.is_same_token(a, b);
    let changes = compare((expected, &parts.0), (found, &parts.1), same, deadline);
    let (mut left, mut right) = (Marks::new(), Marks::new());
    for (old, new) in changes {
        match (old, new) {
            (Some(old), Some(new)) => refine((expected, old), (found, new), rule, deadline, &mut left, &mut right),
            (old, new) => {
                left.extend(old);
                right.extend(new);
            }
        }
    }
    (shifted(left, start), shifted(right, other_start))
}

/// Where to look for differences: at the start, or shortly before the first of them if the lines are huge.
fn examined_from(expected: &[u8], found: &[u8], rule: Rule<'_>) -> (usize, usize) {
    if expected.len().max(found.len()) <= EXAMINED_BYTES_MAX {
        return (0, 0);
    }
    let (a, b) = match depart(expected, found, |a, b| rule.is_same_token(a, b)) {
        _ if rule.is_exact() => (0, 0),
        Some(Departure::Different(a, b)) => (a.start, b.start),
        Some(Departure::Missing(a)) => (a.start, found.len()),
        Some(Departure::Extra(b)) => (expected.len(), b.start),
        None => (0, 0),
    };
    let shared = expected[a..].iter().zip(&found[b..]).take_while(|(a, b)| a == b).count();
    let skipped = shared.saturating_sub(EXAMINED_BYTES_MAX / 2);
    (boundary(expected, a + skipped), boundary(found, b + skipped))
}

/// The part of a line in which differences are looked for.
fn examined(line: &[u8], start: usize) -> &[u8] {
    &line[start..boundary(line, start.saturating_add(EXAMINED_BYTES_MAX))]
}

/// Marks of a part, as marks of the line.
fn shifted(marks: Marks, start: usize) -> Marks {
    marks.into_iter().map(|mark| mark.start + start..mark.end + start).collect()
}

/// Two parts that differ, or one that stands alone.
type Change = (Option<Range<usize>>, Option<Range<usize>>);

/// The parts that differ, each side in order.
fn compare(
    (old_text, old): (&[u8], &[Range<usize>]),
    (new_text, new): (&[u8], &[Range<usize>]),
    same: impl Fn(&[u8], &[u8]) -> bool,
    deadline: Option<Instant>,
) -> Vec<Change> {
    let is_same = |a: &Range<usize>, b: &Range<usize>| same(&old_text[a.clone()], &new_text[b.clone()]);
    if old.len() == new.len() {
        return zip_changes(old, new, is_same);
    }
    let head = old.iter().zip(new).take_while(|(a, b)| is_same(a, b)).count();
    let (old, new) = (&old[head..], &new[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| is_same(a, b)).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    if old.len().max(new.len()) > ALIGNED_PARTS_MAX {
        return zip_changes(old, new, is_same);
    }
    let keys = |text: &[u8], parts: &[Range<usize>]| -> Vec<Vec<u8>> {
        parts.iter().map(|part| text[part.clone()].to_ascii_lowercase()).collect()
    };
    let aligned = hunks(&keys(old_text, old), &keys(new_text, new), deadline);
    aligned.into_iter().flat_map(|(a, b)| zip_changes(&old[a], &new[b], is_same)).collect()
}

/// The differences by position; what the longer side has more stands alone.
fn zip_changes(
    old: &[Range<usize>],
    new: &[Range<usize>],
    is_same: impl Fn(&Range<usize>, &Range<usize>) -> bool,
) -> Vec<Change> {
    let pairs = (0..old.len().max(new.len())).map(|i| (old.get(i), new.get(i)));
    let differ = pairs.filter(|pair| !matches!(pair, (Some(a), Some(b)) if is_same(a, b)));
    differ.map(|(a, b)| (a.cloned(), b.cloned())).collect()
}

/// Marks two tokens: some characters of long ones that are mostly alike, else the whole of both.
fn refine(
    (old_text, old): (&[u8], Range<usize>),
    (new_text, new): (&[u8], Range<usize>),
    rule: Rule<'_>,
    deadline: Option<Instant>,
    left: &mut Marks,
    right: &mut Marks,
) {
    let (a, b) = (characters(old_text, old.clone()), characters(new_text, new.clone()));
    let alike = |a: &[u8], b: &[u8]| a == b || (rule.ignores_case() && a.eq_ignore_ascii_case(b));
    let long = a.len().max(b.len()) >= REFINED_CHARS_MIN;
    let changes = if long { compare((old_text, &a), (new_text, &b), alike, deadline) } else { Vec::new() };
    let (marked_a, marked_b): (Marks, Marks) = (
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

/// The tokens of a line; with `white`, the stretches of white space between them too.
fn segments(text: &[u8], white: bool) -> Vec<Range<usize>> {
    let mut end = 0;
    let runs = text.chunk_by(|a, b| is_white(*a) == is_white(*b)).map(|run| {
        end += run.len();
        end - run.len()..end
    });
    runs.filter(|run| white || !is_white(text[run.start])).collect()
}

/// The UTF-8 characters of a part; invalid bytes fall to the character before them.
fn characters(text: &[u8], part: Range<usize>) -> Vec<Range<usize>> {
    let mut end = part.start;
    let units = text[part].chunk_by(|_, next| next & 0b1100_0000 == 0b1000_0000);
    units
        .map(|unit| {
            end += unit.len();
            end - unit.len()..end
        })
        .collect()
}
