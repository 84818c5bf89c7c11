//! Few different values: ties, duplicates, and the one that is not like the others.

use super::Sequence;
use crate::choices::Choices;
use crate::sizes::scalar;

pub(super) fn constant(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    vec![scalar(c, s.lo, s.hi, s.hints); s.len]
}

pub(super) fn two_values(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let pair = [scalar(c, s.lo, s.hi, s.hints), scalar(c, s.lo, s.hi, s.hints)];
    // The share of the rarer value varies, so that sometimes it is nearly alone.
    let share = c.log_range(1, 64) as u32;
    s.each(|| pair[usize::from(c.chance(share, 128))])
}

pub(super) fn few_distinct(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let count = c.range(2, 8) as usize;
    let pool: Vec<i128> = (0..count).map(|_| scalar(c, s.lo, s.hi, s.hints)).collect();
    s.each(|| pool[c.index(count)])
}

pub(super) fn one_odd(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let mut values = constant(c, s);
    let common = values[0];
    let odd = if c.chance(1, 2) { neighbour(c, s, common) } else { scalar(c, s.lo, s.hi, s.hints) };
    // The ends are where a loop goes wrong by one.
    let at = match c.weighted(&[2, 1, 1]) {
        0 => c.index(s.len),
        1 => 0,
        _ => s.len - 1,
    };
    values[at] = if odd == common { neighbour(c, s, common) } else { odd };
    values
}

/// A value next to `value`, never `value` itself. The range holds at least two.
fn neighbour(c: &mut Choices, s: &Sequence<'_>, value: i128) -> i128 {
    let upward = value == s.lo || (value < s.hi && c.chance(1, 2));
    if upward { value + 1 } else { value - 1 }
}

pub(super) fn near_duplicates(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let low = scalar(c, s.lo, s.hi - 1, s.hints);
    s.each(|| c.range(low, low + 1))
}

pub(super) fn runs(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let longest = c.log_range(2, s.len.max(2) as i128);
    let mut values = Vec::with_capacity(s.len);
    while values.len() < s.len {
        let end = values.len() + c.log_range(1, longest) as usize;
        values.resize(end.min(s.len), scalar(c, s.lo, s.hi, s.hints));
    }
    values
}
