//! Submissions by test cases: one letter each, live and at the end.

use super::Options;
use super::amounts::{bytes, duration, in_points};
use super::layout::wrap_whole;
use super::line::Line;
use super::tone::Tone;
use super::visible::prose;
use crate::campaign::{Assessed, Judged, Measured, TimeLimit, Unfinished, Verifying};
use crate::diagnostic::{counted, numbered};
use crate::score::Mark;
use crate::verdict::Verdict;
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// Where a cell is not known.
const UNKNOWN: char = ' ';
/// Rows of the live block, so that it fits on any screen.
const LIVE_ROWS: usize = 12;
/// Between columns.
const GAP: usize = 2;
/// What stands right of the letters: the worst time and the verdict.
const RIGHT_COLUMNS: usize = 13;
/// What points add to that.
const POINTS_COLUMNS: usize = 9;
/// A verdict in its code, and that it was expected.
const AS_EXPECTED_COLUMNS: usize = 15;
/// No name takes more columns than this.
const NAME_COLUMNS_MAX: usize = 40;

/// The matrix of one package, as far as it is known.
pub(crate) struct Matrix {
    submissions: Vec<String>,
    numbers: BTreeMap<String, usize>,
    cases: BTreeMap<String, usize>,
    groups: Vec<Group>,
    letters: Vec<Vec<char>>,
    name_columns: usize,
    known: usize,
    remembered: usize,
    unmet: usize,
    /// The folder of the last row that was shown.
    folder: Option<String>,
    has_points: bool,
    /// The points of the submission, where there is only one.
    points: Option<String>,
    /// What the block that is redrawn is about: the last rows that changed.
    recent: Vec<usize>,
}

/// Neighbouring test cases of one folder.
struct Group {
    name: String,
    first: usize,
    len: usize,
}

/// The letter of a verdict; a dot for what is right, so that everything else stands out.
fn letter(verdict: Verdict) -> char {
    match verdict {
        Verdict::Accepted => '.',
        Verdict::JudgeError => 'J',
        other => other.code().chars().next().unwrap_or('?'),
    }
}

fn tone(letter: char) -> Tone {
    match letter {
        '.' | UNKNOWN => Tone::Dim,
        'J' => Tone::Doubtful,
        _ => Tone::Bad,
    }
}

impl Matrix {
    /// The empty matrix of a package.
    pub(crate) fn new(verifying: &Verifying) -> Matrix {
        let names = &verifying.submissions;
        let count = verifying.test_cases.len();
        Matrix {
            submissions: names.clone(),
            numbers: names.iter().cloned().zip(0..).collect(),
            cases: verifying.test_cases.iter().cloned().zip(0..).collect(),
            groups: groups(&verifying.test_cases),
            letters: vec![vec![UNKNOWN; count]; names.len()],
            name_columns: names.iter().map(|name| base(name).width()).max().unwrap_or(0).min(NAME_COLUMNS_MAX),
            known: 0,
            remembered: 0,
            unmet: 0,
            folder: None,
            has_points: verifying.has_points,
            points: None,
            recent: Vec::new(),
        }
    }

    /// Takes a cell.
    pub(crate) fn judged(&mut self, judged: &Judged) {
        let (Some(&row), Some(&case)) = (self.numbers.get(&judged.submission), self.cases.get(&judged.test_case))
        else {
            return;
        };
        self.letters[row][case] = letter(judged.verdict);
        self.known += 1;
        self.remembered += usize::from(judged.remembered);
        self.recent.retain(|other| *other != row);
        self.recent.push(row);
        if self.recent.len() > LIVE_ROWS {
            self.recent.remove(0);
        }
    }

    /// Whether there is one submission only: then each test case has a line of its own.
    pub(crate) fn is_single(&self) -> bool {
        self.submissions.len() == 1
    }

    /// The line of a test case, where there is one submission only.
    pub(crate) fn case_line(&self, judged: &Judged, options: &Options) -> Vec<Line> {
        let columns = self.cases.keys().map(|name| name.width()).max().unwrap_or(0);
        let tone = if judged.verdict == Verdict::Accepted { Tone::Dim } else { Tone::Bad };
        let line = Line::plain("      ").add(&judged.test_case).pad(6 + columns + GAP);
        let line = line.tone(tone, format!("{:<4}", judged.verdict.code()));
        let line = line.add(format!("{:>9}", duration(judged.cpu_time_ms)));
        let line = line.tone(Tone::Dim, format!("{:>10}", bytes(judged.memory_peak_bytes))).add("  ");
        wrap_whole(line, &prose(&judged.message), options.width)
    }

    /// What is known while it grows.
    pub(crate) fn live(&self, width: usize) -> Vec<Line> {
        let all = self.submissions.len() * self.letters.first().map_or(0, Vec::len);
        let head = format!("   {} of {} runs", counted(self.known as u128), counted(all as u128));
        let mut rows = self.recent.clone();
        rows.sort_unstable();
        let lines = rows.into_iter().map(|row| self.start(row, Line::plain("     "), width));
        [Line::plain(head)].into_iter().chain(lines).collect()
    }

    /// One plain line for a log.
    pub(crate) fn log_line(&self, elapsed_ms: u64) -> Line {
        Line::plain(format!("  {}  {}", duration(elapsed_ms), numbered(self.known, "run")))
    }

    /// The row of a finished submission; before the first one, the names of the groups.
    pub(crate) fn row(&mut self, assessed: &Assessed, options: &Options) -> Vec<Line> {
        let Some(&row) = self.numbers.get(&assessed.submission) else { return Vec::new() };
        self.unmet += usize::from(!assessed.met);
        let mut lines = Vec::new();
        if self.is_single() {
            // Its test cases have been told one by one.
            self.points = assessed.marks.as_ref().map(|marks| in_points(&marks.total));
            let marks = assessed.marks.iter().flat_map(|marks| group_lines(&marks.groups, options.width));
            return marks.chain(self.failure_of_one(assessed, options)).collect();
        }
        lines.extend(self.headings(row, options));
        let mark = if assessed.met { Line::plain("      ") } else { Line::new().tone(Tone::Bad, "FAIL").add("  ") };
        let line = self.start(row, mark, options.width);
        let time = assessed.slowest.as_ref().map(|m| worst(m, assessed.slowest_is_idle)).unwrap_or_default();
        let line = line.add(format!("{time:>8}"));
        let line = if self.has_points { line.add(format!("{:>9}", total(assessed))) } else { line }.add("  ");
        let has_room = line.width() + AS_EXPECTED_COLUMNS <= options.width;
        let is_plain = assessed.verdict == Verdict::Accepted && assessed.expected.is_accepted();
        let verdict = match (assessed.met, is_plain) {
            (true, true) => Line::new(),
            (true, false) if has_room => {
                Line::new().tone(Tone::Dim, format!("{} as expected", assessed.verdict.code()))
            }
            (true, false) => Line::new().tone(Tone::Dim, assessed.verdict.code()),
            (false, _) => Line::new().tone(Tone::Bad, assessed.verdict.code()),
        };
        lines.push(line.join(verdict));
        if let Some(marks) = &assessed.marks {
            lines.extend(group_lines(&marks.groups, options.width));
        }
        lines.extend(self.reasons(assessed, options));
        lines
    }

    /// The rows as far as they are known, where the table is not filled to its end.
    pub(crate) fn unfinished(&mut self, unfinished: &Unfinished, options: &Options) -> Vec<Line> {
        let mut lines = Vec::new();
        let is_known = |letters: &Vec<char>| letters.iter().any(|letter| *letter != UNKNOWN);
        let known: Vec<usize> = (0..self.letters.len()).filter(|row| is_known(&self.letters[*row])).collect();
        // Where there is one submission, its test cases have been told one by one.
        let shown = if self.is_single() { Vec::new() } else { known };
        for row in shown {
            lines.extend(self.headings(row, options));
            lines.push(self.start(row, Line::plain("      "), options.width));
        }
        lines.push(Line::new());
        let head = Line::new().tone(Tone::Doubtful, "INTERRUPTED").add("  ");
        let (known, of) = (counted(unfinished.known as u128), numbered(unfinished.of, "run"));
        let text = format!("{known} of {of} known after {}", duration(unfinished.elapsed_ms));
        lines.extend(wrap_whole(head, &text, options.width));
        lines
    }

    /// What stands above the row of a submission: the names of the groups above the first row, its folder if that is a new one.
    fn headings(&mut self, row: usize, options: &Options) -> Vec<Line> {
        let mut lines = Vec::new();
        if self.folder.is_none() && self.groups.len() > 1 && !self.is_narrow(options.width) {
            lines.push(self.heading());
        }
        let folder = folder(&self.submissions[row]).to_owned();
        if self.folder.as_ref() != Some(&folder) {
            lines.push(Line::plain("    ").tone(Tone::Dim, &folder));
        }
        self.folder = Some(folder);
        lines
    }

    /// Where there is one submission only: why it has no points.
    fn failure_of_one(&self, assessed: &Assessed, options: &Options) -> Vec<Line> {
        let why = assessed.why.as_ref().filter(|_| self.has_points && assessed.marks.is_none() && self.known > 0);
        let line = |why: &String| {
            wrap_whole(Line::plain("      ").tone(Tone::Doubtful, "points").add(": "), &prose(why), options.width)
        };
        why.map(line).unwrap_or_default()
    }

    /// Below a row: why it is not as expected, and what the package should know about.
    fn reasons(&self, assessed: &Assessed, options: &Options) -> Vec<Line> {
        let mut lines = Vec::new();
        let indent = || Line::plain("        ");
        if let Some(why) = &assessed.why {
            lines.extend(wrap_whole(indent().tone(Tone::Bad, "unexpected").add(": "), &prose(why), options.width));
        }
        if let Some((case, said)) = assessed.first_rejection.as_ref().filter(|_| !assessed.met || options.verbose) {
            let text = format!("{case}: {said}");
            lines.extend(wrap_whole(indent().tone(Tone::Dim, "first").add(": "), &prose(&text), options.width));
        }
        if options.verbose {
            lines.push(indent().tone(Tone::Dim, format!("memory {}", bytes(assessed.memory_peak_bytes))));
        }
        if assessed.is_close {
            let text = "a run ended so close to the time limit that another machine may say otherwise";
            lines.extend(wrap_whole(indent().tone(Tone::Doubtful, "close").add(": "), text, options.width));
        }
        let compiler = assessed.compiler.as_deref().unwrap_or_default();
        lines.extend(compiler.lines().take(12).map(|line| indent().tone(Tone::Dim, line).whole()));
        lines
    }

    /// The closing words about a package: the time limit, and whether all is as expected.
    pub(crate) fn closing(&self, limit: &TimeLimit, options: &Options) -> Vec<Line> {
        let known = match self.remembered {
            0 => String::new(),
            remembered => format!(" ({} remembered)", counted(remembered as u128)),
        };
        let amount = format!("{}{known}, {}", numbered(self.known, "run"), duration(limit.elapsed_ms));
        let (mut lines, text) = match self.is_single() {
            true => (Vec::new(), self.sentence_about_one()),
            // Nothing speaks for any limit.
            false if self.submissions.is_empty() => (Vec::new(), self.sentence_about_all()),
            false => (limit_lines(limit, options.width), self.sentence_about_all()),
        };
        let (tone, word) = match (self.unmet, self.submissions.len()) {
            (0, 0) => (Tone::Doubtful, "NONE"),
            (0, _) => (Tone::Good, "OK"),
            _ => (Tone::Bad, "FAIL"),
        };
        lines.push(Line::new());
        let head = Line::new().tone(tone, word).add("  ");
        lines.extend(wrap_whole(head, &format!("{text}: {amount}"), options.width));
        lines
    }

    fn sentence_about_all(&self) -> String {
        let total = numbered(self.submissions.len(), "submission");
        match self.unmet {
            0 if self.submissions.is_empty() => "no submission was verified".to_owned(),
            0 => format!("{total} as expected"),
            unmet => format!("{unmet} of {total} not as expected"),
        }
    }

    /// `accepted on 13 of 15 test cases`.
    fn sentence_about_one(&self) -> String {
        let letters = self.letters.first().map_or(&[][..], Vec::as_slice);
        let accepted = letters.iter().filter(|letter| **letter == '.').count();
        let total = numbered(letters.len(), "test case");
        let points = self.points.as_ref().map(|points| format!(", {points}")).unwrap_or_default();
        if self.known == 0 { "compile error".to_owned() } else { format!("accepted on {accepted} of {total}{points}") }
    }

    /// A row as far as its letters.
    fn start(&self, row: usize, mark: Line, width: usize) -> Line {
        let name = Line::new().tone(Tone::Bold, base(&self.submissions[row])).cut(self.name_columns);
        let mut line = mark.join(name).pad(6 + self.name_columns + GAP);
        if self.is_narrow(width) {
            return self.summed(row, line);
        }
        for group in &self.groups {
            let letters = &self.letters[row][group.first..group.first + group.len];
            for letter in letters {
                line.push(tone(*letter), &letter.to_string());
            }
            line = line.add(" ".repeat(group.columns() - group.len + GAP));
        }
        line
    }

    /// A row with a number for each group, where the letters do not fit.
    fn summed(&self, row: usize, mut line: Line) -> Line {
        let letters = &self.letters[row];
        for letter in ['.', 'W', 'P', 'T', 'M', 'O', 'R', 'J'] {
            let count = letters.iter().filter(|l| **l == letter).count();
            if count > 0 {
                line.push(tone(letter), &format!("{letter}{count} "));
            }
        }
        line.pad(6 + self.name_columns + GAP + 20)
    }

    fn heading(&self) -> Line {
        let line = Line::new().pad(6 + self.name_columns + GAP);
        self.groups.iter().fold(line, |line, group| {
            let space = " ".repeat(group.columns() - group.name.width() + GAP);
            line.tone(Tone::Dim, &group.name).add(space)
        })
    }

    /// Whether the letters do not fit beside the names.
    fn is_narrow(&self, width: usize) -> bool {
        let letters: usize = self.groups.iter().map(|group| group.columns() + GAP).sum();
        let right = RIGHT_COLUMNS + if self.has_points { POINTS_COLUMNS } else { 0 };
        6 + self.name_columns + GAP + letters + right > width
    }
}

impl Group {
    fn columns(&self) -> usize {
        self.len.max(self.name.width())
    }
}

/// Neighbouring test cases of one folder stand together.
fn groups(test_cases: &[String]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (case, path) in test_cases.iter().enumerate() {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let name = folder.strip_prefix("secret/").unwrap_or(folder);
        match groups.last_mut().filter(|group| group.name == name) {
            Some(group) => group.len += 1,
            None => groups.push(Group { name: name.to_owned(), first: case, len: 1 }),
        }
    }
    groups
}

/// The points of a submission as a column: `37.5`, and a dash for what is not accepted and has none.
fn total(assessed: &Assessed) -> String {
    match assessed.marks.as_ref().map(|marks| marks.total.score) {
        Some(Some(score)) => score.to_string(),
        Some(None) => "-".to_owned(),
        None => String::new(),
    }
}

/// `points: 1_small 20/20, 2_large 0/80`, where there are groups.
fn group_lines(groups: &[Mark], width: usize) -> Vec<Line> {
    if groups.is_empty() {
        return Vec::new();
    }
    let one = |mark: &Mark| {
        let name = mark.group.strip_prefix("secret/").unwrap_or(&mark.group);
        match (mark.score, mark.best) {
            (Some(score), Some(best)) => format!("{name} {score}/{best}"),
            (Some(score), None) => format!("{name} {score}"),
            (None, _) => format!("{name} {}", mark.verdict.code()),
        }
    };
    let words: Vec<String> = groups.iter().map(one).collect();
    wrap_whole(Line::plain("        ").tone(Tone::Dim, "points").add(": "), &prose(&words.join(", ")), width)
}

/// The time of the slowest test case: `12 ms`, `> 1.5 s` for what was stopped then, `idle`.
fn worst(slowest: &Measured, is_idle: bool) -> String {
    let sign = if slowest.was_stopped { "> " } else { "" };
    if is_idle { "idle".to_owned() } else { format!("{sign}{}", duration(slowest.cpu_time_ms)) }
}

/// A submission's folder below `submissions/`.
fn folder(submission: &str) -> &str {
    submission.split_once('/').map_or("", |(folder, _)| folder)
}

/// Its name within that.
fn base(submission: &str) -> &str {
    submission.split_once('/').map_or(submission, |(_, name)| name)
}

/// The time limit with its evidence, and what should be changed.
fn limit_lines(limit: &TimeLimit, width: usize) -> Vec<Line> {
    let mut lines = wrap_whole(Line::plain("      ").tone(Tone::Dim, "limit").add("  "), &limit_words(limit), width);
    for text in &limit.advice {
        lines.extend(wrap_whole(Line::plain("      ").tone(Tone::Doubtful, "advice").add(": "), &prose(text), width));
    }
    lines
}

/// `1.0 s; slowest in time: fast.rs 12 ms (83x below); fastest too slow: brute.cpp > 2.0 s (2.0x)`.
fn limit_words(limit: &TimeLimit) -> String {
    let origin = if limit.is_stated { "" } else { ", found from the slowest" };
    let mut words = format!("{}{origin}", duration(limit.cpu_time_limit_ms));
    let ratio = |m: &Measured| m.cpu_time_ms as f64 / limit.cpu_time_limit_ms.max(1) as f64;
    if let Some(slowest) = &limit.slowest {
        let room = 1.0 / ratio(slowest).max(1e-3);
        let (name, time) = (base(&slowest.submission), worst(slowest, false));
        words.push_str(&format!("; slowest in time: {name} {time} ({room:.1}x below)"));
    }
    if let Some(fastest) = &limit.fastest {
        let (name, time, times) = (base(&fastest.submission), worst(fastest, false), ratio(fastest));
        let what = if times > 1.0 { "fastest too slow" } else { "should be too slow" };
        words.push_str(&format!("; {what}: {name} {time} ({times:.1}x)"));
    }
    words
}
