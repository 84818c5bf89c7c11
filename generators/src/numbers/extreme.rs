//! Values where arithmetic or a comparison goes wrong: bounds, limits of machine integers, and the constants that the
//! submissions compare with.

use super::{Sequence, spread};
use crate::choices::Choices;
use crate::edges;

pub(super) fn extremes(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let share = c.range(1, 15) as u32;
    s.each(|| if c.chance(share, 16) { s.hi } else { s.lo })
}

pub(super) fn near_bounds(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    s.each(|| edges::near_a_bound(c, s.lo, s.hi, 2))
}

pub(super) fn maximal(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let slack = c.range(0, 2);
    // The bound of larger magnitude is the upper one, except in ranges that lie below zero.
    let low_end = s.lo < 0 && (s.hi <= 0 || c.chance(1, 3));
    s.each(|| {
        let step = c.range(0, slack);
        if low_end { s.lo.saturating_add(step) } else { s.hi.saturating_sub(step) }
    })
}

pub(super) fn overflow(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let thresholds = edges::thresholds(s.lo, s.hi).collect::<Vec<_>>();
    if thresholds.is_empty() {
        return near_bounds(c, s);
    }
    let same = c.chance(1, 2).then(|| thresholds[c.index(thresholds.len())]);
    s.each(|| {
        let threshold = same.unwrap_or_else(|| thresholds[c.index(thresholds.len())]);
        threshold.saturating_add(c.range(-2, 2))
    })
}

pub(super) fn overflow_sum(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let negative = s.lo < 0 && (s.hi <= 0 || c.chance(1, 4));
    let largest = if negative { s.lo.saturating_neg() } else { s.hi };
    let most = largest.saturating_mul(s.len as i128);
    let reachable: Vec<i128> = edges::THRESHOLDS.iter().copied().filter(|limit| *limit <= most).collect();
    let Some(limit) = c.pick(&reachable[reachable.len().saturating_sub(4)..]).copied() else {
        return maximal(c, s);
    };
    let sum = limit.saturating_add(c.range(-1, 1)).min(most);
    let mut values = shares(c, s, sum, largest);
    if negative {
        values.iter_mut().for_each(|value| *value = -*value);
    }
    c.shuffle(&mut values);
    values
}

/// Some values that add up to `sum`, none above `largest`, and zeros.
fn shares(c: &mut Choices, s: &Sequence<'_>, sum: i128, largest: i128) -> Vec<i128> {
    let fewest = (sum / largest + i128::from(sum % largest != 0)).max(1);
    let parts = c.range(fewest, s.len as i128);
    let (share, larger) = (sum / parts, sum % parts);
    let mut values = vec![0; s.len];
    for (i, value) in (0..parts).zip(&mut values) {
        *value = share + i128::from(i < larger);
    }
    values
}

pub(super) fn hints(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let near = |hint: &i128| {
        (s.lo..=s.hi).contains(&hint.saturating_add(1)) || (s.lo..=s.hi).contains(&hint.saturating_sub(1))
    };
    let useful: Vec<i128> = s.hints.iter().copied().filter(near).collect();
    if useful.is_empty() {
        return spread::mixed(c, s);
    }
    s.each(|| if c.chance(1, 8) { c.range(s.lo, s.hi) } else { edges::near_a_hint(c, s.lo, s.hi, &useful) })
}
