//! Mutants of accepted submissions, and what becomes of them.

use rebut_packages::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// The mutants of an accepted submission, and the tests that kill them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SubmissionMutants {
    /// Name of the submission.
    pub submission: String,
    /// Its source.
    #[serde(skip)]
    pub source: String,
    /// Number of mutants of its source.
    pub found: usize,
    /// The mutants that were tried, in the order of their places.
    pub mutants: Vec<MutantOutcome>,
    /// Number of mutants that share one program.
    pub in_one_program: usize,
    /// Number of programs that were compiled.
    pub programs: usize,
    /// Elapsed time of compiling, in milliseconds.
    pub compile_time_ms: u64,
    /// Elapsed time of compiling the program that mutants share, in milliseconds: about what each would cost as a program
    /// of its own. 0 if there is none.
    #[serde(default)]
    pub one_compile_time_ms: u64,
    /// Processor time of running mutants, in milliseconds.
    pub run_time_ms: u64,
    /// Why each mutant is a program of its own, if none shares one.
    pub separate_because: Option<String>,
}

/// A test that kills a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Kill {
    /// Name of the test.
    pub test_case: String,
    /// The verdict.
    pub verdict: Verdict,
}

/// A mutant, and the test that kills it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MutantOutcome {
    /// The kind of mistake: `literal`, `comparison`, `guard`.
    pub operator: String,
    /// Line of the mistake, from 1.
    pub line: usize,
    /// Column of the mistake in bytes, from 1.
    pub column: usize,
    /// Line behind the mistake, from 1.
    pub end_line: usize,
    /// Column behind the mistake in bytes, from 1.
    pub end_column: usize,
    /// The text that is replaced; empty if something is added.
    pub original: String,
    /// Its replacement; empty if it is left out.
    pub replacement: String,
    /// Whether the compiler rejects it, so that it does not count.
    pub is_rejected: bool,
    /// The first test that kills it, from those with small inputs to those with large ones; `None` if it survives.
    pub killed_by: Option<Kill>,
    /// The result of a search for an input that kills it; `None` if there was no search, or if it does not survive.
    pub survival: Option<Survival>,
}

/// Why a mutant survives: the result of a search for an input that kills it, unless its program tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Survival {
    /// The compiler makes the same program of it, so it is no mistake.
    Identical,
    /// It was accepted on every input of the search, but its behaviour is undefined where that of the original is
    /// defined: a sanitizer stops it, and a judge may not.
    Undefined {
        /// Name of the test.
        test_case: String,
        /// Report of the sanitizer.
        message: String,
    },
    /// It was accepted on every input of the search, so it is probably no mistake.
    Alike {
        /// Number of cases that were run.
        cases: u64,
        /// Number of those that are the smallest inputs of the format. The others were drawn.
        smallest: u64,
    },
    /// An input kills it.
    Killable {
        /// The input: the smallest that was found, or one that kills another survivor as well.
        input: String,
        /// Its answer.
        answer: String,
        /// The verdict.
        verdict: Verdict,
    },
}

impl Survival {
    /// Number of cases below which a search says little: the mutant may be a mistake.
    pub const MIN_CASES: u64 = 200;

    /// Returns true if the mutant is no mistake, probably none, or none that an output shows.
    pub fn is_excused(&self) -> bool {
        match self {
            Survival::Identical | Survival::Undefined { .. } => true,
            Survival::Alike { cases, .. } => *cases >= Survival::MIN_CASES,
            Survival::Killable { .. } => false,
        }
    }
}

impl MutantOutcome {
    /// Returns true if it compiles, and no test kills it.
    pub fn is_survivor(&self) -> bool {
        !self.is_rejected && self.killed_by.is_none()
    }
}

impl SubmissionMutants {
    /// Returns the mutants that no test kills.
    pub fn survivors(&self) -> impl Iterator<Item = &MutantOutcome> {
        self.mutants.iter().filter(|mutant| mutant.is_survivor())
    }

    /// Returns the number of survivors that are no mistakes, probably none, or none that an output shows.
    pub fn alike_count(&self) -> usize {
        let is_alike = |mutant: &&MutantOutcome| mutant.survival.as_ref().is_some_and(Survival::is_excused);
        self.survivors().filter(is_alike).count()
    }

    /// Returns the number of mutants that compile.
    pub fn valid_count(&self) -> usize {
        self.mutants.iter().filter(|mutant| !mutant.is_rejected).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn mutant(is_rejected: bool, is_killed: bool, survival: Option<Survival>) -> MutantOutcome {
        let killed_by = is_killed.then(|| Kill { test_case: "secret/1".to_owned(), verdict: Verdict::WrongAnswer });
        MutantOutcome {
            operator: "guard".to_owned(),
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 2,
            original: "x".to_owned(),
            replacement: String::new(),
            is_rejected,
            killed_by,
            survival,
        }
    }

    #[test]
    fn only_mutants_that_compile_and_pass_survive() {
        let alike = |cases| Some(Survival::Alike { cases, smallest: 0 });
        let mutants = vec![
            mutant(true, false, None),
            mutant(false, true, None),
            mutant(false, false, None),
            mutant(false, false, alike(Survival::MIN_CASES - 1)),
            mutant(false, false, alike(Survival::MIN_CASES)),
            mutant(false, false, Some(Survival::Identical)),
        ];
        let all = SubmissionMutants { mutants, ..SubmissionMutants::default() };
        assert_eq!((all.valid_count(), all.survivors().count(), all.alike_count()), (5, 4, 2));
    }
}
