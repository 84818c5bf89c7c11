//! The verification of a package: what is known of it, and how each submission, the time limit and the times are shown.

use crate::report::ReportOptions;
use crate::report::page::{Block, Chart, ChartSeries, Column, Medium, Page, SeriesKind, Table};
use crate::report::styled_line::{StyledLine, TextStyle, prefix_of_width};
use crate::report::units::{format_bytes, format_duration, format_points};
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{
    CellJudged, ContestVerified, Event, LanguageLimit, MeasuredTime, ProblemVerified, SubmissionAssessed,
    TimeLimitAdvice, UnfinishedTable, VerificationStarted,
};
use rebut_packages::score::{GroupScore, SubmissionScore};
use rebut_packages::verdict::Verdict;
use std::collections::BTreeMap;

/// Maximum width of a name in the table of times, in columns.
const MAX_NAME_COLUMNS: usize = 30;
/// Maximum number of rejecting test cases that are listed with their messages.
const MAX_REJECTIONS: usize = 12;
/// Maximum number of lines shown of a compiler's output on a terminal.
const MAX_COMPILER_LINES: usize = 12;

/// The verification of a package.
#[derive(Debug)]
pub(crate) struct Verification {
    pub(crate) started: VerificationStarted,
    /// A row for each submission, with a cell for each test case.
    pub(crate) cells: Vec<Vec<Option<CellJudged>>>,
    /// The assessment of each submission, if it has finished.
    pub(crate) assessed: Vec<Option<SubmissionAssessed>>,
    pub(crate) limit: Option<TimeLimitAdvice>,
    pub(crate) unfinished: Option<UnfinishedTable>,
    row_by_submission: BTreeMap<String, usize>,
    column_by_test_case: BTreeMap<String, usize>,
}

impl Verification {
    /// Returns a verification without results.
    pub(crate) fn new(started: &VerificationStarted) -> Verification {
        let (rows, columns) = (started.submissions.len(), started.test_cases.len());
        Verification {
            started: started.clone(),
            cells: vec![vec![None; columns]; rows],
            assessed: vec![None; rows],
            limit: None,
            unfinished: None,
            row_by_submission: started.submissions.iter().cloned().zip(0..).collect(),
            column_by_test_case: started.test_cases.iter().cloned().zip(0..).collect(),
        }
    }

    pub(crate) fn row_of(&self, submission: &str) -> Option<usize> {
        self.row_by_submission.get(submission).copied()
    }

    /// Adds a result.
    pub(crate) fn take_event(&mut self, event: &Event) {
        match event {
            Event::Judged(judged) => {
                let column = self.column_by_test_case.get(&judged.test_case);
                if let (Some(row), Some(&column)) = (self.row_of(&judged.submission), column) {
                    self.cells[row][column] = Some(judged.clone());
                }
            }
            Event::Assessed(assessed) => {
                if let Some(row) = self.row_of(&assessed.submission) {
                    self.assessed[row] = Some(assessed.clone());
                }
            }
            Event::TimeLimit(limit) => self.limit = Some(limit.clone()),
            Event::Unfinished(unfinished) => self.unfinished = Some(unfinished.clone()),
            _ => {}
        }
    }

    /// Returns the number of submissions that do not meet their expectation.
    pub(crate) fn unmet_count(&self) -> usize {
        self.assessed.iter().flatten().filter(|assessed| !assessed.met).count()
    }

    /// `14 submissions as expected`, or `2 of 14 submissions not as expected`.
    pub(crate) fn result_text(&self) -> String {
        let total = count_with_noun(self.started.submissions.len(), "submission");
        match (self.unmet_count(), &self.unfinished) {
            (_, Some(table)) => {
                let word = if table.missing.is_some() { "incomplete" } else { "interrupted" };
                let (known, all) = (group_thousands(table.known as u128), count_with_noun(table.of, "run"));
                format!("{word}: {known} of {all} known")
            }
            (0, None) => match self.assessed.iter().flatten().filter(|assessed| !assessed.has_expectation).count() {
                0 => format!("{total} as expected"),
                open => format!(
                    "{} as expected, {open} without an expectation",
                    count_with_noun(self.started.submissions.len() - open, "submission")
                ),
            },
            (1, None) if self.started.submissions.len() == 1 => "the submission is not as expected".to_owned(),
            (unmet, None) => format!("{unmet} of {total} not as expected"),
        }
    }

    /// Returns the known verdicts on a submission.
    pub(crate) fn known_cells(&self, row: usize) -> impl Iterator<Item = &CellJudged> {
        self.cells[row].iter().flatten()
    }

    /// Returns the test cases that reject a submission.
    pub(crate) fn rejecting_cells(&self, row: usize) -> impl Iterator<Item = &CellJudged> {
        self.known_cells(row).filter(|cell| cell.verdict.is_rejection())
    }
}

/// Returns what stands below a submission: its points, why it is not as expected, and remarks for the author of the
/// package. Documents of a campaign have times only if these are asked for.
pub(crate) fn submission_page<'a>(
    verification: &Verification,
    assessed: &'a SubmissionAssessed,
    options: &ReportOptions,
) -> Page<'a> {
    let mut page = assessed.marks.as_ref().map(points_page).unwrap_or_default();
    add_expectation(&mut page, verification, assessed, options);
    let label = |style, word| StyledLine::from_label(8, style, word, ": ");
    let memory = format_bytes(assessed.memory_peak_bytes);
    if options.verbose {
        page.add_only(Medium::Terminal, |page| {
            page.add_line(StyledLine::from_label(8, TextStyle::Dim, &format!("memory {memory}"), ""));
        });
    }
    if options.show_times {
        page.add_only(Medium::Html, |page| {
            if let Some(slowest) = &assessed.slowest {
                let time = format_duration(slowest.cpu_time_ms);
                page.add_note(label(TextStyle::Dim, "slowest"), format!("{time} on `{}`", slowest.test_case));
            }
            page.add_note(label(TextStyle::Dim, "memory"), memory);
        });
    }
    let close = "a run ended so close to the time limit that the verdict may differ on another machine";
    if assessed.is_close {
        let head = label(TextStyle::Warning, "close");
        match options.show_times {
            true => page.add_note(head, close),
            false => page.add_only(Medium::Terminal, |page| page.add_note(head, close)),
        }
    }
    let compiler: Vec<&str> = assessed.compiler.iter().flat_map(|text| text.lines()).collect();
    page.add_only(Medium::Terminal, |page| {
        for line in compiler.iter().take(MAX_COMPILER_LINES) {
            page.add_line(StyledLine::from_label(8, TextStyle::Dim, line, "").into_uncut());
        }
    });
    add_rejections(&mut page, verification, &assessed.submission);
    if !compiler.is_empty() {
        page.push(Block::Source(compiler.into_iter().map(StyledLine::from_plain).collect()));
    }
    page
}

/// Adds the test cases that reject a submission with their messages, if there are several.
fn add_rejections(page: &mut Page<'_>, verification: &Verification, submission: &str) {
    let cells = verification.row_of(submission).into_iter().flat_map(|row| verification.rejecting_cells(row));
    let texts = cells.map(|cell| format!("`{}` {}: {}", cell.test_case, cell.verdict.code(), cell.message));
    let mut texts: Vec<String> = texts.collect();
    let rest = texts.len().saturating_sub(MAX_REJECTIONS);
    if texts.len() > 1 {
        texts.truncate(MAX_REJECTIONS);
        texts.extend((rest > 0).then(|| format!("and {rest} more")));
        let mut details = Page::default();
        texts.into_iter().for_each(|text| details.add_note("".into(), text));
        page.add_fold("The test cases that reject it".into(), false, details);
    }
}

fn add_expectation<'a>(
    page: &mut Page<'a>,
    verification: &Verification,
    assessed: &'a SubmissionAssessed,
    options: &ReportOptions,
) {
    let label = |style, word| StyledLine::from_label(8, style, word, ": ");
    if let Some(why) = &assessed.why {
        page.add_note(label(TextStyle::Failure, "unexpected"), why);
    }
    let row = verification.row_of(&assessed.submission).filter(|row| verification.known_cells(*row).next().is_some());
    page.add_only(Medium::Html, |page| {
        page.add_note(label(TextStyle::Dim, "expected"), assessed.expected.permitted.describe_any());
        if let Some(row) = row {
            let known = count_with_noun(verification.known_cells(row).count(), "test case");
            let killing = verification.rejecting_cells(row).count();
            page.add_note(label(TextStyle::Dim, "rejected by"), format!("{killing} of {known}"));
        }
    });
    if let Some((case, message)) = &assessed.first_rejection {
        let (head, text) = (label(TextStyle::Dim, "first"), format!("{case}: {message}"));
        match !assessed.met || options.verbose {
            true => page.add_note(head, text),
            false => page.add_only(Medium::Html, |page| page.add_note(head, text)),
        }
    }
}

/// Returns the points of a submission, by group.
pub(crate) fn points_page<'a>(marks: &SubmissionScore) -> Page<'a> {
    let mut page = Page::default();
    page.add_only(Medium::Terminal, |page| {
        if !marks.groups.is_empty() {
            let groups: Vec<String> = marks.groups.iter().map(group_points_text).collect();
            page.add_note(StyledLine::from_label(8, TextStyle::Dim, "points", ": "), groups.join(", "));
        }
    });
    page.add_only(Medium::Html, |page| {
        page.add_note(StyledLine::from_styled(TextStyle::Dim, "points"), format_points(&marks.total));
        for mark in &marks.groups {
            let text = format!("{}, {}", format_points(mark), mark.verdict);
            page.add_note(StyledLine::from_styled(TextStyle::Code, &mark.group), text);
        }
    });
    page
}

/// `1_small 20/20`, `1_small 20`, or the verdict if the group has no points.
fn group_points_text(mark: &GroupScore) -> String {
    let name = mark.group.strip_prefix("secret/").unwrap_or(&mark.group);
    match (mark.score, mark.best) {
        (Some(score), Some(best)) => format!("{name} {score}/{best}"),
        (Some(score), None) => format!("{name} {score}"),
        (None, _) => format!("{name} {}", mark.verdict.code()),
    }
}

/// Returns a measured time: `12 ms`, or `> 1.5 s` if the run was stopped at that time.
pub(crate) fn measured_time_text(measured: &MeasuredTime) -> String {
    let sign = if measured.was_stopped { "> " } else { "" };
    format!("{sign}{}", format_duration(measured.cpu_time_ms))
}

/// Returns the folder of a submission below `submissions/`.
pub(crate) fn submission_folder(submission: &str) -> &str {
    submission.split_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the path of a submission within that folder.
pub(crate) fn submission_name(submission: &str) -> &str {
    submission.split_once('/').map_or(submission, |(_, name)| name)
}

/// Returns the time limit with its evidence, and advice.
pub(crate) fn time_limit_page<'a>(limit: &TimeLimitAdvice) -> Page<'a> {
    let mut page = Page::default();
    page.add_only(Medium::Terminal, |page| {
        let facts = time_limit_facts(limit).into_iter().map(|(label, time, _)| match label {
            "limit" => time,
            _ => format!("{label}: {time}"),
        });
        let text = facts.collect::<Vec<_>>().join("; ");
        page.add_note(StyledLine::from_label(6, TextStyle::Dim, "limit", "  "), text);
    });
    page.add_only(Medium::Html, |page| {
        for (label, time, place) in time_limit_facts(limit) {
            page.add_note(StyledLine::from_styled(TextStyle::Dim, label), time + &place);
        }
    });
    for text in &limit.advice {
        page.add_note(StyledLine::from_label(6, TextStyle::Warning, "advice", ": "), text);
    }
    page
}

/// Returns the limit, the slowest submission that stays within it and the fastest that does not: what it is, the time,
/// and where it was measured.
fn time_limit_facts(limit: &TimeLimitAdvice) -> Vec<(&'static str, String, String)> {
    let origin = if limit.is_stated { "" } else { ", derived from the slowest" };
    let mut facts = vec![("limit", format_duration(limit.cpu_time_limit_ms) + origin, String::new())];
    let ratio = |m: &MeasuredTime| m.cpu_time_ms as f64 / limit.cpu_time_limit_ms.max(1) as f64;
    let place = |m: &MeasuredTime| format!(": `{}` on `{}`", m.submission, m.test_case);
    let time = |m: &MeasuredTime| format!("{} {}", submission_name(&m.submission), measured_time_text(m));
    if let Some(slowest) = &limit.slowest {
        let headroom = 1.0 / ratio(slowest).max(1e-3);
        facts.push(("slowest within it", format!("{} ({headroom:.1}x below)", time(slowest)), place(slowest)));
    }
    if let Some(fastest) = &limit.fastest {
        let times = ratio(fastest);
        let what = if times > 1.0 { "fastest too slow" } else { "should be too slow" };
        facts.push((what, format!("{} ({times:.1}x)", time(fastest)), place(fastest)));
    }
    if limit.languages.windows(2).any(|pair| pair[0].required_limit_ms != pair[1].required_limit_ms) {
        let shown = |limit: &LanguageLimit| format!("{} {} s", limit.language, limit.required_limit_ms / 1000);
        let languages: Vec<String> = limit.languages.iter().map(shown).collect();
        facts.push(("required by language", languages.join(", "), String::new()));
    }
    facts
}

/// Returns the time of the slowest accepted submission on each test case, below the limit; `None` if there is too little
/// to draw.
pub(crate) fn run_times_chart(verification: &Verification, limit: &TimeLimitAdvice) -> Option<Chart> {
    let is_accepted = |row: &usize| verification.assessed[*row].as_ref().is_some_and(|one| one.expected.is_accepted());
    let accepted: Vec<usize> = (0..verification.cells.len()).filter(is_accepted).collect();
    let slowest = |column: usize| {
        let cells = accepted.iter().filter_map(|row| verification.cells[*row][column].as_ref());
        Some(((column + 1) as f64, cells.map(|cell| cell.cpu_time_ms).max()? as f64))
    };
    let count = verification.started.test_cases.len();
    let points: Vec<(f64, f64)> = (0..count).filter_map(slowest).collect();
    let limit_ms = limit.cpu_time_limit_ms.max(1) as f64;
    let limit = vec![(1.0, limit_ms), (count as f64, limit_ms)];
    (points.len() > 1).then(|| Chart {
        title: "Slowest accepted submission on each test case".to_owned(),
        x_label: "test case".to_owned(),
        y_label: "processor time (ms)".to_owned(),
        x_names: verification.started.test_cases.clone(),
        are_logarithmic: [false, false],
        series: vec![
            ChartSeries { name: "slowest accepted submission".to_owned(), points, kind: SeriesKind::Marks },
            ChartSeries { name: "time limit".to_owned(), points: limit, kind: SeriesKind::Dashed },
        ],
    })
}

/// Returns the time of each submission on each test case, and its verdict if it is not accepted.
pub(crate) fn time_table(verification: &Verification) -> Table {
    let VerificationStarted { submissions, test_cases, .. } = &verification.started;
    let cut = |name: &str| StyledLine::from_plain(prefix_of_width(name, MAX_NAME_COLUMNS));
    let column = |submission: &String| {
        let name = prefix_of_width(submission_name(submission), MAX_NAME_COLUMNS);
        Column { title: StyledLine::from_styled(TextStyle::Bold, name), ..Column::of_numbers("") }
    };
    let cell = |judged: &Option<CellJudged>| match judged {
        None => StyledLine::from_styled(TextStyle::Dim, "-"),
        Some(CellJudged { cpu_time_ms, verdict: Verdict::Accepted, .. }) => {
            StyledLine::from_plain(format_duration(*cpu_time_ms))
        }
        Some(CellJudged { cpu_time_ms, verdict, .. }) => {
            StyledLine::from_styled(TextStyle::Failure, format!("{} {}", verdict.code(), format_duration(*cpu_time_ms)))
        }
    };
    let row = |(at, test_case): (usize, &String)| {
        let cells = verification.cells.iter().map(|row| cell(&row[at]));
        [cut(test_case)].into_iter().chain(cells).collect()
    };
    let names = Column { min_width: 7, ..Column::of_texts("time") };
    let columns: Vec<Column> = [names].into_iter().chain(submissions.iter().map(column)).collect();
    Table { is_split: true, ..Table::new("Times", columns, test_cases.iter().enumerate().map(row)).with_indent(6) }
}

/// Returns the problems of a contest, a row each.
pub(crate) fn contest_page<'a>(contest: &ContestVerified) -> Page<'a> {
    let (all, sound) = (contest.problems.len(), contest.sound_count());
    let (style, word) = if sound == all { (TextStyle::Success, "OK") } else { (TextStyle::Failure, "FAIL") };
    let mut page = Page::default();
    let text = format!("{}: {sound} of {} as expected", contest.contest, count_with_noun(all, "problem"));
    page.add_note(StyledLine::from_label(0, style, word, "  "), text);
    let result = |problem: &ProblemVerified| match problem.unmet {
        Some(0) => StyledLine::from_styled(TextStyle::Success, "as expected"),
        Some(unmet) => StyledLine::from_styled(TextStyle::Failure, format!("{unmet} not as expected")),
        None => StyledLine::from_styled(TextStyle::Failure, "stopped by an error"),
    };
    let row = |problem: &ProblemVerified| {
        let label = StyledLine::from_plain(problem.label.clone().unwrap_or_default());
        vec![label, StyledLine::from_plain(problem.problem.clone()), result(problem)]
    };
    let columns = ["", "problem", "result"].map(Column::of_texts);
    page.push(Block::Table(Table::new("Problems", columns, contest.problems.iter().map(row)).with_indent(6)));
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::lines::render_page;

    #[test]
    fn points_of_a_group_show_what_is_known() {
        let mark =
            |score, best| GroupScore { group: "secret/1_small".to_owned(), verdict: Verdict::WrongAnswer, score, best };
        assert_eq!(group_points_text(&mark(Some(12.5), Some(20.0))), "1_small 12.5/20");
        assert_eq!(group_points_text(&mark(Some(12.5), None)), "1_small 12.5");
        assert_eq!(group_points_text(&mark(None, Some(20.0))), "1_small WA");
    }

    #[test]
    fn submissions_are_split_at_the_first_folder() {
        assert_eq!(
            (submission_folder("accepted/a/b.cpp"), submission_name("accepted/a/b.cpp")),
            ("accepted", "a/b.cpp")
        );
        assert_eq!((submission_folder("b.cpp"), submission_name("b.cpp")), ("", "b.cpp"));
    }

    #[test]
    fn time_limit_is_compared_with_the_submissions_around_it() {
        let measured = |name: &str, cpu_time_ms, was_stopped| {
            let (submission, test_case) = (format!("accepted/{name}"), "1".to_owned());
            Some(MeasuredTime { submission, test_case, cpu_time_ms, was_stopped })
        };
        let limit = TimeLimitAdvice {
            cpu_time_limit_ms: 1_000,
            is_stated: true,
            ac_to_time_limit: 2.0,
            time_limit_to_tle: 1.5,
            slowest: measured("fast.rs", 80, false),
            fastest: measured("brute.cpp", 2_000, true),
            languages: Vec::new(),
            advice: Vec::new(),
            elapsed_ms: 1,
        };
        let text = "1.0 s; slowest within it: fast.rs 80 ms (12.5x below); fastest too slow: brute.cpp > 2.0 s (2.0x)";
        let options = ReportOptions { width: 200, ..ReportOptions::default() };
        let shown = |limit: &TimeLimitAdvice| render_page(&time_limit_page(limit), &options)[0].render_ansi(false);
        assert_eq!(shown(&limit), format!("      limit  {text}"));
        let derived = TimeLimitAdvice { is_stated: false, slowest: None, fastest: measured("b", 900, false), ..limit };
        let text = "1.0 s, derived from the slowest; should be too slow: b 0.9 s (0.9x)";
        assert_eq!(shown(&derived), format!("      limit  {text}"));
        let required = |language, cpu_time_ms| LanguageLimit {
            language,
            cpu_time_ms,
            required_limit_ms: (2 * cpu_time_ms).next_multiple_of(1000),
        };
        let several = TimeLimitAdvice {
            fastest: None,
            languages: vec![required("C++", 80), required("Python", 1_100)],
            ..derived
        };
        let text = "1.0 s, derived from the slowest; required by language: C++ 1 s, Python 3 s";
        assert_eq!(shown(&several), format!("      limit  {text}"));
    }
}
