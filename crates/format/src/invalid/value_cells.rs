//! The parts of a value that can be changed one by one.

use crate::language::{BlockId, FieldId, Format};
use crate::value::{Value, visit_instances};

/// A number, or a whole row of numbers or characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueCell {
    /// Field of the cell.
    pub(super) field: FieldId,
    /// Path of its leaf.
    pub(super) path: Vec<usize>,
    /// Index of a number or character in the leaf.
    pub(super) index: Option<usize>,
}

/// Returns all single numbers and characters of some fields, in the order of the input.
pub(super) fn find_cells(format: &Format, value: &Value, wanted: &dyn Fn(FieldId) -> bool) -> Vec<ValueCell> {
    let mut found = Vec::new();
    for leaf in find_leaves(format, value, wanted) {
        let count = match value.value_at(&leaf.path) {
            Some(Value::Ints(numbers)) => numbers.len(),
            Some(Value::Text(letters)) => letters.len(),
            Some(Value::Int(_)) => {
                found.push(leaf);
                continue;
            }
            _ => 0,
        };
        found.extend((0..count).map(|i| ValueCell { index: Some(i), ..leaf.clone() }));
    }
    found
}

/// Returns all leaves of some fields: numbers, rows of numbers, texts.
pub(super) fn find_leaves(format: &Format, value: &Value, wanted: &dyn Fn(FieldId) -> bool) -> Vec<ValueCell> {
    let mut found = Vec::new();
    for block in (0..format.blocks.len()).map(BlockId) {
        visit_instances(format, value, block, &mut |path, instance| {
            for field in format.fields_in_block(block).filter(|f| wanted(*f)) {
                let slot = format.field(field).slot;
                let mut path = [path, &[slot]].concat();
                if let Some(value) = instance.get(slot) {
                    collect_leaves(field, value, &mut path, &mut found);
                }
            }
        });
    }
    found
}

fn collect_leaves(field: FieldId, value: &Value, path: &mut Vec<usize>, found: &mut Vec<ValueCell>) {
    let Value::List(parts) = value else {
        found.push(ValueCell { field, path: path.clone(), index: None });
        return;
    };
    for (i, part) in parts.iter().enumerate() {
        path.push(i);
        collect_leaves(field, part, path, found);
        path.pop();
    }
}

/// Returns the number in a cell, or the code of its character.
pub(super) fn cell_number(value: &Value, cell: &ValueCell) -> Option<i128> {
    match (value.value_at(&cell.path)?, cell.index) {
        (Value::Int(number), None) => Some(*number),
        (Value::Ints(numbers), Some(i)) => numbers.get(i).copied(),
        (Value::Text(letters), Some(i)) => letters.get(i).map(|l| i128::from(*l)),
        _ => None,
    }
}

/// Returns the value with another number or character in a cell.
pub(super) fn with_cell_number(value: &Value, cell: &ValueCell, number: i128) -> Option<Value> {
    let mut changed = value.clone();
    match (changed.value_at_mut(&cell.path)?, cell.index) {
        (Value::Int(slot), None) => *slot = number,
        (Value::Ints(numbers), Some(i)) => *numbers.get_mut(i)? = number,
        (Value::Text(letters), Some(i)) => *letters.get_mut(i)? = u8::try_from(number).ok()?,
        _ => return None,
    }
    Some(changed)
}
