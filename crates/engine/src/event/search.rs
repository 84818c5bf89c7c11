//! The progress of a search.

use rebut_packages::ProofKind;
use rebut_packages::verdict::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;

/// A search started.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SearchStarted {
    /// Names of the submissions under test.
    pub submissions: Vec<String>,
    /// Name of the reference.
    pub reference: String,
    /// Source of inputs: the name of the format or of the generator.
    pub inputs: String,
    /// Name of the checker.
    pub checker: String,
    /// Number of parallel jobs.
    pub jobs: usize,
    /// Engine that runs the programs.
    pub engine: String,
    /// Seed of all random choices.
    pub seed: u64,
    /// Time limit of the search in milliseconds, or none for no limit.
    pub time_budget_ms: Option<u64>,
    /// Maximum number of inputs, or none for no limit.
    pub case_budget: Option<u64>,
    /// Growth up to which inputs are drawn from the first one on, between 0 and 100.
    pub initial_growth: u32,
}

/// Progress of a search.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SearchProgress {
    /// Time since the search started, in milliseconds.
    pub elapsed_ms: u64,
    /// Number of inputs tried.
    pub cases: u64,
    /// Number of test cases in them, which is larger than `cases` if the format packs several cases into an input.
    pub test_cases: u64,
    /// Number of runs of submissions by verdict code.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Number of inputs by shape.
    pub shapes: BTreeMap<String, u64>,
    /// Number of test cases by answer, if there are only a few different short answers.
    pub answers: BTreeMap<String, u64>,
    /// Number of inputs skipped because the reference exceeds a limit on them.
    pub skipped: u64,
    /// Number of inputs that the validators refused.
    pub refused: u64,
    /// How the workers spend their time.
    pub shares: TimeShares,
    /// Processor time of all programs run by the search, in microseconds: submissions, reference, generators and
    /// validators.
    pub programs_cpu_time_us: u64,
}

impl SearchProgress {
    /// Returns true if the reference took most of the time, or too much for some inputs.
    pub fn is_reference_slow(&self) -> bool {
        const MOST_PERCENT: u8 = 80;
        self.skipped > 0 || self.shares.reference >= MOST_PERCENT
    }
}

/// Shares of the time of the workers, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeShares {
    /// Generating and validating inputs.
    pub generate: u8,
    /// Running submissions.
    pub submission: u8,
    /// Running the reference.
    pub reference: u8,
    /// Comparing outputs.
    pub check: u8,
}

/// The first failure of a submission.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SubmissionFailed {
    /// Name of the submission, or of the reference if that failed.
    pub submission: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Number of the input, from 1.
    pub case: u64,
    /// Shape of the input.
    pub shape: String,
    /// Time of the failure, in milliseconds since the search started.
    pub elapsed_ms: u64,
}

/// Maximum size of the inputs of a search, compared with the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SizeCeiling {
    /// Approximate maximum number of numbers and characters.
    pub elements: usize,
    /// Maximum number that the ranges of the format allow.
    pub possible: i128,
    /// Whether the numbers apply to each case of an input.
    pub of_case: bool,
    /// Whether some inputs are larger.
    pub has_larger: bool,
}

/// How far an exhaustive search got, starting with the smallest inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExhaustiveReach {
    /// How the inputs were run, which determines the strength of the proof.
    pub kind: ProofKind,
    /// Number of inputs tried. No input smaller than the last of them was left out.
    pub inputs: u64,
    /// Number of these, from the smallest on, that were run alone, in forks of a loaded process or in new processes.
    pub run_alone: u64,
    /// Number of these, from the smallest on, that were run alone in new processes.
    pub run_in_processes: u64,
    /// Whether every input was tried.
    pub complete: bool,
    /// Number of numbers and characters of the last input.
    pub elements: usize,
    /// Whether only inputs with a single case were tried although the format allows several.
    pub of_one_case: bool,
}
