//! Waiting for a process to get ready, for as long as is fair on a busy machine.

use super::observe::waiting_time;
use std::time::{Duration, Instant};

/// How long a process was waited for.
pub(in crate::run) struct Waiting {
    pid: i32,
    patience: Duration,
    max_factor: u32,
    since: Instant,
    /// How long it had been kept from running before: asked when it is first looked at.
    kept_before: Option<Duration>,
}

impl Waiting {
    /// Begins to wait for a process. The time in which others kept it from running does not count, until all of it is
    /// `max_factor` times the patience.
    pub(in crate::run) fn new(pid: i32, patience: Duration, max_factor: u32) -> Self {
        Waiting { pid, patience, max_factor, since: Instant::now(), kept_before: None }
    }

    /// Returns true if the patience is exhausted.
    pub(in crate::run) fn is_too_long(&mut self) -> bool {
        let elapsed = self.since.elapsed();
        let kept = waiting_time(self.pid);
        let kept = kept.saturating_sub(*self.kept_before.get_or_insert(kept));
        elapsed >= self.patience * self.max_factor || elapsed.saturating_sub(kept) >= self.patience
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_for_a_process_that_could_run() {
        let own = rustix::process::getpid().as_raw_nonzero().get();
        assert!(Waiting::new(own, Duration::ZERO, 1).is_too_long());
        assert!(!Waiting::new(own, Duration::from_secs(3600), 4).is_too_long());
        assert!(Waiting::new(own, Duration::from_secs(3600), 0).is_too_long());
    }
}
