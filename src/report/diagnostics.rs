//! Prints diagnostics and operating errors outside of events.

use super::ReportOptions;
use super::escape::escape_message;
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::wrap_uncut;
use super::writer::ReportWriter;
use rebut_diagnostics::{Diagnostic, Error, Severity, SourceText, count_with_noun};
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
        let text = diagnostic.render_text(source);
        writer.write_lines(
            text.lines().flat_map(|line| style_diagnostic_line(line, options.width)).chain([StyledLine::new()]),
        );
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
        severity_label("error").add_plain(": "),
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
        writer.write_line(StyledLine::new().add_styled(TextStyle::Dim, more));
    }
    if let Some(help) = error.help() {
        writer.write_lines(wrap_uncut(
            StyledLine::from_plain("  ").append_line(severity_label("help")).add_plain(": "),
            &escape_message(help),
            options.width,
        ));
    }
    writer.finish()
}

/// Styles one line of a rendered diagnostic. Sentences are wrapped; lines that quote the source stay as they are.
pub(crate) fn style_diagnostic_line(line: &str, width: usize) -> Vec<StyledLine> {
    let words = ["error: ", "warning: "].into_iter().find_map(|head| Some((head, line.strip_prefix(head)?)));
    if let Some((head, sentence)) = words {
        return wrap_uncut(severity_label(head.trim_end_matches(": ")).add_plain(": "), sentence, width);
    }
    let remark =
        [" = note: ", " = help: "].into_iter().find_map(|mark| line.split_once(mark).map(|parts| (mark, parts)));
    if let Some((mark, (before, sentence))) = remark.filter(|(_, (before, _))| before.trim().is_empty()) {
        let name = mark.trim_matches([' ', '=', ':']);
        let head = StyledLine::from_plain(before)
            .add_styled(TextStyle::Dim, " = ")
            .append_line(severity_label(name))
            .add_plain(": ");
        return wrap_uncut(head, sentence, width);
    }
    vec![style_source_line(line).into_uncut()]
}

/// Styles a line of quoted source or the markers under it: the gutter is dimmed, markers are coloured.
fn style_source_line(line: &str) -> StyledLine {
    let Some((gutter, text)) = line.split_once('|').filter(|(gutter, _)| is_gutter(gutter)) else {
        return StyledLine::new().add_styled(if is_location(line) { TextStyle::Dim } else { TextStyle::Plain }, line);
    };
    let line = StyledLine::new().add_styled(TextStyle::Dim, format!("{gutter}|"));
    let marked = text.trim_start();
    let style = match marked.chars().next() {
        Some('^') if gutter.trim().is_empty() => TextStyle::Failure,
        Some('-') if gutter.trim().is_empty() => TextStyle::Copyable,
        _ => TextStyle::Plain,
    };
    line.add_styled(style, text)
}

/// Returns true for the line that names the location of a quoted line.
fn is_location(line: &str) -> bool {
    ["-->", ":::"].iter().any(|arrow| line.trim_start().starts_with(arrow))
}

fn is_gutter(text: &str) -> bool {
    text.chars().all(|c| c == ' ' || c.is_ascii_digit())
}

/// Returns the label of a kind of message, in its style.
fn severity_label(word: &str) -> StyledLine {
    let style = match word {
        "error" => TextStyle::Failure,
        "warning" => TextStyle::Warning,
        "help" => TextStyle::Copyable,
        _ => TextStyle::Bold,
    };
    StyledLine::new().add_styled(style, word)
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
    StyledLine::new().add_styled(TextStyle::Bold, shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_diagnostics::Span;

    fn shown(line: &str, width: usize) -> Vec<String> {
        style_diagnostic_line(line, width).iter().map(|line| line.render_ansi(false)).collect()
    }

    fn diagnostics(codes: &[&'static str]) -> Vec<Diagnostic> {
        codes.iter().map(|code| Diagnostic::error(code, Span::default(), "wrong")).collect()
    }

    #[test]
    fn sentences_are_wrapped_and_quoted_source_is_not() {
        assert_eq!(shown("error: one two three", 14), ["error: one two", "       three"]);
        assert_eq!(shown("  = help: one two", 14).len(), 2);
        let source = "12 |     1 <= n <= 100000000";
        assert_eq!(shown(source, 14), [source]);
        assert_eq!(shown("   |          ^ not a bound", 14), ["   |          ^ not a bound"]);
        assert_eq!(shown("x = note: in the source", 14), ["x = note: in the source"]);
    }

    #[test]
    fn gutters_hold_line_numbers_only() {
        assert!(is_gutter("  12 ") && is_gutter("    ") && !is_gutter("a "));
        assert!(is_location(" --> input.format:1:2") && is_location("  ::: a") && !is_location("a --> b"));
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
