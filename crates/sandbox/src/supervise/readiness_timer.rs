//! Measures how long a process takes to get ready, fairly on a busy machine.

use super::observe::scheduling_delay;
use std::time::{Duration, Instant};

/// Measures the time since a process was started, with and without the time it waited for a processor.
pub(crate) struct ReadinessTimer {
    pid: i32,
    started: Instant,
    /// The scheduling delay of the process at the first measurement.
    initial_delay: Option<Duration>,
}

impl ReadinessTimer {
    /// Starts measuring.
    pub(crate) fn new(pid: i32) -> Self {
        ReadinessTimer { pid, started: Instant::now(), initial_delay: None }
    }

    /// Returns the whole elapsed time.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the elapsed time without the scheduling delay since the first call.
    pub(crate) fn elapsed_on_cpu(&mut self) -> Duration {
        let kept = scheduling_delay(self.pid);
        let kept = kept.saturating_sub(*self.initial_delay.get_or_insert(kept));
        self.elapsed().saturating_sub(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delay_counts_from_first_call() {
        let own = rustix::process::getpid().as_raw_nonzero().get();
        let mut waiting = ReadinessTimer::new(own);
        std::thread::sleep(Duration::from_millis(2));
        assert!(waiting.elapsed_on_cpu() >= Duration::from_millis(2), "the first call counts no delay");
        assert!(waiting.elapsed_on_cpu() <= waiting.elapsed());
    }
}
