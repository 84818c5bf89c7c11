//! Values for which arithmetic or a comparison fails: bounds, limits of machine integers, and the constants in the
//! submissions.

use super::{SequenceRequirements, distribution};
use crate::choices::Choices;
use crate::edge_values;

pub(super) fn extreme_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let share = c.draw_range(1, 15) as u32;
    s.repeat_value(|| if c.draw_chance(share, 16) { s.hi } else { s.lo })
}

pub(super) fn near_bound_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    s.repeat_value(|| edge_values::draw_near_bound(c, s.lo, s.hi, 2))
}

pub(super) fn maximal_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let slack = c.draw_range(0, 2);
    // The bound of larger magnitude is the upper one, except in ranges that lie below zero.
    let low_end = s.lo < 0 && (s.hi <= 0 || c.draw_chance(1, 3));
    s.repeat_value(|| {
        let step = c.draw_range(0, slack);
        if low_end { s.lo.saturating_add(step) } else { s.hi.saturating_sub(step) }
    })
}

pub(super) fn overflow_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let thresholds = edge_values::thresholds_within(s.lo, s.hi).collect::<Vec<_>>();
    if thresholds.is_empty() {
        return near_bound_values(c, s);
    }
    let same = c.draw_chance(1, 2).then(|| thresholds[c.draw_index(thresholds.len())]);
    s.repeat_value(|| {
        let threshold = same.unwrap_or_else(|| thresholds[c.draw_index(thresholds.len())]);
        threshold.saturating_add(c.draw_range(-2, 2))
    })
}

pub(super) fn overflow_sum_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let negative = s.lo < 0 && (s.hi <= 0 || c.draw_chance(1, 4));
    let largest = if negative { s.lo.saturating_neg() } else { s.hi };
    let most = largest.saturating_mul(s.len as i128);
    let reachable: Vec<i128> = edge_values::THRESHOLDS.iter().copied().filter(|limit| *limit <= most).collect();
    let Some(limit) = c.pick_item(&reachable[reachable.len().saturating_sub(4)..]).copied() else {
        return maximal_values(c, s);
    };
    let sum = limit.saturating_add(c.draw_range(-1, 1)).min(most);
    let mut values = split_sum(c, s, sum, largest);
    if negative {
        values.iter_mut().for_each(|value| *value = -*value);
    }
    c.shuffle(&mut values);
    values
}

/// Returns some values that add up to `sum`, none above `largest`, and zeros.
fn split_sum(c: &mut Choices, s: &SequenceRequirements<'_>, sum: i128, largest: i128) -> Vec<i128> {
    let fewest = (sum / largest + i128::from(sum % largest != 0)).max(1);
    let parts = c.draw_range(fewest, s.len as i128);
    let (share, larger) = (sum / parts, sum % parts);
    let mut values = vec![0; s.len];
    for (i, value) in (0..parts).zip(&mut values) {
        *value = share + i128::from(i < larger);
    }
    values
}

pub(super) fn hint_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let near = |hint: &i128| {
        (s.lo..=s.hi).contains(&hint.saturating_add(1)) || (s.lo..=s.hi).contains(&hint.saturating_sub(1))
    };
    let useful: Vec<i128> = s.hints.iter().copied().filter(near).collect();
    if useful.is_empty() {
        return distribution::mixed_values(c, s);
    }
    s.repeat_value(|| {
        if c.draw_chance(1, 8) { c.draw_range(s.lo, s.hi) } else { edge_values::draw_near_hint(c, s.lo, s.hi, &useful) }
    })
}
