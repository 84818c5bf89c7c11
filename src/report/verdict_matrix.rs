//! The matrix of submissions by test cases on a terminal, with one letter for each verdict, rendered live and at the end.

use super::ReportOptions;
use super::escape::escape_message;
use super::lines::render_page;
use super::page::{Block, Page};
use super::styled_line::{StyledLine, TextStyle, wrap_uncut};
use super::units::{format_bytes, format_duration, format_points};
use super::views::verification::{
    Verification, measured_time_text, points_page, submission_folder, submission_name, submission_page,
    time_limit_page, time_table,
};
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{
    CellJudged, Event, SubmissionAssessed, TimeLimitAdvice, UnfinishedTable, VerificationStarted,
};
use rebut_packages::verdict::Verdict;
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
    verification: Verification,
    groups: Vec<MatrixGroup>,
    name_columns: usize,
    known_runs: usize,
    cached_runs: usize,
    /// The folder of the last row shown.
    last_folder: Option<String>,
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

/// Returns the style of a letter. A rejection is red only in the row of a submission that is not as expected.
fn letter_style(letter: char, is_unmet: bool) -> TextStyle {
    match letter {
        '.' | UNKNOWN_CELL => TextStyle::Dim,
        'J' => TextStyle::Warning,
        _ if is_unmet => TextStyle::Failure,
        _ => TextStyle::Bold,
    }
}

impl VerdictMatrix {
    /// Creates the empty matrix of a package.
    pub(crate) fn new(verifying: &VerificationStarted) -> VerdictMatrix {
        let widest = verifying.submissions.iter().map(|name| submission_name(name).width()).max();
        VerdictMatrix {
            groups: group_test_cases(&verifying.test_cases),
            name_columns: widest.unwrap_or(0).min(MAX_NAME_COLUMNS),
            verification: Verification::new(verifying),
            known_runs: 0,
            cached_runs: 0,
            last_folder: None,
            recent_rows: Vec::new(),
        }
    }

    fn submissions(&self) -> &[String] {
        &self.verification.started.submissions
    }

    /// Adds a run.
    pub(crate) fn record_run(&mut self, judged: &CellJudged) {
        let Some(row) = self.verification.row_of(&judged.submission) else { return };
        self.verification.take_event(&Event::Judged(judged.clone()));
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
        self.submissions().len() == 1
    }

    /// Renders the line of one test case of a single submission.
    pub(crate) fn render_case_line(&self, judged: &CellJudged, options: &ReportOptions) -> Vec<StyledLine> {
        let columns = self.verification.started.test_cases.iter().map(|name| name.width()).max().unwrap_or(0);
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
        let all = self.submissions().len() * self.verification.started.test_cases.len();
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
        let Some(row) = self.verification.row_of(&assessed.submission) else { return Vec::new() };
        self.verification.take_event(&Event::Assessed(assessed.clone()));
        if self.is_single() && assessed.verdict != Verdict::CompileError {
            // Its test cases have already been shown, one per line.
            let points = assessed.marks.as_ref().map(points_page).unwrap_or_default();
            return render_page(&points, options)
                .into_iter()
                .chain(self.missing_points_reason(assessed, options))
                .collect();
        }
        let mut lines = self.row_headings(row, options);
        let mark = if assessed.met {
            StyledLine::from_plain("      ")
        } else {
            StyledLine::from_label(0, TextStyle::Failure, "FAIL", "  ")
        };
        let line = self.row_start(row, mark, options.width);
        let time = match &assessed.slowest {
            Some(_) if assessed.slowest_is_idle => "idle".to_owned(),
            slowest => slowest.as_ref().map(measured_time_text).unwrap_or_default(),
        };
        let points =
            if self.verification.started.has_points { format!("{:>9}", points_text(assessed)) } else { String::new() };
        let line = line.add_plain(format!("{time:>8}{points}  "));
        let fits_in_words = line.width() + AS_EXPECTED_COLUMNS <= options.width;
        let is_plain = assessed.verdict == Verdict::Accepted && assessed.expected.is_accepted();
        let code = assessed.verdict.code();
        let verdict = match (assessed.met, is_plain) {
            (true, true) => StyledLine::new(),
            (true, _) if !assessed.has_expectation => {
                StyledLine::from_styled(TextStyle::Dim, format!("{code}, none expected"))
            }
            (true, false) if fits_in_words => StyledLine::from_styled(TextStyle::Dim, format!("{code} as expected")),
            (true, false) => StyledLine::from_styled(TextStyle::Dim, code),
            (false, _) => StyledLine::from_styled(TextStyle::Failure, code),
        };
        lines.push(line.append_line(verdict));
        lines.extend(render_page(&submission_page(&self.verification, assessed, options), options));
        lines
    }

    /// Renders the rows of an interrupted matrix that have at least one verdict.
    pub(crate) fn render_unfinished(
        &mut self,
        unfinished: &UnfinishedTable,
        options: &ReportOptions,
    ) -> Vec<StyledLine> {
        let mut lines = Vec::new();
        let is_known = |row: &usize| self.verification.known_cells(*row).next().is_some();
        let known: Vec<usize> = (0..self.submissions().len()).filter(is_known).collect();
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
        let head = StyledLine::from_label(0, TextStyle::Warning, word, "  ");
        lines.extend(wrap_uncut(head, &text, options.width));
        lines
    }

    /// Renders the lines above a row: the names of the groups above the first row, and the folder if it changes.
    fn row_headings(&mut self, row: usize, options: &ReportOptions) -> Vec<StyledLine> {
        let mut lines = Vec::new();
        if self.last_folder.is_none() && self.groups.len() > 1 && !self.is_narrow(options.width) {
            lines.push(self.group_heading());
        }
        let folder = submission_folder(&self.submissions()[row]).to_owned();
        if self.last_folder.as_ref() != Some(&folder) {
            lines.push(StyledLine::from_label(4, TextStyle::Dim, &folder, ""));
        }
        self.last_folder = Some(folder);
        lines
    }

    /// Explains why a single submission has no points.
    fn missing_points_reason(&self, assessed: &SubmissionAssessed, options: &ReportOptions) -> Vec<StyledLine> {
        let has_none = self.verification.started.has_points && assessed.marks.is_none() && self.known_runs > 0;
        let head = || StyledLine::from_label(6, TextStyle::Warning, "points", ": ");
        let why = assessed.why.as_ref().filter(|_| has_none);
        why.map(|why| wrap_uncut(head(), &escape_message(why), options.width)).unwrap_or_default()
    }

    /// Renders the end: the times if they are asked for, the time limit, and whether all submissions are as expected.
    pub(crate) fn render_closing(&self, limit: &TimeLimitAdvice, options: &ReportOptions) -> Vec<StyledLine> {
        let known = match self.cached_runs {
            0 => String::new(),
            cached => format!(" ({} cached)", group_thousands(cached as u128)),
        };
        let amount =
            format!("{}{known}, {}", count_with_noun(self.known_runs, "run"), format_duration(limit.elapsed_ms));
        let (unmet, total) = (self.verification.unmet_count(), self.submissions().len());
        let text = match total {
            0 => "no submission was verified".to_owned(),
            1 => self.single_result_text(),
            _ => self.verification.result_text(),
        };
        let mut page = Page::default();
        if options.show_times {
            page.push(Block::Table(time_table(&self.verification)));
            page.push(Block::Gap);
        }
        if total > 1 {
            page.append_page(time_limit_page(limit));
        }
        let (style, word) = match (unmet, total) {
            (0, 0) => (TextStyle::Warning, "NONE"),
            (0, _) => (TextStyle::Success, "OK"),
            _ => (TextStyle::Failure, "FAIL"),
        };
        page.push(Block::Gap);
        page.add_note(StyledLine::from_label(0, style, word, "  "), format!("{text}: {amount}"));
        render_page(&page, options)
    }

    /// `accepted on 13 of 15 test cases`.
    fn single_result_text(&self) -> String {
        let accepted = self.verification.known_cells(0).filter(|cell| cell.verdict == Verdict::Accepted).count();
        let total = count_with_noun(self.verification.started.test_cases.len(), "test case");
        let marks = self.verification.assessed[0].as_ref().and_then(|assessed| assessed.marks.as_ref());
        let points = marks.map(|marks| format!(", {}", format_points(&marks.total))).unwrap_or_default();
        if self.known_runs == 0 {
            "compile error".to_owned()
        } else {
            format!("accepted on {accepted} of {total}{points}")
        }
    }

    fn is_unmet(&self, row: usize) -> bool {
        self.verification.assessed[row].as_ref().is_some_and(|assessed| !assessed.met)
    }

    fn letters(&self, row: usize) -> Vec<char> {
        let letter =
            |cell: &Option<CellJudged>| cell.as_ref().map_or(UNKNOWN_CELL, |cell| verdict_letter(cell.verdict));
        self.verification.cells[row].iter().map(letter).collect()
    }

    /// Renders a row up to its letters.
    fn row_start(&self, row: usize, mark: StyledLine, width: usize) -> StyledLine {
        let name = submission_name(&self.submissions()[row]);
        let name = StyledLine::from_styled(TextStyle::Bold, name).cut_to_width(self.name_columns);
        let mut line = mark.append_line(name).pad_to_width(6 + self.name_columns + COLUMN_GAP);
        if self.is_narrow(width) {
            return self.row_with_counts(row, line);
        }
        let (letters, is_unmet) = (self.letters(row), self.is_unmet(row));
        for group in &self.groups {
            for letter in &letters[group.first..group.first + group.len] {
                line.push_styled(letter_style(*letter, is_unmet), &letter.to_string());
            }
            line = line.add_plain(" ".repeat(group.column_width() - group.len + COLUMN_GAP));
        }
        line
    }

    /// Renders the number of each verdict, if the letters do not fit.
    fn row_with_counts(&self, row: usize, mut line: StyledLine) -> StyledLine {
        let letters = self.letters(row);
        for letter in ['.', 'W', 'P', 'T', 'M', 'O', 'R', 'J'] {
            let count = letters.iter().filter(|l| **l == letter).count();
            if count > 0 {
                line.push_styled(letter_style(letter, self.is_unmet(row)), &format!("{letter}{count} "));
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
        let right = RIGHT_COLUMNS + if self.verification.started.has_points { POINTS_COLUMNS } else { 0 };
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
}
