//! Text that is safe to show.
//!
//! What a program wrote is hostile until shown otherwise: it may move the cursor, change the window's title, or hide
//! what it says in characters without width.

use std::borrow::Cow;
use unicode_width::UnicodeWidthChar;

/// The text with a visible sign in place of each character that a terminal would act on or not show.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_visible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        push_visible(&mut shown, letter);
    }
    Cow::Owned(shown)
}

/// Returns the lines of a text, each with its control characters made visible and with its line end; tabs are spaces.
pub fn visible_lines(text: &str) -> String {
    text.lines().map(|line| prose(line) + "\n").collect()
}

/// The text of a message, in which tabs are no more than spaces and lines may end in the way of other systems.
pub(crate) fn prose(text: &str) -> String {
    visible(&text.trim_end_matches('\r').replace('\t', "    ")).into_owned()
}

fn is_visible(letter: char) -> bool {
    matches!(letter, ' '..='~') || !letter.is_control() && !is_deceptive(letter) && letter.width().is_some()
}

/// Control pictures are as wide as a letter, so columns stay where they are; other characters say their number.
fn push_visible(shown: &mut String, letter: char) {
    match letter {
        '\0'..='\x1f' => shown.push(char::from_u32(0x2400 + u32::from(letter)).unwrap_or('?')),
        '\x7f' => shown.push('␡'),
        _ if is_visible(letter) => shown.push(letter),
        _ => shown.extend(letter.escape_unicode()),
    }
}

/// Characters that look like a space, take no room, or turn the direction of the text after them.
fn is_deceptive(letter: char) -> bool {
    let is_alone = letter.width() == Some(0);
    is_alone
        || matches!(letter, '\u{a0}' | '\u{ad}' | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{2060}'..='\u{206f}' | '\u{3000}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_terminal_acts_on_is_left() {
        assert_eq!(visible("plain Ünïcode 漢字"), "plain Ünïcode 漢字");
        assert_eq!(visible("\x1b[31mred\x07\0\r\n\t\x7f"), "␛[31mred␇␀␍␊␉␡");
        assert_eq!(visible("a\u{202e}b\u{9b}c\u{200b}\u{a0}"), "a\\u{202e}b\\u{9b}c\\u{200b}\\u{a0}");
        assert_eq!(prose("\tat Main.main\r"), "    at Main.main");
        assert_eq!(visible_lines("a\x1b\r\n\u{2066}\tb"), "a␛\n\\u{2066}    b\n");
    }

    #[test]
    fn what_is_visible_stays_as_it_is() {
        let once = visible("\x1b\u{202e}e\u{301}").into_owned();
        assert_eq!(visible(&once), once);
    }
}
