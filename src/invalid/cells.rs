//! The places of a value that can be changed one by one.

use crate::format::{BlockId, FieldId, Format};
use crate::value::{Value, each_instance};

/// A number, or a whole row of numbers or characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The field it belongs to.
    pub(super) field: FieldId,
    /// Where its leaf is.
    pub(super) path: Vec<usize>,
    /// Which of a leaf's numbers or characters.
    pub(super) index: Option<usize>,
}

/// All single numbers and characters of some fields, in the order of the input.
pub(super) fn cells(format: &Format, value: &Value, wanted: &dyn Fn(FieldId) -> bool) -> Vec<Cell> {
    let mut found = Vec::new();
    for leaf in leaves(format, value, wanted) {
        let count = match value.at(&leaf.path) {
            Some(Value::Ints(numbers)) => numbers.len(),
            Some(Value::Text(letters)) => letters.len(),
            Some(Value::Int(_)) => {
                found.push(leaf);
                continue;
            }
            _ => 0,
        };
        found.extend((0..count).map(|i| Cell { index: Some(i), ..leaf.clone() }));
    }
    found
}

/// All leaves of some fields: numbers, rows of numbers, texts.
pub(super) fn leaves(format: &Format, value: &Value, wanted: &dyn Fn(FieldId) -> bool) -> Vec<Cell> {
    let mut found = Vec::new();
    for block in (0..format.blocks.len()).map(BlockId) {
        each_instance(format, value, block, &mut |path, instance| {
            for field in format.fields_of(block).filter(|f| wanted(*f)) {
                let slot = format.field(field).slot;
                let mut path = [path, &[slot]].concat();
                if let Some(value) = instance.get(slot) {
                    rows(field, value, &mut path, &mut found);
                }
            }
        });
    }
    found
}

fn rows(field: FieldId, value: &Value, path: &mut Vec<usize>, found: &mut Vec<Cell>) {
    let Value::List(parts) = value else {
        found.push(Cell { field, path: path.clone(), index: None });
        return;
    };
    for (i, part) in parts.iter().enumerate() {
        path.push(i);
        rows(field, part, path, found);
        path.pop();
    }
}

/// The number in a cell, or the code of its character.
pub(super) fn get(value: &Value, cell: &Cell) -> Option<i128> {
    match (value.at(&cell.path)?, cell.index) {
        (Value::Int(number), None) => Some(*number),
        (Value::Ints(numbers), Some(i)) => numbers.get(i).copied(),
        (Value::Text(letters), Some(i)) => letters.get(i).map(|l| i128::from(*l)),
        _ => None,
    }
}

/// The same value with another number or character in a cell.
pub(super) fn with(value: &Value, cell: &Cell, number: i128) -> Option<Value> {
    let mut changed = value.clone();
    match (changed.at_mut(&cell.path)?, cell.index) {
        (Value::Int(place), None) => *place = number,
        (Value::Ints(numbers), Some(i)) => *numbers.get_mut(i)? = number,
        (Value::Text(letters), Some(i)) => *letters.get_mut(i)? = u8::try_from(number).ok()?,
        _ => return None,
    }
    Some(changed)
}
