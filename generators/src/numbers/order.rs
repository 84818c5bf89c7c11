//! Sequences that are sorted, nearly sorted, or sorted in an unexpected way.

use super::{SequenceRequirements, distribution};
use crate::choices::Choices;

pub(super) fn sorted_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = distribution::mixed_values(c, s);
    values.sort_unstable();
    values
}

pub(super) fn reversed_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = sorted_values(c, s);
    values.reverse();
    values
}

pub(super) fn nearly_sorted_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = sorted_values(c, s);
    for _ in 0..c.draw_log_range(1, 1 + s.len as i128 / 4) {
        let at = c.draw_index(s.len - 1);
        values.swap(at, (at + 1).min(s.len - 1));
    }
    values
}

pub(super) fn swapped_pair_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = sorted_values(c, s);
    let (i, j) = (c.draw_index(s.len), c.draw_index(s.len));
    values.swap(i, j);
    values
}

pub(super) fn rotated_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = sorted_values(c, s);
    let start = c.draw_index(s.len);
    values.rotate_left(start);
    values
}

pub(super) fn interleaved_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let values = sorted_values(c, s);
    let (small, large) = values.split_at(s.len / 2);
    // The larger half can have one more value: it starts, and the smaller half fills the gaps.
    (0..s.len).map(|i| if i % 2 == 0 { large[i / 2] } else { small[i / 2] }).collect()
}
