//! The format of a test's inputs: the format of the problem with the restrictions of the test and its group.

use super::{RecipeRestrictions, SpannedText, TestSetRecipe};
use rebut_diagnostics::{Diagnostic, Severity, SourceText, Span};
use rebut_format::language::Format;
use rebut_format::language::syntax::SyntaxTree;

/// A format with additional lines.
#[derive(Clone, Debug)]
pub struct NarrowedFormat {
    /// The format.
    pub format: Format,
    /// The added lines, one for each restriction.
    pub lines: Vec<String>,
}

/// An added line: its position in the text, and the text of the recipe that it comes from.
struct AddedLine<'r> {
    start: usize,
    text_start: usize,
    words: &'r SpannedText,
}

/// Adds restrictions to the format in `source`, as lines of its `where` part.
///
/// # Errors
///
/// Returns the problems of the restrictions, at their locations in the recipe.
pub fn narrow_format(
    source: &SourceText,
    recipe: &TestSetRecipe,
    restrictions: &[&RecipeRestrictions],
) -> Result<NarrowedFormat, Vec<Diagnostic>> {
    let (text, added, lines) = add_lines(source, restrictions);
    let own = source.text.len();
    let (format, problems) = match Format::parse(&text) {
        Ok((format, warnings)) => (Some(format), warnings),
        Err(problems) => (None, problems),
    };
    // A name in a recipe that is not used is a misspelling.
    let is_wrong = |p: &Diagnostic| p.severity == Severity::Error || p.code == "unused";
    let wrong: Vec<&Diagnostic> = problems.iter().filter(|p| is_wrong(p) && involves_added_lines(p, own)).collect();
    if !wrong.is_empty() {
        return Err(wrong.into_iter().map(|problem| map_to_recipe(problem, &added, &recipe.source)).collect());
    }
    match format {
        Some(format) => Ok(NarrowedFormat { format, lines }),
        None => Err(problems.iter().map(|problem| map_to_recipe(problem, &added, &recipe.source)).collect()),
    }
}

/// Returns the problems of restrictions that no format can make right.
pub(super) fn find_syntax_problems(restrictions: &RecipeRestrictions, recipe: &SourceText) -> Vec<Diagnostic> {
    let (text, added, _) = add_lines(&SourceText::new("", "x"), &[restrictions]);
    let problems = SyntaxTree::parse(&text).err().unwrap_or_default();
    problems.iter().map(|problem| map_to_recipe(problem, &added, recipe)).collect()
}

/// Adds restrictions to a format. Returns the text, and the added lines with their places and as texts.
fn add_lines<'r>(
    source: &SourceText,
    restrictions: &[&'r RecipeRestrictions],
) -> (SourceText, Vec<AddedLine<'r>>, Vec<String>) {
    let mut text = source.clone();
    let (mut added, mut lines) = (Vec::new(), Vec::new());
    for (prefix, restriction) in restrictions.iter().flat_map(|d| restriction_lines(d)) {
        text.text.extend_from_slice(b"\nwhere:\n    ");
        let start = text.text.len();
        text.text.extend_from_slice(prefix.as_bytes());
        let line = to_single_line(&restriction.text);
        text.text.extend_from_slice(line.as_bytes());
        added.push(AddedLine { start, text_start: start + prefix.len(), words: restriction });
        lines.push(format!("{prefix}{line}"));
    }
    (text, added, lines)
}

fn involves_added_lines(problem: &Diagnostic, own: usize) -> bool {
    problem.span.start >= own || problem.labels.iter().any(|label| label.span.start >= own)
}

/// Returns the lines that a restriction adds: a prefix and the text.
fn restriction_lines(restrictions: &RecipeRestrictions) -> Vec<(&'static str, &SpannedText)> {
    let constraints = restrictions.constraints.iter().map(|text| ("", text));
    let lets = restrictions.lets.iter().map(|text| ("let ", text));
    let subtask = restrictions.subtask.iter().map(|text| ("subtask ", text));
    constraints.chain(lets).chain(subtask).collect()
}

/// Replaces line breaks, which would end the added line.
fn to_single_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Maps a problem in the extended format to the recipe.
fn map_to_recipe(problem: &Diagnostic, added: &[AddedLine<'_>], recipe: &SourceText) -> Diagnostic {
    let spans = std::iter::once(problem.span).chain(problem.labels.iter().map(|label| label.span));
    let with_line = |span: Span| added.iter().rfind(|a| a.start <= span.start).map(|a| (a, span));
    let fallback = added.last().map_or(Span::new(0, 0), |line| line.words.span);
    let span_in_recipe = spans.filter_map(with_line).next().map_or(fallback, |(line, span)| {
        let within = |at: usize| at.checked_sub(line.text_start);
        let part = within(span.start).map(|start| Span::new(start, within(span.end).unwrap_or(start)));
        part.map_or(line.words.span, |part| line.words.part_span(recipe, part))
    });
    Diagnostic { severity: Severity::Error, span: span_in_recipe, labels: Vec::new(), ..problem.clone() }
}
