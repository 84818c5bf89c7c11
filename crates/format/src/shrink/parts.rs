//! The parts of a value: the numbers of an array, the characters of a text, rows, the instances of a list.

use crate::value::{InstanceList, Value};

/// Returns the number of parts: of rows, not of their elements.
pub(super) fn part_count(value: &Value) -> usize {
    match value {
        Value::Instances(list) => list.len(),
        Value::List(rows) => rows.len(),
        row => row.element_count(),
    }
}

/// Deletes the parts at these positions.
pub(super) fn delete_parts(value: &mut Value, deleted: &[usize]) {
    let mut stays = survival_filter(deleted);
    match value {
        Value::Ints(numbers) => numbers.retain(|_| stays()),
        Value::Text(letters) => letters.retain(|_| stays()),
        Value::List(rows) => rows.retain(|_| stays()),
        Value::Instances(list) => list.retain(|_| stays()),
        Value::Int(_) | Value::Block(_) => {}
    }
}

/// Deletes the items at these positions.
pub(super) fn delete_items<T>(items: &mut Vec<T>, deleted: &[usize]) {
    let mut stays = survival_filter(deleted);
    items.retain(|_| stays());
}

/// Returns a predicate for `retain`: its n-th call returns true unless `n` is among the sorted `positions`.
fn survival_filter(positions: &[usize]) -> impl FnMut() -> bool {
    debug_assert!(positions.is_sorted_by(|one, next| one < next), "positions are in order, each once");
    let mut gone = positions.iter().peekable();
    let mut at = 0;
    move || {
        let deleted = gone.next_if(|p| **p == at).is_some();
        at += 1;
        !deleted
    }
}

/// Puts the parts in another order: `from` returns the position from which a part comes.
fn reorder_parts(value: &mut Value, from: impl Fn(usize) -> usize) {
    let order = (0..part_count(value)).map(from);
    match value {
        Value::Ints(numbers) => *numbers = order.map(|at| numbers[at]).collect(),
        Value::Text(letters) => *letters = order.map(|at| letters[at]).collect(),
        Value::List(rows) => *rows = order.map(|at| rows[at].clone()).collect(),
        Value::Instances(list) => {
            let width = list.get(0).map_or(0, <[Value]>::len);
            *list = InstanceList::from_instances(width, order.map(|at| list.get(at).unwrap_or_default().to_vec()));
        }
        Value::Int(_) | Value::Block(_) => {}
    }
}

/// Swaps two parts, if there are as many.
pub(super) fn swap_parts(value: &mut Value, a: usize, b: usize) {
    if a.max(b) < part_count(value) {
        reorder_parts(value, |at| exchange_value(at, a, b));
    }
}

/// Reverses the order of the parts.
pub(super) fn reverse_parts(value: &mut Value) {
    let count = part_count(value);
    reorder_parts(value, |at| count - 1 - at);
}

/// Moves all parts by this many positions towards the end, and those beyond it to the front.
pub(super) fn rotate_parts(value: &mut Value, by: isize) {
    let count = part_count(value);
    reorder_parts(value, |at| at.wrapping_add_signed(-by).wrapping_add(count) % count);
}

/// Returns one of two values for the other, and any other value unchanged.
pub(super) fn exchange_value<T: PartialEq>(value: T, a: T, b: T) -> T {
    match value {
        value if value == a => b,
        value if value == b => a,
        value => value,
    }
}

/// Returns all pairs of different positions among `count`, the first one before the second.
pub(super) fn index_pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}
