//! The checker for problems in which white space is part of the answer.

use crate::judgement::{Judgement, Mismatch};
use crate::place::Place;
use crate::show::numbered;
use crate::text::{Line, is_blank, lines, trim_end};
use crate::tokens;

/// Judges byte by byte. A difference in tokens is told as such; what is left is white space.
pub(crate) fn check(answer: &[u8], output: &[u8]) -> Judgement {
    if answer == output {
        return Judgement::Accepted;
    }
    match tokens::check(answer, output, false) {
        // Nothing that the tokens would forgive is accepted here.
        Judgement::Wrong(told) => Judgement::Wrong(Mismatch { hints: Vec::new(), ..told }),
        _ => Judgement::Wrong(white_space(answer, output)),
    }
}

/// Tells the first difference in white space.
pub(crate) fn white_space(answer: &[u8], output: &[u8]) -> Mismatch {
    let offset = answer.iter().zip(output).take_while(|(a, b)| a == b).count();
    let place = Place::of(output, offset);
    let message = end_of_text(answer, output).unwrap_or_else(|| within(answer, output, place));
    Mismatch { message, line: Some(place.line), presentation: true, ..Mismatch::default() }
}

/// The differences that are only about the newlines at the end.
fn end_of_text(answer: &[u8], output: &[u8]) -> Option<String> {
    let newlines = |text: &[u8]| text.iter().rev().take_while(|&&byte| byte == b'\n').count();
    let (expected, found) = (newlines(answer), newlines(output));
    if answer[..answer.len() - expected] != output[..output.len() - found] {
        return None;
    }
    Some(match (expected, found) {
        (1, 0) => "ends without a newline".to_owned(),
        (0, 1) => "ends with a newline, expected none".to_owned(),
        _ => format!("ends with {}, expected {}", numbered(found, "newline"), numbered(expected, "newline")),
    })
}

/// The differences within or between lines.
fn within(answer: &[u8], output: &[u8], place: Place) -> String {
    let number = place.line;
    let nth = |text| lines(text).nth(number - 1).map_or(&[][..], |line: Line<'_>| line.text);
    let (expected, found) = (nth(answer), nth(output));
    if is_blank(found) && !is_blank(expected) {
        return format!("line {number} is blank");
    }
    let (bare_expected, bare_found) = (trim_end(expected), trim_end(found));
    if bare_expected != bare_found {
        return format!("line {number}: white space differs before token {}", place.token_in_line);
    }
    match (&expected[bare_expected.len()..], &found[bare_found.len()..]) {
        ([], [b'\r']) => format!("line {number} ends with CRLF"),
        ([], _) => format!("line {number} ends with white space"),
        (_, []) => format!("line {number} lacks the white space at its end"),
        _ => format!("line {number}: the white space at its end differs"),
    }
}
