//! The progress of a search.

use rebut_packages::ProofKind;
use rebut_packages::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
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
    /// How long an input had been run, in milliseconds, if it did not end although the search waited for it; 0 otherwise.
    pub unfinished_ms: u64,
    /// How the workers spend their time.
    pub shares: TimeShares,
    /// Processor time of all programs run by the search, in microseconds: submissions, reference, generators and
    /// validators.
    pub programs_cpu_time_us: u64,
    /// The longest conversation of a submission with the interactor, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_conversation: Option<LongestConversation>,
}

/// The longest conversation with an interactor, and where it took place. The greatest is the longest, and of several the
/// one on the first input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LongestConversation {
    /// Number of messages: lines that either program wrote.
    pub messages: u64,
    /// Index of the input, from 0.
    #[cfg_attr(test, schemars(with = "u64"))]
    pub index: Reverse<u64>,
    /// Number of messages that the submission wrote.
    pub questions: u64,
    /// The input on one line, or nothing if it is long.
    pub input: String,
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
    /// Name of the submission, or of the reference if that failed; the text of an expression that holds on the input.
    pub submission: String,
    /// Whether it is an expression.
    pub is_expression: bool,
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
    /// Number of inputs tried. Of those smaller than the last of them, only the unanswered ones were left out.
    pub inputs: u64,
    /// Number of these, from the smallest on, that were run alone, in forks of a loaded process or in new processes.
    pub run_alone: u64,
    /// Number of these, from the smallest on, that were run alone in new processes.
    pub run_in_processes: u64,
    /// Number of inputs among them that the reference gave no answer to, so that nothing is known of them.
    pub unanswered: u64,
    /// Whether every input was tried.
    pub complete: bool,
    /// Number of numbers and characters of the last input.
    pub elements: usize,
    /// Whether only inputs with a single case were tried although the format allows several.
    pub of_one_case: bool,
}

// Steps of a command, and warnings.

/// A step of a command, with its progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ActivityEvent {
    /// A verb, such as `Shrinking`.
    pub verb: &'static str,
    /// The program, package or file that it is about.
    pub subject: String,
    /// Number of items done.
    pub done: u64,
    /// Total number of items, if known.
    pub of: Option<u64>,
    /// Plural noun for the items; empty if nothing is counted.
    pub noun: &'static str,
}

impl ActivityEvent {
    /// Returns an activity without a count.
    pub fn new(verb: &'static str, subject: impl Into<String>) -> ActivityEvent {
        ActivityEvent { verb, subject: subject.into(), ..ActivityEvent::default() }
    }
}

/// A warning about something that can change a verdict or lose a finding.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WarningEvent {
    /// The message.
    pub message: String,
    /// How to resolve it.
    pub help: Option<String>,
}

impl WarningEvent {
    /// Returns a warning with help on how to resolve it.
    pub fn new(message: String, help: &str) -> WarningEvent {
        WarningEvent { message, help: Some(help.to_owned()) }
    }
}

// The progress of shrinking.

/// Progress of shrinking.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShrinkProgress {
    /// Name of the submission.
    pub submission: String,
    /// Size of the input at the start: elements of the value tree, or bytes without a format.
    pub size_before: usize,
    /// Size of the smallest failing input so far.
    pub size: usize,
    /// Number of candidates tried.
    pub tried: usize,
}

/// The effect of one pass of shrinking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShrinkPassSummary {
    /// Name of the pass: a verb and its object.
    pub name: String,
    /// Number of times that the pass was begun.
    pub calls: usize,
    /// Number of its candidates that were run.
    pub tried: usize,
    /// Number of its candidates that failed as well and were kept.
    pub accepted: usize,
    /// Duration of the pass in milliseconds, with the runs that were made during it.
    pub time_ms: u64,
}

// The programs of a command.

/// The role of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProgramRole {
    /// A submission under test.
    Submission,
    /// A reference: its outputs are the answers.
    Reference,
    /// A validator of inputs.
    Validator,
    /// A generator of inputs.
    Generator,
    /// A checker of outputs, or an interactor.
    Checker,
    /// A grader, which combines the results of the test cases and groups in a group.
    Grader,
    /// A visualizer: it draws inputs or outputs.
    Visualizer,
}

/// A program is ready to run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProgramCompiled {
    /// Name shown to the user.
    pub name: String,
    /// Its role.
    pub role: ProgramRole,
    /// Programming language, or `command`.
    pub language: String,
    /// Command line of the compiler; empty if nothing was compiled.
    pub command: String,
    /// Duration of the compilation in milliseconds.
    pub wall_time_ms: u64,
    /// Whether it was in the build cache.
    pub cached: bool,
}

// The end of a command, and its conclusion.

/// The end of a command.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CommandSummary {
    /// Why it ended.
    pub reason: EndReason,
    /// Final progress of the search, if there was one.
    pub progress: Option<SearchProgress>,
    /// Conclusion of the search; none if the command did not search, shrink or replay.
    pub result: Option<SearchConclusion>,
    /// Why the search is inconclusive, or which expectation is not met.
    pub result_reason: Option<String>,
    /// A constraint on the inputs with which the reference is faster, if it took most of the time.
    pub smaller_inputs: Option<String>,
    /// Number of findings.
    pub findings: usize,
    /// Number of failures that could not be reproduced; they are not findings.
    pub unconfirmed: usize,
    /// Submissions without a finding.
    pub survivors: Vec<String>,
    /// The expression about several submissions that was searched for, if one was.
    pub expression: Option<String>,
    /// How far an exhaustive search got.
    pub reach: Option<ExhaustiveReach>,
    /// Maximum size of the inputs, if it is below that of the format.
    pub ceiling: Option<SizeCeiling>,
    /// Exit status of the process.
    pub exit_status: u8,
    /// Seed, to repeat the command.
    pub seed: Option<u64>,
    /// Growth up to which inputs were drawn from the first one on, to repeat the search; none if it was 0.
    pub initial_growth: Option<u32>,
    /// True if the format was inferred and not checked: the search can have missed inputs, or run invalid ones.
    pub guessed_format: bool,
}

impl CommandSummary {
    /// `nothing found`, with the condition of a guessed format.
    pub fn nothing_found(&self) -> &'static str {
        if self.guessed_format { "nothing found under the guessed format" } else { "nothing found" }
    }

    /// Returns the reason of a failure, for reports without a result that shows it.
    pub fn failure_text(&self) -> String {
        self.result_reason.clone().unwrap_or_else(|| format!("exit status {}", self.exit_status))
    }
}

/// Why a command ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// The work is finished, or every submission failed.
    #[default]
    Done,
    /// The time limit was reached.
    Time,
    /// The maximum number of inputs was reached.
    Cases,
    /// Every input was tried.
    Exhausted,
    /// Blocks are missing from the journal of the search.
    Incomplete,
    /// The user interrupted.
    Interrupted,
    /// The reference, the checker or a validator failed.
    JudgeError,
}

/// The conclusion of a search, of shrinking or of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SearchConclusion {
    /// A submission fails reproducibly.
    Found,
    /// A failure did not occur again.
    Flaky,
    /// No failure in enough test cases.
    NothingFound,
    /// No failure, but too few test cases to conclude anything.
    Inconclusive,
    /// The reference, a checker or a validator failed.
    JudgeError,
    /// The user interrupted.
    Interrupted,
}
