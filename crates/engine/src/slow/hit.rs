//! The result of a search for slow inputs.

use super::pattern::SlowPattern;
use crate::event::{EndReason, SearchProgress};
use crate::inputs::GeneratedInput;
use crate::judging::RunResult;

/// An input on which a submission fails because of its size and its pattern.
#[derive(Clone, Debug)]
pub struct SlowHit {
    /// The input.
    pub input: GeneratedInput,
    /// Number of the input in the order of the runs, from 0.
    pub index: u64,
    /// The failing run.
    pub run_result: RunResult,
    /// Time of the failure in milliseconds since the start of the search.
    pub elapsed_ms: u64,
    pub(super) pattern: SlowPattern,
    pub(super) size: i128,
}

/// The result of a search for slow inputs.
#[derive(Debug, Default)]
pub struct SlowSearchResult {
    /// The first failure, if there is one.
    pub hit: Option<SlowHit>,
    /// Final progress. Its inputs are those whose work was counted, and the verdicts those of runs at full size.
    pub progress: SearchProgress,
    /// Why the search ended.
    pub reason: EndReason,
}
