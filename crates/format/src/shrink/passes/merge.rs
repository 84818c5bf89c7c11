//! Deletion of elements, with their values added to others.
//!
//! Where a sum must stay large, elements can only be deleted this way: their values are spread over the last remaining
//! ones, up to their bounds.

use super::axes::{Axis, axis_length, visit_axes};
use crate::language::{Field, FieldId};
use crate::shrink::ddmin::ddmin_quickly;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::shrink::size_cuts::delete_from_sized;
use crate::value::Value;

/// Deletes elements along each axis and adds their values to others, so that sums stay large.
pub(super) fn merge_elements(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    visit_axes(search, &mut |search, axis| match &axis {
        Axis::Named { path, field } => spread_deleted(search, &axis, path, *field),
        Axis::Free { .. } | Axis::Shared { .. } => Ok(()),
    })
}

/// Deletes as many elements as the others can take the values of.
fn spread_deleted(
    search: &mut ShrinkSearch<'_, '_>,
    axis: &Axis,
    path: &[usize],
    size: FieldId,
) -> Result<(), ShrinkStopped> {
    let format = search.format();
    let arrays: Vec<&Field> = format
        .fields_in_block(format.field(size).block)
        .map(|f| format.field(f))
        .filter(|f| f.dimensions.len() == 1 && f.alphabet().is_none())
        .collect();
    let Some(length) = axis_length(format, search.best_value(), axis).filter(|l| *l > 1 && !arrays.is_empty()) else {
        return Ok(());
    };
    ddmin_quickly(length, &mut |deleted| {
        let best = search.best_value();
        let spread = delete_from_sized(format, best, path, size, deleted).and_then(|mut left| {
            distribute_deleted(&arrays, best.instance_at(path)?, left.instance_at_mut(path)?, deleted).then_some(left)
        });
        search.attempt_any(spread.into_iter().collect())
    })?;
    Ok(())
}

/// Adds the deleted values of each array to its last elements, within their range. Returns true if any array
/// changed.
fn distribute_deleted(arrays: &[&Field], before: &[Value], after: &mut [Value], deleted: &[usize]) -> bool {
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
