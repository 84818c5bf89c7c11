//! How strong the test set of a package is.

use super::{AnswerCount, FindingImage, GoalReached};
use rebut_packages::verdict::Verdict;
use serde::{Deserialize, Serialize};
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

// Mutants of accepted submissions, and what becomes of them.

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

// Wrong opinions of validators and checkers.

/// A wrong opinion of a validator or checker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ValidatorExposure {
    /// Name of the validator or checker.
    pub validator: String,
    /// Name of the input or output.
    pub name: String,
    /// Description of the mistake in the input or output, or why a valid one was refused.
    pub what: String,
    /// How the program failed, if it did.
    pub failure: Option<String>,
    /// Whether it refused something valid, rather than accepting something invalid.
    pub is_refused: bool,
    /// Whether this is only leniency: white space, letter case, the spelling of numbers.
    pub is_lenient: bool,
    /// Names of other inputs with the same cause.
    pub others: Vec<String>,
}

impl ValidatorExposure {
    /// Returns the exposure of a validator that accepted an invalid input.
    pub fn new(validator: impl Into<String>, name: &str, what: impl Into<String>) -> ValidatorExposure {
        ValidatorExposure {
            validator: validator.into(),
            name: name.to_owned(),
            what: what.into(),
            failure: None,
            is_refused: false,
            is_lenient: false,
            others: Vec::new(),
        }
    }

    /// Returns the name of the input, with the number and the first names of others with the same cause.
    pub fn listed_names(&self) -> String {
        /// Maximum number of other names.
        const SHOWN: usize = 3;
        let mut text = format!("`{}`", self.name);
        if !self.others.is_empty() {
            let shown: Vec<String> = self.others.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            let more = if self.others.len() > SHOWN { ", ..." } else { "" };
            text.push_str(&format!(" and {} more ({}{more})", self.others.len(), shown.join(", ")));
        }
        text
    }
}

/// The result of probing the validators and checkers of a package.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProbeSummary {
    /// Number of inputs that the validators checked; 0 without validators.
    pub inputs: usize,
    /// Number of answers that the answer validators checked; 0 without answer validators.
    pub answers: usize,
    /// Number of outputs that the checker judged.
    pub outputs: usize,
    /// Small outputs that were tried on a checker that is a program.
    pub small_outputs: SmallOutputSummary,
    /// Number of wrong opinions; those with the same cause count once.
    pub exposed: usize,
    /// Number of opinions that are only lenient.
    pub lenient: usize,
}

/// Test cases on which small outputs were tried, and a checker never contradicted itself.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SmallOutputSummary {
    /// Number of test cases.
    pub cases: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Number of outputs that were accepted.
    pub accepted: usize,
    /// Examples of accepted outputs, each with its test case.
    pub examples: Vec<String>,
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
