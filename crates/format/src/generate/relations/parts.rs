//! The parts of instances that others can be related to.

use crate::language::{BlockId, BlockKind, FieldId, Format};
use crate::value::{FewItems, InstanceSlots, TextBytes, Value, ValueScope};
use rebut_generators::Choices;
use std::ops::RangeInclusive;

/// Returns numbers to compute others from: the single numbers of an instance and of those around it, and of each array, text
/// and repetition some elements, the length or the total.
pub(super) fn known_numbers(scope: &ValueScope<'_>, slots: &[Value], choices: &mut Choices) -> FewItems<i128> {
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

fn push_array_numbers(numbers: &[i128], choices: &mut Choices, known: &mut FewItems<i128>) {
    let total = numbers.iter().try_fold(0_i128, |sum, number| sum.checked_add(*number));
    let ends = [numbers.iter().min().copied(), numbers.iter().max().copied()];
    let some = [choices.pick_item(numbers).copied(), choices.pick_item(numbers).copied()];
    known.extend([total].into_iter().chain(ends).chain(some).flatten());
}

/// Returns the single numbers of an instance and of those around it.
pub(super) fn numbers_in_scopes(scope: &ValueScope<'_>) -> FewItems<i128> {
    let mut numbers = FewItems::new();
    for scope in std::iter::successors(Some(scope), |scope| scope.outer) {
        known_slots(scope).iter().filter_map(Value::as_int).for_each(|number| numbers.push(number));
    }
    numbers
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
pub(super) fn texts_in<'v>(scope: &ValueScope<'v>) -> FewItems<&'v TextBytes> {
    fn collect<'v>(values: &'v [Value], found: &mut FewItems<&'v TextBytes>) {
        for value in values {
            match value {
                Value::Text(text) => found.push(text),
                Value::List(rows) => collect(rows, found),
                _ => {}
            }
        }
    }
    let mut found = FewItems::new();
    for scope in std::iter::successors(Some(scope), |scope| scope.outer) {
        collect(known_slots(scope), &mut found);
    }
    found
}

// Texts that a hash in a submission does not tell apart.

/// The place of a text in an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TextPlace {
    field: FieldId,
    /// The slot of its field, or of the block with its field.
    slot: usize,
    /// The instance of the block, and the slot in it.
    inside: Option<(usize, usize)>,
    /// The row of an array of texts.
    row: Option<usize>,
}

impl TextPlace {
    fn text_in<'v>(&self, slots: &'v mut [Value]) -> Option<&'v mut TextBytes> {
        let value = match (slots.get_mut(self.slot)?, self.inside, self.row) {
            (Value::Instances(list), Some((at, slot)), _) => list.get_mut(at)?.get_mut(slot)?,
            (Value::List(rows), None, Some(row)) => rows.get_mut(row)?,
            (value, _, _) => value,
        };
        if let Value::Text(text) = value { Some(text) } else { None }
    }
}

/// Puts two texts with the same hash into two texts of an instance that are equal otherwise, or into the halves of one
/// text. Returns the slots, or `None` if the texts have no room for them.
pub(super) fn collide_texts(
    format: &Format,
    block: BlockId,
    slots: &[Value],
    [one, other]: &[Vec<u8>; 2],
    choices: &mut Choices,
) -> Option<Vec<Value>> {
    let places = text_places(format, block, slots);
    let (first, second) = (*choices.pick_item(&places)?, *choices.pick_item(&places)?);
    let mut changed = slots.to_vec();
    let text = first.text_in(&mut changed)?;
    if first == second {
        *text = collide_halves(format, first.field, text, [one, other], choices)?.into();
        return Some(changed);
    }
    let mut with_other = overwrite_part(format, first.field, text, one, choices)?;
    *text = with_other.clone().into();
    let at = with_other.windows(one.len()).position(|window| window == one)?;
    with_other[at..at + other.len()].copy_from_slice(other);
    let text = second.text_in(&mut changed)?;
    let is_possible = possible_lengths(format, second.field, text).contains(&with_other.len())
        && has_letters(format, second.field, &with_other);
    *text = is_possible.then_some(with_other)?.into();
    Some(changed)
}

/// Returns a text of two halves that are equal but for two texts with the same hash, so that longer parts around them have
/// the same hash, too. A text that is too short for that becomes the two texts, if its length is free.
fn collide_halves(
    format: &Format,
    field: FieldId,
    text: &TextBytes,
    [one, other]: [&[u8]; 2],
    choices: &mut Choices,
) -> Option<Vec<u8>> {
    let half = text.len() / 2;
    if half < one.len() {
        return overwrite_part(format, field, text, &[one, other].concat(), choices);
    }
    if !has_letters(format, field, one) || !has_letters(format, field, other) {
        return None;
    }
    let mut changed = text.to_vec();
    changed.copy_within(..half, half);
    let at = choices.draw_index(half - one.len() + 1);
    changed[at..at + one.len()].copy_from_slice(one);
    changed[half + at..half + at + other.len()].copy_from_slice(other);
    Some(changed)
}

/// Returns the places of all texts of an instance, and of those of its repeated lines.
fn text_places(format: &Format, block: BlockId, slots: &[Value]) -> Vec<TextPlace> {
    let texts_of =
        |block: BlockId| format.fields_in_block(block).filter(|field| format.field(*field).alphabet().is_some());
    let mut found = Vec::new();
    for field in texts_of(block) {
        let slot = format.field(field).slot;
        let place = TextPlace { field, slot, inside: None, row: None };
        match slots.get(slot) {
            Some(Value::Text(_)) => found.push(place),
            Some(Value::List(rows)) => {
                found.extend((0..rows.len()).map(|row| TextPlace { row: Some(row), ..place }));
            }
            _ => {}
        }
    }
    let children = format.block_ids().filter(|child| format.block(*child).parent == Some(block));
    for child in children.filter(|child| format.block(*child).kind == BlockKind::Repeat) {
        let slot = format.block(child).slot;
        let Some(Value::Instances(list)) = slots.get(slot) else { continue };
        for field in texts_of(child) {
            let inner = format.field(field).slot;
            found.extend((0..list.len()).map(|at| TextPlace { field, slot, inside: Some((at, inner)), row: None }));
        }
    }
    found
}

/// Returns a text with a part in place of as many of its letters, or that part alone if the text is shorter.
fn overwrite_part(
    format: &Format,
    field: FieldId,
    text: &TextBytes,
    part: &[u8],
    choices: &mut Choices,
) -> Option<Vec<u8>> {
    if !has_letters(format, field, part) {
        return None;
    }
    if text.len() < part.len() {
        return possible_lengths(format, field, text).contains(&part.len()).then(|| part.to_vec());
    }
    let at = choices.draw_index(text.len() - part.len() + 1);
    let mut changed = text.to_vec();
    changed[at..at + part.len()].copy_from_slice(part);
    Some(changed)
}

fn has_letters(format: &Format, field: FieldId, text: &[u8]) -> bool {
    format.field(field).alphabet().is_some_and(|letters| text.iter().all(|letter| letters.contains(letter)))
}

fn possible_lengths(format: &Format, field: FieldId, text: &TextBytes) -> RangeInclusive<usize> {
    let info = format.field(field);
    if !info.has_free_length() {
        return text.len()..=text.len();
    }
    let bound = |number: i128| usize::try_from(number).unwrap_or(usize::MAX);
    bound(info.length.lo.max(0))..=bound(info.length.hi)
}
