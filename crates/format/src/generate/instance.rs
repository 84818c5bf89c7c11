//! The state of the generator that lasts for one input.

use super::budget::MemoryBudget;
use super::strategy_cache::StrategyCache;
use super::{Extreme, GenerationError, GenerationPlan, GenerationSettings, ScratchBuffers};
use crate::language::{BlockId, FieldId, Interval};
use crate::value::{InstanceSlots, Value, ValueScope};
use rebut_generators::{Choices, Swarm, split_shape_names};

/// The cost of a draw in steps of the stop token: a few hundred nanoseconds, most of them for the ranges of the value.
const STEPS_PER_DRAW: u64 = 32;

/// Number of instances of a list between two checks of the stop token. Runs of instances begin at multiples of
/// it.
const INSTANCES_PER_STOP_CHECK: usize = 1024;

/// The lines of all instances of a list.
#[derive(Debug)]
pub(super) struct WrittenList {
    pub(super) bytes: Vec<u8>,
    /// Number of instances.
    pub(super) count: usize,
}

/// Draws instances. Holds the state that lasts for one input.
pub(super) struct InstanceGenerator<'a, 'c> {
    pub(super) plan: &'a GenerationPlan<'a>,
    pub(super) choices: &'c mut Choices,
    pub(super) settings: &'c GenerationSettings,
    pub(super) swarm: &'c mut Swarm,
    /// Whether bounds that depend on optional parts are ignored.
    pub(super) ignore_optional_bounds: bool,
    /// The first shape that was used; reports name the input after it.
    pub(super) used_shape: Option<&'static str>,
    /// Whether any part has the requested shape.
    has_requested_shape: bool,
    /// Approximate number of wasted draws.
    pub(super) wasted_draws: u64,
    /// The part of them that is counted in the steps of the stop token.
    pub(super) spent_draws: u64,
    /// The block with instances known to satisfy its constraints, as long as no number around them moves.
    pub(super) proved_block: Option<BlockId>,
    pub(super) strategies: StrategyCache,
    pub(super) scratch: ScratchBuffers,
    pub(super) memory: MemoryBudget,
    /// Whether a list may be written as bytes instead of being built as values.
    pub(super) may_write: bool,
    pub(super) written: Option<WrittenList>,
    /// Whether a number around the written list has moved since.
    pub(super) is_written_outdated: bool,
    /// While the instances of a list are drawn: the fields that use up their budgets.
    pub(super) filled_fields: Vec<FieldId>,
    /// The part of their ranges that sizes at their maximum take, in thousandths.
    pub(super) size_factor: i128,
    /// Number of failed attempts at the instance that is being drawn.
    pub(super) failed_attempts: usize,
    /// Grown spans, by the width of the range.
    pub(super) span_memo: Memo<i128, i128>,
    /// Maximum sizes that fit a size budget, by field and range, where nothing else decides them.
    pub(super) fit_memo: Memo<(FieldId, Interval, usize), i128>,
}

impl<'a, 'c> InstanceGenerator<'a, 'c> {
    pub(super) fn new(
        plan: &'a GenerationPlan<'a>,
        choices: &'c mut Choices,
        settings: &'c GenerationSettings,
        swarm: &'c mut Swarm,
    ) -> Self {
        let ignore_optional_bounds = choices.draw_chance(1, 12);
        let (spans, fitting) = (Memo::new(), Memo::new());
        InstanceGenerator {
            plan,
            choices,
            settings,
            swarm,
            ignore_optional_bounds,
            used_shape: None,
            has_requested_shape: false,
            wasted_draws: 0,
            spent_draws: 0,
            proved_block: None,
            strategies: StrategyCache::default(),
            scratch: ScratchBuffers::default(),
            memory: MemoryBudget::default(),
            may_write: false,
            written: None,
            is_written_outdated: false,
            filled_fields: Vec::new(),
            size_factor: WHOLE,
            failed_attempts: 0,
            span_memo: spans,
            fit_memo: fitting,
        }
    }

    /// Returns the shape under which reports count the input: the requested one, if any part has it.
    pub(super) fn shape_name(&self) -> String {
        match (&self.settings.shape, self.settings.extreme) {
            (Some(shape), _) if self.has_requested_shape => shape.clone(),
            (_, Some(Extreme::Min)) => "min".to_owned(),
            (_, Some(Extreme::Max)) if self.settings.worst_case.is_none() => "max".to_owned(),
            _ => self.used_shape.unwrap_or("numbers").to_owned(),
        }
    }

    /// Records the shape of a part.
    pub(super) fn record_used_shape(&mut self, name: &'static str) {
        self.used_shape.get_or_insert(name);
        self.match_requested_shape(name);
    }

    /// Records the shape of a part that never names an input: only whether it is the requested one.
    pub(super) fn match_requested_shape(&mut self, name: &str) {
        let wanted = self.settings.shape.as_deref();
        let is_named = |wanted: &str| split_shape_names(wanted).any(|one| one.rsplit('/').next() == Some(name));
        self.has_requested_shape |= wanted.is_some_and(is_named);
    }

    /// Records that a number moves around instances that were already drawn.
    pub(super) fn invalidate_proof(&mut self) {
        self.proved_block = None;
        self.is_written_outdated |= self.written.is_some();
    }

    pub(super) fn scope_of_block<'s>(
        &self,
        block: BlockId,
        partial: &'s [Option<Value>],
        outer: Option<&'s ValueScope<'s>>,
    ) -> ValueScope<'s>
    where
        'a: 's,
    {
        ValueScope::new(self.plan.format, block, InstanceSlots::Partial(partial), outer)
    }

    /// Counts a failed attempt, and returns true if the input has to be given up: too many draws were wasted, or the
    /// stop token fired.
    pub(super) fn record_failed_attempt(&mut self) -> bool {
        let wasted = self.wasted_draws - std::mem::replace(&mut self.spent_draws, self.wasted_draws);
        let is_stopped = self.plan.format.stop_token.spend_steps(wasted.saturating_mul(STEPS_PER_DRAW));
        is_stopped || self.wasted_draws > self.settings.max_wasted_draws
    }

    /// Checks the stop token every [`INSTANCES_PER_STOP_CHECK`] instances, before the instance at this index is
    /// drawn.
    ///
    /// # Errors
    /// Returns an error if the token fired.
    #[inline]
    pub(super) fn check_stop(&self, instance: usize) -> Result<(), GenerationError> {
        let is_due = instance > 0 && instance.is_multiple_of(INSTANCES_PER_STOP_CHECK);
        let is_stopped = is_due && self.plan.format.stop_token.spend_steps(INSTANCES_PER_STOP_CHECK as u64);
        if is_stopped { Err(GenerationError::for_stop()) } else { Ok(()) }
    }
}

// A small cache of recent results.

/// A direct-mapped cache: each result stays until another one needs its slot.
#[derive(Debug)]
pub(super) struct Memo<K, V> {
    slots: Vec<Option<(K, V)>>,
}

/// Number of slots.
const MEMO_SLOTS: usize = 64;

impl<K: Copy + PartialEq, V: Copy> Memo<K, V> {
    pub(super) fn new() -> Self {
        Memo { slots: Vec::new() }
    }

    /// Returns the result of a key, if it is still cached.
    pub(super) fn cached_value(&self, number: usize, key: K) -> Option<V> {
        let place = self.slots.get(number % MEMO_SLOTS)?.as_ref();
        place.filter(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// Returns the result of a key, computing it if needed. `number` selects the slot.
    pub(super) fn get_or_compute(&mut self, number: usize, key: K, work: impl FnOnce() -> V) -> V {
        if self.slots.is_empty() {
            self.slots.resize(MEMO_SLOTS, None);
        }
        let place = &mut self.slots[number % MEMO_SLOTS];
        match place {
            Some((known, value)) if *known == key => *value,
            _ => place.insert((key, work())).1,
        }
    }
}

// A factor for sizes at their maximum, in thousandths.

/// A factor of 1.
pub(super) const WHOLE: i128 = 1_000;

/// Returns the end of the part that a factor leaves of a range.
pub(super) fn scaled_end(range: Interval, factor: i128) -> i128 {
    let width = range.hi.saturating_sub(range.lo);
    // The order avoids an overflow in ranges of any width, and loses less than one part in a thousand.
    let part = if width > i128::MAX / WHOLE { width / WHOLE * factor } else { width * factor / WHOLE };
    range.lo.saturating_add(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memo_returns_the_result_of_the_key() {
        let mut memo = Memo::new();
        let mut worked = 0;
        for key in [3, 3, 67, 67, 3, 4, 3, 4] {
            let value = memo.get_or_compute(key, key, || {
                worked += 1;
                key * 2
            });
            assert_eq!(value, key * 2);
        }
        assert_eq!(worked, 4, "3 and 67 share a slot");
    }

    #[test]
    fn ends_are_scaled_without_overflow() {
        assert_eq!(scaled_end(Interval::new(1, 1001), 500), 501);
        assert_eq!(scaled_end(Interval::new(7, 7), 500), 7);
        assert!(scaled_end(Interval::new(-(1 << 126), 1 << 126), WHOLE) <= 1 << 126);
    }
}
