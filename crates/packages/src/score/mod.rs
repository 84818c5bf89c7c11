//! Computation of a submission's score from its results on the test cases. This module has no dependency on how
//! programs are run.
//!
//! There are two kinds of scoring. The legacy format has *graders*: each folder has a result, which its grader
//! computes from the results inside it ([`GraderScoring`]). In the 2025-09 format, the score of a group is the sum or
//! the minimum of its test cases ([`AggregateScoring`]).
//!
//! ```
//! use rebut_packages::score::{AggregateGroup, AggregateScoring, CaseOutcome, FeedbackScore, GroupAggregation, Scoring};
//! use rebut_packages::verdict::Verdict;
//!
//! let secret = AggregateGroup {
//!     name: "secret".into(),
//!     cases: vec![0, 1, 2, 3],
//!     aggregation: GroupAggregation::Sum,
//!     max_score: Some(100.0),
//!     static_case: None,
//!     static_score: 0.0,
//!     requires: Vec::new(),
//! };
//! let scoring = Scoring::Aggregates(AggregateScoring { samples: Vec::new(), secret, groups: Vec::new() });
//!
//! let feedback = FeedbackScore::default();
//! let verdicts = [Verdict::Accepted, Verdict::Accepted, Verdict::Accepted, Verdict::WrongAnswer];
//! let results = verdicts.map(|verdict| CaseOutcome { name: "", verdict, feedback: &feedback });
//! let score = scoring.score_submission(&results, &mut |_, _| unreachable!("there is no custom grader"))?;
//! assert_eq!(score.total.score, Some(75.0));
//! # Ok::<(), String>(())
//! ```

mod aggregate_scoring;
mod grader_scoring;
#[cfg(test)]
mod tests;

use crate::verdict::Verdict;
pub use aggregate_scoring::{AggregateGroup, AggregateScoring, GroupAggregation};
pub use grader_scoring::{CustomGrader, GraderGroup, GraderItem, GraderScoring, ScoreAggregation, VerdictAggregation};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The scoring of a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum Scoring {
    /// Graders of the legacy format.
    Graders(GraderScoring),
    /// Aggregated scores of the 2025-09 format.
    Aggregates(AggregateScoring),
}

impl Scoring {
    /// Computes the score of a submission with these results, indexed by test case. `custom` runs custom graders.
    ///
    /// # Errors
    ///
    /// Returns a message if a validator or grader gave points that are not allowed.
    pub fn score_submission(
        &self,
        results: &[CaseOutcome<'_>],
        custom: &mut CustomGrader<'_>,
    ) -> Result<SubmissionScore, String> {
        match self {
            Scoring::Graders(graded) => graded.score_groups(results, custom),
            Scoring::Aggregates(pointed) => pointed.score_groups(results),
        }
    }

    /// Returns the score of a submission that is accepted on all of `cases` test cases, or the best score if
    /// validators or graders give the points. `None` if neither is known.
    pub fn full_score(&self, cases: usize) -> Option<f64> {
        let given = FeedbackScore::default();
        let accepted = vec![CaseOutcome { name: "", verdict: Verdict::Accepted, feedback: &given }; cases];
        let marks = self.score_submission(&accepted, &mut |_, _| Err(String::new()));
        marks.ok().and_then(|marks| marks.total.score).or_else(|| self.best_score())
    }

    /// Returns true if no score is better than `score`, where `full` is the best.
    pub fn is_full_score(&self, score: f64, full: f64) -> bool {
        const TOLERANCE: f64 = 1e-6;
        match self {
            Scoring::Graders(GraderScoring { is_minimised: true, .. }) => score <= full + TOLERANCE,
            Scoring::Graders(_) | Scoring::Aggregates(_) => score >= full - TOLERANCE,
        }
    }

    /// Returns the indices of test cases outside of the groups, which give no points.
    pub fn cases_without_points(&self) -> Vec<usize> {
        match self {
            Scoring::Graders(graded) => graded.cases_without_points(),
            Scoring::Aggregates(AggregateScoring { secret, groups, .. }) if !groups.is_empty() => secret.cases.clone(),
            Scoring::Aggregates(_) => Vec::new(),
        }
    }

    /// Returns the best possible score, if there is one.
    pub fn best_score(&self) -> Option<f64> {
        match self {
            Scoring::Graders(graded) => graded.best_score(),
            Scoring::Aggregates(pointed) => pointed.secret.max_score,
        }
    }

    /// Returns the names of the groups with a score of their own.
    pub fn group_names(&self) -> Vec<&str> {
        match self {
            Scoring::Graders(graded) => graded.groups.iter().map(|group| group.name.as_str()).collect(),
            Scoring::Aggregates(AggregateScoring { secret, groups, .. }) => {
                [secret].into_iter().chain(groups).map(|group| group.name.as_str()).collect()
            }
        }
    }
}

// Scores of a submission on test cases and groups.

/// The raw contents of a validator's score files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeedbackScore {
    /// `score.txt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// `score_multiplier.txt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<String>,
}

/// The result of a submission on a test case.
#[derive(Clone, Copy, Debug)]
pub struct CaseOutcome<'a> {
    /// Name of the test case.
    pub name: &'a str,
    /// Verdict on the test case.
    pub verdict: Verdict,
    /// Score files of the output validator.
    pub feedback: &'a FeedbackScore,
}

/// The result of a submission on a group of test cases.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupScore {
    /// Name of the group: a path below `data/`.
    pub group: String,
    /// Verdict on the group.
    pub verdict: Verdict,
    /// Score; `None` if the group is rejected and has no score.
    pub score: Option<f64>,
    /// Best possible score, if there is one.
    pub best: Option<f64>,
}

/// The results of a submission, in total and on each group.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubmissionScore {
    /// Result in total.
    pub total: GroupScore,
    /// Results on each group of secret test cases, in order.
    pub groups: Vec<GroupScore>,
}

impl FeedbackScore {
    /// Returns true if no score file was written.
    pub fn is_empty(&self) -> bool {
        self.score.is_none() && self.multiplier.is_none()
    }

    /// Parses `score.txt`.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not contain a single number.
    fn parse_points(&self) -> Result<Option<f64>, String> {
        self.score.as_deref().map(|text| parse_single_number(text, "score.txt")).transpose()
    }

    /// Parses `score_multiplier.txt`.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not contain a single number.
    fn parse_multiplier(&self) -> Result<Option<f64>, String> {
        self.multiplier.as_deref().map(|text| parse_single_number(text, "score_multiplier.txt")).transpose()
    }
}

/// Parses a file that consists of a single number.
fn parse_single_number(text: &str, file: &str) -> Result<f64, String> {
    let found = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    found.ok_or_else(|| {
        let shown: String = text.trim().chars().take(40).filter(|c| !c.is_control()).collect();
        format!("`{file}` should contain a single number, not `{shown}`")
    })
}

/// Rounds to six decimals, as judges do, which removes rounding errors of sums.
fn round_score(score: f64) -> f64 {
    const PRECISION: f64 = 1e6;
    let rounded = (score * PRECISION).round() / PRECISION;
    if rounded.is_finite() { rounded } else { score }
}

// Expected scores of submissions.

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
