//! The checkers of one value. The output must not contain anything else; the rest of the answer is not read.

use super::lines::{ReadFault, TestlibRefusal, TestlibWords};
use super::word_values::{
    describe_malformed_integer, is_integer, is_yes_or_no, parse_integer as integer_of, read_real, unexpected_token,
};
use crate::token_comparison::{TokenDifference, name_word_difference};
use crate::tokenizer::Token;
use crate::{number_parser, numbers, printable};

/// Compares one real number.
pub(crate) fn check_real<'a>(
    mut answer: TestlibWords<'a>,
    mut output: TestlibWords<'a>,
    real: RealComparison,
) -> Result<(), TestlibRefusal<'a>> {
    let expected = first_answer_word(&mut answer, "a number")?;
    let value = read_real(expected).map_err(TestlibRefusal::Answer)?;
    let found = next_output_word(expected, &mut output)?;
    let near = number_parser::parse_signed_decimal(found.text).is_some_and(|found| real.is_near(value, found));
    require_same(near, expected, found)?;
    require_end(output)
}

/// Compares one 32-bit integer.
pub(crate) fn check_integer<'a>(
    mut answer: TestlibWords<'a>,
    mut output: TestlibWords<'a>,
) -> Result<(), TestlibRefusal<'a>> {
    let small = |word: &[u8]| integer_of(word).and_then(|value| i32::try_from(value).ok());
    let expected = first_answer_word(&mut answer, "an integer")?;
    if small(expected.text).is_none() {
        return Err(TestlibRefusal::Answer(unexpected_token(
            "an integer",
            expected,
            describe_malformed_integer(expected.text, i32::BITS),
        )));
    }
    let found = next_output_word(expected, &mut output)?;
    if small(found.text).is_none() && is_integer(found.text) {
        return Err(TestlibRefusal::Output(unexpected_token(
            "an integer",
            found,
            describe_malformed_integer(found.text, i32::BITS),
        )));
    }
    require_same(expected.text == found.text, expected, found)?;
    require_end(output)
}

/// Compares one integer of any length. The answer must not contain anything else either.
pub(crate) fn check_long_integer<'a>(
    mut answer: TestlibWords<'a>,
    mut output: TestlibWords<'a>,
) -> Result<(), TestlibRefusal<'a>> {
    let expected = first_answer_word(&mut answer, "an integer")?;
    let found = next_output_word(expected, &mut output)?;
    if !is_integer(expected.text) {
        return Err(TestlibRefusal::Answer(unexpected_token(
            "an integer",
            expected,
            describe_malformed_integer(expected.text, i64::BITS),
        )));
    }
    if let Some(second) = answer.next() {
        return Err(TestlibRefusal::Answer(unexpected_token("nothing after the integer", second, "")));
    }
    require_same(expected.text == found.text, expected, found)?;
    require_end(output)
}

/// Compares one `YES` or `NO`.
pub(crate) fn check_yes_or_no<'a>(
    mut answer: TestlibWords<'a>,
    mut output: TestlibWords<'a>,
) -> Result<(), TestlibRefusal<'a>> {
    let expected = first_answer_word(&mut answer, "YES or NO")?;
    let found = next_output_word(expected, &mut output)?;
    if !is_yes_or_no(expected.text) {
        return Err(TestlibRefusal::Answer(unexpected_token("YES or NO", expected, "")));
    }
    require_same(expected.text.eq_ignore_ascii_case(found.text), expected, found)?;
    require_end(output)
}

/// Reads the first word of the answer, which must exist.
pub(crate) fn first_answer_word<'a>(
    answer: &mut TestlibWords<'a>,
    what: &str,
) -> Result<Token<'a>, TestlibRefusal<'a>> {
    answer.next().ok_or_else(|| TestlibRefusal::Answer(ReadFault::End(what.to_owned())))
}

/// Reads the output's word that corresponds to a word of the answer.
pub(crate) fn next_output_word<'a>(
    expected: Token<'a>,
    output: &mut TestlibWords<'a>,
) -> Result<Token<'a>, TestlibRefusal<'a>> {
    output.next().ok_or(TestlibRefusal::Difference(TokenDifference::Missing(expected)))
}

/// Returns an error if two words are not the same.
pub(crate) fn require_same<'a>(same: bool, expected: Token<'a>, found: Token<'a>) -> Result<(), TestlibRefusal<'a>> {
    if same { Ok(()) } else { Err(TokenDifference::Different(expected, found).into()) }
}

/// Returns an error if the output has more words.
pub(crate) fn require_end(mut output: TestlibWords<'_>) -> Result<(), TestlibRefusal<'_>> {
    output.next().map_or(Ok(()), |extra| Err(TokenDifference::Extra(extra).into()))
}

// Comparison of real numbers.

/// Numbers beyond this are infinite if relative errors are allowed.
const INFINITY_THRESHOLD: f64 = 1e300;

/// Added to every tolerance, for rounding errors.
const ROUNDING_SLACK: f64 = 1e-15;

/// A comparison of real numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RealComparison {
    /// By absolute error.
    Absolute(f64),
    /// By absolute or relative error, whichever is smaller.
    AbsoluteOrRelative(f64),
    /// By value.
    Equal,
}

impl RealComparison {
    /// Returns true if two words are numbers that are close to each other.
    pub(crate) fn is_same_token(self, expected: &[u8], found: &[u8]) -> bool {
        let values = number_parser::parse_signed_decimal(expected).zip(number_parser::parse_signed_decimal(found));
        values.is_some_and(|(expected, found)| self.is_near(expected, found))
    }

    /// Returns true if two numbers are close to each other. Infinities of the same sign are.
    pub(crate) fn is_near(self, expected: f64, found: f64) -> bool {
        let is_equal = expected.total_cmp(&found).is_eq();
        match self {
            Self::Absolute(tolerance) => is_equal || (expected - found).abs() <= tolerance + ROUNDING_SLACK,
            Self::AbsoluteOrRelative(tolerance) => is_within_tolerance(expected, found, tolerance + ROUNDING_SLACK),
            Self::Equal => is_equal || (expected - found).abs() <= 0.0,
        }
    }

    /// Returns the name of the difference between two numbers, or why the second is not a number.
    pub(crate) fn name_difference(self, expected: &[u8], found: &[u8]) -> Option<String> {
        let Some(value) = number_parser::parse_signed_decimal(expected) else {
            return name_word_difference(expected, found);
        };
        let Some(other) = number_parser::parse_signed_decimal(found) else {
            return Some(format!(": {}", numbers::describe_malformed_number(found)));
        };
        let error = (value - other).abs();
        match self {
            _ if value.is_infinite() || other.is_infinite() => Some(": beyond the range of 64-bit floats".to_owned()),
            Self::AbsoluteOrRelative(_) if value.abs().max(other.abs()) > INFINITY_THRESHOLD => {
                Some(": beyond 1e300, where only signs are compared".to_owned())
            }
            Self::Absolute(tolerance) => Some(numbers::error_phrase(error, value.abs(), tolerance, 0.0)),
            Self::AbsoluteOrRelative(tolerance) => {
                Some(numbers::error_phrase(error, value.abs(), tolerance, tolerance))
            }
            Self::Equal => Some(format!(", difference {}", printable::format_error(error))),
        }
    }
}

/// Returns true if a number is within the absolute or the relative error of another.
fn is_within_tolerance(expected: f64, found: f64, tolerance: f64) -> bool {
    if expected.abs() > INFINITY_THRESHOLD || found.abs() > INFINITY_THRESHOLD {
        return expected.abs() > INFINITY_THRESHOLD
            && found.abs() > INFINITY_THRESHOLD
            && (expected > 0.0) == (found > 0.0);
    }
    let (one, other) = (expected * (1.0 - tolerance), expected * (1.0 + tolerance));
    (found - expected).abs() <= tolerance || (one.min(other) <= found && found <= one.max(other))
}
