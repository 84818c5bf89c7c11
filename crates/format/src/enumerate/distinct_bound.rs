//! Bounds for elements that must be distinct: each uses up one of the small distances, so later ones cannot all be
//! near. Without these bounds, every order of the first numbers of a permutation would be tried at every sum of
//! distances below the only possible one.

use super::layout_walker::LayoutWalker;
use super::leaf_range::LeafRange;
use super::prefix::Prefix;
use crate::tuning::MAX_DISTINCT_RANGE_WIDTH;
use crate::value::{Value, evaluate_number};

/// Returns bounds on the sum of the distances of all remaining elements of the next leaf's array, the next one included. Returns
/// `None` if its elements need not differ or its range is wide.
pub(super) fn distinct_distances(walker: &LayoutWalker<'_>, prefix: &Prefix, leaf: &LeafRange) -> Option<(u128, u128)> {
    let info = walker.format.field(leaf.field);
    let [size] = &*info.dimensions else { return None };
    if !walker.plan.is_distinct(leaf.field) || leaf.range.hi - leaf.range.lo >= MAX_DISTINCT_RANGE_WIDTH {
        return None;
    }
    let (chosen, count) = prefix.with_innermost(walker.format, |scope| {
        let crate::language::FieldDimension::Size(size) = size else { return None };
        match (scope.slot_value(info.slot), evaluate_number(size, scope)) {
            (Some(Value::Ints(chosen)), Ok(count)) => Some((chosen.clone(), count)),
            _ => None,
        }
    })?;
    let left = usize::try_from(count).ok()?.checked_sub(chosen.len())?;
    let mut distances: Vec<u128> = (leaf.range.lo..=leaf.range.hi)
        .filter(|number| !chosen.contains(number))
        .map(|number| number.abs_diff(info.range.simplest_value()))
        .collect();
    distances.sort_unstable();
    let nearest = if distances.len() < left { u128::MAX } else { distances.iter().take(left).sum() };
    let farthest: u128 = distances.iter().rev().take(left).sum();
    Some((nearest, farthest))
}
