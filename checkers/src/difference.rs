//! Names for the ways in which two tokens differ and yet look alike.

use crate::number;

/// Decimals of so few characters are the same number exactly when their floats are equal.
const EXACT_CHARS_MAX: usize = 15;
/// The mark that some editors and systems put before UTF-8 text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The name of the difference, if it has one.
pub(crate) fn name(expected: &[u8], found: &[u8]) -> Option<&'static str> {
    if expected.eq_ignore_ascii_case(found) {
        Some("differs only in case")
    } else if found.strip_prefix(BYTE_ORDER_MARK) == Some(expected) {
        Some("starts with a byte order mark")
    } else if found.iter().filter(|byte| !byte.is_ascii_control()).eq(expected) {
        Some("differs only in control characters")
    } else if is_same_number(expected, found) {
        Some("differs only in number format")
    } else {
        None
    }
}

/// Whether both tokens are one number, written in two ways: `17` and `17.0`, `+17`, `017`.
fn is_same_number(expected: &[u8], found: &[u8]) -> bool {
    let found = found.strip_prefix(b"+").unwrap_or(found);
    if expected.len().max(found.len()) > EXACT_CHARS_MAX {
        return false;
    }
    let (a, b) = (number::in_range(expected), number::in_range(found));
    a.zip(b).is_some_and(|(a, b)| (a - b).abs() <= 0.0)
}
