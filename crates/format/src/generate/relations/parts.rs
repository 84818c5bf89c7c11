//! The parts of instances that can be replaced, and those that they can be related to.

use super::Part;
use crate::generate::GenerationPlan;
use crate::language::{BlockId, FieldId};
use crate::value::{InstanceSlots, TextBytes, Value, ValueScope};
use rebut_generators::Choices;

/// The parts of an instance of a block that can be replaced by related ones.
pub(super) struct BlockParts {
    parts: Vec<Part>,
}

impl BlockParts {
    /// Returns the parts of each block. Sizes, and numbers in conditions, decide the layout and stay as they are.
    pub(super) fn of_format(plan: &GenerationPlan<'_>) -> Vec<BlockParts> {
        let format = plan.format;
        let decides_layout =
            |field: FieldId| plan.is_size(field) || format.blocks.iter().any(|block| block.count.mentions_field(field));
        let mut blocks: Vec<BlockParts> = format.blocks.iter().map(|_| BlockParts { parts: Vec::new() }).collect();
        for (field, info) in (0..).map(FieldId).zip(&format.fields) {
            let part = match (info.alphabet().is_some(), info.is_scalar()) {
                (true, _) => Part::Text(field),
                (false, true) if decides_layout(field) => continue,
                (false, true) => Part::Number(field),
                (false, false) => Part::Array(field),
            };
            blocks[info.block.0].parts.push(part);
        }
        for (child, info) in (0..).map(BlockId).zip(&format.blocks) {
            if let Some(parent) = info.parent {
                blocks[parent.0].parts.push(Part::Instances(child));
            }
        }
        blocks
    }

    /// Returns a random part.
    pub(super) fn pick_part(&self, choices: &mut Choices) -> Option<Part> {
        choices.pick_item(&self.parts).copied()
    }

    /// Returns the single numbers.
    pub(super) fn numbers(&self) -> Vec<FieldId> {
        let number = |part: &Part| if let Part::Number(field) = part { Some(*field) } else { None };
        self.parts.iter().filter_map(number).collect()
    }
}

/// Returns numbers to compute others from: the single numbers of an instance and of those around it, and of each array, text
/// and repetition some elements, the length or the total.
pub(super) fn known_numbers(scope: &ValueScope<'_>, slots: &[Value], choices: &mut Choices) -> Vec<i128> {
    let mut known = numbers_in_scopes(scope);
    for slot in slots {
        match slot {
            Value::Int(_) | Value::Block(_) => {}
            Value::Ints(numbers) => push_array_numbers(numbers, choices, &mut known),
            Value::Text(text) => known.push(text.len() as i128),
            Value::List(rows) => match choices.pick_item(rows) {
                Some(Value::Ints(numbers)) => push_array_numbers(numbers, choices, &mut known),
                Some(Value::Text(text)) => known.push(text.len() as i128),
                _ => {}
            },
            Value::Instances(list) => {
                let at = choices.draw_index(list.len());
                known.extend(list.get(at).into_iter().flatten().filter_map(Value::as_int));
            }
        }
    }
    known
}

fn push_array_numbers(numbers: &[i128], choices: &mut Choices, known: &mut Vec<i128>) {
    let total = numbers.iter().try_fold(0_i128, |sum, number| sum.checked_add(*number));
    let ends = [numbers.iter().min().copied(), numbers.iter().max().copied()];
    let some = [choices.pick_item(numbers).copied(), choices.pick_item(numbers).copied()];
    known.extend([total].into_iter().chain(ends).chain(some).flatten());
}

/// Returns the single numbers of an instance and of those around it.
pub(super) fn numbers_in_scopes(scope: &ValueScope<'_>) -> Vec<i128> {
    let scopes = std::iter::successors(Some(scope), |scope| scope.outer);
    scopes.flat_map(|scope| known_slots(scope).iter().filter_map(Value::as_int)).collect()
}

/// Returns the slots of a complete instance.
fn known_slots<'v>(scope: &ValueScope<'v>) -> &'v [Value] {
    match scope.slots {
        InstanceSlots::Known(slots) => slots,
        InstanceSlots::Partial(_) => &[],
    }
}

/// Returns the arrays of numbers of an instance, and the rows of those with several dimensions.
pub(super) fn arrays_in(slots: &[Value]) -> Vec<&[i128]> {
    fn collect<'v>(value: &'v Value, found: &mut Vec<&'v [i128]>) {
        match value {
            Value::Ints(numbers) => found.push(numbers),
            Value::List(rows) => rows.iter().for_each(|row| collect(row, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    slots.iter().for_each(|slot| collect(slot, &mut found));
    found
}

/// Returns the texts of an instance and of those around it.
pub(super) fn texts_in<'v>(scope: &ValueScope<'v>) -> Vec<&'v TextBytes> {
    fn collect<'v>(value: &'v Value, found: &mut Vec<&'v TextBytes>) {
        match value {
            Value::Text(text) => found.push(text),
            Value::List(rows) => rows.iter().for_each(|row| collect(row, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for scope in std::iter::successors(Some(scope), |scope| scope.outer) {
        known_slots(scope).iter().for_each(|slot| collect(slot, &mut found));
    }
    found
}
