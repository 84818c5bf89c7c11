//! The result of the passes on a failure.

use super::minimization_task::{MinimizationTask, input_size};
use crate::predicate::{FailureOracle, ObservedFailure};
use rebut_format::shrink::{DrawnInput, Oracle, PassStatistics, ShrinkResult, add_statistics};

/// The result of minimizing.
pub(super) struct MinimizationResult {
    pub(super) best: ObservedFailure,
    pub(super) size: usize,
    pub(super) steps: usize,
    pub(super) tried: usize,
    pub(super) complete: bool,
    /// The statistics of the passes; empty where none was run.
    pub(super) passes: Vec<PassStatistics>,
    /// The last input that the generator made of draws.
    pub(super) drawn: Option<DrawnInput>,
}

impl MinimizationResult {
    /// Returns the original failure, after `tried` unsuccessful candidates.
    pub(super) fn from_first_failure(task: &MinimizationTask<'_>, tried: usize) -> Self {
        let best = task.first.clone();
        let size = input_size(&best.input, task.value.as_ref());
        let drawn = task.draws.as_ref().and_then(|draws| draws.input.clone());
        MinimizationResult { best, size, steps: 0, tried, complete: false, passes: Vec::new(), drawn }
    }

    pub(super) fn from_shrink_result<V, C: Sync + Clone>(
        shrunk: &ShrinkResult<V>,
        size: usize,
        oracle: FailureOracle<'_, '_, C>,
    ) -> Self {
        // An interrupted shrink pass has no candidates left and looks complete.
        let complete = shrunk.is_complete && !oracle.should_stop();
        let (steps, tried, passes) = (shrunk.steps, shrunk.tried, shrunk.passes.clone());
        MinimizationResult { best: oracle.best, size, steps, tried, complete, passes, drawn: None }
    }

    /// Adds the counts of an earlier search, whose result this search began with.
    pub(super) fn add_earlier_result(&mut self, earlier: MinimizationResult) {
        self.steps += earlier.steps;
        self.tried += earlier.tried;
        self.passes.splice(0..0, earlier.passes);
        self.drawn = earlier.drawn;
    }

    /// Adds the counts of a later search, which began with this result, and takes over its result if that was `confirmed`.
    pub(super) fn add_later_result(&mut self, later: MinimizationResult, confirmed: Option<ObservedFailure>) {
        self.tried += later.tried;
        add_statistics(&mut self.passes, &later.passes);
        if let Some(best) = confirmed {
            self.steps += later.steps;
            (self.best, self.size, self.complete) = (best, later.size, later.complete);
        }
    }
}
