//! The verification of a package.

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
    /// Suggested changes, one sentence each.
    pub advice: Vec<String>,
    /// Time since verification started, in milliseconds.
    pub elapsed_ms: u64,
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
