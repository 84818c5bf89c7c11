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
mod expected_score;
mod grader_scoring;
mod group_score;
#[cfg(test)]
mod tests;

pub use aggregate_scoring::{AggregateGroup, AggregateScoring, GroupAggregation};
pub use expected_score::ExpectedScore;
pub use grader_scoring::{CustomGrader, GraderGroup, GraderItem, GraderScoring, ScoreAggregation, VerdictAggregation};
pub use group_score::{CaseOutcome, FeedbackScore, GroupScore, SubmissionScore};

use crate::verdict::Verdict;

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
