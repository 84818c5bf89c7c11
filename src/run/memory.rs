//! What the kernel tells about a process while it runs.

use super::sys::Child;
use std::time::Duration;

/// The peak of its resident memory up to now; 0 if the system does not say.
#[cfg(target_os = "linux")]
pub(super) fn peak_bytes(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    parse_peak(&status).unwrap_or(0)
}

/// How long it was ready to run, and others ran instead.
#[cfg(target_os = "linux")]
pub(super) fn waiting_time(child: &Child) -> Duration {
    let times = std::fs::read_to_string(format!("/proc/{}/schedstat", child.id())).unwrap_or_default();
    let waited = times.split_whitespace().nth(1).and_then(|ns| ns.parse().ok());
    Duration::from_nanos(waited.unwrap_or(0))
}

/// `VmHWM:     1234 kB`, in bytes.
#[cfg(target_os = "linux")]
fn parse_peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// The peak of its resident memory up to now: not known here.
#[cfg(not(target_os = "linux"))]
pub(super) fn peak_bytes(_: &Child) -> u64 {
    0
}

/// How long it was ready to run, and others ran instead: not known here.
#[cfg(not(target_os = "linux"))]
pub(super) fn waiting_time(_: &Child) -> Duration {
    Duration::ZERO
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn reads_the_peak_from_a_status() {
        assert_eq!(parse_peak("Name:\tsol\nVmHWM:\t    2048 kB\n"), Some(2 << 20));
        assert_eq!(parse_peak("Name:\tsol\nState:\tZ (zombie)\n"), None);
    }
}
