//! The passes of the search, each in a file. [`PASSES`] lists them in their order.

mod alternatives;
pub(super) mod arrays;
mod axes;
mod exhaustive;
mod merge;
mod pair_moves;
mod paired_deletion;
mod permutation;
pub(super) mod reorder;
mod reshape;
mod shared_lengths;
mod shared_sizes;
mod symmetry;
#[cfg(test)]
mod tests;
mod ties;
pub(super) mod values;

use super::search::ShrinkPass;

/// The passes in order. If any of them improved the value, all run again, since a later simplification can
/// enable an earlier pass.
pub(super) const PASSES: &[ShrinkPass] = &[
    ShrinkPass { name: "shorten axes", run: axes::shorten_axes },
    ShrinkPass { name: "simplify alternatives", run: alternatives::simplify_alternatives },
    ShrinkPass { name: "shorten pairs", run: paired_deletion::shorten_pairs },
    ShrinkPass { name: "merge elements", run: merge::merge_elements },
    ShrinkPass { name: "reflect values", run: reorder::reflect_values },
    ShrinkPass { name: "simplify arrays", run: arrays::simplify_arrays },
    ShrinkPass { name: "minimize values", run: values::minimize_values },
    ShrinkPass { name: "shift shared sizes", run: shared_lengths::shift_shared_sizes },
    ShrinkPass { name: "reshape boards", run: reshape::reshape_boards },
    ShrinkPass { name: "transform boards", run: symmetry::transform_boards },
    ShrinkPass { name: "close gaps", run: arrays::close_gaps },
    ShrinkPass { name: "move pairs", run: pair_moves::move_pairs },
    ShrinkPass { name: "move tied values", run: ties::move_tied_values },
    ShrinkPass { name: "trade groups", run: ties::trade_groups },
    ShrinkPass { name: "exchange values", run: pair_moves::exchange_values },
    ShrinkPass { name: "permute positions", run: permutation::permute_positions },
    ShrinkPass { name: "reorder arrays", run: reorder::reorder_arrays },
    ShrinkPass { name: "try round values", run: values::try_round_values },
    ShrinkPass { name: "place pairs", run: pair_moves::place_pairs },
    ShrinkPass { name: "try all values", run: exhaustive::try_all_values },
    ShrinkPass { name: "shorten axes fully", run: axes::shorten_axes_fully },
    ShrinkPass { name: "extrapolate round", run: ties::extrapolate_round },
    // After the extrapolation, which repeats the changes of a round: a division is not repeated.
    ShrinkPass { name: "divide by common factors", run: ties::divide_by_common_factors },
];
