//! How strong the test set of a package is.

use super::{AnswerCount, FindingImage, GoalReached, Kill, SubmissionMutants, Survival};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How strong the test set of a package is: what it kills, and what it leaves alive.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestSetStrength {
    /// Short name of the problem.
    pub problem: String,
    /// Folder of the package.
    pub folder: PathBuf,
    /// The wrong submissions of the package, those killed by the fewest tests first.
    pub submissions: Vec<ProgramKills>,
    /// Programs that ignore the problem, such as one that always prints the same answer, those killed by the fewest
    /// tests first.
    pub trivial: Vec<ProgramKills>,
    /// Mutants of accepted submissions.
    pub mutation: Vec<SubmissionMutants>,
    /// The tests, in their order.
    pub tests: Vec<TestKills>,
    /// Number of different answers.
    pub different_answers: u64,
    /// Entropy of the answers in bits; 0 if all are equal.
    pub entropy_bits: f64,
    /// The most frequent answers.
    pub most_common: Vec<AnswerCount>,
    /// Coverage goals of the format, with the number of tests that reach each.
    pub goals: Vec<GoalReached>,
    /// The smallest selection of tests that kills as much.
    pub selection: TestSelection,
    /// The score.
    pub score: StrengthScore,
    /// Pictures of inputs that kill survivors, by input, which the visualizer of the package drew.
    #[serde(skip)]
    pub pictures: BTreeMap<String, FindingImage>,
}

/// A wrong program, and the tests that kill it.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProgramKills {
    /// Name of the submission, or description of the program.
    pub program: String,
    /// The tests that kill it.
    pub killed_by: Vec<Kill>,
}

/// A test, and the number of wrong programs that it kills.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestKills {
    /// Name of the test.
    pub test_case: String,
    /// Number of wrong submissions and trivial programs that it kills.
    pub kills: usize,
    /// Number of those that no other test kills.
    pub kills_alone: usize,
}

/// A selection of tests that kills each wrong program several times, as far as the whole test set does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestSelection {
    /// Number of tests that kill each program, if the test set has so many.
    pub depth: usize,
    /// Names of the tests. Samples come first, then those that kill the most of what is alive.
    pub tests: Vec<String>,
    /// Names of the other tests.
    pub redundant: Vec<String>,
    /// Number of tests that every such selection has at least. The selection is the smallest if that is its size.
    pub lower_bound: usize,
}

/// The score of a test set: how many of the wrong programs it kills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StrengthScore {
    /// Number of wrong programs that a test kills.
    pub killed: usize,
    /// Number of wrong programs.
    pub programs: usize,
    /// Number of mutants that a test kills.
    pub mutants_killed: usize,
    /// Number of mutants that compile.
    pub mutants: usize,
    /// Number of surviving mutants that are the same program as the original, behave like it on all inputs of a search,
    /// or differ in undefined behaviour only. They are left out of the score.
    pub mutants_alike: usize,
    /// Minimum score in percent that was asked for.
    pub min_percent: Option<f64>,
}

impl StrengthScore {
    /// Returns the number of mutants that are not probably correct.
    pub fn mistaken_mutants(&self) -> usize {
        self.mutants - self.mutants_alike
    }

    /// Returns true if the score of wrong programs and mutants together is as high as was asked for; without a minimum,
    /// if every wrong program is killed. Mutants then do not matter, since some of them are not wrong.
    pub fn is_sufficient(&self) -> bool {
        let Some(min_percent) = self.min_percent else { return self.killed == self.programs };
        let (killed, programs) = (self.killed + self.mutants_killed, self.programs + self.mistaken_mutants());
        killed as f64 * 100.0 >= min_percent * programs as f64
    }
}

/// An input that kills survivors, though no test does.
#[derive(Debug, PartialEq, Eq)]
pub struct KillingInput<'a> {
    /// The input.
    pub input: &'a str,
    /// Its answer.
    pub answer: &'a str,
    /// Names of the submissions with a mutant that it kills, and the lines of these mutants.
    pub kills: Vec<(&'a str, usize)>,
}

impl KillingInput<'_> {
    /// Maximum number of such inputs in a report.
    pub const MAX_SHOWN: usize = 12;
}

impl TestSetStrength {
    /// Returns the inputs that kill survivors, in the order of the first that each kills.
    pub fn killing_inputs(&self) -> Vec<KillingInput<'_>> {
        let mut found: Vec<KillingInput<'_>> = Vec::new();
        for (one, mutant) in self.mutation.iter().flat_map(|one| one.survivors().map(move |mutant| (one, mutant))) {
            let Some(Survival::Killable { input, answer, .. }) = &mutant.survival else { continue };
            let killed = (one.submission.as_str(), mutant.line);
            match found.iter_mut().find(|known| known.input == input) {
                Some(known) => known.kills.push(killed),
                None => found.push(KillingInput { input, answer, kills: vec![killed] }),
            }
        }
        found
    }
}

impl ProgramKills {
    /// Number of kills below which a program almost survives: a change of a test or two, and it does.
    pub const THIN: usize = 3;

    /// Returns true if no test kills it.
    pub fn is_survivor(&self) -> bool {
        self.killed_by.is_empty()
    }

    /// Returns true if only few tests kill it.
    pub fn is_thin(&self) -> bool {
        (1..Self::THIN).contains(&self.killed_by.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_is_compared_without_rounding() {
        let score = |killed, programs, min_percent| {
            StrengthScore { killed, programs, min_percent, ..StrengthScore::default() }.is_sufficient()
        };
        assert!(score(19, 20, Some(95.0)) && !score(18, 20, Some(95.0)));
        assert!(!score(999, 1000, None) && score(1000, 1000, None));
        assert!(score(0, 0, None), "nothing survives");
        let with_mutants = |min_percent| {
            let (mutants_killed, mutants, mutants_alike) = (80, 95, 5);
            StrengthScore { killed: 10, programs: 10, mutants_killed, mutants, mutants_alike, min_percent }
                .is_sufficient()
        };
        assert!(with_mutants(None) && with_mutants(Some(90.0)) && !with_mutants(Some(91.0)));
    }
}
