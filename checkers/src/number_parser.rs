//! The grammar of numbers, and the distance between two of them.

/// Returns the value of a token that is a decimal; infinite if it is beyond the range of 64-bit floats.
pub(crate) fn parse_decimal(token: &[u8]) -> Option<f64> {
    if !is_decimal(token) {
        return None;
    }
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// Like [`parse_decimal`], but accepts a plus sign before the digits, as the package format and testlib do.
pub(crate) fn parse_signed_decimal(token: &[u8]) -> Option<f64> {
    match token.strip_prefix(b"+") {
        Some([b'-', ..]) => None,
        Some(unsigned) => parse_decimal(unsigned),
        None => parse_decimal(token),
    }
}

/// Returns true if a token is a decimal: `-12`, `0.5`, `.5`, `5.`, `1e-9`. The standard parser also accepts `+5`, `inf`
/// and `nan`, which are wrong in a contest.
fn is_decimal(token: &[u8]) -> bool {
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    let (whole, rest) = split_digits(unsigned);
    let (fraction, rest) = rest.strip_prefix(b".").map_or((&[][..], rest), split_digits);
    (!whole.is_empty() || !fraction.is_empty()) && (rest.is_empty() || is_exponent(rest))
}

/// Returns true for `e5`, `E-05`, `e+5`.
fn is_exponent(text: &[u8]) -> bool {
    let [b'e' | b'E', rest @ ..] = text else { return false };
    let digits = rest.strip_prefix(b"-").or_else(|| rest.strip_prefix(b"+")).unwrap_or(rest);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Splits off the digits at the start.
fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len()))
}

/// Returns the value of a token that is an integer of at most 128 bits.
fn parse_integer(token: &[u8]) -> Option<i128> {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// The distance between two numbers, and the part of it that may be due to parsing them as floats.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberDistance {
    pub(crate) error: f64,
    pub(crate) rounding: f64,
}

/// Returns the distance between two tokens, or `None` if one is not a number or is beyond the range of floats.
///
/// Integers are subtracted as integers: as floats, 9007199254740993 and 9007199254740992 are equal.
pub(crate) fn number_distance(a: &[u8], b: &[u8]) -> Option<NumberDistance> {
    let (x, y) = (parse_finite(a)?, parse_finite(b)?);
    if let (Some(m), Some(n)) = (parse_integer(a), parse_integer(b)) {
        return Some(NumberDistance { error: m.abs_diff(n) as f64, rounding: 0.0 });
    }
    Some(NumberDistance { error: (x - y).abs(), rounding: f64::EPSILON * x.abs().max(y.abs()) })
}

/// Returns the value of a token that is a number within the range of floats.
pub(crate) fn parse_finite(token: &[u8]) -> Option<f64> {
    parse_decimal(token).filter(|value| value.is_finite())
}

/// Returns an error message for a tolerance that accepts nearly everything, such as `1e6` in place of `1e-6`. An absolute one
/// can be 1 or more where answers are large.
pub(crate) fn require_small_tolerance(tolerance: f64, text: &str) -> Result<(), String> {
    if tolerance < 1.0 { Ok(()) } else { Err(format!("expected a tolerance below 1, such as `1e-6`, not `{text}`")) }
}
