//! Several inputs in one file, where the format has cases.

use crate::format::{BlockId, Format};
use crate::generate::merge;
use crate::validate::violation;
use crate::value::Value;

/// So many inputs are packed into one file.
pub(super) const PACK: usize = 512;

/// So many inputs of one case each fit into one file, as far as the number of its cases decides.
pub(super) fn most_together(format: &Format) -> usize {
    let most = format.case_count().filter(|_| packs(format)).map_or(1, |count| format.field(count).range.hi);
    usize::try_from(most).unwrap_or(PACK).clamp(1, PACK)
}

/// Whether inputs of a format can be packed: it has cases that a number counts, and nothing beside them.
pub(super) fn packs(format: &Format) -> bool {
    format.case_count().is_some() && format.block(BlockId(0)).slots == 2
}

/// All cases of some inputs as one input, if that is valid.
pub(super) fn pack(format: &Format, values: &[Value]) -> Option<Value> {
    match values {
        [one] => Some(one.clone()),
        _ => merge(format, values).filter(|value| violation(format, value).is_none()),
    }
}
