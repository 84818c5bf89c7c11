//! A search in a document: what was searched, what was found when, and what nothing was found against.

use crate::report::page::{Block, Chart, ChartSeries, Column, Page, SeriesKind, Table};
use crate::report::styled_line::{StyledLine, TextStyle};
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{CommandSummary, EndReason, SearchStarted, SubmissionFailed};

/// Returns a search. How many inputs are tried in a given time differs from run to run.
pub(crate) fn search_page<'a>(
    started: &SearchStarted,
    failed: &[&SubmissionFailed],
    summary: Option<&CommandSummary>,
    has_times: bool,
) -> Page<'a> {
    let mut page = Page::default();
    let mut fact = |label: &str, text: String| page.add_note(StyledLine::from_styled(TextStyle::Dim, label), text);
    let quoted = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ");
    let budget = started.case_budget.map(|cases| format!(", at most {}", count_with_noun(cases as usize, "input")));
    fact("submissions", quoted(&started.submissions));
    fact("reference", format!("`{}`", started.reference));
    fact("inputs", format!("`{}`{}", started.inputs, budget.unwrap_or_default()));
    fact("checker", format!("`{}`", started.checker));
    fact("seed", format!("{:x}", started.seed));
    if let Some(summary) = summary {
        let progress = summary.progress.as_ref().filter(|_| has_times || summary.reason != EndReason::Time);
        progress.into_iter().for_each(|progress| fact("tried", count_with_noun(progress.cases as usize, "input")));
        if !summary.survivors.is_empty() {
            fact(summary.nothing_found(), quoted(&summary.survivors));
        }
        summary.result_reason.iter().for_each(|reason| fact("note", reason.clone()));
    }
    let mut sorted = failed.to_vec();
    sorted.sort_by(|a, b| (a.case, &a.submission).cmp(&(b.case, &b.submission)));
    // The finding of an expression has all of this.
    if !sorted.is_empty() && summary.is_none_or(|summary| summary.expression.is_none()) {
        page.push(Block::Table(failures_table(&sorted)));
    }
    if sorted.len() > 1 {
        page.push(Block::Chart(discovery_chart(&sorted)));
    }
    page
}

fn failures_table(failed: &[&SubmissionFailed]) -> Table {
    let row = |failure: &&SubmissionFailed| {
        let name = StyledLine::from_styled(TextStyle::Code, &failure.submission);
        let case = group_thousands(failure.case.into());
        vec![name, failure.verdict.description().into(), case.into(), failure.shape.as_str().into()]
    };
    let [submission, verdict, shape] = ["submission", "verdict", "shape"].map(Column::of_texts);
    let columns = [submission, verdict, Column::of_numbers("first failing input"), shape];
    Table::new("First failures", columns, failed.iter().map(row))
}

/// Returns how many submissions had failed after how many inputs.
fn discovery_chart(failed: &[&SubmissionFailed]) -> Chart {
    let steps = failed.iter().zip(1..).map(|(failure, count)| (failure.case as f64, f64::from(count)));
    let points = [(1.0, 0.0)].into_iter().chain(steps).collect();
    let name = "submissions that failed".to_owned();
    Chart {
        title: "Submissions that failed, by the number of inputs tried".to_owned(),
        x_label: "inputs tried".to_owned(),
        y_label: "submissions".to_owned(),
        x_names: Vec::new(),
        are_logarithmic: [true, false],
        series: vec![ChartSeries { name, points, kind: SeriesKind::Steps }],
    }
}
