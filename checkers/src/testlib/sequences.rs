//! The checkers of sequences: as many values, in the same order.

use super::fault::{Refusal, Words};
use super::reals::Real;
use super::single::{counterpart, differ_unless, end};
use super::values::{integer, is_yes_or_no, not, read_integer, read_real};
use crate::compare::{Departure, depart_tokens};

/// Words.
pub(crate) fn words<'a>(answer: Words<'a>, output: Words<'a>) -> Result<(), Refusal<'a>> {
    depart_tokens(answer, output, |a, b| a == b).map_or(Ok(()), |departure| Err(departure.into()))
}

/// Integers of 64 bits. Where the output has ended, the rest of the answer is still read.
pub(crate) fn integers<'a>(mut answer: Words<'a>, mut output: Words<'a>) -> Result<(), Refusal<'a>> {
    loop {
        match (answer.next(), output.next()) {
            (Some(expected), Some(found)) => {
                let value = read_integer(expected).map_err(Refusal::Answer)?;
                differ_unless(integer(found.text) == Some(value), expected, found)?;
            }
            (Some(first), None) => {
                let mut rest = std::iter::once(first).chain(answer);
                rest.try_for_each(|token| read_integer(token).map(|_| ())).map_err(Refusal::Answer)?;
                return Err(Departure::Missing(first).into());
            }
            (None, Some(extra)) => return Err(Departure::Extra(extra).into()),
            (None, None) => return Ok(()),
        }
    }
}

/// Answers of yes or no. Where one text has ended, what is left of the other may be anything.
pub(crate) fn yes_or_no<'a>(answer: Words<'a>, mut output: Words<'a>) -> Result<(), Refusal<'a>> {
    for expected in answer {
        let found = counterpart(expected, &mut output)?;
        if !is_yes_or_no(expected.text) {
            return Err(Refusal::Answer(not("YES or NO", expected, "")));
        }
        differ_unless(expected.text.eq_ignore_ascii_case(found.text), expected, found)?;
    }
    end(output)
}

/// Real numbers.
pub(crate) fn reals<'a>(answer: Words<'a>, mut output: Words<'a>, real: Real) -> Result<(), Refusal<'a>> {
    for expected in answer {
        read_real(expected).map_err(Refusal::Answer)?;
        let found = counterpart(expected, &mut output)?;
        differ_unless(real.same(expected.text, found.text), expected, found)?;
    }
    end(output)
}
