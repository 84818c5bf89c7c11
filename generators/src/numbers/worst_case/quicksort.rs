//! Sequences that a quicksort with a fixed rule for its pivot splits as badly as possible.
//!
//! Both are built backwards, from the sorted sequence: of the range `0..=last` the largest values go where the rule looks
//! for the pivot, so that the partition only moves them to the end and leaves the next smaller range.

use crate::choices::Choices;
use crate::numbers::SequenceRequirements;

pub(super) fn anti_middle_pivot_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = ascending_values(c, s);
    for last in 1..values.len() {
        values.swap(last / 2, last);
    }
    values
}

pub(super) fn anti_median_pivot_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = ascending_values(c, s);
    // Each partition takes off the largest two values.
    let first_end = if values.len().is_multiple_of(2) { 3 } else { 2 };
    for last in (first_end..values.len()).step_by(2) {
        values.swap(last / 2, last - 1);
    }
    values
}

/// Returns ascending values, different ones if the range has enough.
fn ascending_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let steps = (s.len as i128 - 1).max(1);
    let distance = s.hi.saturating_sub(s.lo);
    let step = distance / steps;
    if step == 0 {
        return (0..s.len as i128).map(|rank| s.lo.saturating_add(rank.saturating_mul(distance) / steps)).collect();
    }
    let start = if c.draw_chance(1, 2) { s.lo } else { s.simplest_value().min(s.hi.saturating_sub(steps)) };
    (0..s.len as i128).map(|rank| start.saturating_add(rank)).collect()
}
