//! Scoring of the 2025-09 format: the score of a group is the sum or the minimum of its test cases, or requires all
//! of them to be accepted.

use super::{CaseOutcome, GroupScore, SubmissionScore, round_score};
use crate::verdict::Verdict;

/// Scoring of all secret test cases, in groups or not.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateScoring {
    /// Indices of the samples, which give no points.
    pub samples: Vec<usize>,
    /// The group of all secret test cases. Its own test cases are those outside of the groups, which give points only
    /// if there are no groups.
    pub secret: AggregateGroup,
    /// Groups inside `secret`.
    pub groups: Vec<AggregateGroup>,
}

/// A group of test cases.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateGroup {
    /// Path below `data/`.
    pub name: String,
    /// Indices of its test cases.
    pub cases: Vec<usize>,
    /// How its score is computed.
    pub aggregation: GroupAggregation,
    /// Maximum score; `None` if it is unbounded.
    pub max_score: Option<f64>,
    /// Index of the static case: a check by the static validator that counts as a test case.
    pub static_case: Option<usize>,
    /// Points given by the static validator.
    pub static_score: f64,
    /// Groups, or `sample`, that must be passed first: all of their test cases accepted.
    pub requires: Vec<String>,
}

/// How the score of a group is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupAggregation {
    /// The maximum score if everything is accepted, and none otherwise.
    #[default]
    PassFail,
    /// The sum of the scores of its test cases.
    Sum,
    /// The minimum of the scores of its test cases.
    Min,
}

impl GroupAggregation {
    /// Returns the spelling in packages.
    pub fn spelling(self) -> &'static str {
        match self {
            GroupAggregation::PassFail => "pass-fail",
            GroupAggregation::Sum => "sum",
            GroupAggregation::Min => "min",
        }
    }
}

/// Tolerance above the maximum score, since sums of fractions are inexact.
const SCORE_TOLERANCE: f64 = 1e-6;

impl AggregateScoring {
    /// Computes the score of a submission, in total and of each group.
    ///
    /// # Errors
    ///
    /// Returns a message if a validator gave points that are not allowed.
    pub(super) fn score_groups(&self, results: &[CaseOutcome<'_>]) -> Result<SubmissionScore, String> {
        let mut groups: Vec<GroupScore> = Vec::new();
        for group in &self.groups {
            let scores = group.score_cases(results)?;
            let verdict = combined_verdict(group.all_cases(), results);
            let is_run = self.has_passed(&group.requires, results);
            groups.push(group.to_group_score(
                &scores,
                if is_run { verdict } else { skipped_verdict(verdict) },
                is_run,
            )?);
        }
        let own_scores = self.secret.score_cases(results)?;
        let scores = match self.groups.is_empty() {
            true => own_scores,
            // If there are groups, the test cases outside of them give no points, but the static validator does.
            false => {
                let static_score = self.secret.score_static_case(results)?;
                groups.iter().filter_map(|group| group.score).chain(static_score).collect()
            }
        };
        let has_own_cases = self.secret.all_cases().next().is_some();
        let own_verdict = has_own_cases.then(|| combined_verdict(self.secret.all_cases(), results));
        let mut verdicts = groups.iter().map(|group| group.verdict).chain(own_verdict);
        let verdict = verdicts.find(|verdict| *verdict != Verdict::Accepted).unwrap_or(Verdict::Accepted);
        let is_run = self.has_passed(&self.secret.requires, results);
        let total = self.secret.to_group_score(&scores, verdict, is_run)?;
        Ok(SubmissionScore { total, groups })
    }

    /// Returns true if all test cases of these groups, and of those that they require, are accepted.
    fn has_passed(&self, required: &[String], results: &[CaseOutcome<'_>]) -> bool {
        required.iter().all(|name| {
            let group = self.groups.iter().find(|group| group.name == *name);
            let cases: Vec<usize> = group.map_or_else(|| self.samples.clone(), |group| group.all_cases().collect());
            let earlier = group.map_or(&[][..], |group| &group.requires);
            // A group can only require earlier ones, so the recursion ends.
            let is_ordered = group.is_none_or(|group| earlier.iter().all(|other| *other < group.name));
            is_ordered
                && combined_verdict(cases.into_iter(), results) == Verdict::Accepted
                && self.has_passed(earlier, results)
        })
    }
}

impl AggregateGroup {
    /// Returns the maximum score of a test case; `None` if it is unbounded.
    fn max_case_score(&self) -> Option<f64> {
        let max_score = self.max_score?;
        Some(match self.aggregation {
            GroupAggregation::Sum => (max_score - self.static_score) / self.cases.len().max(1) as f64,
            GroupAggregation::Min | GroupAggregation::PassFail => max_score,
        })
    }

    /// Returns the scores of its test cases.
    fn score_cases(&self, results: &[CaseOutcome<'_>]) -> Result<Vec<f64>, String> {
        let max_score = self.max_case_score();
        let scores = self.cases.iter().map(|case| self.score_case(&results[*case], max_score));
        let mut scores = scores.collect::<Result<Vec<f64>, String>>()?;
        scores.extend(self.score_static_case(results)?);
        Ok(scores)
    }

    /// Returns the score given by the static validator.
    fn score_static_case(&self, results: &[CaseOutcome<'_>]) -> Result<Option<f64>, String> {
        let Some(case) = self.static_case else { return Ok(None) };
        self.score_case(&results[case], Some(self.static_score)).map(Some)
    }

    /// Iterates over the test cases and the static case.
    fn all_cases(&self) -> impl Iterator<Item = usize> + '_ {
        self.cases.iter().copied().chain(self.static_case)
    }

    fn score_case(&self, result: &CaseOutcome<'_>, max_score: Option<f64>) -> Result<f64, String> {
        let of_case = |text: String| format!("`{}`: {text}", result.name);
        let (points, factor) =
            (result.feedback.parse_points().map_err(of_case)?, result.feedback.parse_multiplier().map_err(of_case)?);
        let invalid = |text: &str| Err(of_case(text.to_owned()));
        match (points, factor, max_score) {
            (Some(_), Some(_), _) => invalid("both `score.txt` and `score_multiplier.txt` were written"),
            (None, None, _) if result.verdict != Verdict::Accepted => Ok(0.0),
            _ if result.verdict != Verdict::Accepted => invalid("points were given for a rejected test case"),
            (None, None, max_score) if self.aggregation == GroupAggregation::PassFail => Ok(max_score.unwrap_or(0.0)),
            _ if self.aggregation == GroupAggregation::PassFail => invalid("points were given in a `pass-fail` group"),
            (Some(points), None, _) if points < 0.0 => invalid("`score.txt` is less than 0"),
            (Some(points), None, Some(max_score)) if points > max_score + SCORE_TOLERANCE => invalid(&format!(
                "`score.txt` gives {points} points, but at most {} are possible",
                round_score(max_score)
            )),
            (Some(points), None, _) => Ok(points),
            (None, Some(_), None) => {
                invalid("`score_multiplier.txt` was written, but the score of the group is unbounded")
            }
            (None, Some(factor), Some(_)) if !(0.0..=1.0).contains(&factor) => {
                invalid("`score_multiplier.txt` is not from 0 to 1")
            }
            (None, Some(factor), Some(max_score)) => Ok(factor * max_score),
            (None, None, Some(max_score)) => Ok(max_score),
            (None, None, None) => invalid("no `score.txt` was written, but the score of the group is unbounded"),
        }
    }

    /// Computes the score of the group from the scores of its test cases.
    fn to_group_score(&self, scores: &[f64], verdict: Verdict, is_run: bool) -> Result<GroupScore, String> {
        let score = match self.aggregation {
            _ if !is_run || scores.is_empty() => 0.0,
            GroupAggregation::PassFail if verdict == Verdict::Accepted => self.max_score.unwrap_or(0.0),
            GroupAggregation::PassFail => 0.0,
            GroupAggregation::Sum => scores.iter().sum(),
            GroupAggregation::Min => scores.iter().copied().fold(f64::INFINITY, f64::min),
        };
        if let Some(max_score) = self.max_score.filter(|max| score > max + SCORE_TOLERANCE) {
            return Err(format!(
                "`data/{}` gets {} points, but its `max_score` is {max_score}",
                self.name,
                round_score(score)
            ));
        }
        Ok(GroupScore { group: self.name.clone(), verdict, score: Some(round_score(score)), best: self.max_score })
    }
}

/// Returns the verdict of a group that is not run: its test cases count as rejected.
fn skipped_verdict(verdict: Verdict) -> Verdict {
    if verdict == Verdict::Accepted { Verdict::WrongAnswer } else { verdict }
}

/// Returns the verdict of the first test case that is not accepted.
fn combined_verdict(cases: impl Iterator<Item = usize>, results: &[CaseOutcome<'_>]) -> Verdict {
    let mut verdicts = cases.map(|case| results[case].verdict);
    verdicts.find(|verdict| *verdict != Verdict::Accepted).unwrap_or(Verdict::Accepted)
}
