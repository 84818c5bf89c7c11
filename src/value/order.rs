//! The total order in which "smallest" is meant.
//!
//! First the number of elements: numbers and characters, counts included. Then the sum of the distances of all of
//! them from the simplest that the format allows: for a number the one nearest to zero in its stated range, for a
//! character the first letter of its `over`. Then the distances one by one in the order of the input, a negative
//! number after the positive one of the same distance. What still is equal differs only in what no number announces:
//! at the first such difference a text that ends comes before one that goes on, a repetition that ends before one
//! that goes on, and an alternative before those below it.

use super::{Value, instances_in};
use crate::format::{BlockId, Count, Dimension, FieldId, Format, Item, Token};

/// How large a value is; measures compare as the values do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    /// Numbers and characters.
    pub elements: usize,
    /// The sum of all distances from the simplest.
    pub distance: u128,
    /// Distance and sign of each, in the order of the input.
    each: Vec<(u128, bool)>,
    /// What no number announces, in the order of the input: lengths, whether a repetition goes on, alternatives.
    form: Vec<usize>,
}

impl Measure {
    /// The measure of a value.
    pub fn of(format: &Format, value: &Value) -> Measure {
        let mut measure = Measure { elements: 0, distance: 0, each: Vec::new(), form: Vec::new() };
        each_leaf(format, value, &mut |_, field, leaf| measure.add(format, field, leaf));
        if has_form(format) {
            form_of_block(format, BlockId(0), value.slots(), &mut measure.form);
        }
        measure
    }

    #[expect(
        clippy::expect_used,
        reason = "a value of a format holds no other letters: reading refuses them and nothing else makes them"
    )]
    fn add(&mut self, format: &Format, field: FieldId, leaf: &Value) {
        match leaf {
            Value::Int(number) => self.number(format, field, *number),
            Value::Ints(numbers) => numbers.iter().for_each(|n| self.number(format, field, *n)),
            Value::Text(text) => {
                let letters = format.field(field).letters().expect("only a field of letters has a text");
                for letter in text {
                    let rank = letters.iter().position(|l| l == letter).expect("the letters of a text are its field's");
                    self.push(rank as u128, false);
                }
            }
            Value::List(_) | Value::Instances(_) | Value::Block(_) => {}
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

/// Whether inputs can differ in what no number announces.
fn has_form(format: &Format) -> bool {
    format.is_open() || format.fields.iter().any(|f| f.dimensions.last() == Some(&Dimension::Free))
}

fn form_of_block(format: &Format, block: BlockId, instance: &[Value], form: &mut Vec<usize>) {
    for item in &format.block(block).items {
        match item {
            Item::Line(parts) => {
                for part in parts {
                    if let Token::Field(field) = &part.token {
                        form_of_field(format, *field, instance, form);
                    }
                }
            }
            Item::Rows(field) => form_of_field(format, *field, instance, form),
            Item::Block(child) => {
                let open = matches!(format.block(*child).count, Count::Until { .. });
                for inner in instances_in(format, *child, instance) {
                    form.extend(open.then_some(1));
                    form_of_block(format, *child, inner, form);
                }
                form.extend(open.then_some(0));
            }
            Item::Either(children) => {
                for (i, child) in children.iter().enumerate() {
                    for inner in instances_in(format, *child, instance) {
                        form.push(i);
                        form_of_block(format, *child, inner, form);
                    }
                }
            }
        }
    }
}

fn form_of_field(format: &Format, field: FieldId, instance: &[Value], form: &mut Vec<usize>) {
    let info = format.field(field);
    if info.dimensions.last() == Some(&Dimension::Free)
        && let Some(value) = instance.get(info.slot)
    {
        in_rows(field, value, &mut Vec::new(), &mut |_, _, row| form.push(row.elements()));
    }
}

/// Calls `visit` with the path, the field and the value of each leaf, in the order of the input.
pub fn each_leaf(format: &Format, root: &Value, visit: &mut dyn FnMut(&[usize], FieldId, &Value)) {
    in_block(format, BlockId(0), root.slots(), &mut Vec::new(), visit);
}

fn in_block(
    format: &Format,
    block: BlockId,
    instance: &[Value],
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
    holder: &[Value],
    path: &mut Vec<usize>,
    visit: &mut dyn FnMut(&[usize], FieldId, &Value),
) {
    path.push(format.block(child).slot);
    for (i, inner) in instances_in(format, child, holder).iter().enumerate() {
        path.push(i);
        in_block(format, child, inner, path, visit);
        path.pop();
    }
    path.pop();
}

fn in_field(
    format: &Format,
    field: FieldId,
    instance: &[Value],
    path: &mut Vec<usize>,
    visit: &mut dyn FnMut(&[usize], FieldId, &Value),
) {
    let slot = format.field(field).slot;
    let Some(value) = instance.get(slot) else { return };
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
