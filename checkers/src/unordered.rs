//! The checker for sets: the same lines, in any order.

use std::cmp::Ordering;

use crate::compare::{depart, empty};
use crate::hints::hints;
use crate::judgement::{Judgement, Mismatch};
use crate::show::{self, numbered};
use crate::text::{self, is_blank, lines, trim_end};
use crate::tokens;

/// A line that is not blank, with its number from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberedLine<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a [u8],
}

/// Judges two multisets of lines. Outputs in the answer's own order, the usual case, are never sorted.
pub(crate) fn check(answer: &[u8], output: &[u8], ignore_case: bool) -> Judgement {
    if in_order(answer, output, ignore_case) {
        return Judgement::Accepted;
    }
    let (missing, extra) = unmatched(answer, output, ignore_case);
    if missing.is_empty() && extra.is_empty() {
        return Judgement::Accepted;
    }
    let (missing_lenient, extra_lenient) = unmatched(answer, output, true);
    let presentation = missing_lenient.is_empty() && extra_lenient.is_empty();
    Judgement::Wrong(Mismatch { presentation, hints: hints(answer, output), ..tell(output, &missing, &extra) })
}

/// The lines of the answer that the output lacks and those of the output that the answer lacks, each in
/// the order of its text.
pub(crate) fn unmatched<'a>(
    answer: &'a [u8],
    output: &'a [u8],
    ignore_case: bool,
) -> (Vec<NumberedLine<'a>>, Vec<NumberedLine<'a>>) {
    let (expected, found) = (sorted(answer, ignore_case), sorted(output, ignore_case));
    let (mut missing, mut extra) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (expected.get(i), found.get(j)) {
        let order = order(a.text, b.text, ignore_case);
        match order {
            Ordering::Less => missing.push(*a),
            Ordering::Greater => extra.push(*b),
            Ordering::Equal => {}
        }
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    missing.extend_from_slice(&expected[i..]);
    extra.extend_from_slice(&found[j..]);
    missing.sort_unstable_by_key(|line| line.number);
    extra.sort_unstable_by_key(|line| line.number);
    (missing, extra)
}

/// The lines that are not blank, with their numbers.
pub(crate) fn numbered_lines(text: &[u8]) -> impl Iterator<Item = NumberedLine<'_>> {
    let numbered = lines(text).enumerate().map(|(i, line)| NumberedLine { number: i + 1, text: line.text });
    numbered.filter(|line| !is_blank(line.text))
}

/// Whether the lines agree one by one.
fn in_order(answer: &[u8], output: &[u8], ignore_case: bool) -> bool {
    let (mut expected, mut found) = (numbered_lines(answer), numbered_lines(output));
    loop {
        match (expected.next(), found.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if depart(a.text, b.text, |a, b| tokens::same(a, b, ignore_case)).is_none() => {}
            _ => return false,
        }
    }
}

/// The lines in the order of their tokens; equal ones stay in the order of the text.
fn sorted(text: &[u8], ignore_case: bool) -> Vec<NumberedLine<'_>> {
    let mut sorted: Vec<_> = numbered_lines(text).collect();
    sorted.sort_by(|a, b| order(a.text, b.text, ignore_case));
    sorted
}

/// An order in which lines are equal exactly when the checker takes them for the same.
fn order(a: &[u8], b: &[u8], ignore_case: bool) -> Ordering {
    let fold = |byte: &u8| if ignore_case { byte.to_ascii_lowercase() } else { *byte };
    let (mut left, mut right) = (text::tokens(a), text::tokens(b));
    loop {
        let order = match (left.next(), right.next()) {
            (Some(a), Some(b)) => a.text.iter().map(fold).cmp(b.text.iter().map(fold)),
            (a, b) => return a.is_some().cmp(&b.is_some()),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// Tells the first line that should not be there, or else the first that should.
fn tell(output: &[u8], missing: &[NumberedLine<'_>], extra: &[NumberedLine<'_>]) -> Mismatch {
    let shown = |line: &NumberedLine<'_>| show::token(trim_end(line.text));
    let counts = || format!("{} missing, {} too many", numbered(missing.len(), "line"), extra.len());
    let (message, line) = match (missing, extra) {
        ([first, ..], _) if empty(output).is_some() => {
            (empty(output).unwrap_or_default().to_owned(), Some(first.number))
        }
        (_, [first, ..]) => {
            (format!("line {} is not expected: {} ({})", first.number, shown(first), counts()), Some(first.number))
        }
        ([first, ..], []) => {
            let message = format!("line {} of the answer is missing: {} ({})", first.number, shown(first), counts());
            (message, Some(first.number))
        }
        ([], []) => (String::new(), None),
    };
    Mismatch { message, line, ..Mismatch::default() }
}
