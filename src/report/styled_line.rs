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

// Arranges text in lines and columns.

/// Arranges pieces in lines, separated by `gap` spaces. The first line starts with `head`; further lines are indented
/// by its width.
pub(crate) fn flow_pieces(
    head: StyledLine,
    pieces: impl IntoIterator<Item = StyledLine>,
    gap: usize,
    width: usize,
) -> Vec<StyledLine> {
    let indent = head.width();
    let mut lines = Vec::new();
    let mut line = head;
    let mut is_first = true;
    for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
        if !is_first && line.width() + gap + piece.width() > width {
            lines.push(std::mem::take(&mut line));
            line = StyledLine::from_plain(" ".repeat(indent));
            is_first = true;
        }
        let space = if is_first { 0 } else { gap };
        line = line.add_plain(" ".repeat(space)).append_line(piece);
        is_first = false;
    }
    lines.push(line);
    lines
}

pub(crate) fn wrap_words(head: StyledLine, text: &str, width: usize) -> Vec<StyledLine> {
    flow_pieces(head, text.split_whitespace().map(StyledLine::from_plain), 1, width)
}

/// Wraps a text between words, and never cuts a word that is wider than a line: it is a path or a command.
pub(crate) fn wrap_uncut(head: StyledLine, text: &str, width: usize) -> Vec<StyledLine> {
    wrap_words(head, text, width).into_iter().map(StyledLine::into_uncut).collect()
}

/// Wraps a text between words, without colours. The first line starts with `head`; further lines are indented by its
/// width. Each line ends with a newline.
pub(crate) fn wrap_plain_text(head: &str, text: &str, width: usize) -> String {
    let lines = wrap_uncut(StyledLine::from_plain(head), text, width);
    lines.iter().map(|line| line.render_ansi(false) + "\n").collect()
}

/// Joins two blocks of lines in two columns if both fit in `width`; else one below the other, separated by an empty
/// line.
pub(crate) fn join_columns(left: Vec<StyledLine>, right: Vec<StyledLine>, gap: usize, width: usize) -> Vec<StyledLine> {
    let column = left.iter().map(StyledLine::width).max().unwrap_or(0) + gap;
    let needed = column + right.iter().map(StyledLine::width).max().unwrap_or(0);
    if needed > width {
        return left.into_iter().chain([StyledLine::new()]).chain(right).collect();
    }
    let rows = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    (0..rows)
        .map(|_| left.next().unwrap_or_default().pad_to_width(column).append_line(right.next().unwrap_or_default()))
        .collect()
}

/// Returns the longest prefix of a text that fits in `width` columns, and whether that is the whole text.
pub(crate) fn truncate_to_width(text: &[u8], width: usize) -> (String, bool) {
    // A visible character takes at most four bytes and at least one column.
    let prefix = &text[..text.len().min((width + 2) * 4)];
    let shown = super::escape::escape_invisible(&String::from_utf8_lossy(prefix)).into_owned();
    if prefix.len() == text.len() && shown.width() <= width {
        return (shown, true);
    }
    (format!("{}…", prefix_of_width(&shown, width.saturating_sub(1))), false)
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

    fn rendered_text(lines: &[StyledLine]) -> String {
        lines.iter().map(|line| line.render_ansi(false)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn pieces_flow_below_the_first() {
        let lines =
            flow_pieces(StyledLine::from_plain("FAIL  "), ["one", "two", "three"].map(StyledLine::from_plain), 3, 16);
        assert_eq!(rendered_text(&lines), "FAIL  one   two\n      three");
    }

    #[test]
    fn sentences_break_between_words() {
        assert_eq!(
            rendered_text(&wrap_words(StyledLine::from_plain("- "), "a bb ccc dddd-eeee-ffff g", 8)),
            "- a bb\n  ccc\n  dddd-eeee-ffff\n  g"
        );
    }

    #[test]
    fn columns_are_joined_only_if_they_fit() {
        let left = vec![StyledLine::from_plain("a"), StyledLine::from_plain("bbb")];
        let right = vec![StyledLine::from_plain("c")];
        assert_eq!(rendered_text(&join_columns(left.clone(), right.clone(), 2, 6)), "a    c\nbbb");
        assert_eq!(rendered_text(&join_columns(left, right, 2, 5)), "a\nbbb\n\nc");
    }

    #[test]
    fn truncated_text_fits_the_width() {
        assert_eq!(truncate_to_width("漢字".as_bytes(), 4), ("漢字".to_owned(), true));
        assert_eq!(truncate_to_width("漢字".as_bytes(), 3), ("漢…".to_owned(), false));
        assert_eq!(truncate_to_width(&[0xff; 100], 3), ("\u{fffd}\u{fffd}…".to_owned(), false));
    }
}
