//! The format that a test's inputs follow: the problem's, and what the test and its group demand.

use super::{Demands, Recipe, Words};
use crate::diagnostic::{Diagnostic, Severity, Source, Span};
use crate::format::Format;

/// A format with further lines.
#[derive(Clone, Debug)]
pub struct Narrowed {
    /// The format.
    pub format: Format,
    /// The lines that were added, one for each demand.
    pub lines: Vec<String>,
}

/// A line that was added: where it is in the text, and what of the recipe it says.
struct Added {
    start: usize,
    text: usize,
    span: Span,
    is_verbatim: bool,
}

/// The format in `source` with these demands as further lines of its where part.
///
/// # Errors
/// What is wrong with the demands, at their places in the recipe.
pub fn narrow(source: &Source, recipe: &Recipe, demands: &[&Demands]) -> Result<Narrowed, Vec<Diagnostic>> {
    let mut text = source.clone();
    let (mut added, mut lines) = (Vec::new(), Vec::new());
    for (prefix, words) in demands.iter().flat_map(|d| wanted(d)) {
        text.text.extend_from_slice(b"\nwhere:\n    ");
        let start = text.text.len();
        text.text.extend_from_slice(prefix.as_bytes());
        let line = one_line(&words.text);
        text.text.extend_from_slice(line.as_bytes());
        let raw = recipe.source.text.get(words.span.start + 1..words.span.end.saturating_sub(1));
        let is_verbatim = raw == Some(words.text.as_bytes());
        added.push(Added { start, text: start + prefix.len(), span: words.span, is_verbatim });
        lines.push(format!("{prefix}{line}"));
    }
    let own = source.text.len();
    let (format, problems) = match Format::parse(&text) {
        Ok((format, warnings)) => (Some(format), warnings),
        Err(problems) => (None, problems),
    };
    // What a recipe names and nothing uses is misspelt.
    let is_wrong = |p: &Diagnostic| p.severity == Severity::Error || p.code == "unused";
    let wrong: Vec<&Diagnostic> = problems.iter().filter(|p| is_wrong(p) && touches(p, own)).collect();
    if !wrong.is_empty() {
        return Err(wrong.into_iter().map(|problem| moved(problem, &added)).collect());
    }
    match format {
        Some(format) => Ok(Narrowed { format, lines }),
        None => Err(problems.iter().map(|problem| moved(problem, &added)).collect()),
    }
}

/// Whether a problem has to do with what was added.
fn touches(problem: &Diagnostic, own: usize) -> bool {
    problem.span.start >= own || problem.labels.iter().any(|label| label.span.start >= own)
}

/// What a demand adds: the beginning of a line, and its text.
fn wanted(demands: &Demands) -> Vec<(&'static str, &Words)> {
    let constraints = demands.constraints.iter().map(|words| ("", words));
    let lets = demands.lets.iter().map(|words| ("let ", words));
    let subtask = demands.subtask.iter().map(|words| ("subtask ", words));
    constraints.chain(lets).chain(subtask).collect()
}

/// Line ends would end the line that is added.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// A problem of the lengthened format as one of the recipe.
fn moved(problem: &Diagnostic, added: &[Added]) -> Diagnostic {
    let spans = std::iter::once(problem.span).chain(problem.labels.iter().map(|label| label.span));
    let of = |span: Span| added.iter().rfind(|a| a.start <= span.start).map(|a| (a, span));
    let whole = added.last().map_or(Span::new(0, 0), |line| line.span);
    let place = spans.filter_map(of).next().map_or(whole, |(line, span)| {
        if !line.is_verbatim || span.start < line.text {
            return line.span;
        }
        let at = line.span.start + 1 + span.start - line.text;
        let last = line.span.end.saturating_sub(1);
        Span::new(at.min(last), (at + span.end.saturating_sub(span.start)).min(last).max(at.min(last)))
    });
    Diagnostic { severity: Severity::Error, span: place, labels: Vec::new(), ..problem.clone() }
}
