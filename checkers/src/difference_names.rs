//! Names the differences between tokens that look alike.

use crate::number_parser;

/// Maximum length of decimals that are the same number exactly if their floats are equal.
const MAX_EXACT_CHARS: usize = 15;
/// The byte order mark that some editors and systems put before UTF-8 text.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub(crate) fn name_difference(expected: &[u8], found: &[u8]) -> Option<&'static str> {
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

/// Returns true if both tokens are the same number in different notation: `17` and `17.0`, `+17`, `017`.
fn is_same_number(expected: &[u8], found: &[u8]) -> bool {
    let found = found.strip_prefix(b"+").unwrap_or(found);
    if expected.len().max(found.len()) > MAX_EXACT_CHARS {
        return false;
    }
    let (a, b) = (number_parser::parse_finite(expected), number_parser::parse_finite(found));
    a.zip(b).is_some_and(|(a, b)| (a - b).abs() <= 0.0)
}
