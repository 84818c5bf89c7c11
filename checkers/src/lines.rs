//! The checker for outputs whose lines mean something: tokens, each on its own line.

use crate::compare::{self, Departure, count_of, depart, is_presentation, name_words};
use crate::hints::hints;
use crate::judgement::{Judgement, Mismatch};
use crate::place::Place;
use crate::show::{self, numbered};
use crate::text::{Line, is_blank, lines, tokens, trim_end};

/// Judges line by line, and within a line token by token.
pub(crate) fn check(answer: &[u8], output: &[u8]) -> Judgement {
    let (mut expected, mut found) = (lines(trim_end(answer)), lines(trim_end(output)));
    let mut number = 0;
    let told = loop {
        number += 1;
        break match (expected.next(), found.next()) {
            (Some(a), Some(b)) => match depart(a.text, b.text, |a, b| a == b) {
                None => continue,
                Some(departure) => different(output, number, a, b, departure),
            },
            (Some(a), None) => missing(output, number, a, expected.count() + 1),
            (None, Some(b)) => extra(output, number, b, found.count() + 1),
            (None, None) => return Judgement::Accepted,
        };
    };
    Judgement::Wrong(named(answer, output, told, number))
}

/// Adds what only the whole texts tell.
fn named(answer: &[u8], output: &[u8], told: Mismatch, number: usize) -> Mismatch {
    let presentation = is_presentation(answer, output, |a, b| a == b);
    let message = if depart(answer, output, |a, b| a == b).is_none() {
        format!("line {number}: the tokens are right, the line breaks are not")
    } else {
        told.message
    };
    Mismatch { message, presentation, hints: hints(answer, output), ..told }
}

/// Two lines that differ.
pub(crate) fn different(output: &[u8], number: usize, a: Line<'_>, b: Line<'_>, departure: Departure<'_>) -> Mismatch {
    let (message, start) = match departure {
        Departure::Different(expected, found) => {
            let start = b.start + found.start;
            let (x, y) = show::pair(expected.text, found.text);
            let place = Place::of(output, start).words();
            let message = match name_words(expected.text, found.text) {
                Some(name) => format!("{place}: {x} / {y}{name}"),
                None => format!("{place}: expected {x}, found {y}"),
            };
            (message, start)
        }
        Departure::Missing(token) => {
            let count = count_of(tokens(&a.text[token.start..]).count(), "missing");
            (format!("line {number}: {count}: {}", show::token(token.text)), b.start + b.text.len())
        }
        Departure::Extra(token) => {
            let count = count_of(tokens(&b.text[token.start..]).count(), "too many");
            (format!("line {number}: {count}: {}", show::token(token.text)), b.start + token.start)
        }
    };
    let token = Some(Place::of(output, start).token);
    Mismatch { message, line: Some(number), token, ..Mismatch::default() }
}

/// The output has ended, the answer has not.
pub(crate) fn missing(output: &[u8], number: usize, first: Line<'_>, count: usize) -> Mismatch {
    let message = match compare::empty(output) {
        Some(message) => message.to_owned(),
        None => format!("{}: {}", count_lines(count, "missing", number), show_line(first.text)),
    };
    Mismatch { message, line: Some(number), token: Some(tokens(output).count() + 1), ..Mismatch::default() }
}

/// The answer has ended, the output has not.
pub(crate) fn extra(output: &[u8], number: usize, first: Line<'_>, count: usize) -> Mismatch {
    let message = format!("{}: {}", count_lines(count, "too many", number), show_line(first.text));
    let token = Some(Place::of(output, first.start).token);
    Mismatch { message, line: Some(number), token, ..Mismatch::default() }
}

/// A line in a message.
fn show_line(text: &[u8]) -> String {
    if is_blank(text) { "(blank)".to_owned() } else { show::token(trim_end(text)) }
}

/// `3 lines are missing, the first is line 5`.
fn count_lines(count: usize, what: &str, number: usize) -> String {
    let counted = numbered(count, "line");
    if count == 1 {
        format!("{counted} is {what}, line {number}")
    } else {
        format!("{counted} are {what}, the first is line {number}")
    }
}
