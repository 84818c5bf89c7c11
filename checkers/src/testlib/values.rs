//! What a word must be to be a number, or an answer of yes or no.

use super::fault::Fault;
use crate::compare::name_words;
use crate::number;
use crate::show;
use crate::text::Token;

/// The integer of 64 bits that a word is: without a plus sign, without zeros at its start, and zero without a minus.
pub(crate) fn integer(word: &[u8]) -> Option<i64> {
    if is_integer(word) { std::str::from_utf8(word).ok()?.parse().ok() } else { None }
}

/// Whether a word is an integer of any length in the one spelling that it has.
pub(crate) fn is_integer(word: &[u8]) -> bool {
    match word.strip_prefix(b"-").unwrap_or(word) {
        [b'0'] => word.len() == 1,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Whether a word is an answer of yes or no.
pub(crate) fn is_yes_or_no(word: &[u8]) -> bool {
    word.eq_ignore_ascii_case(b"YES") || word.eq_ignore_ascii_case(b"NO")
}

/// The integer of a text that must have one here.
pub(crate) fn read_integer(token: Token<'_>) -> Result<i64, Fault<'_>> {
    integer(token.text).ok_or_else(|| not("an integer", token, not_an_integer(token.text, i64::BITS)))
}

/// The real number of a text that must have one here; infinite if it is beyond the range of 64-bit floats.
pub(crate) fn read_real(token: Token<'_>) -> Result<f64, Fault<'_>> {
    number::read_signed(token.text).ok_or_else(|| not("a number", token, ""))
}

/// A token that is not what is expected, and the reason if it is not plain.
pub(crate) fn not<'a>(expected: &str, token: Token<'a>, reason: &str) -> Fault<'a> {
    let found = show::token(token.text);
    Fault::Token(
        token,
        match reason {
            "" => format!("expected {expected}, found {found}"),
            _ => format!("expected {expected}, found {found}: {reason}"),
        },
    )
}

/// The name of the difference of two integers, or why the second is none.
pub(crate) fn name_integers(expected: &[u8], found: &[u8]) -> Option<String> {
    if !is_integer(found) {
        let reason = not_an_integer(found, i64::BITS);
        return Some(format!(": {}", if reason.is_empty() { "not an integer" } else { reason }));
    }
    if is_integer(expected) && integer(expected).is_some() && integer(found).is_none() {
        return Some(": more than 64 bits".to_owned());
    }
    name_words(expected, found)
}

/// What is wrong with the spelling or the size of what should be an integer of so many bits, if it can be told.
pub(crate) fn not_an_integer(found: &[u8], bits: u32) -> &'static str {
    let is_digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    match found {
        b"-0" => "number format: zero with a sign",
        [b'+', rest @ ..] if is_integer(rest) => "number format: a plus sign",
        [b'0', rest @ ..] | [b'-', b'0', rest @ ..] if is_digits(rest) => "number format: a zero at its start",
        _ if is_integer(found) && bits == i32::BITS => "more than 32 bits",
        _ if is_integer(found) => "more than 64 bits",
        _ if number::read_signed(found).is_some() => "number format: not that of an integer",
        _ => "",
    }
}

/// Why a word is no answer of yes or no, if it is none.
pub(crate) fn name_answers(found: &[u8]) -> Option<String> {
    (!is_yes_or_no(found)).then(|| ": neither YES nor NO".to_owned())
}
