//! The checkers of sequences: the same number of values, in the same order.

use super::real_comparison::RealComparison;
use super::refusal::{TestlibRefusal, TestlibWords};
use super::single_value::{next_output_word, require_end, require_same};
use super::word_values::{is_yes_or_no, parse_integer, read_integer, read_real, unexpected_token};
use crate::token_comparison::{TokenDifference, first_token_difference};

/// Compares words.
pub(crate) fn check_words<'a>(answer: TestlibWords<'a>, output: TestlibWords<'a>) -> Result<(), TestlibRefusal<'a>> {
    first_token_difference(answer, output, |a, b| a == b).map_or(Ok(()), |difference| Err(difference.into()))
}

/// Compares 64-bit integers. After the end of the output, the rest of the answer is still read.
pub(crate) fn check_integers<'a>(
    mut answer: TestlibWords<'a>,
    mut output: TestlibWords<'a>,
) -> Result<(), TestlibRefusal<'a>> {
    loop {
        match (answer.next(), output.next()) {
            (Some(expected), Some(found)) => {
                let value = read_integer(expected).map_err(TestlibRefusal::Answer)?;
                require_same(parse_integer(found.text) == Some(value), expected, found)?;
            }
            (Some(first), None) => {
                let mut rest = std::iter::once(first).chain(answer);
                rest.try_for_each(|token| read_integer(token).map(|_| ())).map_err(TestlibRefusal::Answer)?;
                return Err(TokenDifference::Missing(first).into());
            }
            (None, Some(extra)) => return Err(TokenDifference::Extra(extra).into()),
            (None, None) => return Ok(()),
        }
    }
}

/// Compares a sequence of `YES` or `NO`. After the end of one text, the rest of the other is not validated.
pub(crate) fn check_yes_or_no_sequence<'a>(
    answer: TestlibWords<'a>,
    mut output: TestlibWords<'a>,
) -> Result<(), TestlibRefusal<'a>> {
    for expected in answer {
        let found = next_output_word(expected, &mut output)?;
        if !is_yes_or_no(expected.text) {
            return Err(TestlibRefusal::Answer(unexpected_token("YES or NO", expected, "")));
        }
        require_same(expected.text.eq_ignore_ascii_case(found.text), expected, found)?;
    }
    require_end(output)
}

/// Compares real numbers.
pub(crate) fn check_reals<'a>(
    answer: TestlibWords<'a>,
    mut output: TestlibWords<'a>,
    real: RealComparison,
) -> Result<(), TestlibRefusal<'a>> {
    for expected in answer {
        read_real(expected).map_err(TestlibRefusal::Answer)?;
        let found = next_output_word(expected, &mut output)?;
        require_same(real.is_same_token(expected.text, found.text), expected, found)?;
    }
    require_end(output)
}
