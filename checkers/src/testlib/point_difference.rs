//! Testlib's two examples of checkers with points: the difference of two numbers.
//!
//! There are no points here, only accepted or wrong. An output is accepted if it gets the points of the answer itself:
//! a difference of zero.

use super::real_comparison::RealComparison;
use super::refusal::{ReadFault, TestlibRefusal, TestlibWords};
use super::single_value::{first_answer_word, next_output_word, require_end, require_same};
use super::word_values::{read_real, unexpected_token};
use crate::number_parser;
use crate::printable;

/// Maximum points; more are an error of the checker.
const MAX_POINTS: f64 = 1e6 + 1e-8;

/// Compares one number. Its difference from the answer's is the points, which must be between 0 and a million.
pub(crate) fn check_points<'a>(
    mut answer: TestlibWords<'a>,
    mut output: TestlibWords<'a>,
) -> Result<(), TestlibRefusal<'a>> {
    let expected = first_answer_word(&mut answer, "a number")?;
    let value = read_real(expected).map_err(TestlibRefusal::Answer)?;
    let found = next_output_word(expected, &mut output)?;
    let Some(other) = number_parser::parse_signed_decimal(found.text) else {
        return require_same(false, expected, found);
    };
    let points = (value - other).abs();
    if points.is_nan() || points > MAX_POINTS {
        let shown = printable::format_shortest(points);
        let what = format!("the difference is {shown}, but points must be between 0 and 1000000");
        return Err(TestlibRefusal::Answer(ReadFault::Whole(what)));
    }
    require_same(RealComparison::Equal.is_near(value, other), expected, found)?;
    require_end(output)
}

/// Compares one number. The output is read first, so if both are malformed, the output is rejected.
pub(crate) fn check_points_info<'a>(
    mut answer: TestlibWords<'a>,
    mut output: TestlibWords<'a>,
) -> Result<(), TestlibRefusal<'a>> {
    let found = output.next().ok_or_else(|| TestlibRefusal::Output(ReadFault::End("a number".to_owned())))?;
    let other = number_parser::parse_signed_decimal(found.text)
        .ok_or_else(|| TestlibRefusal::Output(unexpected_token("a number", found, "")))?;
    let expected = first_answer_word(&mut answer, "a number")?;
    let value = read_real(expected).map_err(TestlibRefusal::Answer)?;
    require_same(RealComparison::Equal.is_near(value, other), expected, found)?;
    require_end(output)
}
