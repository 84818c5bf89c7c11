//! Line programs: instances written as lines, without values in between.
//!
//! A search runs programs on the bytes of its inputs, and hardly ever needs the value behind them; then it draws
//! the input again. So where a long list ends the input, and all constraints on its instances hold once these
//! are drawn, each instance is written as soon as it is drawn.
//!
//! *Invariant:* the bytes equal the printed value that the same choices produce.

use super::super::plan::GenerationPlan;
use super::super::planning::{InstanceSumBound, instance_sum_bound};
use super::{LineOp, LineProgram};
use crate::language::{BlockId, ComparisonOperator, ConstraintRule, Expr, Format, LayoutItem, is_unambiguous};
use crate::print::{PrintStep, print_steps};

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
        let is_text = |slot| {
            compiled.arrays.iter().any(|array| array.slot == slot && array.sizes.len() == 1 && array.letters.is_some())
        };
        let part = |step: &PrintStep| match *step {
            PrintStep::Token(slot, after) if compiled.scalar_slots.contains(&slot) => LineOp::Number(slot, after),
            PrintStep::Token(slot, after) if is_text(slot) => LineOp::Text(slot, after),
            other => LineOp::Other(other),
        };
        let ops = steps.iter().map(part).collect();
        (settled && is_kept_to && is_unambiguous(format)).then_some(LineProgram { block: *block, ops })
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
