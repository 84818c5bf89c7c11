//! Certifies the result of minimizing, or replaces it by what the proof finds.

use super::candidate_runs::CandidateRuns;
use super::minimality_proof::{MinimalityProof, SmallerFailure};
use super::minimization_result::MinimizationResult;
use crate::judging::RunEngine;
use rebut_packages::Certificate;
use std::time::Duration;

/// Proves within `budget` that nothing smaller fails. If something smaller does fail, it replaces the result. Flaky failures cannot
/// be proved.
pub(super) fn certify_minimality(
    runs: &CandidateRuns<'_, '_>,
    engine: RunEngine,
    budget: Duration,
    result: &mut MinimizationResult,
) -> Option<Certificate> {
    if runs.task.tries > 1 || budget.is_zero() || runs.judge_setup.cancel.is_cancelled() {
        return None;
    }
    let setup = runs.judge_setup.with_engine(engine);
    let proof = MinimalityProof { judge_setup: &setup, inputs: runs.inputs, jobs: runs.jobs, budget };
    let certified = proof.certify_target(&runs.task.target, runs.task.kind, &result.best.input).ok()??;
    // If all smaller inputs were run, it does not matter that shrinking ran out of time.
    result.complete |= certified.certificate.complete;
    if let Some(SmallerFailure { value, failure }) = certified.smaller {
        let (size, steps) = (value.element_count(), result.steps + 1);
        (result.best, result.size, result.steps, result.complete) = (*failure, size, steps, true);
    }
    Some(certified.certificate)
}
