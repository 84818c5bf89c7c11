//! The rounds of a search, and the measurement of the time of its passes.

use super::pass_statistics::PassCounters;
use std::time::Duration;

/// A search that counts what each of its passes does. The error is that of a search that was stopped.
pub(super) trait MeasuredSearch: Sized {
    /// Returns the time since a fixed moment.
    fn elapsed_time(&self) -> Duration;

    /// Returns the counters of the passes.
    fn counters(&mut self) -> &mut PassCounters;

    /// Returns the number of improvements so far.
    fn step_count(&self) -> usize;

    /// Adds the time of a part of the search to the current pass.
    fn measure_time<E>(&mut self, run: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let start = self.elapsed_time();
        let done = run(self);
        let time = self.elapsed_time().saturating_sub(start);
        self.counters().add_time(time);
        done
    }

    /// Runs one pass, or another part of the search, under a name in the statistics.
    fn run_measured<E>(&mut self, name: &'static str, run: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        self.counters().begin_pass(name);
        self.measure_time(run)
    }

    /// Runs rounds until one improves nothing.
    fn repeat_rounds<E>(&mut self, mut run_round: impl FnMut(&mut Self) -> Result<(), E>) -> Result<(), E> {
        loop {
            let before = self.step_count();
            run_round(self)?;
            if self.step_count() == before {
                return Ok(());
            }
        }
    }
}
