//! Pins a thread, and the processes that it starts, to one processor.
//!
//! A run is a relay: a worker asks a spawner, which asks a fork server, which forks a copy, and each waits for the
//! next. If each of them wakes up on another processor, waking costs as much as the run itself.

#[cfg(target_os = "linux")]
use rustix::thread::CpuSet;

/// The processors that this process can use, starting with the current one. The scheduler has placed the process on a
/// free one, and two concurrent searches should not both begin with the first. Empty where threads cannot be pinned.
#[derive(Clone, Debug)]
pub struct ProcessorSet(Vec<usize>);

impl ProcessorSet {
    /// Returns the processors of the calling thread.
    pub fn from_current_thread() -> Self {
        #[cfg(target_os = "linux")]
        {
            let allowed = rustix::thread::sched_getaffinity(None).unwrap_or_default();
            let mut all: Vec<usize> = processor_numbers(&allowed).collect();
            let here = rustix::thread::sched_getcpu();
            let at = all.iter().position(|processor| *processor == here).unwrap_or(0);
            all.rotate_left(at);
            ProcessorSet(all)
        }
        #[cfg(not(target_os = "linux"))]
        ProcessorSet(Vec::new())
    }

    /// Pins the calling thread, and the processes that it starts from now on, to the processor with this index, modulo
    /// their number.
    pub fn pin_thread(&self, number: usize) {
        if let Some(processor) = self.0.get(number % self.0.len().max(1)) {
            pin_to_processor(*processor);
        }
    }
}

#[cfg(target_os = "linux")]
fn pin_to_processor(processor: usize) {
    let mut only = CpuSet::new();
    only.set(processor);
    // If the system refuses, runs are merely slower.
    let _ = rustix::thread::sched_setaffinity(None, &only);
}

#[cfg(not(target_os = "linux"))]
fn pin_to_processor(_: usize) {}

/// Returns the processor that the calling thread is pinned to, or `None` if it can use several.
#[cfg(target_os = "linux")]
pub(super) fn pinned_processor() -> Option<usize> {
    let allowed = rustix::thread::sched_getaffinity(None).unwrap_or_default();
    // This is called before each run, so the set is searched only if it has one element.
    if allowed.count() == 1 { processor_numbers(&allowed).next() } else { None }
}

#[cfg(target_os = "linux")]
fn processor_numbers(set: &CpuSet) -> impl Iterator<Item = usize> {
    (0..CpuSet::MAX_CPU).filter(|processor| set.is_set(*processor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_are_spread_over_processors() {
        let all = ProcessorSet::from_current_thread();
        for number in 0..all.0.len() * 2 {
            let stayed = std::thread::scope(|scope| {
                let worker = scope.spawn(|| {
                    all.pin_thread(number);
                    #[cfg(target_os = "linux")]
                    return pinned_processor();
                    #[cfg(not(target_os = "linux"))]
                    None
                });
                worker.join().unwrap_or(None)
            });
            assert_eq!(stayed, Some(all.0[number % all.0.len()]));
        }
    }
}
