//! The judge setup: runs the reference and a submission on one input and judges the output.

use super::judges::{Judge, JudgeRequest};
use super::run_engine::RunEngine;
use super::run_result::{RunResult, judge_finished_run};
use crate::judge::judge_outcome;
use rebut_checkers::Judgement;
use rebut_diagnostics::Result;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{CancelToken, LimitHit, Program, RunJob, RunLimits, RunOutcome};
use std::time::Instant;

/// The reference, the judge and the limits.
#[derive(Clone)]
pub struct JudgeSetup {
    /// How programs are started.
    pub engine: RunEngine,
    /// The program that prints the answers.
    pub reference: Program,
    /// Judges the outputs of submissions.
    pub judge: Judge,
    /// Limits on submissions.
    pub limits: RunLimits,
    /// Limits on the reference and validators. They are generous, since a brute force may be slow.
    pub judge_limits: RunLimits,
    /// Cancels running programs.
    pub cancel: CancelToken,
}

impl JudgeSetup {
    /// Runs the reference and returns the answer.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, or if the work was cancelled.
    pub fn run_reference(&self, input: &[u8]) -> Result<ReferenceAnswer> {
        Ok(self.run_reference_timed(input)?.0)
    }

    /// Same, also returning the processor time in microseconds.
    ///
    /// # Errors
    /// Same as [`run_reference`](JudgeSetup::run_reference).
    pub fn run_reference_timed(&self, input: &[u8]) -> Result<(ReferenceAnswer, u64)> {
        if self.judge.holds_conversation() {
            // An interactor judges by itself, without an answer.
            return Ok((ReferenceAnswer::Known(Vec::new()), 0));
        }
        Ok(classify_reference_run(self.run_program(&self.reference, input, &self.judge_limits)?))
    }

    /// Runs the reference on the first of several inputs, and returns the answers and the processor times in
    /// microseconds. Returns fewer results, or none, if batches are not faster for this program.
    ///
    /// # Errors
    /// Same as [`run_reference`](JudgeSetup::run_reference).
    pub(crate) fn run_reference_batch(&self, inputs: &[&[u8]]) -> Result<Vec<(ReferenceAnswer, u64)>> {
        let outcomes = self.reference.run_batch(inputs, &self.judge_limits, &self.cancel)?;
        Ok(outcomes.into_iter().map(classify_reference_run).collect())
    }

    /// Runs a submission and judges its output.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, or if the work was cancelled.
    pub fn run_and_judge(&self, submission: &Program, input: &[u8], answer: &[u8]) -> Result<RunResult> {
        self.judge_run_or_reuse(submission, None, (input, answer), &mut || ())
    }

    /// Same, reusing the outcome of a run if there is one. Calls `ended` when the run has ended, if that is known
    /// before it is judged.
    ///
    /// # Errors
    /// Same as [`run_and_judge`](JudgeSetup::run_and_judge).
    pub(crate) fn judge_run_or_reuse(
        &self,
        submission: &Program,
        ran: Option<RunOutcome>,
        (input, answer): (&[u8], &[u8]),
        ended: &mut dyn FnMut(),
    ) -> Result<RunResult> {
        if let Judge::Checker(checker) = &self.judge {
            let outcome = ran.map_or_else(|| self.run_program(submission, input, &self.limits), Ok)?;
            ended();
            return Ok(judge_finished_run(outcome, |outcome| checker.check(input, answer, &outcome.output)));
        }
        let request = JudgeRequest::new(input, answer, &self.limits, &self.cancel);
        let request = JudgeRequest { engine: self.engine, ran: ran.as_ref(), ..request };
        self.judge.run_and_judge(submission, &request)
    }

    /// Judges an output, regardless of the program that printed it.
    ///
    /// # Errors
    /// Returns an error if a judge program cannot be started, or if the work was cancelled.
    pub fn judge_output(&self, input: &[u8], answer: &[u8], output: &[u8]) -> Result<Judgement> {
        self.judge.judge_output(input, answer, output, &self.cancel)
    }

    /// Runs a program once with the engine.
    ///
    /// # Errors
    /// Same as [`run_reference`](JudgeSetup::run_reference).
    fn run_program(&self, program: &Program, input: &[u8], limits: &RunLimits) -> Result<RunOutcome> {
        self.engine.run_program(program, &RunJob::new(input, limits), &self.cancel)
    }

    /// Returns the same setup with another engine.
    pub fn with_engine(&self, engine: RunEngine) -> JudgeSetup {
        JudgeSetup { engine, ..self.clone() }
    }

    /// Returns the same setup with the time limit increased by the variation of measurements.
    pub fn with_slack(self) -> JudgeSetup {
        JudgeSetup { limits: self.limits.including_slack(), ..self }
    }

    /// Converts a failed run of the reference to a run result.
    pub fn reference_failure(outcome: RunOutcome) -> RunResult {
        let cause = judge_outcome(&outcome).unwrap_or(Verdict::RuntimeError);
        RunResult { verdict: Verdict::JudgeError, ..RunResult::new(cause, outcome) }
    }
}

/// The result of running the reference on an input.
#[derive(Clone, Debug)]
pub enum ReferenceAnswer {
    /// The answer.
    Known(Vec<u8>),
    /// The reference exceeded its time limit, so the input is skipped.
    TooSlow,
    /// The reference crashed or exceeded another limit: a judge error.
    Failed(RunOutcome),
}

/// Classifies a run of the reference, and returns its processor time.
fn classify_reference_run(outcome: RunOutcome) -> (ReferenceAnswer, u64) {
    let cpu_time_us = outcome.cpu_time_us;
    let answer = match outcome.limit {
        Some(LimitHit::CpuTime | LimitHit::WallTime) => ReferenceAnswer::TooSlow,
        None if outcome.is_success() => ReferenceAnswer::Known(outcome.output),
        _ => ReferenceAnswer::Failed(outcome),
    };
    (answer, cpu_time_us)
}

// Measures how workers spend their time.

/// Measures time by activity.
pub(crate) struct ActivityTimer {
    pub(crate) last: Instant,
    pub(crate) spent_ns: [u64; 4],
}

impl ActivityTimer {
    pub(crate) fn start_now() -> Self {
        ActivityTimer { last: Instant::now(), spent_ns: [0; 4] }
    }

    /// Restarts the lap, without recording its time.
    pub(crate) fn restart_lap(&mut self) {
        self.last = Instant::now();
    }

    /// Adds the time of this lap to an activity, and starts the next one.
    pub(crate) fn record_lap(&mut self, activity: usize) {
        let now = Instant::now();
        self.spent_ns[activity] += u64::try_from((now - self.last).as_nanos()).unwrap_or(0);
        self.last = now;
    }
}
