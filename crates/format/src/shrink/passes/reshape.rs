//! Small boards in other shapes.
//!
//! Where a failure needs certain cells but not their positions, neither a row nor a column of a 2x3 board can
//! be deleted, and yet a 1x5 board would fail. So the cells are laid out in every shape with no more cells, in
//! their order, dropping cells at their simplest where there are too many. The board is also transposed.

use crate::language::{BlockId, Expr, Field, FieldDimension, FieldId, Format};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::tuning::{MAX_RESHAPED_CELLS, MAX_TRANSPOSED_CELLS};
use crate::value::{Value, visit_instances};

/// Reshapes and transposes every board that has two sizes of its own.
pub(super) fn reshape_boards(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    for field in search.format().field_ids() {
        let Some(sizes) = board_size_fields(search.format(), field) else { continue };
        let mut paths = Vec::new();
        let block = search.format().field(field).block;
        visit_instances(search.format(), search.best_value(), block, &mut |path, _| paths.push(path.to_vec()));
        for path in paths {
            let reshaped = |search: &ShrinkSearch<'_, '_>, (shape, cells): ((usize, usize), Vec<ReshapeCell>)| {
                replace_board(search, &path, field, sizes, shape, &cells)
            };
            while let Some(layouts) = board_layouts(search, &path, field)
                && search.attempt_each(layouts, reshaped)?
            {}
        }
    }
    Ok(())
}

/// Returns the two numbers that size a board, if they are in the same block and size nothing else.
fn board_size_fields(format: &Format, field: FieldId) -> Option<[FieldId; 2]> {
    let board = format.field(field);
    let [FieldDimension::Size(Expr::Field(rows)), FieldDimension::Size(Expr::Field(columns))] = board.dimensions[..]
    else {
        return None;
    };
    let sized = |f: &Field, by: FieldId| {
        f.dimensions.iter().any(|d| matches!(d, FieldDimension::Size(s) if s.mentions_field(by)))
    };
    let sizes_only_board = |by: FieldId| {
        let sizes = format.fields.iter().filter(|f| sized(f, by)).count();
        let counts = (0..format.blocks.len()).any(|b| format.block(BlockId(b)).count.mentions_field(by));
        sizes == 1 && !counts && format.field(by).block == board.block
    };
    (rows != columns && sizes_only_board(rows) && sizes_only_board(columns)).then_some([rows, columns])
}

/// A cell of a board: a letter or a number.
#[derive(Clone, Copy)]
enum ReshapeCell {
    Letter(u8),
    Number(i128),
}

/// Other layouts of a board: height and width, and the cells in order.
type BoardLayouts = Vec<((usize, usize), Vec<ReshapeCell>)>;

/// Returns the other layouts of a board: transposed, and if it is small, in every shape with no more cells.
fn board_layouts(search: &ShrinkSearch<'_, '_>, path: &[usize], field: FieldId) -> Option<BoardLayouts> {
    let format = search.format();
    let board = format.field(field);
    let rows: Vec<Vec<ReshapeCell>> =
        search.best_value().instance_at(path)?.get(board.slot)?.as_list().iter().map(row_cells).collect();
    let (height, width) = (rows.len(), rows.first()?.len());
    let count = height * width;
    if count == 0 || count > MAX_TRANSPOSED_CELLS || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let transposed = (0..width).flat_map(|c| rows.iter().map(move |row| row[c])).collect::<Vec<ReshapeCell>>();
    let mut found = vec![((width, height), transposed.clone())];
    if count <= MAX_RESHAPED_CELLS {
        let row_major: Vec<ReshapeCell> = rows.into_iter().flatten().collect();
        for (new_width, new_height) in board_dimensions(count) {
            for order in [&row_major, &transposed] {
                found.push(((new_height, new_width), drop_simplest_cells(board, order, new_width * new_height)));
            }
        }
    }
    Some(found)
}

fn row_cells(row: &Value) -> Vec<ReshapeCell> {
    match row {
        Value::Text(letters) => letters.iter().copied().map(ReshapeCell::Letter).collect(),
        Value::Ints(numbers) => numbers.iter().copied().map(ReshapeCell::Number).collect(),
        _ => Vec::new(),
    }
}

/// Returns all widths and heights with at most `max_cells` cells, fewest cells first.
fn board_dimensions(max_cells: usize) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> =
        (1..=max_cells).flat_map(|h| (1..=max_cells / h).map(move |w| (w, h))).collect();
    found.sort_unstable_by_key(|(w, h)| (w * h, w + h, *h));
    found
}

/// Returns `count` of the cells in order, dropping cells at their simplest from the end.
fn drop_simplest_cells(board: &Field, cells: &[ReshapeCell], count: usize) -> Vec<ReshapeCell> {
    let simplest = |cell: &ReshapeCell| match cell {
        ReshapeCell::Letter(letter) => board.alphabet().and_then(<[u8]>::first) == Some(letter),
        ReshapeCell::Number(number) => *number == board.range.simplest_value(),
    };
    let mut excess = cells.len() - count;
    let mut kept: Vec<ReshapeCell> = Vec::with_capacity(count);
    for cell in cells.iter().rev() {
        if excess > 0 && simplest(cell) {
            excess -= 1;
        } else {
            kept.push(*cell);
        }
    }
    kept.reverse();
    kept.truncate(count);
    kept
}

/// Returns the best value with a board of this height and width in place of the board at `path`.
fn replace_board(
    search: &ShrinkSearch<'_, '_>,
    path: &[usize],
    field: FieldId,
    sizes: [FieldId; 2],
    (height, width): (usize, usize),
    cells: &[ReshapeCell],
) -> Option<Value> {
    let format = search.format();
    let row = |cells: &[ReshapeCell]| match cells.first() {
        Some(ReshapeCell::Letter(_)) => Value::Text(
            cells.iter().filter_map(|c| if let ReshapeCell::Letter(l) = c { Some(*l) } else { None }).collect(),
        ),
        _ => Value::Ints(
            cells.iter().filter_map(|c| if let ReshapeCell::Number(n) = c { Some(*n) } else { None }).collect(),
        ),
    };
    let mut value = search.best_value().clone();
    let slots = value.instance_at_mut(path)?;
    for (size, length) in sizes.into_iter().zip([height, width]) {
        *slots.get_mut(format.field(size).slot)? = Value::Int(length as i128);
    }
    *slots.get_mut(format.field(field).slot)? = Value::List(cells.chunks(width).map(row).collect());
    Some(value)
}
