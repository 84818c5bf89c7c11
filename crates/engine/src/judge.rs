//! Derives the verdict on a run from its outcome and the checker's judgement.
//!
//! The principal function is [`judge_run`]. [`FailureKind`] is what must not change while a failing input is shrunk.
//!
//! ```
//! use rebut_engine::judge::judge_run;
//! use rebut_sandbox::{ProcessExit, RunOutcome};
//! use rebut_packages::verdict::Verdict;
//! use rebut_checkers::Checker;
//! use std::collections::BTreeMap;
//!
//! let outcome = RunOutcome {
//!     exit: ProcessExit::Code(0),
//!     limit: None,
//!     cpu_time_us: 1200,
//!     wall_time_us: 1500,
//!     memory_peak_bytes: 4 << 20,
//!     output: b"8\n".to_vec(),
//!     stderr: Vec::new(),
//!     files: BTreeMap::new(),
//! };
//! let checker = Checker::parse("tokens")?;
//! let (verdict, _) = judge_run(&outcome, || checker.check(b"2\n5 3\n", b"8\n", &outcome.output));
//! assert_eq!(verdict, Verdict::Accepted);
//!
//! let crashed = RunOutcome { exit: ProcessExit::Code(1), ..outcome };
//! let (verdict, _) = judge_run(&crashed, || unreachable!("the output of a crash is not judged"));
//! assert_eq!(verdict, Verdict::RuntimeError);
//! # Ok::<(), String>(())
//! ```

use rebut_checkers::Judgement;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{LimitHit, ProcessExit, RunOutcome};
use serde::{Deserialize, Serialize};

/// Returns the verdict on one run, and the checker's judgement if it was needed.
///
/// The checker only sees the output of a run that exited normally: output before a crash is not an answer. A mismatch
/// in presentation alone is a wrong answer, as in the ICPC rules; problems that distinguish it map
/// [`Verdict::WrongAnswer`] to [`Verdict::PresentationError`] themselves.
pub fn judge_run(outcome: &RunOutcome, judgement: impl FnOnce() -> Judgement) -> (Verdict, Option<Judgement>) {
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

/// Returns the verdict that follows from the way a run ended, or `None` if it depends on the output.
pub fn judge_outcome(outcome: &RunOutcome) -> Option<Verdict> {
    match (outcome.limit, outcome.exit) {
        (Some(LimitHit::CpuTime | LimitHit::WallTime), _) => Some(Verdict::TimeLimit),
        (Some(LimitHit::Memory), _) => Some(Verdict::MemoryLimit),
        (Some(LimitHit::Output), _) => Some(Verdict::OutputLimit),
        (None, ProcessExit::Code(0)) => None,
        (None, _) => Some(Verdict::RuntimeError),
    }
}

/// The properties of a failure that must not change while its input is shrunk.
///
/// The verdict alone is not enough: an input on which a submission divides by zero must not shrink to one on which it
/// reads past the end of the input. All exit statuses are one class, because languages assign no meaning to them;
/// signals are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FailureKind {
    verdict: Verdict,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
}

impl FailureKind {
    /// Returns the kind of a failure with this verdict and outcome.
    pub fn new(verdict: Verdict, outcome: &RunOutcome) -> Self {
        let signal = match outcome.exit {
            ProcessExit::Signal(signal) if verdict == Verdict::RuntimeError => Some(signal),
            _ => None,
        };
        FailureKind { verdict, signal }
    }

    /// Returns the kind of a failure of which only the verdict is known.
    pub fn from_verdict(verdict: Verdict) -> Self {
        FailureKind { verdict, signal: None }
    }

    /// Returns the verdict.
    pub fn verdict(self) -> Verdict {
        self.verdict
    }
}

/// Describes how a process ended, as the predicate of a sentence: `exited with status 1`.
pub fn describe_outcome(outcome: &RunOutcome) -> String {
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

    fn test_outcome(exit: ProcessExit, limit: Option<LimitHit>) -> RunOutcome {
        RunOutcome {
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

    fn judged_code(exit: ProcessExit, limit: Option<LimitHit>, judgement: Judgement) -> &'static str {
        judge_run(&test_outcome(exit, limit), || judgement).0.code()
    }

    #[test]
    fn outcome_maps_to_verdict() {
        let wrong = || Judgement::Wrong(rebut_checkers::Mismatch { presentation: true, ..Default::default() });
        assert_eq!(judged_code(ProcessExit::Code(0), None, Judgement::Accepted), "AC");
        assert_eq!(judged_code(ProcessExit::Code(0), None, wrong()), "WA");
        assert_eq!(judged_code(ProcessExit::Code(0), None, Judgement::Failed(String::new())), "JE");
        assert_eq!(judged_code(ProcessExit::Code(1), None, Judgement::Accepted), "RTE");
        assert_eq!(judged_code(ProcessExit::Signal(11), None, Judgement::Accepted), "RTE");
        assert_eq!(judged_code(ProcessExit::Signal(9), Some(LimitHit::CpuTime), wrong()), "TLE");
        assert_eq!(judged_code(ProcessExit::Signal(9), Some(LimitHit::WallTime), wrong()), "TLE");
        assert_eq!(judged_code(ProcessExit::Signal(9), Some(LimitHit::Memory), wrong()), "MLE");
        assert_eq!(judged_code(ProcessExit::Code(0), Some(LimitHit::Output), Judgement::Accepted), "OLE");
    }

    #[test]
    fn a_crash_is_never_shown_to_the_checker() {
        let (verdict, judgement) = judge_run(&test_outcome(ProcessExit::Code(1), None), || unreachable!("it crashed"));
        assert_eq!((verdict, judgement), (Verdict::RuntimeError, None));
    }

    #[test]
    fn signals_distinguish_crashes_but_exit_statuses_do_not() {
        let kind = |exit| FailureKind::new(Verdict::RuntimeError, &test_outcome(exit, None));
        assert_eq!(kind(ProcessExit::Code(1)), kind(ProcessExit::Code(2)));
        assert_ne!(kind(ProcessExit::Signal(11)), kind(ProcessExit::Signal(8)));
        assert_ne!(kind(ProcessExit::Code(1)), kind(ProcessExit::Signal(8)));
    }

    #[test]
    fn run_just_over_the_time_limit_is_described_as_uncertain() {
        let words = |exit: ProcessExit, limit: Option<LimitHit>| {
            describe_outcome(&RunOutcome {
                cpu_time_us: 2_100_000,
                wall_time_us: 2_200_000,
                ..test_outcome(exit, limit)
            })
        };
        let near = words(ProcessExit::Code(0), Some(LimitHit::CpuTime));
        assert!(near.starts_with("used 2.10 s of processor time in the shortest"), "{near}");
        assert_eq!(words(ProcessExit::Signal(9), Some(LimitHit::CpuTime)), "used more processor time than its limit");
        assert_eq!(words(ProcessExit::Code(3), None), "exited with status 3");
    }
}
