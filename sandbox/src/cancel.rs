//! Cancellation of running work.

use crate::tuning::PHASE_GRACE;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A flag that cancels runs and compilations from another thread or a signal handler.
///
/// Clones share one state. Running work notices within 50 ms, kills its processes, and returns
/// [`Error::interrupted`](rebut_diagnostics::Error::interrupted).
///
/// A [`PhaseGuard`] can give the work a budget. A second after it is used up, the token counts as cancelled until the
/// phase ends: a run in progress is killed and gets no verdict.
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    cancel_flag: Arc<AtomicBool>,
    parent_flag: Option<Arc<AtomicBool>>,
    deadline: Arc<PhaseDeadline>,
}

/// When the current phase ends.
#[derive(Debug)]
struct PhaseDeadline {
    since: Instant,
    /// Microseconds from `since`, or [`NO_DEADLINE_US`].
    budget_end_us: AtomicU64,
}

const NO_DEADLINE_US: u64 = u64::MAX;

impl Default for PhaseDeadline {
    fn default() -> Self {
        PhaseDeadline { since: Instant::now(), budget_end_us: AtomicU64::new(NO_DEADLINE_US) }
    }
}

impl PhaseDeadline {
    fn elapsed_us(&self) -> u64 {
        to_micros(self.since.elapsed())
    }

    fn has_passed(&self, grace: Duration) -> bool {
        let end = self.budget_end_us.load(Ordering::SeqCst);
        end != NO_DEADLINE_US && self.elapsed_us() >= end.saturating_add(to_micros(grace))
    }
}

fn to_micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(NO_DEADLINE_US)
}

/// A phase of the work with a budget. The phase ends when this is dropped.
#[derive(Debug)]
pub struct PhaseGuard {
    deadline: Arc<PhaseDeadline>,
    /// The end of the enclosing phase.
    outer_end_us: u64,
}

impl Drop for PhaseGuard {
    fn drop(&mut self) {
        self.deadline.budget_end_us.store(self.outer_end_us, Ordering::SeqCst);
    }
}

impl CancelToken {
    /// Creates a token that is not cancelled.
    pub fn new() -> Self {
        CancelToken::default()
    }

    /// Cancels all work that holds a clone. This cannot be undone.
    pub fn cancel(&self) {
        self.cancel_flag.store(true, Ordering::SeqCst);
    }

    /// Returns the flag itself, which a signal handler sets to `true` to cancel.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel_flag)
    }

    /// Returns true if work must stop: [`cancel`](CancelToken::cancel) was called on any clone, or the current phase is
    /// over.
    pub fn is_cancelled(&self) -> bool {
        self.cancel_flag.load(Ordering::SeqCst) || self.is_interrupted()
    }

    /// Returns true if [`cancel`](CancelToken::cancel) was called on any clone, or a signal arrived; the end of a phase
    /// does not count.
    pub fn is_cancel_requested(&self) -> bool {
        self.cancel_flag.load(Ordering::SeqCst)
    }

    /// Begins a phase with a budget in all clones. When the budget is used up,
    /// [`should_stop`](CancelToken::should_stop) returns true, and a second later runs are stopped. Phases can be
    /// nested; an inner phase never ends later than the enclosing one.
    #[must_use = "the phase ends when this is dropped"]
    pub fn begin_phase(&self, budget: Duration) -> PhaseGuard {
        let deadline = Arc::clone(&self.deadline);
        let outer_end_us = deadline.budget_end_us.load(Ordering::SeqCst);
        let end_us = deadline.elapsed_us().saturating_add(to_micros(budget)).min(NO_DEADLINE_US - 1);
        deadline.budget_end_us.store(end_us.min(outer_end_us), Ordering::SeqCst);
        PhaseGuard { deadline, outer_end_us }
    }

    /// Returns true if no new work should be started: the budget of the current phase is used up, or the work is
    /// cancelled.
    pub fn should_stop(&self) -> bool {
        self.is_cancelled() || self.deadline.has_passed(Duration::ZERO)
    }

    /// Returns a token for a part of the work. Cancelling this token cancels the child as well, but not the other way
    /// round. A run that is stopped only by the child token has an outcome like any other: it was dismissed, not
    /// interrupted.
    #[cfg(unix)]
    pub(super) fn child_token(&self) -> CancelToken {
        let (cancel_flag, deadline) = (Arc::default(), Arc::clone(&self.deadline));
        CancelToken { cancel_flag, parent_flag: Some(Arc::clone(&self.cancel_flag)), deadline }
    }

    /// Returns true if the whole work must stop.
    pub(super) fn is_interrupted(&self) -> bool {
        self.parent_flag.as_ref().unwrap_or(&self.cancel_flag).load(Ordering::SeqCst)
            || self.deadline.has_passed(PHASE_GRACE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phase_without_time_is_due_at_once_and_leaves_runs_their_grace() {
        let cancel = CancelToken::new();
        let phase = cancel.clone().begin_phase(Duration::ZERO);
        assert!(cancel.should_stop());
        // An inner phase does not outlast the enclosing one.
        let inner = cancel.begin_phase(Duration::from_secs(3600));
        assert!(cancel.should_stop());
        drop(inner);
        assert!(cancel.should_stop());
        drop(phase);
        assert!(!cancel.should_stop() && !cancel.is_cancelled());
    }

    #[test]
    fn work_is_stopped_after_the_grace_until_the_phase_ends() {
        let cancel = CancelToken::new();
        let phase = cancel.begin_phase(Duration::ZERO);
        while !cancel.child_token().is_interrupted() {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(cancel.is_cancelled());
        drop(phase);
        assert!(!cancel.is_cancelled());
    }

    #[test]
    fn cancelled_work_stays_cancelled_when_a_phase_ends() {
        let cancel = CancelToken::new();
        let phase = cancel.begin_phase(Duration::from_secs(3600));
        cancel.cancel();
        drop(phase);
        assert!(cancel.is_cancelled() && cancel.should_stop());
    }
}
