//! Symmetries of boards, together with all references to their rows and columns.
//!
//! A program that fails in one corner of a board fails in each, but no single number leads from one corner to
//! another: the contents of the board and the references to its rows and columns have to move together. So a
//! board is mirrored vertically and horizontally, and a square one is transposed, along with the references. A
//! board also shifts by a row or a column, with some of its references.

use crate::language::{Expr, FieldDimension, FieldId, Format};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::parts::{reverse_parts, rotate_parts};
use crate::shrink::references::{map_references, referring_fields};
use crate::shrink::search::ShrinkSearch;
use crate::tuning::{MAX_TRANSFORMED_CELLS, MAX_TRANSFORMED_REFERENCES};
use crate::value::{Value, instance_paths};

/// Mirrors, transposes and shifts every board.
pub(super) fn transform_boards(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    for field in search.format().field_ids() {
        let Some(board) = ReferencedBoard::for_field(search.format(), field) else { continue };
        let block = search.format().field(field).block;
        for path in instance_paths(search.format(), search.best_value(), block) {
            search.check_stop()?;
            let transforms = board.list_transforms(search.best_value(), &path);
            let places = board.rows.iter().chain(&board.columns);
            let steps: Vec<_> = places.flat_map(|place| [(*place, 1), (*place, 2)]).collect();
            let nearer =
                transforms.iter().flat_map(|transform| steps.iter().map(move |step| (*transform, Some(*step))));
            let moves = transforms.iter().map(|transform| (*transform, None)).chain(nearer);
            search.attempt_each(moves, |search, (transform, step)| {
                let moved = board.apply_transform(search.best_value(), &path, transform)?;
                Some(match step {
                    Some(step) => board.move_place_nearer(moved, &path, step),
                    None => moved,
                })
            })?;
            let shifts = board.list_shifts(search.best_value(), &path);
            let shifted = |search: &ShrinkSearch<'_, '_>, shift: &BoardShift| {
                board.apply_shift(search.best_value(), &path, shift)
            };
            while search.attempt_each(&shifts, shifted)? {}
        }
    }
    Ok(())
}

/// A field with two dimensions, and the fields that refer to its rows and columns, with the number of the first
/// one.
struct ReferencedBoard<'f> {
    format: &'f Format,
    field: FieldId,
    rows: Vec<(FieldId, i128)>,
    columns: Vec<(FieldId, i128)>,
    is_square: bool,
}

/// A symmetry of a board: flips of rows and columns, followed by a transposition.
#[derive(Clone, Copy)]
struct BoardTransform {
    flip_rows: bool,
    flip_columns: bool,
    transpose: bool,
}

/// A shift of the contents by a row or a column, with the references that move along.
struct BoardShift {
    along_columns: bool,
    by: isize,
    places: Vec<(FieldId, i128)>,
}

impl<'f> ReferencedBoard<'f> {
    fn for_field(format: &'f Format, field: FieldId) -> Option<ReferencedBoard<'f>> {
        let [FieldDimension::Size(Expr::Field(rows)), FieldDimension::Size(Expr::Field(columns))] =
            format.field(field).dimensions[..]
        else {
            return None;
        };
        let places = |size: FieldId| -> Vec<(FieldId, i128)> {
            let mut found = referring_fields(format, size);
            found.retain(|(other, _)| *other != field);
            found.sort_unstable_by_key(|(field, _)| *field);
            found
        };
        let of_one = places(rows);
        let is_square = rows == columns;
        let (rows, columns) = if is_square {
            // Rows and columns alternate, as coordinates usually do.
            (of_one.iter().copied().step_by(2).collect(), of_one.into_iter().skip(1).step_by(2).collect())
        } else {
            (of_one, places(columns))
        };
        Some(ReferencedBoard { format, field, rows, columns, is_square })
    }

    fn board_rows<'v>(&self, value: &'v Value, path: &[usize]) -> &'v [Value] {
        let slot = self.format.field(self.field).slot;
        value.instance_at(path).and_then(|slots| slots.get(slot)).map_or(&[][..], Value::as_list)
    }

    /// Returns every symmetry of the board of an instance but the identity.
    fn list_transforms(&self, value: &Value, path: &[usize]) -> Vec<BoardTransform> {
        let board = self.board_rows(value, path);
        let (height, width) = (board.len(), board.first().map_or(0, Value::element_count));
        if height * width > MAX_TRANSFORMED_CELLS || board.iter().any(|row| row.element_count() != width) {
            return Vec::new();
        }
        let turned = (0..if self.is_square && height == width { 2 } else { 1 }).map(|turns| turns > 0);
        let transforms = turned.flat_map(|turned| {
            let mirrored = [(false, false), (true, false), (false, true), (true, true)];
            mirrored.map(|(down, across)| BoardTransform { transpose: turned, flip_rows: down, flip_columns: across })
        });
        transforms.skip(1).collect()
    }

    /// Returns the value with the board of an instance transformed.
    fn apply_transform(&self, value: &Value, path: &[usize], transform: BoardTransform) -> Option<Value> {
        let board = self.board_rows(value, path);
        let (height, width) = (board.len(), board.first().map_or(0, Value::element_count));
        let mut board = Value::List(board.to_vec());
        let mut moved = value.clone();
        for (flip, across, places, length) in
            [(transform.flip_rows, false, &self.rows, height), (transform.flip_columns, true, &self.columns, width)]
        {
            if flip {
                change_lines(&mut board, across, reverse_parts);
                let last = length as i128 - 1;
                map_references(self.format, &mut moved, path, places, &|number, first| 2 * first + last - number);
            }
        }
        if transform.transpose {
            board = Value::List(transpose_rows(board.as_list())?);
            self.transpose_places(&mut moved, path);
        }
        *moved.instance_at_mut(path)?.get_mut(self.format.field(self.field).slot)? = board;
        Some(moved)
    }

    /// Moves one reference nearer to the first row or column: the transformed board alone may be no simpler.
    fn move_place_nearer(&self, mut moved: Value, path: &[usize], (place, by): ((FieldId, i128), i128)) -> Value {
        map_references(self.format, &mut moved, path, &[place], &|number, first| (number - by).max(first));
        moved
    }

    /// Returns the shifts of the contents by a row or a column, each with every subset of the references: one that
    /// has to stay may have kept the others from coming nearer.
    fn list_shifts(&self, value: &Value, path: &[usize]) -> Vec<BoardShift> {
        let cells = self.board_rows(value, path).iter().map(Value::element_count).sum::<usize>();
        if cells > MAX_TRANSFORMED_CELLS {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (places, across) in [(&self.rows, false), (&self.columns, true)] {
            let sets = if places.len() <= MAX_TRANSFORMED_REFERENCES { 1 << places.len() } else { 0 };
            for (set, by) in (1..sets).flat_map(|set| [(set, -1), (set, 1)]) {
                let chosen = places.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, place)| *place);
                found.push(BoardShift { along_columns: across, by, places: chosen.collect() });
            }
        }
        found
    }

    fn apply_shift(&self, value: &Value, path: &[usize], shift: &BoardShift) -> Option<Value> {
        let mut board = Value::List(self.board_rows(value, path).to_vec());
        change_lines(&mut board, shift.along_columns, |line| rotate_parts(line, shift.by));
        let mut shifted = value.clone();
        map_references(self.format, &mut shifted, path, &shift.places, &|number, _| number + shift.by as i128);
        *shifted.instance_at_mut(path)?.get_mut(self.format.field(self.field).slot)? = board;
        Some(shifted)
    }

    /// Swaps row and column references, in pairs.
    fn transpose_places(&self, value: &mut Value, path: &[usize]) {
        for ((row, _), (column, _)) in self.rows.iter().zip(&self.columns) {
            let (row, column) = (self.format.field(*row), self.format.field(*column));
            if row.block != column.block || row.dimensions != column.dimensions {
                continue;
            }
            for at in instance_paths(self.format, value, row.block).iter().filter(|at| at.starts_with(path)) {
                if let Some(slots) = value.instance_at_mut(at) {
                    slots.swap(row.slot, column.slot);
                }
            }
        }
    }
}

/// Changes the order of the rows of a board, or if `across`, the order of the elements of each row.
fn change_lines(board: &mut Value, across: bool, change: impl Fn(&mut Value)) {
    match board {
        Value::List(rows) if across => rows.iter_mut().for_each(change),
        board => change(board),
    }
}

/// Transposes a square board.
fn transpose_rows(rows: &[Value]) -> Option<Vec<Value>> {
    let column = |at: usize| {
        let elements = rows.iter().map(|row| row.element_at(at)).collect::<Option<Vec<i128>>>()?;
        Some(rows.first()?.with_elements(elements))
    };
    (0..rows.len()).map(column).collect()
}
