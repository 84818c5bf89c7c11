//! The exit statuses of the process. Their numbers are defined only here.

use rebut_diagnostics::{Error, ErrorKind};
use rebut_engine::event::EndReason;
use rebut_packages::verdict::Verdict;
use std::process::{ExitCode, Termination};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// Nothing was found, all expectations are met: 0.
    Success,
    /// A counterexample was found, or an expectation is unmet: 1.
    Found,
    /// The command line, a format or a package is wrong: 2.
    Usage,
    /// The reference, a checker or a validator failed: 3.
    Judge,
    /// The system failed, such as a missing compiler or a full disk: 4.
    Operating,
    /// The user interrupted: 130.
    Interrupted,
}

impl ExitStatus {
    /// Returns the exit code of the process.
    pub fn exit_code(self) -> u8 {
        match self {
            ExitStatus::Success => 0,
            ExitStatus::Found => 1,
            ExitStatus::Usage => 2,
            ExitStatus::Judge => 3,
            ExitStatus::Operating => 4,
            ExitStatus::Interrupted => 130,
        }
    }

    /// Returns the status for an error.
    pub fn from_error(error: &Error) -> ExitStatus {
        match error.kind() {
            ErrorKind::Usage => ExitStatus::Usage,
            ErrorKind::Judge => ExitStatus::Judge,
            ErrorKind::Operating => ExitStatus::Operating,
            ErrorKind::Interrupted => ExitStatus::Interrupted,
        }
    }

    /// Returns the status of one of several shards. An interrupted one has kept its finished blocks.
    pub(super) fn from_shard(reason: EndReason) -> ExitStatus {
        if reason == EndReason::Interrupted { ExitStatus::Interrupted } else { ExitStatus::Success }
    }

    /// Returns the status of a search that ended for the given reason with findings of these verdicts. An interrupt
    /// takes precedence, then judge errors: a script that reads 1 can rely on a counterexample.
    pub fn from_search(reason: EndReason, verdicts: &[Verdict]) -> ExitStatus {
        if reason == EndReason::Interrupted {
            ExitStatus::Interrupted
        } else if verdicts.contains(&Verdict::JudgeError) {
            ExitStatus::Judge
        } else if verdicts.is_empty() {
            ExitStatus::Success
        } else {
            ExitStatus::Found
        }
    }
}

impl Termination for ExitStatus {
    fn report(self) -> ExitCode {
        ExitCode::from(self.exit_code())
    }
}
