//! Speculation: queries that are batched before their answers are known.
//!
//! A program runs fifty candidates in one file about as fast as one, and two workers run two at a time; but a
//! pass makes one query after the other, and each depends on the answers before. Most answers are rejections,
//! after which the pass just continues. So once several queries have been rejected, the next ones are assumed to
//! be rejected too, and the pass continues at once until enough candidates have accumulated for a batch.
//!
//! If all of them are rejected, the assumption was right. If one fails, the pass of its query is rolled back:
//! it runs again from its beginning with the answers known by now, up to that query. So it makes the same
//! queries and accepts the same candidates as a pass that waits for each answer, for any batch width.

use super::pass_statistics::{AcceptedCounts, PassCounters, PassIndex};
use crate::tuning::{MAX_RECORDED_ELEMENTS, MAX_REPLAY_WORK, MIN_REJECTIONS};
use crate::value::{Measure, Value};
use std::collections::HashMap;
use std::time::Duration;

/// A pass that has run (or is being replayed) since the earliest pending query.
struct RecordedPass {
    /// Its index among the passes.
    pass: usize,
    /// The best value when it began.
    start: BestCandidate,
    /// The answers it got, in order: the accepted candidate, or `None` for a rejection.
    answers: Vec<Option<Value>>,
}

/// The best value found, with the state that a rollback has to restore.
#[derive(Clone)]
pub(super) struct BestCandidate {
    pub(super) value: Value,
    pub(super) measure: Measure,
    /// The improvements up to this value.
    pub(super) accepted: AcceptedCounts,
    /// The values of leaves that are at a bound.
    pub(super) bounds: LeafBounds,
}

/// The path and index of leaves at a bound, with the nearest value that fails. Part of the best value, since a
/// pass that runs again determines the bounds again.
pub(super) type LeafBounds = HashMap<(Vec<usize>, usize), i128>;

/// A candidate without an answer; its pass assumes a rejection.
struct PendingQuery {
    candidate: Value,
    /// Its pass, and the query in that pass.
    recorded_pass: usize,
    query_index: usize,
    /// The same pass in the statistics.
    made_by: PassIndex,
}

/// The pending queries, and the state needed to roll them back.
#[derive(Default)]
pub(super) struct Speculation {
    /// The passes since the earliest pending query. Empty while nothing is speculative.
    recorded_passes: Vec<RecordedPass>,
    pending: Vec<PendingQuery>,
    /// Number of answers that were replayed to the current pass.
    replayed: usize,
    /// The pass to roll back to.
    rollback_to: Option<usize>,
    /// Number of rejections in a row.
    rejections: usize,
}

impl Speculation {
    /// Begins a pass. If it begins again after a rollback, returns the best value at its first beginning.
    pub(super) fn begin_pass(
        &mut self,
        pass: usize,
        best: impl FnOnce() -> BestCandidate,
        useful: bool,
    ) -> Option<BestCandidate> {
        self.replayed = 0;
        // After a rollback: the pass begins again, and its recorded answers are replayed.
        if self.rollback_to.take().is_some() {
            return self.recorded_passes.last().map(|s| s.start.clone());
        }
        // Nothing is speculative any more, so no earlier pass can be rolled back.
        if self.pending.is_empty() {
            self.recorded_passes.clear();
        }
        let best = best();
        if !self.recorded_passes.is_empty() || useful && best.measure.elements <= MAX_RECORDED_ELEMENTS {
            self.recorded_passes.push(RecordedPass { pass, start: best, answers: Vec::new() });
        }
        None
    }

    /// Returns true if queries are recorded, so that they can be deferred.
    pub(super) fn is_recording(&self) -> bool {
        !self.recorded_passes.is_empty()
    }

    /// Returns the answer to the next query if it is known already: the accepted candidate, if any.
    pub(super) fn replay_answer(&mut self) -> Option<Option<Value>> {
        let answer = self.recorded_passes.last()?.answers.get(self.replayed)?;
        self.replayed += 1;
        Some(answer.clone())
    }

    /// Records a query as rejected, and defers its candidates.
    pub(super) fn defer_query(&mut self, candidates: Vec<Value>, made_by: PassIndex) {
        let recorded = self.recorded_passes.len().saturating_sub(1);
        let Some(last) = self.recorded_passes.last_mut() else { return };
        let query_index = last.answers.len();
        debug_assert_eq!(self.replayed, query_index, "known answers are replayed before a new query is deferred");
        last.answers.push(None);
        self.replayed = last.answers.len();
        self.pending.extend(candidates.into_iter().map(|candidate| PendingQuery {
            candidate,
            recorded_pass: recorded,
            query_index,
            made_by,
        }));
    }

    /// Returns true if the deferred candidates should be run by an oracle that prefers `width` at a time.
    pub(super) fn is_flush_due(&self, width: usize) -> bool {
        // The work that a rollback could repeat.
        let replay_work = self
            .recorded_passes
            .iter()
            .map(|s| s.answers.len().saturating_mul(s.start.measure.elements))
            .sum::<usize>();
        // Speculate only after some rejections, and the further the longer they continue.
        let wanted = if self.rejections < MIN_REJECTIONS || replay_work > MAX_REPLAY_WORK {
            1
        } else {
            self.rejections.min(width)
        };
        self.pending.len() >= wanted
    }

    /// Returns the deferred candidates, in the order of their queries, and the passes that made them.
    pub(super) fn take_candidates(&mut self) -> (Vec<Value>, Vec<PassIndex>) {
        self.pending.iter_mut().map(|p| (std::mem::replace(&mut p.candidate, Value::Int(0)), p.made_by)).unzip()
    }

    /// Confirms that all pending queries are rejections.
    pub(super) fn confirm_rejections(&mut self) {
        self.rejections += self.pending.len();
        self.pending.clear();
    }

    /// Records that a pending candidate fails. Returns true if it belongs to the last query of a pass that
    /// still waits for the answer. Otherwise the passes have to roll back to its query.
    pub(super) fn resolve_failure(&mut self, at: usize, candidate: &Value, waiting: bool) -> bool {
        self.rejections = 0;
        let Some(found) = self.pending.drain(..).nth(at) else { return false };
        // Forget the passes after the one that made the query.
        let is_last = found.recorded_pass + 1 == self.recorded_passes.len();
        self.recorded_passes.truncate(found.recorded_pass + 1);
        let Some(recorded) = self.recorded_passes.last_mut() else { return false };
        // If the pass still waits for this very query, the answer comes in time and nothing has to be undone.
        let in_time = waiting && is_last && found.query_index + 1 == recorded.answers.len();
        // Replace the assumed rejection by the real answer, and forget the later ones.
        recorded.answers.truncate(found.query_index);
        recorded.answers.push(Some(candidate.clone()));
        self.replayed = recorded.answers.len();
        if !in_time {
            self.rollback_to = Some(recorded.pass);
        }
        in_time
    }

    /// Returns the pass to roll back to, if there is one.
    pub(super) fn rollback_pass(&self) -> Option<usize> {
        self.rollback_to
    }
}

/// A search that counts what each of its passes does. The error is that of a search that was stopped.
pub(super) trait MeasuredSearch: Sized {
    /// Returns the time since a fixed moment.
    fn elapsed_time(&self) -> Duration;

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
