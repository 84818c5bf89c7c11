//! The checker for outputs in which line breaks matter: tokens, each on its line.

use crate::judgement::{Judgement, Mismatch, TokenPosition, white_space_hints};
use crate::printable;
use crate::token_comparison::{
    self, TokenDifference, count_phrase, first_difference, is_presentation, name_word_difference,
};
use crate::tokenizer::{TextLine, is_blank, split_lines, split_tokens, trim_end};
use rebut_diagnostics::count_with_noun;

/// Compares line by line, and within a line token by token.
pub(crate) fn check_lines(answer: &[u8], output: &[u8]) -> Judgement {
    let (mut expected, mut found) = (split_lines(trim_end(answer)), split_lines(trim_end(output)));
    let mut number = 0;
    let mismatch = loop {
        number += 1;
        break match (expected.next(), found.next()) {
            (Some(a), Some(b)) => match first_difference(a.text, b.text, |a, b| a == b) {
                None => continue,
                Some(difference) => describe_different_lines(output, number, a, b, difference),
            },
            (Some(a), None) => describe_missing_lines(output, number, a, expected.count() + 1),
            (None, Some(b)) => describe_extra_lines(output, number, b, found.count() + 1),
            (None, None) => return Judgement::Accepted,
        };
    };
    Judgement::Wrong(finish_mismatch(answer, output, mismatch, number))
}

/// Adds the properties that depend on the whole texts.
fn finish_mismatch(answer: &[u8], output: &[u8], mismatch: Mismatch, number: usize) -> Mismatch {
    let presentation = is_presentation(answer, output, |a, b| a == b);
    let message = if first_difference(answer, output, |a, b| a == b).is_none() {
        format!("line {number}: the tokens match, but the line breaks differ")
    } else {
        mismatch.message
    };
    Mismatch { message, presentation, hints: white_space_hints(answer, output), ..mismatch }
}

/// Describes two lines that differ.
pub(crate) fn describe_different_lines(
    output: &[u8],
    number: usize,
    a: TextLine<'_>,
    b: TextLine<'_>,
    difference: TokenDifference<'_>,
) -> Mismatch {
    let (message, start) = match difference {
        TokenDifference::Different(expected, found) => {
            let start = b.start + found.start;
            let (x, y) = printable::format_token_pair(expected.text, found.text);
            let place = TokenPosition::at_offset(output, start).description();
            let message = match name_word_difference(expected.text, found.text) {
                Some(name) => format!("{place}: {x} / {y}{name}"),
                None => format!("{place}: expected {x}, found {y}"),
            };
            (message, start)
        }
        TokenDifference::Missing(token) => {
            let count = count_phrase(split_tokens(&a.text[token.start..]).count(), "missing");
            (format!("line {number}: {count}: {}", printable::format_token(token.text)), b.start + b.text.len())
        }
        TokenDifference::Extra(token) => {
            let count = count_phrase(split_tokens(&b.text[token.start..]).count(), "too many");
            (format!("line {number}: {count}: {}", printable::format_token(token.text)), b.start + token.start)
        }
    };
    let token = Some(TokenPosition::at_offset(output, start).token);
    Mismatch { message, line: Some(number), token, ..Mismatch::default() }
}

/// Describes missing lines: the output has ended, the answer has not.
pub(crate) fn describe_missing_lines(output: &[u8], number: usize, first: TextLine<'_>, count: usize) -> Mismatch {
    let message = match token_comparison::empty_output_message(output) {
        Some(message) => message.to_owned(),
        None => format!("{}: {}", count_lines_phrase(count, "missing", number), format_line(first.text)),
    };
    Mismatch { message, line: Some(number), token: Some(split_tokens(output).count() + 1), ..Mismatch::default() }
}

/// Describes extra lines: the answer has ended, the output has not.
pub(crate) fn describe_extra_lines(output: &[u8], number: usize, first: TextLine<'_>, count: usize) -> Mismatch {
    let message = format!("{}: {}", count_lines_phrase(count, "too many", number), format_line(first.text));
    let token = Some(TokenPosition::at_offset(output, first.start).token);
    Mismatch { message, line: Some(number), token, ..Mismatch::default() }
}

fn format_line(text: &[u8]) -> String {
    if is_blank(text) { "(blank)".to_owned() } else { printable::format_token(trim_end(text)) }
}

/// `3 lines are missing, the first is line 5`.
fn count_lines_phrase(count: usize, what: &str, number: usize) -> String {
    let counted = count_with_noun(count, "line");
    if count == 1 {
        format!("{counted} is {what}, line {number}")
    } else {
        format!("{counted} are {what}, the first is line {number}")
    }
}
