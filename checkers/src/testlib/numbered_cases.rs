//! The checkers `caseicmp`, `casencmp` and `casewcmp`, for answers with numbered cases: `Case 1: ...`, `Case 2: ...`.

use super::lines::{ReadFault, TestlibRefusal, TestlibWords};
use super::single_value::{require_end, require_same};
use super::word_values::{parse_integer, read_integer, unexpected_token};
use crate::tokenizer::Token;
use rebut_diagnostics::count_with_noun;

/// The word that starts each case, and that no case can contain.
const CASE: &[u8] = b"Case";

/// Compares one integer per case. Both texts are read to the end before they are compared.
pub(crate) fn check_single_integers<'a>(
    answer: TestlibWords<'a>,
    output: TestlibWords<'a>,
) -> Result<(), TestlibRefusal<'a>> {
    let expected = count_cases(answer.clone()).map_err(TestlibRefusal::Answer)?;
    let found = count_cases(output.clone()).map_err(TestlibRefusal::Output)?;
    // The words are `Case`, the number and the integer, so every third word is a value.
    for (expected, found) in answer.skip(2).step_by(3).zip(output.skip(2).step_by(3)) {
        require_same(expected.text == found.text, expected, found)?;
    }
    if expected == found {
        return Ok(());
    }
    Err(TestlibRefusal::Output(ReadFault::Whole(format!(
        "expected {}, found {found}",
        count_with_noun(expected, "case")
    ))))
}

/// Counts the cases of a text that consists of cases with one integer each.
fn count_cases(mut words: TestlibWords<'_>) -> Result<usize, ReadFault<'_>> {
    let mut number = 0;
    while let Some(word) = words.next() {
        number += 1;
        read_case_header(Some(word), &mut words, number)?;
        read_integer(words.next().ok_or_else(|| ReadFault::End(format!("the integer of case {number}")))?)?;
    }
    Ok(number)
}

/// Compares the integers of each case.
pub(crate) fn check_case_integers<'a>(
    answer: TestlibWords<'a>,
    output: TestlibWords<'a>,
) -> Result<(), TestlibRefusal<'a>> {
    compare_cases(answer, output, |token| read_integer(token).map(|_| ()), |a, b| parse_integer(a) == parse_integer(b))
}

/// Compares the words of each case.
pub(crate) fn check_case_words<'a>(
    answer: TestlibWords<'a>,
    output: TestlibWords<'a>,
) -> Result<(), TestlibRefusal<'a>> {
    compare_cases(answer, output, |_| Ok(()), |a, b| a == b)
}

/// Compares case by case: reads the answer's case, then the output's, then compares them.
fn compare_cases<'a>(
    answer: TestlibWords<'a>,
    output: TestlibWords<'a>,
    read: impl Fn(Token<'a>) -> Result<(), ReadFault<'a>>,
    same: impl Fn(&[u8], &[u8]) -> bool,
) -> Result<(), TestlibRefusal<'a>> {
    let (mut expected, mut found) = (NumberedCases::new(answer), NumberedCases::new(output));
    while expected.has_more() {
        let (first, count) = expected.next_case(&read).map_err(TestlibRefusal::Answer)?;
        let (other, other_count) = found.next_case(&read).map_err(TestlibRefusal::Output)?;
        for (expected, found) in first.take(count).zip(other.take(other_count)) {
            require_same(same(expected.text, found.text), expected, found)?;
        }
        if count != other_count {
            let what =
                format!("case {}: expected {}, found {other_count}", expected.number, count_with_noun(count, "token"));
            return Err(TestlibRefusal::Output(ReadFault::Whole(what)));
        }
    }
    require_end(found.words)
}

/// Reads the numbered cases of a text.
struct NumberedCases<'a> {
    words: TestlibWords<'a>,
    number: usize,
    /// The word `Case`, if it ended the previous case.
    pending_case_word: Option<Token<'a>>,
}

impl<'a> NumberedCases<'a> {
    fn new(words: TestlibWords<'a>) -> Self {
        Self { words, number: 0, pending_case_word: None }
    }

    /// Returns true if there is another case. As in testlib, a `Case` that ends the text is ignored.
    fn has_more(&self) -> bool {
        self.words.clone().next().is_some()
    }

    /// Reads the next case. Returns an iterator at its first word, and the number of words.
    fn next_case(
        &mut self,
        read: impl Fn(Token<'a>) -> Result<(), ReadFault<'a>>,
    ) -> Result<(TestlibWords<'a>, usize), ReadFault<'a>> {
        self.number += 1;
        let case = self.pending_case_word.take().or_else(|| self.words.next());
        read_case_header(case, &mut self.words, self.number)?;
        let start = self.words.clone();
        let mut count = 0;
        for word in self.words.by_ref() {
            if word.text == CASE {
                self.pending_case_word = Some(word);
                break;
            }
            read(word)?;
            count += 1;
        }
        Ok((start, count))
    }
}

/// Reads `Case`, unless it has been read already, and the case's number with its colon.
fn read_case_header<'a>(
    case: Option<Token<'a>>,
    words: &mut TestlibWords<'a>,
    number: usize,
) -> Result<(), ReadFault<'a>> {
    let case = case.ok_or_else(|| ReadFault::End(format!("case {number}")))?;
    if case.text != CASE {
        return Err(unexpected_token("Case", case, ""));
    }
    let label = words.next().ok_or_else(|| ReadFault::End(format!("the number of case {number}")))?;
    let expected = format!("{number}:");
    if label.text == expected.as_bytes() { Ok(()) } else { Err(unexpected_token(&expected, label, "")) }
}
