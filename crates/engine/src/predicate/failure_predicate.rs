//! The predicate of shrinking: whether an input still fails in the required way.
//!
//! A [`FailurePredicate`] runs the reference and the failing program on a candidate.

use crate::inputs::{GeneratedInput, InputSource};
use crate::judge::FailureKind;
use crate::judging::{JudgeSetup, ReferenceAnswer, RunResult, SpeculativeInput, SpeculativeRuns, run_speculatively};
use crate::parallel::run_in_parallel;
use rebut_diagnostics::Result;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::Program;

/// The program that is expected to fail.
#[derive(Clone)]
pub(crate) enum FailureTarget {
    /// A submission.
    Submission(Program),
    /// The reference.
    Reference,
}

/// A failing input with its answer and run.
#[derive(Clone, Debug)]
pub(crate) struct ObservedFailure {
    pub(crate) input: Vec<u8>,
    pub(crate) answer: Vec<u8>,
    pub(crate) run_result: RunResult,
}

/// The predicate that is evaluated on each candidate. It can be shared by threads.
#[derive(Clone)]
pub(crate) struct FailurePredicate<'a, 'i, C> {
    pub(crate) judge_setup: &'a JudgeSetup,
    pub(crate) inputs: &'a InputSource<'i>,
    pub(crate) target: FailureTarget,
    /// The required kind of failure, or `None` if any failure will do.
    pub(crate) kind: Option<FailureKind>,
    pub(crate) print: &'a (dyn Fn(&C) -> Vec<u8> + Sync),
    /// Number of runs a candidate gets to fail; more than one if the failure is flaky.
    pub(crate) tries: u32,
}

impl<C: Sync> FailurePredicate<'_, '_, C> {
    fn validate_and_test(&self, candidate: &C) -> Result<PredicateOutcome> {
        let input = (self.print)(candidate);
        if self.inputs.validator_refusal(&input)?.is_some() {
            return Ok(PredicateOutcome::Refused);
        }
        test_input(self.judge_setup, &self.target, self.kind, &input, self.tries)
    }

    /// Tests a candidate that the validators accept.
    pub(crate) fn test_valid_candidate(&self, candidate: &C) -> Result<PredicateOutcome> {
        test_input(self.judge_setup, &self.target, self.kind, &(self.print)(candidate), self.tries)
    }

    /// Tests a candidate. `is_accepted` is the validators' decision, if it is known.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(crate) fn test_candidate(&self, candidate: &C, is_accepted: Option<bool>) -> Result<PredicateOutcome> {
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
    pub(crate) fn test_batch(
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
            batch.push(SpeculativeInput::new(Ok(generated)));
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

    pub(crate) fn test_any_failure(&self, input: &[u8]) -> Result<PredicateOutcome> {
        test_input(self.judge_setup, &self.target, None, input, self.tries)
    }

    /// Tests candidates in parallel.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(crate) fn test_in_parallel(&self, candidates: &[C]) -> Result<Vec<PredicateOutcome>> {
        let count = candidates.len();
        run_in_parallel(count, count, |candidate| self.validate_and_test(&candidates[candidate]), &mut |_| ())
    }
}

/// The outcome of testing an input.
pub(crate) enum PredicateOutcome {
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

/// Returns the failure of an input, if it fails in the required way in one of `tries` runs.
pub(crate) fn observe_failure(
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

/// Returns the failure of an input in one run, if it fails in the required way. A submission is judged by the `answer`, or
/// else by what the reference prints.
pub(crate) fn observe_failure_once(
    judge_setup: &JudgeSetup,
    target: &FailureTarget,
    kind: FailureKind,
    input: &[u8],
    answer: Option<&[u8]>,
) -> Result<Option<ObservedFailure>> {
    let answer = answer.filter(|_| matches!(target, FailureTarget::Submission(_)));
    let answer = answer.map(|answer| (ReferenceAnswer::Known(answer.to_vec()), 0));
    let runs = SpeculativeRuns { answer, outcomes: Vec::new() };
    Ok(match test_input_once(judge_setup, target, Some(kind), input, runs)? {
        PredicateOutcome::Fails(failure) => Some(*failure),
        _ => None,
    })
}

/// Returns true if the reference answers an input and the program does not fail on it, in one run.
pub(crate) fn passes_input(judge_setup: &JudgeSetup, target: &FailureTarget, input: &[u8]) -> bool {
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
