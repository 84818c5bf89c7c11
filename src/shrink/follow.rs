//! References from parts of a sequence to parts of the same sequence.
//!
//! In a permutation read as cycles, in a list of parents or of successors, the part that a number refers to refers on.
//! What referred to a deleted part refers to what that part referred to: a cycle becomes a shorter cycle, a chain a
//! shorter chain, and a permutation stays one.

use super::axis::references;
use crate::format::{Dimension, Expr, FieldId, Format};
use crate::value::Value;

/// The value that is left, with references followed through the deleted parts; none if nothing refers to its own kind.
pub(super) fn followed(
    format: &Format,
    before: &Value,
    renumbered: &Value,
    path: &[usize],
    size: FieldId,
    deleted: &[usize],
) -> Option<Value> {
    let mut left: Option<Value> = None;
    for (field, base) in references(format, size) {
        let info = format.field(field);
        let sized = info.dimensions[..] == [Dimension::Size(Expr::Field(size))];
        if !sized || info.block != format.field(size).block {
            continue;
        }
        let Value::Ints(numbers) = before.instance_at(path)?.get(info.slot)? else { continue };
        let again = through(numbers, base, deleted);
        let value = left.get_or_insert_with(|| renumbered.clone());
        *value.instance_at_mut(path)?.get_mut(info.slot)? = Value::Ints(again);
    }
    left
}

fn through(numbers: &[i128], base: i128, deleted: &[usize]) -> Vec<i128> {
    let is_deleted = |i: usize| deleted.binary_search(&i).is_ok();
    let position = |number: i128| usize::try_from(number - base).ok().filter(|i| *i < numbers.len());
    let follow = |start: i128| {
        let mut number = start;
        // As many steps as parts are deleted lead through all of them, or round and round.
        for _ in 0..=deleted.len() {
            match position(number).filter(|i| is_deleted(*i)) {
                Some(i) => number = numbers[i],
                None => break,
            }
        }
        let earlier = deleted.partition_point(|d| (*d as i128) < number - base) as i128;
        (number - earlier).max(base)
    };
    let kept = numbers.iter().enumerate().filter(|(i, _)| !is_deleted(*i));
    kept.map(|(_, number)| follow(*number)).collect()
}
