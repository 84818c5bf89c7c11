//! The board in an input, drawn with numbers at its sides.

use super::line::Line;
use super::tone::Tone;
use crate::format::{Dimension, FieldId, Format};
use crate::read::read;
use crate::value::{Value, each_instance};

/// Larger boards are no easier to read than the input itself.
const SIDE_MAX: usize = 20;
/// Longer inputs are not even read for one.
const INPUT_BYTES_MAX: usize = 1 << 14;

/// The board, if the input has exactly one and it is small.
pub(crate) fn board(format: &Format, input: &[u8]) -> Option<Vec<Line>> {
    let mut fields = (0..format.fields.len()).map(FieldId).filter(|field| is_board(format, *field));
    let (Some(field), None) = (fields.next(), fields.next()) else { return None };
    let value = (input.len() <= INPUT_BYTES_MAX).then(|| read(format, input).ok()).flatten()?;
    let info = format.field(field);
    let mut boards = Vec::new();
    each_instance(format, &value, info.block, &mut |_, instance| {
        boards.extend(instance.get(info.slot).and_then(rows));
    });
    let [rows] = boards.as_slice() else { return None };
    let is_small = (2..=SIDE_MAX).contains(&rows.len()) && rows.iter().all(|row| (2..=SIDE_MAX).contains(&row.len()));
    is_small.then(|| draw(&info.name, rows))
}

/// Whether the field is rows of characters, as many in each.
fn is_board(format: &Format, field: FieldId) -> bool {
    let info = format.field(field);
    info.letters().is_some() && matches!(info.dimensions.as_slice(), [Dimension::Size(_), Dimension::Size(_)])
}

fn rows(value: &Value) -> Option<Vec<Vec<u8>>> {
    let letters = |row: &Value| match row {
        Value::Text(letters) => Some(letters.to_vec()),
        _ => None,
    };
    value.as_list().iter().map(letters).collect()
}

fn draw(name: &str, rows: &[Vec<u8>]) -> Vec<Line> {
    let columns: String = (1..=rows[0].len()).map(|column| format!("{column:>3}")).collect();
    let mut lines = vec![Line::new().tone(Tone::Dim, name), Line::plain("  ").tone(Tone::Dim, columns)];
    for (i, row) in rows.iter().enumerate() {
        let cells: String = row.iter().map(|cell| format!("  {}", char::from(*cell))).collect();
        lines.push(Line::new().tone(Tone::Dim, format!("{:>2}", i + 1)).add(cells));
    }
    lines
}
