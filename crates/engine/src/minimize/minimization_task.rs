//! The failure to minimize: an input, and the kind of failure that is required.

use crate::inputs::GeneratorDraws;
use crate::judge::FailureKind;
use crate::judging::RunResult;
use crate::predicate::{FailureTarget, ObservedFailure};
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

/// The task of minimizing one failure.
pub(super) struct MinimizationTask<'q> {
    pub(super) target: FailureTarget,
    /// Name of the failing program in progress reports.
    pub(super) name: &'q str,
    pub(super) first: ObservedFailure,
    /// Value of the first input, if it was read by a format.
    pub(super) value: Option<Value>,
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
