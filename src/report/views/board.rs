//! Draws the board of an input, with row and column numbers.

use crate::report::styled_line::{StyledLine, TextStyle};
use rebut_format::language::{FieldDimension, FieldId, Format};
use rebut_format::read::read_input;
use rebut_format::value::{Value, visit_instances};

/// Maximum number of rows and columns of a board; larger ones are no easier to read than the input itself.
const MAX_SIDE: usize = 20;
/// Maximum length of an input that is searched for a board.
const MAX_INPUT_BYTES: usize = 1 << 14;

/// Returns the board of an input that has exactly one, if it is small.
pub(crate) fn render_board(format: &Format, input: &[u8]) -> Option<Vec<StyledLine>> {
    let mut fields = (0..format.fields.len()).map(FieldId).filter(|field| is_board(format, *field));
    let (Some(field), None) = (fields.next(), fields.next()) else { return None };
    let value = (input.len() <= MAX_INPUT_BYTES).then(|| read_input(format, input).ok()).flatten()?;
    let info = format.field(field);
    let mut boards = Vec::new();
    visit_instances(format, &value, info.block, &mut |_, instance| {
        boards.extend(instance.get(info.slot).and_then(character_rows));
    });
    let [rows] = boards.as_slice() else { return None };
    let is_small = (2..=MAX_SIDE).contains(&rows.len()) && rows.iter().all(|row| (2..=MAX_SIDE).contains(&row.len()));
    is_small.then(|| draw_board(&info.name, rows))
}

/// Returns true if the field is a rectangle of characters.
fn is_board(format: &Format, field: FieldId) -> bool {
    let info = format.field(field);
    info.alphabet().is_some()
        && matches!(info.dimensions.as_slice(), [FieldDimension::Size(_), FieldDimension::Size(_)])
}

fn character_rows(value: &Value) -> Option<Vec<Vec<u8>>> {
    let rows = value.as_list().iter().map(|row| match row {
        Value::Text(cells) => Some(cells.to_vec()),
        _ => None,
    });
    rows.collect()
}

fn draw_board(name: &str, rows: &[Vec<u8>]) -> Vec<StyledLine> {
    let columns: String = (1..=rows[0].len()).map(|column| format!("{column:>3}")).collect();
    let mut lines = vec![
        StyledLine::from_styled(TextStyle::Dim, name),
        StyledLine::from_plain("  ").add_styled(TextStyle::Dim, columns),
    ];
    for (i, row) in rows.iter().enumerate() {
        let cells: String = row.iter().map(|cell| format!("  {}", char::from(*cell))).collect();
        lines.push(StyledLine::from_styled(TextStyle::Dim, format!("{:>2}", i + 1)).add_plain(cells));
    }
    lines
}
