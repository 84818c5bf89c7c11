//! The checker of multisets of integers.

use super::fault::{Fault, Refusal, Words};
use super::values::read_integer;
use crate::compare::Departure;
use crate::show::numbered;
use crate::text::Token;

/// Integers of 64 bits, each as often, in any order.
pub(crate) fn integers<'a>(answer: Words<'a>, output: Words<'a>) -> Result<(), Refusal<'a>> {
    let expected = sorted(answer).map_err(Refusal::Answer)?;
    let found = sorted(output).map_err(Refusal::Output)?;
    let is_same = |((a, _), (b, _)): (&(i64, Token<'_>), &(i64, Token<'_>))| a == b;
    if expected.len() == found.len() && expected.iter().zip(&found).all(is_same) {
        return Ok(());
    }
    Err(unmatched(&expected, &found))
}

/// The integers of a text in increasing order, each with its token; equal ones stay in the order of the text.
fn sorted(words: Words<'_>) -> Result<Vec<(i64, Token<'_>)>, Fault<'_>> {
    let mut integers = words.map(|token| Ok((read_integer(token)?, token))).collect::<Result<Vec<_>, _>>()?;
    integers.sort_by_key(|(value, _)| *value);
    Ok(integers)
}

/// Tells the first number of the output that the answer does not have so often, or else what is missing.
fn unmatched<'a>(expected: &[(i64, Token<'a>)], found: &[(i64, Token<'a>)]) -> Refusal<'a> {
    let (missing, extra) = (surplus(expected, found), surplus(found, expected));
    let counts = format!("{} missing, {} too many", numbered(missing.len(), "number"), extra.len());
    match (extra.iter().min_by_key(|(_, token)| token.start), missing.iter().min_by_key(|(_, token)| token.start)) {
        (Some((value, token)), _) => {
            Refusal::Output(Fault::Token(*token, format!("{value} is not expected ({counts})")))
        }
        (None, Some((_, token))) if found.is_empty() => Departure::Missing(*token).into(),
        (None, Some((value, _))) => Refusal::Output(Fault::Whole(format!("{value} is missing ({counts})"))),
        (None, None) => Refusal::Output(Fault::Whole(counts)),
    }
}

/// What the first sequence has more often than the second; both are sorted.
fn surplus<'a>(many: &[(i64, Token<'a>)], few: &[(i64, Token<'a>)]) -> Vec<(i64, Token<'a>)> {
    let mut few = few.iter().map(|(value, _)| *value).peekable();
    let mut is_matched = |value: i64| {
        while few.next_if(|other| *other < value).is_some() {}
        few.next_if_eq(&value).is_some()
    };
    many.iter().filter(|(value, _)| !is_matched(*value)).copied().collect()
}
