//! Boards turned and mirrored, with all places on them.
//!
//! What fails in one corner of a board fails in each, but no number alone leads from one corner to another: what stands
//! on the board and the rows and columns that refer to it have to move together. So a board is mirrored in its rows and
//! in its columns, and a square one turned over its diagonal, and the places go along; and it moves by a row or a column,
//! with some of the places on it.

use super::axis::references;
use super::search::{Search, Stopped};
use crate::format::{Dimension, Expr, FieldId, Format};
use crate::value::{Characters, Value, each_instance, each_leaf};

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
            search.check_time()?;
            let ways = board.ways(search.best(), search.format(), &path);
            let steps = board.steps();
            let nearer = ways.iter().flat_map(|way| steps.iter().map(move |step| (*way, Some(*step))));
            let moves = ways.iter().map(|way| (*way, None)).chain(nearer);
            search.attempt_each(moves, |search, (way, step)| {
                let moved = board.moved(search.format(), search.best(), &path, way)?;
                Some(match step {
                    Some(step) => board.nearer(search.format(), &moved, &path, step),
                    None => moved,
                })
            })?;
            let shifts = board.shifts(search.best(), search.format(), &path);
            let shifted =
                |search: &Search<'_, '_>, shift: &Shift| board.shifted(search.format(), search.best(), &path, shift);
            while search.attempt_each(&shifts, shifted)? {}
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

/// Another position of a board: mirrored in its rows and its columns, then turned over its diagonal.
#[derive(Clone, Copy)]
struct Way {
    down: bool,
    across: bool,
    turned: bool,
}

/// What stands on the board a row or a column further, and these places with it.
struct Shift {
    across: bool,
    by: i128,
    places: Vec<(FieldId, i128)>,
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

    /// The rows of the board of an instance.
    fn board_of<'v>(&self, format: &Format, value: &'v Value, path: &[usize]) -> &'v [Value] {
        let slot = format.field(self.field).slot;
        value.instance_at(path).and_then(|slots| slots.get(slot)).map_or(&[][..], Value::as_list)
    }

    /// Every other position of the board of an instance.
    fn ways(&self, value: &Value, format: &Format, path: &[usize]) -> Vec<Way> {
        let board = self.board_of(format, value, path);
        let (height, width) = (board.len(), board.first().map_or(0, Value::elements));
        if height * width > CELLS_UP_TO || board.iter().any(|row| row.elements() != width) {
            return Vec::new();
        }
        let turned = (0..if self.is_square && height == width { 2 } else { 1 }).map(|turns| turns > 0);
        let ways = turned.flat_map(|turned| {
            let mirrored = [(false, false), (true, false), (false, true), (true, true)];
            mirrored.map(|(down, across)| Way { turned, down, across })
        });
        ways.skip(1).collect()
    }

    /// The board of an instance in another position.
    fn moved(&self, format: &Format, value: &Value, path: &[usize], way: Way) -> Option<Value> {
        let board = self.board_of(format, value, path);
        let (height, width) = (board.len(), board.first().map_or(0, Value::elements));
        let mut rows = board.to_vec();
        let mut moved = value.clone();
        if way.down {
            rows.reverse();
            mirror_places(format, &mut moved, path, &self.rows, height);
        }
        if way.across {
            rows.iter_mut().for_each(mirror);
            mirror_places(format, &mut moved, path, &self.columns, width);
        }
        if way.turned {
            rows = turn(&rows)?;
            self.turn_places(format, &mut moved, path);
        }
        *moved.instance_at_mut(path)?.get_mut(format.field(self.field).slot)? = Value::List(rows);
        Some(moved)
    }

    /// The places, each with the steps by which it may come nearer to the first row or column.
    fn steps(&self) -> Vec<((FieldId, i128), i128)> {
        self.rows.iter().chain(&self.columns).flat_map(|place| [(*place, 1), (*place, 2)]).collect()
    }

    /// One of the places nearer to the first row or column: in its new position the board may be no simpler otherwise.
    fn nearer(&self, format: &Format, value: &Value, path: &[usize], step: ((FieldId, i128), i128)) -> Value {
        let (place, by) = step;
        let mut moved = value.clone();
        move_places(format, &mut moved, path, &[place], &|n, first| (n - by).max(first));
        moved
    }

    /// What stands on the board a row or a column further, and some of the places with it: one that stays where it is
    /// may be what kept the others from coming nearer.
    fn shifts(&self, value: &Value, format: &Format, path: &[usize]) -> Vec<Shift> {
        /// With more places there are too many ways.
        const PLACES_UP_TO: usize = 3;
        let cells = self.board_of(format, value, path).iter().map(Value::elements).sum::<usize>();
        if cells > CELLS_UP_TO {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (places, across) in [(&self.rows, false), (&self.columns, true)] {
            let sets = if places.len() <= PLACES_UP_TO { 1 << places.len() } else { 0 };
            for (set, by) in (1..sets).flat_map(|set| [(set, -1), (set, 1)]) {
                let chosen = places.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, place)| *place);
                found.push(Shift { across, by, places: chosen.collect() });
            }
        }
        found
    }

    fn shifted(&self, format: &Format, value: &Value, path: &[usize], shift: &Shift) -> Option<Value> {
        let mut rows = self.board_of(format, value, path).to_vec();
        if shift.across {
            rows.iter_mut().for_each(|row| rotate(row, shift.by));
        } else {
            turn_by(&mut rows, shift.by);
        }
        let mut shifted = value.clone();
        move_places(format, &mut shifted, path, &shift.places, &|n, _| n + shift.by);
        *shifted.instance_at_mut(path)?.get_mut(format.field(self.field).slot)? = Value::List(rows);
        Some(shifted)
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

fn rotate(row: &mut Value, by: i128) {
    match row {
        Value::Text(letters) => turn_by(letters, by),
        Value::Ints(numbers) => turn_by(numbers, by),
        _ => {}
    }
}

/// Everything one on, or one back; what falls off comes in at the other end.
fn turn_by<T>(items: &mut [T], by: i128) {
    match items.len() {
        0 => {}
        _ if by > 0 => items.rotate_right(1),
        _ => items.rotate_left(1),
    }
}

/// A square board turned over its diagonal.
fn turn(rows: &[Value]) -> Option<Vec<Value>> {
    let column = |at: usize| match rows.first()? {
        Value::Text(_) => {
            let letter = |row: &Value| if let Value::Text(letters) = row { letters.get(at).copied() } else { None };
            rows.iter().map(letter).collect::<Option<Characters>>().map(Value::Text)
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
    move_places(format, value, path, places, &|n, first| 2 * first + length as i128 - 1 - n);
}

/// Changes what refers to rows or columns, given each and the number of the first.
fn move_places(
    format: &Format,
    value: &mut Value,
    path: &[usize],
    places: &[(FieldId, i128)],
    moved: &dyn Fn(i128, i128) -> i128,
) {
    let mut moves: Vec<(Vec<usize>, Value)> = Vec::new();
    each_leaf(format, value, &mut |at, field, leaf| {
        let Some((_, first)) = places.iter().find(|(f, _)| *f == field).filter(|_| at.starts_with(path)) else {
            return;
        };
        let moved = |n: &i128| moved(*n, *first);
        match leaf {
            Value::Int(number) => moves.push((at.to_vec(), Value::Int(moved(number)))),
            Value::Ints(numbers) => moves.push((at.to_vec(), Value::Ints(numbers.iter().map(moved).collect()))),
            _ => {}
        }
    });
    for (at, leaf) in moves {
        if let Some(place) = value.at_mut(&at) {
            *place = leaf;
        }
    }
}
