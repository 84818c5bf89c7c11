//! Line programs: instances written as lines, without values in between.
//!
//! A search runs programs on the bytes of its inputs, and hardly ever needs the value behind them; then it draws
//! the input again. So where a long list ends the input, and all constraints on its instances hold once these
//! are drawn, each instance is written as soon as it is drawn.
//!
//! *Invariant:* the bytes equal the printed value that the same choices produce.

use super::super::GenerationError;
use super::super::budget::{Budget, InstanceSumBound, are_budgets_ample, instance_sum_bound};
use super::super::instance::InstanceGenerator;
use super::super::plan::GenerationPlan;
use super::super::strategy_cache::{RUN_LENGTH, split_into_runs};
use super::draw::InstanceFrame;
use super::lanes::LaneTable;
use crate::language::{
    BlockId, ByteWriter, ComparisonOperator, ConstraintRule, Expr, Format, LayoutItem, is_unambiguous,
};
use crate::print::{PrintStep, print_instance, print_steps};
use crate::value::{InstanceList, Value};

/// The program that writes the instances of a block as they are drawn.
#[derive(Debug)]
pub(in crate::generate) struct LineProgram {
    /// The block.
    pub(in crate::generate) block: BlockId,
    steps: Vec<PrintStep>,
    /// The same steps, specialized for numbers and texts that are never values.
    ops: Vec<LineOp>,
}

#[derive(Debug)]
enum LineOp {
    /// The single number of a slot, and the character after it.
    Number(usize, u8),
    /// The text of a slot, and the character after it.
    Text(usize, u8),
    /// Any other step.
    Other(PrintStep),
}

/// The lines of all instances of a list.
#[derive(Debug)]
pub(in crate::generate) struct WrittenList {
    /// The lines.
    pub(in crate::generate) bytes: Vec<u8>,
    /// Number of instances.
    pub(in crate::generate) count: usize,
}

impl LineProgram {
    /// Returns the program of the last block of a format, or `None` if its instances are needed as values.
    pub(in crate::generate) fn for_plan(plan: &GenerationPlan<'_>) -> Option<LineProgram> {
        let format = plan.format;
        let Some(LayoutItem::Block(block)) = format.block(BlockId(0)).items.last() else { return None };
        let is_mentioned =
            |rule: &ConstraintRule| format.fields_in_block(*block).any(|field| rule.mentions_field(field));
        let mut rules =
            plan.home_constraints(BlockId(0)).iter().map(|constraint| &format.constraints[*constraint].rule);
        let is_kept_to = rules.all(|rule| !is_mentioned(rule) || is_upper_bound(format, *block, rule));
        let steps = print_steps(format, *block)?;
        let settled = !plan.block_plan(BlockId(0)).has_formulas;
        let compiled = plan.compiled_block(*block)?;
        let is_text = |slot| compiled.arrays.iter().any(|array| array.slot == slot && array.letters.is_some());
        let part = |step: &PrintStep| match *step {
            PrintStep::Token(slot, after) if compiled.scalar_slots.contains(&slot) => LineOp::Number(slot, after),
            PrintStep::Token(slot, after) if is_text(slot) => LineOp::Text(slot, after),
            other => LineOp::Other(other),
        };
        let parts = steps.iter().map(part).collect();
        (settled && is_kept_to && is_unambiguous(format)).then_some(LineProgram { block: *block, steps, ops: parts })
    }

    /// Writes an instance of a batch.
    #[inline]
    fn write_lane(&self, lanes: &LaneTable, at: usize, instance: &[Value], writer: &mut ByteWriter<'_>) {
        for step in &self.ops {
            match *step {
                LineOp::Number(slot, after) => writer.write_number_then(lanes.number_at(slot, at).into(), after),
                LineOp::Text(slot, after) if lanes.has_text(slot) => {
                    let (letters, length) = lanes.text_at(slot, at);
                    writer.write_prefix_then(letters, length, after);
                }
                LineOp::Text(slot, after) => print_instance(&[PrintStep::Token(slot, after)], instance, writer),
                LineOp::Other(step) => print_instance(&[step], instance, writer),
            }
        }
    }
}

/// Returns true if a rule bounds the sum of one number over all instances from above, by an expression of
/// numbers that precede the list. Drawing respects such a budget, so no check is needed afterwards.
fn is_upper_bound(format: &Format, block: BlockId, rule: &ConstraintRule) -> bool {
    let Some(comparison) = rule.comparison() else { return false };
    match instance_sum_bound(block, comparison) {
        Some(InstanceSumBound {
            contribution: Expr::Field(_),
            sign: ComparisonOperator::Less | ComparisonOperator::LessEqual,
            other: most,
            ..
        }) => !format.fields_in_block(block).any(|field| most.mentions_field(field)),
        _ => false,
    }
}

impl<'a> InstanceGenerator<'a, '_> {
    /// Like [`InstanceGenerator::draw_compiled_instances`] without near copies, but writes the instances. The
    /// returned list is empty.
    #[expect(clippy::expect_used, reason = "the slots of single numbers are known when a format is prepared")]
    pub(in crate::generate) fn write_compiled_lines(
        &mut self,
        frame: &mut InstanceFrame<'a, '_>,
        lines: &LineProgram,
        size_budgets: &[usize],
        budgets: &mut [Budget<'_>],
    ) -> Result<InstanceList, GenerationError> {
        let (count, width) = (size_budgets.len(), frame.compiled.declared.len());
        let mut bytes = Vec::with_capacity(self.scratch.last_byte_count);
        let mut writer = ByteWriter::new(&mut bytes);
        let mut scratch = vec![Value::Int(0); RUN_LENGTH * width];
        let mut lanes = LaneTable::new(&frame.places, frame.compiled);
        for run in split_into_runs(count) {
            self.check_stop(run.start)?;
            self.refresh_strategies(frame.block, run.start, count);
            if let Some(lanes) =
                lanes.as_mut().filter(|_| self.filled_fields.is_empty() && are_budgets_ample(budgets, &run, count))
            {
                lanes.reset_lanes(true);
                self.draw_batch(frame, lanes, None, &mut scratch, &size_budgets[run.clone()])?;
                for (at, instance) in scratch.chunks_exact(width).take(run.len()).enumerate() {
                    match lanes.redrawn[at] {
                        true => print_instance(&lines.steps, instance, &mut writer),
                        false => lines.write_lane(lanes, at, instance, &mut writer),
                    }
                    frame.spend_budgets(budgets, |slot| lanes.number_at(slot, at).into());
                }
                continue;
            }
            for i in run {
                frame.apply_budget_limits(budgets, i, count);
                let instance = &mut scratch[..width];
                self.draw_next_compiled(frame, &[], instance, size_budgets[i], false)?;
                frame.spend_budgets(budgets, |slot| instance[slot].as_int().expect("the contribution is a number"));
                print_instance(&lines.steps, instance, &mut writer);
            }
        }
        writer.flush_buffer();
        self.scratch.last_byte_count = bytes.len();
        self.written = Some(WrittenList { bytes, count });
        self.mark_proved(frame.block);
        Ok(InstanceList::new(width))
    }
}
