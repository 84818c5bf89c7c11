//! Runs failing inputs and the reference again, before anything is claimed of them.

use super::minimization_task::FailingInput;
use crate::judge::FailureKind;
use crate::judging::{JudgeSetup, ReferenceAnswer};
use crate::predicate::{FailureTarget, observe_failure_once};
use crate::tuning::CONFIRMATION_RUNS;
use rebut_checkers::Judgement;
use rebut_diagnostics::Result;
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

/// Runs an input [`CONFIRMATION_RUNS`] times, and if it has not failed by then, up to `max_runs` times in all until
/// it does. The reference is run each time if the failure depends on the answer. If the user interrupts, no run counts.
pub(super) fn confirm_failure(
    judge_setup: &JudgeSetup,
    target: &FailureTarget,
    kind: FailureKind,
    (input, answer): (&[u8], &[u8]),
    max_runs: u32,
) -> ConfirmationResult {
    let mut confirmed = ConfirmationResult { failed: 0, runs: 0 };
    let known = (kind.verdict() != Verdict::WrongAnswer).then_some(answer);
    while confirmed.runs < CONFIRMATION_RUNS || confirmed.failed == 0 && confirmed.runs < max_runs {
        let Ok(failure) = observe_failure_once(judge_setup, target, kind, input, known) else { break };
        confirmed.runs += 1;
        confirmed.failed += u32::from(failure.is_some());
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
