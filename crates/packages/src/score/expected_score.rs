//! Expected scores of submissions.

use serde::Serialize;
use std::fmt;

/// The expected score of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExpectedScore {
    /// Any score in this range, inclusive.
    Within(f64, f64),
    /// Any score except the best one.
    NotBest(f64),
}

impl ExpectedScore {
    /// Returns true if a score is as expected, up to a difference in the sixth decimal. A missing score counts as 0
    /// in a range.
    pub fn is_met(&self, score: Option<f64>) -> bool {
        const TOLERANCE: f64 = 1e-6;
        let is_close = |a: f64, b: f64| (a - b).abs() <= TOLERANCE * b.abs().max(1.0);
        match (*self, score) {
            (ExpectedScore::Within(from, to), score) => {
                let score = score.unwrap_or(0.0);
                (from <= score && score <= to) || is_close(score, from) || is_close(score, to)
            }
            (ExpectedScore::NotBest(best), Some(score)) => !is_close(score, best),
            (ExpectedScore::NotBest(_), None) => false,
        }
    }
}

/// Formats as `50`, `10 to 20` or `any but the best, 100,`.
impl fmt::Display for ExpectedScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ExpectedScore::Within(from, to) if from == to => write!(f, "{from}"),
            ExpectedScore::Within(from, to) => write!(f, "{from} to {to}"),
            ExpectedScore::NotBest(best) => write!(f, "any but the best, {best},"),
        }
    }
}
