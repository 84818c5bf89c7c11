//! Answer and output side by side, for the one output that was refused.
//!
//! Lines are compared by position, line i with line i, as the checkers compare them. The textbook diff
//! looks for the longest common subsequence instead; on a hundred thousand lines of YES and NO it
//! pairs each line with some equal one nearby, reports fewer differences than there are, and is slow about it.
//! It has its use, though: where a line is missing, position makes all that follows look wrong. So when the
//! counts of lines differ, an alignment is tried if it is affordable, and believed only if it explains the
//! output with at most half of the differences.
//!
//! The checker decides what differs: a line that it accepts is never shown as changed, and a checker to which
//! line breaks mean nothing gets the output laid out on the answer's lines.

mod marks;
mod pairs;
mod pieces;
mod rule;
mod window;

use std::hash::Hash;
use std::ops::Range;
use std::time::Instant;

use similar::{Algorithm, capture_diff_slices_deadline};

use crate::checker::Checker;
use pairs::{Pair, aligned, positional, reflowed, unordered};
use rule::Rule;
use window::Window;

/// Above this many lines on either side no alignment is tried: the work can grow with the square.
const ALIGNED_LINES_MAX: usize = 5_000;

/// Two texts compared line by line, cut to what is worth showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// The first difference and what follows it, with context, in order. Where numbers jump, lines that are
    /// the same were left out.
    pub rows: Vec<Row>,
    /// How many rows differ, shown or not.
    pub differing: usize,
    /// How many rows there are, shown or not.
    pub total: usize,
    /// The number of the first row that differs.
    pub first: Option<usize>,
    /// How the lines were paired.
    pub mode: Mode,
}

/// How the lines of both texts were paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Line i with line i.
    Positional,
    /// As line i with line i, but around lines that are missing or extra.
    Aligned,
    /// Token i with token i, the output laid out on the answer's lines: its own breaks mean nothing to the
    /// checker.
    Reflowed,
    /// Each line with an equal one, wherever it is; only lines without an equal differ.
    Unordered,
}

/// A line of the answer beside a line of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The number of the line, from 1: of the answer's line, or of the output's where the answer has none or
    /// order means nothing.
    pub number: usize,
    /// What is to be said of the row.
    pub kind: RowKind,
    /// The answer's line.
    pub expected: Option<Vec<Piece>>,
    /// The output's line.
    pub got: Option<Vec<Piece>>,
}

/// What is to be said of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowKind {
    /// The checker accepts this line for that one.
    Same,
    /// Both sides have a line, and they differ.
    Changed,
    /// The output lacks this line.
    Missing,
    /// The answer lacks this line.
    Extra,
}

/// A stretch of a line, safe to print: control and invisible characters are made visible, invalid UTF-8 is
/// replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What to print.
    pub text: String,
    /// Whether this is what differs.
    pub emphasised: bool,
}

/// How much to show, and how long to think about it.
#[derive(Debug, Clone, Copy)]
pub struct DiffOptions {
    /// The most rows to show.
    pub max_rows: usize,
    /// How many rows that are the same to show around one that differs.
    pub context: usize,
    /// Whether case counts for nothing, even if it does to the checker.
    pub ignore_case: bool,
    /// The most bytes of a line to show; a longer one is cut to a window around its first difference.
    pub width: usize,
    /// When to stop looking for a better alignment. Without it the sizes alone bound the work, and the same
    /// texts always give the same diff.
    pub deadline: Option<Instant>,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self { max_rows: 12, context: 1, ignore_case: false, width: 200, deadline: None }
    }
}

/// Compares an answer and an output line by line, as the checker sees them.
pub fn diff(answer: &[u8], output: &[u8], checker: &Checker, options: &DiffOptions) -> Diff {
    let rule = Rule::new(checker, options.ignore_case);
    let output = checker.seen(output);
    if rule.is_unordered() {
        return show(Mode::Unordered, unordered(answer, output, rule), rule, options);
    }
    if rule.ignores_lines() && is_reflow(answer, output, rule) {
        return show(Mode::Reflowed, reflowed(answer, output, rule), rule, options);
    }
    match believed(answer, output, rule, options) {
        Some(pairs) => show(Mode::Aligned, pairs.into_iter(), rule, options),
        None => show(Mode::Positional, positional(answer, output, rule), rule, options),
    }
}

/// Counts all pairs, keeps those to show.
fn show<'a>(mode: Mode, pairs: impl Iterator<Item = Pair<'a>>, rule: Rule<'_>, options: &DiffOptions) -> Diff {
    let mut window = Window::new(options.max_rows, options.context);
    for pair in pairs {
        let same = rule.is_same_pair(&pair);
        window.push(pair, same);
    }
    let rows = window.shown.iter().map(|(pair, same)| pieces::row(pair, *same, rule, options)).collect();
    Diff { rows, differing: window.differing, total: window.total, first: window.first, mode }
}

/// Whether both texts have equally many tokens, broken into lines in different ways.
fn is_reflow(answer: &[u8], output: &[u8], rule: Rule<'_>) -> bool {
    let lengths = |text| rule.lines(text).map(|line| crate::text::tokens(&line.text).count());
    let count = |text| crate::text::tokens(text).count();
    count(answer) == count(output) && !lengths(answer).eq(lengths(output))
}

/// The alignment, if it is affordable and explains clearly more than position does.
fn believed<'a>(answer: &'a [u8], output: &'a [u8], rule: Rule<'_>, options: &DiffOptions) -> Option<Vec<Pair<'a>>> {
    let (expected, found) = (rule.lines(answer).count(), rule.lines(output).count());
    if expected == found || expected.max(found) > ALIGNED_LINES_MAX {
        return None;
    }
    let aligned = aligned(answer, output, rule, options.deadline);
    let differing = aligned.iter().filter(|pair| !rule.is_same_pair(pair)).count();
    let by_position = positional(answer, output, rule).filter(|pair| !rule.is_same_pair(pair)).count();
    (differing * 2 <= by_position).then_some(aligned)
}

/// Aligns two sequences so that much of them is the same: the stretches that belong together, alike or not,
/// in order and without gaps.
pub(crate) fn hunks<T: Eq + Hash>(
    old: &[T],
    new: &[T],
    deadline: Option<Instant>,
) -> Vec<(Range<usize>, Range<usize>)> {
    let operations = capture_diff_slices_deadline(Algorithm::Myers, old, new, deadline);
    operations.iter().map(|operation| (operation.old_range(), operation.new_range())).collect()
}
