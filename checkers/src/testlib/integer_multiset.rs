//! The checker of multisets of integers.

use super::refusal::{ReadFault, TestlibRefusal, TestlibWords};
use super::word_values::read_integer;
use crate::token_comparison::TokenDifference;
use crate::tokenizer::Token;
use rebut_diagnostics::count_with_noun;

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
