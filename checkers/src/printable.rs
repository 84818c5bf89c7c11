//! Formats bytes and numbers for messages.
//!
//! Outputs are treated as hostile: an escape sequence must not reach a terminal, and a character without width must not
//! hide a difference.

/// Maximum number of characters shown of a token.
const MAX_TOKEN_CHARS: usize = 40;
/// Number of bytes shown before the first difference of tokens that are cut.
const LEAD_BYTES: usize = 12;

/// Returns the text with control and invisible characters escaped, and invalid UTF-8 replaced.
pub(crate) fn escape_text(text: &[u8]) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in String::from_utf8_lossy(text).chars() {
        push_escaped(&mut shown, letter);
    }
    shown
}

/// Returns the picture of a character below U+0020.
#[expect(clippy::expect_used, reason = "the 32 control pictures follow U+2400")]
fn control_picture(letter: char) -> char {
    char::from_u32(0x2400 + u32::from(letter)).expect("a control picture")
}

/// Appends a character: itself, a control picture of the same width (`␀`, `␍`), or an escape.
fn push_escaped(shown: &mut String, letter: char) {
    match letter {
        '\0'..='\x1f' => shown.push(control_picture(letter)),
        '\x7f' => shown.push('␡'),
        _ if letter.is_control() || is_invisible(letter) => shown.extend(letter.escape_unicode()),
        _ => shown.push(letter),
    }
}

/// Returns true for characters that have no width, look like a space, or change the direction of the text after them.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns a token, escaped and cut to the maximum length.
pub(crate) fn format_token(text: &[u8]) -> String {
    let near = &text[..text.len().min(MAX_TOKEN_CHARS * 4)];
    let shown = escape_text(near);
    match shown.char_indices().nth(MAX_TOKEN_CHARS) {
        Some((cut, _)) => format!("{}…", &shown[..cut]),
        None => shown,
    }
}

/// Returns two different tokens; long ones are cut at the same position, so that their difference stays visible.
pub(crate) fn format_token_pair(expected: &[u8], found: &[u8]) -> (String, String) {
    let start = common_prefix_length(expected, found).saturating_sub(LEAD_BYTES);
    if start == 0 || expected.len().max(found.len()) <= MAX_TOKEN_CHARS {
        return (format_token(expected), format_token(found));
    }
    let start = char_boundary(expected, start);
    (format!("…{}", format_token(&expected[start..])), format!("…{}", format_token(&found[start..])))
}

/// Returns the length of the common prefix in bytes.
fn common_prefix_length(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Returns the last offset up to `at` that is not inside a UTF-8 character.
pub(crate) fn char_boundary(text: &[u8], at: usize) -> usize {
    let at = at.min(text.len());
    (at.saturating_sub(3)..=at).rev().find(|&start| !is_continuation(text, start)).unwrap_or(at)
}

/// Returns true if the byte at `at` continues a UTF-8 character.
fn is_continuation(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000)
}

/// Formats an error with two or three digits: `0.25`, `3.18`, `2.1e-05`.
pub(crate) fn format_error(value: f64) -> String {
    format_error_digits(value, 2)
}

/// Formats an error that exceeds a limit, with enough digits to show that it does.
pub(crate) fn format_error_above(value: f64, limit: f64) -> String {
    let exceeds = |shown: &String| shown.parse::<f64>().is_ok_and(|shown| shown > limit);
    (2..10).map(|digits| format_error_digits(value, digits)).find(exceeds).unwrap_or_else(|| format_tolerance(value))
}

/// Formats an error with this number of digits, as a decimal fraction if that is short.
fn format_error_digits(value: f64, digits: usize) -> String {
    if (0.01..1000.0).contains(&value) {
        format!("{value:.digits$}")
    } else {
        with_wide_exponent(&format!("{value:.*e}", digits - 1))
    }
}

/// Formats a tolerance in full: `0.5`, `1e-06`.
pub(crate) fn format_tolerance(value: f64) -> String {
    with_wide_exponent(&format_shortest(value))
}

/// Formats a number in the shorter notation; both parse back to the same number.
pub(crate) fn format_shortest(value: f64) -> String {
    let (plain, scientific) = (format!("{value}"), format!("{value:e}"));
    if scientific.len() < plain.len() { scientific } else { plain }
}

/// Widens the exponent of `1e-6` to `1e-06`, as C's `printf` does, the form that contestants know from their own
/// output.
fn with_wide_exponent(number: &str) -> String {
    let Some((digits, exponent)) = number.split_once('e') else { return number.to_owned() };
    match exponent.strip_prefix('-') {
        Some(exponent) => format!("{digits}e-{exponent:0>2}"),
        None => format!("{digits}e+{exponent:0>2}"),
    }
}
