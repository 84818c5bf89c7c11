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
