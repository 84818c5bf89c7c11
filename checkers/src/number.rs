//! What counts as a number, and how far two of them are apart.

/// The value of a token that is a decimal; infinite if it is beyond the range of 64-bit floats.
pub(crate) fn read(token: &[u8]) -> Option<f64> {
    if !is_decimal(token) {
        return None;
    }
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// As [`read`], and a plus sign may stand before the digits: the numbers of the package format and of testlib.
pub(crate) fn read_signed(token: &[u8]) -> Option<f64> {
    match token.strip_prefix(b"+") {
        Some([b'-', ..]) => None,
        Some(unsigned) => read(unsigned),
        None => read(token),
    }
}

/// Whether a token is a decimal: `-12`, `0.5`, `.5`, `5.`, `1e-9`. The standard parser takes more (`+5`,
/// `inf`, `nan`), all of which a contest calls wrong.
fn is_decimal(token: &[u8]) -> bool {
    let unsigned = token.strip_prefix(b"-").unwrap_or(token);
    let (whole, rest) = split_digits(unsigned);
    let (fraction, rest) = rest.strip_prefix(b".").map_or((&[][..], rest), split_digits);
    (!whole.is_empty() || !fraction.is_empty()) && (rest.is_empty() || is_exponent(rest))
}

/// `e5`, `E-05`, `e+5`.
fn is_exponent(text: &[u8]) -> bool {
    let [b'e' | b'E', rest @ ..] = text else { return false };
    let digits = rest.strip_prefix(b"-").or_else(|| rest.strip_prefix(b"+")).unwrap_or(rest);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// The digits at the start, and what follows them.
fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len()))
}

/// The value of a token that is an integer of at most 128 bits.
fn read_integer(token: &[u8]) -> Option<i128> {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(token).ok()?.parse().ok()
}

/// How far two numbers are apart, and how much of that may come from reading them as floats.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Distance {
    pub(crate) error: f64,
    pub(crate) rounding: f64,
}

/// Measures two tokens; nothing if one is not a number or lies beyond the range of floats.
///
/// Integers are subtracted as integers: as floats, 9007199254740993 and 9007199254740992 are the same.
pub(crate) fn distance(a: &[u8], b: &[u8]) -> Option<Distance> {
    let (x, y) = (in_range(a)?, in_range(b)?);
    if let (Some(m), Some(n)) = (read_integer(a), read_integer(b)) {
        return Some(Distance { error: m.abs_diff(n) as f64, rounding: 0.0 });
    }
    Some(Distance { error: (x - y).abs(), rounding: f64::EPSILON * x.abs().max(y.abs()) })
}

/// The value of a token that is a number within the range of floats.
pub(crate) fn in_range(token: &[u8]) -> Option<f64> {
    read(token).filter(|value| value.is_finite())
}
