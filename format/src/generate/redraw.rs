//! Checks the constraints of a drawn instance, and redraws the fields that break them.

use super::GenerationError;
use super::instance::{InstanceGenerator, PartialSlots};
use crate::language::{BlockId, Comparison, Expr, FieldId, Interval, narrow_by_operator};
use crate::validate::{ViolationSides, check_constraint};
use crate::value::{self, Value, ValueScope};
use rebut_generators::draw_scalar;

/// Maximum number of redraws before the instance is drawn afresh.
pub(super) const MAX_REDRAWS: usize = 64;

/// Number of values that can be checked in the time of one draw.
pub(super) const CHECKS_PER_DRAW: usize = 8;

/// The constraints that may be broken after a redraw.
#[derive(Clone, Copy)]
enum RecheckScope {
    /// All constraints.
    All,
    /// Those after the first broken one, which have not been checked yet, and those that depend on the number
    /// redrawn since.
    After { broken: usize, redrawn: FieldId },
}

/// The change made by a redraw.
enum RedrawOutcome {
    /// No field could be changed on its own.
    Nothing,
    /// A single number, drawn with its old value, in a block without arrays.
    Same,
    /// A single number.
    Number(FieldId),
    /// An array or a text, or some of its elements.
    Array,
}

impl<'a> InstanceGenerator<'a, '_> {
    /// Redraws fields of the instance until the constraints with this home block hold.
    pub(super) fn redraw_until_valid(
        &mut self,
        block: BlockId,
        slots: &mut PartialSlots,
        outer: Option<&ValueScope<'_>>,
        extra: &[Comparison],
    ) -> Result<(), GenerationError> {
        let (mut last, mut repairs) = (None, 0);
        let (mut doubt, mut is_same) = (RecheckScope::All, false);
        for _ in 0..MAX_REDRAWS {
            repairs += 1;
            // An unchanged number leaves the same constraint broken.
            if !is_same {
                last = self.first_broken_constraint(doubt, block, slots, outer);
            }
            let Some((constraint, element, _)) = last else { return Ok(()) };
            let redrawn =
                self.without_cache(|generator| generator.redraw_field(constraint, element, block, slots, outer, extra));
            is_same = matches!(redrawn, RedrawOutcome::Same);
            match redrawn {
                RedrawOutcome::Nothing => break,
                RedrawOutcome::Same => continue,
                RedrawOutcome::Number(field) if self.plan.block_plan(block).arrays.is_empty() => {
                    // Without arrays only this number changed, so the constraints before the broken one still
                    // hold.
                    doubt = RecheckScope::After { broken: constraint, redrawn: field };
                }
                RedrawOutcome::Number(_) | RedrawOutcome::Array => doubt = RecheckScope::All,
            }
            self.repair_letter_counts(block, slots, outer);
            self.repair_text_properties(block, slots);
            if self.plan.format.stop_token.spend_steps(CHECKS_PER_DRAW as u64) {
                break;
            }
        }
        match last {
            Some((constraint, _, sides)) => {
                // Every round checked everything again, which is cheaper than drawing it.
                let nodes: usize = slots.iter().flatten().map(Value::node_count).sum();
                self.wasted_draws += (repairs * nodes / CHECKS_PER_DRAW) as u64;
                Err(GenerationError::for_broken_constraint(
                    self.plan.format,
                    constraint,
                    sides.display_text(self.plan.format),
                ))
            }
            None => Ok(()),
        }
    }

    fn first_broken_constraint(
        &self,
        doubt: RecheckScope,
        block: BlockId,
        slots: &PartialSlots,
        outer: Option<&ValueScope<'_>>,
    ) -> Option<(usize, Option<usize>, ViolationSides<'a>)> {
        let scope = self.scope_of_block(block, slots, outer);
        // Edges are drawn to satisfy their graph, and redrawing one of them would not repair it. Their blocks
        // are checked again with the whole input; constraints at the level of the whole input are checked only
        // here.
        let constructed = |c: &&usize| {
            let constraint = &self.plan.format.constraints[**c];
            constraint.rule.kind().is_constructed() && constraint.home_block != BlockId(0)
        };
        let in_doubt = |constraint: &&usize| match doubt {
            RecheckScope::All => true,
            RecheckScope::After { broken, redrawn } => {
                **constraint >= broken || self.plan.field_affects(redrawn, **constraint)
            }
        };
        let doubtful = self
            .plan
            .home_constraints(block)
            .iter()
            .filter(in_doubt)
            .filter(|c| !self.plan.is_known_to_hold(**c, &scope));
        doubtful.filter(|c| !constructed(c)).find_map(|constraint| {
            check_constraint(&self.plan.format.constraints[*constraint], &scope)
                .map(|(element, sides)| (*constraint, element, sides))
        })
    }

    /// Redraws one of the fields that the broken constraint depends on.
    fn redraw_field(
        &mut self,
        constraint: usize,
        element: Option<usize>,
        block: BlockId,
        slots: &mut PartialSlots,
        outer: Option<&ValueScope<'_>>,
        extra: &[Comparison],
    ) -> RedrawOutcome {
        let format = self.plan.format;
        let rule = &format.constraints[constraint].rule;
        self.invalidate_proof();
        if let (Some(element), Some(comparison)) = (element, rule.comparison())
            && self.redraw_element(comparison, element, block, slots, outer)
        {
            return RedrawOutcome::Array;
        }
        let Some(field) = self.choices.pick_item(self.plan.redrawable_fields(constraint)).copied() else {
            return RedrawOutcome::Nothing;
        };
        let slot = format.field(field).slot;
        let before = slots[slot].take();
        let drawn = if format.field(field).is_scalar() {
            self.draw_scalar(field, block, slots, outer, extra, usize::MAX).map(Value::Int)
        } else {
            self.draw_array(field, &self.scope_of_block(block, slots, outer), extra, usize::MAX)
        };
        let Ok(value) = drawn else { return RedrawOutcome::Nothing };
        let is_same = before.as_ref() == Some(&value);
        slots[slot] = Some(value);
        if format.field(field).is_scalar() {
            let is_same = is_same && self.plan.block_plan(block).arrays.is_empty();
            return if is_same { RedrawOutcome::Same } else { RedrawOutcome::Number(field) };
        }
        self.repair_sums(block, slots, outer, extra);
        RedrawOutcome::Array
    }

    /// In a comparison element by element, redraws only the element that breaks it.
    fn redraw_element(
        &mut self,
        comparison: &Comparison,
        element: usize,
        block: BlockId,
        slots: &mut PartialSlots,
        outer: Option<&ValueScope<'_>>,
    ) -> bool {
        let format = self.plan.format;
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return false };
        let (field, sign, other) = match (left, right) {
            (Expr::Field(f), other) if format.field(*f).block == block && !format.field(*f).is_scalar() => {
                (*f, comparison.sign, other)
            }
            (other, Expr::Field(f)) if format.field(*f).block == block && !format.field(*f).is_scalar() => {
                (*f, comparison.sign.with_sides_swapped(), other)
            }
            _ => return false,
        };
        let scope = self.scope_of_block(block, slots, outer);
        let others = if value::is_array_expr(other, &scope) {
            value::evaluate_elements(other, &scope)
        } else {
            value::evaluate_number(other, &scope).map(|n| vec![n; element + 1])
        };
        let Some(bound) = others.ok().and_then(|o| o.get(element).copied()) else { return false };
        let range = narrow_by_operator(format.field(field).range, sign, Interval::from_value(bound));
        if range.is_empty() {
            return false;
        }
        let number = draw_scalar(self.choices, range.lo, range.hi, &self.settings.hints);
        let Some(value) = &mut slots[format.field(field).slot] else { return false };
        set_element(value, &mut { element }, number)
    }
}

/// Sets the element at this index, counted through all rows.
fn set_element(value: &mut Value, element: &mut usize, number: i128) -> bool {
    match value {
        Value::Ints(row) if *element < row.len() => {
            row[*element] = number;
            true
        }
        Value::Ints(row) => {
            *element -= row.len();
            false
        }
        Value::List(rows) => rows.iter_mut().any(|row| set_element(row, element, number)),
        _ => false,
    }
}
