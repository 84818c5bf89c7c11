//! One line of output: pieces of escaped text, each with a style.

use super::escape::escape_invisible;
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The role of a piece of text, which determines its style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum TextStyle {
    /// Ordinary text.
    #[default]
    Plain,
    /// Line numbers, separators and labels.
    Dim,
    /// Names and numbers that should stand out.
    Bold,
    /// Success.
    Success,
    /// Failure.
    Failure,
    /// A warning.
    Warning,
    /// Expected text that is missing.
    Expected,
    /// Actual text that differs from the expected.
    Unexpected,
    /// A command or a path to be copied.
    Copyable,
    /// A name, which documents set as code.
    Code,
    /// The colour of what shrinking kept in pictures.
    Kept,
    /// A percentage that documents show as a bar.
    Bar,
}

impl TextStyle {
    /// Returns the ANSI style. It uses only the sixteen colours that terminal themes define.
    pub(crate) fn to_ansi_style(self) -> Style {
        let coloured = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            TextStyle::Plain | TextStyle::Code | TextStyle::Kept | TextStyle::Bar => Style::new(),
            TextStyle::Dim => Style::new().dimmed(),
            TextStyle::Bold => Style::new().bold(),
            TextStyle::Success => coloured(AnsiColor::Green).bold(),
            TextStyle::Failure => coloured(AnsiColor::Red).bold(),
            TextStyle::Warning => coloured(AnsiColor::Yellow).bold(),
            TextStyle::Expected => coloured(AnsiColor::Green),
            TextStyle::Unexpected => coloured(AnsiColor::Red),
            TextStyle::Copyable => coloured(AnsiColor::Cyan),
        }
    }
}

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

    /// Returns a line of one piece.
    pub(crate) fn from_styled(style: TextStyle, text: impl AsRef<str>) -> Self {
        StyledLine::new().add_styled(style, text)
    }

    pub(crate) fn from_bar(part: usize, total: usize) -> Self {
        StyledLine::from_styled(TextStyle::Bar, (part * 100 / total.max(1)).to_string())
    }

    /// Returns the start of a sentence: a word after `indent` spaces, and what separates it from the sentence.
    pub(crate) fn from_label(indent: usize, style: TextStyle, word: &str, separator: &str) -> Self {
        StyledLine::from_plain(" ".repeat(indent)).add_styled(style, word).add_plain(separator)
    }

    /// Returns the start of a note: the verb, aligned to the right.
    pub(crate) fn from_verb(verb: &str) -> Self {
        StyledLine::from_styled(TextStyle::Success, format!("{verb:>VERB_WIDTH$}")).add_plain("  ")
    }

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

    /// Adds the pieces of another line, which is not cut afterwards either.
    #[must_use]
    pub(crate) fn append_line(mut self, other: StyledLine) -> Self {
        self.is_uncut |= other.is_uncut;
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

    pub(crate) fn pieces(&self) -> &[(TextStyle, String)] {
        &self.pieces
    }

    /// Returns the text without styles.
    pub(crate) fn plain_text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
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
            if colour && style.to_ansi_style() != Style::new() {
                let ansi = style.to_ansi_style();
                let _ = write!(out, "{ansi}{text}{ansi:#}");
            } else {
                out.push_str(text);
            }
        }
        out
    }

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

impl<S: AsRef<str>> From<S> for StyledLine {
    fn from(text: S) -> StyledLine {
        StyledLine::from_plain(text)
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
        let line = StyledLine::from_styled(TextStyle::Copyable, "\x1b]0;title\x07").add_plain("\r\n");
        assert_eq!(line.render_ansi(false), "␛]0;title␇␍␊");
    }
}
