//! A search in a document: what was searched, what was found when, and what nothing was found against.

use crate::report::page::{Block, Chart, ChartSeries, Column, Medium, Page, SeriesKind, Table};
use crate::report::styled_line::{StyledLine, TextStyle};
use crate::report::units::format_duration;
use rebut_diagnostics::{count_with_noun, group_thousands, list_and};
use rebut_engine::event::{
    CommandSummary, EndReason, ProbeSummary, ReportComparison, ResultChange, SearchStarted, SubmissionFailed,
    TimeChange, ValidatorExposure, VerdictChange,
};

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
            fact("nothing found", quoted(&summary.survivors));
        }
        summary.result_reason.iter().for_each(|reason| fact("note", reason.clone()));
    }
    let mut sorted = failed.to_vec();
    sorted.sort_by(|a, b| (a.case, &a.submission).cmp(&(b.case, &b.submission)));
    if !sorted.is_empty() {
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
    Table {
        title: "First failures".to_owned(),
        columns: vec![
            Column::of_texts("submission"),
            Column::of_texts("verdict"),
            Column::of_numbers("first failing input"),
            Column::of_texts("shape"),
        ],
        rows: failed.iter().map(row).collect(),
        ..Table::default()
    }
}

/// Returns how many submissions had failed after how many inputs.
fn discovery_chart(failed: &[&SubmissionFailed]) -> Chart {
    let steps = failed.iter().zip(1..).map(|(failure, count)| (failure.case as f64, f64::from(count)));
    let points = [(1.0, 0.0)].into_iter().chain(steps).collect();
    let name = "submissions that failed".to_owned();
    Chart {
        title: "Discovery".to_owned(),
        x_label: "inputs tried".to_owned(),
        y_label: "submissions".to_owned(),
        are_logarithmic: [true, false],
        series: vec![ChartSeries { name, points, kind: SeriesKind::Steps }],
    }
}

// Wrong opinions of validators and checkers.

/// Returns a wrong opinion.
pub(crate) fn exposure_page<'a>(exposed: &ValidatorExposure) -> Page<'a> {
    let ValidatorExposure { validator, what, failure, is_refused, is_lenient, .. } = exposed;
    let names = exposed.listed_names();
    let head = match (failure, is_refused) {
        (None, false) => format!("`{validator}` accepts {names}: "),
        (None, true) => format!("`{validator}`, {names}: "),
        (Some(failure), _) => format!("`{validator}`: {failure}, given {names}: "),
    };
    let style = if failure.is_none() && !is_lenient { TextStyle::Failure } else { TextStyle::Warning };
    let word = if *is_lenient { "warning" } else { "exposed" };
    let mut page = Page::default();
    page.add_note(StyledLine::from_label(0, style, word, "  "), head + what);
    page
}

/// Returns how much was tried, and the number of wrong opinions.
pub(crate) fn probe_summary<'a>(probed: &ProbeSummary) -> Page<'a> {
    let mut page = Page::default();
    let what = [(probed.inputs, "input"), (probed.answers, "answer"), (probed.outputs, "output")];
    let what: Vec<String> = what.iter().filter(|(n, _)| *n > 0).map(|(n, noun)| count_with_noun(*n, noun)).collect();
    let (style, word, mut text) = match probed.exposed {
        0 if what.is_empty() => return page,
        0 => (TextStyle::Success, "OK", format!("validators and checker are right about {}", list_and(&what))),
        exposed => (
            TextStyle::Failure,
            "FAIL",
            format!("{} on {}", count_with_noun(exposed, "wrong decision"), list_and(&what)),
        ),
    };
    if probed.lenient > 0 {
        text.push_str(", except for the warnings above (errors with `--strict`)");
    }
    page.add_note(StyledLine::from_label(0, style, word, "  "), text);
    page
}

// The changes between two reports.

/// Maximum number of lines of a kind, unless everything is shown.
const MAX_LINES: usize = 20;

/// Returns a list for each kind of change.
pub(crate) fn comparison_page(comparison: &ReportComparison) -> Page<'_> {
    let mut page = Page::default();
    page.add_line(StyledLine::from_styled(TextStyle::Bold, &comparison.problem));
    page.add_only(Medium::Html, |page| {
        page.add_note(StyledLine::new(), format!("From `{}` to `{}`", comparison.before, comparison.after));
    });
    let named = |noun: &str, names: &[String]| names.iter().map(|name| format!("{noun} {name}")).collect();
    let lists: [(TextStyle, &str, &str, Vec<String>); 7] = [
        (TextStyle::Plain, "added", "Submissions added", named("submission", &comparison.submissions_added)),
        (TextStyle::Plain, "gone", "Submissions gone", named("submission", &comparison.submissions_gone)),
        (TextStyle::Plain, "added", "Test cases added", named("test case", &comparison.test_cases_added)),
        (TextStyle::Plain, "gone", "Test cases gone", named("test case", &comparison.test_cases_gone)),
        (
            TextStyle::Warning,
            "result",
            "Results that changed",
            describe_all(&comparison.results, describe_result_change),
        ),
        (
            TextStyle::Warning,
            "verdict",
            "Verdicts that changed",
            describe_all(&comparison.verdicts, describe_verdict_change),
        ),
        (
            TextStyle::Dim,
            "time",
            "Times that changed by more than noise",
            describe_all(&comparison.times, describe_time_change),
        ),
    ];
    let head = |style, word: &str| StyledLine::from_label(2, style, &format!("{word:10}"), "");
    if lists.iter().all(|(.., texts)| texts.is_empty()) {
        page.add_note(head(TextStyle::Success, "same"), "nothing changed");
    }
    for (style, word, title, texts) in lists {
        page.add_list(title, head(style, word), texts, MAX_LINES);
    }
    page
}

fn describe_all<T>(changes: &[T], describe: fn(&T) -> String) -> Vec<String> {
    changes.iter().map(describe).collect()
}

/// `wrong_answer/a.cpp: WA as expected -> AC, not as expected`.
fn describe_result_change(change: &ResultChange) -> String {
    let side = |(verdict, is_met): &(String, bool)| {
        format!("{verdict}{}", if *is_met { " as expected" } else { ", not as expected" })
    };
    format!("{}: {} -> {}", change.submission, side(&change.before), side(&change.after))
}

/// `wrong_answer/a.cpp on secret/3: WA -> AC`.
fn describe_verdict_change(change: &VerdictChange) -> String {
    format!("{} on {}: {} -> {}", change.submission, change.test_case, change.before, change.after)
}

/// `accepted/a.cpp on secret/9: 0.3 s -> 0.9 s (3.0x)`.
fn describe_time_change(change: &TimeChange) -> String {
    let TimeChange { submission, test_case, before_ms, after_ms } = change;
    let ratio = *after_ms as f64 / (*before_ms).max(1) as f64;
    let [before, after] = [*before_ms, *after_ms].map(format_duration);
    format!("{submission} on {test_case}: {before} -> {after} ({ratio:.1}x)")
}
