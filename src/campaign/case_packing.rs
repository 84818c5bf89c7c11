//! Packs several inputs into one file, if the format has cases.

use rebut_format::generate::merge_cases;
use rebut_format::language::{BlockId, Format};
use rebut_format::validate::find_violation;
use rebut_format::value::Value;

/// Maximum number of inputs in one file.
pub(super) const MAX_PACKED_INPUTS: usize = 512;

/// Returns the maximum number of inputs of one case each that fit into one file, as far as the number of its cases
/// decides.
pub(super) fn max_inputs_per_file(format: &Format) -> usize {
    let most = format.case_count().filter(|_| can_pack_cases(format)).map_or(1, |count| format.field(count).range.hi);
    usize::try_from(most).unwrap_or(MAX_PACKED_INPUTS).clamp(1, MAX_PACKED_INPUTS)
}

/// Returns true if inputs of a format can be packed: it has cases with a count, and nothing else.
pub(super) fn can_pack_cases(format: &Format) -> bool {
    format.case_count().is_some() && format.block(BlockId(0)).slots == 2
}

/// Merges all cases of some inputs into one input, if that is valid.
pub(super) fn pack_cases(format: &Format, values: &[Value]) -> Option<Value> {
    match values {
        [one] => Some(one.clone()),
        _ => merge_cases(format, values).filter(|value| find_violation(format, value).is_none()),
    }
}
