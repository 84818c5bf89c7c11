//! The predicate of a search, which the caller implements.

use std::time::Duration;

/// The predicate of a search. It runs programs, so it takes many candidates at once, and may stop the search.
pub trait Oracle<C> {
    /// Returns the index of the first candidate that fails in the way sought. Candidates are in order of
    /// preference.
    ///
    /// # Errors
    /// Returns [`ShrinkStopped`] if the search should end with its current best value.
    fn first_failing(&mut self, candidates: &[C]) -> Result<Option<usize>, ShrinkStopped>;

    /// Returns true if the search should end. Called before each step, since a step with only invalid candidates
    /// makes no query.
    fn should_stop(&self) -> bool {
        false
    }

    /// Returns the preferred number of candidates per query where probably none of them fails. The result of
    /// the search does not depend on it.
    fn batch_width(&self) -> usize {
        1
    }

    /// Returns the time since a fixed moment, from which the time of each pass is measured. The default has no clock.
    fn elapsed_time(&self) -> Duration {
        Duration::ZERO
    }
}

impl<C, F: FnMut(&C) -> bool> Oracle<C> for F {
    fn first_failing(&mut self, candidates: &[C]) -> Result<Option<usize>, ShrinkStopped> {
        Ok(candidates.iter().position(self))
    }
}

/// The search timed out or was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShrinkStopped;
