//! Which other checker would accept an output that one refuses: a comparison that is too strict looks like a wrong answer.

use crate::checker::Checker;
use crate::number::distance;
use crate::text::{lines, tokens};
use std::fmt;

/// The largest error of a number that may come from printing or from rounding.
const MAX_ERROR: f64 = 1e-4;
/// Tolerances that problems ask for, the strictest first.
const TOLERANCES: [(f64, &str); 3] = [(1e-9, "1e-9"), (1e-6, "1e-6"), (1e-4, "1e-4")];
/// The longest text that is examined, in tokens.
const MAX_TOKENS: usize = 100_000;

/// A way in which an output that was refused may be right.
#[derive(Clone, Debug, PartialEq)]
pub enum Suggestion {
    /// Only numbers differ, and by little.
    Numbers {
        /// The largest error, absolute or relative.
        error: f64,
        /// The strictest usual tolerance that accepts it.
        tolerance: &'static str,
    },
    /// Only upper and lower case differ.
    Case,
    /// The lines are the same in another order.
    Lines,
    /// The tokens are the same in another order.
    Tokens,
    /// Both have the same heading, such as `YES` or a number of things, and then other things.
    Several,
}

impl Checker {
    /// Returns in which way an output that this checker refuses may be right. Returns None if there is no sign of it, or if the
    /// checker allows for it.
    pub fn suggestion(&self, answer: &[u8], output: &[u8]) -> Option<Suggestion> {
        let name = self.name();
        let compares_words = ["tokens", "lines", "exact", "icpc", "wcmp", "lcmp", "fcmp"]
            .iter()
            .any(|strict| name.split(':').next() == Some(strict));
        if !compares_words
            || name.contains("tolerance")
            || matches!(self.check(b"", answer, output), crate::Judgement::Accepted)
        {
            return None;
        }
        let words = |text| tokens(text).take(MAX_TOKENS + 1).map(|token| token.text).collect::<Vec<_>>();
        let (wanted, found) = (words(answer), words(output));
        if wanted.len() > MAX_TOKENS || found.len() > MAX_TOKENS {
            return None;
        }
        let is_same_word = |(a, b): (&&[u8], &&[u8])| a.eq_ignore_ascii_case(b);
        if wanted != found && wanted.len() == found.len() && wanted.iter().zip(&found).all(is_same_word) {
            return Some(Suggestion::Case);
        }
        near_numbers(&wanted, &found).or_else(|| another_order(answer, output, &wanted, &found)).or_else(|| {
            let is_several = has_same_heading(answer, output, &wanted, &found);
            is_several.then_some(Suggestion::Several)
        })
    }
}

/// Whether only numbers differ, and by little. Integers are exact: at least one of two that differ has a point or an exponent.
fn near_numbers(wanted: &[&[u8]], found: &[&[u8]]) -> Option<Suggestion> {
    if wanted.len() != found.len() {
        return None;
    }
    let mut error: f64 = 0.0;
    for (a, b) in wanted.iter().zip(found).filter(|(a, b)| a != b) {
        let is_real = |token: &[u8]| token.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
        if !is_real(a) && !is_real(b) {
            return None;
        }
        let apart = distance(a, b)?.error;
        let size = distance(a, b"0")?.error.max(1.0);
        error = error.max(apart / size);
    }
    let (_, tolerance) = TOLERANCES.iter().find(|(tolerance, _)| error <= *tolerance)?;
    (error <= MAX_ERROR).then_some(Suggestion::Numbers { error, tolerance })
}

/// Whether both have the same lines, or the same tokens, in another order.
fn another_order(answer: &[u8], output: &[u8], wanted: &[&[u8]], found: &[&[u8]]) -> Option<Suggestion> {
    if wanted == found || sorted(wanted) != sorted(found) {
        return None;
    }
    let rows = |text| {
        let rows = lines(text).map(|line| tokens(line.text).map(|token| token.text).collect::<Vec<_>>());
        let mut rows: Vec<_> = rows.filter(|row| !row.is_empty()).collect();
        rows.sort_unstable();
        rows
    };
    Some(if rows(answer) == rows(output) { Suggestion::Lines } else { Suggestion::Tokens })
}

fn sorted<'t>(tokens: &[&'t [u8]]) -> Vec<&'t [u8]> {
    let mut tokens = tokens.to_vec();
    tokens.sort_unstable();
    tokens
}

/// Whether both begin with the same line, and that says that something follows: it is a word such as `YES`, or the number of the
/// tokens or lines behind it.
fn has_same_heading(answer: &[u8], output: &[u8], wanted: &[&[u8]], found: &[&[u8]]) -> bool {
    let (Some(first), true) = (wanted.first(), wanted.first() == found.first()) else { return false };
    if wanted.len() < 2 || found.len() < 2 {
        return false;
    }
    let is_alone = |text| lines(text).next().is_some_and(|line| tokens(line.text).count() == 1);
    let is_word = first.iter().all(u8::is_ascii_alphabetic);
    let counts = |text: &[u8], words: &[&[u8]]| {
        let rows = lines(text).filter(|line| tokens(line.text).next().is_some()).count() - 1;
        let count = std::str::from_utf8(first).ok().and_then(|digits| digits.parse::<usize>().ok());
        count.is_some_and(|count| count > 0 && (count == words.len() - 1 || count == rows))
    };
    is_alone(answer) && is_alone(output) && (is_word || counts(answer, wanted) && counts(output, found))
}

/// In words, with what `--checker` takes.
impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PROGRAM: &str = "judge with a program, as in `--checker check.cpp` (docs/checkers.md)";
        match self {
            Suggestion::Numbers { error: 0.0, tolerance } => write!(
                f,
                "only the spelling of numbers differs: if that is all right, compare with `--checker numbers:{tolerance}`"
            ),
            Suggestion::Numbers { error, tolerance } => write!(
                f,
                "only numbers differ, by an error of at most {error:.1e}: if that is near enough, compare with `--checker \
                 numbers:{tolerance}`"
            ),
            Suggestion::Case => write!(
                f,
                "only upper and lower case differ: if any case is right, compare with `--checker tokens:ignore-case`"
            ),
            Suggestion::Lines => write!(
                f,
                "these are the same lines in another order: if any order is right, compare with `--checker unordered-lines`"
            ),
            Suggestion::Tokens => {
                write!(f, "these are the same tokens in another order: if several answers are right, {PROGRAM}")
            }
            Suggestion::Several => {
                write!(f, "the first lines agree and the rest differs: if several answers are right, {PROGRAM}")
            }
        }
    }
}
