//! Square boards lose row `i` and column `j`.
//!
//! A line that lies in one row and other columns needs no square of their union.

use super::axis::{Axis, axes_of, delete, length};
use super::search::{Search, Stopped};
use crate::format::{BlockId, Dimension, FieldId, Format};

/// Tried when the side is at most this.
const CROSS_UP_TO: usize = 16;

/// Deletes different positions from two dimensions that one number sizes.
pub(super) fn crossings(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let format = search.format();
    for block in (0..format.blocks.len()).map(BlockId) {
        for axis in axes_of(search, block) {
            if let Axis::Named { path, field } = &axis
                && is_square(format, *field)
            {
                while cross(search, &axis, path, *field)? {}
            }
        }
    }
    Ok(())
}

fn is_square(format: &Format, size: FieldId) -> bool {
    let sized = |d: &&Dimension| matches!(d, Dimension::Size(s) if s.mentions(size));
    format.fields.iter().any(|f| f.dimensions.iter().filter(sized).count() > 1)
}

fn cross(search: &mut Search<'_, '_>, axis: &Axis, path: &[usize], field: FieldId) -> Result<bool, Stopped> {
    let format = search.format();
    let Some(length) = length(format, search.best(), axis).filter(|l| *l <= CROSS_UP_TO) else { return Ok(false) };
    for row in (0..length).rev() {
        let columns = (0..length).rev().filter(|column| *column != row);
        let without_both = |search: &Search<'_, '_>, column: usize| {
            let which = |_: FieldId, dimension: usize| vec![if dimension == 0 { row } else { column }];
            delete(format, search.best(), path, field, 1, &which)
        };
        if search.attempt_each(columns, without_both)? {
            return Ok(true);
        }
    }
    Ok(false)
}
