//! Where reading stopped, which text is at fault, and the message.

use super::is_testlib_blank;
use crate::judgement::{Judgement, Mismatch};
use crate::position::TokenPosition;
use crate::token_comparison::{
    TextPair, TokenDifference, build_mismatch, empty_output_message, first_token_difference, is_presentation,
};
use crate::tokenizer::{Token, TokenIter, split_tokens_by};

/// The words of a text.
pub(crate) type TestlibWords<'a> = TokenIter<'a, fn(u8) -> bool>;

/// Splits a text into words.
pub(crate) fn split_words(text: &[u8]) -> TestlibWords<'_> {
    split_tokens_by(text, is_testlib_blank as fn(u8) -> bool)
}

/// A fault of one text.
#[derive(Debug)]
pub(crate) enum ReadFault<'a> {
    /// This token cannot be read; with a description of what was expected and found.
    Token(Token<'a>, String),
    /// The text ends where this is expected.
    End(String),
    /// A fault of the text as a whole, or of a part of it.
    Whole(String),
}

/// Why reading stopped.
#[derive(Debug)]
pub(crate) enum TestlibRefusal<'a> {
    /// The answer is malformed.
    Answer(ReadFault<'a>),
    /// The output is malformed.
    Output(ReadFault<'a>),
    /// Both are well formed, and they differ.
    Difference(TokenDifference<'a>),
}

impl<'a> From<TokenDifference<'a>> for TestlibRefusal<'a> {
    fn from(difference: TokenDifference<'a>) -> Self {
        Self::Difference(difference)
    }
}

/// Converts a refusal to a judgement. `same` and `name` are the checker's comparison of two tokens.
pub(crate) fn judge_refusal(
    answer: &[u8],
    output: &[u8],
    refusal: TestlibRefusal<'_>,
    same: impl Fn(&[u8], &[u8]) -> bool,
    name: impl Fn(&[u8], &[u8]) -> Option<String>,
) -> Judgement {
    let texts = TextPair { answer, output, is_separator: is_testlib_blank };
    match refusal {
        TestlibRefusal::Answer(fault) => Judgement::Failed(describe_answer_fault(answer, fault)),
        TestlibRefusal::Output(fault) => {
            let presentation = is_presentation(answer, output, same);
            Judgement::Wrong(note_equal_answer(texts, Mismatch { presentation, ..describe_output_fault(texts, fault) }))
        }
        TestlibRefusal::Difference(difference) => {
            Judgement::Wrong(note_equal_answer(texts, build_mismatch(texts, difference, same, name)))
        }
    }
}

/// A rejected output that is identical to the answer does not differ in presentation: the answer has more than this
/// checker reads.
fn note_equal_answer(texts: TextPair<'_>, mut mismatch: Mismatch) -> Mismatch {
    if first_token_difference(split_words(texts.answer), split_words(texts.output), |a, b| a == b).is_none() {
        mismatch.presentation = false;
        mismatch.hints.push("the answer is identical: it does not have the form that this checker expects".to_owned());
    }
    mismatch
}

/// Describes why the answer is malformed.
fn describe_answer_fault(answer: &[u8], fault: ReadFault<'_>) -> String {
    match fault {
        ReadFault::Token(token, what) => {
            format!(
                "{} of the answer: {what}",
                TokenPosition::at_offset_between(answer, token.start, is_testlib_blank).description()
            )
        }
        ReadFault::End(what) => format!("the answer ends where {what} is expected"),
        ReadFault::Whole(what) => what,
    }
}

/// Describes why the output is malformed.
fn describe_output_fault(texts: TextPair<'_>, fault: ReadFault<'_>) -> Mismatch {
    match fault {
        ReadFault::Token(token, what) => {
            let place = texts.output_position(token.start);
            let message = format!("{}: {what}", place.description());
            Mismatch { message, line: Some(place.line), token: Some(place.token), ..Mismatch::default() }
        }
        ReadFault::End(what) => {
            let ended = || format!("the output ends where {what} is expected");
            Mismatch {
                message: empty_output_message(texts.output).map_or_else(ended, str::to_owned),
                ..Mismatch::default()
            }
        }
        ReadFault::Whole(what) => Mismatch { message: what, ..Mismatch::default() },
    }
}
