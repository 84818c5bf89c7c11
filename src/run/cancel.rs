//! Telling running work to stop.

use crate::format::StopToken;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long runs that were begun in a phase may go on after its budget is used up.
const GRACE: Duration = Duration::from_secs(1);

/// A switch that stops runs and compilations from another thread or from a signal handler's thread.
///
/// Clones share one state. What is running notices within 50 ms, kills its processes, and returns
/// [`Error::interrupted`](crate::diagnostic::Error::interrupted).
///
/// A [`Phase`] of the work may have a budget. A second after it is used up the switch counts as thrown until the phase
/// ends: a run in flight is killed and gives no verdict.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    thrown: Arc<AtomicBool>,
    around: Option<Arc<AtomicBool>>,
    deadline: Arc<Deadline>,
}

/// When the present phase ends.
#[derive(Debug)]
struct Deadline {
    since: Instant,
    /// Microseconds from `since` on; [`NEVER`] if there is none.
    budget_end_us: AtomicU64,
}

const NEVER: u64 = u64::MAX;

impl Default for Deadline {
    fn default() -> Self {
        Deadline { since: Instant::now(), budget_end_us: AtomicU64::new(NEVER) }
    }
}

impl Deadline {
    fn now_us(&self) -> u64 {
        micros(self.since.elapsed())
    }

    fn is_past(&self, grace: Duration) -> bool {
        let end = self.budget_end_us.load(Ordering::SeqCst);
        end != NEVER && self.now_us() >= end.saturating_add(micros(grace))
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(NEVER)
}

/// A part of the work with a budget, which ends when this is dropped.
#[derive(Debug)]
pub struct Phase {
    deadline: Arc<Deadline>,
    /// The end of the phase around this one.
    outer_end_us: u64,
}

impl Drop for Phase {
    fn drop(&mut self) {
        self.deadline.budget_end_us.store(self.outer_end_us, Ordering::SeqCst);
    }
}

impl Cancel {
    /// A switch that nobody has thrown yet.
    pub fn new() -> Self {
        Cancel::default()
    }

    /// Stops everything that holds a clone. There is no way back.
    pub fn cancel(&self) {
        self.thrown.store(true, Ordering::SeqCst);
    }

    /// The switch itself, for a signal handler to throw: it becomes `true`.
    pub fn switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.thrown)
    }

    /// Whether work is to stop: [`cancel`](Cancel::cancel) was called on any clone, or the present phase is over.
    pub fn cancelled(&self) -> bool {
        self.thrown.load(Ordering::SeqCst) || self.interrupted()
    }

    /// Returns true if [`cancel`](Cancel::cancel) was called on any clone, or a signal came: the end of a phase is no reason.
    pub fn is_thrown(&self) -> bool {
        self.thrown.load(Ordering::SeqCst)
    }

    /// Begins a phase that may take so long, for all clones: after that [`is_due`](Cancel::is_due) returns true, and a
    /// second later runs are stopped. Phases follow each other, or lie within each other; an inner one never ends later
    /// than the one around it.
    #[must_use = "the phase ends when this is dropped"]
    pub fn begin_phase(&self, budget: Duration) -> Phase {
        let deadline = Arc::clone(&self.deadline);
        let outer_end_us = deadline.budget_end_us.load(Ordering::SeqCst);
        let end_us = deadline.now_us().saturating_add(micros(budget)).min(NEVER - 1);
        deadline.budget_end_us.store(end_us.min(outer_end_us), Ordering::SeqCst);
        Phase { deadline, outer_end_us }
    }

    /// Returns true if nothing new is to be begun: the budget of the present phase is used up, or work is to stop.
    pub fn is_due(&self) -> bool {
        self.cancelled() || self.deadline.is_past(Duration::ZERO)
    }

    /// Returns the token by which this switch stops pure work.
    pub fn stop_token(&self) -> StopToken {
        let cancel = self.clone();
        StopToken::when(move || cancel.cancelled())
    }

    /// A switch for a part of the work: what throws this one throws that one, too, but not the other way round. A run that
    /// it stops alone was merely dismissed: that is a way to end, and no interruption.
    #[cfg(unix)]
    pub(super) fn of_a_part(&self) -> Cancel {
        let (thrown, deadline) = (Arc::default(), Arc::clone(&self.deadline));
        Cancel { thrown, around: Some(Arc::clone(&self.thrown)), deadline }
    }

    /// Whether the whole of the work is to stop.
    pub(super) fn interrupted(&self) -> bool {
        self.around.as_ref().unwrap_or(&self.thrown).load(Ordering::SeqCst) || self.deadline.is_past(GRACE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phase_without_time_is_due_at_once_and_leaves_runs_their_grace() {
        let cancel = Cancel::new();
        let phase = cancel.clone().begin_phase(Duration::ZERO);
        assert!(cancel.is_due());
        // An inner phase does not outlast the one around it.
        let inner = cancel.begin_phase(Duration::from_secs(3600));
        assert!(cancel.is_due());
        drop(inner);
        assert!(cancel.is_due());
        drop(phase);
        assert!(!cancel.is_due() && !cancel.cancelled());
    }

    #[test]
    fn work_is_stopped_after_the_grace_until_the_phase_ends() {
        let cancel = Cancel::new();
        let token = cancel.stop_token();
        let phase = cancel.begin_phase(Duration::ZERO);
        while !cancel.of_a_part().interrupted() {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(cancel.cancelled() && token.is_stopped());
        drop(phase);
        assert!(!cancel.cancelled() && !token.is_stopped());
    }

    #[test]
    fn cancelled_work_stays_cancelled_when_a_phase_ends() {
        let cancel = Cancel::new();
        let phase = cancel.begin_phase(Duration::from_secs(3600));
        cancel.cancel();
        drop(phase);
        assert!(cancel.cancelled() && cancel.is_due() && cancel.stop_token().is_stopped());
    }
}
