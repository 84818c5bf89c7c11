//! Samples the state of a running process from `/proc`.

/// The peak of a process's resident memory so far, and the part of its current memory that is anonymous or shared; 0 if
/// unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MemorySample {
    pub(super) peak_bytes: u64,
    pub(super) own_bytes: u64,
}

#[cfg(target_os = "linux")]
pub(super) use linux::{cpu_time_us, proportional_memory_bytes, reaped_cpu_time_us, sample_memory, scheduling_delay};
#[cfg(not(target_os = "linux"))]
pub(super) use portable::{reaped_cpu_time_us, sample_memory, scheduling_delay};

#[cfg(target_os = "linux")]
mod linux {
    use super::MemorySample;
    use std::fs;
    use std::time::Duration;

    /// The kernel reports processor times in hundredths of a second, regardless of its own clock.
    const CLOCK_TICK_US: u64 = 10_000;

    /// Returns the memory of a process, see [`MemorySample`].
    pub(in crate::supervise) fn sample_memory(pid: i32) -> MemorySample {
        let status = read_proc_file(pid, "status");
        let bytes = |name| parse_kibibytes(&status, name) * 1024;
        MemorySample { peak_bytes: bytes("VmHWM:"), own_bytes: bytes("RssAnon:") + bytes("RssShmem:") }
    }

    /// Returns the resident memory of a process, with shared pages divided among the processes that share them.
    pub(in crate::supervise) fn proportional_memory_bytes(pid: i32) -> u64 {
        parse_kibibytes(&read_proc_file(pid, "smaps_rollup"), "Pss:") * 1024
    }

    /// Returns how long a process was ready to run while others ran. The sum over all threads, because the threads of a
    /// virtual machine wait for each other. Where they waited in parallel the sum is too large, which only gives the
    /// program more time.
    pub(in crate::supervise) fn scheduling_delay(pid: i32) -> Duration {
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        let waited = threads.filter_map(|thread| {
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split_whitespace().nth(1)?.parse().ok()
        });
        Duration::from_nanos(waited.fold(0, u64::saturating_add))
    }

    /// Returns the processor time of a process's threads and of its reaped children.
    pub(in crate::supervise) fn cpu_time_us(pid: i32) -> u64 {
        let times = parse_cpu_ticks(&read_proc_file(pid, "stat"));
        times.iter().sum::<u64>() * CLOCK_TICK_US
    }

    /// Returns the processor time of a process's reaped children.
    pub(in crate::supervise) fn reaped_cpu_time_us(pid: i32) -> u64 {
        let [_, _, user, system] = parse_cpu_ticks(&read_proc_file(pid, "stat"));
        (user + system) * CLOCK_TICK_US
    }

    /// Reads a file about a process; empty if the process is gone.
    fn read_proc_file(pid: i32, name: &str) -> String {
        fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap_or_default()
    }

    /// Parses a line such as `VmHWM:     1234 kB`; 0 if it is missing.
    fn parse_kibibytes(text: &str, name: &str) -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    }

    /// Returns the user and system time of the process, then of its children, in ticks.
    fn parse_cpu_ticks(stat: &str) -> [u64; 4] {
        // The name is the second field and can contain anything; the times start at the 14th.
        let mut fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11);
        std::array::from_fn(|_| fields.next().and_then(|field| field.parse().ok()).unwrap_or(0))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn proc_files_are_parsed() {
            assert_eq!(parse_kibibytes("Name:\tsol\nVmHWM:\t    2048 kB\n", "VmHWM:"), 2048);
            assert_eq!(parse_kibibytes("Name:\tsol\nState:\tZ (zombie)\n", "VmHWM:"), 0);
            let stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 99 0 0 0 5 6 7 8 20 0 1 0 100";
            assert_eq!(parse_cpu_ticks(stat), [5, 6, 7, 8]);
            assert_eq!(parse_cpu_ticks(""), [0; 4]);
            let own = rustix::process::getpid().as_raw_nonzero().get();
            assert!(sample_memory(own).peak_bytes >= sample_memory(own).own_bytes && sample_memory(own).own_bytes > 0);
        }

        #[test]
        fn process_delay_is_at_least_thread_delay() {
            let own = rustix::process::getpid().as_raw_nonzero().get();
            let first = read_proc_file(own, "schedstat").split_whitespace().nth(1).and_then(|ns| ns.parse().ok());
            assert!(scheduling_delay(own) >= Duration::from_nanos(first.unwrap_or(0)));
            assert_eq!(scheduling_delay(-1), Duration::ZERO, "no such process");
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod portable {
    use super::MemorySample;
    use std::time::Duration;

    /// Not available on this system.
    pub(in crate::supervise) fn sample_memory(_: i32) -> MemorySample {
        MemorySample::default()
    }

    /// Not available on this system.
    pub(in crate::supervise) fn scheduling_delay(_: i32) -> Duration {
        Duration::ZERO
    }

    /// Not available on this system.
    pub(in crate::supervise) fn reaped_cpu_time_us(_: i32) -> u64 {
        0
    }
}
