//! Drawing of one instance of a block.

use super::budget::limits_on_optional_block;
use super::compiled::{LineProgram, WrittenList};
use super::formulas::{collect_required, repair_formulas};
use super::growth_curve::interpolate_growth;
use super::memo::Memo;
use super::memory_budget::MemoryBudget;
use super::partial_ranges::{PartialRanges, announced_length_range, min_elements};
use super::strategy_cache::StrategyCache;
use super::{Extreme, GenerationError, GenerationPlan, GenerationSettings, NumberRanges, ScratchBuffers};
use crate::language::{
    BlockId, Comparison, FieldId, Interval, LayoutItem, RangeSource, narrow_by_operator, narrow_range,
    narrow_range_by_side,
};
use crate::value::{InstanceList, InstanceSlots, Value, ValueScope};
use rebut_generators::{
    Choices, ScalarStrategy, SizeRange, SizeStrategy, Swarm, draw_scalar, draw_scalar_with, draw_size,
};

/// Maximum number of attempts at an instance before its constraint is given up.
pub(super) const MAX_TRIES: usize = 12;

/// The cost of a failed attempt, in draws, even if it ended before the first draw.
pub(super) const DRAWS_PER_ATTEMPT: u64 = 16;

/// The cost of a draw in steps of the stop token: a few hundred nanoseconds, most of them for the ranges of the value.
const STEPS_PER_DRAW: u64 = 32;

/// Number of instances of a list between two checks of the stop token. Runs of instances begin at multiples of
/// it.
const INSTANCES_PER_STOP_CHECK: usize = 1024;

/// Minimum distance from the simplest number to which ranges reach, even at growth 0.
const MIN_SPAN: i128 = 8;

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
    /// The list that was written.
    pub(super) written: Option<WrittenList>,
    /// Whether a number around the written list has moved since.
    pub(super) is_written_outdated: bool,
    /// While the instances of a list are drawn: the fields that use up their budgets.
    pub(super) filled_fields: Vec<FieldId>,
    /// Number of failed attempts at the instance that is being drawn.
    failed_attempts: usize,
    /// Grown spans, by the width of the range.
    span_memo: Memo<i128, i128>,
    /// Maximum sizes that fit a size budget, by field and range, where nothing else decides them.
    fit_memo: Memo<(FieldId, Interval, usize), i128>,
}

/// The slots of an instance that is being drawn.
pub(super) type PartialSlots = Vec<Option<Value>>;

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
            (_, Some(Extreme::Max)) => "max".to_owned(),
            (_, None) => self.used_shape.unwrap_or("numbers").to_owned(),
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
        self.has_requested_shape |= wanted.is_some_and(|wanted| wanted.rsplit('/').next() == Some(name));
    }

    /// Records that a number moves around instances that were already drawn.
    pub(super) fn invalidate_proof(&mut self) {
        self.proved_block = None;
        self.is_written_outdated |= self.written.is_some();
    }

    /// Returns the program that writes the instances of a block, if they may be written.
    pub(super) fn line_program_of(&self, block: BlockId) -> Option<&'a LineProgram> {
        self.plan.line_program().filter(|lines| self.may_write && lines.block == block)
    }

    pub(super) fn scope_of_block<'s>(
        &self,
        block: BlockId,
        partial: &'s PartialSlots,
        outer: Option<&'s ValueScope<'s>>,
    ) -> ValueScope<'s>
    where
        'a: 's,
    {
        ValueScope { format: self.plan.format, block, slots: InstanceSlots::Partial(partial), outer, variables: &[] }
    }

    /// Draws an instance that satisfies the constraints of its block and the `extra` ones, of about
    /// `size_budget` elements at most.
    pub(super) fn draw_instance(
        &mut self,
        block: BlockId,
        outer: Option<&ValueScope<'_>>,
        extra: &[Comparison],
        size_budget: usize,
    ) -> Result<Vec<Value>, GenerationError> {
        let mut failure = None;
        for attempt in 0..MAX_TRIES {
            // Most dead ends are caused by size, so each later attempt is half as large.
            let size_budget = (size_budget >> attempt.min(usize::BITS as usize - 1)).max(1);
            let (wasted, drawn, allocation) = (self.wasted_draws, self.choices.draw_count(), self.memory);
            let before = std::mem::replace(&mut self.failed_attempts, attempt);
            let result = self.with_cache_at_first(attempt, |generator| {
                generator
                    .fill_at_first(attempt, |generator| generator.attempt_instance(block, outer, extra, size_budget))
            });
            self.failed_attempts = before;
            match result {
                Ok(slots) => return Ok(slots),
                Err(problem) => failure = Some(problem),
            }
            self.memory = allocation;
            // The draws since then include those wasted by inner instances, unless checking these cost more
            // than drawing.
            self.wasted_draws = self.wasted_draws.max(wasted + self.choices.draw_count() - drawn) + DRAWS_PER_ATTEMPT;
            if self.record_failed_attempt() {
                break;
            }
        }
        Err(failure.unwrap_or(GenerationError { constraint: None, too_large: None, message: String::new() }))
    }

    /// Fills the budgets in the first attempts, and uses any part of them in later ones.
    #[inline]
    pub(super) fn fill_at_first<T>(&mut self, attempt: usize, draw: impl FnOnce(&mut Self) -> T) -> T {
        const FILLING_ATTEMPTS: usize = 2;
        if self.filled_fields.is_empty() || attempt < FILLING_ATTEMPTS {
            return draw(self);
        }
        let filled = std::mem::take(&mut self.filled_fields);
        let drawn = draw(self);
        self.filled_fields = filled;
        drawn
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

    fn attempt_instance(
        &mut self,
        block: BlockId,
        outer: Option<&ValueScope<'_>>,
        extra: &[Comparison],
        size_budget: usize,
    ) -> Result<Vec<Value>, GenerationError> {
        let (format, parts) = (self.plan.format, self.plan.block_plan(block));
        if outer.is_none() {
            (self.proved_block, self.written) = (None, None);
        }
        let mut slots: PartialSlots = vec![None; format.block(block).slots];
        // Limits that make products and the counts of child blocks fit their budgets.
        let mut limits = self.limit_factors(block, &self.scope_of_block(block, &slots, outer), extra, size_budget);
        if parts.has_blocks {
            limits.extend(self.count_limits(block, &self.scope_of_block(block, &slots, outer), extra));
        }
        let all;
        let extra = if limits.is_empty() {
            extra
        } else {
            all = [extra, &*limits].concat();
            &all
        };
        // Sizes come first, in layout order. The others follow in that order or in reverse, so that neither of
        // `l` and `r` in `l <= r` is always drawn from the whole range. Numbers that act as sizes precede the
        // numbers they bound.
        let leads =
            self.settings.extreme.is_some() && parts.other_scalars.iter().any(|field| self.plan.acts_as_size(*field));
        let reverse = self.wants_reverse_order(block) && !leads;
        let last = parts.other_scalars.len().saturating_sub(1);
        let others = (0..parts.other_scalars.len())
            .map(|at| if reverse { last - at } else { at })
            .map(|at| parts.other_scalars[at]);
        for field in parts.sizes.iter().copied().chain(others) {
            let number = self.draw_scalar(field, block, &slots, outer, extra, size_budget)?;
            slots[format.field(field).slot] = Some(Value::Int(number));
        }
        // Arrays and texts are drawn once their sizes are known.
        for field in parts.arrays.iter().copied() {
            let array = self.draw_array(field, &self.scope_of_block(block, &slots, outer), extra, size_budget)?;
            slots[format.field(field).slot] = Some(array);
        }
        // Repair what was drawn without regard to a constraint. The blocks inside come after the fields that they
        // depend on, and before the formulas that mention them.
        self.repair_sums(block, &mut slots, outer, extra);
        self.repair_letter_counts(block, &mut slots, outer);
        self.repair_text_properties(block, &mut slots);
        self.draw_child_blocks(block, &mut slots, outer, extra, size_budget)?;
        self.repair_occurrences(block, &mut slots, outer);
        self.repair_formulas(block, &mut slots, outer);
        // Check all constraints, and redraw the fields that break one.
        self.redraw_until_valid(block, &mut slots, outer, extra)?;
        Ok(complete_slots(slots))
    }

    /// Returns the part of a field's range that the numbers already drawn leave.
    pub(super) fn remaining_range(
        &self,
        field: FieldId,
        scope: &ValueScope<'_>,
        extra: &[Comparison],
    ) -> Result<Interval, GenerationError> {
        let ranges = PartialRanges { scope };
        let mut range = self.plan.format.field(field).range;
        let mut blame = None;
        for narrowing in self.plan.field_narrowings(field) {
            // A bound that depends on an optional part (no `a`, no queries) is usually kept even if that part
            // is absent, which avoids dead ends. Now and then it is ignored, to reach inputs without the part.
            if self.ignore_optional_bounds && !narrowing.always_applies {
                continue;
            }
            let known =
                narrowing.fast_bound.as_ref().and_then(|(sign, other)| Some((*sign, other.evaluate_sum(scope)?)));
            range = match known {
                Some((sign, other)) => narrow_by_operator(range, sign, Interval::from_value(other)),
                None => narrow_range_by_side(narrowing.side, field, range, narrowing.comparison, &ranges),
            };
            if range.is_empty() && blame.is_none() {
                blame = Some(narrowing.constraint);
            }
        }
        for (constraint, formula) in self.plan.field_formulas(field) {
            let mut required = Vec::new();
            collect_required(formula, scope, &mut required);
            range =
                required.into_iter().fold(range, |range, comparison| narrow_range(field, range, comparison, &ranges));
            if range.is_empty() && blame.is_none() {
                blame = Some(constraint);
            }
        }
        for comparison in extra {
            range = narrow_range(field, range, comparison, &ranges);
        }
        if range.is_empty() {
            return Err(GenerationError::for_empty_range(self.plan.format, field, blame));
        }
        Ok(range)
    }

    pub(super) fn draw_scalar(
        &mut self,
        field: FieldId,
        block: BlockId,
        slots: &PartialSlots,
        outer: Option<&ValueScope<'_>>,
        extra: &[Comparison],
        size_budget: usize,
    ) -> Result<i128, GenerationError> {
        let scope = self.scope_of_block(block, slots, outer);
        let range = self.remaining_range(field, &scope, extra)?;
        if self.plan.is_size(field) {
            return Ok(self.draw_size(field, range, &scope, size_budget));
        }
        if let Some(extreme) = self.settings.extreme.filter(|_| self.plan.acts_as_size(field)) {
            return Ok(extreme.end_of_range(range));
        }
        if self.is_filled(field) {
            return Ok(range.hi);
        }
        if self.wants_tie(field)
            && let Some(tie) = self.draw_tied_number(block, slots)
        {
            return Ok(range.clamp_value(tie));
        }
        Ok(self.draw_scalar_within(field, range))
    }

    /// Draws a number of a field within a range.
    #[inline]
    pub(super) fn draw_scalar_within(&mut self, field: FieldId, range: Interval) -> i128 {
        let (unit, range) = self.choose_unit(field, range);
        let range = self.grow_field_range(field, range);
        let hints = if unit == 1 { self.settings.hints.as_slice() } else { &[] };
        let kept = self.strategies.field_strategy(field).number;
        let numbers = self.settings.numbers;
        let way = |c: &mut Choices| kept.unwrap_or_else(|| choose_scalar_strategy(c, numbers, hints));
        unit * draw_scalar_with(self.choices, range.lo, range.hi, hints, way)
    }

    /// Returns true if a number should be near another number of its instance.
    #[inline]
    pub(super) fn wants_tie(&mut self, field: FieldId) -> bool {
        self.strategies.field_strategy(field).tie.unwrap_or_else(|| self.choices.draw_chance(1, 5))
    }

    /// Returns true if the numbers of an instance should be drawn in reverse layout order.
    #[inline]
    pub(super) fn wants_reverse_order(&mut self, block: BlockId) -> bool {
        self.strategies.block_strategy(block).reverse.unwrap_or_else(|| self.choices.draw_chance(1, 2))
    }

    /// Draws one of the sizes that remain for a field.
    #[inline]
    pub(super) fn draw_one_size(&mut self, field: FieldId, sizes: &SizeRange) -> i128 {
        let (kept, growth) = (self.strategies.field_strategy(field).size, self.settings.growth);
        sizes.draw_with_strategy(self.choices, |c| kept.unwrap_or_else(|| SizeStrategy::choose_strategy(c, growth)))
    }

    /// Chooses the unit of a field's numbers, and returns it with the range in such units. Real numbers mostly
    /// get few decimals: their last digits stay zero.
    #[inline]
    pub(super) fn choose_unit(&mut self, field: FieldId, range: Interval) -> (i128, Interval) {
        let decimals = self.plan.format.field(field).decimal_places().max;
        if decimals == 0 {
            return (1, range);
        }
        self.choose_real_unit(decimals, range)
    }

    #[inline(never)]
    #[expect(clippy::expect_used, reason = "a number from 0 to a `u32` is one")]
    fn choose_real_unit(&mut self, decimals: u32, range: Interval) -> (i128, Interval) {
        let unit =
            10_i128.pow(u32::try_from(self.choices.draw_range(0, i128::from(decimals))).expect("at most the decimals"));
        let steps = Interval::new(-(-range.lo).div_euclid(unit), range.hi.div_euclid(unit));
        if steps.is_empty() { (1, range) } else { (unit, steps) }
    }

    fn repair_formulas(&mut self, block: BlockId, slots: &mut PartialSlots, outer: Option<&ValueScope<'_>>) {
        if !self.plan.block_plan(block).has_formulas {
            return;
        }
        self.invalidate_proof();
        let mut known = complete_slots(std::mem::take(slots));
        let (plan, choices, hints) = (self.plan, &mut *self.choices, &self.settings.hints);
        // Usually move as little as possible, otherwise draw anew: some violations do not narrow the range, and
        // only chance repairs them.
        let moves_freely = choices.draw_chance(1, 4);
        let mut choose = |_: FieldId, range: Interval, before: i128| {
            if moves_freely || range.contains_value(before) {
                draw_scalar(choices, range.lo, range.hi, hints)
            } else {
                range.clamp_value(before)
            }
        };
        repair_formulas(plan, block, &mut known, outer, &mut choose);
        *slots = known.into_iter().map(Some).collect();
    }

    /// Draws a number near one that the instance already has: programs tend to differ on equal and neighbouring
    /// values.
    fn draw_tied_number(&mut self, block: BlockId, slots: &PartialSlots) -> Option<i128> {
        let singles = &self.plan.block_plan(block).scalar_slots;
        let numbers = || singles.iter().filter_map(|slot| slots[*slot].as_ref()?.as_int());
        let near = numbers().nth(self.choices.draw_index(numbers().count()))?;
        Some(self.draw_near(near))
    }

    /// Draws a number within 2 of this one.
    pub(super) fn draw_near(&mut self, number: i128) -> i128 {
        number + self.choices.draw_range(-2, 2)
    }

    /// Shrinks a field's range early in a search: small inputs are cheap for slow references and easy to read.
    /// One in four ranges stays whole, so that overflows do not need a long search.
    #[inline]
    pub(super) fn grow_field_range(&mut self, field: FieldId, range: Interval) -> Interval {
        if self.uses_full_range(field) { range } else { self.grow_range(range) }
    }

    /// Returns the part of a range within reach at the current growth.
    #[inline(always)]
    pub(super) fn grow_range(&mut self, range: Interval) -> Interval {
        let width = range.hi - range.lo;
        let span = match self.settings.numbers {
            NumberRanges::Near(distance) => distance,
            _ if width <= MIN_SPAN => return range,
            _ => self.grown_span(width),
        };
        let simplest = range.simplest_value();
        Interval::new(simplest - span, simplest + span).intersect(range)
    }

    /// Returns true if a number should be drawn from its whole range.
    #[inline]
    pub(super) fn uses_full_range(&mut self, field: FieldId) -> bool {
        if let NumberRanges::Near(_) = self.settings.numbers {
            return false;
        }
        self.settings.growth >= 100
            || self.settings.extreme.is_some()
            || self.settings.numbers == NumberRanges::Extreme
            || self.strategies.field_strategy(field).full_range.unwrap_or_else(|| self.choices.draw_chance(1, 4))
    }

    /// Returns the maximum distance from the simplest number of a range of this width, at the current growth.
    pub(super) fn grown_span(&mut self, width: i128) -> i128 {
        let growth = self.settings.growth;
        self.span_memo
            .get_or_compute(width as usize, width, || interpolate_growth(MIN_SPAN as f64, width as f64, growth) as i128)
    }

    /// Returns the largest size in a range that fits the size budget, if it does not depend on the rest of the
    /// instance.
    pub(super) fn known_max_fit(
        &self,
        block: BlockId,
        field: FieldId,
        range: Interval,
        size_budget: usize,
    ) -> Option<i128> {
        if self.plan.block_plan(block).max_elements <= size_budget as i128 {
            return Some(range.hi);
        }
        self.fit_memo
            .cached_value(size_budget, (field, range, size_budget))
            .filter(|_| self.plan.block_plan(block).lone_size == Some(field))
    }

    pub(super) fn draw_size(
        &mut self,
        field: FieldId,
        range: Interval,
        scope: &ValueScope<'_>,
        size_budget: usize,
    ) -> i128 {
        match self.settings.extreme {
            Some(Extreme::Max) if self.plan.counts_cases(field) && self.choices.draw_chance(1, 2) => return range.lo,
            Some(Extreme::Max) if self.plan.is_start(field) => return range.lo,
            // After a failed attempt at the very end, try a number near it.
            Some(Extreme::Max) => return (range.hi - self.failed_attempts as i128).max(range.lo),
            Some(extreme) => return extreme.end_of_range(range),
            None => {}
        }
        if self.plan.is_start(field) {
            let range = Interval::new(self.min_fitting_start(field, range, scope, size_budget), range.hi);
            return self.draw_one_size(field, &SizeRange::new(range.lo, range.hi, self.settings.growth));
        }
        let hi = self.max_fitting_size(field, range, scope, size_budget);
        if self.is_filled(field) {
            return SizeRange::new(range.lo, hi, self.growth_to_fill()).max_size();
        }
        if let Some(cases) = self.plan.format.cases_block().filter(|_| self.plan.counts_cases(field)) {
            return self.draw_case_count(cases, range.lo, hi, size_budget);
        }
        self.draw_one_size(field, &SizeRange::new(range.lo, hi, self.settings.growth))
    }

    /// Returns the largest size in a range with which the instance fits the size budget.
    pub(super) fn max_fitting_size(
        &mut self,
        field: FieldId,
        range: Interval,
        scope: &ValueScope<'_>,
        size_budget: usize,
    ) -> i128 {
        let ranges = PartialRanges { scope };
        let fits = |value: i128| {
            let view = AssumedSizeRanges { field, value, ranges: &ranges };
            min_elements(scope.block, &view) <= size_budget as i128
        };
        let parts = self.plan.block_plan(scope.block);
        if parts.max_elements <= size_budget as i128 {
            range.hi
        } else if parts.lone_size == Some(field) {
            self.fit_memo.get_or_compute(size_budget, (field, range, size_budget), || find_largest(range, fits))
        } else {
            find_largest(range, fits)
        }
    }

    /// Returns the smallest start index in a range with which the instance fits the size budget.
    fn min_fitting_start(&self, field: FieldId, range: Interval, scope: &ValueScope<'_>, size_budget: usize) -> i128 {
        let ranges = PartialRanges { scope };
        let fits = |value: i128| {
            min_elements(scope.block, &AssumedSizeRanges { field, value, ranges: &ranges }) <= size_budget as i128
        };
        // Negated, the condition is monotone in the direction of `find_largest`.
        -find_largest(Interval::new(-range.hi, -range.lo), |value| fits(-value))
    }

    /// Draws the number of cases. Cases are cheap: running a hundred costs hardly more than running one, and
    /// the shrinker drops the others at once. So most files are full, and some have only one or a few cases.
    pub(super) fn draw_case_count(&mut self, cases: BlockId, lo: i128, hi: i128, size_budget: usize) -> i128 {
        let full = self.full_case_count(cases, size_budget).min(self.settings.max_cases) as i128;
        let hi = full.clamp(lo, hi);
        match self.choices.draw_weighted(&[1, 2, 9]) {
            0 => lo,
            1 => draw_size(self.choices, lo, hi, self.settings.growth),
            _ => hi,
        }
    }

    /// Draws the instances of the blocks directly inside.
    fn draw_child_blocks(
        &mut self,
        block: BlockId,
        slots: &mut PartialSlots,
        outer: Option<&ValueScope<'_>>,
        extra: &[Comparison],
        size_budget: usize,
    ) -> Result<(), GenerationError> {
        let format = self.plan.format;
        if !self.plan.block_plan(block).has_blocks {
            return Ok(());
        }
        for item in &format.block(block).items {
            match item {
                LayoutItem::Line(_) | LayoutItem::Rows(_) => {}
                LayoutItem::Block(child) => {
                    let list =
                        self.draw_instances(*child, &self.scope_of_block(block, slots, outer), extra, size_budget)?;
                    slots[format.block(*child).slot] = Some(Value::Instances(list));
                }
                LayoutItem::Either(children) => {
                    let chosen = self.choices.pick_item(children).copied();
                    for child in children {
                        let mut list = InstanceList::new(format.block(*child).slots);
                        if Some(*child) == chosen {
                            let limits = limits_on_optional_block(format, *child, extra);
                            list.push(self.draw_instance(
                                *child,
                                Some(&self.scope_of_block(block, slots, outer)),
                                &limits,
                                size_budget,
                            )?);
                        }
                        slots[format.block(*child).slot] = Some(Value::Instances(list));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Chooses how a single number is drawn.
pub(super) fn choose_scalar_strategy(c: &mut Choices, numbers: NumberRanges, hints: &[i128]) -> ScalarStrategy {
    match numbers {
        NumberRanges::Extreme => ScalarStrategy::choose_extreme_strategy(c),
        NumberRanges::Growing | NumberRanges::Near(_) => ScalarStrategy::choose_strategy(c, hints),
    }
}

/// Returns the slots of a finished instance.
#[expect(clippy::expect_used, reason = "an instance is complete once each item of its block was drawn")]
pub(super) fn complete_slots(slots: PartialSlots) -> Vec<Value> {
    slots.into_iter().map(|slot| slot.expect("each slot was drawn")).collect()
}

/// Returns the largest number in a range that satisfies a monotone condition (true up to some number, false
/// after it), by bisection. Returns the lower end if no number satisfies it.
pub(super) fn find_largest(range: Interval, holds: impl Fn(i128) -> bool) -> i128 {
    let (mut low, mut high) = (range.lo, range.hi);
    if holds(high) {
        return high;
    }
    while low < high {
        let middle = low + (high - low + 1) / 2;
        if holds(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

/// Ranges in which one more number is assumed to be known.
pub(super) struct AssumedSizeRanges<'l, 'a, 's> {
    pub(super) field: FieldId,
    pub(super) value: i128,
    pub(super) ranges: &'l PartialRanges<'a, 's>,
}

impl RangeSource for AssumedSizeRanges<'_, '_, '_> {
    fn format(&self) -> &crate::language::Format {
        self.ranges.format()
    }

    fn value_range(&self, field: FieldId) -> Interval {
        if field == self.field { Interval::from_value(self.value) } else { self.ranges.value_range(field) }
    }

    fn free_length_range(&self, field: FieldId) -> Interval {
        match self.ranges.scope.field_value(field) {
            Some(_) => self.ranges.free_length_range(field),
            None => announced_length_range(self.format().field(field), self),
        }
    }
}
