//! Measures how workers spend their time.

use std::time::Instant;

/// Measures time by activity.
pub(crate) struct ActivityTimer {
    pub(crate) last: Instant,
    pub(crate) spent_ns: [u64; 4],
}

impl ActivityTimer {
    pub(crate) fn start_now() -> Self {
        ActivityTimer { last: Instant::now(), spent_ns: [0; 4] }
    }

    /// Restarts the lap, without recording its time.
    pub(crate) fn restart_lap(&mut self) {
        self.last = Instant::now();
    }

    /// Adds the time of this lap to an activity, and starts the next one.
    pub(crate) fn record_lap(&mut self, activity: usize) {
        let now = Instant::now();
        self.spent_ns[activity] += u64::try_from((now - self.last).as_nanos()).unwrap_or(0);
        self.last = now;
    }
}
