//! Ways to pair the lines of two texts. Each yields pairs in the order in which they are shown; only the alignment and
//! the unordered pairing hold all lines in memory.

use super::align_sequences;
use super::diff_rule::{DiffLine, DiffRule, LinePair};
use crate::tokenizer::split_tokens;
use crate::unordered_lines::{NumberedLine, numbered_lines, unmatched_lines};
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::time::Instant;

/// Pairs line i with line i; the last lines of the longer text have no counterpart.
pub(crate) fn pair_by_position<'a>(
    answer: &'a [u8],
    output: &'a [u8],
    rule: DiffRule<'_>,
) -> impl Iterator<Item = LinePair<'a>> {
    zip_longest(rule.counted_lines(answer), rule.counted_lines(output))
}

/// Pairs two sequences to the end of the longer one.
fn zip_longest<'a>(
    mut expected: impl Iterator<Item = DiffLine<'a>>,
    mut found: impl Iterator<Item = DiffLine<'a>>,
) -> impl Iterator<Item = LinePair<'a>> {
    std::iter::from_fn(move || match (expected.next(), found.next()) {
        (None, None) => None,
        (a, b) => Some(LinePair::new(a, b)),
    })
}

/// Pairs the lines that an alignment matches, and the lines between these by position.
pub(crate) fn pair_by_alignment<'a>(
    answer: &'a [u8],
    output: &'a [u8],
    rule: DiffRule<'_>,
    deadline: Option<Instant>,
) -> Vec<LinePair<'a>> {
    let (expected, found): (Vec<_>, Vec<_>) =
        (rule.counted_lines(answer).collect(), rule.counted_lines(output).collect());
    let mut numbers = HashMap::new();
    let mut keys = |lines: &[DiffLine<'_>]| -> Vec<usize> {
        lines.iter().map(|line| number_for_key(&mut numbers, rule.line_key(line))).collect()
    };
    let (old, new) = (keys(&expected), keys(&found));
    let between = |(old, new): (Range<usize>, Range<usize>)| {
        zip_longest(expected[old].iter().cloned(), found[new].iter().cloned()).collect::<Vec<_>>()
    };
    align_sequences(&old, &new, deadline).into_iter().flat_map(between).collect()
}

/// Returns a small number for each distinct key, which is cheap to compare.
fn number_for_key(numbers: &mut HashMap<Vec<u8>, usize>, key: Vec<u8>) -> usize {
    let next = numbers.len();
    *numbers.entry(key).or_insert(next)
}

/// Pairs each line of the answer with the same number of tokens of the output.
pub(crate) fn pair_reflowed<'a>(
    answer: &'a [u8],
    output: &'a [u8],
    rule: DiffRule<'_>,
) -> impl Iterator<Item = LinePair<'a>> {
    let mut found = split_tokens(output);
    rule.counted_lines(answer).map(move |expected| {
        let count = split_tokens(&expected.text).count();
        let taken: Vec<&[u8]> = found.by_ref().take(count).map(|token| token.text).collect();
        let text = Cow::Owned(taken.join(&b' '));
        LinePair::new(Some(expected.clone()), Some(DiffLine { text, ..expected }))
    })
}

/// Pairs the output's lines, in their order: those that the answer contains with themselves, the others with missing
/// lines as long as there are any.
pub(crate) fn pair_unordered<'a>(
    answer: &'a [u8],
    output: &'a [u8],
    rule: DiffRule<'_>,
) -> impl Iterator<Item = LinePair<'a>> {
    let (missing, extra) = unmatched_lines(answer, output, rule.ignores_case());
    let (mut missing, mut extra) = (missing.into_iter(), extra.into_iter().peekable());
    let mut found = numbered_lines(output);
    std::iter::from_fn(move || {
        let Some(line) = found.next() else {
            return missing.next().map(|line| LinePair::new(Some(to_diff_line(line)), None));
        };
        let expected = match extra.next_if(|next| next.number == line.number) {
            Some(_) => missing.next().map(to_diff_line),
            None => Some(to_diff_line(line)),
        };
        Some(LinePair { number: line.number, expected, found: Some(to_diff_line(line)) })
    })
}

/// Converts a line, ignoring its line end.
fn to_diff_line(line: NumberedLine<'_>) -> DiffLine<'_> {
    DiffLine { number: line.number, text: Cow::Borrowed(crate::tokenizer::trim_end(line.text)), has_newline: true }
}

// Selects the rows to show: the first difference and the rows after it, up to a maximum.

/// Receives all pairs, counts them, and keeps the few to show.
#[derive(Debug)]
pub(crate) struct DiffWindow<'a> {
    /// The pairs to show, and whether each is equal.
    pub(crate) shown: Vec<(LinePair<'a>, bool)>,
    pub(crate) differing: usize,
    pub(crate) total: usize,
    pub(crate) first: Option<usize>,
    max_rows: usize,
    context: usize,
    /// The last equal pairs that were not shown.
    pending_context: VecDeque<LinePair<'a>>,
    /// Number of equal pairs that can still follow the last difference.
    context_left: usize,
}

impl<'a> DiffWindow<'a> {
    /// Creates a window of `max_rows` rows. Context before a difference gets less than half of them, so that there is
    /// always room for the difference.
    pub(crate) fn new(max_rows: usize, context: usize) -> Self {
        let context = context.min(max_rows.saturating_sub(1) / 2);
        Self {
            shown: Vec::new(),
            differing: 0,
            total: 0,
            first: None,
            max_rows,
            context,
            pending_context: VecDeque::new(),
            context_left: 0,
        }
    }

    /// Adds the next pair.
    pub(crate) fn push_pair(&mut self, pair: LinePair<'a>, same: bool) {
        self.total += 1;
        if !same {
            self.differing += 1;
            self.first.get_or_insert(pair.number);
        }
        if self.shown.len() >= self.max_rows {
            return;
        }
        if same { self.push_same(pair) } else { self.push_different(pair) }
    }

    /// Shows an equal pair after a difference, else keeps it in case a difference follows.
    fn push_same(&mut self, pair: LinePair<'a>) {
        if self.context_left > 0 {
            self.context_left -= 1;
            self.shown.push((pair, true));
        } else if self.context > 0 {
            if self.pending_context.len() == self.context {
                self.pending_context.pop_front();
            }
            self.pending_context.push_back(pair);
        }
    }

    /// Shows a difference, after as much context as fits.
    fn push_different(&mut self, pair: LinePair<'a>) {
        let room = self.max_rows - self.shown.len() - 1;
        let unshown = self.pending_context.len().saturating_sub(room);
        self.shown.extend(self.pending_context.drain(..).skip(unshown).map(|pair| (pair, true)));
        self.shown.push((pair, false));
        self.context_left = self.context;
    }
}
