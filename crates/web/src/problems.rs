//! The problems of a format.

use rebut_diagnostics::{Diagnostic, Severity, SourceText, Span};
use rebut_format::language::Format;
use serde::Serialize;

/// The problems of a format.
#[derive(Serialize)]
pub(crate) struct ProblemList {
    /// Whether the format can be used.
    is_valid: bool,
    problems: Vec<Problem>,
}

/// A problem and its places.
#[derive(Serialize)]
struct Problem {
    severity: &'static str,
    code: &'static str,
    message: String,
    place: Place,
    labels: Vec<Place>,
    note: Option<String>,
    help: Option<String>,
}

/// A range of the text.
#[derive(Serialize)]
struct Place {
    /// First and last end, counted in UTF-16 units as JavaScript does.
    start: usize,
    end: usize,
    /// Line and column of its start, from 1.
    line: usize,
    column: usize,
    /// The role of this range in the problem.
    text: String,
}

/// Returns all errors of a format, or all warnings if it has no error.
pub(crate) fn list_problems(format: &str) -> ProblemList {
    let source = SourceText::new("format", format.as_bytes());
    let (is_valid, found) = match Format::parse(&source) {
        Ok((_, warnings)) => (true, warnings),
        Err(errors) => (false, errors),
    };
    let locator = Locator { text: format, source: &source };
    ProblemList { is_valid, problems: found.into_iter().map(|problem| locator.locate_problem(problem)).collect() }
}

struct Locator<'a> {
    text: &'a str,
    source: &'a SourceText,
}

impl Locator<'_> {
    fn locate_problem(&self, problem: Diagnostic) -> Problem {
        Problem {
            severity: match problem.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            code: problem.code,
            message: problem.message,
            place: self.locate(problem.span, problem.caret),
            labels: problem.labels.into_iter().map(|label| self.locate(label.span, label.text)).collect(),
            note: problem.note,
            help: problem.help,
        }
    }

    fn locate(&self, span: Span, text: String) -> Place {
        let (line, column) = self.source.line_column(span.start);
        Place { start: self.utf16_offset(span.start), end: self.utf16_offset(span.end), line, column, text }
    }

    /// Returns an offset in bytes as one in UTF-16 units.
    fn utf16_offset(&self, offset: usize) -> usize {
        let starts = self.text.char_indices().take_while(|(start, _)| *start < offset);
        starts.map(|(_, letter)| letter.len_utf16()).sum()
    }
}
