//! One line of output: pieces of escaped text, each with a style.

use super::escape::escape_invisible;
use super::style::TextStyle;
use std::fmt::Write as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Width of the verb that starts a note: `Compiled`, `Stressing`.
const VERB_WIDTH: usize = 11;

/// One line of output, free of control characters and of known width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StyledLine {
    pieces: Vec<(TextStyle, String)>,
    is_uncut: bool,
}

impl StyledLine {
    /// Returns an empty line.
    pub(crate) fn new() -> Self {
        StyledLine::default()
    }

    /// Returns a line of one plain piece.
    pub(crate) fn from_plain(text: impl AsRef<str>) -> Self {
        StyledLine::new().add_plain(text)
    }

    /// Returns the start of a note: the verb, aligned to the right.
    pub(crate) fn from_verb(verb: &str) -> Self {
        StyledLine::new().add_styled(TextStyle::Success, format!("{verb:>VERB_WIDTH$}")).add_plain("  ")
    }

    /// Adds plain text.
    #[must_use]
    pub(crate) fn add_plain(self, text: impl AsRef<str>) -> Self {
        self.add_styled(TextStyle::Plain, text)
    }

    /// Adds text. All text passes through here and is escaped, so that a line is always safe to show.
    #[must_use]
    pub(crate) fn add_styled(mut self, style: TextStyle, text: impl AsRef<str>) -> Self {
        self.push_styled(style, text.as_ref());
        self
    }

    /// Adds text, like [`add_styled`](Self::add_styled), in place.
    pub(crate) fn push_styled(&mut self, style: TextStyle, text: &str) {
        let text = escape_invisible(text);
        match self.pieces.last_mut() {
            Some((last, before)) if *last == style => before.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.pieces.push((style, text.into_owned())),
        }
    }

    /// Marks the line as one that is never cut: a command to be copied is useless without its end.
    #[must_use]
    pub(crate) fn into_uncut(self) -> Self {
        StyledLine { is_uncut: true, ..self }
    }

    /// Adds the pieces of another line.
    #[must_use]
    pub(crate) fn append_line(mut self, other: StyledLine) -> Self {
        for (style, text) in other.pieces {
            self.push_styled(style, &text);
        }
        self
    }

    /// Adds spaces until the line is `width` columns wide.
    #[must_use]
    pub(crate) fn pad_to_width(self, width: usize) -> Self {
        let missing = width.saturating_sub(self.width());
        self.add_plain(" ".repeat(missing))
    }

    /// Returns the width in columns.
    pub(crate) fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| text.width()).sum()
    }

    /// Returns true if the line has no text.
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Cuts the line to `width` columns and marks the cut with an ellipsis.
    #[must_use]
    pub(crate) fn cut_to_width(self, width: usize) -> Self {
        if self.is_uncut || self.width() <= width {
            return self;
        }
        let mut left = width.saturating_sub(1);
        let mut kept = StyledLine::new();
        for (style, text) in &self.pieces {
            let part = prefix_of_width(text, left);
            left -= part.width();
            kept.push_styled(*style, part);
            if part.len() < text.len() {
                break;
            }
        }
        if width == 0 { kept } else { kept.add_styled(TextStyle::Dim, "…") }
    }

    /// Returns the text without trailing spaces, with escape sequences if `colour`.
    pub(crate) fn render_ansi(&self, colour: bool) -> String {
        let mut out = String::new();
        for (style, text) in &self.without_trailing_spaces().pieces {
            if colour && *style != TextStyle::Plain {
                let ansi = style.to_ansi_style();
                let _ = write!(out, "{ansi}{text}{ansi:#}");
            } else {
                out.push_str(text);
            }
        }
        out
    }

    /// Returns the line without trailing spaces.
    fn without_trailing_spaces(&self) -> StyledLine {
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

/// Returns the longest prefix that is at most `width` columns wide.
pub(crate) fn prefix_of_width(text: &str, width: usize) -> &str {
    let mut taken = 0;
    for (at, c) in text.char_indices() {
        taken += c.width().unwrap_or(0);
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
    fn cut_lines_are_measured_in_columns() {
        let line = StyledLine::from_plain("漢字漢字").add_styled(TextStyle::Failure, "abc");
        assert_eq!(line.width(), 11);
        assert_eq!(line.clone().cut_to_width(11), line);
        assert_eq!(line.clone().cut_to_width(6).render_ansi(false), "漢字…");
        assert_eq!(line.clone().cut_to_width(10).render_ansi(false), "漢字漢字a…");
        assert_eq!(line.cut_to_width(0).render_ansi(false), "");
    }

    #[test]
    fn colours_are_reset_and_trailing_spaces_dropped() {
        let line = StyledLine::from_plain("a ").add_styled(TextStyle::Failure, "b").pad_to_width(9);
        assert_eq!(line.width(), 9);
        assert_eq!(line.render_ansi(false), "a b");
        assert_eq!(line.render_ansi(true), "a \u{1b}[1m\u{1b}[31mb\u{1b}[0m");
    }

    #[test]
    fn control_characters_are_escaped_in_every_style() {
        let line = StyledLine::new().add_styled(TextStyle::Copyable, "\x1b]0;title\x07").add_plain("\r\n");
        assert_eq!(line.render_ansi(false), "␛]0;title␇␍␊");
    }
}
