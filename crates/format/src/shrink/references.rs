//! References from parts of a sequence to parts of the same sequence.
//!
//! In a permutation read as cycles, or in a list of parents or successors, a part that is referred to has a
//! reference itself. A reference to a deleted part is replaced by that part's own reference: a cycle becomes a
//! shorter cycle, a chain a shorter chain, and a permutation remains one.

use crate::generate::GenerationPlan;
use crate::language::{ComparisonOperator, Expr, FieldDimension, FieldId, Format};
use crate::value::{Value, visit_leaves};

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

/// Renumbers all references to parts counted by `size`. A reference to a deleted part moves to the part before
/// it.
pub(super) fn renumber_references(
    format: &Format,
    value: &Value,
    path: &[usize],
    size: FieldId,
    deleted: &[usize],
) -> Value {
    let mut renumbered = value.clone();
    map_references(format, &mut renumbered, path, &referring_fields(format, size), &|number, first| {
        let before = deleted.partition_point(|d| (*d as i128) < number - first) as i128;
        let gone = usize::try_from(number - first).is_ok_and(|i| deleted.binary_search(&i).is_ok());
        (number - before - i128::from(gone)).max(first)
    });
    renumbered
}

/// Changes the references below a path. `map` gets each number, and the number of the first part.
pub(super) fn map_references(
    format: &Format,
    value: &mut Value,
    path: &[usize],
    references: &[(FieldId, i128)],
    map: &dyn Fn(i128, i128) -> i128,
) {
    let mut changes: Vec<(Vec<usize>, Value)> = Vec::new();
    visit_leaves(format, value, &mut |at, field, leaf| {
        let Some((_, first)) = references.iter().find(|(f, _)| *f == field).filter(|_| at.starts_with(path)) else {
            return;
        };
        match leaf {
            Value::Int(number) => changes.push((at.to_vec(), Value::Int(map(*number, *first)))),
            Value::Ints(numbers) => {
                changes.push((at.to_vec(), Value::Ints(numbers.iter().map(|n| map(*n, *first)).collect())));
            }
            _ => {}
        }
    });
    for (at, leaf) in changes {
        if let Some(place) = value.value_at_mut(&at) {
            *place = leaf;
        }
    }
}

/// Replaces distinct references by their ranks, so that a permutation that loses an element remains one, in the
/// same order.
pub(super) fn rerank_permutations(
    plan: &GenerationPlan<'_>,
    mut renumbered: Value,
    cut: &Value,
    path: &[usize],
    size: FieldId,
) -> Value {
    let format = plan.format;
    for (field, base) in referring_fields(format, size) {
        let info = format.field(field);
        if !plan.is_distinct(field) || info.block != format.field(size).block {
            continue;
        }
        let slot_of = |value: &Value| value.instance_at(path)?.get(info.slot).cloned();
        let Some(Value::Ints(numbers)) = slot_of(cut) else { continue };
        let mut order = numbers.clone();
        order.sort_unstable();
        let rank = |n: &i128| base + order.partition_point(|o| o < n) as i128;
        let again = numbers.iter().map(rank).collect();
        if let Some(place) = renumbered.instance_at_mut(path).and_then(|slots| slots.get_mut(info.slot)) {
            *place = Value::Ints(again);
        }
    }
    renumbered
}

/// Returns the fields that refer to parts counted by `size`, with the number of the first part. These are the
/// fields bounded by the size, starting from 0 or 1, and those bounded by such a field (`1 <= l <= r <= n`).
pub(super) fn referring_fields(format: &Format, size: FieldId) -> Vec<(FieldId, i128)> {
    let mut found = Vec::new();
    loop {
        let before = found.len();
        for comparison in format.comparisons() {
            let Some((Expr::Field(field), sign, Expr::Field(bound))) = comparison.upper_bound() else { continue };
            let base = format.field(*field).range.lo;
            let bounded = match sign {
                ComparisonOperator::LessEqual if *bound == size => base == 1,
                ComparisonOperator::Less if *bound == size => base == 0,
                _ => found.contains(&(*bound, base)),
            };
            if bounded && *field != size && !found.iter().any(|(f, _)| f == field) {
                found.push((*field, base));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use rebut_diagnostics::SourceText;

    fn parse_format(text: &str) -> Format {
        Format::parse(&SourceText::new("test", text)).unwrap().0
    }

    #[test]
    fn fields_refer_to_what_bounds_them() {
        let format =
            parse_format("n q\np[n]\nrepeat q:\n  l r\nwhere:\n  1 <= n, q <= 9\n  1 <= l <= r <= n\n  0 <= p < n");
        let found = referring_fields(&format, FieldId(0));
        let names: Vec<(&str, i128)> = found.iter().map(|(f, base)| (format.field(*f).name.as_str(), *base)).collect();
        assert_eq!(names, [("r", 1), ("p", 0), ("l", 1)]);
    }

    #[test]
    fn references_follow_deleted_parts() {
        // The cycle 1 -> 2 -> 3 -> 1 without its second part.
        assert_eq!(follow_deleted(&[2, 3, 1], 1, &[1]), [2, 1]);
        // A part that refers to itself refers to a part that stays.
        assert_eq!(follow_deleted(&[1, 2, 3], 1, &[0]), [1, 2]);
        // A cycle of deleted parts ends.
        assert_eq!(follow_deleted(&[2, 1, 1], 1, &[0, 1]), [1]);
    }

    #[test]
    fn later_references_are_renumbered() {
        let format = parse_format("n; p[n] where 1 <= n <= 9; 1 <= p <= n");
        let value = Value::Block(vec![Value::Int(3), Value::Ints(vec![4, 1, 2])]);
        let renumbered = renumber_references(&format, &value, &[], FieldId(0), &[1]);
        assert_eq!(renumbered.instance_at(&[]).unwrap()[1], Value::Ints(vec![3, 1, 1]));
    }
}
