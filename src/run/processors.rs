//! Keeping a thread, and whatever it starts, on one processor.
//!
//! A run is a relay: a worker asks a spawner, which asks a fork server, which makes a copy, and each waits for the next.
//! Where each of them wakes up on another processor, waking costs as much again as the run.

#[cfg(target_os = "linux")]
use rustix::thread::CpuSet;

/// The processors that this process may use, from the one on which it is: whoever put it there knows which one is free,
/// and two searches side by side do not both begin with the first. None where nobody can be kept on one.
#[derive(Clone, Debug)]
pub struct Processors(Vec<usize>);

impl Processors {
    /// Those of the calling thread.
    pub fn from_here() -> Self {
        #[cfg(target_os = "linux")]
        {
            let allowed = rustix::thread::sched_getaffinity(None).unwrap_or_default();
            let mut all: Vec<usize> = processors(&allowed).collect();
            let here = rustix::thread::sched_getcpu();
            let at = all.iter().position(|processor| *processor == here).unwrap_or(0);
            all.rotate_left(at);
            Processors(all)
        }
        #[cfg(not(target_os = "linux"))]
        Processors(Vec::new())
    }

    /// Keeps the calling thread, and the processes that it starts from now on, on the one of this number, counted round.
    pub fn stay_on(&self, number: usize) {
        if let Some(processor) = self.0.get(number % self.0.len().max(1)) {
            stay_on(*processor);
        }
    }
}

#[cfg(target_os = "linux")]
fn stay_on(processor: usize) {
    let mut only = CpuSet::new();
    only.set(processor);
    // Where the system refuses, it merely takes longer.
    let _ = rustix::thread::sched_setaffinity(None, &only);
}

#[cfg(not(target_os = "linux"))]
fn stay_on(_: usize) {}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_share_the_processors_out() {
        let all = Processors::from_here();
        for number in 0..all.0.len() * 2 {
            let stayed = std::thread::scope(|scope| {
                let worker = scope.spawn(|| {
                    all.stay_on(number);
                    #[cfg(target_os = "linux")]
                    return own_processor();
                    #[cfg(not(target_os = "linux"))]
                    None
                });
                worker.join().unwrap_or(None)
            });
            assert_eq!(stayed, Some(all.0[number % all.0.len()]));
        }
    }
}
