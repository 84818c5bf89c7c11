//! References from parts of a sequence to parts of the same sequence.
//!
//! In a permutation read as cycles, or in a list of parents or successors, a part that is referred to has a
//! reference itself. A reference to a deleted part is replaced by that part's own reference: a cycle becomes a
//! shorter cycle, a chain a shorter chain, and a permutation remains one.

use super::passes::axis::referring_fields;
use crate::language::{Expr, FieldDimension, FieldId, Format};
use crate::value::Value;

/// Returns the renumbered value with references followed through the deleted parts, or `None` if no field refers
/// to its own sequence.
pub(super) fn follow_references(
    format: &Format,
    before: &Value,
    renumbered: &Value,
    path: &[usize],
    size: FieldId,
    deleted: &[usize],
) -> Option<Value> {
    let mut left: Option<Value> = None;
    for (field, base) in referring_fields(format, size) {
        let info = format.field(field);
        let sized = info.dimensions[..] == [FieldDimension::Size(Expr::Field(size))];
        if !sized || info.block != format.field(size).block {
            continue;
        }
        let Value::Ints(numbers) = before.instance_at(path)?.get(info.slot)? else { continue };
        let again = follow_deleted(numbers, base, deleted);
        let value = left.get_or_insert_with(|| renumbered.clone());
        *value.instance_at_mut(path)?.get_mut(info.slot)? = Value::Ints(again);
    }
    left
}

fn follow_deleted(numbers: &[i128], base: i128, deleted: &[usize]) -> Vec<i128> {
    let is_deleted = |i: usize| deleted.binary_search(&i).is_ok();
    let position = |number: i128| usize::try_from(number - base).ok().filter(|i| *i < numbers.len());
    let follow = |start: i128| {
        let mut number = start;
        // After that many steps, the reference has left the deleted parts, or they form a cycle.
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
