//! Checks of properties of texts.

use crate::constraints::Board;
use crate::language::TextConstraint;
use crate::value::{Value, ValueScope};

/// Returns the first fault: the number of the character among all of the field, and the reason.
pub(super) fn find_property_fault(text: &TextConstraint, scope: &ValueScope<'_>) -> Option<(Option<usize>, String)> {
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
                visit(&super::collect_texts(value));
            } else {
                rows.iter().for_each(|row| visit_boards(row, dimensions, visit));
            }
        }
        Value::Int(_) | Value::Ints(_) | Value::Instances(_) | Value::Block(_) => {}
    }
}
