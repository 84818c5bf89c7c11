//! The exit statuses; nobody else knows the numbers.

use crate::campaign::Reason;
use crate::diagnostic::{Error, ErrorKind};
use crate::verdict::Verdict;
use std::process::{ExitCode, Termination};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Expectations met, nothing found: 0.
    Fine,
    /// A counterexample was found, or an expectation is unmet: 1.
    Found,
    /// The command line, a format or a package is wrong: 2.
    Usage,
    /// The reference, a checker or a validator failed: 3.
    Judge,
    /// The machine failed: 4.
    Operating,
    /// The user asked to stop: 130.
    Interrupted,
}

impl Status {
    /// The number that the process exits with.
    pub fn code(self) -> u8 {
        match self {
            Status::Fine => 0,
            Status::Found => 1,
            Status::Usage => 2,
            Status::Judge => 3,
            Status::Operating => 4,
            Status::Interrupted => 130,
        }
    }

    /// The status that an error leads to.
    pub fn of_error(error: &Error) -> Status {
        match error.kind() {
            ErrorKind::Usage => Status::Usage,
            ErrorKind::Judge => Status::Judge,
            ErrorKind::Operating => Status::Operating,
            ErrorKind::Interrupted => Status::Interrupted,
        }
    }

    /// The status of a search that ended for a reason, with findings of these verdicts. What the user did comes
    /// first, then what failed on our side: a script that reads 1 can rely on a counterexample.
    pub fn of_search(reason: Reason, verdicts: &[Verdict]) -> Status {
        if reason == Reason::Interrupted {
            Status::Interrupted
        } else if verdicts.contains(&Verdict::JudgeError) {
            Status::Judge
        } else if verdicts.is_empty() {
            Status::Fine
        } else {
            Status::Found
        }
    }
}

impl Termination for Status {
    fn report(self) -> ExitCode {
        ExitCode::from(self.code())
    }
}
