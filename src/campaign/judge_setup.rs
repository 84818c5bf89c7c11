//! The judge setup: runs the reference and a submission on one input and judges the output.

use super::event::JudgeKind;
use super::judges::{Judge, JudgeRequest};
use crate::judge::{FailureKind, judge_outcome, judge_run};
use rebut_checkers::{Judgement, Mismatch};
use rebut_diagnostics::{Error, Result};
use rebut_packages::score::FeedbackScore;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{
    CancelToken, ConversationLength, LimitHit, ProcessExit, Program, RunFiles, RunJob, RunLimits, RunOutcome,
};
use std::ffi::OsString;

/// How programs are started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunEngine {
    /// A new process for each run: the exact engine.
    #[default]
    Exec,
    /// The fastest engine available for each program. Failures are confirmed with [`RunEngine::Exec`].
    Quick,
}

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

/// A judged run of a submission on an input.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The verdict.
    pub verdict: Verdict,
    /// The kind of failure, which shrinking preserves.
    pub kind: FailureKind,
    /// How the process ended, and its output.
    pub outcome: RunOutcome,
    /// Where and how the output differs from the answer.
    pub mismatch: Option<Mismatch>,
    /// Why the checker could not judge.
    pub checker_failure: Option<String>,
    /// The score that the judge program gave.
    pub feedback_score: FeedbackScore,
    /// The length of the conversation with an interactor, in all passes.
    pub conversation: Option<ConversationLength>,
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
        if self.judge.judge_kind() == JudgeKind::Conversation {
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
    pub(super) fn run_reference_batch(&self, inputs: &[&[u8]]) -> Result<Vec<(ReferenceAnswer, u64)>> {
        let outcomes = self.reference.run_batch(inputs, &self.judge_limits, &self.cancel)?;
        Ok(outcomes.into_iter().map(classify_reference_run).collect())
    }

    /// Runs a submission on the first of several inputs, as [`run_reference_batch`](JudgeSetup::run_reference_batch)
    /// does.
    ///
    /// # Errors
    /// Same as [`run_and_judge`](JudgeSetup::run_and_judge).
    pub(super) fn run_submission_batch(&self, submission: &Program, inputs: &[&[u8]]) -> Result<Vec<RunOutcome>> {
        submission.run_batch(inputs, &self.limits, &self.cancel)
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
    pub(super) fn judge_run_or_reuse(
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
        let request = JudgeRequest { input, answer, arguments: &[], limits: &self.limits, cancel: &self.cancel };
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
        match self.engine {
            RunEngine::Exec => program.run(input, &[], limits, &self.cancel),
            RunEngine::Quick => program.run_fast(input, &[], limits, &self.cancel),
        }
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
        let kind = FailureKind::new(cause, &outcome);
        RunResult {
            verdict: Verdict::JudgeError,
            kind,
            outcome,
            mismatch: None,
            checker_failure: None,
            feedback_score: FeedbackScore::default(),
            conversation: None,
        }
    }
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

/// Converts a finished run to a run result. `check` judges the output if the run succeeded.
pub(super) fn judge_finished_run(outcome: RunOutcome, check: impl FnOnce(&RunOutcome) -> Judgement) -> RunResult {
    let (verdict, judgement) = judge_run(&outcome, || check(&outcome));
    let (mismatch, checker_failure) = match judgement {
        Some(Judgement::Wrong(mismatch)) => (Some(mismatch), None),
        Some(Judgement::Failed(why)) => (None, Some(why)),
        Some(Judgement::Accepted) | None => (None, None),
    };
    let kind = FailureKind::new(verdict, &outcome);
    let feedback_score = FeedbackScore::default();
    RunResult { verdict, kind, outcome, mismatch, checker_failure, feedback_score, conversation: None }
}

/// Exit code convention of a validator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidatorConvention {
    /// 42 accepts, 43 refuses, anything else is a failure of the validator.
    Icpc,
    /// Same as `Icpc`, and also 0 accepts and 1 to 3 refuse, as in testlib's validators and plain scripts.
    Plain,
}

/// A program that validates inputs.
#[derive(Clone)]
pub struct InputValidator {
    /// The program.
    pub program: Program,
    /// Its exit code convention.
    pub convention: ValidatorConvention,
    /// Digest that identifies its behavior, if known.
    pub identity: Option<String>,
}

impl InputValidator {
    /// Returns `None` if the validator accepts an input, and otherwise its message.
    ///
    /// # Errors
    /// Returns an error if the validator cannot be started, crashes, exceeds its limits, or exits with an unknown
    /// status.
    pub fn check_input(&self, input: &[u8], limits: &RunLimits, cancel: &CancelToken) -> Result<Option<String>> {
        self.check_input_with_args(input, &[], limits, cancel)
    }

    /// Same with arguments, which test groups can set.
    ///
    /// # Errors
    /// Same as [`check_input`](InputValidator::check_input).
    pub fn check_input_with_args(
        &self,
        input: &[u8],
        arguments: &[OsString],
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<Option<String>> {
        self.check_input_timed(input, arguments, limits, cancel).map(|(refusal, _)| refusal)
    }

    /// Same, also returning the processor time in microseconds.
    pub(super) fn check_input_timed(
        &self,
        input: &[u8],
        arguments: &[OsString],
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<(Option<String>, u64)> {
        let outcome = self.program.run_fast(input, arguments, limits, cancel)?;
        Ok((self.interpret_exit(&outcome, "an input")?, outcome.cpu_time_us))
    }

    /// Returns `None` if the validator accepts an answer, which it reads from stdin. Its first argument is the path of
    /// the input.
    ///
    /// # Errors
    /// Same as [`check_input`](InputValidator::check_input).
    pub fn check_answer(
        &self,
        (input, answer): (&[u8], &[u8]),
        arguments: &[OsString],
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<Option<String>> {
        const INPUT: &str = "input.in";
        let files = RunFiles::new().with_file(INPUT, input)?;
        let words: Vec<OsString> =
            std::iter::once(RunFiles::path_argument(INPUT)).chain(arguments.iter().cloned()).collect();
        let job = RunJob { input: answer, args: &words, limits, files: Some(&files) };
        self.interpret_exit(&self.program.run_job(&job, cancel)?, "an answer")
    }

    /// Interprets the exit status of a finished run.
    fn interpret_exit(&self, outcome: &RunOutcome, subject: &str) -> Result<Option<String>> {
        let message = || {
            let both = [outcome.stderr.as_slice(), outcome.output.as_slice()].concat();
            String::from_utf8_lossy(&both).trim().to_owned()
        };
        match (outcome.limit, outcome.exit, self.convention) {
            (None, ProcessExit::Code(42), _) | (None, ProcessExit::Code(0), ValidatorConvention::Plain) => Ok(None),
            (None, ProcessExit::Code(43), _) | (None, ProcessExit::Code(1..=3), ValidatorConvention::Plain) => {
                Ok(Some(message()))
            }
            _ => Err(Error::judge_error(format!(
                "the validator `{}` {} instead of accepting or refusing {subject}",
                self.program.display_name(),
                describe_outcome(outcome)
            ))
            .with_note(message())
            .with_help("a validator exits with 42 to accept and 43 to refuse")),
        }
    }
}

/// Describes how a process ended, as the predicate of a sentence: `exited with status 1`.
pub(super) fn describe_outcome(outcome: &RunOutcome) -> String {
    match (outcome.limit, outcome.exit) {
        (Some(LimitHit::CpuTime), _) if outcome.is_near_time_limit() => format!(
            "used {:.2} s of processor time in the shortest of several runs, just over its limit: too close to be \
             certain, the verdict may differ on another machine",
            outcome.cpu_time_us as f64 / 1e6
        ),
        (Some(LimitHit::CpuTime), _) => "used more processor time than its limit".to_owned(),
        (Some(LimitHit::WallTime), _) if outcome.is_idle() => {
            "was idle until its time was over (asleep, or waiting for input that never came)".to_owned()
        }
        (Some(LimitHit::WallTime), _) => "did not end in time".to_owned(),
        (Some(LimitHit::Memory), _) => "used more memory than its limit".to_owned(),
        (Some(LimitHit::Output), _) => "wrote more than the output limit".to_owned(),
        (None, ProcessExit::Code(code)) => format!("exited with status {code}"),
        (None, ProcessExit::Signal(signal)) => {
            format!(
                "was killed by {} ({})",
                rebut_sandbox::signal_name(signal),
                rebut_sandbox::signal_description(signal)
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_just_over_the_time_limit_is_described_as_uncertain() {
        let words = |exit: ProcessExit, limit: Option<LimitHit>| {
            let (cpu_time_us, wall_time_us, memory_peak_bytes) = (2_100_000, 2_200_000, 0);
            let (output, stderr, files) = Default::default();
            describe_outcome(&RunOutcome {
                exit,
                limit,
                cpu_time_us,
                wall_time_us,
                memory_peak_bytes,
                output,
                stderr,
                files,
            })
        };
        assert!(
            words(ProcessExit::Code(0), Some(LimitHit::CpuTime))
                .starts_with("used 2.10 s of processor time in the shortest")
        );
        assert_eq!(words(ProcessExit::Signal(9), Some(LimitHit::CpuTime)), "used more processor time than its limit");
        assert_eq!(words(ProcessExit::Code(3), None), "exited with status 3");
    }
}
