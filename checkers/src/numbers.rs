//! The checker for real numbers: token by token, numbers within a tolerance.

use crate::judgement::Judgement;
use crate::number_parser::{self, NumberDistance};
use crate::printable;
use crate::token_comparison::{TextPair, TokenDifference, build_mismatch, first_difference, name_word_difference};

/// Compares token by token, by value if the answer has a number.
pub(crate) fn check_numbers(answer: &[u8], output: &[u8], absolute: f64, relative: f64) -> Judgement {
    let same = |a: &[u8], b: &[u8]| is_same_token(a, b, absolute, relative);
    let Some(difference) = first_difference(answer, output, same) else { return Judgement::Accepted };
    if let TokenDifference::Different(a, b) = difference
        && let Some(reason) = unjudgeable_reason(a.text, b.text)
    {
        return Judgement::Failed(reason);
    }
    let name = |a: &[u8], b: &[u8]| name_number_difference(a, b, absolute, relative);
    Judgement::Wrong(build_mismatch(TextPair::new(answer, output), difference, same, name))
}

/// Returns true if a token of the output is close enough to that of the answer.
pub(crate) fn is_same_token(expected: &[u8], found: &[u8], absolute: f64, relative: f64) -> bool {
    expected == found || is_near(expected, found, absolute, relative)
}

/// Returns true if both tokens are numbers and close to each other.
fn is_near(expected: &[u8], found: &[u8], absolute: f64, relative: f64) -> bool {
    let Some(value) = number_parser::parse_finite(expected) else { return false };
    let Some(NumberDistance { error, rounding }) = number_parser::number_distance(expected, found) else {
        return false;
    };
    error <= absolute.max(relative * value.abs()) + rounding
}

/// Returns why no output can be compared with this token of the answer, or `None` if it can.
fn unjudgeable_reason(expected: &[u8], found: &[u8]) -> Option<String> {
    let shown = printable::format_token(expected);
    let too_large = number_parser::parse_decimal(expected).is_some_and(f64::is_infinite)
        && number_parser::parse_decimal(found).is_some();
    if too_large {
        return Some(format!("the answer contains {shown}, which is beyond the range of 64-bit floats"));
    }
    is_nan(expected).then(|| format!("the answer contains {shown}, to which no number is close"))
}

/// Returns true for the forms in which C and related languages print the result of 0/0. `inf` is not among them: as a
/// word, it is a reasonable answer.
fn is_nan(token: &[u8]) -> bool {
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    unsigned.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"nan"))
        && matches!(unsigned.get(3), None | Some(b'('))
}

/// Returns the name of the difference: the error, or why the found token is not a number.
fn name_number_difference(expected: &[u8], found: &[u8], absolute: f64, relative: f64) -> Option<String> {
    let Some(value) = number_parser::parse_decimal(expected) else { return name_word_difference(expected, found) };
    if number_parser::parse_decimal(found).is_none() {
        return Some(format!(": {}", describe_malformed_number(found)));
    }
    let Some(NumberDistance { error, .. }) = number_parser::number_distance(expected, found) else {
        return Some(": beyond the range of 64-bit floats".to_owned());
    };
    Some(error_phrase(error, value.abs(), absolute, relative))
}

/// Describes an error by the tolerances that it exceeds: both, unless one of them is zero or the answer is.
pub(crate) fn error_phrase(error: f64, size: f64, absolute: f64, relative: f64) -> String {
    let phrase = |kind: &str, error: f64, tolerance: f64| {
        let (error, tolerance) =
            (printable::format_error_above(error, tolerance), printable::format_tolerance(tolerance));
        format!(", {kind} error {error} > {tolerance}")
    };
    let is_relative = size > 0.0 && (relative > 0.0 || absolute <= 0.0);
    let by_absolute = (absolute > 0.0 || !is_relative).then(|| phrase("absolute", error, absolute));
    let by_relative = is_relative.then(|| phrase("relative", error / size, relative));
    [by_absolute, by_relative].into_iter().flatten().collect()
}

/// Returns what is wrong with the format of a token that should be a number.
pub(crate) fn describe_malformed_number(found: &[u8]) -> &'static str {
    let is_number = |text: &[u8]| number_parser::parse_decimal(text).is_some();
    let without = |unwanted: u8| found.iter().copied().filter(|&byte| byte != unwanted).collect::<Vec<u8>>();
    let commas_as_points: Vec<u8> = found.iter().map(|&byte| if byte == b',' { b'.' } else { byte }).collect();
    match found {
        [b'+', rest @ ..] if is_number(rest) => "number format: a plus sign",
        [b'0', b'x' | b'X', ..] | [b'-', b'0', b'x' | b'X', ..] => "number format: hexadecimal",
        _ if found.contains(&b',') && is_number(&commas_as_points) => "number format: a decimal comma",
        _ if found.contains(&b',') && is_number(&without(b',')) => "number format: thousands separators",
        _ if found.contains(&b'_') && is_number(&without(b'_')) => "number format: thousands separators",
        _ => "not a number",
    }
}
