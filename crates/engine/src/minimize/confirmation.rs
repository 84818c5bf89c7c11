//! Runs failing inputs and the reference again, before anything is claimed of them.

use super::candidate_runs::CandidateRuns;
use super::minimization_task::{FailingInput, MinimizationResult};
use crate::inputs::{InputSource, split_into_cases};
use crate::judging::{Judge, JudgeSetup, ReferenceAnswer, RunEngine, RunResult};
use crate::predicate::{FailurePredicate, FailureTarget, FailureTest, ObservedFailure, PackedResult, PackedSearch};
use crate::tuning::{CONFIRMATION_RUNS, MAX_LEAK_CASES};
use rebut_checkers::Judgement;
use rebut_diagnostics::Result;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::value::Value;
use rebut_packages::verdict::Verdict;

/// How often an input failed when it was run again.
#[derive(Clone, Copy)]
pub(super) struct ConfirmationResult {
    pub(super) failed: u32,
    pub(super) runs: u32,
}

impl ConfirmationResult {
    /// Returns the numbers of failures and runs, if not every run failed.
    pub(super) fn flaky_counts(self) -> Option<(u32, u32)> {
        assert!(self.failed <= self.runs, "a run fails at most once");
        (self.failed < self.runs).then_some((self.failed, self.runs))
    }

    /// Returns true if no run failed.
    pub(super) fn is_unconfirmed(self) -> bool {
        self.failed == 0 && self.runs > 0
    }
}

/// Returns how often a failure is run again. A program that was stopped when its time was used up is run once: then it
/// has failed twice, it is no borderline case, and each such run takes as long as a run can.
pub(super) fn confirmation_runs(run_result: &RunResult) -> u32 {
    if run_result.outcome.is_stopped_for_time() { 1 } else { CONFIRMATION_RUNS }
}

/// Runs an input [`CONFIRMATION_RUNS`] times, and if it has not failed by then, up to `max_runs` times in all until
/// it does; fewer times where [`confirmation_runs`] are enough for a failure. The reference is run each time if the
/// failure depends on the answer. If the user interrupts, no run counts.
pub(super) fn confirm_failure(
    judge_setup: &JudgeSetup,
    target: &FailureTarget,
    ObservedFailure { input, answer, run_result }: &ObservedFailure,
    max_runs: u32,
) -> ConfirmationResult {
    let mut confirmed = ConfirmationResult { failed: 0, runs: 0 };
    let test = FailureTest::new(judge_setup, target.clone(), Some(run_result.kind));
    let known = (run_result.kind.verdict() != Verdict::WrongAnswer).then_some(&answer[..]);
    while confirmed.runs < CONFIRMATION_RUNS || confirmed.failed == 0 && confirmed.runs < max_runs {
        let Ok(failure) = test.observe_once(input, known) else { break };
        confirmed.runs += 1;
        confirmed.failed += u32::from(failure.is_some());
        if failure.is_some_and(|failure| confirmation_runs(&failure.run_result) == 1) {
            break;
        }
    }
    if judge_setup.cancel.is_cancelled() { ConfirmationResult { failed: 0, runs: 0 } } else { confirmed }
}

/// Returns another answer of the reference to an input, if its answer changes from run to run. The judge must refuse it
/// beside the first one.
///
/// # Errors
/// Returns an error if programs can no longer be started.
pub(super) fn find_changed_answer(judge_setup: &JudgeSetup, failing: &FailingInput) -> Result<Option<Vec<u8>>> {
    if failing.run_result.verdict != Verdict::WrongAnswer || judge_setup.cancel.is_cancelled() {
        return Ok(None);
    }
    for _ in 1..CONFIRMATION_RUNS {
        let ReferenceAnswer::Known(answer) = judge_setup.run_reference(&failing.input)? else { continue };
        let judgement = judge_setup.judge_output(&failing.input, &failing.answer, &answer)?;
        if answer != failing.answer && judgement != Judgement::Accepted {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

/// Returns true if the judge program rejects even the answer itself as an output.
///
/// # Errors
/// Returns an error if the program can no longer be started.
pub(super) fn refuses_answer(judge_setup: &JudgeSetup, failing: &FailingInput) -> Result<bool> {
    let FailingInput { input, answer, run_result, .. } = failing;
    let judges_outputs = matches!(judge_setup.judge, Judge::Program(_)) && !judge_setup.judge.needs_no_answer();
    if run_result.verdict != Verdict::WrongAnswer || !judges_outputs || judge_setup.cancel.is_cancelled() {
        return Ok(false);
    }
    Ok(matches!(judge_setup.judge_output(input, answer, answer)?, Judgement::Wrong { .. }))
}

/// Returns the number of test cases of a failing input, if there are several and each of them passes alone.
pub(crate) fn find_state_leak(
    judge_setup: &JudgeSetup,
    inputs: &InputSource<'_>,
    target: &FailureTarget,
    input: &[u8],
) -> Option<usize> {
    let format = inputs.input_format()?;
    let value = read_input(format, input).ok()?;
    let cases = split_into_cases(format, &value);
    let test = FailureTest::new(judge_setup, target.clone(), None);
    let passes = |case: &Value| test.passes_input(&print_value(format, case));
    ((2..=MAX_LEAK_CASES).contains(&cases.len()) && cases.iter().all(passes)).then_some(cases.len())
}

/// Returns the first case that fails alone in a file of enumerated cases. It is smaller than anything that
/// shrinking could find in the file. Returns `None` if no case fails alone.
pub(super) fn find_first_failing_case(runs: &CandidateRuns<'_, '_>, engine: RunEngine) -> Option<MinimizationResult> {
    let (value, plan) = (runs.task.value.as_ref()?, runs.inputs.generation_plan()?);
    if runs.task.tries > 1 || runs.task.target.submission().is_none() {
        return None;
    }
    let cases = match split_into_cases(plan.format, value) {
        cases if cases.is_empty() => vec![value.clone()],
        cases => cases,
    };
    let print = |value: &Value| print_value(plan.format, value);
    let setup = runs.quick_judge_setup(engine);
    let predicate_with = |setup| FailurePredicate {
        test: FailureTest::new(setup, runs.task.target.clone(), None),
        inputs: runs.inputs,
        print: &print,
    };
    let (quick, exact) = (predicate_with(&setup), predicate_with(runs.judge_setup));
    let search = PackedSearch { quick, exact, format: plan.format, jobs: runs.jobs };
    let _phase = runs.task.shrink_end.map(|end| setup.cancel.begin_phase_until(end));
    let is_over = || setup.cancel.should_stop();
    let PackedResult::Fails { before, failure } = search.find_first_failing(&cases, &is_over).ok()? else {
        return None;
    };
    let steps = usize::from(failure.input != runs.task.first.input);
    let (size, tried) = (cases[before.taken].element_count(), before.taken + 1);
    Some(MinimizationResult { best: *failure, size, steps, tried, complete: true, passes: Vec::new(), drawn: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_say_whether_a_failure_is_flaky_or_unconfirmed() {
        let of = |failed, runs| {
            let result = ConfirmationResult { failed, runs };
            (result.flaky_counts(), result.is_unconfirmed())
        };
        assert_eq!(of(3, 3), (None, false));
        assert_eq!(of(1, 3), (Some((1, 3)), false));
        assert_eq!(of(0, 3), (Some((0, 3)), true));
        // After an interrupt no run counts.
        assert_eq!(of(0, 0), (None, false));
    }
}
