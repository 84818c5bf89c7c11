//! Boards turned and mirrored, with all places on them.
//!
//! What fails in one corner of a board fails in each, but no number alone leads from one corner to another: what stands
//! on the board and the rows and columns that refer to it have to move together. So a board is mirrored in its rows and
//! in its columns, and a square one turned over its diagonal, and the places go along.

use super::axis::references;
use super::search::{Search, Stopped};
use crate::format::{Dimension, Expr, FieldId, Format};
use crate::value::{Value, each_instance, each_leaf};

/// Boards of at most so many cells are turned and mirrored.
const CELLS_UP_TO: usize = 400;

/// Mirrors and turns every board.
pub(super) fn symmetries(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    for field in (0..search.format().fields.len()).map(FieldId) {
        let Some(board) = Board::of(search.format(), field) else { continue };
        let mut paths = Vec::new();
        let block = search.format().field(field).block;
        each_instance(search.format(), search.best(), block, &mut |path, _| paths.push(path.to_vec()));
        for path in paths {
            let candidates = board.candidates(search.format(), search.best(), &path);
            search.attempt_any(candidates)?;
        }
    }
    Ok(())
}

/// A field with two dimensions, and what refers to them: each with the number of the first row or column.
struct Board {
    field: FieldId,
    rows: Vec<(FieldId, i128)>,
    columns: Vec<(FieldId, i128)>,
    is_square: bool,
}

impl Board {
    fn of(format: &Format, field: FieldId) -> Option<Board> {
        let [Dimension::Size(Expr::Field(rows)), Dimension::Size(Expr::Field(columns))] =
            format.field(field).dimensions[..]
        else {
            return None;
        };
        let places = |size: FieldId| -> Vec<(FieldId, i128)> {
            let mut found = references(format, size);
            found.retain(|(other, _)| *other != field);
            found.sort_unstable_by_key(|(field, _)| *field);
            found
        };
        let of_one = places(rows);
        let is_square = rows == columns;
        let (rows, columns) = if is_square {
            // A row and a column by turns, as places are given everywhere.
            (of_one.iter().copied().step_by(2).collect(), of_one.into_iter().skip(1).step_by(2).collect())
        } else {
            (of_one, places(columns))
        };
        Some(Board { field, rows, columns, is_square })
    }

    /// The board of an instance in every other position.
    fn candidates(&self, format: &Format, value: &Value, path: &[usize]) -> Vec<Value> {
        let slot = format.field(self.field).slot;
        let board = value.instance_at(path).and_then(|slots| slots.get(slot)).map_or(&[][..], Value::as_list);
        let (height, width) = (board.len(), board.first().map_or(0, Value::elements));
        if height * width > CELLS_UP_TO || board.iter().any(|row| row.elements() != width) {
            return Vec::new();
        }
        let turned = (0..if self.is_square && height == width { 2 } else { 1 }).map(|turns| turns > 0);
        let ways =
            turned.flat_map(|turned| [(false, false), (true, false), (false, true), (true, true)].map(|m| (turned, m)));
        let moved = |(turned, (down, across)): (bool, (bool, bool))| {
            let mut rows = board.to_vec();
            if down {
                rows.reverse();
            }
            if across {
                rows.iter_mut().for_each(mirror);
            }
            let mut moved = value.clone();
            if down {
                mirror_places(format, &mut moved, path, &self.rows, height);
            }
            if across {
                mirror_places(format, &mut moved, path, &self.columns, width);
            }
            if turned {
                rows = turn(&rows)?;
                self.turn_places(format, &mut moved, path);
            }
            *moved.instance_at_mut(path)?.get_mut(slot)? = Value::List(rows);
            Some(moved)
        };
        ways.skip(1).filter_map(moved).collect()
    }

    /// Rows become columns in all pairs of them.
    fn turn_places(&self, format: &Format, value: &mut Value, path: &[usize]) {
        for ((row, _), (column, _)) in self.rows.iter().zip(&self.columns) {
            let (row, column) = (format.field(*row), format.field(*column));
            if row.block != column.block || row.dimensions != column.dimensions {
                continue;
            }
            let mut instances = Vec::new();
            each_instance(format, value, row.block, &mut |at, _| instances.push(at.to_vec()));
            for at in instances.iter().filter(|at| at.starts_with(path)) {
                if let Some(slots) = value.instance_at_mut(at) {
                    slots.swap(row.slot, column.slot);
                }
            }
        }
    }
}

fn mirror(row: &mut Value) {
    match row {
        Value::Text(letters) => letters.reverse(),
        Value::Ints(numbers) => numbers.reverse(),
        _ => {}
    }
}

/// A square board turned over its diagonal.
fn turn(rows: &[Value]) -> Option<Vec<Value>> {
    let column = |at: usize| match rows.first()? {
        Value::Text(_) => {
            let letter = |row: &Value| if let Value::Text(letters) = row { letters.get(at).copied() } else { None };
            rows.iter().map(letter).collect::<Option<Vec<u8>>>().map(Value::Text)
        }
        _ => {
            let number = |row: &Value| if let Value::Ints(numbers) = row { numbers.get(at).copied() } else { None };
            rows.iter().map(number).collect::<Option<Vec<i128>>>().map(Value::Ints)
        }
    };
    (0..rows.len()).map(column).collect()
}

/// What refers to one of so many rows refers to the one that is as far from the other end.
fn mirror_places(format: &Format, value: &mut Value, path: &[usize], places: &[(FieldId, i128)], length: usize) {
    let mut moves: Vec<(Vec<usize>, Value)> = Vec::new();
    each_leaf(format, value, &mut |at, field, leaf| {
        let Some((_, first)) = places.iter().find(|(f, _)| *f == field).filter(|_| at.starts_with(path)) else {
            return;
        };
        let mirrored = |n: &i128| 2 * first + length as i128 - 1 - n;
        match leaf {
            Value::Int(number) => moves.push((at.to_vec(), Value::Int(mirrored(number)))),
            Value::Ints(numbers) => moves.push((at.to_vec(), Value::Ints(numbers.iter().map(mirrored).collect()))),
            _ => {}
        }
    });
    for (at, leaf) in moves {
        if let Some(place) = value.at_mut(&at) {
            *place = leaf;
        }
    }
}
