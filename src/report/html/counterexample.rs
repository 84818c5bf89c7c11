//! A failing run: its input, what was expected, and what came out.

use super::chart::{Chart, ChartSeries, SeriesKind, render_chart};
use super::page::render_message;
use super::picture::{render_figure, render_image};
use crate::report::listing::{count_lines, split_lines};
use crate::report::units::{format_bytes, format_duration};
use crate::report::{finding_heading, slowness, text_layout::truncate_to_width};
use maud::{Markup, html};
use rebut_checkers::{Checker, Diff, DiffOptions, DiffRow, DiffRowKind, DiffSegment, diff_outputs};
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{Finding, FindingImage, FindingMinimization, JudgeKind};
use rebut_format::language::Format;
use rebut_format::picture::{Figure, figures_of_input, mark_kept};
use rebut_format::read::read_input;
use rebut_packages::verdict::Verdict;

/// Maximum number of lines shown of a text.
const MAX_LINES: usize = 40;
/// Maximum number of columns shown of a line.
const MAX_COLUMNS: usize = 300;
/// Maximum number of rows of a diff.
const MAX_DIFF_ROWS: usize = 40;
/// Maximum number of pictures of an input among those of many submissions.
const MAX_FIGURES: usize = 4;
/// Maximum length of an input that is drawn.
const MAX_DRAWN_BYTES: usize = 1 << 16;

/// A finding, and its pictures.
#[derive(Debug)]
pub(super) struct ReportedFinding {
    found: Finding,
    /// The pictures of its input.
    figures: Vec<Figure>,
    /// The pictures of the input that failed first, with the elements that shrinking kept.
    original_figures: Vec<Figure>,
}

impl ReportedFinding {
    /// Returns a finding as it is reported, with pictures if the format is known.
    pub(super) fn new(found: &Finding, format: Option<&Format>) -> ReportedFinding {
        let figures = format.map(|format| draw_input(format, &found.run.input)).unwrap_or_default();
        let mut original_figures = Vec::new();
        if let Some(format) = format.filter(|_| found.origin.original != found.run.input) {
            original_figures = draw_input(format, &found.origin.original);
            mark_kept(&mut original_figures, &figures);
        }
        ReportedFinding { found: found.clone(), figures, original_figures }
    }

    /// Returns it with only a few pictures, as it is shown among many others.
    pub(super) fn with_few_pictures(mut self) -> ReportedFinding {
        self.figures.truncate(MAX_FIGURES);
        self
    }

    /// Returns the name of the test case on which the submission failed, if it is one of a package.
    pub(super) fn test_case(&self) -> Option<&str> {
        self.found.origin.test_case.as_deref()
    }

    /// Returns the verdict.
    pub(super) fn verdict(&self) -> Verdict {
        self.found.failure.verdict
    }

    /// Returns the name of the submission.
    pub(super) fn submission(&self) -> &str {
        &self.found.failure.submission
    }
}

/// Returns the pictures of an input.
fn draw_input(format: &Format, input: &[u8]) -> Vec<Figure> {
    if input.len() > MAX_DRAWN_BYTES {
        return Vec::new();
    }
    read_input(format, input).map(|value| figures_of_input(format, &value)).unwrap_or_default()
}

/// Returns a few pictures of an input that is one of many.
pub(super) fn draw_few(format: &Format, input: &[u8]) -> Vec<Figure> {
    let mut figures = draw_input(format, input);
    figures.truncate(MAX_FIGURES);
    figures
}

/// Renders a finding, with headings of this level.
pub(super) fn render_finding(reported: &ReportedFinding, level: u8, shows_times: bool) -> Markup {
    let found = &reported.found;
    html! {
        (heading(level, &html! {
            code { (found.failure.submission) } ": " (found.failure.verdict)
            @if let Some(case) = &found.origin.test_case { " on " code { (case) } }
        }))
        (render_failure(reported, shows_times))
    }
}

/// Renders a finding without a heading.
pub(super) fn render_failure(reported: &ReportedFinding, shows_times: bool) -> Markup {
    let found = &reported.found;
    html! {
        @if !found.failure.message.trim().is_empty() { pre.message { (found.failure.message.trim_end()) } }
        (render_facts(found, shows_times))
        @if found.failure.verdict != Verdict::CompileError { (render_input(reported)) }
        (render_outputs(found))
        @for image in found.images.iter().filter(|image| image.title != FindingImage::INPUT_TITLE) { (render_image(image)) }
        (render_shrinking(&found.minimization))
        @if !found.run.stderr.trim_ascii().is_empty() && shows_error_output(found) {
            (render_text("Standard error", &found.run.stderr))
        }
        @if let Some(slowness) = &found.slowness { (render_text("As a test in a recipe", slowness.recipe.as_bytes())) }
        @if let Some(replay) = &found.saved.replay { p { "Replay: " code.command { (replay) } } }
        @if let Some(shrink) = &found.saved.shrink { p { "Shrink it, with a proof: " code.command { (shrink) } } }
    }
}

/// Renders a heading of this level.
fn heading(level: u8, text: &Markup) -> Markup {
    match level {
        2 => html! { h2 { (text) } },
        3 => html! { h3 { (text) } },
        _ => html! { h4 { (text) } },
    }
}

/// Returns true if the error output helps to understand the failure.
fn shows_error_output(found: &Finding) -> bool {
    !matches!(found.failure.verdict, Verdict::WrongAnswer | Verdict::PresentationError)
}

fn render_facts(found: &Finding, shows_times: bool) -> Markup {
    let origin = &found.origin;
    let number = origin.case.map(|case| format!("input {} of the search", group_thousands(case.into())));
    let shape = origin.shape.as_ref().filter(|shape| !shape.is_empty()).map(|shape| format!("shape {shape}"));
    let seed = origin.seed.map(|seed| format!("seed {seed:x}"));
    let came_from: Vec<String> = [number, shape, seed].into_iter().flatten().collect();
    let notes = [
        finding_heading::certificate_note(found),
        finding_heading::conversation_note(found),
        finding_heading::flakiness_note(&found.failure),
        finding_heading::choices_note(found),
    ];
    html! {
        ul.plain {
            @if !came_from.is_empty() { li { "found as " (came_from.join(", ")) } }
            @if let Some(text) = shrinking_text(found) { li { (text) } }
            @for (_, note) in notes.iter().flatten() { li { (note) } }
            @for fact in found.slowness.iter().flat_map(slowness::slowness_facts) { li { (fact) } }
            @if let Some(sanitizer) = &found.failure.sanitizer {
                li {
                    "sanitizer: " (sanitizer.kind)
                    @if let Some((file, line)) = &sanitizer.place { " at " code { (file) ":" (line) } }
                    @if let Some(line) = &sanitizer.source_line { pre { (line) } }
                }
            }
            @for hint in &found.failure.hints { li { "hint: " (render_message(hint)) } }
            @if shows_times {
                li { "time " (format_duration(found.run.cpu_time_ms)) ", memory " (format_bytes(found.run.memory_peak_bytes)) }
            }
        }
    }
}

/// `shrunk from 412 to 9 elements in 41 steps`.
fn shrinking_text(found: &Finding) -> Option<String> {
    let shrunk = &found.minimization;
    let sizes =
        format!("{} to {} {}", group_thousands(shrunk.size_before as u128), shrunk.size_after, shrunk.size_unit);
    let early = if shrunk.is_complete { "" } else { "; shrinking stopped early: a smaller input may exist" };
    let steps = count_with_noun(shrunk.steps, "step");
    let text = match shrunk.size_before == shrunk.size_after {
        true => format!("simplified in {steps}, still {} {}", shrunk.size_after, shrunk.size_unit),
        false => format!("shrunk from {sizes} in {steps}"),
    };
    (shrunk.steps > 0).then_some(text + early)
}

fn render_input(reported: &ReportedFinding) -> Markup {
    let found = &reported.found;
    html! {
        div.pair {
            (render_text("Input", &found.run.input))
            @if found.images.iter().any(|image| image.title == FindingImage::INPUT_TITLE) {
                div { @for image in found.images.iter().filter(|image| image.title == FindingImage::INPUT_TITLE) { (render_image(image)) } }
            } @else if !reported.figures.is_empty() { div { @for figure in &reported.figures { (render_figure(figure)) } } }
        }
        @if !reported.original_figures.is_empty() {
            details {
                summary { "The input that failed first" }
                @if reported.original_figures.iter().any(|figure| figure.kept.contains(&true)) {
                    p.note { span.swatch {} " what shrinking kept" }
                }
                @for figure in &reported.original_figures { (render_figure(figure)) }
            }
        }
        @if let Some(smaller) = &found.proof.smaller_input {
            (render_text("A smaller input that also fails", smaller.as_bytes()))
        }
    }
}

/// Renders the sizes of the input while it was shrunk, and what each pass contributed.
fn render_shrinking(shrunk: &FindingMinimization) -> Markup {
    let passes: Vec<_> = shrunk.passes.iter().filter(|pass| pass.accepted > 0).collect();
    let points = shrunk.path.iter().map(|(step, size)| (*step as f64, *size as f64)).collect();
    let series = ChartSeries { name: "size of the smallest failing input".to_owned(), points, kind: SeriesKind::Steps };
    let chart = Chart {
        title: "Path of shrinking",
        x_label: "smaller failing inputs found",
        y_label: shrunk.size_unit,
        are_logarithmic: [false, false],
        series: vec![series],
    };
    html! {
        @if shrunk.path.len() > 1 || !passes.is_empty() {
            details {
                summary { "How it was shrunk" }
                @if shrunk.path.len() > 1 { (render_chart(&chart)) }
                ul.plain { @for pass in &passes { li { (pass.name) ": " (count_with_noun(pass.accepted, "step")) } } }
            }
        }
    }
}

/// Renders the outputs, if the verdict depends on them.
fn render_outputs(found: &Finding) -> Markup {
    let is_wrong = matches!(found.failure.verdict, Verdict::WrongAnswer | Verdict::PresentationError);
    let differs = found.failure.verdict == Verdict::JudgeError
        && !found.run.output.is_empty()
        && found.run.output != found.run.answer;
    match found.run.judged_by {
        _ if found.failure.verdict == Verdict::CompileError => html! {},
        JudgeKind::Conversation => {
            render_text("Conversation: seconds, < the submission reads, > it writes", &found.run.output)
        }
        JudgeKind::Program if is_wrong => html! {
            div.pair { (render_text("An answer", &found.run.answer)) (render_text("Output", &found.run.output)) }
        },
        _ if is_wrong => render_diff(found, ["Expected", "Got"]),
        _ if differs => render_diff(found, ["One run", "Another run"]),
        _ => html! {},
    }
}

/// Renders expected and actual lines next to each other.
fn render_diff(found: &Finding, titles: [&str; 2]) -> Markup {
    let checker = Checker::parse(&found.run.checker).unwrap_or_default();
    // Without a deadline, the same texts always give the same rows.
    let limits = DiffOptions { max_rows: MAX_DIFF_ROWS, width: MAX_COLUMNS, ..DiffOptions::default() };
    let diff = diff_outputs(&found.run.answer, &found.run.output, &checker, &limits);
    if diff.rows.is_empty() {
        return html! {
            div.pair { (render_text(titles[0], &found.run.answer)) (render_text(titles[1], &found.run.output)) }
        };
    }
    html! {
        div.scroll tabindex="0" role="group" aria-label="Difference of the outputs" {
            table.diff {
                thead { tr { th scope="col" { "Line" } th scope="col" { (titles[0]) } th scope="col" { (titles[1]) } } }
                tbody { @for row in &diff.rows { (render_diff_row(row)) } }
            }
        }
        p.note { (diff_summary(&diff)) }
    }
}

fn render_diff_row(row: &DiffRow) -> Markup {
    let is_same = row.kind == DiffRowKind::Same;
    html! {
        tr class=[(!is_same).then_some("changed")] {
            th scope="row" { (row.number) @if !is_same { span.sign { " \u{2260}" } } }
            td { @if let Some(pieces) = &row.expected { (render_pieces(pieces, row.kind, true)) } }
            td { @if let Some(pieces) = &row.found { (render_pieces(pieces, row.kind, false)) } }
        }
    }
}

fn render_pieces(pieces: &[DiffSegment], kind: DiffRowKind, is_expected: bool) -> Markup {
    let is_alone = matches!(kind, DiffRowKind::Missing | DiffRowKind::Extra);
    html! {
        code {
            @for piece in pieces {
                @if !(piece.emphasised || is_alone) { (piece.text) }
                @else if is_expected { ins { (piece.text) } }
                @else { del { (piece.text) } }
            }
        }
    }
}

fn diff_summary(diff: &Diff) -> String {
    let shown = diff.rows.iter().filter(|row| row.kind != DiffRowKind::Same).count();
    let verb = if diff.differing == 1 { "differs" } else { "differ" };
    let rest = if shown < diff.differing { format!("; these are the first {shown}") } else { String::new() };
    format!("{} of {} {verb}{rest}", group_thousands(diff.differing as u128), count_with_noun(diff.total, "line"))
}

/// Renders the first lines of a text below a title.
pub(super) fn render_text(title: &str, text: &[u8]) -> Markup {
    let total = count_lines(text);
    let mut is_cut = false;
    let mut shown = String::new();
    for line in split_lines(text).take(MAX_LINES) {
        let (line, is_whole) = truncate_to_width(line, MAX_COLUMNS);
        is_cut |= !is_whole;
        let end = line.trim_end_matches(' ').len();
        // Spaces at the end often matter.
        shown.push_str(&line[..end]);
        shown.push_str(&"\u{b7}".repeat(line.len() - end));
        shown.push('\n');
    }
    let more = total.saturating_sub(MAX_LINES);
    html! {
        figure {
            figcaption { (title) }
            @if text.is_empty() { p.note { "(empty)" } }
            @else { pre.listing tabindex="0" { (shown) } }
            @if more > 0 { p.note { (count_with_noun(more, "more line")) } }
            @if is_cut { p.note { "Long lines are cut." } }
            @if text.last().is_some_and(|last| *last != b'\n') { p.note { "There is no newline at the end." } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_engine::event::FindingFailure;

    fn shrunk(before: usize, after: usize, steps: usize, is_complete: bool) -> Option<String> {
        let mut found = Finding::from_failure(FindingFailure::new("a.cpp", Verdict::WrongAnswer));
        let sizes = FindingMinimization::of_size(after, "elements");
        found.minimization = FindingMinimization { size_before: before, steps, is_complete, ..sizes };
        shrinking_text(&found)
    }

    #[test]
    fn shrinking_is_described_if_anything_became_smaller() {
        assert_eq!(shrunk(9, 9, 0, true), None);
        assert_eq!(shrunk(1_412, 9, 41, true).as_deref(), Some("shrunk from 1,412 to 9 elements in 41 steps"));
        assert_eq!(shrunk(9, 9, 1, true).as_deref(), Some("simplified in 1 step, still 9 elements"));
        let early = shrunk(10, 9, 1, false);
        assert!(early.is_some_and(|text| text.ends_with("shrinking stopped early: a smaller input may exist")));
    }
}
