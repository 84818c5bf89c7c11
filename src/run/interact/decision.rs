//! Whose end decides, when two programs that spoke with each other have ended. Pure.
//!
//! The end of one is often the doing of the other: whoever reads from somebody who is gone reads the end of the input and
//! may crash of it, whoever writes is killed by a signal. So what counts is who left first.

use super::Party;
use crate::run::{Exit, LimitHit, Outcome};

/// The signal of writing to somebody who is gone.
const BROKEN_PIPE: i32 = 13;

/// Whose end decides about the submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The exit status of the interactor, however the submission ended.
    Interactor,
    /// The outcome of the submission: it reached a limit, or it crashed by itself.
    Submission,
    /// The submission ended while the interactor still spoke to it, which then had no chance to judge.
    Early,
    /// Nothing does: the interactor failed.
    Failed,
}

/// See [`Decision`]:
///
/// * An interactor that left first and found against the submission has decided: that one was dismissed.
/// * Any other submission that reached a limit has failed, whatever the interactor says of it.
/// * An interactor that reached a limit, or was killed, has failed; unless the submission left first, having failed
///   itself, or it was killed by speaking to a submission that was gone.
/// * If the submission left first and failed, that decides.
/// * An interactor that waited until its time was over, for a submission that computed until its own was, is not to be
///   blamed: on a busy machine that takes longer than either may wait.
/// * In all other cases the interactor does. In particular, if it left first and judged, then a submission that was killed
///   or failed for want of somebody to speak with is not to be blamed for that.
pub(super) fn decide(first: Party, is_dismissed: bool, interactor: &Outcome, submission: &Outcome) -> Decision {
    let has_judged = interactor.limit.is_none() && matches!(interactor.exit, Exit::Code(_));
    if is_dismissed && has_judged {
        return Decision::Interactor;
    }
    let has_left_first = first == Party::Submission;
    let has_failed = submission.limit.is_some() || has_left_first && !submission.exit.is_success();
    let has_waited = interactor.limit == Some(LimitHit::WallTime) && submission.limit == Some(LimitHit::CpuTime);
    if has_failed && (has_judged || has_left_first || has_waited) {
        Decision::Submission
    } else if has_judged {
        Decision::Interactor
    } else if has_left_first && interactor.limit.is_none() && interactor.exit == Exit::Signal(BROKEN_PIPE) {
        Decision::Early
    } else {
        Decision::Failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Decision::{Early, Failed, Interactor, Submission};

    /// An end: an exit status, a signal below 0, or a limit.
    fn outcome(end: &str) -> Outcome {
        let (exit, limit) = match end {
            "cpu" => (Exit::Signal(9), Some(LimitHit::CpuTime)),
            "wall" => (Exit::Signal(9), Some(LimitHit::WallTime)),
            "output" => (Exit::Signal(13), Some(LimitHit::Output)),
            "pipe" => (Exit::Signal(13), None),
            "crash" => (Exit::Signal(11), None),
            code => (Exit::Code(code.parse().unwrap_or_default()), None),
        };
        let (output, stderr, files) = Default::default();
        Outcome { exit, limit, cpu_time_us: 0, wall_time_us: 0, memory_peak_bytes: 0, output, stderr, files }
    }

    #[test]
    fn who_left_first_and_how_decides() {
        let (i, s) = (Party::Interactor, Party::Submission);
        let cases = [
            // In peace.
            (i, "42", "0", Interactor),
            (s, "42", "0", Interactor),
            (s, "43", "0", Interactor),
            // The interactor has judged, and the submission had nobody to speak with.
            (i, "43", "pipe", Interactor),
            (i, "43", "1", Interactor),
            (i, "42", "crash", Interactor),
            // It used up a limit all the same.
            (i, "43", "cpu", Submission),
            (i, "42", "output", Submission),
            // The submission fails by itself, and the interactor says or suffers what it likes.
            (s, "43", "crash", Submission),
            (s, "42", "1", Submission),
            (s, "pipe", "crash", Submission),
            (s, "crash", "cpu", Submission),
            (s, "43", "wall", Submission),
            (s, "wall", "wall", Submission),
            // It closed its input, and was killed by what it wrote.
            (s, "pipe", "pipe", Submission),
            // It leaves too early.
            (s, "pipe", "0", Early),
            // The interactor fails.
            (i, "crash", "0", Failed),
            (i, "cpu", "pipe", Failed),
            (i, "crash", "wall", Failed),
            (i, "wall", "wall", Failed),
            (i, "wall", "0", Failed),
            // It waited for who computed.
            (i, "wall", "cpu", Submission),
            (i, "pipe", "1", Failed),
            (s, "crash", "0", Failed),
            (s, "wall", "0", Failed),
        ];
        for (first, interactor, submission, expected) in cases {
            let decided = decide(first, false, &outcome(interactor), &outcome(submission));
            assert_eq!(decided, expected, "{first:?} {interactor} {submission}");
        }
        for submission in ["cpu", "wall", "output", "crash", "1", "0"] {
            assert_eq!(decide(i, true, &outcome("43"), &outcome(submission)), Interactor);
            assert_ne!(decide(i, true, &outcome("output"), &outcome(submission)), Interactor);
        }
    }
}
