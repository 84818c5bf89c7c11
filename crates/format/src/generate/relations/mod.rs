//! Relations between the parts of an input: one part is a copy of another, or computed from it.
//!
//! Fields are drawn independently of each other, as far as the constraints allow it. But people break submissions with a
//! text that almost occurs in another one, with a quotient that is exact, with a permutation of the array above, and with
//! operations that undo earlier ones. So some inputs are changed after they were drawn: a part is replaced by one that is
//! related to others, and each change is kept only if the constraints still hold.

mod parts;
mod relation_plan;
mod rows;
#[cfg(test)]
mod tests;

use super::GenerationPlan;
use crate::language::{BlockId, BlockKind, Constraint, FieldId, Format};
use crate::print::print_value;
use crate::read::read_input;
use crate::validate::{
    check_complete_constraint, check_constraint, find_violation, find_violation_except, is_instance_valid,
    is_scope_valid,
};
use crate::value::{InstanceList, InstanceSlots, TextBytes, Value, ValuePath, ValueScope, instances_in_holder};
use parts::{arrays_in, collide_texts, known_numbers, numbers_in_scopes, texts_in};
use rebut_generators::Choices;
use relation_plan::Part;
pub(super) use relation_plan::RelationPlan;
use rows::{RowsToRelate, TextRequirements, relate_array, relate_number, relate_rows, relate_text};

/// Number of changes that are tried for each one that is wanted.
const TRIES_PER_CHANGE: usize = 6;

/// Maximum number of cases of an input with related parts, since relating takes longer than drawing.
const MAX_RELATED_CASES: usize = 256;

/// Another value for a part of an instance.
struct Replacement {
    slot: usize,
    value: Value,
    relation: &'static str,
}

/// Relates parts of a valid input in place: of each of its cases, if there are several. Some texts get a pair of the
/// colliding ones. Returns the relation that reports name the input after, or `None` if no change is valid.
pub(super) fn relate_parts(
    plan: &GenerationPlan<'_>,
    value: &mut Value,
    choices: &mut Choices,
    colliding_texts: &[[Vec<u8>; 2]],
) -> Option<&'static str> {
    let relations = &plan.relations;
    // Longer texts can exceed a total over all cases, so they are not made longer at the second attempt.
    [false, true].into_iter().find_map(|keeps_lengths| {
        let mut relator = Relator { plan, relations, choices, keeps_lengths, colliding_texts, originals: Vec::new() };
        let relation = relator.relate_input(value);
        if relation.is_none() || is_valid_input(plan, relations, value) {
            return relation;
        }
        for (path, original) in relator.originals {
            if let Some(changed) = value.instance_at_mut(&path) {
                changed.clone_from_slice(&original);
            }
        }
        None
    })
}

/// Returns true if a value whose instances are valid is valid as a whole, and is read again as it is: a changed number may
/// have decided what follows it.
fn is_valid_input(plan: &GenerationPlan<'_>, relations: &RelationPlan, value: &Value) -> bool {
    let format = plan.format;
    let is_read = || read_input(format, &print_value(format, value)).is_ok_and(|read| read == *value);
    let is_valid = match several_cases(format, value) {
        // The whole input was checked after each change.
        None => true,
        Some((cases, _)) => {
            let is_settled = |at: usize, constraint: &Constraint| {
                format.is_within(constraint.home_block, cases) && relations.is_settled(at)
            };
            let left = format.constraints.iter().enumerate().filter(|(at, constraint)| !is_settled(*at, constraint));
            let left: Vec<&Constraint> = left.map(|(_, constraint)| constraint).collect();
            find_violation_except(format, value, &|c| !left.iter().any(|left| std::ptr::eq(*left, c))).is_none()
        }
    };
    debug_assert!(
        !is_valid || find_violation(format, value).is_none() && (relations.needs_reading || is_read()),
        "{value:?} is not valid"
    );
    is_valid && (!relations.needs_reading || is_read())
}

fn several_cases<'v>(format: &Format, value: &'v Value) -> Option<(BlockId, &'v InstanceList)> {
    let block = format.cases_block()?;
    let list = instances_in_holder(format, block, value.root_slots());
    (list.len() > 1).then_some((block, list))
}

/// Replaces parts of instances by related ones.
struct Relator<'r, 'a> {
    plan: &'r GenerationPlan<'a>,
    relations: &'r RelationPlan,
    choices: &'r mut Choices,
    /// Whether texts must not become longer.
    keeps_lengths: bool,
    /// Pairs of texts with the same hash.
    colliding_texts: &'r [[Vec<u8>; 2]],
    /// The changed instances as they were, with their paths.
    originals: Vec<(ValuePath, Vec<Value>)>,
}

impl Relator<'_, '_> {
    fn relate_input(&mut self, value: &mut Value) -> Option<&'static str> {
        let format = self.plan.format;
        let cases = several_cases(format, value).map(|(block, list)| (block, list.len()));
        let Value::Block(slots) = value else { return None };
        let Some((block, count)) = cases else {
            return self.relate_instance(BlockId(0), slots, None, ValuePath::new());
        };
        let slot = format.block(block).slot;
        let mut list =
            std::mem::replace(&mut slots[slot], Value::Instances(InstanceList::new(format.block(block).slots)));
        let (scope, mut relation) = (ValueScope::new(format, BlockId(0), InstanceSlots::Known(slots), None), None);
        for at in (0..count).step_by(count.div_ceil(MAX_RELATED_CASES)) {
            let Some(case) = list.instance_at_mut(&[at]) else { break };
            relation = relation.or(self.relate_instance(block, case, Some(&scope), ValuePath::from_slice(&[slot, at])));
        }
        slots[slot] = list;
        relation
    }

    /// Relates some parts of an instance in place. Returns the first relation, or `None` if nothing changed.
    fn relate_instance(
        &mut self,
        block: BlockId,
        slots: &mut [Value],
        outer: Option<&ValueScope<'_>>,
        path: ValuePath,
    ) -> Option<&'static str> {
        let (original, mut relation) = (slots.to_vec(), None);
        let changes = 1 + self.choices.draw_weighted(&[3, 2, 1]);
        for _ in 0..changes {
            let changed = (0..TRIES_PER_CHANGE).find_map(|_| self.change_instance(block, slots, outer));
            relation = relation.or(changed);
        }
        // One change may have undone another.
        let relation = relation.filter(|_| slots != original)?;
        self.originals.push((path, original));
        Some(relation)
    }

    /// Changes one part of an instance in place. Returns the relation, or `None` if that is no change or not valid.
    fn change_instance(
        &mut self,
        block: BlockId,
        slots: &mut [Value],
        outer: Option<&ValueScope<'_>>,
    ) -> Option<&'static str> {
        if let Some((changed, relation)) = self.collide_parts(block, slots) {
            let is_valid = is_instance_valid_within(self.plan, block, &changed, outer);
            if is_valid {
                slots.clone_from_slice(&changed);
            }
            return is_valid.then_some(relation);
        }
        let scope = ValueScope::new(self.plan.format, block, InstanceSlots::Known(slots), outer);
        let Replacement { slot, value, relation } = self.relate_part(&scope, slots)?;
        if slots[slot] == value {
            return None;
        }
        let before = std::mem::replace(&mut slots[slot], value);
        let scope = ValueScope::new(self.plan.format, block, InstanceSlots::Known(slots), outer);
        let is_valid = match self.relations.checks_of_slot(block, slot) {
            Some(checks) => checks.iter().all(|check| self.holds(*check, &scope)),
            None => is_instance_valid_within(self.plan, block, slots, outer),
        };
        if !is_valid {
            slots[slot] = before;
        }
        is_valid.then_some(relation)
    }

    /// Returns true if a constraint holds for an instance, as [`is_instance_valid_within`] understands it.
    fn holds(&self, constraint: usize, scope: &ValueScope<'_>) -> bool {
        self.plan.decide_constraint(constraint, scope).unwrap_or_else(|| {
            let check = if scope.outer.is_some() { check_constraint } else { check_complete_constraint };
            check(&self.plan.format.constraints[constraint], scope).is_none()
        })
    }

    /// Now and then puts two texts with the same hash into the texts of an instance.
    fn collide_parts(&mut self, block: BlockId, slots: &[Value]) -> Option<(Vec<Value>, &'static str)> {
        if self.colliding_texts.is_empty() || !self.choices.draw_chance(1, 4) {
            return None;
        }
        let pair = self.choices.pick_item(self.colliding_texts)?;
        let changed = collide_texts(self.plan.format, block, slots, pair, self.choices)?;
        Some((changed, "same-hash"))
    }

    /// Returns another value for a random part of an instance with these slots.
    fn relate_part(&mut self, scope: &ValueScope<'_>, slots: &[Value]) -> Option<Replacement> {
        match self.relations.pick_part(scope.block, self.choices)? {
            Part::Number(field) => self.relate_number_field(field, scope, slots),
            Part::Array(field) => self.relate_array_field(field, scope, slots),
            Part::Text(field) => self.relate_text_field(field, scope, slots),
            Part::Instances(child) => self.relate_instances(child, scope, slots),
        }
    }

    fn relate_number_field(&mut self, field: FieldId, scope: &ValueScope<'_>, slots: &[Value]) -> Option<Replacement> {
        let info = self.plan.format.field(field);
        let mut known = known_numbers(scope, slots, self.choices);
        // The number itself is no other one, but one that equals it is.
        let own = slots[info.slot].as_int()?;
        let own = known.iter().position(|number| *number == own)?;
        known.swap_remove(own);
        let number = relate_number(self.choices, info.range, &known)?;
        Some(Replacement { slot: info.slot, value: Value::Int(number), relation: "related-numbers" })
    }

    fn relate_array_field(&mut self, field: FieldId, scope: &ValueScope<'_>, slots: &[Value]) -> Option<Replacement> {
        let info = self.plan.format.field(field);
        let known = known_numbers(scope, slots, self.choices);
        let source = *self.choices.pick_item(&arrays_in(slots))?;
        let mut value = slots[info.slot].clone();
        let Value::Ints(numbers) = pick_row(&mut value, self.choices)? else { return None };
        *numbers = relate_array(self.choices, numbers, source, info.range, &known)?;
        Some(Replacement { slot: info.slot, value, relation: "related-arrays" })
    }

    fn relate_text_field(&mut self, field: FieldId, scope: &ValueScope<'_>, slots: &[Value]) -> Option<Replacement> {
        let info = self.plan.format.field(field);
        let source = *self.choices.pick_item(&texts_in(scope))?;
        let letters = (info.alphabet()?, self.relations.field_letters(field));
        let requirements = |text: &TextBytes| TextRequirements {
            letters,
            length: if !info.has_free_length() {
                text.len()..=text.len()
            } else if self.keeps_lengths {
                0..=text.len()
            } else {
                0..=usize::try_from(info.length.hi).unwrap_or(usize::MAX)
            },
        };
        let value = match &slots[info.slot] {
            Value::Text(text) => Value::Text(relate_text(self.choices, text, source, &requirements(text))?),
            rows => {
                let mut rows = rows.clone();
                let Value::Text(text) = pick_row(&mut rows, self.choices)? else { return None };
                *text = relate_text(self.choices, text, source, &requirements(text))?;
                rows
            }
        };
        Some(Replacement { slot: info.slot, value, relation: "related-texts" })
    }

    fn relate_instances(&mut self, child: BlockId, scope: &ValueScope<'_>, slots: &[Value]) -> Option<Replacement> {
        let format = self.plan.format;
        let slot = format.block(child).slot;
        let Value::Instances(mut list) = slots[slot].clone() else { return None };
        let at = self.choices.draw_index(list.len());
        let is_repetition = format.block(child).kind == BlockKind::Repeat && list.len() > 1;
        if !is_repetition || self.choices.draw_chance(1, 5) {
            let relation = self.change_instance(child, list.get_mut(at)?, Some(scope))?;
            return Some(Replacement { slot, value: Value::Instances(list), relation });
        }
        let rows = RowsToRelate {
            format,
            block: child,
            numbers: self.relations.single_numbers(child),
            known: numbers_in_scopes(scope),
            holder: scope,
        };
        let is_related = relate_rows(&rows, &mut list, self.choices);
        is_related.then_some(Replacement { slot, value: Value::Instances(list), relation: "related-rows" })
    }
}

/// Returns a row of a field of several dimensions, or the field itself.
fn pick_row<'v>(value: &'v mut Value, choices: &mut Choices) -> Option<&'v mut Value> {
    match value {
        Value::List(rows) => {
            let at = choices.draw_index(rows.len());
            pick_row(rows.get_mut(at)?, choices)
        }
        row => Some(row),
    }
}

/// Returns true if an instance with these slots is valid; without an outer scope, it is the whole input.
fn is_instance_valid_within(
    plan: &GenerationPlan<'_>,
    block: BlockId,
    slots: &[Value],
    outer: Option<&ValueScope<'_>>,
) -> bool {
    match outer {
        Some(outer) => is_instance_valid(plan.format, block, slots, outer),
        None => is_scope_valid(&ValueScope::new(plan.format, block, InstanceSlots::Known(slots), None)),
    }
}
