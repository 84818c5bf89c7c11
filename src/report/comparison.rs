//! Renders the changes between two reports.

use super::ReportOptions;
use super::escape::escape_message;
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::wrap_uncut;
use super::units::format_duration;
use rebut_engine::event::{ReportComparison, ResultChange, TimeChange, VerdictChange};

/// Maximum number of lines of a kind, unless everything is shown.
const MAX_LINES: usize = 20;
/// Width of the words at the start of the lines.
const WORD_WIDTH: usize = 10;

/// Renders a line for each change.
pub(crate) fn render_comparison(comparison: &ReportComparison, options: &ReportOptions) -> Vec<StyledLine> {
    let mut lines = vec![StyledLine::new().add_styled(TextStyle::Bold, &comparison.problem)];
    let names = [
        ("added", "submission", &comparison.submissions_added),
        ("gone", "submission", &comparison.submissions_gone),
        ("added", "test case", &comparison.test_cases_added),
        ("gone", "test case", &comparison.test_cases_gone),
    ];
    for (word, noun, names) in names {
        let texts: Vec<String> = names.iter().map(|name| format!("{noun} {name}")).collect();
        lines.extend(render_changes(TextStyle::Plain, word, &texts, options));
    }
    let results: Vec<String> = comparison.results.iter().map(describe_result_change).collect();
    lines.extend(render_changes(TextStyle::Warning, "result", &results, options));
    let verdicts: Vec<String> = comparison.verdicts.iter().map(describe_verdict_change).collect();
    lines.extend(render_changes(TextStyle::Warning, "verdict", &verdicts, options));
    let times: Vec<String> = comparison.times.iter().map(describe_time_change).collect();
    lines.extend(render_changes(TextStyle::Dim, "time", &times, options));
    if lines.len() == 1 {
        lines.extend(render_changes(TextStyle::Success, "same", &["nothing changed".to_owned()], options));
    }
    lines
}

fn render_changes(style: TextStyle, word: &str, texts: &[String], options: &ReportOptions) -> Vec<StyledLine> {
    let shown = if options.all_rows { texts.len() } else { texts.len().min(MAX_LINES) };
    let head = |style, word: &str| StyledLine::from_plain("  ").add_styled(style, format!("{word:WORD_WIDTH$}"));
    let line = |text: &String| wrap_uncut(head(style, word), &escape_message(text), options.width);
    let mut lines: Vec<StyledLine> = texts[..shown].iter().flat_map(line).collect();
    if shown < texts.len() {
        let more = format!("and {} more (`--all` lists them)", texts.len() - shown);
        lines.extend(wrap_uncut(head(TextStyle::Dim, ""), &more, options.width));
    }
    lines
}

/// `wrong_answer/a.cpp: WA as expected -> AC, not as expected`.
pub(crate) fn describe_result_change(change: &ResultChange) -> String {
    let side = |(verdict, is_met): &(String, bool)| {
        format!("{verdict}{}", if *is_met { " as expected" } else { ", not as expected" })
    };
    format!("{}: {} -> {}", change.submission, side(&change.before), side(&change.after))
}

/// `wrong_answer/a.cpp on secret/3: WA -> AC`.
pub(crate) fn describe_verdict_change(change: &VerdictChange) -> String {
    format!("{} on {}: {} -> {}", change.submission, change.test_case, change.before, change.after)
}

/// `accepted/a.cpp on secret/9: 0.3 s -> 0.9 s (3.0x)`.
pub(crate) fn describe_time_change(change: &TimeChange) -> String {
    let ratio = change.after_ms as f64 / change.before_ms.max(1) as f64;
    format!(
        "{} on {}: {} -> {} ({ratio:.1}x)",
        change.submission,
        change.test_case,
        format_duration(change.before_ms),
        format_duration(change.after_ms)
    )
}
