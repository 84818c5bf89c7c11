//! The resources used by a process.

/// How a process ended and the resources that it used, as reported by `wait4`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessUsage {
    /// The wait status, undecoded.
    pub(crate) status: i32,
    /// User and system time, including that of descendants it waited for.
    pub(crate) cpu_time_us: u64,
    /// Peak resident memory, see [`RunOutcome::memory_peak_bytes`](crate::RunOutcome::memory_peak_bytes).
    pub(crate) memory_peak_bytes: u64,
}

impl ProcessUsage {
    /// Combines the status and the resource usage of one process.
    #[cfg(unix)]
    pub(super) fn new(status: i32, usage: &libc::rusage) -> Self {
        ProcessUsage {
            status,
            cpu_time_us: to_micros(usage.ru_utime) + to_micros(usage.ru_stime),
            memory_peak_bytes: peak_bytes(usage),
        }
    }
}

#[cfg(unix)]
fn to_micros(time: libc::timeval) -> u64 {
    time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64
}

/// macOS counts bytes, other systems count kibibytes.
#[cfg(unix)]
fn peak_bytes(usage: &libc::rusage) -> u64 {
    usage.ru_maxrss as u64 * if cfg!(target_os = "macos") { 1 } else { 1024 }
}

/// Returns this process's own peak of resident memory.
#[cfg(unix)]
pub(crate) fn own_memory_peak_bytes() -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is a valid place for a `rusage`, and zeros are a valid `rusage` should the call fail.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    peak_bytes(&usage)
}

/// Not available on this system.
#[cfg(not(unix))]
pub(crate) fn own_memory_peak_bytes() -> u64 {
    0
}
