//! Text with a name, places in it, and messages about those places.

use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// A half-open range of bytes in a [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The shortest span that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A text and the name by which the user knows it: a path, or `--input`.
#[derive(Clone, Debug)]
pub struct Source {
    /// What stands before the line number in messages.
    pub name: String,
    /// The bytes; they need not be UTF-8.
    pub text: Vec<u8>,
}

impl Source {
    /// A source of that name.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Source { name: name.into(), text: text.into() }
    }

    /// Line and column, both from 1, of a byte; columns count characters.
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

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// The text can be used, but probably does not say what was meant.
    Warning,
}

/// A further place that a diagnostic points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// One message about a text that the user wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// A stable, short name of the kind, for tests and for JSON.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// Where it is.
    pub span: Span,
    /// What stands beside the caret.
    pub caret: String,
    /// Further places.
    pub labels: Vec<Label>,
    /// An explanation.
    pub note: Option<String>,
    /// A repair.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
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

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Sets what stands beside the caret.
    #[must_use]
    pub fn caret(mut self, text: impl Into<String>) -> Self {
        self.caret = text.into();
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Sets the explanation.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = Some(text.into());
        self
    }

    /// Sets the repair.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// The message with its place, the line of text, and a caret under it. No colours, a newline at the end.
    pub fn render(&self, source: &Source) -> String {
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
            render_place(&mut out, source, span, text, mark, gutter);
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

/// The longest stretch of a line that is shown: longer lines are cut around the place.
const SHOWN_COLUMNS: usize = 72;

fn render_place(out: &mut String, source: &Source, span: Span, text: &str, mark: char, gutter: usize) {
    let (line, _) = source.line_column(span.start);
    let (start, end) = source.line_bounds(span.start);
    let span_start = span.start.min(source.text.len());
    let span_end = span.end.clamp(span_start, end.max(span_start));
    let mut from = start;
    if span_start - start > SHOWN_COLUMNS - 12 {
        from = span_start - SHOWN_COLUMNS / 2;
    }
    let to = end.min(from + SHOWN_COLUMNS);
    let shown = |a: usize, b: usize| visible(&source.text[a.min(b)..b]);
    let head = if from > start { "…" } else { "" };
    let tail = if to < end { "…" } else { "" };
    let _ = writeln!(out, "{line:>gutter$} | {head}{}{tail}", shown(from, to));
    let indent = UnicodeWidthStr::width(head) + UnicodeWidthStr::width(shown(from, span_start).as_str());
    let width = UnicodeWidthStr::width(shown(span_start, span_end.min(to)).as_str()).max(1);
    let marks: String = std::iter::repeat_n(mark, width).collect();
    let row = format!("{:gutter$} | {:indent$}{marks} {text}", "", "");
    let _ = writeln!(out, "{}", row.trim_end());
}

/// The text as a terminal can show it: one visible character for each that it cannot.
fn visible(text: &[u8]) -> String {
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
        let source = Source::new("a.format", "n\nwhere:\n    1 <= m\n");
        let shown = Diagnostic::error("unknown-name", Span::new(18, 19), "no `m` in the layout")
            .caret("not in the layout")
            .help("did you mean `n`?")
            .render(&source);
        assert_eq!(
            shown,
            "error: no `m` in the layout\n --> a.format:3:10\n3 |     1 <= m\n  |          ^ not in the layout\n  = help: did you mean `n`?\n"
        );
    }

    #[test]
    fn any_place_in_any_bytes_renders() {
        let source = Source::new("x", vec![0xff, b'\n', 0xc3, 0xa9, b'\t', b'\r', b'\n']);
        for start in 0..12 {
            for end in 0..12 {
                let shown = Diagnostic::error("x", Span::new(start, end), "m").render(&source);
                assert!(shown.starts_with("error: m\n"));
            }
        }
    }
}
