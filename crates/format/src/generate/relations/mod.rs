//! Relations between the parts of an input: one part is a copy of another, or computed from it.
//!
//! Fields are drawn independently of each other, as far as the constraints allow it. But people break submissions with a
//! text that almost occurs in another one, with a quotient that is exact, with a permutation of the array above, and with
//! operations that undo earlier ones. So some inputs are changed after they were drawn: a part is replaced by one that is
//! related to others, and each change is kept only if the constraints still hold.

mod parts;
mod rows;
#[cfg(test)]
mod tests;

use super::GenerationPlan;
use crate::language::{BlockId, BlockKind, FieldId};
use crate::print::print_value;
use crate::read::read_input;
use crate::validate::{find_violation, is_instance_valid};
use crate::value::{InstanceSlots, Value, ValueScope, instances_in_holder};
use parts::{BlockParts, arrays_in, collide_texts, known_numbers, numbers_in_scopes, texts_in};
use rebut_generators::Choices;
use rows::{RowsToRelate, TextRequirements, relate_array, relate_number, relate_rows, relate_text};

/// Number of changes that are tried for each one that is wanted.
const TRIES_PER_CHANGE: usize = 6;

/// An input of which some parts are related.
pub(super) struct RelatedInput {
    pub(super) value: Value,
    /// The relation that reports name the input after.
    pub(super) relation: &'static str,
}

/// A part of an instance that can be replaced by a related one.
#[derive(Clone, Copy)]
enum Part {
    Number(FieldId),
    Array(FieldId),
    Text(FieldId),
    Instances(BlockId),
}

/// Another value for a part of an instance.
struct Replacement {
    slot: usize,
    value: Value,
    relation: &'static str,
}

/// Relates parts of a valid input: of each of its cases, if there are several. Some texts get a pair of the colliding ones.
/// Returns `None` if no change is valid.
pub(super) fn relate_parts(
    plan: &GenerationPlan<'_>,
    value: &Value,
    choices: &mut Choices,
    colliding_texts: &[[Vec<u8>; 2]],
) -> Option<RelatedInput> {
    // Longer texts can exceed a total over all cases, so they are not made longer at the second attempt.
    [false, true].into_iter().find_map(|keeps_lengths| {
        let parts = BlockParts::of_format(plan);
        let mut relator = Relator { plan, parts, choices, keeps_lengths, colliding_texts };
        relator.relate_input(value).filter(|related| is_valid_input(plan, &related.value))
    })
}

/// Returns true if a value is valid and is read again as it is: a changed number may have decided what follows it.
fn is_valid_input(plan: &GenerationPlan<'_>, value: &Value) -> bool {
    find_violation(plan.format, value).is_none()
        && read_input(plan.format, &print_value(plan.format, value)).is_ok_and(|read| read == *value)
}

/// Replaces parts of instances by related ones.
struct Relator<'r, 'a> {
    plan: &'r GenerationPlan<'a>,
    /// By block.
    parts: Vec<BlockParts>,
    choices: &'r mut Choices,
    /// Whether texts must not become longer.
    keeps_lengths: bool,
    /// Pairs of texts with the same hash.
    colliding_texts: &'r [[Vec<u8>; 2]],
}

impl Relator<'_, '_> {
    fn relate_input(&mut self, value: &Value) -> Option<RelatedInput> {
        let format = self.plan.format;
        let cases = format.cases_block().map(|block| (block, instances_in_holder(format, block, value.root_slots())));
        let Some((block, list)) = cases.filter(|(_, list)| list.len() > 1) else {
            let (slots, relation) = self.relate_instance(BlockId(0), value.root_slots(), None)?;
            return Some(RelatedInput { value: Value::Block(slots), relation });
        };
        let (scope, mut related, mut relation) = (ValueScope::for_input(format, value), list.clone(), None);
        for at in 0..list.len() {
            let case = related.get_mut(at)?;
            if let Some((slots, name)) = self.relate_instance(block, case, Some(&scope)) {
                case.clone_from_slice(&slots);
                relation.get_or_insert(name);
            }
        }
        let mut slots = value.root_slots().to_vec();
        slots[format.block(block).slot] = Value::Instances(related);
        relation.map(|relation| RelatedInput { value: Value::Block(slots), relation })
    }

    /// Relates some parts of an instance. Returns its slots and the first relation, or `None` if nothing changed.
    fn relate_instance(
        &mut self,
        block: BlockId,
        slots: &[Value],
        outer: Option<&ValueScope<'_>>,
    ) -> Option<(Vec<Value>, &'static str)> {
        let (mut current, mut relation) = (slots.to_vec(), None);
        let changes = 1 + self.choices.draw_weighted(&[3, 2, 1]);
        for _ in 0..changes {
            let changed = (0..TRIES_PER_CHANGE).find_map(|_| self.change_instance(block, &current, outer));
            let Some((slots, name)) = changed else { continue };
            current = slots;
            relation.get_or_insert(name);
        }
        // One change may have undone another.
        relation.filter(|_| current != slots).map(|relation| (current, relation))
    }

    /// Changes one part of an instance. Returns its slots and the relation, unless that is no change or not valid.
    fn change_instance(
        &mut self,
        block: BlockId,
        slots: &[Value],
        outer: Option<&ValueScope<'_>>,
    ) -> Option<(Vec<Value>, &'static str)> {
        if let Some((mut changed, relation)) = self.collide_parts(block, slots) {
            return self.is_valid(block, &mut changed, outer).then_some((changed, relation));
        }
        let scope = ValueScope::new(self.plan.format, block, InstanceSlots::Known(slots), outer);
        let replacement = self.relate_part(&scope, slots)?;
        let mut changed = slots.to_vec();
        changed[replacement.slot] = replacement.value;
        let is_valid = changed != slots && self.is_valid(block, &mut changed, outer);
        is_valid.then_some((changed, replacement.relation))
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

    fn is_valid(&self, block: BlockId, slots: &mut Vec<Value>, outer: Option<&ValueScope<'_>>) -> bool {
        if let Some(outer) = outer {
            return is_instance_valid(self.plan.format, block, slots, outer);
        }
        let value = Value::Block(std::mem::take(slots));
        let is_valid = find_violation(self.plan.format, &value).is_none();
        if let Value::Block(own) = value {
            *slots = own;
        }
        is_valid
    }

    /// Returns another value for a random part of an instance with these slots.
    fn relate_part(&mut self, scope: &ValueScope<'_>, slots: &[Value]) -> Option<Replacement> {
        match self.parts[scope.block.0].pick_part(self.choices)? {
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
        let own = known.iter().position(|number| slots[info.slot] == Value::Int(*number))?;
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
        let mut value = slots[info.slot].clone();
        let Value::Text(text) = pick_row(&mut value, self.choices)? else { return None };
        let requirements = TextRequirements {
            letters: info.alphabet()?,
            length: if !info.has_free_length() {
                text.len()..=text.len()
            } else if self.keeps_lengths {
                0..=text.len()
            } else {
                0..=usize::try_from(info.length.hi).unwrap_or(usize::MAX)
            },
        };
        *text = relate_text(self.choices, text, source, &requirements)?.into();
        Some(Replacement { slot: info.slot, value, relation: "related-texts" })
    }

    fn relate_instances(&mut self, child: BlockId, scope: &ValueScope<'_>, slots: &[Value]) -> Option<Replacement> {
        let format = self.plan.format;
        let slot = format.block(child).slot;
        let Value::Instances(mut list) = slots[slot].clone() else { return None };
        let at = self.choices.draw_index(list.len());
        let is_repetition = format.block(child).kind == BlockKind::Repeat && list.len() > 1;
        if !is_repetition || self.choices.draw_chance(1, 5) {
            let (changed, relation) = self.change_instance(child, list.get(at)?, Some(scope))?;
            list.get_mut(at)?.clone_from_slice(&changed);
            return Some(Replacement { slot, value: Value::Instances(list), relation });
        }
        let rows = RowsToRelate {
            format,
            block: child,
            numbers: self.parts[child.0].numbers(),
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
