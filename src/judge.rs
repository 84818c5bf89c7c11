//! What an outcome and a judgement mean together: layer 4, a table and nothing else.

use crate::run::{Exit, LimitHit, Outcome};
use crate::verdict::Verdict;
use rebut_checkers::Judgement;

/// The verdict on one run, and the judgement it rests on where one was needed.
///
/// The checker is asked only about a run that ended well: what a program wrote before it crashed is not
/// an answer. A mismatch in presentation alone is a wrong answer, as ICPC rules have it; a problem that
/// tells them apart turns [`Verdict::WrongAnswer`] into [`Verdict::PresentationError`] itself.
pub fn judge(outcome: &Outcome, judgement: impl FnOnce() -> Judgement) -> (Verdict, Option<Judgement>) {
    if let Some(verdict) = judge_outcome(outcome) {
        return (verdict, None);
    }
    let judgement = judgement();
    let verdict = match &judgement {
        Judgement::Accepted => Verdict::Accepted,
        Judgement::Wrong(_) => Verdict::WrongAnswer,
        Judgement::Failed(_) => Verdict::JudgeError,
    };
    (verdict, Some(judgement))
}

/// The verdict that follows from the way a run ended, or `None` if its output decides.
pub fn judge_outcome(outcome: &Outcome) -> Option<Verdict> {
    match (outcome.limit, outcome.exit) {
        (Some(LimitHit::CpuTime | LimitHit::WallTime), _) => Some(Verdict::TimeLimit),
        (Some(LimitHit::Memory), _) => Some(Verdict::MemoryLimit),
        (Some(LimitHit::Output), _) => Some(Verdict::OutputLimit),
        (None, Exit::Code(0)) => None,
        (None, _) => Some(Verdict::RuntimeError),
    }
}

/// What must stay the same while a failing input shrinks.
///
/// The verdict is not enough: an input on which a submission divides by zero must not shrink to one on which
/// it reads a number that is not there. Exit statuses are one class, because languages put no meaning into
/// them; signals are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FailureKind {
    verdict: Verdict,
    signal: Option<i32>,
}

impl FailureKind {
    /// The kind of a run that ended like this and got this verdict.
    pub fn new(verdict: Verdict, outcome: &Outcome) -> Self {
        let signal = match outcome.exit {
            Exit::Signal(signal) if verdict == Verdict::RuntimeError => Some(signal),
            _ => None,
        };
        FailureKind { verdict, signal }
    }

    /// The kind of a failure of which only the verdict is known.
    pub fn of_verdict(verdict: Verdict) -> Self {
        FailureKind { verdict, signal: None }
    }

    /// Its verdict.
    pub fn verdict(self) -> Verdict {
        self.verdict
    }
}

/// Whether two failures are of the same kind.
pub fn same_failure(a: FailureKind, b: FailureKind) -> bool {
    a == b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(exit: Exit, limit: Option<LimitHit>) -> Outcome {
        Outcome {
            exit,
            limit,
            cpu_time_us: 0,
            wall_time_us: 0,
            memory_peak_bytes: 0,
            output: Vec::new(),
            files: Default::default(),
            stderr: Vec::new(),
        }
    }

    fn verdict(exit: Exit, limit: Option<LimitHit>, judgement: Judgement) -> &'static str {
        judge(&outcome(exit, limit), || judgement).0.code()
    }

    #[test]
    fn the_table() {
        let wrong = || Judgement::Wrong(rebut_checkers::Mismatch { presentation: true, ..Default::default() });
        assert_eq!(verdict(Exit::Code(0), None, Judgement::Accepted), "AC");
        assert_eq!(verdict(Exit::Code(0), None, wrong()), "WA");
        assert_eq!(verdict(Exit::Code(0), None, Judgement::Failed(String::new())), "JE");
        assert_eq!(verdict(Exit::Code(1), None, Judgement::Accepted), "RTE");
        assert_eq!(verdict(Exit::Signal(11), None, Judgement::Accepted), "RTE");
        assert_eq!(verdict(Exit::Signal(9), Some(LimitHit::CpuTime), wrong()), "TLE");
        assert_eq!(verdict(Exit::Signal(9), Some(LimitHit::WallTime), wrong()), "TLE");
        assert_eq!(verdict(Exit::Signal(9), Some(LimitHit::Memory), wrong()), "MLE");
        assert_eq!(verdict(Exit::Code(0), Some(LimitHit::Output), Judgement::Accepted), "OLE");
    }

    #[test]
    fn a_crash_is_never_shown_to_the_checker() {
        let (verdict, judgement) = judge(&outcome(Exit::Code(1), None), || unreachable!("it crashed"));
        assert_eq!((verdict, judgement), (Verdict::RuntimeError, None));
    }

    #[test]
    fn signals_tell_crashes_apart_and_exit_statuses_do_not() {
        let kind = |exit| FailureKind::new(Verdict::RuntimeError, &outcome(exit, None));
        assert!(same_failure(kind(Exit::Code(1)), kind(Exit::Code(2))));
        assert!(!same_failure(kind(Exit::Signal(11)), kind(Exit::Signal(8))));
        assert!(!same_failure(kind(Exit::Code(1)), kind(Exit::Signal(8))));
    }
}
