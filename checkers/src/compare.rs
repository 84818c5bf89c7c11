//! The walk over two texts, token by token, that most checkers share, and the story of where it stopped.

use crate::difference;
use crate::hints::hints;
use crate::judgement::Mismatch;
use crate::place::{Place, line_of};
use crate::show::{self, numbered};
use crate::text::{Token, is_blank, is_white, tokens};

/// Where the walk stopped: the tokens that differ, or the one that has no counterpart.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Departure<'a> {
    Different(Token<'a>, Token<'a>),
    Missing(Token<'a>),
    Extra(Token<'a>),
}

/// Walks both texts for as long as their tokens are the same. Nothing is allocated.
pub(crate) fn depart<'a>(
    answer: &'a [u8],
    output: &'a [u8],
    same: impl Fn(&[u8], &[u8]) -> bool,
) -> Option<Departure<'a>> {
    let (mut expected, mut found) = (tokens(answer), tokens(output));
    loop {
        return match (expected.next(), found.next()) {
            (Some(a), Some(b)) if same(a.text, b.text) => continue,
            (Some(a), Some(b)) => Some(Departure::Different(a, b)),
            (Some(a), None) => Some(Departure::Missing(a)),
            (None, Some(b)) => Some(Departure::Extra(b)),
            (None, None) => None,
        };
    }
}

/// Whether white space and case are all that is wrong.
pub(crate) fn is_presentation(answer: &[u8], output: &[u8], same: impl Fn(&[u8], &[u8]) -> bool) -> bool {
    let lenient = |a: &[u8], b: &[u8]| same(a, b) || a.eq_ignore_ascii_case(b);
    depart(answer, output, lenient).is_none() || same_ink(answer, output, |byte| byte.to_ascii_lowercase())
}

/// Whether both texts are the same once their white space is gone.
pub(crate) fn same_ink(answer: &[u8], output: &[u8], fold: impl Fn(u8) -> u8) -> bool {
    let expected = answer.iter().filter(|&&byte| !is_white(byte)).map(|&byte| fold(byte));
    expected.eq(output.iter().filter(|&&byte| !is_white(byte)).map(|&byte| fold(byte)))
}

/// Tells where and how an output went wrong, for a checker that compares token by token.
///
/// `name` names the difference of two tokens, with the punctuation that joins it to them.
pub(crate) fn mismatch(
    answer: &[u8],
    output: &[u8],
    departure: Departure<'_>,
    same: impl Fn(&[u8], &[u8]) -> bool,
    name: impl Fn(&[u8], &[u8]) -> Option<String>,
) -> Mismatch {
    let presentation = is_presentation(answer, output, same);
    let told = match departure {
        Departure::Different(a, b) => different(answer, output, a, b, name),
        Departure::Missing(a) => missing(answer, output, a),
        Departure::Extra(b) => extra(answer, output, b),
    };
    Mismatch { presentation, hints: hints(answer, output), ..told }
}

/// Two tokens that differ.
fn different(
    answer: &[u8],
    output: &[u8],
    expected: Token<'_>,
    found: Token<'_>,
    name: impl Fn(&[u8], &[u8]) -> Option<String>,
) -> Mismatch {
    let place = Place::of(output, found.start);
    let only_spaced = same_ink(answer, output, |byte| byte);
    let reason =
        if only_spaced { Some(": differs only in white space".to_owned()) } else { name(expected.text, found.text) };
    let (a, b) = show::pair(expected.text, found.text);
    let message = match reason {
        Some(reason) => format!("{}: {a} / {b}{reason}", place.words()),
        None => format!("{}: expected {a}, found {b}", place.words()),
    };
    Mismatch { message, line: Some(place.line), token: Some(place.token), ..Mismatch::default() }
}

/// The output has ended, the answer has not.
fn missing(answer: &[u8], output: &[u8], first: Token<'_>) -> Mismatch {
    let line = line_of(answer, first.start);
    let message = match empty(output) {
        Some(message) => message.to_owned(),
        None => format!(
            "{}: {} (line {line} of the answer)",
            count_of(tokens(&answer[first.start..]).count(), "missing"),
            show::token(first.text)
        ),
    };
    let token = Some(tokens(output).count() + 1);
    Mismatch { message, line: Some(line), token, ..Mismatch::default() }
}

/// The answer has ended, the output has not.
fn extra(answer: &[u8], output: &[u8], first: Token<'_>) -> Mismatch {
    let place = Place::of(output, first.start);
    let count = tokens(&output[first.start..]).count();
    let token = show::token(first.text);
    let message = if is_blank(answer) {
        format!("expected no output, found {}, beginning with {token}", numbered(count, "token"))
    } else {
        format!("{}: {token} (line {})", count_of(count, "too many"), place.line)
    };
    Mismatch { message, line: Some(place.line), token: Some(place.token), ..Mismatch::default() }
}

/// `1 token is missing`, `3 tokens are missing, the first`: a colon and the token follow.
pub(crate) fn count_of(count: usize, what: &str) -> String {
    let counted = numbered(count, "token");
    if count == 1 { format!("{counted} is {what}") } else { format!("{counted} are {what}, the first") }
}

/// What to say of an output that holds nothing.
pub(crate) fn empty(output: &[u8]) -> Option<&'static str> {
    match output {
        [] => Some("output is empty"),
        _ if is_blank(output) => Some("output is blank"),
        _ => None,
    }
}

/// The name of a difference between two words, ready to follow them.
pub(crate) fn name_words(expected: &[u8], found: &[u8]) -> Option<String> {
    difference::name(expected, found).map(|name| format!(": {name}"))
}
