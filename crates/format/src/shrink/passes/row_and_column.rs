//! Deletion of row `i` and column `j` of square boards.
//!
//! Row `i` and column `i` can only be deleted together if neither is needed. A structure in one row and other
//! columns needs fewer rows than that leaves, so a row and a column at different positions are deleted as well.

use super::axes::{Axis, axes_of, axis_length};
use crate::language::{BlockId, FieldDimension, FieldId, Format};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::shrink::size_cuts::delete_from_sized;
use crate::tuning::MAX_PAIRED_SIDE;

/// Deletes different positions from two dimensions that one number sizes.
pub(super) fn delete_rows_and_columns(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let format = search.format();
    for block in (0..format.blocks.len()).map(BlockId) {
        for axis in axes_of(search, block) {
            if let Axis::Named { path, field } = &axis
                && is_square_size(format, *field)
            {
                while delete_row_and_column(search, &axis, path, *field)? {}
            }
        }
    }
    Ok(())
}

fn is_square_size(format: &Format, size: FieldId) -> bool {
    let sized = |d: &&FieldDimension| matches!(d, FieldDimension::Size(s) if s.mentions_field(size));
    format.fields.iter().any(|f| f.dimensions.iter().filter(sized).count() > 1)
}

fn delete_row_and_column(
    search: &mut ShrinkSearch<'_, '_>,
    axis: &Axis,
    path: &[usize],
    field: FieldId,
) -> Result<bool, ShrinkStopped> {
    let format = search.format();
    let Some(length) = axis_length(format, search.best_value(), axis).filter(|l| *l <= MAX_PAIRED_SIDE) else {
        return Ok(false);
    };
    for row in (0..length).rev() {
        let columns = (0..length).rev().filter(|column| *column != row);
        let without_both = |search: &ShrinkSearch<'_, '_>, column: usize| {
            let which = |_: FieldId, dimension: usize| vec![if dimension == 0 { row } else { column }];
            delete_from_sized(format, search.best_value(), path, field, 1, &which)
        };
        if search.attempt_each(columns, without_both)? {
            return Ok(true);
        }
    }
    Ok(false)
}
