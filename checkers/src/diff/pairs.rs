//! Which line stands beside which. Each way of pairing yields pairs in the order in which they are shown;
//! only the alignment and the unordered one hold all lines in memory.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::time::Instant;

use super::hunks;
use super::rule::Rule;
use crate::text::tokens;
use crate::unordered::{NumberedLine, numbered_lines, unmatched};

/// A line of one side.
#[derive(Debug, Clone)]
pub(crate) struct SideLine<'a> {
    pub(crate) number: usize,
    pub(crate) text: Cow<'a, [u8]>,
    pub(crate) ended: bool,
}

/// What stands side by side; at least one side is there.
#[derive(Debug, Clone)]
pub(crate) struct Pair<'a> {
    pub(crate) number: usize,
    pub(crate) expected: Option<SideLine<'a>>,
    pub(crate) found: Option<SideLine<'a>>,
}

impl<'a> Pair<'a> {
    /// A pair under the number of the answer's line, if there is one.
    fn new(expected: Option<SideLine<'a>>, found: Option<SideLine<'a>>) -> Self {
        let number = expected.as_ref().or(found.as_ref()).map_or(0, |line| line.number);
        Self { number, expected, found }
    }
}

/// Line i with line i; the longer text's last lines stand alone.
pub(crate) fn positional<'a>(answer: &'a [u8], output: &'a [u8], rule: Rule<'_>) -> impl Iterator<Item = Pair<'a>> {
    zip_longest(rule.lines(answer), rule.lines(output))
}

/// Pairs two sequences to the end of the longer one.
fn zip_longest<'a>(
    mut expected: impl Iterator<Item = SideLine<'a>>,
    mut found: impl Iterator<Item = SideLine<'a>>,
) -> impl Iterator<Item = Pair<'a>> {
    std::iter::from_fn(move || match (expected.next(), found.next()) {
        (None, None) => None,
        (a, b) => Some(Pair::new(a, b)),
    })
}

/// The lines that an alignment matches beside each other, and what lies between them by position.
pub(crate) fn aligned<'a>(
    answer: &'a [u8],
    output: &'a [u8],
    rule: Rule<'_>,
    deadline: Option<Instant>,
) -> Vec<Pair<'a>> {
    let (expected, found): (Vec<_>, Vec<_>) = (rule.lines(answer).collect(), rule.lines(output).collect());
    let mut numbers = HashMap::new();
    let mut keys = |lines: &[SideLine<'_>]| -> Vec<usize> {
        lines.iter().map(|line| number_of(&mut numbers, rule.key(line))).collect()
    };
    let (old, new) = (keys(&expected), keys(&found));
    let between = |(old, new): (Range<usize>, Range<usize>)| {
        zip_longest(expected[old].iter().cloned(), found[new].iter().cloned()).collect::<Vec<_>>()
    };
    hunks(&old, &new, deadline).into_iter().flat_map(between).collect()
}

/// A small number for each distinct key: cheap to compare as often as an alignment compares.
fn number_of(numbers: &mut HashMap<Vec<u8>, usize>, key: Vec<u8>) -> usize {
    let next = numbers.len();
    *numbers.entry(key).or_insert(next)
}

/// The answer's lines, beside as many of the output's tokens as each of them has.
pub(crate) fn reflowed<'a>(answer: &'a [u8], output: &'a [u8], rule: Rule<'_>) -> impl Iterator<Item = Pair<'a>> {
    let mut found = tokens(output);
    rule.lines(answer).map(move |expected| {
        let count = tokens(&expected.text).count();
        let taken: Vec<&[u8]> = found.by_ref().take(count).map(|token| token.text).collect();
        let text = Cow::Owned(taken.join(&b' '));
        Pair::new(Some(expected.clone()), Some(SideLine { text, ..expected }))
    })
}

/// The output's lines in their order: those that the answer has too beside themselves, the others beside
/// lines that the output lacks, as long as there are any.
pub(crate) fn unordered<'a>(answer: &'a [u8], output: &'a [u8], rule: Rule<'_>) -> impl Iterator<Item = Pair<'a>> {
    let (missing, extra) = unmatched(answer, output, rule.ignores_case());
    let (mut missing, mut extra) = (missing.into_iter(), extra.into_iter().peekable());
    let mut found = numbered_lines(output);
    std::iter::from_fn(move || {
        let Some(line) = found.next() else {
            return missing.next().map(|line| Pair::new(Some(side(line)), None));
        };
        let expected = match extra.next_if(|next| next.number == line.number) {
            Some(_) => missing.next().map(side),
            None => Some(side(line)),
        };
        Some(Pair { number: line.number, expected, found: Some(side(line)) })
    })
}

/// A line for whose end nobody cares.
fn side(line: NumberedLine<'_>) -> SideLine<'_> {
    SideLine { number: line.number, text: Cow::Borrowed(crate::text::trim_end(line.text)), ended: true }
}
