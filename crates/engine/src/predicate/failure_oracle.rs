//! The oracle of shrinking: evaluates a predicate on many candidates, in parallel or batched, and keeps the best
//! failure.

use super::batched_predicate::BatchedPredicate;
use super::failure_predicate::{FailurePredicate, ObservedFailure, PredicateOutcome};
use rebut_format::shrink::{Oracle, ShrinkStopped};
use std::time::{Duration, Instant};

/// Implements the oracle of shrinking by running programs on candidates, several at a time.
pub(crate) struct FailureOracle<'a, 'i, C> {
    pub(crate) predicate: FailurePredicate<'a, 'i, C>,
    pub(crate) jobs: usize,
    pub(crate) batching: BatchedPredicate<'a, C>,
    pub(crate) start: Instant,
    /// The best failure: that of the last candidate that failed.
    pub(crate) best: ObservedFailure,
    /// Called after each improvement.
    pub(crate) on_improvement: &'a mut dyn FnMut(&ObservedFailure, usize),
    /// Number of candidates tried.
    pub(crate) tried: usize,
}

impl<C: Sync + Clone> Oracle<C> for FailureOracle<'_, '_, C> {
    fn should_stop(&self) -> bool {
        self.predicate.test.judge_setup.cancel.should_stop()
    }

    fn batch_width(&self) -> usize {
        self.batching.batch_width().unwrap_or(self.jobs)
    }

    fn elapsed_time(&self) -> Duration {
        self.start.elapsed()
    }

    fn first_failing(&mut self, candidates: &[C]) -> std::result::Result<Option<usize>, ShrinkStopped> {
        // If a program can no longer be started, the search ends and keeps its best.
        let found = if candidates.len() > 1 && self.batching.batch_width().is_some() {
            if self.should_stop() {
                return Err(ShrinkStopped);
            }
            self.tried += candidates.len();
            let found = self.batching.find_first_failing(&self.predicate, candidates, &self.best.input, self.jobs);
            found.map_err(|_| ShrinkStopped)?
        } else {
            self.first_failing_in_parallel(candidates)?
        };
        let Some((at, failure)) = found else { return Ok(None) };
        self.best = *failure;
        self.batching.update_best(&self.best.input);
        (self.on_improvement)(&self.best, self.tried);
        Ok(Some(at))
    }
}

impl<C: Sync + Clone> FailureOracle<'_, '_, C> {
    /// Returns the first of some candidates that fails, testing as many at a time as there are workers.
    fn first_failing_in_parallel(
        &mut self,
        candidates: &[C],
    ) -> std::result::Result<Option<(usize, Box<ObservedFailure>)>, ShrinkStopped> {
        let mut start = 0;
        for group in candidates.chunks(self.jobs.max(1)) {
            if self.should_stop() {
                return Err(ShrinkStopped);
            }
            self.tried += group.len();
            let outcomes = self.predicate.test_in_parallel(group).map_err(|_| ShrinkStopped)?;
            for (i, outcome) in outcomes.into_iter().enumerate() {
                if let PredicateOutcome::Fails(failure) = outcome {
                    return Ok(Some((start + i, failure)));
                }
            }
            start += group.len();
        }
        Ok(None)
    }
}
