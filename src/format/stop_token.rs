//! How work that takes long learns that it is to end.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A token by which pure work is stopped from outside.
///
/// A [`Format`](super::Format) carries one, since all work that may take long is work on a format: drawing and repairing
/// inputs, checking formulas, measuring, searching for invalid inputs. Such work calls [`spend`](StopToken::spend) at
/// bounded intervals and, once that returns true, returns early with a result that means nothing: the caller, who
/// made the token, asks [`is_stopped`](StopToken::is_stopped) before it uses one.
///
/// The token itself knows neither clock nor signals. It asks what it was made from, and may have a budget of steps, which
/// is the same on each machine.
#[derive(Clone, Default)]
pub struct StopToken {
    source: Option<Arc<Source>>,
}

struct Source {
    /// Asked from any thread.
    asked: Box<dyn Fn() -> bool + Send + Sync>,
    /// How many steps are left.
    steps_left: AtomicU64,
}

impl StopToken {
    /// Returns a token that never stops anything.
    pub fn never() -> StopToken {
        StopToken::default()
    }

    /// Returns a token that stops work as soon as `asked` returns true.
    pub fn when(asked: impl Fn() -> bool + Send + Sync + 'static) -> StopToken {
        let source = Source { asked: Box::new(asked), steps_left: AtomicU64::new(u64::MAX) };
        StopToken { source: Some(Arc::new(source)) }
    }

    /// Returns a token that is stopped by this one, and also after so many steps of its own.
    pub fn with_steps(&self, steps: u64) -> StopToken {
        let outer = self.clone();
        let source = Source { asked: Box::new(move || outer.is_stopped()), steps_left: AtomicU64::new(steps) };
        StopToken { source: Some(Arc::new(source)) }
    }

    /// Notes that so many steps were done, each about as long as a comparison of two numbers. Returns true if the work
    /// is to end.
    pub fn spend(&self, steps: u64) -> bool {
        let Some(source) = &self.source else { return false };
        let left = source.steps_left.load(Ordering::Relaxed);
        if left != u64::MAX {
            // Threads that share a budget may lose a few steps to each other, which changes nothing that matters.
            source.steps_left.store(left.saturating_sub(steps), Ordering::Relaxed);
        }
        left <= steps || (source.asked)()
    }

    /// Returns true if the work is to end, or has ended early.
    pub fn is_stopped(&self) -> bool {
        self.source.as_ref().is_some_and(|source| source.steps_left.load(Ordering::Relaxed) == 0 || (source.asked)())
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
        let token = StopToken::never();
        assert!(!token.spend(u64::MAX) && !token.is_stopped());
    }

    #[test]
    fn budget_ends_after_its_steps_and_stays_ended() {
        let token = StopToken::never().with_steps(10);
        assert_eq!([token.spend(4), token.spend(5), token.is_stopped()], [false; 3]);
        assert_eq!([token.spend(1), token.is_stopped(), token.spend(0)], [true; 3]);
    }

    #[test]
    fn outer_token_stops_the_inner_one_and_not_the_other_way_round() {
        let switch = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&switch);
        let outer = StopToken::when(move || seen.load(Ordering::Relaxed));
        let (inner, other) = (outer.with_steps(100), outer.with_steps(1));
        assert!(other.spend(1) && !inner.spend(1) && !outer.is_stopped());
        switch.store(true, Ordering::Relaxed);
        assert!(inner.spend(1) && inner.is_stopped() && outer.spend(0));
    }
}
