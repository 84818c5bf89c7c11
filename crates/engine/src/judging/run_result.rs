//! The judged run of a submission on an input.

use crate::event::{
    Finding, FindingConversation, FindingFailure, FindingMinimization, FindingOrigin, FindingRun, JudgeKind,
};
use crate::judge::{FailureKind, describe_outcome, judge_outcome, judge_run};
use rebut_checkers::{Judgement, Mismatch};
use rebut_packages::score::FeedbackScore;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{ConversationLength, RunLimits, RunOutcome};

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

impl RunResult {
    /// Returns the result of a run of which only the verdict is known.
    pub(super) fn new(verdict: Verdict, outcome: RunOutcome) -> RunResult {
        RunResult {
            verdict,
            kind: FailureKind::new(verdict, &outcome),
            outcome,
            mismatch: None,
            checker_failure: None,
            feedback_score: FeedbackScore::default(),
            conversation: None,
        }
    }
}

/// Converts a finished run to a run result. `check` judges the output if the run succeeded.
pub(crate) fn judge_finished_run(outcome: RunOutcome, check: impl FnOnce(&RunOutcome) -> Judgement) -> RunResult {
    let (verdict, judgement) = judge_run(&outcome, || check(&outcome));
    let (mismatch, checker_failure) = match judgement {
        Some(Judgement::Wrong(mismatch)) => (Some(mismatch), None),
        Some(Judgement::Failed(why)) => (None, Some(why)),
        Some(Judgement::Accepted) | None => (None, None),
    };
    RunResult { mismatch, checker_failure, ..RunResult::new(verdict, outcome) }
}

/// Describes a failing run.
pub fn failure_message(run_result: &RunResult) -> String {
    if let Some(mismatch) = &run_result.mismatch {
        return mismatch.message.clone();
    }
    if let Some(failure) = &run_result.checker_failure {
        return format!("the checker could not judge: {failure}");
    }
    if run_result.verdict == Verdict::JudgeError {
        return format!("the reference {}", describe_outcome(&run_result.outcome));
    }
    match judge_outcome(&run_result.outcome) {
        Some(_) => describe_outcome(&run_result.outcome),
        None => run_result.verdict.description().to_owned(),
    }
}

/// Adds the memory limit to the message of a finding that exceeds it.
pub(crate) fn state_memory_limit(found: &mut Finding, limits: &RunLimits) {
    const MIB: u64 = 1 << 20;
    if found.failure.verdict == Verdict::MemoryLimit {
        found.failure.message += &format!(" of {} MiB", limits.memory_limit_bytes / MIB);
    }
}

/// Returns the finding for a failure on an input that is not shrunk.
pub fn finding_of_run(
    submission: &str,
    input: Vec<u8>,
    answer: Vec<u8>,
    run_result: RunResult,
    checker: String,
) -> Finding {
    let mismatch = run_result.mismatch.as_ref();
    let failure = FindingFailure {
        message: failure_message(&run_result),
        hints: mismatch.map_or(Vec::new(), |mismatch| mismatch.hints.clone()),
        ..FindingFailure::new(submission, run_result.verdict)
    };
    let minimization = FindingMinimization::of_size(input.len(), "bytes");
    let origin = FindingOrigin { original: input.clone(), ..FindingOrigin::default() };
    let run = FindingRun {
        line: mismatch.and_then(|mismatch| mismatch.line),
        conversation: run_result.conversation.map(FindingConversation::from_run),
        cpu_time_ms: run_result.outcome.cpu_time_us / 1000,
        memory_peak_bytes: run_result.outcome.memory_peak_bytes,
        output: run_result.outcome.output,
        stderr: run_result.outcome.stderr,
        input,
        answer,
        checker,
        judged_by: JudgeKind::Comparison,
    };
    Finding { origin, run, minimization, ..Finding::from_failure(failure) }
}
