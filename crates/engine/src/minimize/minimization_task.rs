//! The failure to minimize: an input, and the kind of failure that is required.

use crate::inputs::GeneratorDraws;
use crate::judge::FailureKind;
use crate::judging::RunResult;
use crate::predicate::{FailureOracle, FailureTarget, ObservedFailure};
use rebut_format::shrink::{DrawnInput, Oracle, PassStatistics, ShrinkResult, add_statistics};
use rebut_format::value::Value;
use rebut_sandbox::PhaseEnd;

/// An input that failed once.
#[derive(Clone, Debug)]
pub struct FailingInput {
    /// The input.
    pub input: Vec<u8>,
    /// Its value, if it was read by a format.
    pub value: Option<Value>,
    /// Its answer.
    pub answer: Vec<u8>,
    /// The failing run.
    pub run_result: RunResult,
    /// Number of the input in its search, from 1.
    pub case: Option<u64>,
    /// The shape that generated it.
    pub shape: Option<String>,
    /// Time of the failure in milliseconds since the start of the search.
    pub elapsed_ms: u64,
    /// Whether the input's cases, and all inputs before it, were enumerated smallest first.
    pub is_in_order: bool,
    /// Maximum number of runs to see it fail again. If it never does, the failure is unconfirmed.
    pub max_confirmation_runs: u32,
}

impl FailingInput {
    pub(super) fn to_observed(&self) -> ObservedFailure {
        let FailingInput { input, answer, run_result, .. } = self.clone();
        ObservedFailure { input, answer, run_result }
    }
}

/// The task of minimizing one failure.
pub(super) struct MinimizationTask<'q> {
    pub(super) target: FailureTarget,
    /// Name of the failing program in progress reports.
    pub(super) name: &'q str,
    pub(super) first: ObservedFailure,
    /// Value of the first input, if it was read by a format.
    pub(super) value: Option<Value>,
    /// The seed and the index of the first input in its search, and its shape.
    pub(super) origin: Option<((u64, u64), String)>,
    /// The generator that made the first input, if it takes its choices from rebut.
    pub(super) draws: Option<GeneratorDraws<'q>>,
    /// Number of runs a candidate gets to fail; more than one if the failure is flaky.
    pub(super) tries: u32,
    /// The kind of failure that shrinking must preserve, or `None` if any failure will do.
    pub(super) kind: Option<FailureKind>,
    /// Whether to shrink an input if there is neither a format nor a validator to check its validity.
    pub(super) shrinks_unvalidated: bool,
    /// End of shrinking, across restarts.
    pub(super) shrink_end: Option<PhaseEnd>,
}

/// Returns the size of an input in the unit of [`size_unit`].
pub(super) fn input_size(input: &[u8], value: Option<&Value>) -> usize {
    value.map_or(input.len(), Value::element_count)
}

/// Returns the unit of sizes of inputs.
pub(super) fn size_unit(value: Option<&Value>) -> &'static str {
    if value.is_some() { "elements" } else { "bytes" }
}

// The result of the passes on a failure.

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
