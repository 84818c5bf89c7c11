//! Token-by-token comparison of two texts, which most checkers share, and the description of the first difference.

use crate::judgement::{Mismatch, TokenPosition, line_at_offset, white_space_hints};
use crate::tokenizer::{Token, is_blank, is_white_space, split_tokens, split_tokens_by};
use crate::{difference_names, printable};
use rebut_diagnostics::count_with_noun;

/// An answer and an output, and which bytes separate their tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextPair<'a> {
    pub(crate) answer: &'a [u8],
    pub(crate) output: &'a [u8],
    pub(crate) is_separator: fn(u8) -> bool,
}

impl<'a> TextPair<'a> {
    /// Creates a pair of texts with tokens separated by any white space.
    pub(crate) fn new(answer: &'a [u8], output: &'a [u8]) -> Self {
        Self { answer, output, is_separator: is_white_space }
    }

    /// Returns the number of tokens in a part of a text.
    fn count_tokens(&self, part: &[u8]) -> usize {
        split_tokens_by(part, self.is_separator).count()
    }

    pub(crate) fn output_position(&self, offset: usize) -> TokenPosition {
        TokenPosition::at_offset_between(self.output, offset, self.is_separator)
    }
}

/// The first difference: two tokens that differ, or one without a counterpart.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TokenDifference<'a> {
    Different(Token<'a>, Token<'a>),
    Missing(Token<'a>),
    Extra(Token<'a>),
}

/// Returns the first difference between two texts. Does not allocate.
pub(crate) fn first_difference<'a>(
    answer: &'a [u8],
    output: &'a [u8],
    same: impl Fn(&[u8], &[u8]) -> bool,
) -> Option<TokenDifference<'a>> {
    first_token_difference(split_tokens(answer), split_tokens(output), same)
}

/// Returns the first difference between two sequences of tokens.
#[inline]
pub(crate) fn first_token_difference<'a>(
    mut expected: impl Iterator<Item = Token<'a>>,
    mut found: impl Iterator<Item = Token<'a>>,
    same: impl Fn(&[u8], &[u8]) -> bool,
) -> Option<TokenDifference<'a>> {
    loop {
        return match (expected.next(), found.next()) {
            (Some(a), Some(b)) if same(a.text, b.text) => continue,
            (Some(a), Some(b)) => Some(TokenDifference::Different(a, b)),
            (Some(a), None) => Some(TokenDifference::Missing(a)),
            (None, Some(b)) => Some(TokenDifference::Extra(b)),
            (None, None) => None,
        };
    }
}

/// Returns true if the texts differ only in white space and case.
pub(crate) fn is_presentation(answer: &[u8], output: &[u8], same: impl Fn(&[u8], &[u8]) -> bool) -> bool {
    let lenient = |a: &[u8], b: &[u8]| same(a, b) || a.eq_ignore_ascii_case(b);
    first_difference(answer, output, lenient).is_none()
        || equals_without_white_space(answer, output, |byte| byte.to_ascii_lowercase())
}

/// Returns true if both texts are the same without their white space.
pub(crate) fn equals_without_white_space(answer: &[u8], output: &[u8], fold: impl Fn(u8) -> u8) -> bool {
    let expected = answer.iter().filter(|&&byte| !is_white_space(byte)).map(|&byte| fold(byte));
    expected.eq(output.iter().filter(|&&byte| !is_white_space(byte)).map(|&byte| fold(byte)))
}

/// Describes the first difference, for a checker that compares token by token.
///
/// `name` names the difference between two tokens, including the punctuation before it.
pub(crate) fn build_mismatch(
    texts: TextPair<'_>,
    difference: TokenDifference<'_>,
    same: impl Fn(&[u8], &[u8]) -> bool,
    name: impl Fn(&[u8], &[u8]) -> Option<String>,
) -> Mismatch {
    let mismatch = match difference {
        TokenDifference::Different(a, b) => describe_different_tokens(texts, a, b, name),
        TokenDifference::Missing(a) => describe_missing_tokens(texts, a),
        TokenDifference::Extra(b) => describe_extra_tokens(texts, b),
    };
    let presentation = is_presentation(texts.answer, texts.output, &same);
    let follows = follows_other_text(texts, &same).then(|| FOLLOWING_ANSWER_HINT.to_owned());
    let hints = follows.into_iter().chain(white_space_hints(texts.answer, texts.output)).collect();
    Mismatch { presentation, hints, ..mismatch }
}

const FOLLOWING_ANSWER_HINT: &str =
    "the expected answer follows after other text: are prompts or debug messages printed?";

/// Returns true if the output ends with the whole answer, and begins with something else.
fn follows_other_text(texts: TextPair<'_>, same: impl Fn(&[u8], &[u8]) -> bool) -> bool {
    let (expected, found) = (texts.count_tokens(texts.answer), texts.count_tokens(texts.output));
    let tokens = |text, skipped| split_tokens_by(text, texts.is_separator).skip(skipped);
    let end = tokens(texts.output, found.saturating_sub(expected));
    expected > 0 && found > expected && first_token_difference(tokens(texts.answer, 0), end, same).is_none()
}

/// Describes two tokens that differ.
fn describe_different_tokens(
    texts: TextPair<'_>,
    expected: Token<'_>,
    found: Token<'_>,
    name: impl Fn(&[u8], &[u8]) -> Option<String>,
) -> Mismatch {
    let place = texts.output_position(found.start);
    let only_spaced = equals_without_white_space(texts.answer, texts.output, |byte| byte);
    let reason =
        if only_spaced { Some(": differs only in white space".to_owned()) } else { name(expected.text, found.text) };
    let (a, b) = printable::format_token_pair(expected.text, found.text);
    let message = match reason {
        Some(reason) => format!("{}: {a} / {b}{reason}", place.description()),
        None => format!("{}: expected {a}, found {b}", place.description()),
    };
    Mismatch { message, line: Some(place.line), token: Some(place.token), ..Mismatch::default() }
}

/// Describes missing tokens: the output has ended, the answer has not.
fn describe_missing_tokens(texts: TextPair<'_>, first: Token<'_>) -> Mismatch {
    let line = line_at_offset(texts.answer, first.start);
    let tokens_before = texts.count_tokens(texts.output);
    let message = match empty_output_message(texts.output) {
        Some(message) if tokens_before == 0 => message.to_owned(),
        _ => format!(
            "{}: {} (line {line} of the answer)",
            count_phrase(texts.count_tokens(&texts.answer[first.start..]), "missing"),
            printable::format_token(first.text)
        ),
    };
    Mismatch { message, line: Some(line), token: Some(tokens_before + 1), ..Mismatch::default() }
}

/// Describes extra tokens: the answer has ended, the output has not.
fn describe_extra_tokens(texts: TextPair<'_>, first: Token<'_>) -> Mismatch {
    let place = texts.output_position(first.start);
    let count = texts.count_tokens(&texts.output[first.start..]);
    let token = printable::format_token(first.text);
    let message = if is_blank(texts.answer) {
        format!("expected no output, found {}, beginning with {token}", count_with_noun(count, "token"))
    } else {
        format!("{}: {token} (line {})", count_phrase(count, "too many"), place.line)
    };
    Mismatch { message, line: Some(place.line), token: Some(place.token), ..Mismatch::default() }
}

/// `1 token is missing`, `3 tokens are missing, the first`, to be followed by a colon and the token.
pub(crate) fn count_phrase(count: usize, what: &str) -> String {
    let counted = count_with_noun(count, "token");
    if count == 1 { format!("{counted} is {what}") } else { format!("{counted} are {what}, the first") }
}

/// Returns the message for an output without tokens.
pub(crate) fn empty_output_message(output: &[u8]) -> Option<&'static str> {
    match output {
        [] => Some("output is empty"),
        _ if is_blank(output) => Some("output is blank"),
        _ => None,
    }
}

/// Returns the name of the difference between two words, to be appended to them.
pub(crate) fn name_word_difference(expected: &[u8], found: &[u8]) -> Option<String> {
    difference_names::name_difference(expected, found).map(|name| format!(": {name}"))
}
