//! Few different values: ties, duplicates, and one value that differs from all others.

use super::SequenceRequirements;
use crate::choices::Choices;
use crate::sizes::draw_scalar;

pub(super) fn constant_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    vec![draw_scalar(c, s.lo, s.hi, s.hints); s.len]
}

pub(super) fn two_value_mix(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let pair = [draw_scalar(c, s.lo, s.hi, s.hints), draw_scalar(c, s.lo, s.hi, s.hints)];
    // The share of the rarer value varies, so that in some files it is nearly absent.
    let share = c.draw_log_range(1, 64) as u32;
    s.repeat_value(|| pair[usize::from(c.draw_chance(share, 128))])
}

pub(super) fn few_distinct_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let count = c.draw_range(2, 8) as usize;
    let pool: Vec<i128> = (0..count).map(|_| draw_scalar(c, s.lo, s.hi, s.hints)).collect();
    s.repeat_value(|| pool[c.draw_index(count)])
}

pub(super) fn one_odd_value(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = constant_values(c, s);
    let common = values[0];
    let odd = if c.draw_chance(1, 2) { neighbour_value(c, s, common) } else { draw_scalar(c, s.lo, s.hi, s.hints) };
    // Off-by-one errors of loops show at the ends.
    let at = match c.draw_weighted(&[2, 1, 1]) {
        0 => c.draw_index(s.len),
        1 => 0,
        _ => s.len - 1,
    };
    values[at] = if odd == common { neighbour_value(c, s, common) } else { odd };
    values
}

/// Returns a value next to `value`, which is never `value` itself. The range contains at least two values.
fn neighbour_value(c: &mut Choices, s: &SequenceRequirements<'_>, value: i128) -> i128 {
    let upward = value == s.lo || (value < s.hi && c.draw_chance(1, 2));
    if upward { value + 1 } else { value - 1 }
}

pub(super) fn near_duplicate_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let low = draw_scalar(c, s.lo, s.hi - 1, s.hints);
    s.repeat_value(|| c.draw_range(low, low + 1))
}

pub(super) fn run_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let longest = c.draw_log_range(2, s.len.max(2) as i128);
    let mut values = Vec::with_capacity(s.len);
    while values.len() < s.len {
        let end = values.len() + c.draw_log_range(1, longest) as usize;
        values.resize(end.min(s.len), draw_scalar(c, s.lo, s.hi, s.hints));
    }
    values
}
