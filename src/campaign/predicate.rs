//! The predicate of shrinking: whether an input still fails in the required way.
//!
//! A [`FailurePredicate`] runs the reference and the failing program on a candidate. A [`FailureOracle`] evaluates it
//! on many candidates, in parallel or batched, and keeps the best failure.

use super::batched_predicate::BatchedPredicate;
use super::input_source::{GeneratedInput, InputSource};
use super::judge_setup::{JudgeSetup, ReferenceAnswer, RunResult};
use super::parallel::run_in_parallel;
use super::search_stats::ActivityTimer;
use super::speculation::{SpeculativeInput, SpeculativeRuns, run_speculatively};
use crate::judge::FailureKind;
use rebut_diagnostics::Result;
use rebut_format::shrink::{Oracle, ShrinkStopped};
use rebut_packages::verdict::Verdict;
use rebut_sandbox::Program;
use std::time::{Duration, Instant};

/// The program that is expected to fail.
#[derive(Clone)]
pub(super) enum FailureTarget {
    /// A submission.
    Submission(Program),
    /// The reference.
    Reference,
}

/// A failing input with its answer and run.
#[derive(Clone, Debug)]
pub(super) struct ObservedFailure {
    pub(super) input: Vec<u8>,
    pub(super) answer: Vec<u8>,
    pub(super) run_result: RunResult,
}

/// The predicate that is evaluated on each candidate. It can be shared by threads.
#[derive(Clone)]
pub(super) struct FailurePredicate<'a, 'i, C> {
    pub(super) judge_setup: &'a JudgeSetup,
    pub(super) inputs: &'a InputSource<'i>,
    pub(super) target: FailureTarget,
    /// The required kind of failure, or `None` if any failure will do.
    pub(super) kind: Option<FailureKind>,
    pub(super) print: &'a (dyn Fn(&C) -> Vec<u8> + Sync),
    /// Number of runs a candidate gets to fail; more than one if the failure is flaky.
    pub(super) tries: u32,
}

/// Implements the oracle of shrinking by running programs on candidates, several at a time.
pub(super) struct FailureOracle<'a, 'i, C> {
    pub(super) predicate: FailurePredicate<'a, 'i, C>,
    pub(super) jobs: usize,
    pub(super) batching: BatchedPredicate<'a, C>,
    /// The start of the search.
    pub(super) start: Instant,
    pub(super) deadline: Option<Instant>,
    /// The best failure: that of the last candidate that failed.
    pub(super) best: ObservedFailure,
    /// Called after each improvement.
    pub(super) on_improvement: &'a mut dyn FnMut(&ObservedFailure, usize),
    /// Number of candidates tried.
    pub(super) tried: usize,
}

/// The outcome of testing an input.
pub(super) enum PredicateOutcome {
    /// A validator refuses it.
    Refused,
    /// It does not fail.
    Passes,
    /// Unknown: the reference gave no answer, or the checker failed.
    Unresolved,
    /// It fails, but not in the required way.
    FailsOtherwise,
    /// It fails in the required way.
    Fails(Box<ObservedFailure>),
}

impl<C: Sync> FailurePredicate<'_, '_, C> {
    /// Tests a candidate.
    fn validate_and_test(&self, candidate: &C) -> Result<PredicateOutcome> {
        let input = (self.print)(candidate);
        if self.inputs.validator_refusal(&input)?.is_some() {
            return Ok(PredicateOutcome::Refused);
        }
        test_input(self.judge_setup, &self.target, self.kind, &input, self.tries)
    }

    /// Tests a candidate that the validators accept.
    pub(super) fn test_valid_candidate(&self, candidate: &C) -> Result<PredicateOutcome> {
        test_input(self.judge_setup, &self.target, self.kind, &(self.print)(candidate), self.tries)
    }

    /// Tests a candidate. `is_accepted` is the validators' decision, if it is known.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(super) fn test_candidate(&self, candidate: &C, is_accepted: Option<bool>) -> Result<PredicateOutcome> {
        match is_accepted {
            Some(false) => Ok(PredicateOutcome::Refused),
            Some(true) => self.test_valid_candidate(candidate),
            None => self.validate_and_test(candidate),
        }
    }

    /// Tests candidates in one batch, if the engine supports that, and returns the outcomes in order. After the first
    /// candidate it stops when `is_over`, so later outcomes can be missing. `is_accepted` returns the validators'
    /// decision, if it is known.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(super) fn test_batch(
        &self,
        candidates: &[C],
        is_accepted: &dyn Fn(usize) -> Option<bool>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<PredicateOutcome>> {
        let mut batch = Vec::new();
        for (at, candidate) in candidates.iter().enumerate() {
            if at > 0 && is_over() {
                break;
            }
            let input = (self.print)(candidate);
            let accepted = is_accepted(at).map_or_else(|| Ok(self.inputs.validator_refusal(&input)?.is_none()), Ok)?;
            let generated =
                accepted.then(|| GeneratedInput { bytes: input, value: None, cases: 1, shape: String::new() });
            batch.push(SpeculativeInput::new(Ok(generated), &ActivityTimer::start_now()));
        }
        let submission = match &self.target {
            FailureTarget::Submission(program) => Some(program),
            FailureTarget::Reference => None,
        };
        run_speculatively(self.judge_setup, batch.iter_mut().collect(), &[submission], is_over);
        let mut outcomes = Vec::new();
        for speculative in batch {
            let Some(generated) = speculative.input? else {
                outcomes.push(PredicateOutcome::Refused);
                continue;
            };
            if !outcomes.is_empty() && speculative.runs.answer.is_none() && is_over() {
                break;
            }
            outcomes.push(test_input_once(
                self.judge_setup,
                &self.target,
                self.kind,
                &generated.bytes,
                speculative.runs,
            )?);
        }
        Ok(outcomes)
    }

    /// Tests an input for any failure.
    pub(super) fn test_any_failure(&self, input: &[u8]) -> Result<PredicateOutcome> {
        test_input(self.judge_setup, &self.target, None, input, self.tries)
    }

    /// Tests candidates in parallel.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(super) fn test_in_parallel(&self, candidates: &[C]) -> Result<Vec<PredicateOutcome>> {
        let count = candidates.len();
        run_in_parallel(count, count, |candidate| self.validate_and_test(&candidates[candidate]), &mut |_| ())
    }
}

/// Returns the failure of an input, if it fails in the required way in one of `tries` runs.
pub(super) fn observe_failure(
    judge_setup: &JudgeSetup,
    target: &FailureTarget,
    kind: Option<FailureKind>,
    input: &[u8],
    tries: u32,
) -> Result<Option<ObservedFailure>> {
    Ok(match test_input(judge_setup, target, kind, input, tries)? {
        PredicateOutcome::Fails(failure) => Some(*failure),
        _ => None,
    })
}

/// Returns true if the reference answers an input and the program does not fail on it, in one run.
pub(super) fn passes_input(judge_setup: &JudgeSetup, target: &FailureTarget, input: &[u8]) -> bool {
    matches!(test_input(judge_setup, target, None, input, 1), Ok(PredicateOutcome::Passes))
}

/// Tests an input up to `tries` times, until it fails in the required way.
fn test_input(
    judge_setup: &JudgeSetup,
    target: &FailureTarget,
    kind: Option<FailureKind>,
    input: &[u8],
    tries: u32,
) -> Result<PredicateOutcome> {
    let mut outcome = PredicateOutcome::Passes;
    for _ in 0..tries.max(1) {
        match test_input_once(judge_setup, target, kind, input, SpeculativeRuns::default())? {
            PredicateOutcome::Passes | PredicateOutcome::Refused => {}
            PredicateOutcome::FailsOtherwise => outcome = PredicateOutcome::FailsOtherwise,
            decided @ (PredicateOutcome::Unresolved | PredicateOutcome::Fails(_)) => return Ok(decided),
        }
    }
    Ok(outcome)
}

/// Returns true if a run failed in the required way: with the same kind of failure as the first input, or in any way if
/// `kind` is `None`. A run of the reference is only judged if it failed.
fn is_required_failure(target: &FailureTarget, kind: Option<FailureKind>, run_result: &RunResult) -> bool {
    match kind {
        Some(kind) => run_result.kind == kind,
        None => run_result.verdict.is_rejection() || matches!(target, FailureTarget::Reference),
    }
}

/// Tests an input once, using the outcomes of speculative runs as far as there are any.
fn test_input_once(
    judge_setup: &JudgeSetup,
    target: &FailureTarget,
    kind: Option<FailureKind>,
    input: &[u8],
    runs: SpeculativeRuns,
) -> Result<PredicateOutcome> {
    let answer = runs.answer.map_or_else(|| judge_setup.run_reference(input), |(answer, _)| Ok(answer))?;
    let (answer, run_result) = match (answer, target) {
        (ReferenceAnswer::TooSlow, _) => return Ok(PredicateOutcome::Unresolved),
        (ReferenceAnswer::Failed(outcome), FailureTarget::Reference) => {
            (Vec::new(), JudgeSetup::reference_failure(outcome))
        }
        (ReferenceAnswer::Failed(_), FailureTarget::Submission(_)) => return Ok(PredicateOutcome::Unresolved),
        (ReferenceAnswer::Known(_), FailureTarget::Reference) => return Ok(PredicateOutcome::Passes),
        (ReferenceAnswer::Known(answer), FailureTarget::Submission(program)) => {
            let outcome = runs.outcomes.into_iter().next().flatten();
            let run_result = judge_setup.judge_run_or_reuse(program, outcome, (input, &answer), &mut || ())?;
            (answer, run_result)
        }
    };
    if is_required_failure(target, kind, &run_result) {
        return Ok(PredicateOutcome::Fails(Box::new(ObservedFailure { input: input.to_vec(), answer, run_result })));
    }
    Ok(match run_result.verdict {
        Verdict::Accepted => PredicateOutcome::Passes,
        // The checker failed, so nothing is known of the output.
        Verdict::JudgeError => PredicateOutcome::Unresolved,
        _ => PredicateOutcome::FailsOtherwise,
    })
}

impl<C: Sync + Clone> Oracle<C> for FailureOracle<'_, '_, C> {
    fn should_stop(&self) -> bool {
        self.predicate.judge_setup.cancel.is_cancelled() || self.deadline.is_some_and(|d| Instant::now() >= d)
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
