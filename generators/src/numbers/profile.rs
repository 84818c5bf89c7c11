//! Profiles: what the sequence looks like when it is drawn as a line.

use super::{Sequence, spread};
use crate::choices::Choices;

pub(super) fn sawtooth(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let period = c.log_range(2, s.len.max(2) as i128);
    let (a, b) = (c.range(s.lo, s.hi), c.range(s.lo, s.hi));
    let (low, high) = (a.min(b), a.max(b));
    let step = (high.saturating_sub(low) / (period - 1)).max(1);
    let down = c.chance(1, 2);
    let tooth: Vec<i128> = (0..period).map(|i| low.saturating_add(step * i)).collect();
    let climbs = tooth.iter().copied().cycle().take(s.len);
    if down { climbs.map(|value| high.saturating_sub(value.saturating_sub(low))).collect() } else { climbs.collect() }
}

pub(super) fn mountain(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let mut values = spread::mixed(c, s);
    let (left, right) = values.split_at_mut(c.index(s.len));
    left.sort_unstable();
    right.sort_unstable_by(|a, b| b.cmp(a));
    values
}

pub(super) fn valley(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let mut values = spread::mixed(c, s);
    let (left, right) = values.split_at_mut(c.index(s.len));
    left.sort_unstable_by(|a, b| b.cmp(a));
    right.sort_unstable();
    values
}

pub(super) fn palindrome(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let mut values = spread::mixed(c, s);
    for i in 0..s.len / 2 {
        values[s.len - 1 - i] = values[i];
    }
    values
}

pub(super) fn periodic(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let period = c.log_range(1, s.len as i128) as usize;
    let block = spread::mixed(c, &s.with_len(period));
    block.into_iter().cycle().take(s.len).collect()
}

pub(super) fn walk(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let stride = c.log_range(1, s.hi.saturating_sub(s.lo) / 4 + 1);
    let mut here = c.range(s.lo, s.hi);
    s.each(|| {
        here = here.saturating_add(c.range(-stride, stride)).clamp(s.lo, s.hi);
        here
    })
}
