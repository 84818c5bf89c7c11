//! Staying with a process until it ends, reaches a limit, or nobody wants it any more.

use super::memory;
use super::sys::Child;
use super::{Cancel, LimitHit, Limits};
use crate::diagnostic::Result;
use std::time::{Duration, Instant};

/// How long a process runs unobserved. A program of a millisecond is waited for and never looked at.
const TICK: Duration = Duration::from_millis(20);

/// How often the wall time limit may be used up by waiting for a processor before that no longer counts.
const PATIENCE: u32 = 4;

/// Why we stopped watching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It ended by itself.
    Ended,
    /// It reached a limit and must be killed.
    Limit(LimitHit),
    /// Nobody wants it any more and it must be killed.
    Cancelled,
}

/// One process under watch.
pub(super) struct Watch<'a> {
    child: &'a Child,
    limits: &'a Limits,
    cancel: &'a Cancel,
    started: Instant,
    /// The most resident memory seen, 0 if it ended before we looked.
    pub(super) memory_seen_bytes: u64,
}

impl<'a> Watch<'a> {
    /// A watch over a process that was started then.
    pub(super) fn new(child: &'a Child, limits: &'a Limits, cancel: &'a Cancel, started: Instant) -> Self {
        Watch { child, limits, cancel, started, memory_seen_bytes: 0 }
    }

    /// Waits until there is a reason to stop.
    ///
    /// # Errors
    ///
    /// The machine cannot wait for a process.
    pub(super) fn wait(&mut self) -> Result<Stop> {
        loop {
            let pause = self.wall_left().min(TICK);
            let ended = self.child.wait(pause);
            if ended.map_err(|cause| super::refusal::of_io("failed to wait for a program", &cause))? {
                return Ok(Stop::Ended);
            }
            if let Some(stop) = self.look() {
                return Ok(stop);
            }
        }
    }

    fn wall_limit(&self) -> Duration {
        Duration::from_millis(self.limits.wall_time_limit_ms)
    }

    /// Wall time left; a little, and never none, when the rest is being waited for.
    fn wall_left(&self) -> Duration {
        self.wall_limit().saturating_sub(self.started.elapsed()).max(Duration::from_millis(1))
    }

    fn look(&mut self) -> Option<Stop> {
        if self.cancel.cancelled() {
            return Some(Stop::Cancelled);
        }
        self.memory_seen_bytes = self.memory_seen_bytes.max(memory::peak_bytes(self.child));
        if self.child.cpu_time_us().is_some_and(|used| used > self.limits.cpu_time_limit_ms.saturating_mul(1000)) {
            return Some(Stop::Limit(LimitHit::CpuTime));
        }
        if self.memory_seen_bytes > self.limits.memory_limit_bytes {
            return Some(Stop::Limit(LimitHit::Memory));
        }
        self.is_late().then_some(Stop::Limit(LimitHit::WallTime))
    }

    /// Whether the wall time is used up, not counting the time it was ready to run and others ran instead.
    fn is_late(&self) -> bool {
        let elapsed = self.started.elapsed();
        elapsed >= self.wall_limit()
            && (elapsed >= self.wall_limit() * PATIENCE
                || elapsed - memory::waiting_time(self.child).min(elapsed) >= self.wall_limit())
    }
}
