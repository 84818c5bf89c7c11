//! Elements go, and what they were is added to others.
//!
//! Where a sum must stay large, elements can only go like this: many at once, what they were given to the last of those
//! that stay, each up to its bound; and in short arrays one by one, each added to its neighbour.

use super::axis::{Axis, axes_of, delete, length};
use super::search::{Search, Stopped};
use super::sweep::hasty_sweep;
use crate::format::{BlockId, Field, FieldId};
use crate::value::Value;

/// Tried along axes of at most this length.
const MERGE_UP_TO: usize = 16;

/// Deletes an element and adds it to a neighbour: where a sum must stay large, elements can only go like this.
pub(super) fn merges(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let format = search.format();
    for block in (0..format.blocks.len()).map(BlockId) {
        for axis in axes_of(search, block) {
            if let Axis::Named { path, field } = &axis {
                spread(search, &axis, path, *field)?;
                while merge(search, &axis, path, *field)? {}
            }
        }
    }
    Ok(())
}

fn merge(search: &mut Search<'_, '_>, axis: &Axis, path: &[usize], size: FieldId) -> Result<bool, Stopped> {
    let format = search.format();
    let Some(length) = length(format, search.best(), axis).filter(|l| (2..=MERGE_UP_TO).contains(l)) else {
        return Ok(false);
    };
    let arrays: Vec<&Field> = format
        .fields_of(format.field(size).block)
        .map(|f| format.field(f))
        .filter(|f| f.dimensions.len() == 1)
        .collect();
    let into_neighbours = |search: &Search<'_, '_>, gone: usize| {
        let best = search.best();
        let same = |_: FieldId, _: usize| vec![gone];
        let cut = delete(format, best, path, size, 1, &same);
        let neighbours = [gone.wrapping_sub(1), gone].map(|to| {
            let mut merged = cut.clone()?;
            add_deleted(&arrays, best.instance_at(path)?, merged.instance_at_mut(path)?, gone, to).then_some(merged)
        });
        neighbours.into_iter().flatten()
    };
    search.attempt_each((0..length).rev(), into_neighbours)
}

/// Adds what stood at `gone` in each array of the instance to what stands at `to` now, as far as the range allows.
fn add_deleted(arrays: &[&Field], before: &[Value], after: &mut [Value], gone: usize, to: usize) -> bool {
    let mut added = false;
    for field in arrays {
        let (Some(Value::Ints(numbers)), Some(Value::Ints(old))) = (after.get_mut(field.slot), before.get(field.slot))
        else {
            continue;
        };
        if let (Some(place), Some(number)) = (numbers.get_mut(to), old.get(gone)) {
            *place = field.range.nearest(*place + *number);
            added = true;
        }
    }
    added
}

/// The largest set of elements whose sum the others can take.
fn spread(search: &mut Search<'_, '_>, axis: &Axis, path: &[usize], size: FieldId) -> Result<(), Stopped> {
    let format = search.format();
    let arrays: Vec<&Field> = format
        .fields_of(format.field(size).block)
        .map(|f| format.field(f))
        .filter(|f| f.dimensions.len() == 1 && f.letters().is_none())
        .collect();
    let Some(length) = length(format, search.best(), axis).filter(|l| *l > 1 && !arrays.is_empty()) else {
        return Ok(());
    };
    hasty_sweep(length, &mut |deleted| {
        let best = search.best();
        let same = |_: FieldId, _: usize| deleted.to_vec();
        let spread = delete(format, best, path, size, deleted.len(), &same).and_then(|mut left| {
            give_away(&arrays, best.instance_at(path)?, left.instance_at_mut(path)?, deleted).then_some(left)
        });
        search.attempt_any(spread.into_iter().collect())
    })?;
    Ok(())
}

/// Gives what stood at the deleted positions of each array to the last of its elements that have room. Whether any
/// array took anything.
fn give_away(arrays: &[&Field], before: &[Value], after: &mut [Value], deleted: &[usize]) -> bool {
    let mut given = false;
    for field in arrays {
        let (Some(Value::Ints(numbers)), Some(Value::Ints(old))) = (after.get_mut(field.slot), before.get(field.slot))
        else {
            continue;
        };
        let mut rest: i128 = deleted.iter().filter_map(|d| old.get(*d)).sum();
        for place in numbers.iter_mut().rev() {
            let more = (field.range.hi - *place).min(rest).max(field.range.lo - *place);
            given |= more != 0;
            *place += more;
            rest -= more;
        }
    }
    given
}
