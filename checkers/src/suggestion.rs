//! Suggests another checker that would accept a rejected output: a comparison that is too strict looks like a wrong
//! answer.

use crate::checker::Checker;
use crate::number_parser::number_distance;
use crate::tokenizer::{split_lines, split_tokens};
use std::fmt;

/// Maximum error of a number that can be due to printing or rounding.
const MAX_ROUNDING_ERROR: f64 = 1e-4;
/// Common tolerances, the strictest first.
const TOLERANCES: [(f64, &str); 3] = [(1e-9, "1e-9"), (1e-6, "1e-6"), (1e-4, "1e-4")];
/// Maximum number of tokens of a text that is examined.
const MAX_TOKENS: usize = 100_000;

/// A reason why a rejected output may be correct.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckerSuggestion {
    /// Only numbers differ, and by little.
    Numbers {
        /// The largest error, absolute or relative.
        error: f64,
        /// The strictest common tolerance that accepts it.
        tolerance: &'static str,
    },
    /// Only case differs.
    Case,
    /// The lines are the same in another order.
    Lines,
    /// The tokens are the same in another order.
    Tokens,
    /// Both have the same heading, such as `YES` or a count, and differ after it.
    MultipleAnswers,
}

impl Checker {
    /// Returns why an output that this checker rejects may be correct. Returns `None` if there is no indication of
    /// that, or if the checker already allows for it.
    pub fn suggest_checker(&self, answer: &[u8], output: &[u8]) -> Option<CheckerSuggestion> {
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
        let words = |text| split_tokens(text).take(MAX_TOKENS + 1).map(|token| token.text).collect::<Vec<_>>();
        let (wanted, found) = (words(answer), words(output));
        if wanted.len() > MAX_TOKENS || found.len() > MAX_TOKENS {
            return None;
        }
        let is_same_word = |(a, b): (&&[u8], &&[u8])| a.eq_ignore_ascii_case(b);
        if wanted != found && wanted.len() == found.len() && wanted.iter().zip(&found).all(is_same_word) {
            return Some(CheckerSuggestion::Case);
        }
        suggest_numbers(&wanted, &found).or_else(|| suggest_order(answer, output, &wanted, &found)).or_else(|| {
            let is_several = has_same_heading(answer, output, &wanted, &found);
            is_several.then_some(CheckerSuggestion::MultipleAnswers)
        })
    }
}

/// Compares texts of which only numbers differ by little. Integers are exact: of two numbers that differ, at least one
/// has to have a decimal point or an exponent.
fn suggest_numbers(wanted: &[&[u8]], found: &[&[u8]]) -> Option<CheckerSuggestion> {
    if wanted.len() != found.len() {
        return None;
    }
    let mut error: f64 = 0.0;
    for (a, b) in wanted.iter().zip(found).filter(|(a, b)| a != b) {
        let is_real = |token: &[u8]| token.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
        if !is_real(a) && !is_real(b) {
            return None;
        }
        let apart = number_distance(a, b)?.error;
        let size = number_distance(a, b"0")?.error.max(1.0);
        error = error.max(apart / size);
    }
    let (_, tolerance) = TOLERANCES.iter().find(|(tolerance, _)| error <= *tolerance)?;
    (error <= MAX_ROUNDING_ERROR).then_some(CheckerSuggestion::Numbers { error, tolerance })
}

/// Compares texts with the same lines, or the same tokens, in another order.
fn suggest_order(answer: &[u8], output: &[u8], wanted: &[&[u8]], found: &[&[u8]]) -> Option<CheckerSuggestion> {
    if wanted == found || sorted_tokens(wanted) != sorted_tokens(found) {
        return None;
    }
    let rows = |text| {
        let rows = split_lines(text).map(|line| split_tokens(line.text).map(|token| token.text).collect::<Vec<_>>());
        let mut rows: Vec<_> = rows.filter(|row| !row.is_empty()).collect();
        rows.sort_unstable();
        rows
    };
    Some(if rows(answer) == rows(output) { CheckerSuggestion::Lines } else { CheckerSuggestion::Tokens })
}

fn sorted_tokens<'t>(tokens: &[&'t [u8]]) -> Vec<&'t [u8]> {
    let mut tokens = tokens.to_vec();
    tokens.sort_unstable();
    tokens
}

/// Returns true if both texts start with the same line and it announces more: a word such as `YES`, or the number of
/// tokens or lines after it.
fn has_same_heading(answer: &[u8], output: &[u8], wanted: &[&[u8]], found: &[&[u8]]) -> bool {
    let (Some(first), true) = (wanted.first(), wanted.first() == found.first()) else { return false };
    if wanted.len() < 2 || found.len() < 2 {
        return false;
    }
    let is_alone = |text| split_lines(text).next().is_some_and(|line| split_tokens(line.text).count() == 1);
    let is_word = first.iter().all(u8::is_ascii_alphabetic);
    let counts = |text: &[u8], words: &[&[u8]]| {
        let rows = split_lines(text).filter(|line| split_tokens(line.text).next().is_some()).count() - 1;
        let count = std::str::from_utf8(first).ok().and_then(|digits| digits.parse::<usize>().ok());
        count.is_some_and(|count| count > 0 && (count == words.len() - 1 || count == rows))
    };
    is_alone(answer) && is_alone(output) && (is_word || counts(answer, wanted) && counts(output, found))
}

/// Displays as a sentence with the `--checker` option to use.
impl fmt::Display for CheckerSuggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PROGRAM: &str = "judge with a program, as in `--checker check.cpp` (docs/checkers.md)";
        match self {
            CheckerSuggestion::Numbers { error: 0.0, tolerance } => write!(
                f,
                "only the format of numbers differs: if any format is accepted, use `--checker numbers:{tolerance}`"
            ),
            CheckerSuggestion::Numbers { error, tolerance } => write!(
                f,
                "only numbers differ, by an error of at most {error:.1e}: if that is close enough, use `--checker \
                 numbers:{tolerance}`"
            ),
            CheckerSuggestion::Case => write!(
                f,
                "only upper and lower case differ: if case does not matter, use `--checker tokens:ignore-case`"
            ),
            CheckerSuggestion::Lines => write!(
                f,
                "these are the same lines in another order: if the order does not matter, use `--checker unordered-lines`"
            ),
            CheckerSuggestion::Tokens => {
                write!(f, "these are the same tokens in another order: if several answers are correct, {PROGRAM}")
            }
            CheckerSuggestion::MultipleAnswers => {
                write!(f, "the first lines agree and the rest differs: if several answers are correct, {PROGRAM}")
            }
        }
    }
}
