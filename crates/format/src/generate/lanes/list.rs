//! Lists of instances of a compiled block, as values or as the bytes of their lines.

use super::super::GenerationError;
use super::super::budget::{Budget, are_budgets_ample};
use super::super::compiled::{LineOp, LineProgram};
use super::super::draft::DRAWS_PER_ATTEMPT;
use super::super::instance::{InstanceGenerator, WrittenList};
use super::super::strategy_cache::{RUN_LENGTH, split_into_runs};
use super::draft::LaneDraft;
use super::table::{Lanes, WideLanes};
use crate::language::{BlockId, ByteWriter, Expr};
use crate::print::{PrintStep, print_instance};
use crate::value::{InstanceList, Value, ValueScope};
use std::ops::Range;

/// The lanes in which the instances of a list are drawn: one by one, or a run at once.
#[derive(Debug)]
pub(in crate::generate) struct ListLanes<'p, 's> {
    one: Lanes<'p, 's, 1>,
    wide: Option<WideLanes<'p, 's>>,
    /// For each budget, the slot that contributes to it.
    limited_slots: Vec<usize>,
    width: usize,
}

/// Where the instances of a list go.
enum ListOutput<'o> {
    /// The slots of all instances.
    Values(Vec<Value>),
    /// Their lines. The slots are those of one run.
    Lines { writer: Box<LineWriter<'o>>, slots: Vec<Value> },
}

impl ListOutput<'_> {
    /// Returns the slots of all earlier instances, and those of a run.
    fn slots_of_run(&mut self, run: &Range<usize>, width: usize) -> (&[Value], &mut [Value]) {
        match self {
            ListOutput::Values(slots) => {
                let (earlier, rest) = slots.split_at_mut(run.start * width);
                (earlier, &mut rest[..run.len() * width])
            }
            ListOutput::Lines { slots, .. } => (&[], &mut slots[..run.len() * width]),
        }
    }

    /// Adds the instances of a run. Their numbers are in the lanes.
    fn add_run<const N: usize>(&mut self, lanes: &Lanes<'_, '_, N>, run: &Range<usize>, width: usize) {
        match self {
            ListOutput::Values(slots) => lanes.write_numbers(&mut slots[run.start * width..run.end * width]),
            ListOutput::Lines { writer, slots } => {
                for (at, instance) in slots.chunks_exact_mut(width).take(run.len()).enumerate() {
                    writer.write_lane(lanes, at, instance);
                }
            }
        }
    }
}

/// Subtracts the contributions of an instance from the budgets, each in its slot.
fn spend_budgets(budgets: &mut [Budget<'_>], slots: &[usize], number: impl Fn(usize) -> i64) {
    for (slot, budget) in slots.iter().zip(budgets) {
        budget.spend_amount(number(*slot).into());
    }
}

impl<'a> InstanceGenerator<'a, '_> {
    /// Returns empty lanes for the `count` instances of a block, if they can be drawn in lanes this time.
    pub(in crate::generate) fn list_lanes<'s>(
        &self,
        child: BlockId,
        count: usize,
        holder: &'s ValueScope<'s>,
        budgets: &[Budget<'_>],
    ) -> Option<ListLanes<'a, 's>> {
        let compiled = self.plan.compiled_block(child)?;
        if self.settings.extreme.is_some() || self.ignore_optional_bounds && compiled.has_optional_bounds {
            return None;
        }
        // Budgets must be of single numbers of the block.
        let own_slot = |budget: &Budget<'_>| match budget.contribution {
            Expr::Field(field) => {
                let info = self.plan.format.field(*field);
                (info.block == child && info.is_scalar()).then_some(info.slot)
            }
            _ => None,
        };
        let limited_slots = budgets.iter().map(own_slot).collect::<Option<Vec<usize>>>()?;
        let one = Lanes::new(compiled, child, holder, &limited_slots)?;
        let wide = if self.uses_strategies(count) { Lanes::new(compiled, child, holder, &[]) } else { None };
        Some(ListLanes { one, wide, limited_slots, width: compiled.declared.len() })
    }

    /// Returns the program that writes the instances of a block, if they may be written.
    pub(in crate::generate) fn line_program_of(&self, block: BlockId) -> Option<&'a LineProgram> {
        self.plan.line_program().filter(|lines| self.may_write && lines.block == block)
    }

    /// Draws all instances of a block. If `copying`, some are near copies of others. If there is a program for their
    /// lines, they are written, and the returned list is empty.
    pub(in crate::generate) fn draw_compiled_list(
        &mut self,
        lanes: &mut ListLanes<'a, '_>,
        lines: Option<&LineProgram>,
        size_budgets: &[usize],
        budgets: &mut [Budget<'_>],
        copying: bool,
    ) -> Result<InstanceList, GenerationError> {
        let (block, count, width) = (lanes.one.block, size_budgets.len(), lanes.width);
        let mut bytes = Vec::new();
        let mut output = match lines {
            Some(lines) => {
                bytes.reserve(self.scratch.last_byte_count);
                let slots = vec![Value::Int(0); RUN_LENGTH * width];
                ListOutput::Lines { writer: Box::new(lines.start_writing(&mut bytes)), slots }
            }
            None => ListOutput::Values(self.scratch.take_slots(count * width)),
        };
        for run in split_into_runs(count) {
            self.check_stop(run.start)?;
            self.refresh_strategies(block, run.start, count);
            // The first instances of a copying list are drawn one by one: where instances are hard to find,
            // near copies of the first one fill the list.
            let begins_copying = copying && run.start == 0;
            let is_wide = !begins_copying && self.filled_fields.is_empty() && are_budgets_ample(budgets, &run, count);
            match &mut lanes.wide {
                Some(wide) if is_wide => {
                    self.draw_run(&mut lanes.one, wide, &mut output, &size_budgets[run.clone()], (&run, copying))?;
                    for at in 0..run.len() {
                        spend_budgets(budgets, &lanes.limited_slots, |slot| wide.number_at(slot, at));
                    }
                }
                // Otherwise each instance is drawn within the shares that the earlier ones leave.
                _ => {
                    for i in run {
                        lanes.one.set_limits(budgets.iter().map(|budget| budget.limit_range(i, count)));
                        self.draw_single(&mut lanes.one, &mut output, size_budgets[i], (i, copying))?;
                        spend_budgets(budgets, &lanes.limited_slots, |slot| lanes.one.number_at(slot, 0));
                    }
                }
            }
        }
        self.mark_proved(block);
        Ok(match output {
            ListOutput::Values(slots) => InstanceList::from_slots(width, count, slots),
            ListOutput::Lines { writer, .. } => {
                writer.finish();
                self.scratch.last_byte_count = bytes.len();
                self.written = Some(WrittenList { bytes, count });
                InstanceList::new(width)
            }
        })
    }

    /// Draws the next instance.
    fn draw_single(
        &mut self,
        lanes: &mut Lanes<'a, '_, 1>,
        output: &mut ListOutput<'_>,
        size_budget: usize,
        (i, copying): (usize, bool),
    ) -> Result<(), GenerationError> {
        let (block, width) = (lanes.block, lanes.compiled.declared.len());
        let run = i..i + 1;
        let (earlier, slots) = output.slots_of_run(&run, width);
        let size_budgets = [size_budget];
        let mut draft = LaneDraft::new(lanes, slots, &size_budgets);
        let is_copied = copying
            && self.wants_near_copy(block)
            && !earlier.is_empty()
            && draft.draw_near_copies(self, earlier).is_ok()
            && draft.lanes.is_valid(0);
        if !is_copied {
            self.draw_into(block, &mut draft)?;
        }
        output.add_run(lanes, &run, width);
        Ok(())
    }

    /// Draws the instances of a run field by field: they are independent of each other.
    fn draw_run(
        &mut self,
        one: &mut Lanes<'a, '_, 1>,
        wide: &mut WideLanes<'a, '_>,
        output: &mut ListOutput<'_>,
        size_budgets: &[usize],
        (run, copying): (&Range<usize>, bool),
    ) -> Result<(), GenerationError> {
        let (block, width) = (wide.block, wide.compiled.declared.len());
        wide.keep_texts(matches!(output, ListOutput::Lines { .. }));
        let (earlier, slots) = output.slots_of_run(run, width);
        let mut draft = LaneDraft::new(wide, slots, size_budgets);
        let drawn = if copying && self.wants_near_copy(block) {
            draft.draw_near_copies(self, earlier)
        } else {
            self.draw_fields(block, &mut draft, 0)
        };
        drawn.map_err(|failure| failure.into_error(self.plan.format))?;
        self.repair_lanes(one, wide, slots, size_budgets)?;
        output.add_run(wide, run, width);
        Ok(())
    }

    /// Redraws the dead lanes and those that break a constraint.
    pub(super) fn repair_lanes(
        &mut self,
        one: &mut Lanes<'a, '_, 1>,
        wide: &mut WideLanes<'a, '_>,
        slots: &mut [Value],
        size_budgets: &[usize],
    ) -> Result<(), GenerationError> {
        let (block, width) = (wide.block, wide.compiled.declared.len());
        if wide.compiled.constraints.is_empty() && wide.dead == [false; RUN_LENGTH] {
            return Ok(());
        }
        // The budgets are ample, so no share limits a number.
        one.remove_limits();
        for (at, (instance, size_budget)) in slots.chunks_exact_mut(width).zip(size_budgets).enumerate() {
            if wide.is_valid(at) {
                continue;
            }
            // Redraw single numbers first. If that fails, draw the whole instance again.
            one.load_lane(wide, at);
            let size_budgets = [*size_budget];
            let mut draft = LaneDraft::new(one, instance, &size_budgets);
            if wide.dead[at] || self.redraw_until_valid(block, &mut draft).is_err() {
                self.wasted_draws += DRAWS_PER_ATTEMPT;
                self.without_cache(|generator| generator.draw_into(block, &mut draft))?;
                one.write_numbers(instance);
                wide.redrawn[at] = true;
            }
            wide.take_numbers(one, at);
        }
        Ok(())
    }

    /// Records that all instances of a block satisfy its constraints. Only a block directly in the whole input
    /// has a single list, so that this covers all of its instances.
    fn mark_proved(&mut self, block: BlockId) {
        let is_only = self.plan.format.block(block).parent == Some(BlockId(0));
        self.proved_block = Some(block).filter(|_| is_only);
    }
}

// Writes instances as lines, without values in between.

impl LineProgram {
    /// Returns a writer that appends lines to `bytes`.
    pub(super) fn start_writing<'o>(&'o self, bytes: &'o mut Vec<u8>) -> LineWriter<'o> {
        LineWriter { program: self, bytes: ByteWriter::new(bytes) }
    }
}

/// Writes the lines of instances.
pub(super) struct LineWriter<'o> {
    program: &'o LineProgram,
    bytes: ByteWriter<'o>,
}

impl LineWriter<'_> {
    /// Writes the instance in a lane. Its arrays are in its slots, and if it was drawn on its own, all of its texts.
    #[inline]
    pub(super) fn write_lane<const N: usize>(&mut self, lanes: &Lanes<'_, '_, N>, at: usize, instance: &[Value]) {
        for op in &self.program.ops {
            match *op {
                LineOp::Number(slot, after) => self.bytes.write_number_then(lanes.number_at(slot, at).into(), after),
                LineOp::Text(slot, after) if lanes.has_text(slot) && !lanes.redrawn[at] => {
                    let (letters, length) = lanes.text_at(slot, at);
                    self.bytes.write_prefix_then(letters, length, after);
                }
                LineOp::Text(slot, after) => {
                    print_instance(&[PrintStep::Token(slot, after)], instance, &mut self.bytes);
                }
                LineOp::Other(step) => print_instance(&[step], instance, &mut self.bytes),
            }
        }
    }

    /// Completes the lines.
    pub(super) fn finish(mut self) {
        self.bytes.flush_buffer();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::super::super::draft::Draft;
    use super::super::super::draft::DrawFailure;
    use super::super::super::scoped_draft::ScopedDraft;
    use super::super::super::tests::{COMPILED_FORMATS, LONG_LIST_FORMATS, parse_format};
    use super::*;
    use crate::generate::{GenerationPlan, GenerationSettings, NumberRanges};
    use crate::language::LayoutItem;
    use rebut_generators::{Choices, Swarm};

    /// Draws the instances of a run field by field, as expressions.
    fn draw_with_scopes(
        generator: &mut InstanceGenerator<'_, '_>,
        block: BlockId,
        holder: &ValueScope<'_>,
        size_budget: usize,
    ) -> Option<Vec<Value>> {
        let parts = generator.plan.block_plan(block);
        let new_draft = || ScopedDraft::new(generator.plan.format, block, Some(holder), &[], size_budget);
        let mut drafts: Vec<Option<ScopedDraft<'_>>> = (0..RUN_LENGTH).map(|_| Some(new_draft())).collect();
        let reverse = generator.wants_reverse_order(block);
        let scalars = parts.other_scalars.len();
        let sizes = (0..parts.sizes.len()).map(|index| (Step::Size, index));
        let others = (0..scalars).map(|at| (Step::Scalar, if reverse { scalars - 1 - at } else { at }));
        let arrays = (0..parts.arrays.len()).map(|index| (Step::Array, index));
        for (step, index) in sizes.chain(others).chain(arrays) {
            for place in &mut drafts {
                let Some(draft) = place else { continue };
                let drawn: Result<(), DrawFailure<'_>> = match step {
                    Step::Size => draft.draw_size(generator, index),
                    Step::Scalar => draft.draw_scalar(generator, index),
                    Step::Array => draft.draw_array(generator, index),
                };
                if drawn.is_err() {
                    *place = None;
                }
            }
        }
        let mut all = Vec::new();
        for draft in drafts {
            let mended = draft.and_then(|mut draft| {
                generator.redraw_until_valid(block, &mut draft).is_ok().then(|| draft.into_instance())
            });
            all.extend(match mended {
                Some(instance) => instance,
                None => {
                    let again =
                        |g: &mut InstanceGenerator<'_, '_>| g.draw_instance(block, Some(holder), &[], size_budget);
                    generator.without_cache(again).ok()?
                }
            });
        }
        Some(all)
    }

    #[derive(Clone, Copy)]
    enum Step {
        Size,
        Scalar,
        Array,
    }

    /// Draws the instances of a run in lanes.
    fn draw_with_lanes(
        generator: &mut InstanceGenerator<'_, '_>,
        block: BlockId,
        holder: &ValueScope<'_>,
        size_budget: usize,
    ) -> Option<Vec<Value>> {
        let mut lanes = generator.list_lanes(block, 1000, holder, &[])?;
        let mut output = ListOutput::Values(vec![Value::Int(0); RUN_LENGTH * lanes.width]);
        let wide = lanes.wide.as_mut()?;
        let budgets = [size_budget; RUN_LENGTH];
        generator.draw_run(&mut lanes.one, wide, &mut output, &budgets, (&(0..RUN_LENGTH), false)).ok()?;
        let ListOutput::Values(slots) = output else { panic!("values were asked for") };
        Some(slots)
    }

    #[test]
    fn runs_in_lanes_are_those_of_the_expressions() {
        let mut compared = 0;
        for text in COMPILED_FORMATS.iter().chain(LONG_LIST_FORMATS) {
            let format = parse_format(text);
            let plan = GenerationPlan::new(&format);
            let Some(LayoutItem::Block(block)) = format.block(BlockId(0)).items.last().cloned() else {
                panic!("{text}")
            };
            for stream in 0..150 {
                let settings = GenerationSettings {
                    growth: (stream % 5 * 25) as u32,
                    hints: if stream % 3 == 0 { [2, 7].into() } else { Default::default() },
                    numbers: if stream % 7 == 0 { NumberRanges::Near(2) } else { NumberRanges::Growing },
                    dictionary: if stream % 2 == 0 { vec![b".X".to_vec(), b"XX.X".to_vec()].into() } else { [].into() },
                    max_wasted_draws: 5000,
                    ..GenerationSettings::default()
                };
                let size_budget = [4, 9, 1000][stream as usize % 3];
                let draw = |in_lanes: bool| {
                    let (mut choices, mut swarm) = (Choices::from_seed(9, stream), Swarm::new());
                    let mut generator = InstanceGenerator::new(&plan, &mut choices, &settings, &mut swarm);
                    let mut root = ScopedDraft::new(&format, BlockId(0), None, &[], 1000);
                    for index in 0..plan.block_plan(BlockId(0)).sizes.len() {
                        root.draw_size(&mut generator, index).unwrap();
                    }
                    for index in 0..plan.block_plan(BlockId(0)).other_scalars.len() {
                        root.draw_scalar(&mut generator, index).unwrap();
                    }
                    let holder = root.as_scope(&format);
                    generator.refresh_strategies(block, 0, 1000);
                    generator.list_lanes(block, 1000, &holder, &[])?;
                    let draw = if in_lanes { draw_with_lanes } else { draw_with_scopes };
                    let slots = draw(&mut generator, block, &holder, size_budget)?;
                    Some((slots, choices.draw_count()))
                };
                let run = draw(true);
                compared += usize::from(run.is_some());
                assert_eq!(run, draw(false), "{text}, stream {stream}");
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}
