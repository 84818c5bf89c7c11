//! The same parts in another order, for the last part of the total order: simplest things first.
//!
//! Nothing here makes an input shorter; it makes the result canonical, so that two starts end at the same input. Only
//! small arrays and boards are worth the questions.

use super::search::{Search, Stopped};
use crate::format::FieldId;
use crate::value::{Value, each_leaf};

/// Arrays of at most so many elements, and boards of at most so many cells, are reordered.
const ELEMENTS_UP_TO: usize = 25;

/// Rotates, and exchanges: the elements of each array, the rows of each board, the cells of each board.
pub(super) fn reorder(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    for path in leaves(search) {
        search.check_time()?;
        if search.best().at(&path).is_some_and(|v| v.elements() <= ELEMENTS_UP_TO) {
            while rotate(search, &path)? {}
            while exchange(search, &path)? {}
        }
    }
    for path in boards(search) {
        if search.best().at(&path).is_some_and(|v| v.elements() <= ELEMENTS_UP_TO) {
            while exchange_rows(search, &path)? {}
            while exchange_any_cells(search, &path)? {}
        }
    }
    Ok(())
}

fn leaves(search: &Search<'_, '_>) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    each_leaf(search.format(), search.best(), &mut |path, _, leaf| {
        if leaf.elements() > 1 {
            found.push(path.to_vec());
        }
    });
    found
}

/// The paths of fields that have rows.
fn boards(search: &Search<'_, '_>) -> Vec<Vec<usize>> {
    let format = search.format();
    let mut found: Vec<Vec<usize>> = Vec::new();
    each_leaf(format, search.best(), &mut |path, field: FieldId, _| {
        if format.field(field).dimensions.len() == 2 {
            let rows = path[..path.len() - 1].to_vec();
            if found.last() != Some(&rows) {
                found.push(rows);
            }
        }
    });
    found
}

fn changed(search: &Search<'_, '_>, path: &[usize], change: impl FnOnce(&mut Value)) -> Value {
    let mut value = search.best().clone();
    if let Some(part) = value.at_mut(path) {
        change(part);
    }
    value
}

fn rotate(search: &mut Search<'_, '_>, path: &[usize]) -> Result<bool, Stopped> {
    let length = search.best().at(path).map_or(0, Value::elements);
    let rotated = |search: &Search<'_, '_>, by: usize| {
        [changed(search, path, |value| match value {
            Value::Ints(numbers) => numbers.rotate_left(by),
            Value::Text(letters) => letters.rotate_left(by),
            _ => {}
        })]
    };
    search.attempt_each(1..length, rotated)
}

fn exchange(search: &mut Search<'_, '_>, path: &[usize]) -> Result<bool, Stopped> {
    let length = search.best().at(path).map_or(0, Value::elements);
    let exchanged = |search: &Search<'_, '_>, (a, b): (usize, usize)| {
        [changed(search, path, |value| match value {
            Value::Ints(numbers) => numbers.swap(a, b),
            Value::Text(letters) => letters.swap(a, b),
            _ => {}
        })]
    };
    search.attempt_each(pairs(length), exchanged)
}

fn exchange_rows(search: &mut Search<'_, '_>, path: &[usize]) -> Result<bool, Stopped> {
    let length = search.best().at(path).map_or(0, |rows| rows.as_list().len());
    let exchanged = |search: &Search<'_, '_>, (a, b): (usize, usize)| {
        [changed(search, path, |value| {
            if let Value::List(rows) = value {
                rows.swap(a, b);
            }
        })]
    };
    search.attempt_each(pairs(length), exchanged)
}

/// Exchanges two cells of different rows; cells of one row are exchanged as elements of an array.
fn exchange_any_cells(search: &mut Search<'_, '_>, path: &[usize]) -> Result<bool, Stopped> {
    let widths: Vec<usize> =
        search.best().at(path).map_or(&[][..], Value::as_list).iter().map(Value::elements).collect();
    let cells: Vec<(usize, usize)> =
        widths.iter().enumerate().flat_map(|(row, width)| (0..*width).map(move |column| (row, column))).collect();
    let exchanged = |search: &Search<'_, '_>, (a, b): (usize, usize)| {
        [changed(search, path, |value| {
            if let Value::List(rows) = value {
                exchange_cells(rows, cells[a], cells[b]);
            }
        })]
    };
    let of_two_rows = pairs(cells.len()).filter(|(a, b)| cells[*a].0 != cells[*b].0);
    search.attempt_each(of_two_rows, exchanged)
}

fn exchange_cells(rows: &mut [Value], (row, column): (usize, usize), (other_row, other_column): (usize, usize)) {
    let Ok([first, second]) = rows.get_disjoint_mut([row, other_row]) else { return };
    match (first, second) {
        (Value::Text(a), Value::Text(b)) => std::mem::swap(&mut a[column], &mut b[other_column]),
        (Value::Ints(a), Value::Ints(b)) => std::mem::swap(&mut a[column], &mut b[other_column]),
        _ => {}
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}
