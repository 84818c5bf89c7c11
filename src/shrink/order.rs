//! The total order in which "smallest" is meant.
//!
//! First the number of elements: numbers and characters, counts included. Then the sum of the distances of all of
//! them from the simplest that the format allows: for a number the one nearest to zero in its stated range, for a
//! character the first letter of its `over`. Then the distances one by one in the order of the input, a negative
//! number after the positive one of the same distance.

use crate::format::{BlockId, FieldId, Format, Item, Token};
use crate::value::Value;
use std::cmp::Ordering;

/// How large a value is; measures compare as the values do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    /// Numbers and characters.
    pub elements: usize,
    /// The sum of all distances from the simplest.
    pub distance: u128,
    /// Distance and sign of each, in the order of the input.
    each: Vec<(u128, bool)>,
}

impl Measure {
    /// The measure of a value.
    pub fn of(format: &Format, value: &Value) -> Measure {
        let mut measure = Measure { elements: 0, distance: 0, each: Vec::new() };
        each_leaf(format, value, &mut |_, field, leaf| measure.add(format, field, leaf));
        measure
    }

    fn add(&mut self, format: &Format, field: FieldId, leaf: &Value) {
        match leaf {
            Value::Int(number) => self.number(format, field, *number),
            Value::Ints(numbers) => numbers.iter().for_each(|n| self.number(format, field, *n)),
            Value::Text(text) => {
                let letters = format.field(field).letters().unwrap_or_default();
                for letter in text {
                    let rank = letters.iter().position(|l| l == letter).unwrap_or(0);
                    self.push(rank as u128, false);
                }
            }
            Value::List(_) | Value::Block(_) => {}
        }
    }

    fn number(&mut self, format: &Format, field: FieldId, number: i128) {
        let simplest = format.field(field).range.simplest();
        self.push(number.abs_diff(simplest), number < simplest);
    }

    fn push(&mut self, distance: u128, below: bool) {
        self.elements += 1;
        self.distance = self.distance.saturating_add(distance);
        self.each.push((distance, below));
    }
}

/// Whether one value is smaller than another.
pub(super) fn smaller(a: &Measure, b: &Measure) -> bool {
    a.cmp(b) == Ordering::Less
}

/// Calls `visit` with the path, the field and the value of each leaf, in the order of the input.
pub(super) fn each_leaf(format: &Format, root: &Value, visit: &mut dyn FnMut(&[usize], FieldId, &Value)) {
    in_block(format, BlockId(0), root, &mut Vec::new(), visit);
}

fn in_block(
    format: &Format,
    block: BlockId,
    instance: &Value,
    path: &mut Vec<usize>,
    visit: &mut dyn FnMut(&[usize], FieldId, &Value),
) {
    for item in &format.block(block).items {
        match item {
            Item::Line(parts) => {
                for part in parts {
                    if let Token::Field(field) = &part.token {
                        in_field(format, *field, instance, path, visit);
                    }
                }
            }
            Item::Rows(field) => in_field(format, *field, instance, path, visit),
            Item::Block(child) => in_list(format, *child, instance, path, visit),
            Item::Either(children) => children.iter().for_each(|c| in_list(format, *c, instance, path, visit)),
        }
    }
}

fn in_list(
    format: &Format,
    child: BlockId,
    holder: &Value,
    path: &mut Vec<usize>,
    visit: &mut dyn FnMut(&[usize], FieldId, &Value),
) {
    let slot = format.block(child).slot;
    let list = holder.slots().get(slot).map_or(&[][..], Value::as_list);
    path.push(slot);
    for (i, inner) in list.iter().enumerate() {
        path.push(i);
        in_block(format, child, inner, path, visit);
        path.pop();
    }
    path.pop();
}

fn in_field(
    format: &Format,
    field: FieldId,
    instance: &Value,
    path: &mut Vec<usize>,
    visit: &mut dyn FnMut(&[usize], FieldId, &Value),
) {
    let slot = format.field(field).slot;
    let Some(value) = instance.slots().get(slot) else { return };
    path.push(slot);
    in_rows(field, value, path, visit);
    path.pop();
}

fn in_rows(field: FieldId, value: &Value, path: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize], FieldId, &Value)) {
    let Value::List(rows) = value else { return visit(path, field, value) };
    for (i, row) in rows.iter().enumerate() {
        path.push(i);
        in_rows(field, row, path, visit);
        path.pop();
    }
}
