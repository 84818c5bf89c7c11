//! A search: what was searched, what was found when, and what nothing was found against.

use super::chart::{Chart, ChartSeries, SeriesKind, render_chart};
use maud::{Markup, html};
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{CommandSummary, EndReason, SearchStarted, SubmissionFailed};

/// Renders a search.
pub(super) fn render_search(
    started: &SearchStarted,
    failed: &[SubmissionFailed],
    summary: Option<&CommandSummary>,
    shows_times: bool,
) -> Markup {
    // How many inputs are tried in a given time differs from run to run.
    let counts = |summary: &&CommandSummary| shows_times || summary.reason != EndReason::Time;
    let progress = summary.filter(counts).and_then(|summary| summary.progress.as_ref());
    let budget = started.case_budget.map(|cases| format!(", at most {}", count_with_noun(cases as usize, "input")));
    html! {
        h3 { "Search" }
        dl.facts {
            dt { "Submissions" } dd { @for name in &started.submissions { code { (name) } " " } }
            dt { "Reference" } dd { code { (started.reference) } }
            dt { "Inputs" } dd { code { (started.inputs) } (budget.unwrap_or_default()) }
            dt { "Checker" } dd { code { (started.checker) } }
            dt { "Seed" } dd { code { (format!("{:x}", started.seed)) } }
            @if let Some(progress) = progress {
                dt { "Tried" } dd { (count_with_noun(progress.cases as usize, "input")) }
            }
            @if let Some(summary) = summary {
                @if !summary.survivors.is_empty() {
                    dt { "Nothing found" } dd { @for name in &summary.survivors { code { (name) } " " } }
                }
                @if let Some(reason) = &summary.result_reason { dt { "Note" } dd { (reason) } }
            }
        }
        @if !failed.is_empty() { (render_failures(failed)) }
        @if failed.len() > 1 { (render_discovery(failed)) }
    }
}

fn render_failures(failed: &[SubmissionFailed]) -> Markup {
    html! {
        div.scroll tabindex="0" role="group" aria-label="First failures" {
            table {
                thead {
                    tr {
                        th scope="col" { "Submission" } th scope="col" { "Verdict" }
                        th scope="col" { "First failing input" } th scope="col" { "Shape" }
                    }
                }
                tbody {
                    @for failure in sorted(failed) {
                        tr {
                            th scope="row" { code { (failure.submission) } }
                            td { (failure.verdict) }
                            td.number { (group_thousands(failure.case.into())) }
                            td { (failure.shape) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the failures in the order of their inputs.
fn sorted(failed: &[SubmissionFailed]) -> Vec<&SubmissionFailed> {
    let mut sorted: Vec<&SubmissionFailed> = failed.iter().collect();
    sorted.sort_by(|a, b| (a.case, &a.submission).cmp(&(b.case, &b.submission)));
    sorted
}

/// Renders how many submissions had failed after how many inputs.
fn render_discovery(failed: &[SubmissionFailed]) -> Markup {
    let failures = sorted(failed);
    let steps = failures.iter().zip(1..).map(|(failure, count)| (failure.case as f64, f64::from(count)));
    let points = [(1.0, 0.0)].into_iter().chain(steps).collect();
    let name = "submissions that failed".to_owned();
    render_chart(&Chart {
        title: "Discovery",
        x_label: "inputs tried",
        y_label: "submissions",
        are_logarithmic: [true, false],
        series: vec![ChartSeries { name, points, kind: SeriesKind::Steps }],
    })
}
