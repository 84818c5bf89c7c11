//! Renders a text with line numbers.

use super::ReportOptions;
use super::page::Listing;
use super::styled_line::{StyledLine, TextStyle, truncate_to_width};
use rebut_diagnostics::count_with_noun;
use rebut_engine::event::{Event, EventSink};
use std::cmp::Reverse;

/// Maximum number of lines shown of a text.
const MAX_LINES: usize = 30;

/// Number of lines by which a text may exceed the maximum before it is truncated: the note would take as much space.
const SPARE_LINES: usize = 2;

/// Maximum number of columns shown of a line, even on wider screens.
const MAX_COLUMNS: usize = 400;

/// Renders the lines of a text with their numbers. Long texts and long lines are truncated.
pub(crate) fn render_listing(listing: &Listing<'_>, options: &ReportOptions) -> Vec<StyledLine> {
    let total = count_lines(listing.text);
    let shown = if options.all_rows || total <= MAX_LINES + SPARE_LINES { total } else { MAX_LINES };
    let gutter = shown.to_string().len().max(2);
    let width = options.width.saturating_sub(gutter + 5).min(MAX_COLUMNS);
    let mut cuts = 0;
    let mut lines = vec![StyledLine::from_label(2, TextStyle::Dim, &listing.title, "")];
    for (i, line) in split_lines(listing.text).take(shown).enumerate() {
        let (start, is_whole) = truncate_to_width(line, width);
        cuts += usize::from(!is_whole);
        let (text, blanks) = mark_trailing_blanks(&start);
        let number = format!("  {:>gutter$} | ", i + 1);
        lines.push(
            StyledLine::from_styled(TextStyle::Dim, number).add_plain(text).add_styled(TextStyle::Warning, blanks),
        );
    }
    let note = truncation_note(total - shown, cuts, listing.text, listing.full_text.as_deref());
    lines.extend(note.map(|note| StyledLine::from_label(2, TextStyle::Dim, &note, "")));
    lines
}

/// Describes what a listing omits.
pub(crate) fn truncation_note(more: usize, cuts: usize, text: &[u8], full_text: Option<&str>) -> Option<String> {
    let mut notes = Vec::new();
    if more > 0 {
        notes.push(count_with_noun(more, "more line"));
    }
    if cuts > 0 {
        notes.push(format!("{} cut", count_with_noun(cuts, "line")));
    }
    let is_cut = !notes.is_empty();
    if text.last().is_some_and(|last| *last != b'\n') {
        notes.push("no newline at the end".to_owned());
    }
    let place = full_text.filter(|_| is_cut).map(|path| format!("; full text: {path}")).unwrap_or_default();
    match (text.is_empty(), notes.is_empty()) {
        (true, _) => Some("(empty)".to_owned()),
        (false, true) => None,
        (false, false) => Some(format!("{}{place}", notes.join(", "))),
    }
}

/// Splits trailing spaces, which often matter, from a text; they are shown as dots.
pub(crate) fn mark_trailing_blanks(text: &str) -> (&str, String) {
    let end = text.trim_end_matches(' ').len();
    (&text[..end], "·".repeat(text.len() - end))
}

/// Returns the lines of a text. Text after the last newline is a line of its own.
pub(crate) fn split_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

/// Returns the number of lines of a text.
pub(crate) fn count_lines(text: &[u8]) -> usize {
    let newlines = text.iter().filter(|byte| **byte == b'\n').count();
    newlines + usize::from(text.last().is_some_and(|last| *last != b'\n'))
}

// The input of a finding by itself, to be pasted where a judge asks for a hack.

/// Keeps the smallest input that is proved to fail a submission.
#[derive(Debug, Default)]
pub struct HackInput {
    smallest: Option<Vec<u8>>,
}

impl HackInput {
    /// Returns the input in bytes that the judge reads; `None` if nothing was found.
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        self.smallest
    }
}

impl EventSink for HackInput {
    fn take_event(&mut self, event: &Event) {
        let Event::Found(finding) = event else { return };
        // A hack that fails only sometimes, or that the judge refuses, costs the hacker points.
        if !finding.failure.verdict.is_rejection() || finding.failure.flaky.is_some() {
            return;
        }
        let candidates = self.smallest.take().into_iter().chain([finding.run.input.clone()]);
        self.smallest = candidates.max_by_key(|input| Reverse(input.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_engine::event::{Finding, FindingFailure};
    use rebut_packages::verdict::Verdict;

    fn found(verdict: Verdict, input: &str) -> Finding {
        let mut finding = Finding::from_failure(FindingFailure::new("sol.cpp", verdict));
        finding.run.input = input.as_bytes().to_vec();
        finding
    }

    #[test]
    fn smallest_reliable_input_is_kept() {
        let mut hack = HackInput::default();
        let mut flaky = found(Verdict::WrongAnswer, "1\n");
        flaky.failure.flaky = Some((1, 3));
        let findings = [
            found(Verdict::WrongAnswer, "12 7\n"),
            found(Verdict::RuntimeError, "3\n"),
            found(Verdict::JudgeError, ""),
            flaky,
        ];
        for finding in findings {
            hack.take_event(&Event::Found(Box::new(finding)));
        }
        assert_eq!(hack.into_bytes().as_deref(), Some(&b"3\n"[..]));
    }
}
