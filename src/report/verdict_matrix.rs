//! A matrix of submissions by test cases with one letter for each verdict, rendered live and at the end.

use super::ReportOptions;
use super::escape::escape_message;
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::wrap_uncut;
use super::units::{format_bytes, format_duration, format_points};
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{
    CellJudged, MeasuredTime, SubmissionAssessed, TimeLimitAdvice, UnfinishedTable, VerificationStarted,
};
use rebut_packages::score::GroupScore;
use rebut_packages::verdict::Verdict;
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// A cell without a verdict yet.
const UNKNOWN_CELL: char = ' ';
/// Maximum number of rows in the live block, so that it fits on any screen.
const MAX_LIVE_ROWS: usize = 12;
/// Space between columns.
const COLUMN_GAP: usize = 2;
/// Width right of the letters: the slowest time and the verdict.
const RIGHT_COLUMNS: usize = 13;
/// Additional width of the points.
const POINTS_COLUMNS: usize = 9;
/// Width of a verdict's code followed by `as expected`.
const AS_EXPECTED_COLUMNS: usize = 15;
/// Maximum width of a name, in columns.
const MAX_NAME_COLUMNS: usize = 40;

/// The verdicts on the runs of one package that have finished.
pub(crate) struct VerdictMatrix {
    submissions: Vec<String>,
    row_by_submission: BTreeMap<String, usize>,
    column_by_test_case: BTreeMap<String, usize>,
    groups: Vec<MatrixGroup>,
    cells: Vec<Vec<char>>,
    name_columns: usize,
    known_runs: usize,
    cached_runs: usize,
    unmet_expectations: usize,
    /// The folder of the last row shown.
    last_folder: Option<String>,
    has_points: bool,
    /// The points of the submission, if there is only one.
    points: Option<String>,
    /// Rows of the live block: those that changed last.
    recent_rows: Vec<usize>,
}

/// Consecutive test cases in one folder.
struct MatrixGroup {
    name: String,
    first: usize,
    len: usize,
}

/// Returns the letter of a verdict; accepted is a dot, so that everything else stands out.
fn verdict_letter(verdict: Verdict) -> char {
    match verdict {
        Verdict::Accepted => '.',
        Verdict::JudgeError => 'J',
        other => other.code().chars().next().unwrap_or('?'),
    }
}

fn letter_style(letter: char) -> TextStyle {
    match letter {
        '.' | UNKNOWN_CELL => TextStyle::Dim,
        'J' => TextStyle::Warning,
        _ => TextStyle::Failure,
    }
}

impl VerdictMatrix {
    /// Creates the empty matrix of a package.
    pub(crate) fn new(verifying: &VerificationStarted) -> VerdictMatrix {
        let names = &verifying.submissions;
        let count = verifying.test_cases.len();
        VerdictMatrix {
            submissions: names.clone(),
            row_by_submission: names.iter().cloned().zip(0..).collect(),
            column_by_test_case: verifying.test_cases.iter().cloned().zip(0..).collect(),
            groups: group_test_cases(&verifying.test_cases),
            cells: vec![vec![UNKNOWN_CELL; count]; names.len()],
            name_columns: names
                .iter()
                .map(|name| submission_name(name).width())
                .max()
                .unwrap_or(0)
                .min(MAX_NAME_COLUMNS),
            known_runs: 0,
            cached_runs: 0,
            unmet_expectations: 0,
            last_folder: None,
            has_points: verifying.has_points,
            points: None,
            recent_rows: Vec::new(),
        }
    }

    /// Adds a run.
    pub(crate) fn record_run(&mut self, judged: &CellJudged) {
        let (Some(&row), Some(&case)) =
            (self.row_by_submission.get(&judged.submission), self.column_by_test_case.get(&judged.test_case))
        else {
            return;
        };
        self.cells[row][case] = verdict_letter(judged.verdict);
        self.known_runs += 1;
        self.cached_runs += usize::from(judged.remembered);
        self.recent_rows.retain(|other| *other != row);
        self.recent_rows.push(row);
        if self.recent_rows.len() > MAX_LIVE_ROWS {
            self.recent_rows.remove(0);
        }
    }

    /// Returns true if there is only one submission: each test case then has a line of its own.
    pub(crate) fn is_single(&self) -> bool {
        self.submissions.len() == 1
    }

    /// Renders the line of one test case of a single submission.
    pub(crate) fn render_case_line(&self, judged: &CellJudged, options: &ReportOptions) -> Vec<StyledLine> {
        let columns = self.column_by_test_case.keys().map(|name| name.width()).max().unwrap_or(0);
        let style = if judged.verdict == Verdict::Accepted { TextStyle::Dim } else { TextStyle::Failure };
        let line = StyledLine::from_plain("      ").add_plain(&judged.test_case).pad_to_width(6 + columns + COLUMN_GAP);
        let line = line.add_styled(style, format!("{:<4}", judged.verdict.code()));
        let line = line.add_plain(format!("{:>9}", format_duration(judged.cpu_time_ms)));
        let line =
            line.add_styled(TextStyle::Dim, format!("{:>10}", format_bytes(judged.memory_peak_bytes))).add_plain("  ");
        wrap_uncut(line, &escape_message(&judged.message), options.width)
    }

    /// Renders the live block.
    pub(crate) fn render_live(&self, width: usize) -> Vec<StyledLine> {
        let all = self.submissions.len() * self.cells.first().map_or(0, Vec::len);
        let head = format!("   {} of {} runs", group_thousands(self.known_runs as u128), group_thousands(all as u128));
        let mut rows = self.recent_rows.clone();
        rows.sort_unstable();
        let lines = rows.into_iter().map(|row| self.row_start(row, StyledLine::from_plain("     "), width));
        [StyledLine::from_plain(head)].into_iter().chain(lines).collect()
    }

    /// Renders one line for a log.
    pub(crate) fn log_line(&self, elapsed_ms: u64) -> StyledLine {
        StyledLine::from_plain(format!(
            "  {}  {}",
            format_duration(elapsed_ms),
            count_with_noun(self.known_runs, "run")
        ))
    }

    /// Renders the row of a submission that has finished, and any headings above it.
    pub(crate) fn render_row(&mut self, assessed: &SubmissionAssessed, options: &ReportOptions) -> Vec<StyledLine> {
        let Some(&row) = self.row_by_submission.get(&assessed.submission) else { return Vec::new() };
        self.unmet_expectations += usize::from(!assessed.met);
        let mut lines = Vec::new();
        if self.is_single() {
            // Its test cases have already been shown, one per line.
            self.points = assessed.marks.as_ref().map(|marks| format_points(&marks.total));
            let marks = assessed.marks.iter().flat_map(|marks| group_points_lines(&marks.groups, options.width));
            return marks.chain(self.missing_points_reason(assessed, options)).collect();
        }
        lines.extend(self.row_headings(row, options));
        let mark = if assessed.met {
            StyledLine::from_plain("      ")
        } else {
            StyledLine::new().add_styled(TextStyle::Failure, "FAIL").add_plain("  ")
        };
        let line = self.row_start(row, mark, options.width);
        let time =
            assessed.slowest.as_ref().map(|m| slowest_time_text(m, assessed.slowest_is_idle)).unwrap_or_default();
        let line = line.add_plain(format!("{time:>8}"));
        let line = if self.has_points { line.add_plain(format!("{:>9}", points_text(assessed))) } else { line }
            .add_plain("  ");
        let fits_in_words = line.width() + AS_EXPECTED_COLUMNS <= options.width;
        let is_plain = assessed.verdict == Verdict::Accepted && assessed.expected.is_accepted();
        let verdict = match (assessed.met, is_plain) {
            (true, true) => StyledLine::new(),
            (true, false) if fits_in_words => {
                StyledLine::new().add_styled(TextStyle::Dim, format!("{} as expected", assessed.verdict.code()))
            }
            (true, false) => StyledLine::new().add_styled(TextStyle::Dim, assessed.verdict.code()),
            (false, _) => StyledLine::new().add_styled(TextStyle::Failure, assessed.verdict.code()),
        };
        lines.push(line.append_line(verdict));
        if let Some(marks) = &assessed.marks {
            lines.extend(group_points_lines(&marks.groups, options.width));
        }
        lines.extend(self.row_reasons(assessed, options));
        lines
    }

    /// Renders the rows of an interrupted matrix that have at least one verdict.
    pub(crate) fn render_unfinished(
        &mut self,
        unfinished: &UnfinishedTable,
        options: &ReportOptions,
    ) -> Vec<StyledLine> {
        let mut lines = Vec::new();
        let is_known = |letters: &Vec<char>| letters.iter().any(|letter| *letter != UNKNOWN_CELL);
        let known: Vec<usize> = (0..self.cells.len()).filter(|row| is_known(&self.cells[*row])).collect();
        // The test cases of a single submission have already been shown, one per line.
        let shown = if self.is_single() { Vec::new() } else { known };
        for row in shown {
            lines.extend(self.row_headings(row, options));
            lines.push(self.row_start(row, StyledLine::from_plain("      "), options.width));
        }
        lines.push(StyledLine::new());
        let (known, of) = (group_thousands(unfinished.known as u128), count_with_noun(unfinished.of, "run"));
        let (word, text) = match &unfinished.missing {
            Some(missing) => ("INCOMPLETE", format!("{known} of {of} known: {missing}")),
            None => ("INTERRUPTED", format!("{known} of {of} known after {}", format_duration(unfinished.elapsed_ms))),
        };
        let head = StyledLine::new().add_styled(TextStyle::Warning, word).add_plain("  ");
        lines.extend(wrap_uncut(head, &text, options.width));
        lines
    }

    /// Renders the lines above a row: the names of the groups above the first row, and the folder if it changes.
    fn row_headings(&mut self, row: usize, options: &ReportOptions) -> Vec<StyledLine> {
        let mut lines = Vec::new();
        if self.last_folder.is_none() && self.groups.len() > 1 && !self.is_narrow(options.width) {
            lines.push(self.group_heading());
        }
        let folder = submission_folder(&self.submissions[row]).to_owned();
        if self.last_folder.as_ref() != Some(&folder) {
            lines.push(StyledLine::from_plain("    ").add_styled(TextStyle::Dim, &folder));
        }
        self.last_folder = Some(folder);
        lines
    }

    /// Explains why a single submission has no points.
    fn missing_points_reason(&self, assessed: &SubmissionAssessed, options: &ReportOptions) -> Vec<StyledLine> {
        let why = assessed.why.as_ref().filter(|_| self.has_points && assessed.marks.is_none() && self.known_runs > 0);
        let line = |why: &String| {
            wrap_uncut(
                StyledLine::from_plain("      ").add_styled(TextStyle::Warning, "points").add_plain(": "),
                &escape_message(why),
                options.width,
            )
        };
        why.map(line).unwrap_or_default()
    }

    /// Renders the lines below a row: why it is not as expected, and remarks for the author of the package.
    fn row_reasons(&self, assessed: &SubmissionAssessed, options: &ReportOptions) -> Vec<StyledLine> {
        let mut lines = Vec::new();
        let indent = || StyledLine::from_plain("        ");
        if let Some(why) = &assessed.why {
            lines.extend(wrap_uncut(
                indent().add_styled(TextStyle::Failure, "unexpected").add_plain(": "),
                &escape_message(why),
                options.width,
            ));
        }
        if let Some((case, message)) = assessed.first_rejection.as_ref().filter(|_| !assessed.met || options.verbose) {
            let text = format!("{case}: {message}");
            lines.extend(wrap_uncut(
                indent().add_styled(TextStyle::Dim, "first").add_plain(": "),
                &escape_message(&text),
                options.width,
            ));
        }
        if options.verbose {
            lines.push(
                indent().add_styled(TextStyle::Dim, format!("memory {}", format_bytes(assessed.memory_peak_bytes))),
            );
        }
        if assessed.is_close {
            let text = "a run ended so close to the time limit that the verdict may differ on another machine";
            lines.extend(wrap_uncut(
                indent().add_styled(TextStyle::Warning, "close").add_plain(": "),
                text,
                options.width,
            ));
        }
        let compiler = assessed.compiler.as_deref().unwrap_or_default();
        lines.extend(compiler.lines().take(12).map(|line| indent().add_styled(TextStyle::Dim, line).into_uncut()));
        lines
    }

    /// Renders the end: the time limit, and whether all submissions are as expected.
    pub(crate) fn render_closing(&self, limit: &TimeLimitAdvice, options: &ReportOptions) -> Vec<StyledLine> {
        let known = match self.cached_runs {
            0 => String::new(),
            cached => format!(" ({} cached)", group_thousands(cached as u128)),
        };
        let amount =
            format!("{}{known}, {}", count_with_noun(self.known_runs, "run"), format_duration(limit.elapsed_ms));
        let (mut lines, text) = match self.is_single() {
            true => (Vec::new(), self.single_result_text()),
            // Without submissions, nothing supports a time limit.
            false if self.submissions.is_empty() => (Vec::new(), self.overall_result_text()),
            false => (render_time_limit(limit, options.width), self.overall_result_text()),
        };
        let (style, word) = match (self.unmet_expectations, self.submissions.len()) {
            (0, 0) => (TextStyle::Warning, "NONE"),
            (0, _) => (TextStyle::Success, "OK"),
            _ => (TextStyle::Failure, "FAIL"),
        };
        lines.push(StyledLine::new());
        let head = StyledLine::new().add_styled(style, word).add_plain("  ");
        lines.extend(wrap_uncut(head, &format!("{text}: {amount}"), options.width));
        lines
    }

    fn overall_result_text(&self) -> String {
        let total = count_with_noun(self.submissions.len(), "submission");
        match self.unmet_expectations {
            0 if self.submissions.is_empty() => "no submission was verified".to_owned(),
            0 => format!("{total} as expected"),
            unmet => format!("{unmet} of {total} not as expected"),
        }
    }

    /// `accepted on 13 of 15 test cases`.
    fn single_result_text(&self) -> String {
        let letters = self.cells.first().map_or(&[][..], Vec::as_slice);
        let accepted = letters.iter().filter(|letter| **letter == '.').count();
        let total = count_with_noun(letters.len(), "test case");
        let points = self.points.as_ref().map(|points| format!(", {points}")).unwrap_or_default();
        if self.known_runs == 0 {
            "compile error".to_owned()
        } else {
            format!("accepted on {accepted} of {total}{points}")
        }
    }

    /// Renders a row up to its letters.
    fn row_start(&self, row: usize, mark: StyledLine, width: usize) -> StyledLine {
        let name = StyledLine::new()
            .add_styled(TextStyle::Bold, submission_name(&self.submissions[row]))
            .cut_to_width(self.name_columns);
        let mut line = mark.append_line(name).pad_to_width(6 + self.name_columns + COLUMN_GAP);
        if self.is_narrow(width) {
            return self.row_with_counts(row, line);
        }
        for group in &self.groups {
            let letters = &self.cells[row][group.first..group.first + group.len];
            for letter in letters {
                line.push_styled(letter_style(*letter), &letter.to_string());
            }
            line = line.add_plain(" ".repeat(group.column_width() - group.len + COLUMN_GAP));
        }
        line
    }

    /// Renders the number of each verdict, if the letters do not fit.
    fn row_with_counts(&self, row: usize, mut line: StyledLine) -> StyledLine {
        let letters = &self.cells[row];
        for letter in ['.', 'W', 'P', 'T', 'M', 'O', 'R', 'J'] {
            let count = letters.iter().filter(|l| **l == letter).count();
            if count > 0 {
                line.push_styled(letter_style(letter), &format!("{letter}{count} "));
            }
        }
        line.pad_to_width(6 + self.name_columns + COLUMN_GAP + 20)
    }

    fn group_heading(&self) -> StyledLine {
        let line = StyledLine::new().pad_to_width(6 + self.name_columns + COLUMN_GAP);
        self.groups.iter().fold(line, |line, group| {
            let space = " ".repeat(group.column_width() - group.name.width() + COLUMN_GAP);
            line.add_styled(TextStyle::Dim, &group.name).add_plain(space)
        })
    }

    /// Returns true if the letters do not fit next to the names.
    fn is_narrow(&self, width: usize) -> bool {
        let letters: usize = self.groups.iter().map(|group| group.column_width() + COLUMN_GAP).sum();
        let right = RIGHT_COLUMNS + if self.has_points { POINTS_COLUMNS } else { 0 };
        6 + self.name_columns + COLUMN_GAP + letters + right > width
    }
}

impl MatrixGroup {
    fn column_width(&self) -> usize {
        self.len.max(self.name.width())
    }
}

/// Groups consecutive test cases in one folder.
fn group_test_cases(test_cases: &[String]) -> Vec<MatrixGroup> {
    let mut groups: Vec<MatrixGroup> = Vec::new();
    for (case, path) in test_cases.iter().enumerate() {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let name = folder.strip_prefix("secret/").unwrap_or(folder);
        match groups.last_mut().filter(|group| group.name == name) {
            Some(group) => group.len += 1,
            None => groups.push(MatrixGroup { name: name.to_owned(), first: case, len: 1 }),
        }
    }
    groups
}

/// Returns the points of a submission: `37.5`, or a dash if it was rejected and has none.
fn points_text(assessed: &SubmissionAssessed) -> String {
    match assessed.marks.as_ref().map(|marks| marks.total.score) {
        Some(Some(score)) => score.to_string(),
        Some(None) => "-".to_owned(),
        None => String::new(),
    }
}

/// `points: 1_small 20/20, 2_large 0/80`; empty without groups.
fn group_points_lines(groups: &[GroupScore], width: usize) -> Vec<StyledLine> {
    if groups.is_empty() {
        return Vec::new();
    }
    let words: Vec<String> = groups.iter().map(group_points_text).collect();
    wrap_uncut(
        StyledLine::from_plain("        ").add_styled(TextStyle::Dim, "points").add_plain(": "),
        &escape_message(&words.join(", ")),
        width,
    )
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

/// Returns the time of the slowest test case: `12 ms`, `> 1.5 s` if it was stopped at that time, or `idle`.
fn slowest_time_text(slowest: &MeasuredTime, is_idle: bool) -> String {
    if is_idle { "idle".to_owned() } else { measured_time_text(slowest) }
}

/// Returns a measured time: `12 ms`, or `> 1.5 s` if the run was stopped at that time.
pub(super) fn measured_time_text(measured: &MeasuredTime) -> String {
    let sign = if measured.was_stopped { "> " } else { "" };
    format!("{sign}{}", format_duration(measured.cpu_time_ms))
}

/// Returns the folder of a submission below `submissions/`.
pub(super) fn submission_folder(submission: &str) -> &str {
    submission.split_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the path of a submission within that folder.
pub(super) fn submission_name(submission: &str) -> &str {
    submission.split_once('/').map_or(submission, |(_, name)| name)
}

/// Renders the time limit with its evidence, and advice.
fn render_time_limit(limit: &TimeLimitAdvice, width: usize) -> Vec<StyledLine> {
    let mut lines = wrap_uncut(
        StyledLine::from_plain("      ").add_styled(TextStyle::Dim, "limit").add_plain("  "),
        &time_limit_text(limit),
        width,
    );
    for text in &limit.advice {
        lines.extend(wrap_uncut(
            StyledLine::from_plain("      ").add_styled(TextStyle::Warning, "advice").add_plain(": "),
            &escape_message(text),
            width,
        ));
    }
    lines
}

/// `1.0 s; slowest within it: fast.rs 12 ms (83x below); fastest too slow: brute.cpp > 2.0 s (2.0x)`.
fn time_limit_text(limit: &TimeLimitAdvice) -> String {
    let origin = if limit.is_stated { "" } else { ", derived from the slowest" };
    let mut words = format!("{}{origin}", format_duration(limit.cpu_time_limit_ms));
    let ratio = |m: &MeasuredTime| m.cpu_time_ms as f64 / limit.cpu_time_limit_ms.max(1) as f64;
    if let Some(slowest) = &limit.slowest {
        let headroom = 1.0 / ratio(slowest).max(1e-3);
        let (name, time) = (submission_name(&slowest.submission), slowest_time_text(slowest, false));
        words.push_str(&format!("; slowest within it: {name} {time} ({headroom:.1}x below)"));
    }
    if let Some(fastest) = &limit.fastest {
        let (name, time, times) =
            (submission_name(&fastest.submission), slowest_time_text(fastest, false), ratio(fastest));
        let what = if times > 1.0 { "fastest too slow" } else { "should be too slow" };
        words.push_str(&format!("; {what}: {name} {time} ({times:.1}x)"));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn neighbouring_test_cases_of_a_folder_are_a_group() {
        let names = ["sample/1", "secret/a/1", "secret/a/2", "secret/b/1", "sample/2", "top"];
        let groups = group_test_cases(&names.map(str::to_owned));
        let shown: Vec<_> = groups.iter().map(|group| (group.name.as_str(), group.first, group.len)).collect();
        assert_eq!(shown, [("sample", 0, 1), ("a", 1, 2), ("b", 3, 1), ("sample", 4, 1), ("", 5, 1)]);
        assert_eq!(groups[0].column_width(), "sample".len());
    }

    #[test]
    fn letters_of_verdicts_are_all_different_from_accepted() {
        assert_eq!(verdict_letter(Verdict::Accepted), '.');
        for verdict in Verdict::ALL.into_iter().filter(|verdict| *verdict != Verdict::Accepted) {
            assert!(verdict_letter(verdict).is_ascii_uppercase(), "{verdict}");
        }
    }

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
            advice: Vec::new(),
            elapsed_ms: 1,
        };
        let text = "1.0 s; slowest within it: fast.rs 80 ms (12.5x below); fastest too slow: brute.cpp > 2.0 s (2.0x)";
        assert_eq!(time_limit_text(&limit), text);
        let derived = TimeLimitAdvice { is_stated: false, slowest: None, fastest: measured("b", 900, false), ..limit };
        let text = "1.0 s, derived from the slowest; should be too slow: b 0.9 s (0.9x)";
        assert_eq!(time_limit_text(&derived), text);
    }
}
