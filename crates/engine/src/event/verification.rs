//! The verification of a package.

use super::serialize_as_text;
use rebut_diagnostics::DiagnosticText;
use rebut_format::coverage::{CoverageGoal, CoverageGoalKind};
use rebut_packages::score::SubmissionScore;
use rebut_packages::verdict::{Expectation, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Verification of a package started: all its submissions are run on all its test cases.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerificationStarted {
    /// Short name of the problem.
    pub problem: String,
    /// Folder of the package.
    pub folder: PathBuf,
    /// Names of the submissions.
    pub submissions: Vec<String>,
    /// Names of the test cases.
    pub test_cases: Vec<String>,
    /// Time limit of the package in milliseconds of processor time, if it states one.
    pub cpu_time_limit_ms: Option<u64>,
    /// Memory limit of a submission in bytes.
    pub memory_limit_bytes: u64,
    /// Whether submissions are scored.
    pub has_points: bool,
    /// Number of parallel jobs.
    pub jobs: usize,
}

/// The result of a submission on a test case.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CellJudged {
    /// Name of the submission.
    pub submission: String,
    /// Name of the test case.
    pub test_case: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Processor time in milliseconds.
    pub cpu_time_ms: u64,
    /// Elapsed time in milliseconds.
    pub wall_time_ms: u64,
    /// Peak memory in bytes.
    pub memory_peak_bytes: u64,
    /// Why it was not accepted; empty for accepted runs.
    pub message: String,
    /// Whether the result is from the cache.
    pub remembered: bool,
    /// Time since verification started, in milliseconds.
    pub elapsed_ms: u64,
}

/// Whether a submission meets its expectation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SubmissionAssessed {
    /// Name of the submission.
    pub submission: String,
    /// The expectation.
    pub expected: Expectation,
    /// Whether the package expects anything: a verdict, a score or a message.
    pub has_expectation: bool,
    /// Overall verdict: that of the first test case that is not accepted, or that of the graders.
    pub verdict: Verdict,
    /// The score in total and for each group, if the package is scored.
    pub marks: Option<SubmissionScore>,
    /// Whether the expectation is met.
    pub met: bool,
    /// Why the expectation is not met.
    pub why: Option<String>,
    /// Number of test cases by verdict code.
    pub verdicts: BTreeMap<&'static str, usize>,
    /// Name of the first test case that is not accepted, and the message.
    pub first_rejection: Option<(String, String)>,
    /// Time on the slowest test case.
    pub slowest: Option<MeasuredTime>,
    /// Whether it was idle on the slowest test case until it was stopped.
    pub slowest_is_idle: bool,
    /// Peak memory on any test case in bytes.
    pub memory_peak_bytes: u64,
    /// Whether a verdict depends on a time close to the limit, so that it may differ on another machine.
    pub is_close: bool,
    /// Output of the compiler, if it rejected the source.
    pub compiler: Option<String>,
    /// Time limit used, in milliseconds of processor time.
    pub cpu_time_limit_ms: u64,
}

/// How the time limit compares with the measured times.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeLimitAdvice {
    /// Time limit used, in milliseconds of processor time.
    pub cpu_time_limit_ms: u64,
    /// Whether the package states the limit.
    pub is_stated: bool,
    /// Minimum ratio of the limit to the time of the slowest submission that must stay within it.
    pub ac_to_time_limit: f64,
    /// Minimum ratio of the time of the fastest submission that must exceed the limit to the limit.
    pub time_limit_to_tle: f64,
    /// The slowest submission that must stay within the limit.
    pub slowest: Option<MeasuredTime>,
    /// The fastest submission that must exceed the limit.
    pub fastest: Option<MeasuredTime>,
    /// The limits that the submissions of each language require, if there are several languages. Judges such as DOMjudge have
    /// factors for languages.
    pub languages: Vec<LanguageLimit>,
    /// Suggested changes, one sentence each.
    pub advice: Vec<String>,
    /// Time since verification started, in milliseconds.
    pub elapsed_ms: u64,
}

/// The time limit that a language requires.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LanguageLimit {
    /// Display name of the language.
    pub language: &'static str,
    /// Time of its slowest submission that must stay within the limit, in milliseconds of processor time.
    pub cpu_time_ms: u64,
    /// The limit that this requires, in milliseconds.
    pub required_limit_ms: u64,
}

/// Time of a submission on a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MeasuredTime {
    /// Name of the submission.
    pub submission: String,
    /// Name of the test case.
    pub test_case: String,
    /// Processor time in milliseconds.
    pub cpu_time_ms: u64,
    /// Whether it was stopped, so that it would have taken longer.
    pub was_stopped: bool,
}

/// How much of a verdict table was filled when verification was interrupted, or by the shards that were merged.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnfinishedTable {
    /// Number of known results.
    pub known: usize,
    /// Number of results in the complete table.
    pub of: usize,
    /// Time since verification started, in milliseconds.
    pub elapsed_ms: u64,
    /// The blocks that are missing from the journals, if this is a merge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

// Two reports of the same package, compared.

/// The changes between two reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportComparison {
    /// Short name of the problem.
    pub problem: String,
    /// Name of the earlier report.
    pub before: String,
    /// Name of the later report.
    pub after: String,
    /// Submissions that only the later report has.
    pub submissions_added: Vec<String>,
    /// Submissions that only the earlier report has.
    pub submissions_gone: Vec<String>,
    /// Test cases that only the later report has.
    pub test_cases_added: Vec<String>,
    /// Test cases that only the earlier report has.
    pub test_cases_gone: Vec<String>,
    /// Overall verdicts and met expectations that changed, by submission.
    pub results: Vec<ResultChange>,
    /// Verdicts on single test cases that changed.
    pub verdicts: Vec<VerdictChange>,
    /// Times that changed by more than runs usually differ.
    pub times: Vec<TimeChange>,
}

/// The change of a submission's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ResultChange {
    /// Name of the submission.
    pub submission: String,
    /// Verdict code before, with the points if there are any, and whether the expectation was met.
    pub before: (String, bool),
    /// Verdict code after, with the points if there are any, and whether the expectation is met.
    pub after: (String, bool),
}

/// The change of a verdict on a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerdictChange {
    /// Name of the submission.
    pub submission: String,
    /// Name of the test case.
    pub test_case: String,
    /// Verdict code before.
    pub before: String,
    /// Verdict code after.
    pub after: String,
}

/// The change of the time of a submission on a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeChange {
    /// Name of the submission.
    pub submission: String,
    /// Name of the test case on which it changed the most.
    pub test_case: String,
    /// Processor time before, in milliseconds.
    pub before_ms: u64,
    /// Processor time after, in milliseconds.
    pub after_ms: u64,
}

impl ReportComparison {
    /// Returns true if nothing changed; times do not count, since other machines and other days have other ones.
    pub fn is_unchanged(&self) -> bool {
        let names = [&self.submissions_added, &self.submissions_gone, &self.test_cases_added, &self.test_cases_gone];
        names.iter().all(|names| names.is_empty()) && self.results.is_empty() && self.verdicts.is_empty()
    }
}

// Statistics of a sample of inputs.

/// Statistics of a sample of inputs: the distribution of answers, and the coverage goals reached.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputProfile {
    /// Seed of the inputs.
    pub seed: u64,
    /// Number of generated inputs.
    pub inputs: u64,
    /// Number of inputs on which the reference was too slow or failed.
    pub unanswered: u64,
    /// Number of different answers; 0 without a reference.
    pub different: u64,
    /// Entropy of the answers in bits; 0 if all are equal.
    pub entropy_bits: f64,
    /// The most frequent answers. A submission that always prints one of them passes that number of inputs.
    pub most_common: Vec<AnswerCount>,
    /// Statistics for each shape.
    pub shapes: Vec<ShapeProfile>,
    /// Coverage goals, with the number of inputs that reach each.
    pub goals: Vec<GoalReached>,
}

/// An answer and its frequency.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswerCount {
    /// The answer, shortened.
    pub answer: String,
    /// Number of inputs with this answer.
    pub inputs: u64,
}

/// Statistics of the answers to inputs of one shape.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShapeProfile {
    /// Name of the shape.
    pub name: String,
    /// Number of answers.
    pub answers: u64,
    /// Number of different answers.
    pub different: u64,
    /// Entropy of the answers in bits.
    pub entropy_bits: f64,
    /// The most frequent answer.
    pub most_common: Option<AnswerCount>,
}

/// A coverage goal of inputs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GoalReached {
    /// `bound`, `near-miss`, `form` or `structure`.
    pub kind: String,
    /// The field or constraint that it is about.
    pub of: String,
    /// Description of the goal.
    pub what: String,
    /// Number of inputs that reach it.
    pub inputs: u64,
}

impl GoalReached {
    /// Converts a coverage goal to its form in events.
    pub fn from_goal(goal: &CoverageGoal) -> GoalReached {
        let kind = match goal.kind {
            CoverageGoalKind::Bound => "bound",
            CoverageGoalKind::NearMiss => "near-miss",
            CoverageGoalKind::Form => "form",
            CoverageGoalKind::Structure => "structure",
        };
        let (of, what) = (goal.subject.clone(), goal.description.clone());
        GoalReached { kind: kind.to_owned(), of, what, inputs: goal.inputs }
    }
}

// Contests.

/// The problems of a contest, after all of them were verified.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ContestVerified {
    /// Name of its folder.
    pub contest: String,
    /// The problems in their order.
    pub problems: Vec<ProblemVerified>,
}

/// A problem of a contest that was verified.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProblemVerified {
    /// Its letter, if the contest states one.
    pub label: Option<String>,
    /// Name of its folder.
    pub problem: String,
    /// Number of submissions, test cases and judges that are not as they should be, or `None` after an error.
    pub unmet: Option<usize>,
}

impl ContestVerified {
    /// Returns the number of problems where everything is as it should be.
    pub fn sound_count(&self) -> usize {
        self.problems.iter().filter(|problem| problem.unmet == Some(0)).count()
    }
}

// Inputs that were validated, listed or counted.

/// The result of checking a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileValidated {
    /// Path of the file.
    pub file: PathBuf,
    /// Whether it is a valid input.
    pub valid: bool,
    /// Diagnostic with the position, if it is invalid.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub message: Option<DiagnosticText>,
}

/// A sample, and the file with its answer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ListedSample {
    /// Its name, without the words that make a file an input: `1` for `1.in`.
    pub name: String,
    /// Path of the input.
    pub input: PathBuf,
    /// Path of the answer.
    pub answer: PathBuf,
}

/// An enumerated input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EnumeratedInput {
    /// Position in the order of enumeration, from 1.
    pub number: u64,
    /// Number of numbers and characters.
    pub elements: usize,
    /// The input.
    #[serde(serialize_with = "serialize_as_text")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub text: Vec<u8>,
}

/// The number of inputs of a format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EnumerationSummary {
    /// Number of inputs listed or counted. An overflow is reported as none.
    pub inputs: Option<u128>,
    /// Maximum number of numbers and characters in an input, if limited by an option.
    #[serde(rename = "most_elements")]
    pub max_elements: Option<usize>,
    /// Whether these are all inputs.
    pub complete: bool,
    /// Whether they were only counted, not listed.
    pub counted: bool,
}
