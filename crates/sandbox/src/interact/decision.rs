//! Decides which program's end determines the result of an interaction. Pure.
//!
//! The end of one program often causes the end of the other: a program that reads from a partner that is gone reads the
//! end of the input and can crash because of it; a program that writes is killed by a signal. So the program that left
//! first counts.

use super::InteractionParty;
use crate::{LimitHit, ProcessExit, RunOutcome};

/// The signal for writing to a pipe that is closed at the other end.
const SIGPIPE: i32 = 13;

/// Which program's end decides about the submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InteractionDecision {
    /// The exit status of the interactor, however the submission ended.
    Interactor,
    /// The outcome of the submission: it reached a limit, or it crashed by itself.
    Submission,
    /// The submission ended while the interactor was still writing to it, so that the interactor could not judge.
    SubmissionLeftEarly,
    /// Neither: the interactor failed.
    InteractorFailed,
}

/// Returns which program's end decides:
///
/// * An interactor that left first and rejected the submission has decided, and the submission was dismissed.
/// * Any other submission that reached a limit has failed, regardless of the interactor's verdict.
/// * An interactor that reached a limit or was killed has failed, unless the submission left first and failed itself,
///   or the interactor was killed by writing to a submission that was gone.
/// * If the submission left first and failed, that decides.
/// * An interactor that waited until its time was over for a submission that computed until its own time was over is
///   not at fault: on a busy machine that takes longer than either is allowed to wait.
/// * In all other cases the interactor decides. In particular, if it left first and judged, a submission that failed or
///   was killed because its partner was gone is not at fault.
pub(super) fn decide_interaction(
    first: InteractionParty,
    is_dismissed: bool,
    interactor: &RunOutcome,
    submission: &RunOutcome,
) -> InteractionDecision {
    let has_judged = interactor.limit.is_none() && matches!(interactor.exit, ProcessExit::Code(_));
    if is_dismissed && has_judged {
        return InteractionDecision::Interactor;
    }
    let has_left_first = first == InteractionParty::Submission;
    let has_failed = submission.limit.is_some() || has_left_first && !submission.exit.is_success();
    let has_waited = interactor.limit == Some(LimitHit::WallTime) && submission.limit == Some(LimitHit::CpuTime);
    if has_failed && (has_judged || has_left_first || has_waited) {
        InteractionDecision::Submission
    } else if has_judged {
        InteractionDecision::Interactor
    } else if has_left_first && interactor.limit.is_none() && interactor.exit == ProcessExit::Signal(SIGPIPE) {
        InteractionDecision::SubmissionLeftEarly
    } else {
        InteractionDecision::InteractorFailed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use InteractionDecision::{Interactor, InteractorFailed, Submission, SubmissionLeftEarly};

    /// Returns an outcome for an exit status, the name of a signal, or a limit.
    fn test_outcome(end: &str) -> RunOutcome {
        let (exit, limit) = match end {
            "cpu" => (ProcessExit::Signal(9), Some(LimitHit::CpuTime)),
            "wall" => (ProcessExit::Signal(9), Some(LimitHit::WallTime)),
            "output" => (ProcessExit::Signal(13), Some(LimitHit::Output)),
            "pipe" => (ProcessExit::Signal(13), None),
            "crash" => (ProcessExit::Signal(11), None),
            code => (ProcessExit::Code(code.parse().unwrap_or_default()), None),
        };
        let (output, stderr, files) = Default::default();
        RunOutcome { exit, limit, cpu_time_us: 0, wall_time_us: 0, memory_peak_bytes: 0, output, stderr, files }
    }

    #[test]
    fn first_party_to_leave_and_its_exit_decide() {
        let (i, s) = (InteractionParty::Interactor, InteractionParty::Submission);
        let cases = [
            // Both end normally.
            (i, "42", "0", Interactor),
            (s, "42", "0", Interactor),
            (s, "43", "0", Interactor),
            // The interactor has judged, and the submission has no partner any more.
            (i, "43", "pipe", Interactor),
            (i, "43", "1", Interactor),
            (i, "42", "crash", Interactor),
            // The submission reached a limit all the same.
            (i, "43", "cpu", Submission),
            (i, "42", "output", Submission),
            // The submission fails by itself, whatever happens to the interactor.
            (s, "43", "crash", Submission),
            (s, "42", "1", Submission),
            (s, "pipe", "crash", Submission),
            (s, "crash", "cpu", Submission),
            (s, "43", "wall", Submission),
            (s, "wall", "wall", Submission),
            // It closed its input, and was killed by its own output.
            (s, "pipe", "pipe", Submission),
            // It leaves too early.
            (s, "pipe", "0", SubmissionLeftEarly),
            // The interactor fails.
            (i, "crash", "0", InteractorFailed),
            (i, "cpu", "pipe", InteractorFailed),
            (i, "crash", "wall", InteractorFailed),
            (i, "wall", "wall", InteractorFailed),
            (i, "wall", "0", InteractorFailed),
            // It waited for a submission that was computing.
            (i, "wall", "cpu", Submission),
            (i, "pipe", "1", InteractorFailed),
            (s, "crash", "0", InteractorFailed),
            (s, "wall", "0", InteractorFailed),
        ];
        for (first, interactor, submission, expected) in cases {
            let decided = decide_interaction(first, false, &test_outcome(interactor), &test_outcome(submission));
            assert_eq!(decided, expected, "{first:?} {interactor} {submission}");
        }
        for submission in ["cpu", "wall", "output", "crash", "1", "0"] {
            assert_eq!(decide_interaction(i, true, &test_outcome("43"), &test_outcome(submission)), Interactor);
            assert_ne!(decide_interaction(i, true, &test_outcome("output"), &test_outcome(submission)), Interactor);
        }
    }
}
