//! The checker for sets: the same lines, in any order.

use crate::judgement::{Judgement, Mismatch, white_space_hints};
use crate::token_comparison::{empty_output_message, first_difference};
use crate::tokenizer::{self, is_blank, split_lines, trim_end};
use crate::{printable, tokens};
use rebut_diagnostics::count_with_noun;
use std::cmp::Ordering;

/// A line that is not blank, with its number from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberedLine<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a [u8],
}

/// Compares two multisets of lines. Outputs in the answer's own order, the usual case, are never sorted.
pub(crate) fn check_unordered_lines(answer: &[u8], output: &[u8], ignore_case: bool) -> Judgement {
    if matches_in_order(answer, output, ignore_case) {
        return Judgement::Accepted;
    }
    let (missing, extra) = unmatched_lines(answer, output, ignore_case);
    if missing.is_empty() && extra.is_empty() {
        return Judgement::Accepted;
    }
    let (missing_lenient, extra_lenient) = unmatched_lines(answer, output, true);
    let presentation = missing_lenient.is_empty() && extra_lenient.is_empty();
    Judgement::Wrong(Mismatch {
        presentation,
        hints: white_space_hints(answer, output),
        ..describe_unmatched_lines(output, &missing, &extra)
    })
}

/// Returns the lines of the answer that the output lacks, and those of the output that the answer lacks, each in the
/// order of its text.
pub(crate) fn unmatched_lines<'a>(
    answer: &'a [u8],
    output: &'a [u8],
    ignore_case: bool,
) -> (Vec<NumberedLine<'a>>, Vec<NumberedLine<'a>>) {
    let (expected, found) = (sorted_lines(answer, ignore_case), sorted_lines(output, ignore_case));
    let (mut missing, mut extra) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (expected.get(i), found.get(j)) {
        let order = compare_lines(a.text, b.text, ignore_case);
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

/// Returns the lines that are not blank, with their numbers.
pub(crate) fn numbered_lines(text: &[u8]) -> impl Iterator<Item = NumberedLine<'_>> {
    let numbered = split_lines(text).enumerate().map(|(i, line)| NumberedLine { number: i + 1, text: line.text });
    numbered.filter(|line| !is_blank(line.text))
}

/// Returns true if the lines agree one by one.
fn matches_in_order(answer: &[u8], output: &[u8], ignore_case: bool) -> bool {
    let (mut expected, mut found) = (numbered_lines(answer), numbered_lines(output));
    loop {
        match (expected.next(), found.next()) {
            (None, None) => return true,
            (Some(a), Some(b))
                if first_difference(a.text, b.text, |a, b| tokens::is_same_token(a, b, ignore_case)).is_none() => {}
            _ => return false,
        }
    }
}

/// Returns the lines sorted by their tokens; equal ones keep their order.
fn sorted_lines(text: &[u8], ignore_case: bool) -> Vec<NumberedLine<'_>> {
    let mut sorted: Vec<_> = numbered_lines(text).collect();
    sorted.sort_by(|a, b| compare_lines(a.text, b.text, ignore_case));
    sorted
}

/// Compares lines by their tokens, so that they are equal exactly if the checker accepts one for the other.
fn compare_lines(a: &[u8], b: &[u8], ignore_case: bool) -> Ordering {
    let fold = |byte: &u8| if ignore_case { byte.to_ascii_lowercase() } else { *byte };
    let (mut left, mut right) = (tokenizer::split_tokens(a), tokenizer::split_tokens(b));
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

/// Describes the first extra line, or else the first missing one.
fn describe_unmatched_lines(output: &[u8], missing: &[NumberedLine<'_>], extra: &[NumberedLine<'_>]) -> Mismatch {
    let shown = |line: &NumberedLine<'_>| printable::format_token(trim_end(line.text));
    let counts = || format!("{} missing, {} too many", count_with_noun(missing.len(), "line"), extra.len());
    let (message, line) = match (missing, extra) {
        ([first, ..], _) if empty_output_message(output).is_some() => {
            (empty_output_message(output).unwrap_or_default().to_owned(), Some(first.number))
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
