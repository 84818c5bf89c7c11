//! Replays findings: runs their inputs again and reports whether the failure recurs.

use super::judging::{JudgeSetup, ReferenceAnswer, RunResult, judge_finished_run};
use crate::tuning::MAX_REPLAY_RUNS;
use rebut_diagnostics::Result;
use rebut_packages::FindingFiles;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::Program;

/// The result of replaying a finding.
#[derive(Clone, Debug)]
pub struct ReplayResult {
    /// The first run that failed, or else the last run.
    pub run_result: RunResult,
    /// The answer.
    pub answer: Vec<u8>,
    /// Number of failing runs.
    pub failed: u32,
    /// Number of runs.
    pub runs: u32,
}

impl ReplayResult {
    /// Returns true if the failure occurred again.
    pub fn is_reproduced(&self) -> bool {
        self.failed > 0
    }
}

/// Replays a finding. A single run suffices if it fails; otherwise, and if the finding was flaky before, the input is
/// run [`MAX_REPLAY_RUNS`] times. `submission` is `None` if the finding is against the reference.
///
/// # Errors
/// Returns an error if a program cannot be started.
pub fn replay_finding(
    judge_setup: &JudgeSetup,
    submission: Option<&Program>,
    finding: &FindingFiles,
) -> Result<ReplayResult> {
    let (mut failed, mut runs) = (0, 0);
    let mut reported: Option<(RunResult, Vec<u8>)> = None;
    // A failure in the first run needs no second one, unless it is known to be flaky.
    let is_flaky = finding.record.flaky.is_some();
    while runs < MAX_REPLAY_RUNS && (runs == 0 || failed < runs || is_flaky) {
        runs += 1;
        let (run_result, answer) = replay_once(judge_setup, submission, finding)?;
        let fails = run_result.verdict != Verdict::Accepted;
        if fails && failed == 0 || reported.is_none() {
            reported = Some((run_result, answer));
        }
        failed += u32::from(fails);
    }
    let Some((run_result, answer)) = reported else {
        return Err(rebut_diagnostics::Error::operating_error("nothing was run"));
    };
    Ok(ReplayResult { run_result, answer, failed, runs })
}

fn replay_once(
    judge_setup: &JudgeSetup,
    submission: Option<&Program>,
    finding: &FindingFiles,
) -> Result<(RunResult, Vec<u8>)> {
    let input = &finding.input;
    let answer = match judge_setup.run_reference(input)? {
        ReferenceAnswer::Known(answer) => answer,
        ReferenceAnswer::Failed(outcome) => return Ok((JudgeSetup::reference_failure(outcome), Vec::new())),
        // Use the recorded answer instead.
        ReferenceAnswer::TooSlow => finding.answer.clone(),
    };
    match submission {
        Some(program) => Ok((judge_setup.run_and_judge(program, input, &answer)?, answer)),
        None => {
            // The finding is against the reference: it crashed, or gave another answer than now.
            let outcome = judge_setup.reference.run(input, &[], &judge_setup.judge_limits, &judge_setup.cancel)?;
            let judgement = judge_setup.judge_output(input, &finding.answer, &outcome.output)?;
            let mut run_result = judge_finished_run(outcome, |_| judgement);
            if run_result.verdict == Verdict::WrongAnswer && finding.answer.is_empty() {
                run_result.verdict = Verdict::Accepted;
            }
            Ok((run_result, answer))
        }
    }
}
