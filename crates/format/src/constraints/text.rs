//! Properties of texts and boards, such as `balanced(s)`, as constraints.

use super::matches::collect_texts;
use super::{
    BreachNames, BrokenConstraint, ConstraintKind, ElementFreedom, KnownPrefix, StructureGoals, StructureSet,
    ViolationSides, holds_so_far,
};
use crate::model::{BlockId, Board, ConstraintRule, FieldId, Format, LetterSpace, TextConstraint};
use crate::value::{EvalError, Value, ValueScope};

impl ConstraintKind for TextConstraint {
    fn named_field(&self) -> Option<FieldId> {
        Some(self.field)
    }

    fn implies_bounds(&self) -> bool {
        true
    }

    fn check<'f>(&'f self, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
        let fault = find_property_fault(self, scope);
        Ok(fault.map(|(element, words)| (element, ViolationSides::Words(words))))
    }

    fn may_still_hold(&self, home: BlockId, prefix: &dyn KnownPrefix) -> bool {
        let Some(scope) = prefix.scope_of(home) else { return true };
        if prefix.is_filling(self.field) { can_complete_texts(self, scope) } else { holds_so_far(self, scope) }
    }

    fn structure_goals(&self, format: &Format, max_sizes: (usize, usize)) -> Option<StructureGoals> {
        let is_other = |rule: &ConstraintRule| rule.text_property().is_none_or(|text| !std::ptr::eq(text, self));
        let mut others = format.constraints.iter().map(|c| &c.rule).filter(|rule| is_other(rule));
        if others.any(|rule| {
            rule.mentions_field(self.field) && rule.kind().element_freedom(self.field) != ElementFreedom::Free
        }) {
            return None;
        }
        let goals = self.property.coverage_goals(&self.letter_space(format)?, max_sizes);
        let descriptions = goals.into_iter().map(|goal| goal.description).collect();
        Some(StructureGoals { subject: format.field(self.field).name.clone(), descriptions })
    }

    fn collect_structures(&self, scope: &ValueScope<'_>, found: &mut StructureSet) {
        let Some((value, space)) = scope.field_value(self.field).zip(self.letter_space(scope.format)) else { return };
        for goal in self.property.coverage_goals(&space, (usize::MAX, usize::MAX)) {
            visit_boards(value, self.property.dimensions(), &mut |rows| {
                found.add_if(goal.description, (goal.is_reached)(&Board::new(rows, &self.letters)));
            });
        }
    }

    fn breach_name(&self, names: &BreachNames<'_>) -> String {
        format!("{}-{}", names.field_name(self.field), self.property.violation_name())
    }

    fn violated_dimensions(&self) -> Option<usize> {
        Some(self.property.dimensions())
    }

    fn near_violations(&self, rows: &[&[u8]]) -> Vec<Vec<Vec<u8>>> {
        self.property.near_violations(&Board::new(rows, &self.letters))
    }
}

impl TextConstraint {
    /// Returns the texts that the field allows.
    fn letter_space<'f>(&'f self, format: &'f Format) -> Option<LetterSpace<'f>> {
        let alphabet = format.field(self.field).alphabet()?;
        Some(LetterSpace { alphabet, letters: &self.letters, lengths: None })
    }
}

/// Returns true if the last text of a field can still get a property, and the ones before it have it.
fn can_complete_texts(text: &TextConstraint, home: &ValueScope<'_>) -> bool {
    let Some(value) = home.field_value(text.field) else { return true };
    let (mut can_complete, mut is_last_fine) = (true, true);
    visit_boards(value, text.property.dimensions(), &mut |rows| {
        let board = Board::new(rows, &text.letters);
        can_complete &= is_last_fine && text.property.can_complete(&board);
        is_last_fine = text.property.find_fault(&board).is_none();
    });
    can_complete
}

/// Returns the first fault: the number of the character among all of the field, and the reason.
fn find_property_fault(text: &TextConstraint, scope: &ValueScope<'_>) -> Option<(Option<usize>, String)> {
    let (mut found, mut before) = (None, 0);
    visit_boards(scope.field_value(text.field)?, text.property.dimensions(), &mut |rows| {
        found = found.take().or_else(|| {
            let fault = text.property.find_fault(&Board::new(rows, &text.letters))?;
            let at = fault.at.map(|(row, column)| before + count_characters(&rows[..row]) + column);
            Some((at, fault.message))
        });
        before += count_characters(rows);
    });
    found
}

fn count_characters(rows: &[&[u8]]) -> usize {
    rows.iter().map(|row| row.len()).sum()
}

/// Calls `visit` with the rows of each text, or of each board of two dimensions, in a field.
pub(crate) fn visit_boards(value: &Value, dimensions: usize, visit: &mut dyn FnMut(&[&[u8]])) {
    match value {
        Value::Text(letters) => visit(&[letters]),
        Value::List(rows) => {
            let texts = |row: &'_ Value| matches!(row, Value::Text(_));
            if dimensions > 1 && rows.iter().all(texts) {
                visit(&collect_texts(value));
            } else {
                rows.iter().for_each(|row| visit_boards(row, dimensions, visit));
            }
        }
        Value::Int(_) | Value::Ints(_) | Value::Instances(_) | Value::Block(_) => {}
    }
}
