//! Keeping a thread, and whatever it starts, on one processor.
//!
//! A run is a relay: a worker asks a spawner, which asks a fork server, which makes a copy, and each waits for the next.
//! Where each of them wakes up on another processor, waking costs as much again as the run.

#[cfg(target_os = "linux")]
use rustix::thread::CpuSet;

/// Keeps the calling thread, and the processes that it starts from now on, on one processor: that of this number among
/// those that it may use, counted round. Where the system cannot do that, nothing happens.
pub fn stay_on_processor(number: usize) {
    #[cfg(target_os = "linux")]
    {
        let allowed = rustix::thread::sched_getaffinity(None).unwrap_or_default();
        let count = (allowed.count() as usize).max(1);
        if let Some(processor) = processors(&allowed).nth(number % count) {
            let mut only = CpuSet::new();
            only.set(processor);
            let _ = rustix::thread::sched_setaffinity(None, &only);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = number;
}

/// The processor that the calling thread is kept on; none if it may use several.
#[cfg(target_os = "linux")]
pub(super) fn own_processor() -> Option<usize> {
    let allowed = rustix::thread::sched_getaffinity(None).unwrap_or_default();
    // Asked before each run, so the set is gone through only where that tells something.
    if allowed.count() == 1 { processors(&allowed).next() } else { None }
}

/// The numbers of the processors in a set.
#[cfg(target_os = "linux")]
fn processors(set: &CpuSet) -> impl Iterator<Item = usize> {
    (0..CpuSet::MAX_CPU).filter(|processor| set.is_set(*processor))
}
