//! The checkers of one value. The output holds nothing else; what follows in the answer is not read.

use super::fault::{Fault, Refusal, Words};
use super::reals::Real;
use super::values::{integer as integer_of, is_integer, is_yes_or_no, not, not_an_integer, read_real};
use crate::compare::Departure;
use crate::number;
use crate::text::Token;

/// One real number.
pub(crate) fn real<'a>(mut answer: Words<'a>, mut output: Words<'a>, real: Real) -> Result<(), Refusal<'a>> {
    let expected = first(&mut answer, "a number")?;
    let value = read_real(expected).map_err(Refusal::Answer)?;
    let found = counterpart(expected, &mut output)?;
    let near = number::read_signed(found.text).is_some_and(|found| real.is_near(value, found));
    differ_unless(near, expected, found)?;
    end(output)
}

/// One integer of 32 bits.
pub(crate) fn integer<'a>(mut answer: Words<'a>, mut output: Words<'a>) -> Result<(), Refusal<'a>> {
    let small = |word: &[u8]| integer_of(word).and_then(|value| i32::try_from(value).ok());
    let expected = first(&mut answer, "an integer")?;
    if small(expected.text).is_none() {
        return Err(Refusal::Answer(not("an integer", expected, not_an_integer(expected.text, i32::BITS))));
    }
    let found = counterpart(expected, &mut output)?;
    if small(found.text).is_none() && is_integer(found.text) {
        return Err(Refusal::Output(not("an integer", found, not_an_integer(found.text, i32::BITS))));
    }
    differ_unless(expected.text == found.text, expected, found)?;
    end(output)
}

/// One integer of any length, and nothing else in the answer either.
pub(crate) fn huge<'a>(mut answer: Words<'a>, mut output: Words<'a>) -> Result<(), Refusal<'a>> {
    let expected = first(&mut answer, "an integer")?;
    let found = counterpart(expected, &mut output)?;
    if !is_integer(expected.text) {
        return Err(Refusal::Answer(not("an integer", expected, not_an_integer(expected.text, i64::BITS))));
    }
    if let Some(second) = answer.next() {
        return Err(Refusal::Answer(not("nothing after the integer", second, "")));
    }
    differ_unless(expected.text == found.text, expected, found)?;
    end(output)
}

/// One answer of yes or no.
pub(crate) fn yes_or_no<'a>(mut answer: Words<'a>, mut output: Words<'a>) -> Result<(), Refusal<'a>> {
    let expected = first(&mut answer, "YES or NO")?;
    let found = counterpart(expected, &mut output)?;
    if !is_yes_or_no(expected.text) {
        return Err(Refusal::Answer(not("YES or NO", expected, "")));
    }
    differ_unless(expected.text.eq_ignore_ascii_case(found.text), expected, found)?;
    end(output)
}

/// The first word of the answer, which must have one.
pub(crate) fn first<'a>(answer: &mut Words<'a>, what: &str) -> Result<Token<'a>, Refusal<'a>> {
    answer.next().ok_or_else(|| Refusal::Answer(Fault::End(what.to_owned())))
}

/// The output's word for one of the answer.
pub(crate) fn counterpart<'a>(expected: Token<'a>, output: &mut Words<'a>) -> Result<Token<'a>, Refusal<'a>> {
    output.next().ok_or(Refusal::Departure(Departure::Missing(expected)))
}

/// Refuses two words that are not the same.
pub(crate) fn differ_unless<'a>(same: bool, expected: Token<'a>, found: Token<'a>) -> Result<(), Refusal<'a>> {
    if same { Ok(()) } else { Err(Departure::Different(expected, found).into()) }
}

/// Refuses an output that goes on.
pub(crate) fn end(mut output: Words<'_>) -> Result<(), Refusal<'_>> {
    output.next().map_or(Ok(()), |extra| Err(Departure::Extra(extra).into()))
}
