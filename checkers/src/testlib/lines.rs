//! The checkers of lines. Newlines at the end of the output are free, and so are the answer's blank lines there.

use std::borrow::Cow;

use super::is_blank;
use crate::compare::{depart, is_presentation};
use crate::hints::hints;
use crate::judgement::{Judgement, Mismatch};
use crate::lines as by_token;
use crate::text::{Line, lines as split, trim_end};

/// What makes two lines the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// The same characters.
    Characters,
    /// The same tokens.
    Words,
}

/// Judges line by line.
pub(crate) fn check(answer: &[u8], output: &[u8], comparison: Comparison) -> Judgement {
    let (mut expected, mut found) = (LineReader::new(answer), LineReader::new(output));
    let mut number = 0;
    while !expected.has_ended() {
        let a = expected.next();
        if a.text.is_empty() && expected.has_ended() {
            break;
        }
        number += 1;
        let had_ended = found.has_ended();
        let b = found.next();
        if is_same(a.text, b.text, comparison) {
            continue;
        }
        let told = if had_ended {
            let count = split(trim_end(&answer[expected.at..])).count() + 1;
            by_token::missing(output, number, a, count)
        } else {
            different(answer, output, number, a, b)
        };
        return wrong(answer, output, told, comparison);
    }
    match first_ink(&output[found.at..]) {
        None => Judgement::Accepted,
        Some(offset) => wrong(answer, output, extra(output, found.at + offset), comparison),
    }
}

/// Whether two lines are the same, as they stand in the text.
pub(crate) fn is_same(expected: &[u8], found: &[u8], comparison: Comparison) -> bool {
    let (expected, found) = (decoded(expected), decoded(found));
    match comparison {
        Comparison::Characters => expected == found,
        Comparison::Words => depart(&expected, &found, |a, b| a == b).is_none(),
    }
}

/// Where the first byte is that is not blank.
fn first_ink(text: &[u8]) -> Option<usize> {
    text.iter().position(|&byte| !is_blank(byte))
}

/// Adds what only the whole texts tell.
fn wrong(answer: &[u8], output: &[u8], told: Mismatch, comparison: Comparison) -> Judgement {
    let presentation = is_presentation(answer, output, |a, b| a == b);
    let hints = match comparison {
        Comparison::Words => hints(answer, output),
        Comparison::Characters => Vec::new(),
    };
    Judgement::Wrong(Mismatch { presentation, hints, ..told })
}

/// Two lines that differ: in a token, in where they end, or else in the white space within.
fn different(answer: &[u8], output: &[u8], number: usize, a: Line<'_>, b: Line<'_>) -> Mismatch {
    let same = |a: &[u8], b: &[u8]| a == b;
    let reason = match depart(a.text, b.text, same) {
        Some(departure) if depart(answer, output, same).is_some() => {
            return by_token::different(output, number, a, b, departure);
        }
        Some(_) => "the tokens are right, the line breaks are not",
        None => "white space differs",
    };
    Mismatch { message: format!("line {number}: {reason}"), line: Some(number), ..Mismatch::default() }
}

/// The answer has ended, and the output goes on with something at this offset.
fn extra(output: &[u8], offset: usize) -> Mismatch {
    let number = crate::place::line_of(output, offset);
    let rest = split(&output[offset..]);
    let count = split(trim_end(&output[offset..])).count().max(1);
    let first = rest.clone().next().map(|line| Line { start: offset, ..line });
    first.map(|line| by_token::extra(output, number, line, count)).unwrap_or_default()
}

/// A text as its lines are read, without the `\n` or `\r\n` that ends each.
struct LineReader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> LineReader<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    fn has_ended(&self) -> bool {
        self.at == self.text.len()
    }

    /// The next line, an empty one at the end of the text.
    fn next(&mut self) -> Line<'a> {
        let (start, mut end) = (self.at, self.at);
        let terminator = loop {
            match &self.text[end..] {
                [] => break 0,
                [b'\n', ..] => break 1,
                [b'\r', b'\n', ..] => break 2,
                // What follows a lone carriage return belongs to the line, whatever it is.
                [b'\r', _, ..] => end += 2,
                [_, ..] => end += 1,
            }
        };
        self.at = end + terminator;
        Line { text: &self.text[start..end], start, ended: terminator > 0 }
    }
}

/// The characters of a line. A lone carriage return counts for nothing, except at the end of a text, where what is
/// read behind it is the mark of the end, byte 255.
fn decoded(line: &[u8]) -> Cow<'_, [u8]> {
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
