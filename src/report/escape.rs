//! Escapes text so that it is safe to show on a terminal.
//!
//! The output of a program is treated as hostile: it could move the cursor, change the window's title, or hide text in
//! characters without width.

use std::borrow::Cow;
use unicode_width::UnicodeWidthChar;

/// Replaces each character that a terminal would interpret, or not show, with a visible one.
pub(crate) fn escape_invisible(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_visible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push_escaped(&mut shown, c);
    }
    Cow::Owned(shown)
}

/// Escapes a text line by line. Line ends are kept, and tabs become spaces.
pub fn escape_lines(text: &str) -> String {
    text.lines().map(|line| escape_message(line) + "\n").collect()
}

/// Returns the beginning of an input or an output, with its line ends: so many characters, and an ellipsis.
pub(crate) fn shorten_lines(bytes: &[u8], limit: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.trim_end_matches('\n').to_owned(),
    }
}

/// Escapes the text of a message: tabs become spaces, and a trailing carriage return is dropped.
pub(crate) fn escape_message(text: &str) -> String {
    escape_invisible(&text.trim_end_matches('\r').replace('\t', "    ")).into_owned()
}

fn is_visible(c: char) -> bool {
    matches!(c, ' '..='~') || !c.is_control() && !is_deceptive(c) && c.width().is_some()
}

/// Pushes a control character as its control picture, which is one column wide and so keeps columns aligned, and other
/// invisible characters as their code point.
fn push_escaped(shown: &mut String, c: char) {
    match c {
        '\0'..='\x1f' => shown.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('?')),
        '\x7f' => shown.push('␡'),
        _ if is_visible(c) => shown.push(c),
        _ => shown.extend(c.escape_unicode()),
    }
}

/// Returns true for characters that look like a space, have no width, or change the direction of the text after them.
fn is_deceptive(c: char) -> bool {
    let is_zero_width = c.width() == Some(0);
    is_zero_width
        || matches!(c, '\u{a0}' | '\u{ad}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{2060}'..='\u{206f}' | '\u{3000}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(escape_invisible("plain Ünïcode 漢字"), "plain Ünïcode 漢字");
        assert_eq!(escape_invisible("\x1b[31mred\x07\0\r\n\t\x7f"), "␛[31mred␇␀␍␊␉␡");
        assert_eq!(escape_invisible("a\u{202e}b\u{9b}c\u{200b}\u{a0}"), "a\\u{202e}b\\u{9b}c\\u{200b}\\u{a0}");
        assert_eq!(escape_message("\tat Main.main\r"), "    at Main.main");
        assert_eq!(escape_lines("a\x1b\r\n\u{2066}\tb"), "a␛\n\\u{2066}    b\n");
    }

    #[test]
    fn escaping_is_idempotent() {
        let once = escape_invisible("\x1b\u{202e}e\u{301}").into_owned();
        assert_eq!(escape_invisible(&once), once);
    }
}
