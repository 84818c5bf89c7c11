//! Each submission by itself: what is expected, which test cases reject it, and the smallest input that does.

use super::counterexample::{ReportedFinding, render_failure};
use super::matrix::{Verification, render_verdict};
use super::page::render_message;
use crate::report::units::{format_bytes, format_duration, format_points};
use maud::{Markup, html};
use rebut_diagnostics::count_with_noun;
use rebut_engine::event::{CellJudged, SubmissionAssessed};
use rebut_packages::score::SubmissionScore;

/// Maximum number of rejecting test cases that are listed with their messages.
const MAX_LISTED: usize = 12;

/// Renders the submissions. Those that are not as expected are open.
pub(super) fn render_submissions(
    verification: &Verification,
    counterexamples: &[ReportedFinding],
    id: &str,
    shows_times: bool,
) -> Markup {
    html! {
        h3 { "Submissions" }
        @for (row, name) in verification.started.submissions.iter().enumerate() {
            @let assessed = verification.assessed[row].as_ref();
            details.submission open[assessed.is_some_and(|assessed| !assessed.met)] {
                summary { code { (name) } " " @if let Some(assessed) = assessed { (render_verdict(assessed)) } }
                div id=(format!("{id}-s{}", row + 1)) {
                    @if let Some(assessed) = assessed { (render_facts(verification, row, assessed, shows_times)) }
                    (render_rejections(verification, row))
                    @for found in counterexamples.iter().filter(|found| found.submission() == name) {
                        h4 { "Smallest test case that rejects it" @if let Some(case) = found.test_case() { ": " code { (case) } } }
                        (render_failure(found, shows_times))
                    }
                }
            }
        }
    }
}

fn render_facts(verification: &Verification, row: usize, assessed: &SubmissionAssessed, shows_times: bool) -> Markup {
    let killing = verification.rejecting_cells(row).count();
    let known = verification.cells[row].iter().flatten().count();
    html! {
        dl.facts {
            @if let Some(why) = &assessed.why { dt { "Not as expected" } dd { (render_message(why)) } }
            dt { "Expected" } dd { (assessed.expected.permitted.describe_any()) }
            @if known > 0 {
                dt { "Rejected by" } dd { (killing) " of " (count_with_noun(known, "test case")) }
            }
            @if let Some((case, message)) = &assessed.first_rejection {
                dt { "First rejection" } dd { code { (case) } ": " (message) }
            }
            @if let Some(marks) = &assessed.marks { (render_points(marks)) }
            @if shows_times {
                @if let Some(slowest) = &assessed.slowest {
                    dt { "Slowest" } dd { (format_duration(slowest.cpu_time_ms)) " on " code { (slowest.test_case) } }
                }
                dt { "Memory" } dd { (format_bytes(assessed.memory_peak_bytes)) }
                @if assessed.is_close {
                    dt { "Close" } dd { "A run ended so close to the time limit that the verdict may differ on another machine." }
                }
            }
        }
        @if let Some(compiler) = &assessed.compiler { pre.listing { (compiler) } }
    }
}

fn render_points(marks: &SubmissionScore) -> Markup {
    html! {
        dt { "Points" } dd { (format_points(&marks.total)) }
        @for mark in &marks.groups {
            dt { code { (mark.group) } } dd { (format_points(mark)) ", " (mark.verdict) }
        }
    }
}

/// Renders the test cases that reject a submission.
fn render_rejections(verification: &Verification, row: usize) -> Markup {
    let rejections: Vec<&CellJudged> = verification.rejecting_cells(row).collect();
    let rest = rejections.len().saturating_sub(MAX_LISTED);
    html! {
        @if rejections.len() > 1 {
            details {
                summary { "The test cases that reject it" }
                ul.plain {
                    @for cell in rejections.iter().take(MAX_LISTED) {
                        li { code { (cell.test_case) } " " (cell.verdict.code()) ": " (cell.message) }
                    }
                    @if rest > 0 { li { "and " (rest) " more" } }
                }
            }
        }
    }
}
