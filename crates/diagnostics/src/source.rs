//! Named source texts, locations in them, and diagnostics about those locations.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
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

/// A text, and the name by which the user knows it: a path, or `--input`. Text that the user wrote elsewhere, such as in
/// an option, can be appended; its locations are then those in the option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// Printed before the line number in messages.
    pub name: String,
    /// The bytes, which need not be UTF-8.
    pub text: Vec<u8>,
    /// The appended texts, in order.
    appended: Vec<AppendedText>,
}

/// A range of a source text that was written elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AppendedText {
    name: String,
    /// The end of the text before it.
    lead_start: usize,
    span: Span,
}

/// A location as it is shown: the name of the text that the user wrote, and the line and column in it.
struct Location<'s> {
    name: &'s str,
    line: usize,
    column: usize,
}

impl SourceText {
    /// Creates a source text.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        SourceText { name: name.into(), text: text.into(), appended: Vec::new() }
    }

    /// Appends a text that the user wrote elsewhere and knows as `name`. `lead`, which comes before it, is never shown:
    /// messages about it point to the text.
    pub fn append_text(&mut self, lead: &str, name: impl Into<String>, text: &str) {
        let lead_start = self.text.len();
        self.text.extend_from_slice(lead.as_bytes());
        let start = self.text.len();
        self.text.extend_from_slice(text.as_bytes());
        self.appended.push(AppendedText { name: name.into(), lead_start, span: Span::new(start, self.text.len()) });
    }

    /// Describes the line of a byte in a sentence: `a.format line 3`, or the option that the byte was written in.
    pub fn describe_line(&self, offset: usize) -> String {
        let location = self.location(offset);
        match self.appended_at(offset) {
            Some(_) => format!("`{}`", location.name),
            None => format!("{} line {}", location.name, location.line),
        }
    }

    /// Returns the line and column of a byte, both from 1; columns count characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let Location { line, column, .. } = self.location(offset);
        (line, column)
    }

    fn location(&self, offset: usize) -> Location<'_> {
        let offset = self.shown_offset(offset);
        let appended = self.appended_at(offset);
        let first = appended.map_or(0, |text| text.span.start);
        let before = &self.text[first..offset];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        Location { name: appended.map_or(&self.name, |text| &text.name), line, column }
    }

    /// Returns the appended text that a byte belongs to.
    fn appended_at(&self, offset: usize) -> Option<&AppendedText> {
        self.appended.iter().rfind(|text| text.lead_start < offset)
    }

    /// Returns the byte to show for a byte: the start of an appended text for its lead.
    fn shown_offset(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        self.appended_at(offset).map_or(offset, |text| offset.max(text.span.start))
    }

    /// Returns the range of bytes to show for a span.
    fn shown_span(&self, span: Span) -> Span {
        let start = self.shown_offset(span.start);
        Span::new(start, self.shown_offset(span.end).max(start))
    }

    /// Returns the line that contains a byte, within the text that the user wrote.
    fn line_bounds(&self, offset: usize) -> (usize, usize) {
        let own_end = self.appended.first().map_or(self.text.len(), |text| text.lead_start);
        let whole = self.appended_at(offset).map_or(Span::new(0, own_end), |text| text.span);
        let start = self.text[whole.start..offset]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(whole.start, |i| whole.start + i + 1);
        let rest = &self.text[offset..whole.end.max(offset)];
        (start, offset + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()))
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
        self.to_styled_text(source).to_string()
    }

    /// Renders the message like [`render_text`](Self::render_text), as lines with styles.
    pub fn to_styled_text(&self, source: &SourceText) -> DiagnosticText {
        let places = std::iter::once((self.span, &self.caret, DiagnosticStyle::Caret))
            .chain(self.labels.iter().map(|label| (label.span, &label.text, DiagnosticStyle::Label)))
            .map(|(span, text, mark)| (source.shown_span(span), text, mark));
        let last_line = places.clone().map(|(span, ..)| source.location(span.start).line).max().unwrap_or(1);
        let gutter = last_line.to_string().len();
        let sentence = |mut line: DiagnosticLine, word: &str, text: &str| {
            line.extend([(DiagnosticStyle::Word, word.to_owned()), (DiagnosticStyle::Sentence, format!(": {text}"))]);
            line
        };
        let severity = if self.severity == Severity::Error { "error" } else { "warning" };
        let mut lines = vec![sentence(Vec::new(), severity, &self.message)];
        let mut shown_name = None;
        for (span, text, mark) in places {
            let Location { name, line, column } = source.location(span.start);
            if shown_name != Some(name) {
                let arrow = if shown_name.is_none() { "-->" } else { ":::" };
                lines.push(vec![(DiagnosticStyle::Gutter, format!("{:gutter$}{arrow} {name}:{line}:{column}", ""))]);
            }
            shown_name = Some(name);
            lines.extend(render_span(source, span, text, mark, gutter));
        }
        for (word, text) in [("note", &self.note), ("help", &self.help)] {
            let Some(text) = text else { continue };
            let head = vec![(DiagnosticStyle::Plain, " ".repeat(gutter)), (DiagnosticStyle::Gutter, " = ".to_owned())];
            let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
            lines.push(sentence(head, word, first));
            let indented =
                |line: &str| vec![(DiagnosticStyle::Plain, format!("{:width$}{line}", "", width = gutter + 9))];
            lines.extend(rest.lines().map(indented));
        }
        // The text ends with a newline.
        lines.push(Vec::new());
        DiagnosticText { lines }
    }
}

/// A rendered diagnostic as lines with styles, or the text of another program as plain lines. In JSON, it is
/// plain text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiagnosticText {
    /// The lines.
    pub lines: Vec<DiagnosticLine>,
}

/// The parts of a line of a rendered diagnostic.
type DiagnosticLine = Vec<(DiagnosticStyle, String)>;

/// The meaning of a part of a diagnostic, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagnosticStyle {
    /// Quoted text.
    Plain,
    /// Line numbers, locations and separators.
    Gutter,
    /// `error`, `warning`, `note` or `help`.
    Word,
    /// The sentence after such a word, which may be wrapped.
    Sentence,
    /// The marks under the location, with their text.
    Caret,
    /// The marks under an additional location, with their text.
    Label,
}

impl DiagnosticText {
    /// Returns the text without the blank lines and spaces at its end; `None` if nothing is left.
    pub fn trim_blank_end(mut self) -> Option<DiagnosticText> {
        while let Some(line) = self.lines.last_mut() {
            while let Some((_, text)) = line.last_mut() {
                text.truncate(text.trim_end().len());
                if !text.is_empty() {
                    return Some(self);
                }
                line.pop();
            }
            self.lines.pop();
        }
        None
    }
}

impl<S: AsRef<str>> From<S> for DiagnosticText {
    fn from(text: S) -> DiagnosticText {
        let plain = |line: &str| vec![(DiagnosticStyle::Plain, line.to_owned())];
        DiagnosticText { lines: text.as_ref().split('\n').map(plain).collect() }
    }
}

impl fmt::Display for DiagnosticText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line_text = |line: &DiagnosticLine| line.iter().map(|(_, text)| text.as_str()).collect::<String>();
        f.write_str(&self.lines.iter().map(line_text).collect::<Vec<_>>().join("\n"))
    }
}

impl Serialize for DiagnosticText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DiagnosticText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(DiagnosticText::from)
    }
}

/// Maximum number of columns shown of a line: longer lines are cut around the location.
const MAX_SHOWN_COLUMNS: usize = 72;

/// Renders the line of a span, and the marks below it.
fn render_span(
    source: &SourceText,
    span: Span,
    text: &str,
    style: DiagnosticStyle,
    gutter: usize,
) -> [DiagnosticLine; 2] {
    let (line, _) = source.line_column(span.start);
    let (start, end) = source.line_bounds(span.start);
    let span_start = span.start;
    let span_end = span.end.clamp(span_start, end.max(span_start));
    let mut from = start;
    if span_start - start > MAX_SHOWN_COLUMNS - 12 {
        from = span_start - MAX_SHOWN_COLUMNS / 2;
    }
    let to = end.min(from + MAX_SHOWN_COLUMNS);
    let shown = |a: usize, b: usize| replace_controls(&source.text[a.min(b)..b]);
    let head = if from > start { "…" } else { "" };
    let tail = if to < end { "…" } else { "" };
    let quoted = format!(" {head}{}{tail}", shown(from, to));
    let indent = UnicodeWidthStr::width(head) + UnicodeWidthStr::width(shown(from, span_start).as_str());
    let width = UnicodeWidthStr::width(shown(span_start, span_end.min(to)).as_str()).max(1);
    let mark = if style == DiagnosticStyle::Caret { "^" } else { "-" };
    let marks = format!(" {:indent$}{} {text}", "", mark.repeat(width));
    let row = |number: &str, style, text: &str| {
        vec![(DiagnosticStyle::Gutter, format!("{number:>gutter$} |")), (style, text.to_owned())]
    };
    [row(&line.to_string(), DiagnosticStyle::Plain, &quoted), row("", style, marks.trim_end())]
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
    fn appended_text_is_located_where_it_was_written() {
        let mut source = SourceText::new("a.format", "n\nwhere:\n    1 <= n <= 8");
        source.append_text("\nwhere:\n    ", "--where", "n <= 4; m <= 4");
        source.append_text("\nwhere:\n    let ", "--let", "n=9");
        let text = String::from_utf8_lossy(&source.text).into_owned();
        let span_of = |part: &str| text.find(part).map_or(Span::default(), |at| Span::new(at, at + part.len()));
        let shown = Diagnostic::error("unknown-name", span_of("m"), "no `m` in the layout");
        assert_eq!(
            shown.render_text(&source),
            "error: no `m` in the layout\n --> --where:1:9\n1 | n <= 4; m <= 4\n  |         ^\n"
        );
        let shown = Diagnostic::error("never", span_of("let n=9"), "no value of `n` can satisfy this")
            .with_label(span_of("1 <= n <= 8"), "allows 1..8")
            .render_text(&source);
        assert_eq!(
            shown,
            "error: no value of `n` can satisfy this\n --> --let:1:1\n1 | n=9\n  | ^^^\n ::: a.format:3:5\n3 |     1 <= n <= 8\n  |     ----------- allows 1..8\n"
        );
        assert_eq!(source.describe_line(span_of("1 <=").start), "a.format line 3");
        assert_eq!(source.describe_line(span_of("let").start), "`--let`");
    }

    #[test]
    fn any_place_in_any_bytes_renders() {
        let mut source = SourceText::new("x", vec![0xff, b'\n', 0xc3, 0xa9, b'\t', b'\r', b'\n']);
        source.append_text("\n", "y", "a");
        for start in 0..14 {
            for end in 0..14 {
                let shown = Diagnostic::error("x", Span::new(start, end), "m").render_text(&source);
                assert!(shown.starts_with("error: m\n"));
            }
        }
    }
}
