//! What the kernel tells about a process while it runs.

/// The peak of its resident memory up to now, and what of its memory is in files of no name, or no file; 0 if
/// the system does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Memory {
    pub(super) peak_bytes: u64,
    pub(super) own_bytes: u64,
}

#[cfg(target_os = "linux")]
pub(super) use linux::{cpu_time_us, memory, reaped_cpu_time_us, shared_memory_bytes, waiting_time};
#[cfg(not(target_os = "linux"))]
pub(super) use portable::{memory, reaped_cpu_time_us, waiting_time};

#[cfg(target_os = "linux")]
mod linux {
    use super::Memory;
    use std::fs;
    use std::time::Duration;

    /// The kernel tells processor times in hundredths of a second, whatever its own clock is.
    const TICK_US: u64 = 10_000;

    /// See [`Memory`].
    pub(in crate::run::supervise) fn memory(pid: i32) -> Memory {
        let status = read(pid, "status");
        let bytes = |name| kibibytes(&status, name) * 1024;
        Memory { peak_bytes: bytes("VmHWM:"), own_bytes: bytes("RssAnon:") + bytes("RssShmem:") }
    }

    /// Its resident memory, what it shares with others divided among them.
    pub(in crate::run::supervise) fn shared_memory_bytes(pid: i32) -> u64 {
        kibibytes(&read(pid, "smaps_rollup"), "Pss:") * 1024
    }

    /// How long it was ready to run, and others ran instead: that of all threads together, for those of a virtual machine wait
    /// for each other. Where they waited side by side this is too much, which only gives the program more time.
    pub(in crate::run::supervise) fn waiting_time(pid: i32) -> Duration {
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        let waited = threads.filter_map(|thread| {
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split_whitespace().nth(1)?.parse().ok()
        });
        Duration::from_nanos(waited.fold(0, u64::saturating_add))
    }

    /// The processor time of its threads, and of the children it has taken note of.
    pub(in crate::run::supervise) fn cpu_time_us(pid: i32) -> u64 {
        let times = times(&read(pid, "stat"));
        times.iter().sum::<u64>() * TICK_US
    }

    /// The processor time of the children it has taken note of.
    pub(in crate::run::supervise) fn reaped_cpu_time_us(pid: i32) -> u64 {
        let [_, _, user, system] = times(&read(pid, "stat"));
        (user + system) * TICK_US
    }

    /// A file about a process; empty if it has gone.
    fn read(pid: i32, name: &str) -> String {
        fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap_or_default()
    }

    /// `VmHWM:     1234 kB`; 0 where there is no such line.
    fn kibibytes(text: &str, name: &str) -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    }

    /// User and system time of its own, then of its children, in ticks.
    fn times(stat: &str) -> [u64; 4] {
        // The name may contain anything; the times are the 14th and following fields, and the second is the name.
        let mut fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11);
        std::array::from_fn(|_| fields.next().and_then(|field| field.parse().ok()).unwrap_or(0))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn reads_what_the_kernel_writes() {
            assert_eq!(kibibytes("Name:\tsol\nVmHWM:\t    2048 kB\n", "VmHWM:"), 2048);
            assert_eq!(kibibytes("Name:\tsol\nState:\tZ (zombie)\n", "VmHWM:"), 0);
            let stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 99 0 0 0 5 6 7 8 20 0 1 0 100";
            assert_eq!(times(stat), [5, 6, 7, 8]);
            assert_eq!(times(""), [0; 4]);
            let own = rustix::process::getpid().as_raw_nonzero().get();
            assert!(memory(own).peak_bytes >= memory(own).own_bytes && memory(own).own_bytes > 0);
        }

        #[test]
        fn no_thread_waited_longer_than_the_process() {
            let own = rustix::process::getpid().as_raw_nonzero().get();
            let first = read(own, "schedstat").split_whitespace().nth(1).and_then(|ns| ns.parse().ok());
            assert!(waiting_time(own) >= Duration::from_nanos(first.unwrap_or(0)));
            assert_eq!(waiting_time(-1), Duration::ZERO, "there is no such process");
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod portable {
    use super::Memory;
    use std::time::Duration;

    /// Not known here.
    pub(in crate::run::supervise) fn memory(_: i32) -> Memory {
        Memory::default()
    }

    /// Not known here.
    pub(in crate::run::supervise) fn waiting_time(_: i32) -> Duration {
        Duration::ZERO
    }

    /// Not known here.
    pub(in crate::run::supervise) fn reaped_cpu_time_us(_: i32) -> u64 {
        0
    }
}
