//! The total order that defines the smallest input.
//!
//! First comes the number of elements: numbers, counts included, and characters. Then the sum of their distances from
//! the simplest value that the format allows: for a number, the one closest to zero in its declared range; for a
//! character, the first letter of its `over`. Then the individual distances in input order, where a negative number
//! comes after the positive one of the same distance. Values that are still equal differ only in parts that no number
//! announces. At the first such difference, a text or repetition that ends comes before one that continues, and an
//! alternative before those below it.

use super::{Value, instances_in_holder};
use crate::model::{BlockId, FieldDimension, FieldId, Format, InstanceCount, LayoutItem};

/// The size of a value; measures are ordered like values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    /// Number of numbers and characters.
    pub elements: usize,
    /// Sum of the distances from the simplest values.
    pub distance: u128,
    /// Distance and sign of each element, in input order.
    element_distances: Vec<(u128, bool)>,
    /// The parts that no number announces, in input order: lengths, whether a repetition continues, alternatives.
    form: Vec<usize>,
}

impl Measure {
    /// Computes the measure of a value.
    pub fn of_value(format: &Format, value: &Value) -> Measure {
        let mut measure = Measure { elements: 0, distance: 0, element_distances: Vec::new(), form: Vec::new() };
        visit_leaves(format, value, &mut |_, field, leaf| measure.add_leaf(format, field, leaf));
        if has_variable_form(format) {
            append_block_form(format, BlockId(0), value.root_slots(), &mut measure.form);
        }
        measure
    }

    #[expect(clippy::expect_used, reason = "texts of a value only contain letters of their field")]
    fn add_leaf(&mut self, format: &Format, field: FieldId, leaf: &Value) {
        match leaf {
            Value::Int(number) => self.add_number(format, field, *number),
            Value::Ints(numbers) => numbers.iter().for_each(|n| self.add_number(format, field, *n)),
            Value::Text(text) => {
                let letters = format.field(field).alphabet().expect("only a field of letters has a text");
                for letter in text {
                    let rank = letters.iter().position(|l| l == letter).expect("the letters of a text are its field's");
                    self.push_distance(rank as u128, false);
                }
            }
            Value::List(_) | Value::Instances(_) | Value::Block(_) => {}
        }
    }

    fn add_number(&mut self, format: &Format, field: FieldId, number: i128) {
        let simplest = format.field(field).range.simplest_value();
        self.push_distance(number.abs_diff(simplest), number < simplest);
    }

    fn push_distance(&mut self, distance: u128, below: bool) {
        self.elements += 1;
        self.distance = self.distance.saturating_add(distance);
        self.element_distances.push((distance, below));
    }
}

/// Returns true if inputs can differ in parts that no number announces.
fn has_variable_form(format: &Format) -> bool {
    format.has_open_structure() || format.fields.iter().any(|f| f.dimensions.last() == Some(&FieldDimension::Free))
}

fn append_block_form(format: &Format, block: BlockId, instance: &[Value], form: &mut Vec<usize>) {
    for item in &format.block(block).items {
        match item {
            LayoutItem::Line(_) | LayoutItem::Rows(_) => {
                item.fields().for_each(|field| append_field_form(format, field, instance, form));
            }
            LayoutItem::Block(child) => {
                let open = matches!(format.block(*child).count, InstanceCount::Until { .. });
                for inner in instances_in_holder(format, *child, instance) {
                    form.extend(open.then_some(1));
                    append_block_form(format, *child, inner, form);
                }
                form.extend(open.then_some(0));
            }
            LayoutItem::Either(children) => {
                for (i, child) in children.iter().enumerate() {
                    for inner in instances_in_holder(format, *child, instance) {
                        form.push(i);
                        append_block_form(format, *child, inner, form);
                    }
                }
            }
        }
    }
}

fn append_field_form(format: &Format, field: FieldId, instance: &[Value], form: &mut Vec<usize>) {
    let info = format.field(field);
    if info.dimensions.last() == Some(&FieldDimension::Free)
        && let Some(value) = instance.get(info.slot)
    {
        visit_rows(field, value, &mut Vec::new(), &mut |_, _, row| form.push(row.element_count()));
    }
}

/// Calls `visit` with the path, the field and the value of each leaf, in input order.
pub fn visit_leaves(format: &Format, root: &Value, visit: &mut dyn FnMut(&[usize], FieldId, &Value)) {
    visit_block(format, BlockId(0), root.root_slots(), &mut Vec::new(), visit);
}

fn visit_block(
    format: &Format,
    block: BlockId,
    instance: &[Value],
    path: &mut Vec<usize>,
    visit: &mut dyn FnMut(&[usize], FieldId, &Value),
) {
    for item in &format.block(block).items {
        match item {
            LayoutItem::Line(_) | LayoutItem::Rows(_) => {
                item.fields().for_each(|field| visit_field(format, field, instance, path, visit));
            }
            LayoutItem::Block(child) => visit_instance_list(format, *child, instance, path, visit),
            LayoutItem::Either(children) => {
                children.iter().for_each(|c| visit_instance_list(format, *c, instance, path, visit))
            }
        }
    }
}

fn visit_instance_list(
    format: &Format,
    child: BlockId,
    holder: &[Value],
    path: &mut Vec<usize>,
    visit: &mut dyn FnMut(&[usize], FieldId, &Value),
) {
    path.push(format.block(child).slot);
    for (i, inner) in instances_in_holder(format, child, holder).iter().enumerate() {
        path.push(i);
        visit_block(format, child, inner, path, visit);
        path.pop();
    }
    path.pop();
}

fn visit_field(
    format: &Format,
    field: FieldId,
    instance: &[Value],
    path: &mut Vec<usize>,
    visit: &mut dyn FnMut(&[usize], FieldId, &Value),
) {
    let slot = format.field(field).slot;
    let Some(value) = instance.get(slot) else { return };
    path.push(slot);
    visit_rows(field, value, path, visit);
    path.pop();
}

fn visit_rows(field: FieldId, value: &Value, path: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize], FieldId, &Value)) {
    let Value::List(rows) = value else { return visit(path, field, value) };
    for (i, row) in rows.iter().enumerate() {
        path.push(i);
        visit_rows(field, row, path, visit);
        path.pop();
    }
}
