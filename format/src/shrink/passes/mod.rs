//! The passes of the search, each in a file. [`PASSES`] lists them in their order.

mod alternatives;
pub(super) mod arrays;
pub(super) mod axis;
mod compaction;
mod divisors;
mod exhaustive;
mod extrapolation;
mod merge;
mod pair_moves;
mod paired_deletion;
mod permutation;
mod reflection;
pub(super) mod reorder;
mod reshape;
mod row_and_column;
mod shared_lengths;
mod symmetry;
#[cfg(test)]
mod tests;
pub(super) mod values;

use super::search::ShrinkPass;

/// The passes in order. If any of them improved the value, all run again, since a later simplification can
/// enable an earlier pass.
pub(super) const PASSES: &[ShrinkPass] = &[
    paired_deletion::shorten_long_pairs,
    axis::shorten_axes,
    row_and_column::delete_rows_and_columns,
    alternatives::simplify_alternatives,
    paired_deletion::shorten_pairs,
    merge::merge_elements,
    reflection::reflect_values,
    arrays::simplify_arrays,
    arrays::shift_tied_fields,
    values::minimize_values,
    arrays::shift_all_fields,
    shared_lengths::shift_shared_sizes,
    reshape::reshape_boards,
    symmetry::transform_boards,
    compaction::close_gaps,
    pair_moves::move_pairs,
    permutation::permute_positions,
    reorder::reorder_arrays,
    divisors::try_round_values,
    exhaustive::try_all_values,
    axis::shorten_axes_fully,
    extrapolation::extrapolate_round,
];
