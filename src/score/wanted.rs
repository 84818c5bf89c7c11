//! Which score is expected.

use serde::Serialize;
use std::fmt;

/// Which score is expected of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// One from the first number to the second.
    Within(f64, f64),
    /// Any but the best that there is.
    NotBest(f64),
}

impl Wanted {
    /// Whether a score is as expected. Where none is given, a range takes it for 0. The sixth decimal may differ.
    pub fn is_met(&self, score: Option<f64>) -> bool {
        const TOLERANCE: f64 = 1e-6;
        let is_about = |a: f64, b: f64| (a - b).abs() <= TOLERANCE * b.abs().max(1.0);
        match (*self, score) {
            (Wanted::Within(from, to), score) => {
                let score = score.unwrap_or(0.0);
                (from <= score && score <= to) || is_about(score, from) || is_about(score, to)
            }
            (Wanted::NotBest(best), Some(score)) => !is_about(score, best),
            (Wanted::NotBest(_), None) => false,
        }
    }
}

/// `50`, `10 to 20`, `any but the best, 100,`.
impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Wanted::Within(from, to) if from == to => write!(f, "{from}"),
            Wanted::Within(from, to) => write!(f, "{from} to {to}"),
            Wanted::NotBest(best) => write!(f, "any but the best, {best},"),
        }
    }
}
