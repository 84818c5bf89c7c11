//! Repair of constraints that aggregate a block that some repetitions lack.
//!
//! The number of occurrences is known only once every repetition is drawn, so occurrences are drawn independently.
//! Then one after the other is redrawn, or moved by the missing amount, as long as that brings a constraint
//! nearer to holding. If the constraint still does not hold, the attempt fails.

use super::instance::InstanceGenerator;
use super::planning::aggregated_occurrences;
use super::scoped_draft::{PartialSlots, ScopedDraft};
use crate::language::{
    BlockId, Comparison, ComparisonOperator, Constraint, ConstraintRule, Expr, FieldId, FoldKind, FoldRange, Format,
    OptionalBlocks, OrderConstraint,
};
use crate::validate::{check_constraint, is_comparison_true, is_instance_valid};
use crate::value::{self, InstanceSlots, Value, ValueScope, visit_occurrences};

/// Minimum number of moves for one constraint.
const MIN_MOVES: usize = 200;

/// Maximum number of visits of occurrences for one constraint.
const MAX_VISITS: usize = 2_000_000;

/// The path of an occurrence from the holder, the field to change there, and its new value.
type OccurrenceMove = (Vec<usize>, FieldId, Value);

/// The position of an instance that holds occurrences.
struct OccurrenceHolder<'h> {
    format: &'h Format,
    block: BlockId,
    outer: Option<&'h ValueScope<'h>>,
}

impl OccurrenceHolder<'_> {
    fn holder_scope<'s>(&'s self, slots: &'s [Value]) -> ValueScope<'s> {
        ValueScope::new(self.format, self.block, InstanceSlots::Known(slots), self.outer)
    }
}

impl InstanceGenerator<'_, '_> {
    /// Moves numbers and texts in the blocks inside an instance until the aggregating constraints of its block
    /// hold or the limits are reached.
    pub(super) fn repair_occurrences(&mut self, draft: &mut ScopedDraft<'_>) {
        let (block, outer) = (draft.block, draft.outer);
        if !self.plan.block_plan(block).has_occurrences {
            return;
        }
        self.invalidate_proof();
        let format = self.plan.format;
        draft.change_instance(|slots| {
            let mut root = Value::Block(std::mem::take(slots));
            for at in self.plan.home_constraints(block) {
                let constraint = &format.constraints[*at];
                if let Some(over) = aggregated_occurrences(constraint) {
                    self.repair_occurrence_constraint(constraint, over, block, &mut root, outer);
                }
            }
            if let Value::Block(known) = root {
                *slots = known;
            }
        });
    }

    fn repair_occurrence_constraint(
        &mut self,
        constraint: &Constraint,
        over: FoldRange,
        block: BlockId,
        root: &mut Value,
        outer: Option<&ValueScope<'_>>,
    ) {
        let format = self.plan.format;
        let holder = OccurrenceHolder { format, block, outer };
        let movable = self.movable_fields(constraint, over);
        let count = count_occurrences(&holder.holder_scope(root.root_slots()), over);
        if movable.is_empty() || count == 0 {
            return;
        }
        for _ in 0..(MIN_MOVES + 2 * count).min(MAX_VISITS / count) {
            // An order is restored by sorting the numbers among their places.
            if let Some(OrderConstraint { expr: Expr::Field(field), sign, .. }) = constraint.rule.order() {
                let (places, mut numbers) = collect_occurrences(&holder.holder_scope(root.root_slots()), *field, over);
                numbers.sort_unstable();
                if matches!(sign, ComparisonOperator::Greater | ComparisonOperator::GreaterEqual) {
                    numbers.reverse();
                }
                let slot = format.field(*field).slot;
                for (path, number) in places.iter().zip(numbers) {
                    let place = root.instance_at_mut(path).and_then(|instance| instance.get_mut(slot));
                    place.into_iter().for_each(|place| *place = Value::Int(number));
                }
            }
            // Move one value of an occurrence, and undo that if the distance grows.
            let scope = holder.holder_scope(root.root_slots());
            let Some((element, _)) = check_constraint(constraint, &scope) else { return };
            let target = element.unwrap_or_else(|| self.choices.draw_index(count));
            let Some(field) = self.choices.pick_item(&movable).copied() else { return };
            let before = rule_distance(&constraint.rule, &scope);
            let Some((path, field, new)) = self.propose_move(&constraint.rule, over, target, field, &scope) else {
                continue;
            };
            let slot = format.field(field).slot;
            let Some(place) = root.instance_at_mut(&path).and_then(|instance| instance.get_mut(slot)) else { return };
            let old = std::mem::replace(place, new);
            if rule_distance(&constraint.rule, &holder.holder_scope(root.root_slots())) > before
                && let Some(place) = root.instance_at_mut(&path).and_then(|instance| instance.get_mut(slot))
            {
                *place = old;
            }
        }
    }

    /// Returns the fields that can be moved without changing any size.
    fn movable_fields(&self, constraint: &Constraint, over: FoldRange) -> Vec<FieldId> {
        let FoldRange::Occurrences(OptionalBlocks { block, .. }) = over else { return Vec::new() };
        let is_movable = |field: &FieldId| constraint.rule.mentions_field(*field) && !self.plan.is_size(*field);
        self.plan.format.fields_in_block(block).filter(is_movable).collect()
    }

    /// Proposes another value of a field in one occurrence that still satisfies the constraints on that
    /// occurrence alone.
    fn propose_move(
        &mut self,
        rule: &ConstraintRule,
        over: FoldRange,
        target: usize,
        field: FieldId,
        scope: &ValueScope<'_>,
    ) -> Option<OccurrenceMove> {
        let off = rule.comparison().and_then(|comparison| comparison_distance(comparison, scope));
        let (mut found, mut at) = (None, 0);
        let known = visit_occurrences(scope, over, &mut |path, inner| {
            if at == target {
                found = self.draw_replacement(rule, off, field, inner).map(|new| (path.to_vec(), field, new));
            }
            at += 1;
            Ok(())
        });
        known.ok().and(found)
    }

    fn draw_replacement(
        &mut self,
        rule: &ConstraintRule,
        off: Option<i128>,
        field: FieldId,
        inner: &ValueScope<'_>,
    ) -> Option<Value> {
        let format = self.plan.format;
        let slot = format.field(field).slot;
        let mut slots: PartialSlots =
            (0..format.block(inner.block).slots).map(|slot| inner.slot_value(slot).cloned()).collect();
        let old = slots.get_mut(slot)?.take()?;
        let mut draft = ScopedDraft::with_slots(inner.block, inner.outer, &[], slots);
        let new = match old.as_int() {
            Some(number) => {
                let aims = self.target_numbers(rule, off, number);
                Value::Int(match self.choices.pick_item(&aims).copied().filter(|_| self.choices.draw_chance(1, 2)) {
                    Some(aim) => self.remaining_range(field, &draft.as_scope(format), &[]).ok()?.clamp_value(aim),
                    None => draft.draw_scalar_field(self, field).ok()?,
                })
            }
            None => self.draw_array(field, &draft.as_scope(format), &[], usize::MAX).ok()?,
        };
        draft.slots[slot] = Some(new.clone());
        is_instance_valid(format, inner.block, &draft.into_instance(), inner.outer?).then_some(new)
    }

    /// Returns numbers with which a comparison may hold: moved by the missing amount, or equal to a counted
    /// value.
    fn target_numbers(&self, rule: &ConstraintRule, off: Option<i128>, number: i128) -> Vec<i128> {
        let mut aims: Vec<i128> =
            off.into_iter().flat_map(|off| [number.saturating_add(off), number.saturating_sub(off)]).collect();
        for expr in rule.expressions() {
            if let Expr::Fold(FoldKind::Count(wanted), ..) | Expr::Constant(wanted) = expr {
                aims.push(*wanted);
            }
        }
        aims
    }
}

fn count_occurrences(scope: &ValueScope<'_>, over: FoldRange) -> usize {
    let mut count = 0;
    let known = visit_occurrences(scope, over, &mut |_, _| {
        count += 1;
        Ok(())
    });
    if known.is_ok() { count } else { 0 }
}

/// Returns the paths of a field's numbers, and the numbers.
fn collect_occurrences(scope: &ValueScope<'_>, field: FieldId, over: FoldRange) -> (Vec<Vec<usize>>, Vec<i128>) {
    let (mut places, mut numbers) = (Vec::new(), Vec::new());
    let known = visit_occurrences(scope, over, &mut |path, inner| {
        if let Some(number) = inner.field_value(field).and_then(Value::as_int) {
            places.push(path.to_vec());
            numbers.push(number);
        }
        Ok(())
    });
    if known.is_ok() { (places, numbers) } else { (Vec::new(), Vec::new()) }
}

/// Returns how far a rule is from holding, 0 if it holds.
fn rule_distance(rule: &ConstraintRule, scope: &ValueScope<'_>) -> i128 {
    match rule.comparison().filter(|comparison| !is_comparison_true(comparison, scope)) {
        Some(comparison) => comparison_distance(comparison, scope).map_or(i128::MAX, |off| off.saturating_add(1)),
        None => 0,
    }
}

fn comparison_distance(comparison: &Comparison, scope: &ValueScope<'_>) -> Option<i128> {
    let (left, right) = comparison.single_operands()?;
    let (left, right) = (value::evaluate_number(left, scope).ok()?, value::evaluate_number(right, scope).ok()?);
    i128::try_from(left.abs_diff(right)).ok()
}
