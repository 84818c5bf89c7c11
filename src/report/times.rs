//! The time of every submission on every test case, in one table.

use super::amounts::duration;
use super::line::Line;
use super::tone::Tone;
use crate::campaign::{Judged, Verifying};
use crate::verdict::Verdict;
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// Space left of the first column.
const INDENT: usize = 6;
/// Space between columns.
const GAP: usize = 2;
/// No name takes more columns than this.
const NAME_COLUMNS_MAX: usize = 30;

/// What is known of times, cell by cell.
pub(crate) struct Times {
    submissions: Vec<String>,
    test_cases: Vec<String>,
    /// Processor time in milliseconds and verdict, by submission and test case.
    cells: BTreeMap<(String, String), (u64, Verdict)>,
}

impl Times {
    /// The empty table of a package.
    pub(crate) fn new(verifying: &Verifying) -> Times {
        let Verifying { submissions, test_cases, .. } = verifying;
        Times { submissions: submissions.clone(), test_cases: test_cases.clone(), cells: BTreeMap::new() }
    }

    /// Takes a cell.
    pub(crate) fn judged(&mut self, judged: &Judged) {
        let key = (judged.submission.clone(), judged.test_case.clone());
        self.cells.insert(key, (judged.cpu_time_ms, judged.verdict));
    }

    /// The table: a line for each test case, a column for each submission; below each other what is too wide.
    pub(crate) fn lines(&self, width: usize) -> Vec<Line> {
        let names = self.test_cases.iter().map(|name| name.width()).max().unwrap_or(0).clamp(7, NAME_COLUMNS_MAX);
        let room = width.saturating_sub(INDENT + names);
        let mut lines = Vec::new();
        let mut rest: &[String] = &self.submissions;
        while !rest.is_empty() {
            let mut taken = 0;
            let fits = |name: &&String| {
                taken += GAP + self.columns(name);
                taken <= room
            };
            // One column is shown however narrow the screen is.
            let count = rest.iter().take_while(fits).count().max(1);
            let (now, later) = rest.split_at(count);
            lines.push(Line::new());
            lines.extend(self.block(now, names));
            rest = later;
        }
        lines
    }

    /// The columns of some submissions.
    fn block(&self, submissions: &[String], names: usize) -> Vec<Line> {
        let mut head = Line::plain(" ".repeat(INDENT)).tone(Tone::Dim, "time").pad(INDENT + names);
        for name in submissions {
            head = right(head, Tone::Bold, super::line::prefix(base(name), NAME_COLUMNS_MAX), self.columns(name));
        }
        let mut lines = vec![head];
        for case in &self.test_cases {
            let name = super::line::prefix(case, names);
            let mut line = Line::plain(" ".repeat(INDENT)).add(name).pad(INDENT + names);
            for submission in submissions {
                let (tone, text) = self.cell(submission, case);
                line = right(line, tone, &text, self.columns(submission));
            }
            lines.push(line);
        }
        lines
    }

    /// A cell: the time, and the verdict if it is not accepted.
    fn cell(&self, submission: &str, case: &str) -> (Tone, String) {
        match self.cells.get(&(submission.to_owned(), case.to_owned())) {
            None => (Tone::Dim, "-".to_owned()),
            Some((ms, Verdict::Accepted)) => (Tone::Plain, duration(*ms)),
            Some((ms, verdict)) => (Tone::Bad, format!("{} {}", verdict.code(), duration(*ms))),
        }
    }

    /// The width of a column.
    fn columns(&self, submission: &str) -> usize {
        let cells = self.test_cases.iter().map(|case| self.cell(submission, case).1.width());
        cells.chain([base(submission).width().min(NAME_COLUMNS_MAX)]).max().unwrap_or(0)
    }
}

/// A line with a text at the right end of a column.
fn right(line: Line, tone: Tone, text: &str, columns: usize) -> Line {
    let space = GAP + columns.saturating_sub(text.width());
    line.add(" ".repeat(space)).tone(tone, text)
}

/// The name of a submission without its folder.
fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(width: usize) -> String {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let mut times = Times {
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
        times.lines(width).into_iter().map(|line| line.render(false) + "\n").collect()
    }

    #[test]
    fn each_test_case_has_a_line_and_each_submission_a_column() {
        let wide = "\n      time            right.cpp    slow.py\n      sample/1             3 ms          -\n      \
                    secret/large/2      1.5 s  TLE 4.0 s\n";
        assert_eq!(table(80), wide);
        assert_eq!(table(40).matches("secret/large/2").count(), 2);
        assert_eq!(table(1).matches("slow.py").count(), 1);
    }
}
