//! The changes between two reports.

use crate::report::page::{Medium, Page};
use crate::report::styled_line::{StyledLine, TextStyle};
use crate::report::units::format_duration;
use rebut_engine::event::{ReportComparison, ResultChange, TimeChange, VerdictChange};

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
