//! The end of a command, and its conclusion.

use super::search::{ExhaustiveReach, SearchProgress, SizeCeiling};
use serde::Serialize;

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
