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

impl FailureTarget {
    /// Returns the submission, if it is one.
    pub(crate) fn submission(&self) -> Option<&Program> {
        if let FailureTarget::Submission(program) = self { Some(program) } else { None }
    }
}

/// A failing input with its answer and run.
#[derive(Clone, Debug)]
pub(crate) struct ObservedFailure {
    pub(crate) input: Vec<u8>,
    pub(crate) answer: Vec<u8>,
    pub(crate) run_result: RunResult,
}

/// The test whether an input fails in the required way.
#[derive(Clone)]
pub(crate) struct FailureTest<'a> {
    pub(crate) judge_setup: &'a JudgeSetup,
    pub(crate) target: FailureTarget,
    /// The required kind of failure, or `None` if any failure will do.
    pub(crate) kind: Option<FailureKind>,
    /// Number of runs an input gets to fail; more than one if the failure is flaky.
    pub(crate) tries: u32,
}

/// The predicate that is evaluated on each candidate. It can be shared by threads.
#[derive(Clone)]
pub(crate) struct FailurePredicate<'a, 'i, C> {
    pub(crate) test: FailureTest<'a>,
    pub(crate) inputs: &'a InputSource<'i>,
    pub(crate) print: &'a (dyn Fn(&C) -> Vec<u8> + Sync),
}

impl<C: Sync> FailurePredicate<'_, '_, C> {
    fn validate_and_test(&self, candidate: &C) -> Result<PredicateOutcome> {
        let input = (self.print)(candidate);
        if self.inputs.validator_refusal(&input)?.is_some() {
            return Ok(PredicateOutcome::Refused);
        }
        self.test.test_input(&input)
    }

    /// Tests a candidate that the validators accept.
    pub(crate) fn test_valid_candidate(&self, candidate: &C) -> Result<PredicateOutcome> {
        self.test.test_input(&(self.print)(candidate))
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
        let submission = self.test.target.submission();
        run_speculatively(self.test.judge_setup, batch.iter_mut().collect(), &[submission], is_over);
        let mut outcomes = Vec::new();
        for speculative in batch {
            let Some(generated) = speculative.input? else {
                outcomes.push(PredicateOutcome::Refused);
                continue;
            };
            if !outcomes.is_empty() && speculative.runs.answer.is_none() && is_over() {
                break;
            }
            outcomes.push(self.test.test_once(&generated.bytes, speculative.runs)?);
        }
        Ok(outcomes)
    }

    pub(crate) fn test_any_failure(&self, input: &[u8]) -> Result<PredicateOutcome> {
        FailureTest { kind: None, ..self.test.clone() }.test_input(input)
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

impl PredicateOutcome {
    fn into_failure(self) -> Option<ObservedFailure> {
        if let PredicateOutcome::Fails(failure) = self { Some(*failure) } else { None }
    }
}

impl<'a> FailureTest<'a> {
    /// Returns the test for a failure that occurs in each run.
    pub(crate) fn new(judge_setup: &'a JudgeSetup, target: FailureTarget, kind: Option<FailureKind>) -> Self {
        FailureTest { judge_setup, target, kind, tries: 1 }
    }

    /// Returns the failure of an input, if it fails in the required way.
    pub(crate) fn observe_failure(&self, input: &[u8]) -> Result<Option<ObservedFailure>> {
        self.test_input(input).map(PredicateOutcome::into_failure)
    }

    /// Returns the failure of an input in one run, if it fails in the required way. A submission is judged by the
    /// `answer`, or else by what the reference prints.
    pub(crate) fn observe_once(&self, input: &[u8], answer: Option<&[u8]>) -> Result<Option<ObservedFailure>> {
        let answer = answer.filter(|_| self.target.submission().is_some());
        let answer = answer.map(|answer| (ReferenceAnswer::Known(answer.to_vec()), 0));
        let runs = SpeculativeRuns { answer, outcomes: Vec::new() };
        self.test_once(input, runs).map(PredicateOutcome::into_failure)
    }

    /// Returns true if the reference answers an input and the program does not fail on it.
    pub(crate) fn passes_input(&self, input: &[u8]) -> bool {
        matches!(self.test_input(input), Ok(PredicateOutcome::Passes))
    }

    /// Tests an input up to `tries` times, until it fails in the required way.
    fn test_input(&self, input: &[u8]) -> Result<PredicateOutcome> {
        let mut outcome = PredicateOutcome::Passes;
        for _ in 0..self.tries.max(1) {
            match self.test_once(input, SpeculativeRuns::default())? {
                PredicateOutcome::Passes | PredicateOutcome::Refused => {}
                PredicateOutcome::FailsOtherwise => outcome = PredicateOutcome::FailsOtherwise,
                decided @ (PredicateOutcome::Unresolved | PredicateOutcome::Fails(_)) => return Ok(decided),
            }
        }
        Ok(outcome)
    }

    /// Returns true if a run failed in the required way: with the same kind of failure as the first input, or in any way
    /// if `kind` is `None`. A run of the reference is only judged if it failed.
    fn is_required_failure(&self, run_result: &RunResult) -> bool {
        match self.kind {
            Some(kind) => run_result.kind == kind,
            None => run_result.verdict.is_rejection() || self.target.submission().is_none(),
        }
    }

    /// Tests an input once, using the outcomes of speculative runs as far as there are any.
    fn test_once(&self, input: &[u8], runs: SpeculativeRuns) -> Result<PredicateOutcome> {
        let answer = runs.answer.map_or_else(|| self.judge_setup.run_reference(input), |(answer, _)| Ok(answer))?;
        let (answer, run_result) = match (answer, self.target.submission()) {
            (ReferenceAnswer::Failed(outcome), None) => (Vec::new(), JudgeSetup::reference_failure(outcome)),
            (ReferenceAnswer::TooSlow | ReferenceAnswer::Failed(_), _) => return Ok(PredicateOutcome::Unresolved),
            (ReferenceAnswer::Known(_), None) => return Ok(PredicateOutcome::Passes),
            (ReferenceAnswer::Known(answer), Some(program)) => {
                let outcome = runs.outcomes.into_iter().next().flatten();
                let run_result = self.judge_setup.judge_run_or_reuse(program, outcome, (input, &answer), &mut || ())?;
                (answer, run_result)
            }
        };
        if self.is_required_failure(&run_result) {
            return Ok(PredicateOutcome::Fails(Box::new(ObservedFailure {
                input: input.to_vec(),
                answer,
                run_result,
            })));
        }
        Ok(match run_result.verdict {
            Verdict::Accepted => PredicateOutcome::Passes,
            // The checker failed, so nothing is known of the output.
            Verdict::JudgeError => PredicateOutcome::Unresolved,
            _ => PredicateOutcome::FailsOtherwise,
        })
    }
}
