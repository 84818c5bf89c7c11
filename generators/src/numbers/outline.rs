//! Sequences with a given outline when plotted: sawtooth, mountain, palindrome, walk.

use super::{SequenceRequirements, distribution};
use crate::choices::Choices;

pub(super) fn sawtooth_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let period = c.draw_log_range(2, s.len.max(2) as i128);
    let (a, b) = (c.draw_range(s.lo, s.hi), c.draw_range(s.lo, s.hi));
    let (low, high) = (a.min(b), a.max(b));
    let step = (high.saturating_sub(low) / (period - 1)).max(1);
    let down = c.draw_chance(1, 2);
    let tooth: Vec<i128> = (0..period).map(|i| low.saturating_add(step * i)).collect();
    let climbs = tooth.iter().copied().cycle().take(s.len);
    if down { climbs.map(|value| high.saturating_sub(value.saturating_sub(low))).collect() } else { climbs.collect() }
}

pub(super) fn mountain_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = distribution::mixed_values(c, s);
    let (left, right) = values.split_at_mut(c.draw_index(s.len));
    left.sort_unstable();
    right.sort_unstable_by(|a, b| b.cmp(a));
    values
}

pub(super) fn valley_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = distribution::mixed_values(c, s);
    let (left, right) = values.split_at_mut(c.draw_index(s.len));
    left.sort_unstable_by(|a, b| b.cmp(a));
    right.sort_unstable();
    values
}

pub(super) fn palindrome_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = distribution::mixed_values(c, s);
    for i in 0..s.len / 2 {
        values[s.len - 1 - i] = values[i];
    }
    values
}

pub(super) fn periodic_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let period = c.draw_log_range(1, s.len as i128) as usize;
    let block = distribution::mixed_values(c, &s.with_len(period));
    block.into_iter().cycle().take(s.len).collect()
}

pub(super) fn random_walk_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let stride = c.draw_log_range(1, s.hi.saturating_sub(s.lo) / 4 + 1);
    let mut here = c.draw_range(s.lo, s.hi);
    s.repeat_value(|| {
        here = here.saturating_add(c.draw_range(-stride, stride)).clamp(s.lo, s.hi);
        here
    })
}
