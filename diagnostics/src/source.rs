//! Named source texts, locations in them, and diagnostics about those locations.

use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// A half-open range of bytes in a [`SourceText`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Creates the span from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// Returns the smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A text, and the name by which the user knows it: a path, or `--input`.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// Printed before the line number in messages.
    pub name: String,
    /// The bytes, which need not be UTF-8.
    pub text: Vec<u8>,
}

impl SourceText {
    /// Creates a source text.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        SourceText { name: name.into(), text: text.into() }
    }

    /// Returns the line and column of a byte, both from 1; columns count characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let before = &self.text[..offset];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        (line, String::from_utf8_lossy(&self.text[start..offset]).chars().count() + 1)
    }

    fn line_bounds(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let start = self.text[..offset].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let end = self.text[offset..].iter().position(|&b| b == b'\n').map_or(self.text.len(), |i| offset + i);
        (start, end)
    }
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// The text can be used, but probably does not mean what was intended.
    Warning,
}

/// An additional location of a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The location.
    pub span: Span,
    /// Text printed at the location.
    pub text: String,
}

/// A message about a text that the user wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Stable short identifier, for tests and for JSON.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// The location.
    pub span: Span,
    /// Text printed next to the caret.
    pub caret: String,
    /// Additional locations.
    pub labels: Vec<Label>,
    /// An explanation.
    pub note: Option<String>,
    /// A suggestion.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Creates an error.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
            caret: String::new(),
            labels: Vec::new(),
            note: None,
            help: None,
        }
    }

    /// Creates a warning.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Sets the text next to the caret.
    #[must_use]
    pub fn with_caret(mut self, text: impl Into<String>) -> Self {
        self.caret = text.into();
        self
    }

    /// Adds a location.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Sets the explanation.
    #[must_use]
    pub fn with_note(mut self, text: impl Into<String>) -> Self {
        self.note = Some(text.into());
        self
    }

    /// Sets the suggestion.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Renders the message with its location, the line of text, and a caret below it. The result has no colours and
    /// ends with a newline.
    pub fn render_text(&self, source: &SourceText) -> String {
        let (line, column) = source.line_column(self.span.start);
        let last_line = self.labels.iter().map(|l| source.line_column(l.span.start).0).max().unwrap_or(0).max(line);
        let gutter = last_line.to_string().len();
        let kind = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut out = format!("{kind}: {}\n{:gutter$}--> {}:{line}:{column}\n", self.message, "", source.name);
        let mut places: Vec<(Span, &str, char)> = vec![(self.span, &self.caret, '^')];
        places.extend(self.labels.iter().map(|l| (l.span, l.text.as_str(), '-')));
        for (span, text, mark) in places {
            render_span(&mut out, source, span, text, mark, gutter);
        }
        for (name, text) in [("note", &self.note), ("help", &self.help)] {
            if let Some(text) = text {
                let indented = text.replace('\n', &format!("\n{:width$}", "", width = gutter + 9));
                let _ = writeln!(out, "{:gutter$} = {name}: {indented}", "");
            }
        }
        out
    }
}

/// Maximum number of columns shown of a line: longer lines are cut around the location.
const MAX_SHOWN_COLUMNS: usize = 72;

fn render_span(out: &mut String, source: &SourceText, span: Span, text: &str, mark: char, gutter: usize) {
    let (line, _) = source.line_column(span.start);
    let (start, end) = source.line_bounds(span.start);
    let span_start = span.start.min(source.text.len());
    let span_end = span.end.clamp(span_start, end.max(span_start));
    let mut from = start;
    if span_start - start > MAX_SHOWN_COLUMNS - 12 {
        from = span_start - MAX_SHOWN_COLUMNS / 2;
    }
    let to = end.min(from + MAX_SHOWN_COLUMNS);
    let shown = |a: usize, b: usize| replace_controls(&source.text[a.min(b)..b]);
    let head = if from > start { "…" } else { "" };
    let tail = if to < end { "…" } else { "" };
    let _ = writeln!(out, "{line:>gutter$} | {head}{}{tail}", shown(from, to));
    let indent = UnicodeWidthStr::width(head) + UnicodeWidthStr::width(shown(from, span_start).as_str());
    let width = UnicodeWidthStr::width(shown(span_start, span_end.min(to)).as_str()).max(1);
    let marks: String = std::iter::repeat_n(mark, width).collect();
    let row = format!("{:gutter$} | {:indent$}{marks} {text}", "", "");
    let _ = writeln!(out, "{}", row.trim_end());
}

/// Replaces each character that a terminal cannot show by a visible one.
fn replace_controls(text: &[u8]) -> String {
    String::from_utf8_lossy(text)
        .chars()
        .map(|c| match c {
            '\t' => '→',
            '\r' => '␍',
            c if c.is_control() => '·',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caret_stands_under_its_text() {
        let source = SourceText::new("a.format", "n\nwhere:\n    1 <= m\n");
        let shown = Diagnostic::error("unknown-name", Span::new(18, 19), "no `m` in the layout")
            .with_caret("not in the layout")
            .with_help("did you mean `n`?")
            .render_text(&source);
        assert_eq!(
            shown,
            "error: no `m` in the layout\n --> a.format:3:10\n3 |     1 <= m\n  |          ^ not in the layout\n  = help: did you mean `n`?\n"
        );
    }

    #[test]
    fn any_place_in_any_bytes_renders() {
        let source = SourceText::new("x", vec![0xff, b'\n', 0xc3, 0xa9, b'\t', b'\r', b'\n']);
        for start in 0..12 {
            for end in 0..12 {
                let shown = Diagnostic::error("x", Span::new(start, end), "m").render_text(&source);
                assert!(shown.starts_with("error: m\n"));
            }
        }
    }
}
