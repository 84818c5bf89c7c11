//! One line of output: pieces of safe text, each with a tone.

use super::tone::Tone;
use super::visible::visible;
use std::fmt::Write as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// One line of output. It holds no control character, and it knows how wide it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pieces: Vec<(Tone, String)>,
    is_whole: bool,
}

impl Line {
    /// An empty line.
    pub(crate) fn new() -> Self {
        Line::default()
    }

    /// A line of one plain piece.
    pub(crate) fn plain(text: impl AsRef<str>) -> Self {
        Line::new().add(text)
    }

    /// Adds plain text.
    #[must_use]
    pub(crate) fn add(self, text: impl AsRef<str>) -> Self {
        self.tone(Tone::Plain, text)
    }

    /// Adds text. This is the only way into a line, so whatever is shown has been made safe.
    #[must_use]
    pub(crate) fn tone(mut self, tone: Tone, text: impl AsRef<str>) -> Self {
        self.push(tone, text.as_ref());
        self
    }

    /// Adds text.
    pub(crate) fn push(&mut self, tone: Tone, text: &str) {
        let text = visible(text);
        match self.pieces.last_mut() {
            Some((last, before)) if *last == tone => before.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.pieces.push((tone, text.into_owned())),
        }
    }

    /// Marks the line as one that is never cut: a command to be copied is worth nothing without its end, and a
    /// compiler's message little.
    #[must_use]
    pub(crate) fn whole(self) -> Self {
        Line { is_whole: true, ..self }
    }

    /// Adds another line's pieces.
    #[must_use]
    pub(crate) fn join(mut self, other: Line) -> Self {
        for (tone, text) in other.pieces {
            self.push(tone, &text);
        }
        self
    }

    /// Adds spaces until the line is `width` columns wide.
    #[must_use]
    pub(crate) fn pad(self, width: usize) -> Self {
        let missing = width.saturating_sub(self.width());
        self.add(" ".repeat(missing))
    }

    /// How many columns it takes.
    pub(crate) fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| text.width()).sum()
    }

    /// Whether nothing is on it.
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The line cut to `width` columns, the cut marked by an ellipsis.
    #[must_use]
    pub(crate) fn cut(self, width: usize) -> Self {
        if self.is_whole || self.width() <= width {
            return self;
        }
        let mut left = width.saturating_sub(1);
        let mut kept = Line::new();
        for (tone, text) in &self.pieces {
            let part = prefix(text, left);
            left -= part.width();
            kept.push(*tone, part);
            if part.len() < text.len() {
                break;
            }
        }
        if width == 0 { kept } else { kept.tone(Tone::Dim, "…") }
    }

    /// The text without spaces at its end, with escape sequences if `colour`.
    pub(crate) fn render(&self, colour: bool) -> String {
        let mut out = String::new();
        for (tone, text) in &self.trimmed().pieces {
            if colour && *tone != Tone::Plain {
                let style = tone.style();
                let _ = write!(out, "{style}{text}{style:#}");
            } else {
                out.push_str(text);
            }
        }
        out
    }

    /// The line without the spaces at its end.
    fn trimmed(&self) -> Line {
        let mut line = self.clone();
        while let Some((_, text)) = line.pieces.last_mut() {
            text.truncate(text.trim_end_matches(' ').len());
            if !text.is_empty() {
                break;
            }
            line.pieces.pop();
        }
        line
    }
}

/// The longest start of a text that takes at most `width` columns.
pub(crate) fn prefix(text: &str, width: usize) -> &str {
    let mut taken = 0;
    for (at, letter) in text.char_indices() {
        taken += letter.width().unwrap_or(0);
        if taken > width {
            return &text[..at];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_count_columns_and_not_letters() {
        let line = Line::plain("漢字漢字").tone(Tone::Bad, "abc");
        assert_eq!(line.width(), 11);
        assert_eq!(line.clone().cut(11), line);
        assert_eq!(line.clone().cut(6).render(false), "漢字…");
        assert_eq!(line.clone().cut(10).render(false), "漢字漢字a…");
        assert_eq!(line.cut(0).render(false), "");
    }

    #[test]
    fn colours_are_reset_and_spaces_at_the_end_dropped() {
        let line = Line::plain("a ").tone(Tone::Bad, "b").pad(9);
        assert_eq!(line.width(), 9);
        assert_eq!(line.render(false), "a b");
        assert_eq!(line.render(true), "a \u{1b}[1m\u{1b}[31mb\u{1b}[0m");
    }

    #[test]
    fn hostile_text_is_harmless_in_every_tone() {
        let line = Line::new().tone(Tone::Copy, "\x1b]0;title\x07").add("\r\n");
        assert_eq!(line.render(false), "␛]0;title␇␍␊");
    }
}
