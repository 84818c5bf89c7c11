//! Where reading stopped, whose fault that is, and how it is told.

use super::is_blank;
use crate::compare::{Departure, Texts, depart_tokens, empty, is_presentation, mismatch};
use crate::judgement::{Judgement, Mismatch};
use crate::place::Place;
use crate::text::{Token, Tokens, tokens_between};

/// The words of a text.
pub(crate) type Words<'a> = Tokens<'a, fn(u8) -> bool>;

/// Takes a text apart into words.
pub(crate) fn words(text: &[u8]) -> Words<'_> {
    tokens_between(text, is_blank as fn(u8) -> bool)
}

/// What is wrong with one text alone.
#[derive(Debug)]
pub(crate) enum Fault<'a> {
    /// This token is not what is read here; the text says so.
    Token(Token<'a>, String),
    /// The text ends where this is read.
    End(String),
    /// The text as a whole, or a part of it, is not as it should be.
    Whole(String),
}

/// Why reading stopped.
#[derive(Debug)]
pub(crate) enum Refusal<'a> {
    /// The jury's answer is not of the form.
    Answer(Fault<'a>),
    /// The output is not.
    Output(Fault<'a>),
    /// Both are, and they differ.
    Departure(Departure<'a>),
}

impl<'a> From<Departure<'a>> for Refusal<'a> {
    fn from(departure: Departure<'a>) -> Self {
        Self::Departure(departure)
    }
}

/// The refusal in words. `same` and `name` are the checker's own opinion of two tokens.
pub(crate) fn judgement(
    answer: &[u8],
    output: &[u8],
    refusal: Refusal<'_>,
    same: impl Fn(&[u8], &[u8]) -> bool,
    name: impl Fn(&[u8], &[u8]) -> Option<String>,
) -> Judgement {
    let texts = Texts { answer, output, white: is_blank };
    match refusal {
        Refusal::Answer(fault) => Judgement::Failed(told_of_answer(answer, fault)),
        Refusal::Output(fault) => {
            let presentation = is_presentation(answer, output, same);
            Judgement::Wrong(beside_answer(texts, Mismatch { presentation, ..told_of_output(texts, fault) }))
        }
        Refusal::Departure(departure) => Judgement::Wrong(beside_answer(texts, mismatch(texts, departure, same, name))),
    }
}

/// An output that is refused and yet the same as the answer has nothing wrong with its presentation: the answer is
/// more than this checker reads.
fn beside_answer(texts: Texts<'_>, mut told: Mismatch) -> Mismatch {
    if depart_tokens(words(texts.answer), words(texts.output), |a, b| a == b).is_none() {
        told.presentation = false;
        told.hints.push("the answer is the same: it is not of the form that this checker reads".to_owned());
    }
    told
}

/// Why the jury's answer cannot be judged by.
fn told_of_answer(answer: &[u8], fault: Fault<'_>) -> String {
    match fault {
        Fault::Token(token, what) => {
            format!("{} of the answer: {what}", Place::between(answer, token.start, is_blank).words())
        }
        Fault::End(what) => format!("the answer ends where {what} is expected"),
        Fault::Whole(what) => what,
    }
}

/// What is wrong with the output by itself.
fn told_of_output(texts: Texts<'_>, fault: Fault<'_>) -> Mismatch {
    match fault {
        Fault::Token(token, what) => {
            let place = texts.place(token.start);
            let message = format!("{}: {what}", place.words());
            Mismatch { message, line: Some(place.line), token: Some(place.token), ..Mismatch::default() }
        }
        Fault::End(what) => {
            let ended = || format!("the output ends where {what} is expected");
            Mismatch { message: empty(texts.output).map_or_else(ended, str::to_owned), ..Mismatch::default() }
        }
        Fault::Whole(what) => Mismatch { message: what, ..Mismatch::default() },
    }
}
