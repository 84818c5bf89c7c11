//! Waiting for a process to get ready, for as long as is fair on a busy machine.

use super::observe::waiting_time;
use std::time::{Duration, Instant};

/// How long a process is waited for.
pub(in crate::run) struct Waiting {
    pid: i32,
    since: Instant,
    /// How long it had been kept from running before: asked when it is first looked at.
    kept_before: Option<Duration>,
}

impl Waiting {
    /// Begins to wait for a process.
    pub(in crate::run) fn new(pid: i32) -> Self {
        Waiting { pid, since: Instant::now(), kept_before: None }
    }

    /// All of the time.
    pub(in crate::run) fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    /// The time without that in which other processes kept it from running, which is known from the first call on.
    pub(in crate::run) fn elapsed_without_delay(&mut self) -> Duration {
        let kept = waiting_time(self.pid);
        let kept = kept.saturating_sub(*self.kept_before.get_or_insert(kept));
        self.elapsed().saturating_sub(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delay_counts_from_the_first_look() {
        let own = rustix::process::getpid().as_raw_nonzero().get();
        let mut waiting = Waiting::new(own);
        std::thread::sleep(Duration::from_millis(2));
        assert!(waiting.elapsed_without_delay() >= Duration::from_millis(2), "it was kept from nothing yet");
        assert!(waiting.elapsed_without_delay() <= waiting.elapsed());
    }
}
