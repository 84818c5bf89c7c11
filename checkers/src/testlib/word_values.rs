//! Parses words as integers, real numbers, or yes and no.

use super::lines::ReadFault;
use crate::token_comparison::name_word_difference;
use crate::tokenizer::Token;
use crate::{number_parser, printable};

/// Parses a 64-bit integer, without a plus sign, leading zeros or negative zero.
pub(crate) fn parse_integer(word: &[u8]) -> Option<i64> {
    if is_integer(word) { std::str::from_utf8(word).ok()?.parse().ok() } else { None }
}

/// Returns true if a word is an integer of any length in its canonical form.
pub(crate) fn is_integer(word: &[u8]) -> bool {
    match word.strip_prefix(b"-").unwrap_or(word) {
        [b'0'] => word.len() == 1,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Returns true if a word is `YES` or `NO`, ignoring case.
pub(crate) fn is_yes_or_no(word: &[u8]) -> bool {
    word.eq_ignore_ascii_case(b"YES") || word.eq_ignore_ascii_case(b"NO")
}

/// Reads a token that must be a 64-bit integer.
pub(crate) fn read_integer(token: Token<'_>) -> Result<i64, ReadFault<'_>> {
    parse_integer(token.text)
        .ok_or_else(|| unexpected_token("an integer", token, describe_malformed_integer(token.text, i64::BITS)))
}

/// Reads a token that must be a real number; infinite if it is beyond the range of 64-bit floats.
pub(crate) fn read_real(token: Token<'_>) -> Result<f64, ReadFault<'_>> {
    number_parser::parse_signed_decimal(token.text).ok_or_else(|| unexpected_token("a number", token, ""))
}

/// Returns the fault of a token that is not as expected, with a reason if that is not obvious.
pub(crate) fn unexpected_token<'a>(expected: &str, token: Token<'a>, reason: &str) -> ReadFault<'a> {
    let found = printable::format_token(token.text);
    ReadFault::Token(
        token,
        match reason {
            "" => format!("expected {expected}, found {found}"),
            _ => format!("expected {expected}, found {found}: {reason}"),
        },
    )
}

/// Returns the name of the difference between two integers, or why the second is not one.
pub(crate) fn name_integer_difference(expected: &[u8], found: &[u8]) -> Option<String> {
    if !is_integer(found) {
        let reason = describe_malformed_integer(found, i64::BITS);
        return Some(format!(": {}", if reason.is_empty() { "not an integer" } else { reason }));
    }
    if is_integer(expected) && parse_integer(expected).is_some() && parse_integer(found).is_none() {
        return Some(": more than 64 bits".to_owned());
    }
    name_word_difference(expected, found)
}

/// Returns what is wrong with the format or the size of a word that should be an integer of `bits` bits; empty if
/// unknown.
pub(crate) fn describe_malformed_integer(found: &[u8], bits: u32) -> &'static str {
    let is_digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    match found {
        b"-0" => "number format: zero with a sign",
        [b'+', rest @ ..] if is_integer(rest) => "number format: a plus sign",
        [b'0', rest @ ..] | [b'-', b'0', rest @ ..] if is_digits(rest) => "number format: a leading zero",
        _ if is_integer(found) && bits == i32::BITS => "more than 32 bits",
        _ if is_integer(found) => "more than 64 bits",
        _ if number_parser::parse_signed_decimal(found).is_some() => "number format: not an integer",
        _ => "",
    }
}

/// Returns why a word is neither yes nor no, if so.
pub(crate) fn name_yes_or_no_difference(found: &[u8]) -> Option<String> {
    (!is_yes_or_no(found)).then(|| ": neither YES nor NO".to_owned())
}
