//! Small boards in other shapes.
//!
//! Where a failure needs certain cells but not their positions, neither a row nor a column of a 2x3 board can
//! be deleted, and yet a 1x5 board would fail. So the cells are laid out in every shape with no more cells, in
//! their order, dropping cells at their simplest where there are too many. The board is also transposed.

use crate::language::{BlockId, Expr, Field, FieldDimension, FieldId, Format};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::tuning::{MAX_RESHAPED_CELLS, MAX_TRANSPOSED_CELLS};
use crate::value::{Value, instance_paths};

/// Reshapes and transposes every board that has two sizes of its own.
pub(super) fn reshape_boards(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    for field in search.format().field_ids() {
        let Some(sizes) = board_size_fields(search.format(), field) else { continue };
        let block = search.format().field(field).block;
        for path in instance_paths(search.format(), search.best_value(), block) {
            let reshaped = |search: &ShrinkSearch<'_, '_>, (shape, cells): ((usize, usize), Vec<i128>)| {
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

/// Other layouts of a board: height and width, and the cells in order.
type BoardLayouts = Vec<((usize, usize), Vec<i128>)>;

/// Returns the other layouts of a board: transposed, and if it is small, in every shape with no more cells.
fn board_layouts(search: &ShrinkSearch<'_, '_>, path: &[usize], field: FieldId) -> Option<BoardLayouts> {
    let format = search.format();
    let board = format.field(field);
    let rows: Vec<Vec<i128>> =
        search.best_value().instance_at(path)?.get(board.slot)?.as_list().iter().map(Value::elements).collect();
    let (height, width) = (rows.len(), rows.first()?.len());
    let count = height * width;
    if count == 0 || count > MAX_TRANSPOSED_CELLS || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let transposed = (0..width).flat_map(|c| rows.iter().map(move |row| row[c])).collect::<Vec<i128>>();
    let mut found = vec![((width, height), transposed.clone())];
    if count <= MAX_RESHAPED_CELLS {
        let row_major: Vec<i128> = rows.into_iter().flatten().collect();
        for (new_width, new_height) in board_dimensions(count) {
            for order in [&row_major, &transposed] {
                found.push(((new_height, new_width), drop_simplest_cells(board, order, new_width * new_height)));
            }
        }
    }
    Some(found)
}

/// Returns all widths and heights with at most `max_cells` cells, fewest cells first.
fn board_dimensions(max_cells: usize) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> =
        (1..=max_cells).flat_map(|h| (1..=max_cells / h).map(move |w| (w, h))).collect();
    found.sort_unstable_by_key(|(w, h)| (w * h, w + h, *h));
    found
}

/// Returns `count` of the cells in order, dropping cells at their simplest from the end.
fn drop_simplest_cells(board: &Field, cells: &[i128], count: usize) -> Vec<i128> {
    let simplest = match board.alphabet() {
        Some(letters) => letters.first().map(|letter| i128::from(*letter)),
        None => Some(board.range.simplest_value()),
    };
    let mut excess = cells.len() - count;
    let mut kept: Vec<i128> = Vec::with_capacity(count);
    for cell in cells.iter().rev() {
        if excess > 0 && simplest == Some(*cell) {
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
    cells: &[i128],
) -> Option<Value> {
    let format = search.format();
    let mut value = search.best_value().clone();
    let slots = value.instance_at_mut(path)?;
    for (size, length) in sizes.into_iter().zip([height, width]) {
        *slots.get_mut(format.field(size).slot)? = Value::Int(length as i128);
    }
    let board = slots.get_mut(format.field(field).slot)?;
    let rows = cells.chunks(width).map(|row| Some(board.as_list().first()?.with_elements(row.iter().copied())));
    *board = Value::List(rows.collect::<Option<Vec<Value>>>()?);
    Some(value)
}
