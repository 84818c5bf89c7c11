//! A line diff of the answer and a rejected output.
//!
//! Lines are compared by position, line i with line i, as the checkers compare them. The textbook diff looks for the
//! longest common subsequence instead: on a hundred thousand lines of YES and NO it pairs each line with some equal one
//! nearby, reports fewer differences than there are, and is slow. It is useful if a line is missing, because then a
//! comparison by position makes all following lines differ. So when the numbers of lines differ, an alignment is tried
//! if it is affordable, and used only if it explains the output with at most half of the differences.
//!
//! The checker decides which lines differ: a line that it accepts is never shown as changed, and if it ignores line
//! breaks, the output is laid out on the answer's lines.

mod diff_rule;
mod line_pairs;
mod marked_ranges;
mod segments;

use crate::checker::Checker;
use diff_rule::{DiffRule, LinePair};
use line_pairs::{DiffWindow, pair_by_alignment, pair_by_position, pair_reflowed, pair_unordered};
use similar::{Algorithm, capture_diff_slices_deadline};
use std::hash::Hash;
use std::ops::Range;
use std::time::Instant;

/// Maximum number of lines on either side for which an alignment is tried: its time can be quadratic.
const MAX_ALIGNED_LINES: usize = 5_000;

/// A line-by-line comparison of two texts, limited to the rows worth showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// The first difference and the rows after it, with context, in order. Where numbers jump, equal lines were
    /// omitted.
    pub rows: Vec<DiffRow>,
    /// Number of rows that differ, shown or not.
    pub differing: usize,
    /// Number of rows, shown or not.
    pub total: usize,
    /// The number of the first row that differs.
    pub first: Option<usize>,
    /// How the lines were paired.
    pub mode: DiffMode,
}

/// How the lines of two texts are paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiffMode {
    /// Line i with line i.
    Positional,
    /// Like `Positional`, but with missing and extra lines skipped.
    Aligned,
    /// Token i with token i, with the output laid out on the answer's lines: the checker ignores line breaks.
    Reflowed,
    /// Each line with an equal one, at any position; only lines without a counterpart differ.
    Unordered,
}

/// A line of the answer next to a line of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffRow {
    /// The number of the line, from 1: that of the answer's line, or of the output's if the answer has none or the
    /// order is irrelevant.
    pub number: usize,
    /// How the lines compare.
    pub kind: DiffRowKind,
    /// The answer's line.
    pub expected: Option<Vec<DiffSegment>>,
    /// The output's line.
    pub found: Option<Vec<DiffSegment>>,
}

/// How the two lines of a row compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiffRowKind {
    /// The checker accepts the output's line for the answer's.
    Same,
    /// Both lines exist, and they differ.
    Changed,
    /// The output lacks this line.
    Missing,
    /// The answer lacks this line.
    Extra,
}

/// A part of a line that is safe to print: control and invisible characters are escaped, and invalid UTF-8 is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffSegment {
    /// The text to print.
    pub text: String,
    /// Whether this part differs.
    pub emphasised: bool,
}

/// Limits on the size of a diff and the time spent on it.
#[derive(Debug, Clone, Copy)]
pub struct DiffOptions {
    /// Maximum number of rows to show.
    pub max_rows: usize,
    /// Number of equal rows to show around one that differs.
    pub context: usize,
    /// Whether to ignore case even if the checker does not.
    pub ignore_case: bool,
    /// Maximum number of bytes to show of a line; a longer one is cut to a window around its first difference.
    pub width: usize,
    /// When to stop looking for a better alignment. Without a deadline only the sizes bound the work, and the same
    /// texts always give the same diff.
    pub deadline: Option<Instant>,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self { max_rows: 12, context: 1, ignore_case: false, width: 200, deadline: None }
    }
}

/// Compares an answer and an output line by line, by the rules of the checker.
pub fn diff_outputs(answer: &[u8], output: &[u8], checker: &Checker, options: &DiffOptions) -> Diff {
    let rule = DiffRule::new(checker, options.ignore_case);
    let output = checker.strip_byte_order_mark(output);
    if rule.is_unordered() {
        return build_diff(DiffMode::Unordered, pair_unordered(answer, output, rule), rule, options);
    }
    if rule.ignores_lines() && differs_in_line_breaks(answer, output, rule) {
        return build_diff(DiffMode::Reflowed, pair_reflowed(answer, output, rule), rule, options);
    }
    match find_better_alignment(answer, output, rule, options) {
        Some(pairs) => build_diff(DiffMode::Aligned, pairs.into_iter(), rule, options),
        None => build_diff(DiffMode::Positional, pair_by_position(answer, output, rule), rule, options),
    }
}

/// Counts all pairs, and keeps those to show.
fn build_diff<'a>(
    mode: DiffMode,
    pairs: impl Iterator<Item = LinePair<'a>>,
    rule: DiffRule<'_>,
    options: &DiffOptions,
) -> Diff {
    let mut window = DiffWindow::new(options.max_rows, options.context);
    for pair in pairs {
        let same = rule.is_same_pair(&pair);
        window.push_pair(pair, same);
    }
    let rows = window.shown.iter().map(|(pair, same)| segments::build_row(pair, *same, rule, options)).collect();
    Diff { rows, differing: window.differing, total: window.total, first: window.first, mode }
}

/// Returns true if both texts have the same number of tokens, but broken into lines differently.
fn differs_in_line_breaks(answer: &[u8], output: &[u8], rule: DiffRule<'_>) -> bool {
    let lengths = |text| rule.counted_lines(text).map(|line| crate::tokenizer::split_tokens(&line.text).count());
    let count = |text| crate::tokenizer::split_tokens(text).count();
    count(answer) == count(output) && !lengths(answer).eq(lengths(output))
}

/// Returns the alignment if it is affordable and has at most half as many differences as the comparison by position.
fn find_better_alignment<'a>(
    answer: &'a [u8],
    output: &'a [u8],
    rule: DiffRule<'_>,
    options: &DiffOptions,
) -> Option<Vec<LinePair<'a>>> {
    let (expected, found) = (rule.counted_lines(answer).count(), rule.counted_lines(output).count());
    if expected == found || expected.max(found) > MAX_ALIGNED_LINES {
        return None;
    }
    let aligned = pair_by_alignment(answer, output, rule, options.deadline);
    let differing = aligned.iter().filter(|pair| !rule.is_same_pair(pair)).count();
    let by_position = pair_by_position(answer, output, rule).filter(|pair| !rule.is_same_pair(pair)).count();
    (differing * 2 <= by_position).then_some(aligned)
}

/// Aligns two sequences. Returns the ranges that correspond, equal or not, in order and without gaps.
pub(crate) fn align_sequences<T: Eq + Hash>(
    old: &[T],
    new: &[T],
    deadline: Option<Instant>,
) -> Vec<(Range<usize>, Range<usize>)> {
    let operations = capture_diff_slices_deadline(Algorithm::Myers, old, new, deadline);
    let aligned: Vec<_> = operations.iter().map(|operation| (operation.old_range(), operation.new_range())).collect();
    debug_assert!(
        aligned.is_sorted_by(|one, next| one.0.end == next.0.start && one.1.end == next.1.start),
        "operations cover both sequences without gaps"
    );
    aligned
}
