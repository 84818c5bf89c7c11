//! Order: sequences that are sorted, nearly sorted, or sorted in a way that a program does not expect.

use super::{Sequence, spread};
use crate::choices::Choices;

pub(super) fn sorted(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let mut values = spread::mixed(c, s);
    values.sort_unstable();
    values
}

pub(super) fn reversed(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let mut values = sorted(c, s);
    values.reverse();
    values
}

pub(super) fn nearly_sorted(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let mut values = sorted(c, s);
    for _ in 0..c.log_range(1, 1 + s.len as i128 / 4) {
        let at = c.index(s.len - 1);
        values.swap(at, (at + 1).min(s.len - 1));
    }
    values
}

pub(super) fn swapped_pair(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let mut values = sorted(c, s);
    let (i, j) = (c.index(s.len), c.index(s.len));
    values.swap(i, j);
    values
}

pub(super) fn rotated(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let mut values = sorted(c, s);
    let start = c.index(s.len);
    values.rotate_left(start);
    values
}

pub(super) fn interleaved(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let values = sorted(c, s);
    let (small, large) = values.split_at(s.len / 2);
    // The larger half may be one longer: it starts, and the smaller half fills the gaps.
    (0..s.len).map(|i| if i % 2 == 0 { large[i / 2] } else { small[i / 2] }).collect()
}
