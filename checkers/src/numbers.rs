//! The checker for real numbers: token by token, numbers within a tolerance.

use crate::compare::{Departure, Texts, depart, mismatch, name_words};
use crate::judgement::Judgement;
use crate::number::{self, Distance};
use crate::show;

/// Judges token by token, by value where the answer has a number.
pub(crate) fn check(answer: &[u8], output: &[u8], absolute: f64, relative: f64) -> Judgement {
    let same = |a: &[u8], b: &[u8]| same(a, b, absolute, relative);
    let Some(departure) = depart(answer, output, same) else { return Judgement::Accepted };
    if let Departure::Different(a, b) = departure
        && let Some(reason) = unjudgeable(a.text, b.text)
    {
        return Judgement::Failed(reason);
    }
    let name = |a: &[u8], b: &[u8]| name(a, b, absolute, relative);
    Judgement::Wrong(mismatch(Texts::new(answer, output), departure, same, name))
}

/// Whether a token of the output is near enough to that of the answer.
pub(crate) fn same(expected: &[u8], found: &[u8], absolute: f64, relative: f64) -> bool {
    expected == found || is_near(expected, found, absolute, relative)
}

/// Whether both tokens are numbers, near each other.
fn is_near(expected: &[u8], found: &[u8], absolute: f64, relative: f64) -> bool {
    let Some(value) = number::in_range(expected) else { return false };
    let Some(Distance { error, rounding }) = number::distance(expected, found) else { return false };
    error <= absolute.max(relative * value.abs()) + rounding
}

/// Why no output could be measured against this token of the answer, if so.
fn unjudgeable(expected: &[u8], found: &[u8]) -> Option<String> {
    let shown = show::token(expected);
    let too_large = number::read(expected).is_some_and(f64::is_infinite) && number::read(found).is_some();
    if too_large {
        return Some(format!("the answer holds {shown}, which is beyond the range of 64-bit floats"));
    }
    is_nan(expected).then(|| format!("the answer holds {shown}, which no number is near"))
}

/// The ways in which C and its kin print the result of 0/0. An `inf` is left alone: as a word, it is a
/// reasonable answer.
fn is_nan(token: &[u8]) -> bool {
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    unsigned.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"nan"))
        && matches!(unsigned.get(3), None | Some(b'('))
}

/// The name of the difference: by how much, or why the found token is not a number.
fn name(expected: &[u8], found: &[u8], absolute: f64, relative: f64) -> Option<String> {
    let Some(value) = number::read(expected) else { return name_words(expected, found) };
    if number::read(found).is_none() {
        return Some(format!(": {}", not_a_number(found)));
    }
    let Some(Distance { error, .. }) = number::distance(expected, found) else {
        return Some(": beyond the range of 64-bit floats".to_owned());
    };
    Some(excess(error, value.abs(), absolute, relative))
}

/// By which of both tolerances an error is spoken of: the wider one for this answer. A single tolerance
/// given for both is read as relative, as long as there is something to relate to.
pub(crate) fn excess(error: f64, size: f64, absolute: f64, relative: f64) -> String {
    let apart = absolute.total_cmp(&relative).is_ne();
    if size <= 0.0 || (apart && absolute > relative * size) {
        format!(", absolute error {} > {}", show::error_above(error, absolute), show::tolerance(absolute))
    } else {
        format!(", relative error {} > {}", show::error_above(error / size, relative), show::tolerance(relative))
    }
}

/// What is wrong with the spelling of a token that should be a number.
pub(crate) fn not_a_number(found: &[u8]) -> &'static str {
    let is_number = |text: &[u8]| number::read(text).is_some();
    let without = |unwanted: u8| found.iter().copied().filter(|&byte| byte != unwanted).collect::<Vec<u8>>();
    let commas_as_points: Vec<u8> = found.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect();
    match found {
        [b'+', rest @ ..] if is_number(rest) => "number format: a plus sign",
        [b'0', b'x' | b'X', ..] | [b'-', b'0', b'x' | b'X', ..] => "number format: hexadecimal",
        _ if found.contains(&b',') && is_number(&commas_as_points) => "number format: a comma for a point",
        _ if found.contains(&b',') && is_number(&without(b',')) => "number format: thousands set apart",
        _ if found.contains(&b'_') && is_number(&without(b'_')) => "number format: thousands set apart",
        _ => "not a number",
    }
}
