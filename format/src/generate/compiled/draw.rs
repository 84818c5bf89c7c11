//! Drawing of the instances of a compiled block.

use super::super::GenerationError;
use super::super::budget::{Budget, are_budgets_ample};
use super::super::instance::{DRAWS_PER_ATTEMPT, InstanceGenerator, MAX_TRIES, PartialSlots};
use super::super::memory_budget::number_to_size;
use super::super::redraw::{CHECKS_PER_DRAW, MAX_REDRAWS};
use super::super::strategy_cache::split_into_runs;
use super::lanes::LaneTable;
use super::{CompiledArray, CompiledBlock, CompiledBound, CompiledConstraint, CompiledNumber, MAX_SUMS, apply_bounds};
use crate::language::{BlockId, Expr, FieldId, Format, Interval, narrow_by_operator};
use crate::validate::ViolationSides;
use crate::value::{InstanceList, Value, ValueScope};
use rebut_generators::SizeRange;

/// The frame of the instance that is being drawn.
pub(in crate::generate) struct InstanceFrame<'p, 's> {
    pub(super) compiled: &'p CompiledBlock,
    pub(super) block: BlockId,
    holder: &'s ValueScope<'s>,
    /// The range of each slot, a single value once it is drawn, followed by the outer numbers.
    pub(super) places: Vec<Interval>,
    /// Bit mask of the single numbers that are drawn, in layout order.
    known_mask: u64,
    /// For each budget, the slot that contributes to it and the range that the instance's share leaves.
    pub(super) limits: Vec<(usize, Interval)>,
    /// The most recent sizes of each single number: most instances draw from the same ones.
    recent_sizes: Vec<Option<RecentSizes>>,
}

/// The possible sizes within a range, for one size budget.
#[derive(Clone, Copy)]
struct RecentSizes {
    range: Interval,
    size_budget: usize,
    sizes: SizeRange,
}

/// The reason why an attempt at an instance failed. Most failures are followed by another attempt, so the
/// message is built only at the end.
pub(super) enum DrawFailure {
    /// The range of a field is empty, because of this constraint.
    EmptyRange(FieldId, Option<usize>),
    /// A constraint does not hold, with the values of its sides.
    BrokenConstraint(usize, [i128; MAX_SUMS], [i128; MAX_SUMS]),
    /// Any other error.
    Other(Box<GenerationError>),
}

impl DrawFailure {
    fn from_error(failure: GenerationError) -> DrawFailure {
        DrawFailure::Other(Box::new(failure))
    }

    fn into_error(self, format: &Format) -> GenerationError {
        match self {
            DrawFailure::EmptyRange(field, blame) => GenerationError::for_empty_range(format, field, blame),
            DrawFailure::Other(failure) => *failure,
            DrawFailure::BrokenConstraint(constraint, left, right) => {
                match format.constraints[constraint].rule.comparison() {
                    Some(comparison) => {
                        let numbers = |side: &[Expr], of: [i128; MAX_SUMS]| of[..side.len().min(MAX_SUMS)].to_vec();
                        let sides = match (&*comparison.left, &*comparison.right) {
                            ([_], [_]) => ViolationSides::Numbers(comparison, left[0], right[0]),
                            (a, b) => ViolationSides::Tuples(comparison, numbers(a, left), numbers(b, right)),
                        };
                        GenerationError::for_broken_constraint(format, constraint, sides.display_text(format))
                    }
                    None => GenerationError { constraint: None, too_large: None, message: String::new() },
                }
            }
        }
    }
}

impl InstanceFrame<'_, '_> {
    /// Forgets all numbers.
    fn reset_frame(&mut self) {
        let compiled = self.compiled;
        self.places[..compiled.declared.len()].copy_from_slice(&compiled.declared);
        self.known_mask = 0;
    }

    fn set_number(&mut self, number: &CompiledNumber, to: i128) {
        self.places[number.slot] = Interval::from_value(to);
        self.known_mask |= 1 << number.position;
    }

    fn forget_number(&mut self, number: &CompiledNumber) {
        self.places[number.slot] = self.compiled.declared[number.slot];
        self.known_mask &= !(1 << number.position);
    }

    /// Returns the range that remains for a number. It is inlined because an [`Interval`] is too wide to be
    /// returned in registers, and would go through memory.
    #[inline(always)]
    fn remaining_range(&self, number: &CompiledNumber) -> Result<Interval, DrawFailure> {
        let mut range = apply_bounds(self.compiled.declared[number.slot], &number.bounds, &self.places);
        for (slot, limit) in &self.limits {
            if *slot == number.slot {
                range = range.intersect(*limit);
            }
        }
        if range.is_empty() {
            Err(self.empty_range_failure(number.field, number.slot, &number.bounds))
        } else {
            Ok(range)
        }
    }

    #[cold]
    fn empty_range_failure(&self, field: FieldId, slot: usize, bounds: &[CompiledBound]) -> DrawFailure {
        let mut range = self.compiled.declared[slot];
        let mut emptying = bounds.iter().filter(|bound| {
            range = narrow_by_operator(range, bound.sign, bound.other.possible_range(&self.places));
            range.is_empty()
        });
        DrawFailure::EmptyRange(field, emptying.next().map(|bound| bound.constraint))
    }

    /// Returns the first constraint that does not hold, with the values of its sides.
    fn first_broken_constraint(&self) -> Option<(&CompiledConstraint, DrawFailure)> {
        let check = self.compiled.constraints.iter().find(|check| !self.constraint_holds(check))?;
        let (mut left, mut right) = ([0; MAX_SUMS], [0; MAX_SUMS]);
        left.iter_mut().zip(&check.left).for_each(|(number, sum)| *number = sum.known_number(&self.places));
        right.iter_mut().zip(&check.right).for_each(|(number, sum)| *number = sum.known_number(&self.places));
        Some((check, DrawFailure::BrokenConstraint(check.constraint, left, right)))
    }

    fn constraint_holds(&self, check: &CompiledConstraint) -> bool {
        check.holds_for_sums(|sum| sum.known_number(&self.places))
    }

    /// Sets the limits that the shares of the `i`-th of `count` instances put on its numbers.
    pub(super) fn apply_budget_limits(&mut self, budgets: &[Budget<'_>], i: usize, count: usize) {
        for (limit, budget) in self.limits.iter_mut().zip(budgets) {
            limit.1 = budget.limit_range(i, count);
        }
    }

    /// Subtracts the contributions of an instance from the budgets.
    pub(super) fn spend_budgets(&self, budgets: &mut [Budget<'_>], number: impl Fn(usize) -> i128) {
        for ((slot, _), budget) in self.limits.iter().zip(budgets) {
            budget.spend_amount(number(*slot));
        }
    }

    /// Returns the number of nodes of the instance, as [`Value::node_count`] counts them.
    fn count_nodes(&self) -> usize {
        let nodes = |array: &CompiledArray| {
            let sizes =
                array.sizes.iter().rev().map(|size| usize::try_from(size.known_number(&self.places)).unwrap_or(0));
            sizes.fold(1, |each, size| 1 + size * each)
        };
        self.known_mask.count_ones() as usize + self.compiled.arrays.iter().map(nodes).sum::<usize>()
    }

    /// Writes the single numbers into their slots.
    pub(super) fn write_numbers(&self, slots: &mut [Value]) {
        for slot in &self.compiled.scalar_slots {
            store_number(&mut slots[*slot], self.places[*slot].lo);
        }
    }

    /// Copies the arrays of another instance into their slots.
    pub(super) fn copy_arrays(&self, original: &[Value], slots: &mut [Value]) {
        for array in &self.compiled.arrays {
            match (&mut slots[array.slot], &original[array.slot]) {
                (Value::Text(to), Value::Text(from)) => {
                    to.clear();
                    to.extend_from_slice(from);
                }
                (to, from) => to.clone_from(from),
            }
        }
    }

    /// Loads the drawn numbers of a lane.
    pub(super) fn load_lane(&mut self, lanes: &LaneTable, at: usize) {
        let compiled = self.compiled;
        self.reset_frame();
        for number in compiled.sizes.iter().chain(&compiled.other_scalars).filter(|number| lanes.is_known(number)) {
            self.set_number(number, lanes.number_at(number.slot, at).into());
        }
    }

    /// Loads the numbers of an instance.
    fn load_instance(&mut self, instance: &[Value]) {
        let compiled = self.compiled;
        self.reset_frame();
        for number in compiled.sizes.iter().chain(&compiled.other_scalars) {
            if let Some(Value::Int(known)) = instance.get(number.slot) {
                self.set_number(number, *known);
            }
        }
    }
}

impl<'a> InstanceGenerator<'a, '_> {
    /// Returns an empty frame for the instances of a block, if they can be drawn by the compiled block this
    /// time.
    pub(in crate::generate) fn new_frame<'s>(
        &self,
        child: BlockId,
        holder: &'s ValueScope<'s>,
        budgets: &[Budget<'_>],
    ) -> Option<InstanceFrame<'a, 's>> {
        let compiled = self.plan.compiled_block(child)?;
        if self.settings.extreme.is_some() || self.ignore_optional_bounds && compiled.has_optional_bounds {
            return None;
        }
        // Budgets must be of single numbers of the block; others take the general path.
        let own = |budget: &Budget<'_>| match budget.contribution {
            Expr::Field(field) => {
                let info = self.plan.format.field(*field);
                (info.block == child && info.is_scalar()).then_some((info.slot, Interval::ALL))
            }
            _ => None,
        };
        let limits = budgets.iter().map(own).collect::<Option<Vec<_>>>()?;
        let places = [compiled.declared.clone(), compiled.outer_ranges(holder)?].concat();
        let recent = vec![None; compiled.scalar_slots.len()];
        Some(InstanceFrame { compiled, block: child, holder, places, known_mask: 0, limits, recent_sizes: recent })
    }

    /// Draws all instances of a block. If `copying`, some are near copies of others.
    #[expect(clippy::expect_used, reason = "the slots of single numbers are known when a format is prepared")]
    pub(in crate::generate) fn draw_compiled_instances(
        &mut self,
        frame: &mut InstanceFrame<'a, '_>,
        size_budgets: Vec<usize>,
        budgets: &mut [Budget<'_>],
        copying: bool,
    ) -> Result<InstanceList, GenerationError> {
        let (count, width) = (size_budgets.len(), frame.compiled.declared.len());
        let mut slots = self.scratch.take_slots(count * width);
        let mut lanes = LaneTable::new(&frame.places, frame.compiled).filter(|_| self.uses_strategies(count));
        for run in split_into_runs(count) {
            self.check_stop(run.start)?;
            self.refresh_strategies(frame.block, run.start, count);
            let slots = &mut slots[..run.end * width];
            // The first instances of a copying list are drawn one by one: where instances are hard to find,
            // near copies of the first one fill the list.
            let begins_copying = copying && run.start == 0;
            if let Some(lanes) = lanes
                .as_mut()
                .filter(|_| !begins_copying && self.filled_fields.is_empty() && are_budgets_ample(budgets, &run, count))
            {
                // The instances are independent of each other, so the run is drawn as one batch.
                let (earlier, places) = slots.split_at_mut(run.start * width);
                lanes.reset_lanes(false);
                self.draw_batch(frame, lanes, copying.then_some(&*earlier), places, &size_budgets[run.clone()])?;
                lanes.write_numbers(&frame.compiled.scalar_slots, places);
                for at in 0..run.len() {
                    frame.spend_budgets(budgets, |slot| lanes.number_at(slot, at).into());
                }
                continue;
            }
            // Otherwise each instance is drawn within the shares that the earlier ones leave.
            for i in run {
                let (earlier, instance) = slots[..(i + 1) * width].split_at_mut(i * width);
                frame.apply_budget_limits(budgets, i, count);
                self.draw_next_compiled(frame, earlier, instance, size_budgets[i], copying)?;
                frame.spend_budgets(budgets, |slot| instance[slot].as_int().expect("the contribution is a number"));
            }
        }
        self.mark_proved(frame.block);
        Ok(InstanceList::from_slots(width, count, slots))
    }

    /// Records that all instances of a block satisfy its constraints. Only a block directly in the whole input
    /// has a single list, so that this covers all of its instances.
    pub(super) fn mark_proved(&mut self, block: BlockId) {
        let is_only = self.plan.format.block(block).parent == Some(BlockId(0));
        self.proved_block = Some(block).filter(|_| is_only);
    }

    /// Draws the next instance.
    pub(super) fn draw_next_compiled(
        &mut self,
        frame: &mut InstanceFrame<'a, '_>,
        earlier: &[Value],
        instance: &mut [Value],
        size_budget: usize,
        copying: bool,
    ) -> Result<(), GenerationError> {
        match if copying { self.draw_compiled_copy(frame, earlier) } else { None } {
            Some(original) => frame.copy_arrays(original, instance),
            None => self.draw_compiled_instance(frame, instance, size_budget)?,
        }
        frame.write_numbers(instance);
        Ok(())
    }

    /// Like [`InstanceGenerator::draw_near_copy`]. Returns the earlier instance with the same arrays, if the
    /// copy is valid.
    fn draw_compiled_copy<'v>(
        &mut self,
        frame: &mut InstanceFrame<'a, '_>,
        earlier: &'v [Value],
    ) -> Option<&'v [Value]> {
        if !self.wants_near_copy(frame.block) {
            return None;
        }
        let compiled = frame.compiled;
        let width = compiled.declared.len();
        // Copy an instance, draw one of its numbers again, and check the result.
        let original = self.choices.draw_index(earlier.len() / width.max(1)) * width;
        let instance = earlier.get(original..original + width)?;
        frame.load_instance(instance);
        if let Some(number) = self.choices.pick_item(&compiled.other_scalars) {
            frame.forget_number(number);
            let drawn = self.draw_compiled_scalar(frame, number).ok()?;
            frame.set_number(number, drawn);
        }
        let within = |(slot, limit): &(usize, Interval)| limit.contains_value(frame.places[*slot].lo);
        let fits =
            frame.limits.iter().all(within) && compiled.constraints.iter().all(|check| frame.constraint_holds(check));
        fits.then_some(instance)
    }

    /// Like [`InstanceGenerator::draw_instance`]. Arrays go into their slots, numbers stay in the frame.
    pub(super) fn draw_compiled_instance(
        &mut self,
        frame: &mut InstanceFrame<'a, '_>,
        slots: &mut [Value],
        size_budget: usize,
    ) -> Result<(), GenerationError> {
        let mut last_failure = None;
        for attempt in 0..MAX_TRIES {
            // As on the general path, each later attempt is half as large.
            let size_budget = (size_budget >> attempt.min(usize::BITS as usize - 1)).max(1);
            let (wasted, drawn, allocation) = (self.wasted_draws, self.choices.draw_count(), self.memory);
            let result = self.with_cache_at_first(attempt, |generator| {
                generator.fill_at_first(attempt, |generator| generator.attempt_compiled(frame, slots, size_budget))
            });
            match result {
                Ok(()) => return Ok(()),
                Err(failure) => last_failure = Some(failure),
            }
            self.memory = allocation;
            self.wasted_draws = self.wasted_draws.max(wasted + self.choices.draw_count() - drawn) + DRAWS_PER_ATTEMPT;
            if self.record_failed_attempt() {
                break;
            }
        }
        let unknown = GenerationError { constraint: None, too_large: None, message: String::new() };
        Err(last_failure.map_or(unknown, |failure| failure.into_error(self.plan.format)))
    }

    fn attempt_compiled(
        &mut self,
        frame: &mut InstanceFrame<'a, '_>,
        slots: &mut [Value],
        size_budget: usize,
    ) -> Result<(), DrawFailure> {
        let compiled = frame.compiled;
        frame.reset_frame();
        let reverse = self.wants_reverse_order(frame.block);
        // Sizes first, in layout order.
        for number in &compiled.sizes {
            let range = frame.remaining_range(number)?;
            let size = self.draw_compiled_size(frame, number, range, size_budget);
            frame.set_number(number, size);
        }
        // Then the other single numbers, in layout order or in reverse.
        let last = compiled.other_scalars.len().saturating_sub(1);
        for at in 0..compiled.other_scalars.len() {
            let number = &compiled.other_scalars[if reverse { last - at } else { at }];
            let drawn = self.draw_compiled_scalar(frame, number)?;
            frame.set_number(number, drawn);
        }
        // Then arrays and texts, since all of their sizes are known now.
        for array in &compiled.arrays {
            self.draw_compiled_array(frame, array, &mut slots[array.slot])?;
        }
        // The constraints that do not hold by construction are checked at the end.
        if compiled.constraints.is_empty() { Ok(()) } else { self.redraw_compiled(frame) }
    }

    fn draw_compiled_size(
        &mut self,
        frame: &mut InstanceFrame<'a, '_>,
        number: &CompiledNumber,
        range: Interval,
        size_budget: usize,
    ) -> i128 {
        let recent = frame.recent_sizes[number.position]
            .filter(|recent| recent.size_budget == size_budget && recent.range == range);
        let sizes = recent.map(|recent| recent.sizes).unwrap_or_else(|| {
            let (sizes, is_reusable) = self.remaining_sizes(frame, number, range, size_budget);
            frame.recent_sizes[number.position] = is_reusable.then_some(RecentSizes { range, size_budget, sizes });
            sizes
        });
        if self.is_filled(number.field) {
            return sizes.max_size();
        }
        self.draw_one_size(number.field, &sizes)
    }

    /// Returns the sizes in a range that fit the size budget, and whether they are the same for every instance.
    pub(super) fn remaining_sizes(
        &mut self,
        frame: &InstanceFrame<'a, '_>,
        number: &CompiledNumber,
        range: Interval,
        size_budget: usize,
    ) -> (SizeRange, bool) {
        let known = self.known_max_fit(frame.block, number.field, range, size_budget);
        let hi = known.unwrap_or_else(|| {
            // The maximum depends on the sizes drawn before, so compute it as the general path does.
            let mut slots: PartialSlots = vec![None; frame.compiled.declared.len()];
            for known in frame.compiled.sizes.iter().filter(|known| frame.known_mask >> known.position & 1 == 1) {
                slots[known.slot] = Some(Value::Int(frame.places[known.slot].lo));
            }
            self.max_fitting_size(
                number.field,
                range,
                &self.scope_of_block(frame.block, &slots, Some(frame.holder)),
                size_budget,
            )
        });
        let growth = if self.is_filled(number.field) { self.growth_to_fill() } else { self.settings.growth };
        (SizeRange::new(range.lo, hi, growth), known.is_some())
    }

    fn draw_compiled_scalar(
        &mut self,
        frame: &InstanceFrame<'a, '_>,
        number: &CompiledNumber,
    ) -> Result<i128, DrawFailure> {
        let range = frame.remaining_range(number)?;
        if self.is_filled(number.field) {
            return Ok(range.hi);
        }
        if self.wants_tie(number.field)
            && let Some(tie) = self.draw_compiled_tie(frame)
        {
            return Ok(range.clamp_value(tie));
        }
        Ok(self.draw_scalar_within(number.field, range))
    }

    fn draw_compiled_tie(&mut self, frame: &InstanceFrame<'a, '_>) -> Option<i128> {
        let slot = self.pick_known_slot(frame.known_mask, &frame.compiled.scalar_slots)?;
        Some(self.draw_near(frame.places[slot].lo))
    }

    /// Picks the slot of a random single number that is drawn.
    pub(super) fn pick_known_slot(&mut self, mut known: u64, layout: &[usize]) -> Option<usize> {
        for _ in 0..self.choices.draw_index(known.count_ones() as usize) {
            known &= known - 1;
        }
        layout.get(known.trailing_zeros() as usize).copied()
    }

    fn draw_compiled_array(
        &mut self,
        frame: &InstanceFrame<'a, '_>,
        array: &CompiledArray,
        place: &mut Value,
    ) -> Result<(), DrawFailure> {
        let mut sizes = [0; 2];
        for (size, sum) in sizes.iter_mut().zip(&array.sizes) {
            *size = number_to_size(sum.known_number(&frame.places)).ok_or_else(|| {
                DrawFailure::from_error(GenerationError::for_missing_size(self.plan.format, array.field))
            })?;
        }
        let range = || apply_bounds(frame.compiled.declared[array.slot], &array.bounds, &frame.places);
        let drawn =
            self.store_array(array, &sizes[..array.sizes.len()], range, place).map_err(DrawFailure::from_error)?;
        if drawn { Ok(()) } else { Err(frame.empty_range_failure(array.field, array.slot, &array.bounds)) }
    }

    /// Draws an array of these sizes into its place. Returns false if its elements have an empty range.
    pub(super) fn store_array(
        &mut self,
        array: &CompiledArray,
        sizes: &[usize],
        range: impl FnOnce() -> Interval,
        place: &mut Value,
    ) -> Result<bool, GenerationError> {
        let count = self.reserve_elements(array.field, sizes)?;
        if let (Some(letters), [length]) = (&array.letters, sizes) {
            let shape = self.choose_text_shape(array.field);
            self.store_text(shape, letters, *length, place);
            return Ok(true);
        }
        if let (Some(letters), [rows, columns]) = (self.plan.format.field(array.field).alphabet(), sizes) {
            *place = self.draw_board(array.field, letters, *rows, *columns);
            return Ok(true);
        }
        let range = if count == 0 { Interval::ALL } else { range() };
        if range.is_empty() {
            return Ok(false);
        }
        let numbers = if count == 0 { Vec::new() } else { self.draw_numbers_within(array.field, count, range) };
        *place = super::super::arrays::nest_rows(numbers, sizes);
        Ok(true)
    }

    /// Like [`InstanceGenerator::redraw_until_valid`].
    pub(super) fn redraw_compiled(&mut self, frame: &mut InstanceFrame<'a, '_>) -> Result<(), DrawFailure> {
        let compiled = frame.compiled;
        let (mut last, mut repairs, mut is_same) = (None, 0, false);
        for _ in 0..MAX_REDRAWS {
            repairs += 1;
            // An unchanged number leaves the same constraint broken.
            if !is_same {
                last = frame.first_broken_constraint().map(|(check, failure)| (check.constraint, failure));
            }
            let Some((constraint, _)) = &last else { return Ok(()) };
            let Some(field) = self.choices.pick_item(self.plan.redrawable_fields(*constraint)) else { break };
            let Some(number) = compiled.other_scalars.iter().find(|number| number.field == *field) else { break };
            let before = frame.places[number.slot].lo;
            frame.forget_number(number);
            let Ok(drawn) = self.without_cache(|generator| generator.draw_compiled_scalar(frame, number)) else {
                break;
            };
            frame.set_number(number, drawn);
            is_same = before == drawn && compiled.arrays.is_empty();
            // If no number can change, the remaining redraws only consume choices.
            if is_same && repairs == 1 && self.is_stuck(frame, *constraint) {
                self.without_cache(|generator| {
                    generator.consume_futile_redraws(frame, *constraint, MAX_REDRAWS - repairs)
                });
                repairs = MAX_REDRAWS;
                break;
            }
        }
        self.wasted_draws += (repairs * frame.count_nodes() / CHECKS_PER_DRAW) as u64;
        last.map_or(Ok(()), |(_, failure)| Err(failure))
    }

    /// Returns true if the range of every redrawable number is a single value, as on a board of one cell.
    fn is_stuck(&self, frame: &InstanceFrame<'a, '_>, constraint: usize) -> bool {
        self.plan.redrawable_fields(constraint).iter().all(|field| {
            let number = frame.compiled.other_scalars.iter().find(|number| number.field == *field);
            let range = number.and_then(|number| frame.remaining_range(number).ok());
            range.is_some_and(|range| range.lo == range.hi)
        })
    }

    /// Consumes the choices of redraws that change nothing, so that the stream stays that of the general path.
    fn consume_futile_redraws(&mut self, frame: &InstanceFrame<'a, '_>, constraint: usize, repairs: usize) {
        let blamed = self.plan.redrawable_fields(constraint);
        let others = frame.known_mask.count_ones() as usize - 1;
        for _ in 0..repairs {
            let Some(field) = self.choices.pick_item(blamed) else { return };
            if self.choices.draw_chance(1, 5) && others > 0 {
                self.choices.draw_index(others);
                self.choices.draw_range(-2, 2);
            } else {
                self.draw_scalar_within(*field, Interval::from_value(0));
            }
        }
    }
}

/// Stores a number in a slot.
pub(super) fn store_number(slot: &mut Value, number: i128) {
    match slot {
        Value::Int(before) => *before = number,
        other => *other = Value::Int(number),
    }
}
