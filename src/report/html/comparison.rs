//! The changes between two reports.

use super::page::result_mark;
use crate::report::comparison::{describe_result_change, describe_time_change, describe_verdict_change};
use maud::{Markup, html};
use rebut_engine::event::ReportComparison;

/// Renders the changes.
pub(super) fn render_comparison(comparison: &ReportComparison) -> Markup {
    let lists: [(&str, Vec<String>); 7] = [
        ("Results that changed", comparison.results.iter().map(describe_result_change).collect()),
        ("Verdicts that changed", comparison.verdicts.iter().map(describe_verdict_change).collect()),
        ("Times that changed by more than noise", comparison.times.iter().map(describe_time_change).collect()),
        ("Submissions added", comparison.submissions_added.clone()),
        ("Submissions gone", comparison.submissions_gone.clone()),
        ("Test cases added", comparison.test_cases_added.clone()),
        ("Test cases gone", comparison.test_cases_gone.clone()),
    ];
    html! {
        p {
            "From " code { (comparison.before) } " to " code { (comparison.after) }
            @if comparison.is_unchanged() { ": " (result_mark(true, "no verdict changed")) }
        }
        @for (title, texts) in lists.iter().filter(|(_, texts)| !texts.is_empty()) {
            h3 { (title) " (" (texts.len()) ")" }
            ul.plain { @for text in texts { li { code { (text) } } } }
        }
    }
}
