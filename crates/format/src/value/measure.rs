//! The total order that defines the smallest input.
//!
//! First comes the number of elements: numbers, counts included, and characters. Then the sum of their distances from
//! the simplest value that the format allows: for a number, the one closest to zero in its declared range; for a
//! character, the first letter of its `over`. Then the individual distances in input order, where a negative number
//! comes after the positive one of the same distance. Values that are still equal differ only in parts that no number
//! announces. At the first such difference, a text or repetition that ends comes before one that continues, and an
//! alternative before those below it.

use super::{Value, instances_in_holder};
use crate::model::{BlockId, Field, FieldDimension, FieldId, Format, InstanceCount, LayoutItem};

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
        // Some inputs differ only in parts that no number announces.
        let has_open_length = |f: &Field| f.dimensions.last() == Some(&FieldDimension::Free);
        if format.has_open_structure() || format.fields.iter().any(has_open_length) {
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
        let visit = &mut |_: &[usize], _, row: &Value| form.push(row.element_count());
        LeafVisitor { format, path: Vec::new(), visit }.visit_rows(field, value);
    }
}

/// Calls `visit` with the path, the field and the value of each leaf, in input order.
pub fn visit_leaves(format: &Format, root: &Value, visit: &mut dyn FnMut(&[usize], FieldId, &Value)) {
    LeafVisitor { format, path: Vec::new(), visit }.visit_block(BlockId(0), root.root_slots());
}

struct LeafVisitor<'v> {
    format: &'v Format,
    path: Vec<usize>,
    visit: &'v mut dyn FnMut(&[usize], FieldId, &Value),
}

impl LeafVisitor<'_> {
    fn visit_block(&mut self, block: BlockId, instance: &[Value]) {
        for item in &self.format.block(block).items {
            match item {
                LayoutItem::Line(_) | LayoutItem::Rows(_) => {
                    for field in item.fields() {
                        let slot = self.format.field(field).slot;
                        self.path.push(slot);
                        instance.get(slot).into_iter().for_each(|value| self.visit_rows(field, value));
                        self.path.pop();
                    }
                }
                LayoutItem::Block(child) => self.visit_instances(*child, instance),
                LayoutItem::Either(children) => children.iter().for_each(|c| self.visit_instances(*c, instance)),
            }
        }
    }

    fn visit_instances(&mut self, child: BlockId, holder: &[Value]) {
        self.path.push(self.format.block(child).slot);
        for (i, inner) in instances_in_holder(self.format, child, holder).iter().enumerate() {
            self.path.push(i);
            self.visit_block(child, inner);
            self.path.pop();
        }
        self.path.pop();
    }

    fn visit_rows(&mut self, field: FieldId, value: &Value) {
        let Value::List(rows) = value else { return (self.visit)(&self.path, field, value) };
        for (i, row) in rows.iter().enumerate() {
            self.path.push(i);
            self.visit_rows(field, row);
            self.path.pop();
        }
    }
}
