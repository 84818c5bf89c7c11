//! The checkers of sequences: the same number of values, in the same order.

use super::lines::{ReadFault, TestlibRefusal, TestlibWords};
use super::single_value::{RealComparison, first_answer_word, next_output_word, require_end, require_same};
use super::word_values::{is_yes_or_no, parse_integer, read_integer, read_real, unexpected_token};
use crate::token_comparison::{TokenDifference, first_token_difference};
use crate::tokenizer::Token;
use crate::{number_parser, printable};
use rebut_diagnostics::count_with_noun;

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

// Testlib's two examples of checkers with points: the difference of two numbers.
//
// There are no points here, only accepted or wrong. An output is accepted if it gets the points of the answer itself:
// a difference of zero.

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

// The checker of multisets of integers.

/// Compares two multisets of 64-bit integers.
pub(crate) fn check_integer_multiset<'a>(
    answer: TestlibWords<'a>,
    output: TestlibWords<'a>,
) -> Result<(), TestlibRefusal<'a>> {
    let expected = sorted_integers(answer).map_err(TestlibRefusal::Answer)?;
    let found = sorted_integers(output).map_err(TestlibRefusal::Output)?;
    let is_same = |((a, _), (b, _)): (&(i64, Token<'_>), &(i64, Token<'_>))| a == b;
    if expected.len() == found.len() && expected.iter().zip(&found).all(is_same) {
        return Ok(());
    }
    Err(describe_unmatched(&expected, &found))
}

/// Returns the integers of a text in increasing order, each with its token; equal ones keep their order.
fn sorted_integers(words: TestlibWords<'_>) -> Result<Vec<(i64, Token<'_>)>, ReadFault<'_>> {
    let mut integers = words.map(|token| Ok((read_integer(token)?, token))).collect::<Result<Vec<_>, _>>()?;
    integers.sort_by_key(|(value, _)| *value);
    Ok(integers)
}

/// Describes the first number that the output has too often, or else one that is missing.
fn describe_unmatched<'a>(expected: &[(i64, Token<'a>)], found: &[(i64, Token<'a>)]) -> TestlibRefusal<'a> {
    let (missing, extra) = (multiset_difference(expected, found), multiset_difference(found, expected));
    let counts = format!("{} missing, {} too many", count_with_noun(missing.len(), "number"), extra.len());
    match (extra.iter().min_by_key(|(_, token)| token.start), missing.iter().min_by_key(|(_, token)| token.start)) {
        (Some((value, token)), _) => {
            TestlibRefusal::Output(ReadFault::Token(*token, format!("{value} is not expected ({counts})")))
        }
        (None, Some((_, token))) if found.is_empty() => TokenDifference::Missing(*token).into(),
        (None, Some((value, _))) => TestlibRefusal::Output(ReadFault::Whole(format!("{value} is missing ({counts})"))),
        (None, None) => TestlibRefusal::Output(ReadFault::Whole(counts)),
    }
}

/// Returns the elements that the first sequence has more often than the second; both are sorted.
fn multiset_difference<'a>(many: &[(i64, Token<'a>)], few: &[(i64, Token<'a>)]) -> Vec<(i64, Token<'a>)> {
    debug_assert!(many.is_sorted_by_key(|(value, _)| *value), "elements are read in increasing order");
    debug_assert!(few.is_sorted_by_key(|(value, _)| *value), "elements are read in increasing order");
    let mut few = few.iter().map(|(value, _)| *value).peekable();
    let mut is_matched = |value: i64| {
        while few.next_if(|other| *other < value).is_some() {}
        few.next_if_eq(&value).is_some()
    };
    many.iter().filter(|(value, _)| !is_matched(*value)).copied().collect()
}
