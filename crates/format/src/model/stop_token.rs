//! Cooperative cancellation of long-running work.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A token that stops pure computations from outside.
///
/// A [`Format`](super::Format) carries one, as all work that may take long is work on a format: drawing and repairing
/// inputs, checking formulas, measuring, searching for invalid inputs. Such work calls
/// [`spend_steps`](StopToken::spend_steps) at bounded intervals and, once it returns true, returns early with a
/// meaningless result. The caller, which created the token, checks [`is_stopped`](StopToken::is_stopped) before it
/// uses a result.
///
/// The token itself depends on neither clock nor signals: it polls the condition that it was created from, and may
/// have a budget of steps, which is the same on every machine.
#[derive(Clone, Default)]
pub struct StopToken {
    source: Option<Arc<StopSource>>,
}

struct StopSource {
    /// Polled from any thread.
    is_stopped: Box<dyn Fn() -> bool + Send + Sync>,
    /// Number of steps left.
    steps_left: AtomicU64,
}

impl StopToken {
    /// Returns a token that never stops anything.
    pub fn never_stopping() -> StopToken {
        StopToken::default()
    }

    /// Returns a token that stops work as soon as `is_stopped` returns true.
    pub fn from_condition(is_stopped: impl Fn() -> bool + Send + Sync + 'static) -> StopToken {
        let source = StopSource { is_stopped: Box::new(is_stopped), steps_left: AtomicU64::new(u64::MAX) };
        StopToken { source: Some(Arc::new(source)) }
    }

    /// Returns a token that is stopped by this one, or after `steps` steps of its own.
    pub fn with_steps(&self, steps: u64) -> StopToken {
        let outer = self.clone();
        let source = StopSource { is_stopped: Box::new(move || outer.is_stopped()), steps_left: AtomicU64::new(steps) };
        StopToken { source: Some(Arc::new(source)) }
    }

    /// Gives this token and its clones a new budget of `steps` steps.
    pub fn refill_steps(&self, steps: u64) {
        if let Some(source) = &self.source {
            source.steps_left.store(steps, Ordering::Relaxed);
        }
    }

    /// Records `steps` steps, each about as expensive as a comparison of two numbers. Returns true if the work should
    /// stop.
    pub fn spend_steps(&self, steps: u64) -> bool {
        let Some(source) = &self.source else { return false };
        let left = source.steps_left.load(Ordering::Relaxed);
        if left != u64::MAX {
            // Threads that share a budget may lose a few updates, which is harmless.
            source.steps_left.store(left.saturating_sub(steps), Ordering::Relaxed);
        }
        left <= steps || (source.is_stopped)()
    }

    /// Returns true if the work should stop, or has stopped early.
    pub fn is_stopped(&self) -> bool {
        self.source
            .as_ref()
            .is_some_and(|source| source.steps_left.load(Ordering::Relaxed) == 0 || (source.is_stopped)())
    }
}

impl fmt::Debug for StopToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StopToken").field("is_stopped", &self.is_stopped()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn token_without_a_source_never_stops() {
        let token = StopToken::never_stopping();
        assert!(!token.spend_steps(u64::MAX) && !token.is_stopped());
    }

    #[test]
    fn budget_ends_after_its_steps_and_stays_ended() {
        let token = StopToken::never_stopping().with_steps(10);
        assert_eq!([token.spend_steps(4), token.spend_steps(5), token.is_stopped()], [false; 3]);
        assert_eq!([token.spend_steps(1), token.is_stopped(), token.spend_steps(0)], [true; 3]);
    }

    #[test]
    fn refilled_token_continues() {
        let token = StopToken::never_stopping().with_steps(1);
        assert!(token.spend_steps(1) && token.clone().is_stopped());
        token.clone().refill_steps(2);
        assert_eq!([token.spend_steps(1), token.spend_steps(1)], [false, true]);
    }

    #[test]
    fn outer_token_stops_the_inner_one_and_not_the_other_way_round() {
        let switch = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&switch);
        let outer = StopToken::from_condition(move || seen.load(Ordering::Relaxed));
        let (inner, other) = (outer.with_steps(100), outer.with_steps(1));
        assert!(other.spend_steps(1) && !inner.spend_steps(1) && !outer.is_stopped());
        switch.store(true, Ordering::Relaxed);
        assert!(inner.spend_steps(1) && inner.is_stopped() && outer.spend_steps(0));
    }
}
