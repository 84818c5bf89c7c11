//! The progress of shrinking.

use serde::Serialize;

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

/// What one pass of shrinking did.
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
