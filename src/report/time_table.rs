//! A table of the time of every submission on every test case.

use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::{TABLE_GAP, align_right};
use super::units::format_duration;
use super::verdict_matrix::submission_name;
use rebut_engine::event::{CellJudged, VerificationStarted};
use rebut_packages::verdict::Verdict;
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// Space left of the first column.
const INDENT: usize = 6;
/// Maximum width of a name, in columns.
const MAX_NAME_COLUMNS: usize = 30;

/// The times of the runs that have finished.
pub(crate) struct TimeTable {
    submissions: Vec<String>,
    test_cases: Vec<String>,
    /// Processor time in milliseconds and verdict, by submission and test case.
    cells: BTreeMap<(String, String), (u64, Verdict)>,
}

impl TimeTable {
    /// Creates the empty table of a package.
    pub(crate) fn new(verifying: &VerificationStarted) -> TimeTable {
        let VerificationStarted { submissions, test_cases, .. } = verifying;
        TimeTable { submissions: submissions.clone(), test_cases: test_cases.clone(), cells: BTreeMap::new() }
    }

    /// Adds a run.
    pub(crate) fn record_run(&mut self, judged: &CellJudged) {
        let key = (judged.submission.clone(), judged.test_case.clone());
        self.cells.insert(key, (judged.cpu_time_ms, judged.verdict));
    }

    /// Renders a line for each test case and a column for each submission. Columns that do not fit continue below.
    pub(crate) fn render_table(&self, width: usize) -> Vec<StyledLine> {
        let names = self.test_cases.iter().map(|name| name.width()).max().unwrap_or(0).clamp(7, MAX_NAME_COLUMNS);
        let available = width.saturating_sub(INDENT + names);
        let mut lines = Vec::new();
        let mut rest: &[String] = &self.submissions;
        while !rest.is_empty() {
            let mut taken = 0;
            let fits = |name: &&String| {
                taken += TABLE_GAP + self.column_width(name);
                taken <= available
            };
            // At least one column is shown, even on a narrow screen.
            let count = rest.iter().take_while(fits).count().max(1);
            let (now, later) = rest.split_at(count);
            lines.push(StyledLine::new());
            lines.extend(self.render_columns(now, names));
            rest = later;
        }
        lines
    }

    /// Renders the columns of some submissions.
    fn render_columns(&self, submissions: &[String], names: usize) -> Vec<StyledLine> {
        let mut head =
            StyledLine::from_plain(" ".repeat(INDENT)).add_styled(TextStyle::Dim, "time").pad_to_width(INDENT + names);
        for name in submissions {
            head = align_right(
                head,
                TextStyle::Bold,
                super::styled_line::prefix_of_width(submission_name(name), MAX_NAME_COLUMNS),
                self.column_width(name),
            );
        }
        let mut lines = vec![head];
        for case in &self.test_cases {
            let name = super::styled_line::prefix_of_width(case, names);
            let mut line = StyledLine::from_plain(" ".repeat(INDENT)).add_plain(name).pad_to_width(INDENT + names);
            for submission in submissions {
                let (style, text) = self.cell_text(submission, case);
                line = align_right(line, style, &text, self.column_width(submission));
            }
            lines.push(line);
        }
        lines
    }

    /// Renders a cell: the time, and the verdict if it is not accepted.
    fn cell_text(&self, submission: &str, case: &str) -> (TextStyle, String) {
        match self.cells.get(&(submission.to_owned(), case.to_owned())) {
            None => (TextStyle::Dim, "-".to_owned()),
            Some((ms, Verdict::Accepted)) => (TextStyle::Plain, format_duration(*ms)),
            Some((ms, verdict)) => (TextStyle::Failure, format!("{} {}", verdict.code(), format_duration(*ms))),
        }
    }

    /// Returns the width of a column.
    fn column_width(&self, submission: &str) -> usize {
        let cells = self.test_cases.iter().map(|case| self.cell_text(submission, case).1.width());
        cells.chain([submission_name(submission).width().min(MAX_NAME_COLUMNS)]).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered_table(width: usize) -> String {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let mut times = TimeTable {
            submissions: texts(&["accepted/right.cpp", "time_limit_exceeded/slow.py"]),
            test_cases: texts(&["sample/1", "secret/large/2"]),
            cells: BTreeMap::new(),
        };
        for (submission, case, ms, verdict) in [
            ("accepted/right.cpp", "sample/1", 3, Verdict::Accepted),
            ("accepted/right.cpp", "secret/large/2", 1520, Verdict::Accepted),
            ("time_limit_exceeded/slow.py", "secret/large/2", 4000, Verdict::TimeLimit),
        ] {
            times.cells.insert((submission.to_owned(), case.to_owned()), (ms, verdict));
        }
        times.render_table(width).into_iter().map(|line| line.render_ansi(false) + "\n").collect()
    }

    #[test]
    fn each_test_case_has_a_line_and_each_submission_a_column() {
        let wide = "\n      time            right.cpp    slow.py\n      sample/1             3 ms          -\n      \
                    secret/large/2      1.5 s  TLE 4.0 s\n";
        assert_eq!(rendered_table(80), wide);
        assert_eq!(rendered_table(40).matches("secret/large/2").count(), 2);
        assert_eq!(rendered_table(1).matches("slow.py").count(), 1);
    }
}
