//! The checkers of answers that are numbered: `Case 1: ...`, `Case 2: ...`.

use super::fault::{Fault, Refusal, Words};
use super::single::{differ_unless, end};
use super::values::{integer, not, read_integer};
use crate::show::numbered;
use crate::text::Token;

/// The word that each case begins with, and that no case may hold.
const CASE: &[u8] = b"Case";

/// One integer for each case. Both texts are read to their ends before they are compared.
pub(crate) fn integer_each<'a>(answer: Words<'a>, output: Words<'a>) -> Result<(), Refusal<'a>> {
    let expected = all_numbered(answer.clone()).map_err(Refusal::Answer)?;
    let found = all_numbered(output.clone()).map_err(Refusal::Output)?;
    // `Case`, its number and the integer: each third word is a value.
    for (expected, found) in answer.skip(2).step_by(3).zip(output.skip(2).step_by(3)) {
        differ_unless(expected.text == found.text, expected, found)?;
    }
    if expected == found {
        return Ok(());
    }
    Err(Refusal::Output(Fault::Whole(format!("expected {}, found {found}", numbered(expected, "case")))))
}

/// How many cases of one integer each a text has, and nothing else.
fn all_numbered(mut words: Words<'_>) -> Result<usize, Fault<'_>> {
    let mut number = 0;
    while let Some(word) = words.next() {
        number += 1;
        header(Some(word), &mut words, number)?;
        read_integer(words.next().ok_or_else(|| Fault::End(format!("the integer of case {number}")))?)?;
    }
    Ok(number)
}

/// Integers for each case.
pub(crate) fn integers<'a>(answer: Words<'a>, output: Words<'a>) -> Result<(), Refusal<'a>> {
    cases(answer, output, |token| read_integer(token).map(|_| ()), |a, b| integer(a) == integer(b))
}

/// Words for each case.
pub(crate) fn words<'a>(answer: Words<'a>, output: Words<'a>) -> Result<(), Refusal<'a>> {
    cases(answer, output, |_| Ok(()), |a, b| a == b)
}

/// Case by case: first the answer's is read, then the output's, then they are compared.
fn cases<'a>(
    answer: Words<'a>,
    output: Words<'a>,
    read: impl Fn(Token<'a>) -> Result<(), Fault<'a>>,
    same: impl Fn(&[u8], &[u8]) -> bool,
) -> Result<(), Refusal<'a>> {
    let (mut expected, mut found) = (Numbered::new(answer), Numbered::new(output));
    while expected.has_more() {
        let (first, count) = expected.next_case(&read).map_err(Refusal::Answer)?;
        let (other, other_count) = found.next_case(&read).map_err(Refusal::Output)?;
        for (expected, found) in first.take(count).zip(other.take(other_count)) {
            differ_unless(same(expected.text, found.text), expected, found)?;
        }
        if count != other_count {
            let what = format!("case {}: expected {}, found {other_count}", expected.number, numbered(count, "token"));
            return Err(Refusal::Output(Fault::Whole(what)));
        }
    }
    end(found.words)
}

/// A text of numbered cases, as far as it is read.
struct Numbered<'a> {
    words: Words<'a>,
    number: usize,
    /// The word `Case`, if the case before was ended by it.
    case: Option<Token<'a>>,
}

impl<'a> Numbered<'a> {
    fn new(words: Words<'a>) -> Self {
        Self { words, number: 0, case: None }
    }

    /// Whether anything follows. A `Case` at the end of the text is nothing.
    fn has_more(&self) -> bool {
        self.words.clone().next().is_some()
    }

    /// Reads the next case: where its words begin, and how many they are.
    fn next_case(
        &mut self,
        read: impl Fn(Token<'a>) -> Result<(), Fault<'a>>,
    ) -> Result<(Words<'a>, usize), Fault<'a>> {
        self.number += 1;
        let case = self.case.take().or_else(|| self.words.next());
        header(case, &mut self.words, self.number)?;
        let start = self.words.clone();
        let mut count = 0;
        for word in self.words.by_ref() {
            if word.text == CASE {
                self.case = Some(word);
                break;
            }
            read(word)?;
            count += 1;
        }
        Ok((start, count))
    }
}

/// Reads `Case`, which may have been read already, and the case's number with its colon.
fn header<'a>(case: Option<Token<'a>>, words: &mut Words<'a>, number: usize) -> Result<(), Fault<'a>> {
    let case = case.ok_or_else(|| Fault::End(format!("case {number}")))?;
    if case.text != CASE {
        return Err(not("Case", case, ""));
    }
    let label = words.next().ok_or_else(|| Fault::End(format!("the number of case {number}")))?;
    let expected = format!("{number}:");
    if label.text == expected.as_bytes() { Ok(()) } else { Err(not(&expected, label, "")) }
}
