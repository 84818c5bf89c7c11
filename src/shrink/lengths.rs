//! Lengths that several numbers decide together: `c[r-l+1]` beside `l <= r`, `len(c) = r - l + 1`, rows whose lengths stand in
//! an array.
//!
//! To delete from such an array, one of the numbers moves by as much: `r` down, or `l` up. And numbers move together, so that
//! the length stays: `l` and `r` both down, of `n + m` one down and the other up.

use super::axis::{Axis, axes_of, resize};
use super::search::{Search, Stopped};
use super::stride::stride;
use crate::format::{BlockId, Dimension, Expr, FieldId, Format, Linear, Rule, Sign};
use crate::print::print;
use crate::read::read;
use crate::value::Value;

/// Returns true if a size is a sum of several numbers, or one that falls with its number.
pub(super) fn is_shared(size: &Expr) -> bool {
    Linear::of(size).is_some_and(|sum| sum.factors.len() > 1 || sum.factors.values().any(|factor| *factor < 0))
}

/// Returns the array whose numbers are the lengths of the rows of a field, if one is said to be that.
pub(super) fn row_lengths(format: &Format, field: FieldId) -> Option<FieldId> {
    let info = format.field(field);
    let is_array =
        |other: FieldId| format.field(other).dimensions.len() == 1 && format.field(other).block == info.block;
    let mut stated = format.constraints.iter().filter_map(|constraint| match &constraint.rule {
        Rule::Compare(comparison) if comparison.sign == Sign::Equal => match (&*comparison.left, &*comparison.right) {
            ([Expr::Length(of)], [Expr::Field(other)]) | ([Expr::Field(other)], [Expr::Length(of)]) if *of == field => {
                Some(*other)
            }
            _ => None,
        },
        _ => None,
    });
    stated.find(|other| info.dimensions.len() == 2 && info.is_free() && is_array(*other))
}

/// The axes in an instance of a block that several numbers size together.
pub(super) fn shared_axes(format: &Format, block: BlockId, path: &[usize], instance: &[Value]) -> Vec<Axis> {
    let mut found = Vec::new();
    let below = |slot: usize| [path, &[slot]].concat();
    for field in format.fields_of(block) {
        let info = format.field(field);
        let size = match info.dimensions.first() {
            Some(Dimension::Size(size)) => Some(size).filter(|size| is_shared(size)),
            Some(Dimension::Free) => info.announced.as_ref(),
            None => None,
        };
        found.extend(size.map(|size| Axis::Shared { path: below(info.slot), size: size.clone() }));
        let Some(lengths) = row_lengths(format, field) else { continue };
        let rows = instance.get(info.slot).map_or(0, |rows| rows.as_list().len());
        found.extend(
            (0..rows).map(|row| Axis::Shared { path: [path, &[info.slot, row]].concat(), size: Expr::Field(lengths) }),
        );
    }
    for child in format.children(block) {
        let info = format.block(child);
        let size = info.count.times().filter(|size| is_shared(size));
        found.extend(size.map(|size| Axis::Shared { path: below(info.slot), size: size.clone() }));
    }
    found
}

/// The values that are left after a deletion: one for each number that can make up for it.
pub(super) fn without_shared(
    format: &Format,
    value: &Value,
    path: &[usize],
    size: &Expr,
    deleted: &[usize],
) -> Vec<Value> {
    let Some(sum) = Linear::of(size) else { return Vec::new() };
    let count = deleted.len() as i128;
    let mut left = Vec::new();
    // What grows with the size first: it becomes smaller.
    let mut numbers: Vec<(FieldId, i128)> = sum.factors.into_iter().filter(|(_, factor)| factor.abs() == 1).collect();
    numbers.sort_by_key(|(_, factor)| -factor);
    for (field, factor) in numbers {
        if !format.field(field).is_scalar() {
            left.extend(without_in_row(value, path, format.field(field).slot, deleted));
            continue;
        }
        let home = home_of(format, path, field);
        let Some(number) = number_in(format, value, home, field) else { continue };
        let same = |_: FieldId, _: usize| deleted.to_vec();
        left.extend(resize(format, value, home, field, number - factor * count, &same));
    }
    left.retain(|candidate| is_consistent(format, candidate));
    left
}

/// Shortens a row, and the number in the array in the given slot that tells its length.
fn without_in_row(value: &Value, path: &[usize], lengths: usize, deleted: &[usize]) -> Option<Value> {
    let [instance @ .., _, row] = path else { return None };
    let mut left = value.clone();
    let is_gone = |at: usize| deleted.binary_search(&at).is_ok();
    let mut at = 0;
    let mut stays = || {
        at += 1;
        !is_gone(at - 1)
    };
    match left.at_mut(path)? {
        Value::Ints(numbers) => numbers.retain(|_| stays()),
        Value::Text(letters) => letters.retain(|_| stays()),
        _ => return None,
    }
    let Value::Ints(lengths) = left.instance_at_mut(instance)?.get_mut(lengths)? else { return None };
    *lengths.get_mut(*row)? -= deleted.len() as i128;
    Some(left)
}

/// Moves two numbers of a size so that the size stays, the first of them nearer to its simplest.
pub(super) fn shift_together(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let format = search.format();
    for block in (0..format.blocks.len()).map(BlockId) {
        for axis in axes_of(search, block) {
            let Axis::Shared { path, size } = axis else { continue };
            let Some(sum) = Linear::of(&size) else { continue };
            let numbers: Vec<(FieldId, i128)> = sum.factors.into_iter().collect();
            for first in &numbers {
                for second in numbers.iter().filter(|second| second.0 != first.0 && second.1.abs() == 1) {
                    shift_pair(search, &path, *first, *second)?;
                }
            }
        }
    }
    Ok(())
}

fn shift_pair(
    search: &mut Search<'_, '_>,
    path: &[usize],
    (first, factor): (FieldId, i128),
    (second, other): (FieldId, i128),
) -> Result<bool, Stopped> {
    let format = search.format();
    let homes = [first, second].map(|field| home_of(format, path, field).to_vec());
    let now = |search: &Search<'_, '_>| {
        let number = |at: usize, field| number_in(format, search.best(), &homes[at], field);
        Some((number(0, first)?, number(1, second)?))
    };
    let simplest = format.field(first).range.simplest();
    let farthest = |search: &Search<'_, '_>| now(search).map_or(0, |(number, _)| (simplest - number).abs());
    let moved = |search: &Search<'_, '_>, step: i128| {
        let Some((number, partner)) = now(search) else { return Vec::new() };
        let by = step * (simplest - number).signum();
        // `other` is 1 or -1, so to multiply by it is to divide by it.
        let partner = partner - by * factor * other;
        let mut value = search.best().clone();
        for (home, field, number) in [(&homes[0], first, number + by), (&homes[1], second, partner)] {
            if let Some(place) = value.instance_at_mut(home).and_then(|slots| slots.get_mut(format.field(field).slot)) {
                *place = Value::Int(number);
            }
        }
        if is_consistent(format, &value) { vec![value] } else { Vec::new() }
    };
    stride(search, &farthest, &moved)
}

/// The path of the instance that a number is in, seen from what it sizes.
fn home_of<'p>(format: &Format, path: &'p [usize], field: FieldId) -> &'p [usize] {
    let parent = |block: &BlockId| format.block(*block).parent;
    let around = std::iter::successors(Some(format.field(field).block), parent).count() - 1;
    path.get(..2 * around).unwrap_or_default()
}

fn number_in(format: &Format, value: &Value, home: &[usize], field: FieldId) -> Option<i128> {
    value.instance_at(home)?.get(format.field(field).slot)?.as_int()
}

/// Returns true if every size of a value is what its numbers say: they may size more than was cut.
fn is_consistent(format: &Format, value: &Value) -> bool {
    read(format, &print(format, value)).as_ref() == Ok(value)
}
