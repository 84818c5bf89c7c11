//! Properties of texts and boards, such as `balanced(s)`, as constraints.

use super::matches::collect_texts;
use super::{
    BreachNames, BrokenConstraint, ConstraintKind, KnownPrefix, Phrases, RulePart, ViolationSides, holds_so_far,
    inline_math,
};
use crate::model::{BlockId, Board, FieldId, TextConstraint};
use crate::value::{EvalError, Value, ValueScope};
use rebut_diagnostics::list_or;

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

    fn sentence(&self, phrases: &dyn Phrases, _: &str) -> String {
        let letters: Vec<String> = self.letters.iter().map(|letter| phrases.code(&[*letter])).collect();
        self.property.describe(&inline_math(&phrases.field_tex(self.field)), &list_or(&letters))
    }

    fn exported_parts(&self) -> Vec<RulePart<'_>> {
        vec![
            RulePart::Word("text"),
            RulePart::Field(self.field),
            RulePart::Word(self.property.name()),
            RulePart::Number(self.property.dimensions()),
            RulePart::Text(&self.letters),
        ]
    }

    fn python_check(&self) -> Option<&'static str> {
        Some(self.property.python_check())
    }

    fn breach_name(&self, names: &BreachNames<'_>) -> String {
        format!("{}-{}", names.field_name(self.field), self.property.violation_name())
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
