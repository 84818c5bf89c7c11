//! Drafts of instances in lanes: of one instance, or of a run of neighbours that are drawn field by field.
//!
//! The instances of a run share their strategies, so each field is prepared once for all of them. A lane in which
//! a field has no value left is dead: the others go on, and it is drawn again on its own afterwards.

use super::super::GenerationError;
use super::super::alphabet::Alphabet;
use super::super::arrays::nest_rows;
use super::super::budget::number_to_size;
use super::super::compiled::{CompiledArray, CompiledBound, CompiledLinear, CompiledNumber};
use super::super::draft::{
    Draft, DraftViolation, DrawFailure, InstanceDraft, RecheckScope, RedrawOutcome, halve_budget,
};
use super::super::instance::InstanceGenerator;
use super::table::{Lanes, RecentSizes};
use crate::language::{FieldId, Interval};
use crate::validate::ViolationSides;
use crate::value::Value;
use rebut_generators::{Choices, SizeRange};

/// Up to `N` instances of a compiled block while they are drawn. Numbers stay in the lanes, arrays go into the slots.
#[derive(Debug)]
pub(in crate::generate) struct LaneDraft<'t, 'p, 's, const N: usize> {
    pub(super) lanes: &'t mut Lanes<'p, 's, N>,
    slots: &'t mut [Value],
    /// The approximate number of elements that each instance may have.
    size_budgets: &'t [usize],
    attempt: usize,
}

impl<'t, 'p, 's, const N: usize> LaneDraft<'t, 'p, 's, N> {
    /// Returns a draft of as many instances as there are size budgets.
    pub(super) fn new(
        lanes: &'t mut Lanes<'p, 's, N>,
        slots: &'t mut [Value],
        size_budgets: &'t [usize],
    ) -> LaneDraft<'t, 'p, 's, N> {
        debug_assert!(size_budgets.len() <= N, "there is a lane for each instance");
        LaneDraft { lanes, slots, size_budgets, attempt: 0 }
    }

    /// Returns the number of instances.
    fn count(&self) -> usize {
        self.size_budgets.len()
    }

    /// Gives up the instance in a lane. A draft of one instance fails with it.
    fn fail_lane<'a>(
        &mut self,
        place: usize,
        at: usize,
        failure: impl FnOnce(&Self) -> DrawFailure<'a>,
    ) -> Result<(), DrawFailure<'a>> {
        if N == 1 {
            return Err(failure(self));
        }
        self.lanes.kill_lane(place, at);
        Ok(())
    }

    /// Gives up a lane in which nothing is left of a field's range, unless it is dead already.
    #[cold]
    fn give_up_lane<'a>(
        &mut self,
        field: FieldId,
        slot: usize,
        bounds: &[CompiledBound],
        at: usize,
    ) -> Result<(), DrawFailure<'a>> {
        if self.lanes.dead[at] {
            return Ok(());
        }
        let failure = |draft: &Self| DrawFailure::EmptyRange(field, draft.lanes.emptying_constraint(slot, bounds, at));
        self.fail_lane(slot, at, failure)
    }

    /// Returns the sizes in a range that fit the size budget of a lane.
    fn fitting_sizes(
        &mut self,
        generator: &mut InstanceGenerator<'_, '_>,
        number: &CompiledNumber,
        range: Interval,
        at: usize,
    ) -> SizeRange {
        let size_budget = halve_budget(self.size_budgets[at], self.attempt);
        let is_same = |recent: &RecentSizes| recent.size_budget == size_budget && recent.range == range;
        if let Some(recent) = self.lanes.recent_sizes[number.position].filter(is_same) {
            return recent.sizes;
        }
        let block = self.lanes.block;
        let known = generator.known_max_fit(block, number.field, range, size_budget);
        let hi = known.unwrap_or_else(|| {
            // The maximum depends on the sizes drawn before.
            let mut slots = vec![None; self.lanes.compiled.declared.len()];
            for known in self.lanes.compiled.sizes.iter().filter(|known| self.lanes.is_known(known)) {
                slots[known.slot] = Some(Value::Int(self.lanes.number_at(known.slot, at).into()));
            }
            let scope = generator.scope_of_block(block, &slots, Some(self.lanes.holder));
            generator.max_fitting_size(number.field, range, &scope, size_budget)
        });
        let is_filled = generator.is_filled(number.field);
        let growth = if is_filled { generator.growth_to_fill() } else { generator.settings.growth };
        let sizes = SizeRange::new(range.lo, hi, growth);
        self.lanes.recent_sizes[number.position] = known.map(|_| RecentSizes { range, size_budget, sizes });
        sizes
    }

    /// Draws a single number in each lane.
    fn draw_number<'a>(
        &mut self,
        generator: &mut InstanceGenerator<'a, '_>,
        number: &CompiledNumber,
    ) -> Result<(), DrawFailure<'a>> {
        self.lanes.narrow_lanes(number.slot, &number.bounds);
        let way = generator.number_way(number.field);
        for at in 0..self.count() {
            if !self.lanes.has_values_left(number.slot, at) {
                self.give_up_lane(number.field, number.slot, &number.bounds, at)?;
                continue;
            }
            let range = self.lanes.range_at(number.slot, at);
            let lanes = &*self.lanes;
            let pick_other = |choices: &mut Choices| {
                let slot = pick_known_slot(choices, lanes.known_mask, &lanes.compiled.scalar_slots)?;
                Some(lanes.number_at(slot, at).into())
            };
            let drawn = generator.draw_number(&way, range, pick_other);
            let drawn = generator.plan.filter_number(number.field, drawn, range);
            self.lanes.fix_number(number.slot, at, drawn);
        }
        self.lanes.mark_known(number);
        Ok(())
    }

    /// Copies earlier instances, and draws one number of each again: state that a program wrongly keeps from one case
    /// to the next only shows where the two are nearly equal.
    #[expect(clippy::expect_used, reason = "the slots of single numbers are known when a format is prepared")]
    pub(super) fn draw_near_copies<'a>(
        &mut self,
        generator: &mut InstanceGenerator<'a, '_>,
        earlier: &[Value],
    ) -> Result<(), DrawFailure<'a>> {
        let compiled = self.lanes.compiled;
        let width = compiled.declared.len();
        self.lanes.reset_lanes();
        for (at, instance) in self.slots.chunks_exact_mut(width).take(self.size_budgets.len()).enumerate() {
            let original = generator.choices.draw_index(earlier.len() / width) * width;
            let original = &earlier[original..original + width];
            copy_arrays(&compiled.arrays, original, instance);
            for slot in &compiled.scalar_slots {
                let number = original[*slot].as_int().expect("the slot holds a single number");
                self.lanes.fix_number(*slot, at, number);
            }
        }
        self.lanes.mark_all_known();
        if let Some(number) = generator.choices.pick_item(&compiled.other_scalars) {
            self.lanes.forget_number(number);
            self.draw_number(generator, number)?;
        }
        Ok(())
    }

    /// Draws texts of these lengths in each lane.
    fn draw_texts<'a>(
        &mut self,
        generator: &mut InstanceGenerator<'a, '_>,
        array: &CompiledArray,
        letters: &Alphabet,
        lengths: &[i64; N],
    ) -> Result<(), DrawFailure<'a>> {
        // A run has one shape for all texts that are no words of the dictionary.
        let mut chosen = None;
        let has_words = generator.has_dictionary();
        let count = self.count();
        let dead = self.lanes.dead;
        // Short texts stay in the lanes; others go into their slots.
        if let Some(places) = self.lanes.text_buffers(array.slot, lengths, count) {
            for ((place, _), length) in places.iter_mut().zip(dead).zip(lengths).filter(|((_, dead), _)| !dead) {
                let length = *length as usize;
                let draw_word =
                    |g: &mut InstanceGenerator<'a, '_>| g.draw_dictionary_word(letters.letters(), array.field, length);
                if let Some(word) = has_words.then(|| draw_word(generator)).flatten() {
                    place[..length].copy_from_slice(&word);
                    continue;
                }
                let shape = *chosen.get_or_insert_with(|| generator.choose_text_shape(array.field));
                *place = generator.draw_short_text(shape, letters, length);
            }
            return Ok(());
        }
        let width = self.lanes.compiled.declared.len();
        for at in (0..count).filter(|at| !dead[*at]) {
            let size = self.array_sizes(generator, array, [lengths[at], 0], at)?;
            match size.map(|size| {
                generator.memory.reserve_elements(generator.plan.format, array.field, &size[..1]).map(|_| size[0])
            }) {
                Some(Ok(length)) => {
                    let place = &mut self.slots[at * width + array.slot];
                    if let Some(word) = generator.draw_dictionary_word(letters.letters(), array.field, length) {
                        *place = Value::Text(word.into());
                    } else {
                        let shape = *chosen.get_or_insert_with(|| generator.choose_text_shape(array.field));
                        generator.store_text(shape, letters, length, place);
                    }
                }
                Some(Err(error)) => self.fail_lane(array.slot, at, |_| error.into())?,
                None => {}
            }
        }
        Ok(())
    }

    /// Returns the sizes of an array, or `None` if one of them is negative and the lane is given up.
    fn array_sizes<'a>(
        &mut self,
        generator: &InstanceGenerator<'a, '_>,
        array: &CompiledArray,
        sums: [i64; 2],
        at: usize,
    ) -> Result<Option<[usize; 2]>, DrawFailure<'a>> {
        if let [Some(first), Some(second)] = sums.map(|sum| number_to_size(sum.into())) {
            return Ok(Some([first, second]));
        }
        let failure = |_: &Self| GenerationError::for_missing_size(generator.plan.format, array.field).into();
        self.fail_lane(array.slot, at, failure).map(|()| None)
    }

    /// Draws a board, or an array of numbers, in a lane.
    fn draw_elements<'a>(
        &mut self,
        generator: &mut InstanceGenerator<'a, '_>,
        array: &CompiledArray,
        sizes: &[usize],
        at: usize,
    ) -> Result<(), DrawFailure<'a>> {
        let count = match generator.memory.reserve_elements(generator.plan.format, array.field, sizes) {
            Ok(count) => count,
            Err(error) => return self.fail_lane(array.slot, at, |_| error.into()),
        };
        let width = self.lanes.compiled.declared.len();
        let place = at * width + array.slot;
        if let (Some(letters), [rows, columns]) = (&array.letters, sizes) {
            let letters = generator.reachable_alphabet(letters);
            self.slots[place] = generator.draw_board(array.field, letters.letters(), *rows, *columns);
            return Ok(());
        }
        // Without elements, no bound on an element has to hold.
        let mut numbers = Vec::new();
        if count > 0 {
            if !self.lanes.has_values_left(array.slot, at) {
                return self.give_up_lane(array.field, array.slot, &array.bounds, at);
            }
            let range = self.lanes.range_at(array.slot, at);
            numbers = generator.draw_numbers_within(array.field, count, range);
        }
        self.slots[place] = nest_rows(numbers, sizes);
        Ok(())
    }
}

impl<'a, const N: usize> Draft<'a> for LaneDraft<'_, '_, '_, N> {
    fn begin(&mut self, _: &mut InstanceGenerator<'a, '_>, attempt: usize) {
        self.attempt = attempt;
        self.lanes.reset_lanes();
    }

    fn draw_size(&mut self, generator: &mut InstanceGenerator<'a, '_>, index: usize) -> Result<(), DrawFailure<'a>> {
        let number = &self.lanes.compiled.sizes[index];
        self.lanes.narrow_lanes(number.slot, &number.bounds);
        let (kept, is_filled) =
            (generator.strategies.field_strategy(number.field).size, generator.is_filled(number.field));
        for at in 0..self.count() {
            if !self.lanes.has_values_left(number.slot, at) {
                self.give_up_lane(number.field, number.slot, &number.bounds, at)?;
                continue;
            }
            let range = self.lanes.range_at(number.slot, at);
            let sizes = self.fitting_sizes(generator, number, range, at);
            let size = if is_filled { sizes.max_size() } else { generator.draw_one_size(kept, &sizes) };
            let size = generator.plan.filter_number(number.field, size, range);
            self.lanes.fix_number(number.slot, at, size);
        }
        self.lanes.mark_known(number);
        Ok(())
    }

    fn draw_scalar(&mut self, generator: &mut InstanceGenerator<'a, '_>, index: usize) -> Result<(), DrawFailure<'a>> {
        let compiled = self.lanes.compiled;
        self.draw_number(generator, &compiled.other_scalars[index])
    }

    fn draw_array(&mut self, generator: &mut InstanceGenerator<'a, '_>, index: usize) -> Result<(), DrawFailure<'a>> {
        let compiled = self.lanes.compiled;
        let array = &compiled.arrays[index];
        self.lanes.narrow_lanes(array.slot, &array.bounds);
        let sums = [0, 1].map(|dimension| array.sizes.get(dimension).map_or([0; N], |size| self.lanes.sum_lanes(size)));
        if let (Some(letters), [_]) = (&array.letters, &*array.sizes) {
            let letters = generator.reachable_alphabet(letters);
            return self.draw_texts(generator, array, &letters, &sums[0]);
        }
        for at in 0..self.count() {
            if self.lanes.dead[at] {
                continue;
            }
            if let Some(sizes) = self.array_sizes(generator, array, sums.map(|sums| sums[at]), at)? {
                self.draw_elements(generator, array, &sizes[..array.sizes.len()], at)?;
            }
        }
        Ok(())
    }
}

impl<'a> InstanceDraft<'a> for LaneDraft<'_, 'a, '_, 1> {
    fn draw_rest(&mut self, _: &mut InstanceGenerator<'a, '_>) -> Result<(), DrawFailure<'a>> {
        Ok(())
    }

    fn find_violation(&self, generator: &InstanceGenerator<'a, '_>, _: RecheckScope) -> Option<DraftViolation<'a>> {
        let check = self.lanes.compiled.constraints.iter().find(|check| !self.lanes.constraint_holds(check, 0))?;
        let comparison = generator.plan.format.constraints[check.constraint].rule.comparison()?;
        let sums = |side: &[CompiledLinear]| side.iter().map(|sum| self.lanes.sum_at(sum, 0)).collect();
        let sides = match (&*check.left, &*check.right) {
            ([left], [right]) => {
                ViolationSides::Numbers(comparison, self.lanes.sum_at(left, 0), self.lanes.sum_at(right, 0))
            }
            (left, right) => ViolationSides::Tuples(comparison, sums(left), sums(right)),
        };
        Some(DraftViolation { constraint: check.constraint, element: None, sides })
    }

    fn redraw_field(
        &mut self,
        generator: &mut InstanceGenerator<'a, '_>,
        broken: &DraftViolation<'a>,
    ) -> RedrawOutcome {
        let compiled = self.lanes.compiled;
        let Some(field) = generator.choices.pick_item(generator.plan.redrawable_fields(broken.constraint)) else {
            return RedrawOutcome::Nothing;
        };
        let Some(number) = compiled.other_scalars.iter().find(|number| number.field == *field) else {
            return RedrawOutcome::Nothing;
        };
        let before = self.lanes.number_at(number.slot, 0);
        self.lanes.forget_number(number);
        if self.draw_number(generator, number).is_err() {
            return RedrawOutcome::Nothing;
        }
        let is_same = before == self.lanes.number_at(number.slot, 0) && compiled.arrays.is_empty();
        if is_same { RedrawOutcome::Same } else { RedrawOutcome::Number(*field) }
    }

    fn can_change(&mut self, generator: &InstanceGenerator<'a, '_>, constraint: usize) -> bool {
        let compiled = self.lanes.compiled;
        let fields = generator.plan.redrawable_fields(constraint);
        compiled.other_scalars.iter().filter(|number| fields.contains(&number.field)).any(|number| {
            let before = self.lanes.number_at(number.slot, 0);
            self.lanes.forget_number(number);
            self.lanes.narrow_lanes(number.slot, &number.bounds);
            let range = self.lanes.range_at(number.slot, 0);
            self.lanes.fix_number(number.slot, 0, before.into());
            self.lanes.mark_known(number);
            range.lo < range.hi
        })
    }

    fn count_nodes(&self) -> usize {
        self.lanes.count_nodes(0)
    }
}

/// Picks the slot of a random single number that is drawn.
fn pick_known_slot(choices: &mut Choices, mut known: u64, layout: &[usize]) -> Option<usize> {
    for _ in 0..choices.draw_index(known.count_ones() as usize) {
        known &= known - 1;
    }
    layout.get(known.trailing_zeros() as usize).copied()
}

fn copy_arrays(arrays: &[CompiledArray], original: &[Value], slots: &mut [Value]) {
    for array in arrays {
        match (&mut slots[array.slot], &original[array.slot]) {
            (Value::Text(to), Value::Text(from)) => {
                to.clear();
                to.extend_from_slice(from);
            }
            (to, from) => to.clone_from(from),
        }
    }
}
