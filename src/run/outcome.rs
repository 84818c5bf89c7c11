//! How a process ended. Nothing here says whether its output is right.

use super::signal::{signal_name, signal_words};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// How a process ended by itself, or was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    /// It exited with this status, 0 to 255.
    Code(i32),
    /// This signal killed it.
    Signal(i32),
}

impl Exit {
    /// Whether it exited with status 0.
    pub fn is_success(self) -> bool {
        self == Exit::Code(0)
    }
}

/// `exit status 3`, or the signal in words.
impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Exit::Code(code) => write!(f, "exit status {code}"),
            Exit::Signal(signal) => write!(f, "{} ({})", signal_words(signal), signal_name(signal)),
        }
    }
}

/// A limit that a run reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitHit {
    /// Too much processor time.
    CpuTime,
    /// Too long on the wall clock, see [`Outcome::is_idle`].
    WallTime,
    /// Too much memory.
    Memory,
    /// Too much written to the output or to the error stream.
    Output,
}

/// All that is known about one finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended. If a limit was reached, this is how we ended it.
    pub exit: Exit,
    /// The limit that was reached, if one was.
    pub limit: Option<LimitHit>,
    /// Processor time of the process and of everything it started, user and system.
    pub cpu_time_us: u64,
    /// From its start to its end on the wall clock; where the limit on it was reached, without what was spent waiting for a
    /// processor.
    pub wall_time_us: u64,
    /// Peak of resident memory, that of the largest process. The kernel starts the count at what the *starting*
    /// process held, so a program smaller than a spawner (a few MiB) is shown as large as that.
    pub memory_peak_bytes: u64,
    /// What it wrote to the output, at most as much as the limit allows.
    pub output: Vec<u8>,
    /// The end of what it wrote to the error stream, at most 64 KiB.
    pub stderr: Vec<u8>,
    /// The files that it brought back (see [`Luggage`](super::Luggage)), by their names in the folder of the run. What
    /// was more than the output limit is left out, and that limit is reached.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Outcome {
    /// Whether it reached no limit and exited with status 0: only then is its output worth a judgement.
    pub fn is_success(&self) -> bool {
        self.limit.is_none() && self.exit.is_success()
    }

    /// Whether it ended by itself just after its processor time was over, in the shortest of several runs: so close to
    /// the limit that another machine, or this one at rest, may say otherwise.
    pub fn is_close(&self) -> bool {
        self.limit == Some(LimitHit::CpuTime) && matches!(self.exit, Exit::Code(_))
    }

    /// Whether it was stopped on the wall clock while it hardly computed: it slept, or waited for something.
    pub fn is_idle(&self) -> bool {
        self.limit == Some(LimitHit::WallTime) && self.cpu_time_us.saturating_mul(10) < self.wall_time_us
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exits_read_as_words() {
        assert_eq!(Exit::Code(3).to_string(), "exit status 3");
        assert_eq!(Exit::Signal(11).to_string(), "invalid memory access (SIGSEGV)");
    }
}
