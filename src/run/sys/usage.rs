//! What a process used.

/// How a process ended and what it used, as `wait4` tells it.
#[derive(Clone, Copy, Debug)]
pub(in crate::run) struct Usage {
    /// The wait status, undecoded.
    pub(in crate::run) status: i32,
    /// User and system time, with that of the descendants it waited for.
    pub(in crate::run) cpu_time_us: u64,
    /// Peak resident memory, see [`Outcome::memory_peak_bytes`](crate::run::Outcome::memory_peak_bytes).
    pub(in crate::run) memory_peak_bytes: u64,
}

impl Usage {
    /// From the status and the resource usage of one process.
    #[cfg(unix)]
    pub(super) fn new(status: i32, usage: &libc::rusage) -> Self {
        Usage {
            status,
            cpu_time_us: micros(usage.ru_utime) + micros(usage.ru_stime),
            memory_peak_bytes: peak_bytes(usage),
        }
    }
}

#[cfg(unix)]
fn micros(time: libc::timeval) -> u64 {
    time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64
}

/// macOS counts bytes, the others kibibytes.
#[cfg(unix)]
fn peak_bytes(usage: &libc::rusage) -> u64 {
    usage.ru_maxrss as u64 * if cfg!(target_os = "macos") { 1 } else { 1024 }
}

/// The most resident memory that this process ever had.
#[cfg(unix)]
pub(in crate::run) fn own_memory_peak_bytes() -> u64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `usage` is a valid place for a `rusage`, and zeros are a valid `rusage` should the call fail.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    peak_bytes(&usage)
}

/// Not known here.
#[cfg(not(unix))]
pub(in crate::run) fn own_memory_peak_bytes() -> u64 {
    0
}
