//! Drawing of a batch: consecutive instances of a long list, drawn field by field instead of one by one.
//!
//! The instances of a batch share their strategies, so each field is prepared once for all of them. Only repairs
//! are individual: a lane with an empty range or a broken constraint is drawn again on its own.

use super::super::GenerationError;
use super::super::instance::{DRAWS_PER_ATTEMPT, InstanceGenerator};
use super::super::strategy_cache::RUN_LENGTH;
use super::draw::InstanceFrame;
use super::lanes::LaneTable;
use super::{CompiledArray, CompiledNumber};
use crate::language::Interval;
use crate::value::Value;
use rebut_generators::{SizeRange, SizeStrategy, draw_scalar_with};

impl<'a> InstanceGenerator<'a, '_> {
    /// Draws the next instances of a list, one for each size budget. Numbers stay in the lanes, and so do short
    /// texts if the lanes keep them. If `earlier` instances are given, the batch may consist of near copies of
    /// them. Every budget must be ample for the batch.
    pub(super) fn draw_batch(
        &mut self,
        frame: &mut InstanceFrame<'a, '_>,
        lanes: &mut LaneTable,
        earlier: Option<&[Value]>,
        slots: &mut [Value],
        size_budgets: &[usize],
    ) -> Result<(), GenerationError> {
        if let Some(earlier) = earlier.filter(|_| self.wants_near_copy(frame.block)) {
            self.draw_batch_copies(frame, lanes, earlier, slots, size_budgets.len());
        } else {
            self.draw_batch_numbers(frame, lanes, size_budgets);
            let compiled = frame.compiled;
            for array in &compiled.arrays {
                self.draw_batch_arrays(frame, lanes, array, slots, size_budgets.len());
            }
        }
        self.repair_batch(frame, lanes, slots, size_budgets)
    }

    fn draw_batch_numbers(&mut self, frame: &mut InstanceFrame<'a, '_>, lanes: &mut LaneTable, size_budgets: &[usize]) {
        let compiled = frame.compiled;
        let reverse = self.wants_reverse_order(frame.block);
        // The order is that of a single instance: sizes, then the other single numbers.
        for number in &compiled.sizes {
            self.draw_lane_sizes(frame, lanes, number, size_budgets);
        }
        let last = compiled.other_scalars.len().saturating_sub(1);
        for at in 0..compiled.other_scalars.len() {
            let number = &compiled.other_scalars[if reverse { last - at } else { at }];
            self.draw_lane_numbers(frame, lanes, number, size_budgets.len());
        }
    }

    /// Copies earlier instances into the lanes, with one number drawn anew.
    #[expect(clippy::expect_used, reason = "the slots of single numbers are known when a format is prepared")]
    fn draw_batch_copies(
        &mut self,
        frame: &InstanceFrame<'a, '_>,
        lanes: &mut LaneTable,
        earlier: &[Value],
        slots: &mut [Value],
        count: usize,
    ) {
        let compiled = frame.compiled;
        let width = compiled.declared.len();
        for (at, instance) in slots.chunks_exact_mut(width).take(count).enumerate() {
            let original = self.choices.draw_index(earlier.len() / width) * width;
            let original = &earlier[original..original + width];
            frame.copy_arrays(original, instance);
            for slot in &compiled.scalar_slots {
                lanes.fix_number(*slot, at, original[*slot].as_int().expect("the slot holds a single number"));
            }
        }
        lanes.mark_all_known(compiled.scalar_slots.len());
        if let Some(number) = self.choices.pick_item(&compiled.other_scalars) {
            lanes.forget_number(number);
            self.draw_lane_numbers(frame, lanes, number, count);
        }
    }

    /// Redraws the dead lanes and those that break a constraint.
    fn repair_batch(
        &mut self,
        frame: &mut InstanceFrame<'a, '_>,
        lanes: &mut LaneTable,
        slots: &mut [Value],
        size_budgets: &[usize],
    ) -> Result<(), GenerationError> {
        let compiled = frame.compiled;
        if compiled.constraints.is_empty() && lanes.dead == [false; RUN_LENGTH] {
            return Ok(());
        }
        // The budgets are ample, so no share limits a number.
        frame.limits.iter_mut().for_each(|limit| limit.1 = Interval::ALL);
        for (at, (instance, size_budget)) in
            slots.chunks_exact_mut(compiled.declared.len()).zip(size_budgets).enumerate()
        {
            if !lanes.dead[at] && compiled.constraints.iter().all(|check| lanes.constraint_holds(check, at)) {
                continue;
            }
            // Redraw single numbers first. If that fails, draw the whole instance again.
            frame.load_lane(lanes, at);
            if lanes.dead[at] || self.redraw_compiled(frame).is_err() {
                self.wasted_draws += DRAWS_PER_ATTEMPT;
                self.without_cache(|generator| generator.draw_compiled_instance(frame, instance, *size_budget))?;
                frame.write_numbers(instance);
                lanes.redrawn[at] = true;
            }
            for slot in &compiled.scalar_slots {
                lanes.fix_number(*slot, at, frame.places[*slot].lo);
            }
        }
        Ok(())
    }

    fn draw_lane_sizes(
        &mut self,
        frame: &mut InstanceFrame<'a, '_>,
        lanes: &mut LaneTable,
        number: &CompiledNumber,
        size_budgets: &[usize],
    ) {
        let (strategy, growth) = (self.strategies.field_strategy(number.field).size, self.settings.growth);
        lanes.narrow_lanes(number.slot, &number.bounds);
        // Most lanes have the same range, so keep the sizes of the previous one.
        let mut recent: Option<(i64, i64, usize, SizeRange)> = None;
        for (at, size_budget) in size_budgets.iter().enumerate() {
            let Some((lo, hi)) = lanes.remaining_range(number.slot, at) else { continue };
            let known = recent.as_ref().filter(|(from, to, within, _)| (*from, *to, within) == (lo, hi, size_budget));
            let sizes = match known {
                Some((.., sizes)) => *sizes,
                None => {
                    frame.load_lane(lanes, at);
                    let range = Interval::new(lo.into(), hi.into());
                    let (sizes, is_reusable) = self.remaining_sizes(frame, number, range, *size_budget);
                    recent = is_reusable.then_some((lo, hi, *size_budget, sizes));
                    sizes
                }
            };
            let drawn = sizes.draw_with_strategy(self.choices, |c| {
                strategy.unwrap_or_else(|| SizeStrategy::choose_strategy(c, growth))
            });
            lanes.fix_number(number.slot, at, drawn);
        }
        lanes.mark_known(number);
    }

    fn draw_lane_numbers(
        &mut self,
        frame: &InstanceFrame<'a, '_>,
        lanes: &mut LaneTable,
        number: &CompiledNumber,
        count: usize,
    ) {
        let field = number.field;
        // Choose the strategies once, then draw one number in each lane that is not dead.
        lanes.narrow_lanes(number.slot, &number.bounds);
        let tied = self.wants_tie(field) && lanes.known_mask != 0;
        let whole = self.uses_full_range(field);
        let strategy = self
            .strategies
            .field_strategy(field)
            .number
            .filter(|_| self.plan.format.field(field).decimal_places().max == 0);
        for at in 0..count {
            let Some((lo, hi)) = lanes.remaining_range(number.slot, at) else { continue };
            let range = Interval::new(lo.into(), hi.into());
            let drawn = match strategy {
                _ if tied => {
                    let slot = self.pick_known_slot(lanes.known_mask, &frame.compiled.scalar_slots);
                    range.clamp_value(self.draw_near(slot.map_or(0, |slot| lanes.number_at(slot, at).into())))
                }
                Some(strategy) => {
                    let range = if whole { range } else { self.grow_range(range) };
                    draw_scalar_with(self.choices, range.lo, range.hi, &self.settings.hints, |_| strategy)
                }
                None => self.draw_scalar_within(field, range),
            };
            lanes.fix_number(number.slot, at, drawn);
        }
        lanes.mark_known(number);
    }

    fn draw_batch_arrays(
        &mut self,
        frame: &InstanceFrame<'a, '_>,
        lanes: &mut LaneTable,
        array: &CompiledArray,
        slots: &mut [Value],
        count: usize,
    ) {
        lanes.narrow_lanes(array.slot, &array.bounds);
        let sums =
            [0, 1].map(|dimension| array.sizes.get(dimension).map(|size| lanes.sum_lanes(size)).unwrap_or_default());
        let text = array.letters.as_ref().map(|letters| (letters, self.choose_text_shape(array.field)));
        let mut dead = lanes.dead;
        // Short texts stay in the lanes; others go into their slots.
        if let Some((letters, shape)) = text
            && let Some(places) = lanes.text_buffers(array.slot, &sums[0], count)
        {
            for ((place, dead), length) in places.iter_mut().zip(dead).zip(sums[0]) {
                if !dead {
                    *place = self.draw_short_text(shape, letters, length as usize);
                }
            }
            return;
        }
        for (at, instance) in slots.chunks_exact_mut(frame.compiled.declared.len()).take(count).enumerate() {
            let place = &mut instance[array.slot];
            let sizes = sums.map(|sums| usize::try_from(sums[at]).unwrap_or(usize::MAX));
            match text {
                _ if dead[at] => {}
                Some((letters, shape)) if self.reserve_elements(array.field, &sizes[..1]).is_ok() => {
                    self.store_text(shape, letters, sizes[0], place);
                }
                Some(_) => dead[at] = true,
                None => {
                    let (lo, hi) = lanes.range_at(array.slot, at);
                    let range = || Interval::new(lo.into(), hi.into());
                    dead[at] = !self.store_array(array, &sizes[..array.sizes.len()], range, place).unwrap_or(false);
                }
            }
        }
        lanes.dead = dead;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::super::super::instance::PartialSlots;
    use super::super::super::tests::{COMPILED_FORMATS, LONG_LIST_FORMATS, parse_format};
    use super::*;
    use crate::generate::{GenerationPlan, GenerationSettings};
    use crate::language::{BlockId, LayoutItem};
    use crate::value::ValueScope;
    use rebut_generators::{Choices, Swarm};

    /// Draws a batch field by field on the general path.
    fn draw_field_by_field(
        generator: &mut InstanceGenerator<'_, '_>,
        block: BlockId,
        holder: &ValueScope<'_>,
        size_budget: usize,
    ) -> Option<Vec<Value>> {
        let (plan, reverse) = (generator.plan, generator.wants_reverse_order(block));
        let parts = plan.block_plan(block);
        let mut others = parts.other_scalars.clone();
        if reverse {
            others.reverse();
        }
        let mut neighbours: Vec<PartialSlots> = vec![vec![None; plan.format.block(block).slots]; RUN_LENGTH];
        let mut dead = [false; RUN_LENGTH];
        for field in parts.sizes.iter().chain(&others) {
            for (slots, dead) in neighbours.iter_mut().zip(&mut dead).filter(|(_, dead)| !**dead) {
                let drawn = generator.draw_scalar(*field, block, slots, Some(holder), &[], size_budget);
                *dead = drawn.is_err();
                slots[plan.format.field(*field).slot] = drawn.ok().map(Value::Int);
            }
        }
        for field in &parts.arrays {
            for (slots, dead) in neighbours.iter_mut().zip(&mut dead).filter(|(_, dead)| !**dead) {
                let drawn = generator.draw_array(
                    *field,
                    &generator.scope_of_block(block, slots, Some(holder)),
                    &[],
                    size_budget,
                );
                *dead = drawn.is_err();
                slots[plan.format.field(*field).slot] = drawn.ok();
            }
        }
        let mut all = Vec::new();
        for (mut slots, dead) in neighbours.into_iter().zip(dead) {
            if dead || generator.redraw_until_valid(block, &mut slots, Some(holder), &[]).is_err() {
                let again =
                    generator.without_cache(|generator| generator.draw_instance(block, Some(holder), &[], size_budget));
                slots = again.ok()?.into_iter().map(Some).collect();
            }
            all.extend(slots.into_iter().flatten());
        }
        Some(all)
    }

    #[test]
    fn batch_draws_the_same_as_field_by_field() {
        let mut compared = 0;
        for text in COMPILED_FORMATS.iter().chain(LONG_LIST_FORMATS) {
            let format = parse_format(text);
            let plan = GenerationPlan::new(&format);
            let Some(LayoutItem::Block(block)) = format.block(BlockId(0)).items.last().cloned() else {
                panic!("{text}")
            };
            for stream in 0..150 {
                let growth = (stream % 5 * 25) as u32;
                let hints = if stream % 3 == 0 { vec![2, 7] } else { Vec::new() };
                let settings =
                    GenerationSettings { growth, hints, max_wasted_draws: 5000, ..GenerationSettings::default() };
                let size_budget = [4, 9, 1000][stream as usize % 3];
                let draw = |in_one_go: bool| {
                    let (mut choices, mut swarm) = (Choices::from_seed(9, stream), Swarm::new());
                    let mut generator = InstanceGenerator::new(&plan, &mut choices, &settings, &mut swarm);
                    let mut root: PartialSlots = vec![None; format.block(BlockId(0)).slots];
                    for field in
                        plan.block_plan(BlockId(0)).sizes.iter().chain(&plan.block_plan(BlockId(0)).other_scalars)
                    {
                        let drawn = generator.draw_scalar(*field, BlockId(0), &root, None, &[], 1000).unwrap();
                        root[format.field(*field).slot] = Some(Value::Int(drawn));
                    }
                    let holder = generator.scope_of_block(BlockId(0), &root, None);
                    generator.refresh_strategies(block, 0, 1000);
                    let slots = if in_one_go {
                        let mut frame = generator.new_frame(block, &holder, &[])?;
                        let mut slots = vec![Value::Int(0); RUN_LENGTH * format.block(block).slots];
                        let mut lanes = LaneTable::new(&frame.places, frame.compiled).unwrap();
                        lanes.reset_lanes(false);
                        let drawn =
                            generator.draw_batch(&mut frame, &mut lanes, None, &mut slots, &[size_budget; RUN_LENGTH]);
                        lanes.write_numbers(&frame.compiled.scalar_slots, &mut slots);
                        drawn.ok().map(|()| slots)
                    } else {
                        generator.new_frame(block, &holder, &[])?;
                        draw_field_by_field(&mut generator, block, &holder, size_budget)
                    };
                    Some((slots?, choices.draw_count()))
                };
                let neighbours = draw(true);
                compared += usize::from(neighbours.is_some());
                assert_eq!(neighbours, draw(false), "{text}, stream {stream}");
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}
