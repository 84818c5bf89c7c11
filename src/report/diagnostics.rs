//! Prints diagnostics and operating errors outside of campaigns.

use super::ReportOptions;
use super::escape::escape_message;
use super::styled_line::{StyledLine, TextStyle};
use super::text_layout::wrap_uncut;
use super::writer::ReportWriter;
use rebut_diagnostics::{Diagnostic, DiagnosticStyle, DiagnosticText, Error, Severity, SourceText, count_with_noun};
use std::io::{self, Write};

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
    let mut writer = ReportWriter::new(stream, options.colour_stderr, options.width);
    writer.write_lines(wrap_uncut(
        StyledLine::from_label(0, TextStyle::Failure, "error", ": "),
        &escape_message(error.message()),
        options.width,
    ));
    let note: Vec<&str> = error.note().unwrap_or_default().trim_end().lines().collect();
    writer.write_lines(
        note.iter()
            .take(MAX_NOTE_LINES)
            .map(|line| StyledLine::from_plain("  ").add_plain(escape_message(line)).into_uncut()),
    );
    if note.len() > MAX_NOTE_LINES {
        let more = format!("  {}", count_with_noun(note.len() - MAX_NOTE_LINES, "more line"));
        writer.write_line(StyledLine::from_styled(TextStyle::Dim, more));
    }
    if let Some(help) = error.help() {
        writer.write_lines(wrap_uncut(
            StyledLine::from_label(2, TextStyle::Copyable, "help", ": "),
            &escape_message(help),
            options.width,
        ));
    }
    writer.finish()
}

/// Renders a diagnostic. Sentences are wrapped; lines that quote the source stay as they are.
pub(crate) fn diagnostic_lines(text: &DiagnosticText, width: usize) -> Vec<StyledLine> {
    let to_lines = |parts: &Vec<(DiagnosticStyle, String)>| {
        let mut line = StyledLine::new();
        for (style, text) in parts {
            let style = match (style, text.as_str()) {
                (DiagnosticStyle::Plain, _) => TextStyle::Plain,
                (DiagnosticStyle::Sentence, text) => {
                    return wrap_uncut(line.add_plain(": "), text.trim_start_matches(": "), width);
                }
                (DiagnosticStyle::Gutter, _) => TextStyle::Dim,
                (DiagnosticStyle::Word, "error") | (DiagnosticStyle::Caret, _) => TextStyle::Failure,
                (DiagnosticStyle::Word, "warning") => TextStyle::Warning,
                (DiagnosticStyle::Word, "help") | (DiagnosticStyle::Label, _) => TextStyle::Copyable,
                (DiagnosticStyle::Word, _) => TextStyle::Bold,
            };
            line.push_styled(style, text.trim_end_matches('\r'));
        }
        vec![line.into_uncut()]
    };
    text.lines.iter().flat_map(to_lines).collect()
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
    fn sentences_are_wrapped_and_quoted_source_is_not() {
        let source = SourceText::new("a", "1 <= n <= 100000000\n");
        let problem = Diagnostic::error("x", Span::new(0, 1), "one two three").with_caret("not a bound");
        let lines = diagnostic_lines(&problem.with_help("one two").to_styled_text(&source), 14);
        let shown: Vec<String> = lines.iter().map(|line| line.render_ansi(false)).collect();
        let expected = [
            "error: one two",
            "       three",
            " --> a:1:1",
            "1 | 1 <= n <= 100000000",
            "  | ^ not a bound",
            "  = help: one",
            "          two",
            "",
        ];
        assert_eq!(shown, expected);
        let plain = diagnostic_lines(&"error: one two three\r".into(), 14);
        assert_eq!(plain, [StyledLine::from_plain("error: one two three").into_uncut()], "this is not a diagnostic");
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
