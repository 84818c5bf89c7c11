//! Keeping a thread, and whatever it starts, on one processor.
//!
//! A run is a relay: a worker asks a spawner, which asks a fork server, which makes a copy, and each waits for the next.
//! Where each of them wakes up on another processor, waking costs as much again as the run.

/// Keeps the calling thread, and the processes that it starts from now on, on one processor: that of this number among
/// those that it may use, counted round. Where the system cannot do that, nothing happens.
pub fn stay_on_processor(number: usize) {
    #[cfg(target_os = "linux")]
    if let Some(processor) = allowed().get(number % allowed().len().max(1)) {
        let mut only = rustix::thread::CpuSet::new();
        only.set(*processor);
        let _ = rustix::thread::sched_setaffinity(None, &only);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = number;
}

/// The processor that the calling thread is kept on; none if it may use several.
#[cfg(target_os = "linux")]
pub(super) fn own_processor() -> Option<usize> {
    match allowed()[..] {
        [only] => Some(only),
        _ => None,
    }
}

#[cfg(target_os = "linux")]
fn allowed() -> Vec<usize> {
    let set = rustix::thread::sched_getaffinity(None).unwrap_or_default();
    (0..rustix::thread::CpuSet::MAX_CPU).filter(|processor| set.is_set(*processor)).collect()
}
