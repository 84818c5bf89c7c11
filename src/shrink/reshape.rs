//! Small boards in another shape.
//!
//! Where a failure needs some cells but not where they are, neither a row nor a column of a 2x3 board can go, and yet a
//! 1x5 board would do. So the cells are laid out afresh in every shape that has no more of them, in their order; those
//! that are at their simplest go first where there are too many. And the board is turned over its diagonal.

use super::search::{Search, Stopped};
use crate::format::{BlockId, Dimension, Expr, Field, FieldId, Format};
use crate::value::{Value, each_instance};

/// Boards of at most so many cells are laid out afresh.
const CELLS_UP_TO: usize = 12;
/// Boards of at most so many are turned over.
const TURNED_UP_TO: usize = 400;

/// Reshapes and turns every board with two dimensions of its own.
pub(super) fn reshape(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    for field in (0..search.format().fields.len()).map(FieldId) {
        let Some(sizes) = sizes_of(search.format(), field) else { continue };
        let mut paths = Vec::new();
        let block = search.format().field(field).block;
        each_instance(search.format(), search.best(), block, &mut |path, _| paths.push(path.to_vec()));
        for path in paths {
            let made = |search: &Search<'_, '_>, (shape, cells): ((usize, usize), Vec<Cell>)| {
                with_board(search, &path, field, sizes, shape, &cells)
            };
            while let Some(layouts) = layouts(search, &path, field)
                && search.attempt_each(layouts, made)?
            {}
        }
    }
    Ok(())
}

/// The two numbers that size a board, if they are beside it and size nothing else.
fn sizes_of(format: &Format, field: FieldId) -> Option<[FieldId; 2]> {
    let board = format.field(field);
    let [Dimension::Size(Expr::Field(rows)), Dimension::Size(Expr::Field(columns))] = board.dimensions[..] else {
        return None;
    };
    let sized = |f: &Field, by: FieldId| f.dimensions.iter().any(|d| matches!(d, Dimension::Size(s) if s.mentions(by)));
    let alone = |by: FieldId| {
        let sizes = format.fields.iter().filter(|f| sized(f, by)).count();
        let counts = (0..format.blocks.len()).any(|b| format.block(BlockId(b)).count.mentions(by));
        sizes == 1 && !counts && format.field(by).block == board.block
    };
    (rows != columns && alone(rows) && alone(columns)).then_some([rows, columns])
}

/// One cell: a letter or a number, and how far it is from its simplest.
#[derive(Clone, Copy)]
enum Cell {
    Letter(u8),
    Number(i128),
}

/// The other layouts of a board: height and width, and the cells in their order.
type Layouts = Vec<((usize, usize), Vec<Cell>)>;

fn layouts(search: &Search<'_, '_>, path: &[usize], field: FieldId) -> Option<Layouts> {
    let format = search.format();
    let board = format.field(field);
    let rows: Vec<Vec<Cell>> = search.best().instance_at(path)?.get(board.slot)?.as_list().iter().map(cells).collect();
    let (height, width) = (rows.len(), rows.first()?.len());
    let count = height * width;
    if count == 0 || count > TURNED_UP_TO || rows.iter().any(|row| row.len() != width) {
        return None;
    }
    let turned = (0..width).flat_map(|c| rows.iter().map(move |row| row[c])).collect::<Vec<Cell>>();
    let mut found = vec![((width, height), turned.clone())];
    if count <= CELLS_UP_TO {
        let flat: Vec<Cell> = rows.into_iter().flatten().collect();
        for (wide, high) in shapes(count) {
            for order in [&flat, &turned] {
                found.push(((high, wide), needed(board, order, wide * high)));
            }
        }
    }
    Some(found)
}

fn cells(row: &Value) -> Vec<Cell> {
    match row {
        Value::Text(letters) => letters.iter().copied().map(Cell::Letter).collect(),
        Value::Ints(numbers) => numbers.iter().copied().map(Cell::Number).collect(),
        _ => Vec::new(),
    }
}

/// Widths and heights of at most so many cells, the fewest cells first.
fn shapes(most: usize) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = (1..=most).flat_map(|h| (1..=most / h).map(move |w| (w, h))).collect();
    found.sort_unstable_by_key(|(w, h)| (w * h, w + h, *h));
    found
}

/// So many of the cells in their order, without the last of those that are at their simplest.
fn needed(board: &Field, cells: &[Cell], count: usize) -> Vec<Cell> {
    let simplest = |cell: &Cell| match cell {
        Cell::Letter(letter) => board.letters().and_then(<[u8]>::first) == Some(letter),
        Cell::Number(number) => *number == board.range.simplest(),
    };
    let mut excess = cells.len() - count;
    let mut kept: Vec<Cell> = Vec::with_capacity(count);
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

fn with_board(
    search: &Search<'_, '_>,
    path: &[usize],
    field: FieldId,
    sizes: [FieldId; 2],
    (height, width): (usize, usize),
    cells: &[Cell],
) -> Option<Value> {
    let format = search.format();
    let row = |cells: &[Cell]| match cells.first() {
        Some(Cell::Letter(_)) => {
            Value::Text(cells.iter().filter_map(|c| if let Cell::Letter(l) = c { Some(*l) } else { None }).collect())
        }
        _ => Value::Ints(cells.iter().filter_map(|c| if let Cell::Number(n) = c { Some(*n) } else { None }).collect()),
    };
    let mut value = search.best().clone();
    let slots = value.instance_at_mut(path)?;
    for (size, length) in sizes.into_iter().zip([height, width]) {
        *slots.get_mut(format.field(size).slot)? = Value::Int(length as i128);
    }
    *slots.get_mut(format.field(field).slot)? = Value::List(cells.chunks(width).map(row).collect());
    Some(value)
}
