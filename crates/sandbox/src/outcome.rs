//! The outcome of a run: how a process ended, not whether its output is right.

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
    /// Returns the outcome of a program that need not run: it exits with 0, and takes and prints nothing.
    pub fn not_run() -> RunOutcome {
        RunOutcome {
            exit: ProcessExit::Code(0),
            limit: None,
            cpu_time_us: 0,
            wall_time_us: 0,
            memory_peak_bytes: 0,
            output: Vec::new(),
            stderr: Vec::new(),
            files: BTreeMap::new(),
        }
    }

    /// Returns true if it reached no limit and exited with status 0: only then is its output judged.
    pub fn is_success(&self) -> bool {
        self.limit.is_none() && self.exit.is_success()
    }

    /// Returns true if it ended by itself just after its time limit, in the fastest of several runs: so close to the
    /// limit that the result can differ on another machine, or on this one when it is idle.
    pub fn is_near_time_limit(&self) -> bool {
        self.limit == Some(LimitHit::CpuTime) && matches!(self.exit, ProcessExit::Code(_))
    }

    /// Returns true if it was stopped when it had used its processor time, with the slack: it may never end.
    pub fn is_stopped_for_time(&self) -> bool {
        self.limit == Some(LimitHit::CpuTime) && !matches!(self.exit, ProcessExit::Code(_))
    }

    /// Returns true if it was stopped by the wall time limit while it hardly computed: it slept, or waited for
    /// something.
    pub fn is_idle(&self) -> bool {
        self.limit == Some(LimitHit::WallTime) && self.cpu_time_us.saturating_mul(10) < self.wall_time_us
    }
}

// The names of signals, and descriptions of them in plain words.

/// Number, name and description of the signals with the same number on every architecture.
const SIGNALS: &[(i32, &str, &str)] = &[
    (1, "SIGHUP", "hang-up"),
    (2, "SIGINT", "interrupt"),
    (3, "SIGQUIT", "quit"),
    (4, "SIGILL", "illegal instruction"),
    (5, "SIGTRAP", "trap"),
    (6, "SIGABRT", "abort"),
    (8, "SIGFPE", "division by zero or integer trap"),
    (9, "SIGKILL", "killed"),
    (11, "SIGSEGV", "invalid memory access"),
    (13, "SIGPIPE", "broken pipe"),
    (14, "SIGALRM", "alarm"),
    (15, "SIGTERM", "terminated"),
];

/// The signals with different numbers on different systems, on Linux.
#[cfg(target_os = "linux")]
const SYSTEM_SIGNALS: &[(i32, &str, &str)] = &[
    (libc::SIGBUS, "SIGBUS", "bus error"),
    (libc::SIGSYS, "SIGSYS", "forbidden system call"),
    (libc::SIGXCPU, "SIGXCPU", "processor time exceeded"),
    (libc::SIGXFSZ, "SIGXFSZ", "file size exceeded"),
    (libc::SIGUSR1, "SIGUSR1", "user signal 1"),
    (libc::SIGUSR2, "SIGUSR2", "user signal 2"),
    (libc::SIGSTKFLT, "SIGSTKFLT", "stack fault"),
    (libc::SIGVTALRM, "SIGVTALRM", "virtual alarm"),
    (libc::SIGPROF, "SIGPROF", "profiling alarm"),
    (libc::SIGIO, "SIGIO", "input or output possible"),
    (libc::SIGPWR, "SIGPWR", "power failure"),
];

/// The signals with different numbers on different systems, on BSD and macOS.
#[cfg(not(target_os = "linux"))]
const SYSTEM_SIGNALS: &[(i32, &str, &str)] = &[
    (10, "SIGBUS", "bus error"),
    (12, "SIGSYS", "forbidden system call"),
    (24, "SIGXCPU", "processor time exceeded"),
    (25, "SIGXFSZ", "file size exceeded"),
    (30, "SIGUSR1", "user signal 1"),
    (31, "SIGUSR2", "user signal 2"),
];

fn find_signal(signal: i32) -> Option<&'static (i32, &'static str, &'static str)> {
    SIGNALS.iter().chain(SYSTEM_SIGNALS).find(|entry| entry.0 == signal)
}

/// Returns the signal's name, such as `SIGSEGV`; `SIG?` for a number without a name.
pub fn signal_name(signal: i32) -> &'static str {
    find_signal(signal).map_or("SIG?", |entry| entry.1)
}

/// Returns a description of the signal, such as `invalid memory access`.
pub fn signal_description(signal: i32) -> &'static str {
    find_signal(signal).map_or("an uncommon signal", |entry| entry.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exits_are_displayed_in_words() {
        assert_eq!(ProcessExit::Code(3).to_string(), "exit status 3");
        assert_eq!(ProcessExit::Signal(11).to_string(), "invalid memory access (SIGSEGV)");
    }

    #[test]
    fn crash_signals_have_descriptions() {
        assert_eq!((signal_name(11), signal_description(11)), ("SIGSEGV", "invalid memory access"));
        assert_eq!((signal_name(6), signal_description(6)), ("SIGABRT", "abort"));
        assert_eq!((signal_name(8), signal_description(8)), ("SIGFPE", "division by zero or integer trap"));
        assert_eq!(signal_name(63), "SIG?");
    }

    #[test]
    fn no_number_has_two_names() {
        let all: Vec<i32> = SIGNALS.iter().chain(SYSTEM_SIGNALS).map(|entry| entry.0).collect();
        let distinct: std::collections::BTreeSet<i32> = all.iter().copied().collect();
        assert_eq!(all.len(), distinct.len());
    }
}
