//! The checkers of lines. Newlines at the end of the output, and blank lines at the end of the answer, are ignored.

use super::is_testlib_blank;
use crate::judgement::{Judgement, Mismatch, TokenPosition, white_space_hints};
use crate::lines as by_token;
use crate::token_comparison::{
    TextPair, TokenDifference, build_mismatch, empty_output_message, first_difference, first_token_difference,
    is_presentation,
};
use crate::tokenizer::{TextLine, Token, TokenIter, split_lines as split, split_tokens_by, trim_end};
use std::borrow::Cow;

/// When two lines are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineComparison {
    /// The same characters.
    Characters,
    /// The same tokens.
    Words,
}

pub(crate) fn check_testlib_lines(answer: &[u8], output: &[u8], comparison: LineComparison) -> Judgement {
    let (mut expected, mut found) = (TestlibLineReader::new(answer), TestlibLineReader::new(output));
    let mut number = 0;
    while !expected.has_ended() {
        let a = expected.next_line();
        if a.text.is_empty() && expected.has_ended() {
            break;
        }
        number += 1;
        let had_ended = found.has_ended();
        let b = found.next_line();
        if is_same_text(a.text, b.text, comparison) {
            continue;
        }
        let mismatch = if had_ended {
            let count = split(trim_end(&answer[expected.offset..])).count() + 1;
            by_token::describe_missing_lines(output, number, a, count)
        } else {
            describe_different_line(answer, output, number, a, b)
        };
        return finish_wrong(answer, output, mismatch, comparison);
    }
    match first_non_blank(&output[found.offset..]) {
        None => Judgement::Accepted,
        Some(offset) => finish_wrong(answer, output, describe_extra_text(output, found.offset + offset), comparison),
    }
}

/// Returns true if two lines are equal, as they occur in the text.
pub(crate) fn is_same_text(expected: &[u8], found: &[u8], comparison: LineComparison) -> bool {
    let (expected, found) = (decode_line(expected), decode_line(found));
    match comparison {
        LineComparison::Characters => expected == found,
        LineComparison::Words => first_difference(&expected, &found, |a, b| a == b).is_none(),
    }
}

/// Returns the offset of the first byte that is not blank.
fn first_non_blank(text: &[u8]) -> Option<usize> {
    text.iter().position(|&byte| !is_testlib_blank(byte))
}

/// Adds the properties that depend on the whole texts.
fn finish_wrong(answer: &[u8], output: &[u8], mismatch: Mismatch, comparison: LineComparison) -> Judgement {
    let presentation = is_presentation(answer, output, |a, b| a == b);
    let hints = match comparison {
        LineComparison::Words => white_space_hints(answer, output),
        LineComparison::Characters => Vec::new(),
    };
    Judgement::Wrong(Mismatch { presentation, hints, ..mismatch })
}

/// Describes two lines that differ: in a token, in the line breaks, or in the white space within.
fn describe_different_line(answer: &[u8], output: &[u8], number: usize, a: TextLine<'_>, b: TextLine<'_>) -> Mismatch {
    let same = |a: &[u8], b: &[u8]| a == b;
    let reason = match first_difference(a.text, b.text, same) {
        Some(difference) if first_difference(answer, output, same).is_some() => {
            return by_token::describe_different_lines(output, number, a, b, difference);
        }
        Some(_) => "the tokens match, but the line breaks differ",
        None => "white space differs",
    };
    Mismatch { message: format!("line {number}: {reason}"), line: Some(number), ..Mismatch::default() }
}

/// Describes extra text, which starts at this offset: the answer has ended, the output has not.
fn describe_extra_text(output: &[u8], offset: usize) -> Mismatch {
    let number = crate::judgement::line_at_offset(output, offset);
    let rest = split(&output[offset..]);
    let count = split(trim_end(&output[offset..])).count().max(1);
    let first = rest.clone().next().map(|line| TextLine { start: offset, ..line });
    first.map(|line| by_token::describe_extra_lines(output, number, line, count)).unwrap_or_default()
}

/// Reads lines, without the `\n` or `\r\n` that ends each.
struct TestlibLineReader<'a> {
    text: &'a [u8],
    offset: usize,
}

impl<'a> TestlibLineReader<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, offset: 0 }
    }

    fn has_ended(&self) -> bool {
        self.offset == self.text.len()
    }

    /// Returns the next line, which is empty at the end of the text.
    fn next_line(&mut self) -> TextLine<'a> {
        let (start, mut end) = (self.offset, self.offset);
        let terminator = loop {
            match &self.text[end..] {
                [] => break 0,
                [b'\n', ..] => break 1,
                [b'\r', b'\n', ..] => break 2,
                // Any byte after a lone carriage return belongs to the line.
                [b'\r', _, ..] => end += 2,
                [_, ..] => end += 1,
            }
        };
        self.offset = end + terminator;
        TextLine { text: &self.text[start..end], start, has_newline: terminator > 0 }
    }
}

/// Decodes a line as testlib does: a lone carriage return is skipped. At the end of the text it becomes byte 255, the
/// end-of-file marker that testlib reads after it.
fn decode_line(line: &[u8]) -> Cow<'_, [u8]> {
    if !line.contains(&b'\r') {
        return Cow::Borrowed(line);
    }
    let mut bytes = line.iter().copied();
    let mut read = Vec::with_capacity(line.len());
    while let Some(byte) = bytes.next() {
        read.push(if byte == b'\r' { bytes.next().unwrap_or(u8::MAX) } else { byte });
    }
    Cow::Owned(read)
}

// Where reading stopped, which text is at fault, and the message.

/// The words of a text.
pub(crate) type TestlibWords<'a> = TokenIter<'a, fn(u8) -> bool>;

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
