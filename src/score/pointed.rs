//! The newer way: points of test cases are added up, or the least of them counts, or all have to be accepted.

use super::mark::{Mark, Marks, Outcome, rounded};
use crate::verdict::Verdict;

/// All secret test cases, in groups or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Pointed {
    /// The numbers of the samples, which give no points.
    pub samples: Vec<usize>,
    /// All secret test cases. Its own are those that are in no group: where there are groups, there are none.
    pub secret: PointedGroup,
    /// The groups of it.
    pub groups: Vec<PointedGroup>,
}

/// A group of test cases.
#[derive(Clone, Debug, PartialEq)]
pub struct PointedGroup {
    /// Its path below `data/`.
    pub name: String,
    /// The numbers of its test cases.
    pub cases: Vec<usize>,
    /// How its points come about.
    pub aggregation: Aggregation,
    /// How many points it can give; none for any number of them.
    pub most: Option<f64>,
    /// The number of what the static validator says, which counts as a test case.
    pub static_case: Option<usize>,
    /// How many of the points the static validator gives.
    pub of_static: f64,
    /// Groups, or `sample`, all of whose test cases have to be accepted first.
    pub requires: Vec<String>,
}

/// How the points of a group come about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aggregation {
    /// All of them if everything is accepted, and none otherwise.
    #[default]
    PassFail,
    /// The points of its test cases are added up.
    Sum,
    /// The least points of any of its test cases.
    Min,
}

impl Aggregation {
    /// As packages spell it.
    pub fn word(self) -> &'static str {
        match self {
            Aggregation::PassFail => "pass-fail",
            Aggregation::Sum => "sum",
            Aggregation::Min => "min",
        }
    }
}

/// More than that above the most is too much: sums of fractions are not exact.
const SLACK: f64 = 1e-6;

impl Pointed {
    /// # Errors
    /// In words, if a program of the jury gave points that it must not give.
    pub(super) fn marks(&self, results: &[Outcome<'_>]) -> Result<Marks, String> {
        let mut groups: Vec<Mark> = Vec::new();
        for group in &self.groups {
            let scores = group.scores(results)?;
            let verdict = verdict(group.all(), results);
            let is_run = self.has_passed(&group.requires, results);
            groups.push(group.mark(&scores, if is_run { verdict } else { skipped(verdict) }, is_run)?);
        }
        let own = self.secret.scores(results)?;
        let scores = match self.groups.is_empty() {
            true => own,
            // Where there are groups, its own test cases give no points; what the static validator says of it does.
            false => {
                let of_static = self.secret.static_score(results)?;
                groups.iter().filter_map(|mark| mark.score).chain(of_static).collect()
            }
        };
        let has_own = self.secret.all().next().is_some();
        let of_own = has_own.then(|| verdict(self.secret.all(), results));
        let mut verdicts = groups.iter().map(|mark| mark.verdict).chain(of_own);
        let verdict = verdicts.find(|verdict| *verdict != Verdict::Accepted).unwrap_or(Verdict::Accepted);
        let is_run = self.has_passed(&self.secret.requires, results);
        let total = self.secret.mark(&scores, verdict, is_run)?;
        Ok(Marks { total, groups })
    }

    /// Whether all test cases of these groups are accepted, and what those require, too.
    fn has_passed(&self, required: &[String], results: &[Outcome<'_>]) -> bool {
        required.iter().all(|name| {
            let group = self.groups.iter().find(|group| group.name == *name);
            let cases: Vec<usize> = group.map_or_else(|| self.samples.clone(), |group| group.all().collect());
            let earlier = group.map_or(&[][..], |group| &group.requires);
            // Only what stands before a group can be required, and so this comes to an end.
            let before = group.is_none_or(|group| earlier.iter().all(|other| *other < group.name));
            before && verdict(cases.into_iter(), results) == Verdict::Accepted && self.has_passed(earlier, results)
        })
    }
}

impl PointedGroup {
    /// The most points of a test case of it; none for any number of them.
    fn most_of_case(&self) -> Option<f64> {
        let most = self.most?;
        Some(match self.aggregation {
            Aggregation::Sum => (most - self.of_static) / self.cases.len().max(1) as f64,
            Aggregation::Min | Aggregation::PassFail => most,
        })
    }

    /// The points of its test cases.
    fn scores(&self, results: &[Outcome<'_>]) -> Result<Vec<f64>, String> {
        let most = self.most_of_case();
        let scores = self.cases.iter().map(|case| self.score(&results[*case], most));
        let mut scores = scores.collect::<Result<Vec<f64>, String>>()?;
        scores.extend(self.static_score(results)?);
        Ok(scores)
    }

    /// The points that the static validator gives.
    fn static_score(&self, results: &[Outcome<'_>]) -> Result<Option<f64>, String> {
        let Some(case) = self.static_case else { return Ok(None) };
        self.score(&results[case], Some(self.of_static)).map(Some)
    }

    /// All that has to be accepted: its test cases, and what the static validator says.
    fn all(&self) -> impl Iterator<Item = usize> + '_ {
        self.cases.iter().copied().chain(self.static_case)
    }

    fn score(&self, result: &Outcome<'_>, most: Option<f64>) -> Result<f64, String> {
        let of_case = |text: String| format!("`{}`: {text}", result.name);
        let (points, factor) = (result.given.points().map_err(of_case)?, result.given.factor().map_err(of_case)?);
        let wrong = |text: &str| Err(of_case(text.to_owned()));
        match (points, factor, most) {
            (Some(_), Some(_), _) => wrong("both `score.txt` and `score_multiplier.txt` were written"),
            (None, None, _) if result.verdict != Verdict::Accepted => Ok(0.0),
            _ if result.verdict != Verdict::Accepted => wrong("points were given for what is not accepted"),
            (None, None, most) if self.aggregation == Aggregation::PassFail => Ok(most.unwrap_or(0.0)),
            _ if self.aggregation == Aggregation::PassFail => wrong("points were given in a group that is `pass-fail`"),
            (Some(points), None, _) if points < 0.0 => wrong("`score.txt` is less than 0"),
            (Some(points), None, Some(most)) if points > most + SLACK => {
                wrong(&format!("`score.txt` gives {points} points, and there are {} at most", rounded(most)))
            }
            (Some(points), None, _) => Ok(points),
            (None, Some(_), None) => wrong("`score_multiplier.txt` was written, and points have no bound"),
            (None, Some(factor), Some(_)) if !(0.0..=1.0).contains(&factor) => {
                wrong("`score_multiplier.txt` is not from 0 to 1")
            }
            (None, Some(factor), Some(most)) => Ok(factor * most),
            (None, None, Some(most)) => Ok(most),
            (None, None, None) => wrong("points have no bound, and no `score.txt` was written"),
        }
    }

    /// Its mark, by the points of what is in it.
    fn mark(&self, scores: &[f64], verdict: Verdict, is_run: bool) -> Result<Mark, String> {
        let score = match self.aggregation {
            _ if !is_run || scores.is_empty() => 0.0,
            Aggregation::PassFail if verdict == Verdict::Accepted => self.most.unwrap_or(0.0),
            Aggregation::PassFail => 0.0,
            Aggregation::Sum => scores.iter().sum(),
            Aggregation::Min => scores.iter().copied().fold(f64::INFINITY, f64::min),
        };
        if let Some(most) = self.most.filter(|most| score > most + SLACK) {
            return Err(format!("`data/{}` gets {} points, and {most} is its `max_score`", self.name, rounded(score)));
        }
        Ok(Mark { group: self.name.clone(), verdict, score: Some(rounded(score)), best: self.most })
    }
}

/// What a group comes to that is not run: its test cases count as not accepted.
fn skipped(verdict: Verdict) -> Verdict {
    if verdict == Verdict::Accepted { Verdict::WrongAnswer } else { verdict }
}

/// That of the first test case that is not accepted.
fn verdict(cases: impl Iterator<Item = usize>, results: &[Outcome<'_>]) -> Verdict {
    let mut verdicts = cases.map(|case| results[case].verdict);
    verdicts.find(|verdict| *verdict != Verdict::Accepted).unwrap_or(Verdict::Accepted)
}
