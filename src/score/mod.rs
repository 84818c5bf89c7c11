//! How many points a submission gets, from what it got on each test case: layer 1, tables and sums and nothing else.
//!
//! There are two ways. The legacy format has *graders*: each folder has a result, which its grader makes of the results
//! inside it ([`Graded`]). The newer one has points that are added up, or of which the least counts ([`Pointed`]).

mod graded;
mod mark;
mod pointed;
#[cfg(test)]
mod tests;
mod wanted;

pub use graded::{Custom, Graded, GradedGroup, Item, OfScores, OfVerdicts};
pub use mark::{Given, Mark, Marks, Outcome};
pub use pointed::{Aggregation, Pointed, PointedGroup};
pub use wanted::Wanted;

use crate::verdict::Verdict;

/// How the points of a problem come about.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// By the graders of the legacy format.
    Graded(Graded),
    /// By the points of the newer format.
    Pointed(Pointed),
}

impl Scale {
    /// The marks of a submission that did this on the test cases, by their numbers. Graders of the jury are asked by
    /// `custom`.
    ///
    /// # Errors
    /// In words, if the jury's side failed: a program of it gave points that it must not give.
    pub fn marks(&self, results: &[Outcome<'_>], custom: &mut Custom<'_>) -> Result<Marks, String> {
        match self {
            Scale::Graded(graded) => graded.marks(results, custom),
            Scale::Pointed(pointed) => pointed.marks(results),
        }
    }

    /// Returns the score of a submission that is accepted on all of `cases` test cases, or the best score that is stated where
    /// programs of the jury give points. None if neither is known.
    pub fn full_marks(&self, cases: usize) -> Option<f64> {
        let given = Given::default();
        let accepted = vec![Outcome { name: "", verdict: Verdict::Accepted, given: &given }; cases];
        let marks = self.marks(&accepted, &mut |_, _| Err(String::new()));
        marks.ok().and_then(|marks| marks.total.score).or_else(|| self.best())
    }

    /// Returns true if no score is better than `score`, where `full` is the best.
    pub fn is_full(&self, score: f64, full: f64) -> bool {
        const TOLERANCE: f64 = 1e-6;
        match self {
            Scale::Graded(Graded { is_minimised: true, .. }) => score <= full + TOLERANCE,
            Scale::Graded(_) | Scale::Pointed(_) => score >= full - TOLERANCE,
        }
    }

    /// Returns the test cases beside the groups, by their numbers, that decide no points.
    pub fn cases_without_points(&self) -> Vec<usize> {
        match self {
            Scale::Graded(graded) => graded.cases_without_points(),
            Scale::Pointed(Pointed { secret, groups, .. }) if !groups.is_empty() => secret.cases.clone(),
            Scale::Pointed(_) => Vec::new(),
        }
    }

    /// The best score that there is, if there is one.
    pub fn best(&self) -> Option<f64> {
        match self {
            Scale::Graded(graded) => graded.best(),
            Scale::Pointed(pointed) => pointed.secret.most,
        }
    }

    /// The names of the groups that get marks of their own.
    pub fn groups(&self) -> Vec<&str> {
        match self {
            Scale::Graded(graded) => graded.groups.iter().map(|group| group.name.as_str()).collect(),
            Scale::Pointed(Pointed { secret, groups, .. }) => {
                [secret].into_iter().chain(groups).map(|group| group.name.as_str()).collect()
            }
        }
    }
}
