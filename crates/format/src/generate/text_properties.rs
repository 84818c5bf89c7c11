//! Repair of texts that lack a property: `balanced(s)`.
//!
//! A shape fills a text without regard to the property. Then the constraint's own repair changes as few characters as
//! it can, so that the shape survives.

use super::instance::InstanceGenerator;
use super::plan::GenerationPlan;
use super::scoped_draft::ScopedDraft;
use crate::constraints::LetterSpace;
use crate::constraints::visit_boards;
use crate::language::{FieldId, TextConstraint};
use crate::value::Value;
use rebut_generators::Choices;

impl InstanceGenerator<'_, '_> {
    /// Repairs the texts of a draft.
    pub(super) fn repair_text_properties(&mut self, draft: &mut ScopedDraft<'_>) {
        let (plan, arrays) = (self.plan, &self.plan.block_plan(draft.block).arrays);
        for field in arrays.iter().copied() {
            if let Some(value) = &mut draft.slots[plan.format.field(field).slot] {
                repair_text_properties(plan, field, value, self.choices);
            }
        }
    }
}

/// Changes the texts of a field that lack a property that a constraint demands.
pub fn repair_text_properties(plan: &GenerationPlan<'_>, field: FieldId, value: &mut Value, choices: &mut Choices) {
    for text in text_constraints(plan, field) {
        let info = plan.format.field(field);
        let Some(alphabet) = info.alphabet() else { continue };
        let is_open = info.has_free_length() && info.announced_length.is_none();
        let lengths = usize::try_from(info.length.lo).ok().zip(usize::try_from(info.length.hi).ok());
        let lengths = lengths.filter(|_| is_open).map(|(lo, hi)| lo..=hi);
        let space = LetterSpace { alphabet, letters: &text.letters, lengths };
        repair_boards(value, text.property.dimensions(), &mut |rows| {
            text.property.repair_board(rows, &space, choices);
        });
    }
}

/// Returns the constraints on the texts of a field.
fn text_constraints<'a>(plan: &GenerationPlan<'a>, field: FieldId) -> impl Iterator<Item = &'a TextConstraint> {
    let properties = plan.format.constraints.iter().filter_map(|constraint| constraint.rule.text_property());
    properties.filter(move |text| text.field == field)
}

/// Calls `repair` with the rows of each text, or of each board of two dimensions.
fn repair_boards(value: &mut Value, dimensions: usize, repair: &mut dyn FnMut(&mut [Vec<u8>])) {
    let mut boards: Vec<Vec<Vec<u8>>> = Vec::new();
    visit_boards(value, dimensions, &mut |rows| boards.push(rows.iter().map(|row| row.to_vec()).collect()));
    boards.iter_mut().for_each(|rows| repair(rows));
    replace_texts(value, &mut boards.into_iter().flatten());
}

/// Replaces the texts of a value, in order.
fn replace_texts(value: &mut Value, texts: &mut dyn Iterator<Item = Vec<u8>>) {
    match value {
        Value::Text(letters) => {
            if let Some(text) = texts.next() {
                *letters = text.into();
            }
        }
        Value::List(rows) => rows.iter_mut().for_each(|row| replace_texts(row, texts)),
        Value::Int(_) | Value::Ints(_) | Value::Instances(_) | Value::Block(_) => {}
    }
}
