//! The walk over two texts, token by token, that most checkers share, and the story of where it stopped.

use crate::difference;
use crate::hints::hints;
use crate::judgement::Mismatch;
use crate::place::{Place, line_of};
use crate::show::{self, numbered};
use crate::text::{Token, is_blank, is_white, tokens, tokens_between};

/// The texts of a refusal, and which bytes separate their tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Texts<'a> {
    pub(crate) answer: &'a [u8],
    pub(crate) output: &'a [u8],
    pub(crate) white: fn(u8) -> bool,
}

impl<'a> Texts<'a> {
    /// Two texts whose tokens any white space separates.
    pub(crate) fn new(answer: &'a [u8], output: &'a [u8]) -> Self {
        Self { answer, output, white: is_white }
    }

    /// How many tokens a part of them has.
    fn count(&self, part: &[u8]) -> usize {
        tokens_between(part, self.white).count()
    }

    /// Where in the output an offset is.
    pub(crate) fn place(&self, offset: usize) -> Place {
        Place::between(self.output, offset, self.white)
    }
}

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
    depart_tokens(tokens(answer), tokens(output), same)
}

/// Walks both sequences for as long as their tokens are the same.
#[inline]
pub(crate) fn depart_tokens<'a>(
    mut expected: impl Iterator<Item = Token<'a>>,
    mut found: impl Iterator<Item = Token<'a>>,
    same: impl Fn(&[u8], &[u8]) -> bool,
) -> Option<Departure<'a>> {
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
    texts: Texts<'_>,
    departure: Departure<'_>,
    same: impl Fn(&[u8], &[u8]) -> bool,
    name: impl Fn(&[u8], &[u8]) -> Option<String>,
) -> Mismatch {
    let told = match departure {
        Departure::Different(a, b) => different(texts, a, b, name),
        Departure::Missing(a) => missing(texts, a),
        Departure::Extra(b) => extra(texts, b),
    };
    let presentation = is_presentation(texts.answer, texts.output, same);
    Mismatch { presentation, hints: hints(texts.answer, texts.output), ..told }
}

/// Two tokens that differ.
fn different(
    texts: Texts<'_>,
    expected: Token<'_>,
    found: Token<'_>,
    name: impl Fn(&[u8], &[u8]) -> Option<String>,
) -> Mismatch {
    let place = texts.place(found.start);
    let only_spaced = same_ink(texts.answer, texts.output, |byte| byte);
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
fn missing(texts: Texts<'_>, first: Token<'_>) -> Mismatch {
    let line = line_of(texts.answer, first.start);
    let tokens_before = texts.count(texts.output);
    let message = match empty(texts.output) {
        Some(message) if tokens_before == 0 => message.to_owned(),
        _ => format!(
            "{}: {} (line {line} of the answer)",
            count_of(texts.count(&texts.answer[first.start..]), "missing"),
            show::token(first.text)
        ),
    };
    Mismatch { message, line: Some(line), token: Some(tokens_before + 1), ..Mismatch::default() }
}

/// The answer has ended, the output has not.
fn extra(texts: Texts<'_>, first: Token<'_>) -> Mismatch {
    let place = texts.place(first.start);
    let count = texts.count(&texts.output[first.start..]);
    let token = show::token(first.text);
    let message = if is_blank(texts.answer) {
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
