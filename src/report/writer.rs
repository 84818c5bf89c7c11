//! A writer that keeps its first error instead of returning it.

use super::ReportOptions;
use super::escape::escape_message;
use super::lines::{diagnostic_lines, render_page};
use super::page::Page;
use super::styled_line::{StyledLine, TextStyle, wrap_uncut};
use rebut_diagnostics::{Diagnostic, Error, Severity, SourceText, count_with_noun};
use std::io::{self, Write};

/// Writes lines to a stream until that fails, and nothing afterwards.
///
/// A report is not the purpose of a search: if its reader is gone (`rebut … | head`), findings are saved all the same,
/// and the command line checks for the error at the end.
#[derive(Debug)]
pub(crate) struct ReportWriter<W> {
    stream: W,
    colour: bool,
    width: usize,
    first_error: Option<io::Error>,
}

impl<W: Write> ReportWriter<W> {
    /// Creates a writer that cuts lines at `width` columns.
    pub(crate) fn new(stream: W, colour: bool, width: usize) -> Self {
        ReportWriter { stream, colour, width, first_error: None }
    }

    /// Writes lines in a single write, so that they stay together.
    pub(crate) fn write_lines(&mut self, lines: impl IntoIterator<Item = StyledLine>) {
        let mut text = String::new();
        for line in lines {
            text.push_str(&line.cut_to_width(self.width).render_ansi(self.colour));
            text.push('\n');
        }
        self.write_raw(text.as_bytes());
    }

    /// Writes bytes that are known to be safe.
    pub(crate) fn write_raw(&mut self, bytes: &[u8]) {
        if self.first_error.is_none() && !bytes.is_empty() {
            self.first_error = self.stream.write_all(bytes).and_then(|()| self.stream.flush()).err();
        }
    }

    pub(crate) fn first_error(&self) -> Option<&io::Error> {
        self.first_error.as_ref()
    }

    /// Returns the first write error, if any.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.first_error.map_or(Ok(()), Err)
    }

    /// Returns the stream.
    pub(crate) fn into_inner(self) -> W {
        self.stream
    }
}

// Prints diagnostics and operating errors outside of events.

/// Maximum number of lines shown of a note: a compiler's message about one template can fill pages.
const MAX_NOTE_LINES: usize = 40;

/// Prints diagnostics about one source text, followed by their counts. `stream` should be the standard error.
///
/// # Errors
/// Returns an error if `stream` cannot be written.
pub fn print_diagnostics(
    stream: &mut impl Write,
    diagnostics: &[Diagnostic],
    source: &SourceText,
    options: &ReportOptions,
) -> io::Result<()> {
    let mut writer = ReportWriter::new(stream, options.colour_stderr, options.width);
    for diagnostic in diagnostics {
        writer.write_lines(diagnostic_lines(&diagnostic.to_styled_text(source), options.width));
    }
    if !diagnostics.is_empty() {
        writer.write_lines(wrap_uncut(
            severity_counts(diagnostics).add_plain("; "),
            &explanation_hint(diagnostics),
            options.width,
        ));
    }
    writer.finish()
}

/// Prints an error with its note and its help. `stream` should be the standard error.
///
/// # Errors
/// Returns an error if `stream` cannot be written.
pub fn print_error(stream: &mut impl Write, error: &Error, options: &ReportOptions) -> io::Result<()> {
    let mut page = Page::default();
    page.add_note(StyledLine::from_label(0, TextStyle::Failure, "error", ": "), error.message());
    let note: Vec<&str> = error.note().unwrap_or_default().trim_end().lines().collect();
    for line in note.iter().take(MAX_NOTE_LINES) {
        page.add_line(StyledLine::from_label(2, TextStyle::Plain, &escape_message(line), "").into_uncut());
    }
    if let rest @ 1.. = note.len().saturating_sub(MAX_NOTE_LINES) {
        page.add_line(StyledLine::from_styled(TextStyle::Dim, format!("  {}", count_with_noun(rest, "more line"))));
    }
    if let Some(help) = error.help() {
        page.add_note(StyledLine::from_label(2, TextStyle::Copyable, "help", ": "), help);
    }
    let mut writer = ReportWriter::new(stream, options.colour_stderr, options.width);
    writer.write_lines(render_page(&page, options));
    writer.finish()
}

/// Maximum number of codes listed in a hint.
const MAX_HINT_CODES: usize = 5;

/// Returns a hint at the command that explains these diagnostics, with their codes.
fn explanation_hint(diagnostics: &[Diagnostic]) -> String {
    let mut codes: Vec<&str> = Vec::new();
    for diagnostic in diagnostics {
        if !codes.contains(&diagnostic.code) {
            codes.push(diagnostic.code);
        }
    }
    match &codes[..] {
        [code] => format!("`rebut explain {code}` explains it"),
        codes => {
            let named = codes[..codes.len().min(MAX_HINT_CODES)].join(", ");
            format!("`rebut explain CODE` explains {named}")
        }
    }
}

/// `2 errors, 1 warning`.
fn severity_counts(diagnostics: &[Diagnostic]) -> StyledLine {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    let counts = [(errors, "error"), (diagnostics.len() - errors, "warning")];
    let shown: Vec<String> =
        counts.into_iter().filter(|(n, _)| *n > 0).map(|(n, noun)| count_with_noun(n, noun)).collect();
    StyledLine::from_styled(TextStyle::Bold, shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_diagnostics::Span;

    fn diagnostics(codes: &[&'static str]) -> Vec<Diagnostic> {
        codes.iter().map(|code| Diagnostic::error(code, Span::default(), "wrong")).collect()
    }

    #[test]
    fn each_code_is_named_once_in_the_hint() {
        assert_eq!(explanation_hint(&diagnostics(&["a", "a"])), "`rebut explain a` explains it");
        let many = explanation_hint(&diagnostics(&["a", "b", "c", "d", "e", "f"]));
        assert_eq!(many, "`rebut explain CODE` explains a, b, c, d, e");
    }

    #[test]
    fn counts_of_zero_are_left_out() {
        let counts = |all: &[Diagnostic]| severity_counts(all).render_ansi(false);
        assert_eq!(counts(&diagnostics(&["a", "b"])), "2 errors");
        let warning = Diagnostic::warning("w", Span::default(), "odd");
        assert_eq!(counts(&[diagnostics(&["a"]), vec![warning]].concat()), "1 error, 1 warning");
    }
}
