//! The names of signals, and descriptions of them in plain words.

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
