//! The outcome of a run: how a process ended, not whether its output is right.

use super::signal::{signal_description, signal_name};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProcessExit {
    /// It exited with this status, 0 to 255.
    Code(i32),
    /// It was killed by this signal.
    Signal(i32),
}

impl ProcessExit {
    /// Returns true if it exited with status 0.
    pub fn is_success(self) -> bool {
        self == ProcessExit::Code(0)
    }
}

/// `exit status 3`, or a description of the signal.
impl fmt::Display for ProcessExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ProcessExit::Code(code) => write!(f, "exit status {code}"),
            ProcessExit::Signal(signal) => write!(f, "{} ({})", signal_description(signal), signal_name(signal)),
        }
    }
}

/// A limit that a run reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitHit {
    /// Too much processor time.
    CpuTime,
    /// Too much wall time, see [`RunOutcome::is_idle`].
    WallTime,
    /// Too much memory.
    Memory,
    /// Too much written to the output or to the error stream.
    Output,
}

/// The facts about one finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOutcome {
    /// How it ended. If a limit was reached, how rebut ended it.
    pub exit: ProcessExit,
    /// The limit that was reached, if any.
    pub limit: Option<LimitHit>,
    /// Processor time of the process and its descendants, user and system.
    pub cpu_time_us: u64,
    /// Elapsed time; if the wall time limit was reached, without time spent waiting for a processor.
    pub wall_time_us: u64,
    /// Peak of resident memory of the largest process. The kernel starts the count at the size of the *starting*
    /// process, so a program smaller than a spawner (a few MiB) is reported as that size.
    pub memory_peak_bytes: u64,
    /// Its output, at most as long as the limit.
    pub output: Vec<u8>,
    /// The end of its error stream, at most 64 KiB.
    pub stderr: Vec<u8>,
    /// The collected files (see [`RunFiles`](super::RunFiles)), by their names in the folder of the run. Files beyond
    /// the output limit are omitted, and that limit counts as reached.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
}

impl RunOutcome {
    /// Returns true if it reached no limit and exited with status 0: only then is its output judged.
    pub fn is_success(&self) -> bool {
        self.limit.is_none() && self.exit.is_success()
    }

    /// Returns true if it ended by itself just after its time limit, in the fastest of several runs: so close to the
    /// limit that the result can differ on another machine, or on this one when it is idle.
    pub fn is_near_time_limit(&self) -> bool {
        self.limit == Some(LimitHit::CpuTime) && matches!(self.exit, ProcessExit::Code(_))
    }

    /// Returns true if it was stopped by the wall time limit while it hardly computed: it slept, or waited for
    /// something.
    pub fn is_idle(&self) -> bool {
        self.limit == Some(LimitHit::WallTime) && self.cpu_time_us.saturating_mul(10) < self.wall_time_us
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exits_are_displayed_in_words() {
        assert_eq!(ProcessExit::Code(3).to_string(), "exit status 3");
        assert_eq!(ProcessExit::Signal(11).to_string(), "invalid memory access (SIGSEGV)");
    }
}
