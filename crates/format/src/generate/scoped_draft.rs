//! Drafts of instances with constraints of any kind, which are evaluated as expressions.

use super::budget::limits_on_optional_block;
use super::draft::{Draft, DraftViolation, DrawFailure, InstanceDraft, RecheckScope, RedrawOutcome, halve_budget};
use super::formulas::repair_formulas;
use super::instance::InstanceGenerator;
use crate::language::{BlockId, Comparison, Expr, FieldId, Format, Interval, LayoutItem, narrow_by_operator};
use crate::validate::check_constraint;
use crate::value::{self, InstanceList, InstanceSlots, Value, ValueScope};
use rebut_generators::{Choices, draw_scalar};

/// The slots of an instance that is being drawn.
pub(super) type PartialSlots = Vec<Option<Value>>;

/// An instance while it is drawn.
#[derive(Debug)]
pub(super) struct ScopedDraft<'d> {
    pub(super) block: BlockId,
    /// The enclosing instance.
    pub(super) outer: Option<&'d ValueScope<'d>>,
    /// The limits that hold for this instance beside the constraints.
    given_limits: &'d [Comparison],
    /// All limits, if there are more than those given: they make products and the counts of the blocks inside fit
    /// their budgets.
    more_limits: Vec<Comparison>,
    /// The approximate number of elements that the instance may have.
    size_budget: usize,
    /// The size budget of the current attempt.
    halved_budget: usize,
    pub(super) slots: PartialSlots,
}

impl<'d> ScopedDraft<'d> {
    /// Returns an empty draft of an instance of about `size_budget` elements at most.
    pub(super) fn new(
        format: &Format,
        block: BlockId,
        outer: Option<&'d ValueScope<'d>>,
        limits: &'d [Comparison],
        size_budget: usize,
    ) -> ScopedDraft<'d> {
        let slots = vec![None; format.block(block).slots];
        let draft = ScopedDraft::with_slots(block, outer, limits, slots);
        ScopedDraft { size_budget, halved_budget: size_budget, ..draft }
    }

    /// Returns a draft with these values, of any size.
    pub(super) fn with_slots(
        block: BlockId,
        outer: Option<&'d ValueScope<'d>>,
        limits: &'d [Comparison],
        slots: PartialSlots,
    ) -> ScopedDraft<'d> {
        let (size_budget, halved_budget) = (usize::MAX, usize::MAX);
        ScopedDraft { block, outer, given_limits: limits, more_limits: Vec::new(), size_budget, halved_budget, slots }
    }

    /// Returns the limits that hold for this instance beside the constraints.
    pub(super) fn limits(&self) -> &[Comparison] {
        if self.more_limits.is_empty() { self.given_limits } else { &self.more_limits }
    }

    /// Returns the values drawn so far as a scope.
    pub(super) fn as_scope<'s>(&'s self, format: &'s Format) -> ValueScope<'s> {
        let slots = InstanceSlots::Partial(&self.slots);
        ValueScope::new(format, self.block, slots, self.outer)
    }

    /// Returns the slots of the finished instance.
    pub(super) fn into_instance(self) -> Vec<Value> {
        complete_slots(self.slots)
    }

    /// Applies `change` to the slots of the finished instance.
    pub(super) fn change_instance(&mut self, change: impl FnOnce(&mut Vec<Value>)) {
        let mut instance = complete_slots(std::mem::take(&mut self.slots));
        change(&mut instance);
        self.slots = instance.into_iter().map(Some).collect();
    }

    /// Draws a single number that is not a size, and returns it.
    pub(super) fn draw_scalar_field<'a>(
        &self,
        generator: &mut InstanceGenerator<'a, '_>,
        field: FieldId,
    ) -> Result<i128, DrawFailure<'a>> {
        let plan = generator.plan;
        let range = generator.remaining_range(field, &self.as_scope(plan.format), self.limits())?;
        if let Some(extreme) = generator.settings.extreme.filter(|_| plan.acts_as_size(field)) {
            return Ok(plan.filter_number(field, extreme.end_of_range(range), range));
        }
        let scalar_slots = &plan.block_plan(self.block).scalar_slots;
        let pick_other = |choices: &mut Choices| {
            let known = || scalar_slots.iter().filter_map(|slot| self.slots[*slot].as_ref()?.as_int());
            known().nth(choices.draw_index(known().count()))
        };
        let number = generator.draw_number(&generator.number_way(field), range, pick_other);
        Ok(plan.filter_number(field, number, range))
    }

    /// Draws the instances of the blocks directly inside.
    fn draw_child_blocks(&mut self, generator: &mut InstanceGenerator<'_, '_>) -> Result<(), super::GenerationError> {
        let format = generator.plan.format;
        if !generator.plan.block_plan(self.block).has_blocks {
            return Ok(());
        }
        for item in &format.block(self.block).items {
            match item {
                LayoutItem::Line(_) | LayoutItem::Rows(_) => {}
                LayoutItem::Block(child) => {
                    let scope = self.as_scope(format);
                    let list = generator.draw_instances(*child, &scope, self.limits(), self.halved_budget)?;
                    self.slots[format.block(*child).slot] = Some(Value::Instances(list));
                }
                LayoutItem::Either(children) => {
                    let chosen = match generator.take_chosen_form(self.block) {
                        Some(form) => children.get(form % children.len().max(1)).copied(),
                        None => generator.choices.pick_item(children).copied(),
                    };
                    for child in children {
                        let mut list = InstanceList::new(format.block(*child).slots);
                        if Some(*child) == chosen {
                            let limits = limits_on_optional_block(format, *child, self.limits());
                            let scope = self.as_scope(format);
                            list.push(generator.draw_instance(*child, Some(&scope), &limits, self.halved_budget)?);
                        }
                        self.slots[format.block(*child).slot] = Some(Value::Instances(list));
                    }
                }
            }
        }
        Ok(())
    }

    fn repair_formulas(&mut self, generator: &mut InstanceGenerator<'_, '_>) {
        if !generator.plan.block_plan(self.block).has_formulas {
            return;
        }
        generator.invalidate_proof();
        let (plan, choices, hints) = (generator.plan, &mut *generator.choices, &generator.settings.hints);
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
        let (block, outer) = (self.block, self.outer);
        self.change_instance(|slots| repair_formulas(plan, block, slots, outer, &mut choose));
    }

    /// In a comparison element by element, redraws only the element that breaks it.
    fn redraw_element(
        &mut self,
        generator: &mut InstanceGenerator<'_, '_>,
        comparison: &Comparison,
        element: usize,
    ) -> bool {
        let format = generator.plan.format;
        let own_array = |side: &Expr| {
            let Expr::Field(field) = side else { return None };
            (format.field(*field).block == self.block && !format.field(*field).is_scalar()).then_some(*field)
        };
        let Some((field, sign, other)) = comparison.find_operand(own_array) else { return false };
        let scope = self.as_scope(format);
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
        let number = draw_scalar(generator.choices, range.lo, range.hi, &generator.settings.hints);
        let Some(value) = &mut self.slots[format.field(field).slot] else { return false };
        set_element(value, &mut { element }, number)
    }

    /// Redraws one of the fields directly in the block.
    fn redraw_any_field(&mut self, generator: &mut InstanceGenerator<'_, '_>, field: FieldId) -> RedrawOutcome {
        let format = generator.plan.format;
        let (slot, is_scalar) = (format.field(field).slot, format.field(field).is_scalar());
        let before = self.slots[slot].take();
        let drawn = if is_scalar {
            self.draw_scalar_field(generator, field).map(Value::Int)
        } else {
            generator.draw_array(field, &self.as_scope(format), self.limits(), usize::MAX)
        };
        let Ok(value) = drawn else { return RedrawOutcome::Nothing };
        let is_same = before.as_ref() == Some(&value);
        self.slots[slot] = Some(value);
        if is_scalar {
            let is_same = is_same && generator.plan.block_plan(self.block).arrays.is_empty();
            return if is_same { RedrawOutcome::Same } else { RedrawOutcome::Number(field) };
        }
        generator.repair_sums(self);
        RedrawOutcome::Array
    }
}

impl<'a> Draft<'a> for ScopedDraft<'_> {
    fn begin(&mut self, generator: &mut InstanceGenerator<'a, '_>, attempt: usize) {
        if self.outer.is_none() {
            (generator.proved_block, generator.written) = (None, None);
        }
        self.halved_budget = halve_budget(self.size_budget, attempt);
        self.more_limits.clear();
        self.slots.iter_mut().for_each(|slot| *slot = None);
        let (plan, scope) = (generator.plan, self.as_scope(generator.plan.format));
        let mut limits = generator.limit_factors(self.block, &scope, self.given_limits, self.halved_budget);
        if plan.block_plan(self.block).has_blocks {
            limits.extend(generator.count_limits(self.block, &scope, self.given_limits));
        }
        if !limits.is_empty() {
            self.more_limits = [self.given_limits, &*limits].concat();
        }
    }

    fn draw_size(&mut self, generator: &mut InstanceGenerator<'a, '_>, index: usize) -> Result<(), DrawFailure<'a>> {
        let plan = generator.plan;
        let field = plan.block_plan(self.block).sizes[index];
        let scope = self.as_scope(plan.format);
        let range = generator.remaining_range(field, &scope, self.limits())?;
        let range = generator.limit_distinct_rows(field, range, &scope);
        let size = generator.draw_size(field, range, &scope, self.halved_budget);
        let size = plan.filter_number(field, size, range);
        self.slots[plan.format.field(field).slot] = Some(Value::Int(size));
        Ok(())
    }

    fn draw_scalar(&mut self, generator: &mut InstanceGenerator<'a, '_>, index: usize) -> Result<(), DrawFailure<'a>> {
        let field = generator.plan.block_plan(self.block).other_scalars[index];
        let number = self.draw_scalar_field(generator, field)?;
        self.slots[generator.plan.format.field(field).slot] = Some(Value::Int(number));
        Ok(())
    }

    fn draw_array(&mut self, generator: &mut InstanceGenerator<'a, '_>, index: usize) -> Result<(), DrawFailure<'a>> {
        let plan = generator.plan;
        let field = plan.block_plan(self.block).arrays[index];
        let array = generator.draw_array(field, &self.as_scope(plan.format), self.limits(), self.halved_budget)?;
        self.slots[plan.format.field(field).slot] = Some(array);
        Ok(())
    }
}

impl<'a> InstanceDraft<'a> for ScopedDraft<'_> {
    fn draw_rest(&mut self, generator: &mut InstanceGenerator<'a, '_>) -> Result<(), DrawFailure<'a>> {
        // Fields that were drawn without regard to a constraint are repaired. The blocks inside come after the fields that
        // they depend on, and before the formulas that mention them.
        generator.repair_sums(self);
        generator.repair_letter_counts(self);
        generator.repair_text_properties(self);
        self.draw_child_blocks(generator)?;
        generator.repair_occurrences(self);
        self.repair_formulas(generator);
        Ok(())
    }

    fn find_violation(&self, generator: &InstanceGenerator<'a, '_>, doubt: RecheckScope) -> Option<DraftViolation<'a>> {
        let plan = generator.plan;
        let scope = self.as_scope(plan.format);
        // Edges are drawn to satisfy their graph, and redrawing one of them would not repair it. Their blocks
        // are checked again with the whole input; constraints at the level of the whole input are checked only
        // here.
        let is_constructed = |constraint: usize| {
            let constraint = &plan.format.constraints[constraint];
            constraint.rule.kind().is_constructed() && constraint.home_block != BlockId(0)
        };
        let is_in_doubt = |constraint: usize| match doubt {
            RecheckScope::All => true,
            RecheckScope::After { broken, redrawn } => constraint >= broken || plan.field_affects(redrawn, constraint),
        };
        let constraints = plan.home_constraints(self.block).iter().copied();
        let doubtful = constraints.filter(|c| is_in_doubt(*c) && plan.decide_constraint(*c, &scope) != Some(true));
        doubtful.filter(|c| !is_constructed(*c)).find_map(|constraint| {
            let (element, sides) = check_constraint(&plan.format.constraints[constraint], &scope)?;
            Some(DraftViolation { constraint, element, sides })
        })
    }

    fn redraw_field(
        &mut self,
        generator: &mut InstanceGenerator<'a, '_>,
        broken: &DraftViolation<'a>,
    ) -> RedrawOutcome {
        let plan = generator.plan;
        generator.invalidate_proof();
        let comparison = plan.format.constraints[broken.constraint].rule.comparison();
        let outcome = match broken.element.zip(comparison) {
            Some((element, comparison)) if self.redraw_element(generator, comparison, element) => RedrawOutcome::Array,
            _ => match generator.choices.pick_item(plan.redrawable_fields(broken.constraint)) {
                Some(field) => self.redraw_any_field(generator, *field),
                None => RedrawOutcome::Nothing,
            },
        };
        if matches!(outcome, RedrawOutcome::Number(_) | RedrawOutcome::Array) {
            generator.repair_letter_counts(self);
            generator.repair_text_properties(self);
        }
        outcome
    }

    fn can_change(&mut self, generator: &InstanceGenerator<'a, '_>, constraint: usize) -> bool {
        let format = generator.plan.format;
        generator.plan.redrawable_fields(constraint).iter().any(|field| {
            let slot = format.field(*field).slot;
            let before = self.slots[slot].take();
            let range = generator.remaining_range(*field, &self.as_scope(format), self.limits());
            self.slots[slot] = before;
            range.is_ok_and(|range| range.lo < range.hi) || !format.field(*field).is_scalar()
        })
    }

    fn count_nodes(&self) -> usize {
        self.slots.iter().flatten().map(Value::node_count).sum()
    }
}

/// Returns the values of slots that were all drawn.
#[expect(clippy::expect_used, reason = "an instance is complete once each item of its block was drawn")]
fn complete_slots(slots: PartialSlots) -> Vec<Value> {
    slots.into_iter().map(|slot| slot.expect("each slot was drawn")).collect()
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

impl<'a> InstanceGenerator<'a, '_> {
    /// Draws an instance that satisfies the constraints of its block and these limits, of about `size_budget`
    /// elements at most.
    pub(super) fn draw_instance(
        &mut self,
        block: BlockId,
        outer: Option<&ValueScope<'_>>,
        limits: &[Comparison],
        size_budget: usize,
    ) -> Result<Vec<Value>, super::GenerationError> {
        let mut draft = ScopedDraft::new(self.plan.format, block, outer, limits, size_budget);
        self.draw_into(block, &mut draft)?;
        Ok(draft.into_instance())
    }
}
