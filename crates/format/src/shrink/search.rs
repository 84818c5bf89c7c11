//! The state of a search: the best value, the fingerprints of past candidates, and the methods through which
//! passes try new ones.

use super::oracle::{Oracle, ShrinkStopped};
use super::pass_statistics::{AcceptedCounts, PassCounters, PassIndex, PassStatistics, add_statistics};
use super::size_cuts::apply_conditions;
use super::speculation::{BestCandidate, LeafBounds, MeasuredSearch, Speculation};
use crate::generate::{GenerationPlan, repair_formulas, repair_text_counts, repair_text_properties};
use crate::language::{BlockId, FieldId, Format, Interval, RangeSource, narrow_range};
use crate::print::print_value;
use crate::read::read_input;
use crate::tuning::{MAX_BATCH_ELEMENTS, MAX_KEPT_ELEMENTS, MAX_RELOCATED_ELEMENTS, MAX_RELOCATIONS};
use crate::validate::{find_violation, is_comparison_true};
use crate::value::{InstanceList, InstanceSlots, Measure, Value, ValuePath, ValueScope};
use rebut_generators::Choices;
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
        let format = self.plan.format;
        // A text that counts repetitions may have changed: either the first or the last of them stay.
        let adjusted = match format.has_counted_contents() {
            true => [false, true].iter().filter_map(|last| apply_conditions(format, &candidate, *last)).collect(),
            false => vec![candidate],
        };
        let repaired = |candidate: Value| match find_violation(format, &candidate) {
            None => vec![candidate],
            Some(_) => repair_candidate(self.plan, &candidate),
        };
        let candidates: Vec<Value> = adjusted.into_iter().flat_map(repaired).collect();
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

// The result of a search.

/// The result of a search.
#[derive(Clone, Debug)]
pub struct ShrinkResult<C> {
    /// The smallest failing value found.
    pub value: C,
    /// Number of improvements.
    pub steps: usize,
    /// Number of candidates that the oracle was queried about.
    pub tried: usize,
    /// Whether the search ran to its end: no pass can improve the value.
    pub is_complete: bool,
    /// The work of each pass, in the order in which they were first begun.
    pub passes: Vec<PassStatistics>,
}

impl<C> ShrinkResult<C> {
    /// Returns the result of a search with these counters.
    pub(super) fn from_counters(value: C, complete: bool, counters: PassCounters, accepted: &AcceptedCounts) -> Self {
        ShrinkResult {
            value,
            steps: accepted.total(),
            tried: counters.total_tried(),
            is_complete: complete,
            passes: counters.into_statistics(accepted),
        }
    }

    /// Adds the counts of an earlier search, whose result this search began with.
    pub fn add_earlier_search(&mut self, earlier: &ShrinkResult<C>) {
        self.steps += earlier.steps;
        self.tried += earlier.tried;
        add_statistics(&mut self.passes, &earlier.passes);
    }
}

/// A leaf: one number or character of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueLeaf {
    pub(super) path: ValuePath,
    pub(super) index: usize,
    pub(super) field: FieldId,
    /// The number, or the rank of the letter.
    pub(super) value: i128,
    /// The simplest number or rank.
    pub(super) simplest: i128,
}

// Repair of candidates that a deletion made invalid, if little is missing.
//
// A board that loses a row may have one `S` too few; a reference may point past the end; a sum may have become
// too small. Each number moves to the nearest value that its constraints allow, deterministically: a candidate
// always has the same repairs. A missing letter has to be placed somewhere, and may replace just the cell that
// makes the program fail, so several placements are tried in small inputs.

/// Returns the repaired candidates that are valid.
pub(super) fn repair_candidate(plan: &GenerationPlan<'_>, candidate: &Value) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let variants =
        if has_letters(plan) && candidate.element_count() <= MAX_RELOCATED_ELEMENTS { MAX_RELOCATIONS } else { 1 };
    for variant in 0..variants {
        let repaired = Value::Block(repair_instance(plan, variant, BlockId(0), candidate.root_slots(), None));
        if repaired != *candidate && !found.contains(&repaired) && find_violation(plan.format, &repaired).is_none() {
            found.push(repaired);
        }
    }
    found
}

fn has_letters(plan: &GenerationPlan<'_>) -> bool {
    plan.format.fields.iter().any(|f| f.alphabet().is_some())
}

/// Returns the choices that place letters: always at the front, or at random.
fn placement_choices(variant: u64) -> Choices {
    if variant == 0 { Choices::from_draws(Vec::new()) } else { Choices::from_seed(variant, 0) }
}

fn repair_instance(
    plan: &GenerationPlan<'_>,
    variant: u64,
    block: BlockId,
    slots: &[Value],
    outer: Option<&ValueScope<'_>>,
) -> Vec<Value> {
    let format = plan.format;
    let mut slots: Vec<Value> = slots.to_vec();
    // The fields of the instance, in layout order, so that each depends on repaired ones. Sizes stay.
    for field in format.fields_in_block(block) {
        let slot = format.field(field).slot;
        let Some(mut repaired) = slots.get(slot).cloned() else { continue };
        let scope = ValueScope::new(format, block, InstanceSlots::Known(&slots), outer);
        if format.field(field).alphabet().is_some() {
            repair_text_counts(plan, field, &mut repaired, &scope, &mut placement_choices(variant));
            repair_text_properties(plan, field, &mut repaired, &mut placement_choices(variant));
        } else if !plan.is_size(field) {
            let known = ScalarRanges { scope: &scope };
            let declared = format.field(field).range;
            // If all comparisons hold, narrowing would change nothing, and checking is far cheaper.
            let holds = plan.field_comparisons(field).all(|(_, c)| is_comparison_true(c, &scope));
            let narrowed = |range, c| narrow_range(field, range, c, &known);
            let range =
                plan.field_comparisons(field).filter(|_| !holds).fold(declared, |range, (_, c)| narrowed(range, c));
            clamp_value(&mut repaired, if range.is_empty() { declared } else { range });
        }
        slots[slot] = repaired;
    }
    // The instances inside, and last the formulas over all of these.
    for child in format.child_blocks(block) {
        let slot = format.block(child).slot;
        let list = {
            let scope = ValueScope::new(format, block, InstanceSlots::Known(&slots), outer);
            let repaired =
                scope.child_instances(child).iter().map(|i| repair_instance(plan, variant, child, i, Some(&scope)));
            InstanceList::from_instances(format.block(child).slots, repaired)
        };
        if let Some(place) = slots.get_mut(slot) {
            *place = Value::Instances(list);
        }
    }
    let mut near = |_: FieldId, range: Interval, before: i128| range.clamp_value(before);
    repair_formulas(plan, block, &mut slots, outer, &mut near);
    slots
}

fn clamp_value(value: &mut Value, range: Interval) {
    match value {
        Value::Int(number) => *number = range.clamp_value(*number),
        Value::Ints(numbers) => numbers.iter_mut().for_each(|n| *n = range.clamp_value(*n)),
        Value::List(rows) => rows.iter_mut().for_each(|r| clamp_value(r, range)),
        Value::Text(_) | Value::Instances(_) | Value::Block(_) => {}
    }
}

/// Ranges in which single numbers are known, and the elements of arrays have their declared range.
struct ScalarRanges<'a, 's> {
    scope: &'s ValueScope<'a>,
}

impl RangeSource for ScalarRanges<'_, '_> {
    fn format(&self) -> &crate::language::Format {
        self.scope.format
    }

    fn value_range(&self, field: crate::language::FieldId) -> Interval {
        match self.scope.field_value(field) {
            Some(Value::Int(number)) => Interval::from_value(*number),
            _ => self.scope.format.field(field).range,
        }
    }

    fn free_length_range(&self, field: crate::language::FieldId) -> Interval {
        self.scope.format.field(field).length
    }

    fn exact_value(&self, expr: &crate::language::Expr) -> Option<i128> {
        crate::value::evaluate_number(expr, self.scope).ok()
    }
}
