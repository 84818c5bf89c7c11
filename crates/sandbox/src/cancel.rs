//! Cancellation of running work.

use super::RunOutcome;
use crate::tuning::{MAX_PHASE_STRETCH, PHASE_GRACE};
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

/// When the current phase ends, and the work that was done so far.
#[derive(Debug)]
struct PhaseDeadline {
    since: Instant,
    /// Processor time of the programs that were run, in microseconds; of idle ones, the time that they were waited for.
    programs_us: AtomicU64,
    end: [AtomicU64; 3],
}

/// The end of a phase: two points in time between which it ends as soon as the work is done, in microseconds since the
/// token was created, and the work after which it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseEnd {
    earliest_us: u64,
    work_us: u64,
    latest_us: u64,
}

const NEVER_US: u64 = u64::MAX;

impl PhaseEnd {
    const NEVER: PhaseEnd = PhaseEnd { earliest_us: NEVER_US, work_us: NEVER_US, latest_us: NEVER_US };

    fn from_times([earliest_us, work_us, latest_us]: [u64; 3]) -> Self {
        PhaseEnd { earliest_us, work_us, latest_us }
    }

    fn times(self) -> [u64; 3] {
        [self.earliest_us, self.work_us, self.latest_us]
    }

    /// Returns the end of a phase inside another one.
    #[must_use]
    pub fn or_before(self, outer: PhaseEnd) -> Self {
        let ([a, b, c], [d, e, f]) = (self.times(), outer.times());
        PhaseEnd::from_times([a.min(d), b.min(e), c.min(f)])
    }
}

impl Default for PhaseDeadline {
    fn default() -> Self {
        let end = PhaseEnd::NEVER.times().map(AtomicU64::new);
        PhaseDeadline { since: Instant::now(), programs_us: AtomicU64::new(0), end }
    }
}

impl PhaseDeadline {
    fn elapsed_us(&self) -> u64 {
        to_micros(self.since.elapsed())
    }

    /// Returns the processor time of this process and of the programs that it ran.
    fn work_us(&self) -> u64 {
        to_micros(own_processor_time()).saturating_add(self.programs_us.load(Ordering::SeqCst))
    }

    fn load_end(&self) -> PhaseEnd {
        PhaseEnd::from_times(self.end.each_ref().map(|time| time.load(Ordering::SeqCst)))
    }

    fn store_end(&self, end: PhaseEnd) {
        self.end.iter().zip(end.times()).for_each(|(to, time)| to.store(time, Ordering::SeqCst));
    }

    fn has_passed(&self, grace: Duration) -> bool {
        let PhaseEnd { earliest_us, work_us, latest_us } = self.load_end();
        if earliest_us.min(latest_us) == NEVER_US {
            return false;
        }
        let now_us = self.elapsed_us().saturating_sub(to_micros(grace));
        now_us >= latest_us || now_us >= earliest_us && self.work_us() >= work_us
    }
}

fn to_micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(NEVER_US)
}

#[cfg(unix)]
fn own_processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Not available on this system.
#[cfg(not(unix))]
fn own_processor_time() -> Duration {
    Duration::ZERO
}

/// A phase of the work with a budget. The phase ends when this is dropped.
#[derive(Debug)]
pub struct PhaseGuard {
    deadline: Arc<PhaseDeadline>,
    /// The end of the enclosing phase.
    outer: PhaseEnd,
}

impl Drop for PhaseGuard {
    fn drop(&mut self) {
        self.deadline.store_end(self.outer);
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
        self.begin_phase_until(self.time_end(budget))
    }

    /// Same, with the end of the phase.
    #[must_use = "the phase ends when this is dropped"]
    pub fn begin_phase_until(&self, end: PhaseEnd) -> PhaseGuard {
        let deadline = Arc::clone(&self.deadline);
        let outer = deadline.load_end();
        deadline.store_end(end.or_before(outer));
        PhaseGuard { deadline, outer }
    }

    /// Returns the end of a phase that begins now and takes this long.
    pub fn time_end(&self, budget: Duration) -> PhaseEnd {
        PhaseEnd { latest_us: self.deadline.elapsed_us().saturating_add(to_micros(budget)), ..PhaseEnd::NEVER }
    }

    /// Returns the end of a phase that begins now and takes this long, or longer on a busy machine: until so much
    /// processor time was used, but a few times as long at most.
    pub fn work_end(&self, budget: Duration) -> PhaseEnd {
        let [now_us, work_us, budget_us] = [self.deadline.elapsed_us(), self.deadline.work_us(), to_micros(budget)];
        PhaseEnd {
            earliest_us: now_us.saturating_add(budget_us),
            work_us: work_us.saturating_add(budget_us),
            latest_us: now_us.saturating_add(budget_us.saturating_mul(MAX_PHASE_STRETCH)),
        }
    }

    /// Returns the end of a part of the time and work until an end: one in `parts`.
    pub fn part_until(&self, end: PhaseEnd, parts: u32) -> PhaseEnd {
        let now =
            PhaseEnd { work_us: self.deadline.work_us(), ..PhaseEnd::from_times([self.deadline.elapsed_us(); 3]) };
        let part =
            |now: u64, end: u64| if end == NEVER_US { end } else { now + end.saturating_sub(now) / u64::from(parts) };
        PhaseEnd {
            earliest_us: part(now.earliest_us, end.earliest_us),
            work_us: part(now.work_us, end.work_us),
            latest_us: part(now.latest_us, end.latest_us),
        }
    }

    pub(super) fn count_work(&self, outcome: &RunOutcome) {
        let work_us = if outcome.is_idle() { outcome.wall_time_us } else { outcome.cpu_time_us };
        self.deadline.programs_us.fetch_add(work_us, Ordering::SeqCst);
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
    fn phase_of_work_is_stretched_until_the_work_is_done() {
        let cancel = CancelToken::new();
        let hour = Duration::from_secs(3600);
        let mut end = cancel.work_end(hour);
        // The time is over, and the work is not.
        end.earliest_us = 0;
        let phase = cancel.begin_phase_until(end);
        assert!(!cancel.should_stop());
        let part = cancel.begin_phase_until(cancel.part_until(end, 2));
        cancel.deadline.programs_us.fetch_add(to_micros(hour / 2), Ordering::SeqCst);
        assert!(cancel.should_stop(), "a part of the work");
        drop(part);
        assert!(!cancel.should_stop());
        cancel.deadline.programs_us.fetch_add(to_micros(hour / 2), Ordering::SeqCst);
        assert!(cancel.should_stop());
        drop(phase);
        let latest = PhaseEnd { latest_us: 0, ..cancel.work_end(hour) };
        let _phase = cancel.begin_phase_until(latest);
        assert!(cancel.should_stop(), "the latest end");
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
