//! The state of a search: the best value, the fingerprints of past candidates, and the methods through which
//! passes try new ones.

use super::measured_search::MeasuredSearch;
use super::oracle::{Oracle, ShrinkStopped};
use super::pass_statistics::{AcceptedCounts, PassCounters, PassIndex};
use super::repair::repair_candidate;
use super::shrink_result::ShrinkResult;
use super::speculation::{BestCandidate, LeafBounds, Speculation};
use super::value_leaf::ValueLeaf;
use crate::generate::GenerationPlan;
use crate::language::Format;
use crate::print::print_value;
use crate::read::read_input;
use crate::tuning::{MAX_BATCH_ELEMENTS, MAX_KEPT_ELEMENTS};
use crate::validate::find_violation;
use crate::value::{Measure, Value};
use std::collections::HashSet;
use std::time::Duration;

/// A pass: one kind of simplification, repeated as long as it succeeds.
#[derive(Clone, Copy)]
pub(super) struct ShrinkPass {
    pub(super) name: &'static str,
    pub(super) run: RunPass,
}

/// The function of a pass.
pub(super) type RunPass = fn(&mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped>;

/// The state of a search.
pub(super) struct ShrinkSearch<'a, 'o> {
    pub(super) plan: &'a GenerationPlan<'a>,
    best: BestCandidate,
    oracle: &'o mut dyn Oracle<Value>,
    /// Fingerprints of all candidates tried: many passes arrive at the same one.
    seen: HashSet<u128>,
    speculation: Speculation,
    counters: PassCounters,
    /// The best value at the start of the round, if it is small.
    round_start: Option<Value>,
}

impl MeasuredSearch for ShrinkSearch<'_, '_> {
    fn elapsed_time(&self) -> Duration {
        self.oracle.elapsed_time()
    }

    fn counters(&mut self) -> &mut PassCounters {
        &mut self.counters
    }

    fn step_count(&self) -> usize {
        self.best.accepted.total()
    }
}

impl<'a, 'o> ShrinkSearch<'a, 'o> {
    pub(super) fn new(plan: &'a GenerationPlan<'a>, value: Value, oracle: &'o mut dyn Oracle<Value>) -> Self {
        let measure = Measure::of_value(plan.format, &value);
        let best = BestCandidate { value, measure, accepted: AcceptedCounts::default(), bounds: LeafBounds::new() };
        ShrinkSearch {
            plan,
            best,
            oracle,
            seen: HashSet::new(),
            speculation: Speculation::default(),
            counters: PassCounters::default(),
            round_start: None,
        }
    }

    pub(super) fn format(&self) -> &'a Format {
        self.plan.format
    }

    pub(super) fn best_value(&self) -> &Value {
        &self.best.value
    }

    /// Begins a round of all passes.
    pub(super) fn begin_round(&mut self) {
        let is_kept = self.best.measure.elements <= MAX_KEPT_ELEMENTS;
        self.round_start = is_kept.then(|| self.best.value.clone());
    }

    /// Records that a leaf is at a bound: this value is the nearest one that fails.
    pub(super) fn record_bound(&mut self, leaf: &ValueLeaf, value: i128) {
        self.best.bounds.insert((leaf.path.to_vec(), leaf.index), value);
    }

    /// Returns true if a leaf is known to be at a bound with this value.
    pub(super) fn is_at_bound(&self, leaf: &ValueLeaf, value: i128) -> bool {
        !self.best.bounds.is_empty() && self.best.bounds.get(&(leaf.path.to_vec(), leaf.index)) == Some(&value)
    }

    /// Returns the best value at the start of the round, or `None` if that was too large to be kept.
    pub(super) fn round_start(&self) -> Option<&Value> {
        self.round_start.as_ref()
    }

    pub(super) fn into_result(self, complete: bool) -> ShrinkResult<Value> {
        ShrinkResult::from_counters(self.best.value, complete, self.counters, &self.best.accepted)
    }

    /// Runs passes in order. If the rejection of a candidate was assumed wrongly, its pass and the later ones are run
    /// again.
    pub(super) fn run_passes(&mut self, passes: &[ShrinkPass]) -> Result<(), ShrinkStopped> {
        let mut at = 0;
        loop {
            let done = match passes.get(at) {
                Some(pass) => self.begin_pass(at).and_then(|()| self.run_measured(pass.name, pass.run)),
                None => self.measure_time(|search| search.flush_speculation(false).map(|_| ())),
            };
            match done {
                Ok(()) if at == passes.len() => return Ok(()),
                Ok(()) => at += 1,
                // Without a rollback, the search itself has been stopped.
                Err(stopped) => at = self.speculation.rollback_pass().ok_or(stopped)?,
            }
        }
    }

    fn begin_pass(&mut self, pass: usize) -> Result<(), ShrinkStopped> {
        let useful = self.oracle.batch_width() > 1;
        if let Some(start) = self.speculation.begin_pass(pass, || self.best.clone(), useful) {
            self.best = start;
        }
        Ok(())
    }

    /// Tries a candidate. Returns true if it was accepted.
    pub(super) fn attempt_one(&mut self, candidate: Value) -> Result<bool, ShrinkStopped> {
        self.attempt_any(vec![candidate])
    }

    /// Tries candidates in order of preference and accepts the first that fails. Returns true if one was
    /// accepted. Candidates that are invalid, not smaller, or already known are never run.
    pub(super) fn attempt_any(&mut self, candidates: Vec<Value>) -> Result<bool, ShrinkStopped> {
        self.attempt_each(candidates, |_, candidate| [candidate])
    }

    /// Like [`attempt_any`](Self::attempt_any), but takes moves. `make` builds the candidates of one move from the
    /// best value when they are needed: a move takes a few words, a candidate as much memory as the input.
    pub(super) fn attempt_each<M, C: IntoIterator<Item = Value>>(
        &mut self,
        moves: impl IntoIterator<Item = M>,
        make: impl Fn(&Self, M) -> C,
    ) -> Result<bool, ShrinkStopped> {
        self.check_stop()?;
        // A pass that runs again gets the known answers first.
        if let Some(answer) = self.speculation.replay_answer() {
            let taken = answer.is_some();
            answer.into_iter().for_each(|value| self.accept_candidate(value));
            return Ok(taken);
        }
        let (mut fit, mut elements) = (Vec::new(), 0);
        for step in moves {
            self.check_stop()?;
            for candidate in make(self, step) {
                self.check_stop()?;
                let admitted = self.admit_candidate(candidate);
                elements += admitted.iter().map(Value::element_count).sum::<usize>();
                fit.extend(admitted);
                // Run what has accumulated before it takes too much memory.
                if elements >= MAX_BATCH_ELEMENTS && !self.speculation.is_recording() {
                    if self.take_first_failing(&mut fit)? {
                        return Ok(true);
                    }
                    elements = 0;
                }
            }
        }
        // While recording, assume a rejection and run the candidates later with others.
        if !self.speculation.is_recording() {
            return self.take_first_failing(&mut fit);
        }
        self.speculation.defer_query(fit, self.counters.current_pass());
        if self.speculation.is_flush_due(self.oracle.batch_width()) { self.flush_speculation(true) } else { Ok(false) }
    }

    /// Returns an error if the search should end. Passes call this in each loop that may run long without a
    /// query.
    pub(super) fn check_stop(&self) -> Result<(), ShrinkStopped> {
        if self.oracle.should_stop() { Err(ShrinkStopped) } else { Ok(()) }
    }

    /// Accepts the first candidate of a batch that fails, and empties the batch. Returns true if one did.
    fn take_first_failing(&mut self, batch: &mut Vec<Value>) -> Result<bool, ShrinkStopped> {
        let pass = self.counters.current_pass();
        let found = self.query_oracle(batch, &|_| pass)?;
        let taken = found.map(|at| batch.swap_remove(at));
        batch.clear();
        Ok(taken.map(|value| self.accept_candidate(value)).is_some())
    }

    /// Runs the deferred candidates. Returns true if the last query, for which its pass is still `waiting`, has
    /// a failing candidate. Returns [`ShrinkStopped`] if an earlier query has one, so that its pass has to be
    /// rolled back.
    fn flush_speculation(&mut self, waiting: bool) -> Result<bool, ShrinkStopped> {
        let (mut candidates, made_by) = self.speculation.take_candidates();
        let Some(at) = self.query_oracle(&candidates, &|at| made_by[at])? else {
            self.speculation.confirm_rejections();
            return Ok(false);
        };
        let taken = candidates.swap_remove(at);
        if !self.speculation.resolve_failure(at, &taken, waiting) {
            return Err(ShrinkStopped);
        }
        self.accept_candidate(taken);
        Ok(true)
    }

    /// Queries the oracle about admitted candidates, each of which was `made_by` a pass.
    fn query_oracle(
        &mut self,
        fit: &[Value],
        made_by: &dyn Fn(usize) -> PassIndex,
    ) -> Result<Option<usize>, ShrinkStopped> {
        if fit.is_empty() {
            return Ok(None);
        }
        let found = self.oracle.first_failing(fit)?.filter(|i| *i < fit.len());
        let tried = found.map_or(fit.len(), |i| i + 1);
        (0..tried).for_each(|at| self.counters.count_tried(made_by(at), 1));
        // The candidates after the failing one have no answer, and may be queried again.
        for unanswered in found.into_iter().flat_map(|found| &fit[found + 1..]) {
            self.seen.remove(&text_fingerprint(&print_value(self.plan.format, unanswered)));
        }
        Ok(found)
    }

    fn accept_candidate(&mut self, value: Value) {
        let measure = Measure::of_value(self.plan.format, &value);
        assert!(measure < self.best.measure, "only smaller candidates are admitted, so shrinking ends");
        let mut bounds = std::mem::take(&mut self.best.bounds);
        if measure.elements != self.best.measure.elements {
            bounds.clear();
        }
        let mut accepted = std::mem::take(&mut self.best.accepted);
        accepted.count_accepted(self.counters.current_pass());
        self.best = BestCandidate { value, measure, accepted, bounds };
    }

    /// Returns the variants of a candidate that may be run: the candidate itself or, if it is invalid, its
    /// repaired forms; only those that are new and smaller.
    fn admit_candidate(&mut self, candidate: Value) -> Vec<Value> {
        let valid = find_violation(self.plan.format, &candidate).is_none();
        let candidates = if valid { vec![candidate] } else { repair_candidate(self.plan, &candidate) };
        candidates.into_iter().filter(|candidate| self.is_new_and_smaller(candidate)).collect()
    }

    fn is_new_and_smaller(&mut self, candidate: &Value) -> bool {
        if Measure::of_value(self.plan.format, candidate) >= self.best.measure {
            return false;
        }
        let printed = print_value(self.plan.format, candidate);
        // Some properties hold by construction in the reader, not by constraints: a block exists if its
        // condition holds, a repetition is within its bounds.
        let reads_back =
            !self.plan.format.has_open_structure() || read_input(self.plan.format, &printed).as_ref() == Ok(candidate);
        reads_back && self.seen.insert(text_fingerprint(&printed))
    }
}

/// Returns a fingerprint of a text. Collisions within one search are practically impossible, and the texts
/// themselves would fill the memory.
pub(super) fn text_fingerprint(text: &[u8]) -> u128 {
    use std::hash::Hasher;
    let half = |salt: u8| {
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(text);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
