//! Bytes and numbers as a reader sees them.
//!
//! What an output holds is hostile until shown otherwise: an escape sequence must not reach a terminal, and
//! a character without width must not hide a difference.

/// How many characters of a token a message shows.
const TOKEN_CHARS_MAX: usize = 40;
/// How many bytes before the first difference stay in sight when a token is cut.
const LEAD_BYTES: usize = 12;

/// The text with control and invisible characters made visible, invalid UTF-8 replaced.
pub(crate) fn visible(text: &[u8]) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in String::from_utf8_lossy(text).chars() {
        push_visible(&mut shown, letter);
    }
    shown
}

/// One character: itself, a control picture of the same width (`␀`, `␍`), or an escape.
fn push_visible(shown: &mut String, letter: char) {
    match letter {
        '\0'..='\x1f' => shown.push(char::from_u32(0x2400 + u32::from(letter)).unwrap_or('?')),
        '\x7f' => shown.push('␡'),
        _ if letter.is_control() || is_invisible(letter) => shown.extend(letter.escape_unicode()),
        _ => shown.push(letter),
    }
}

/// Characters that take no room, look like a space, or turn the direction of the text after them.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A token, visible and cut to a length that a message can bear.
pub(crate) fn token(text: &[u8]) -> String {
    let near = &text[..text.len().min(TOKEN_CHARS_MAX * 4)];
    let shown = visible(near);
    match shown.char_indices().nth(TOKEN_CHARS_MAX) {
        Some((cut, _)) => format!("{}…", &shown[..cut]),
        None => shown,
    }
}

/// Two different tokens, both cut at the same place if they are long, so that their difference stays in sight.
pub(crate) fn pair(expected: &[u8], found: &[u8]) -> (String, String) {
    let start = common_prefix(expected, found).saturating_sub(LEAD_BYTES);
    if start == 0 || expected.len().max(found.len()) <= TOKEN_CHARS_MAX {
        return (token(expected), token(found));
    }
    let start = boundary(expected, start);
    (format!("…{}", token(&expected[start..])), format!("…{}", token(&found[start..])))
}

/// How many bytes both texts share at their start.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// The nearest offset, at or before `at`, that is not inside a UTF-8 character.
pub(crate) fn boundary(text: &[u8], at: usize) -> usize {
    let at = at.min(text.len());
    (at.saturating_sub(3)..=at).rev().find(|&start| !is_continuation(text, start)).unwrap_or(at)
}

/// Whether the byte at `at` continues a UTF-8 character.
fn is_continuation(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000)
}

/// `1 token`, `1,234 tokens`.
pub(crate) fn numbered(count: usize, noun: &str) -> String {
    format!("{} {noun}{}", counted(count), if count == 1 { "" } else { "s" })
}

/// A count with its thousands set apart.
fn counted(count: usize) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// An error as a reader expects it: `0.25`, `3.18`, `2.1e-05`, two or three digits and no more.
pub(crate) fn error(value: f64) -> String {
    error_in(value, 2)
}

/// An error that exceeds a limit, with as many digits as it takes to see that it does.
pub(crate) fn error_above(value: f64, limit: f64) -> String {
    let exceeds = |shown: &String| shown.parse::<f64>().is_ok_and(|shown| shown > limit);
    (2..10).map(|digits| error_in(value, digits)).find(exceeds).unwrap_or_else(|| tolerance(value))
}

/// An error in so many digits, as a decimal fraction where that is short.
fn error_in(value: f64, digits: usize) -> String {
    if (0.01..1000.0).contains(&value) {
        format!("{value:.digits$}")
    } else {
        with_wide_exponent(&format!("{value:.*e}", digits - 1))
    }
}

/// A tolerance in full: `0.5`, `1e-06`.
pub(crate) fn tolerance(value: f64) -> String {
    with_wide_exponent(&shortest(value))
}

/// The shorter of both notations; each of them reads back as the same number.
pub(crate) fn shortest(value: f64) -> String {
    let (plain, scientific) = (format!("{value}"), format!("{value:e}"));
    if scientific.len() < plain.len() { scientific } else { plain }
}

/// `1e-6` as C's `printf` writes it, `1e-06`: the form that contestants know from their own output.
fn with_wide_exponent(number: &str) -> String {
    let Some((digits, exponent)) = number.split_once('e') else { return number.to_owned() };
    match exponent.strip_prefix('-') {
        Some(exponent) => format!("{digits}e-{exponent:0>2}"),
        None => format!("{digits}e+{exponent:0>2}"),
    }
}
