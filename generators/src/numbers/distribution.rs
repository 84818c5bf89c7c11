//! The distribution of values over the range: uniform, by magnitude, clustered, with outliers.

use super::SequenceRequirements;
use crate::choices::Choices;

pub(super) fn uniform_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let fits = s.max_distance() >= s.len as u128;
    if s.distinct && fits { c.draw_distinct(s.len, s.lo, s.hi) } else { s.repeat_value(|| c.draw_range(s.lo, s.hi)) }
}

pub(super) fn log_uniform_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    s.repeat_value(|| c.draw_log_range(s.lo, s.hi))
}

pub(super) fn near_zero_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let reach = c.draw_range(1, 10);
    let lo = s.lo.max(s.simplest_value().saturating_sub(reach));
    let hi = s.hi.min(s.simplest_value().saturating_add(reach));
    s.repeat_value(|| c.draw_range(lo, hi))
}

pub(super) fn permutation_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let period = s.max_distance().saturating_add(1).min(s.len as u128);
    let last_start = s.hi.saturating_sub_unsigned(period - 1);
    let start = match c.draw_weighted(&[3, 1, 1]) {
        0 => 1.clamp(s.lo, last_start),
        1 => s.lo,
        _ => c.draw_range(s.lo, last_start),
    };
    let block = (0..period).map(|offset| start.saturating_add_unsigned(offset));
    let mut values: Vec<i128> = block.cycle().take(s.len).collect();
    c.shuffle(&mut values);
    values
}

pub(super) fn outlier_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let mut values = near_zero_values(c, s);
    for _ in 0..c.draw_log_range(1, 1 + s.len as i128 / 8) {
        let at = c.draw_index(s.len);
        values[at] = if c.draw_chance(1, 2) { s.hi } else { s.lo };
    }
    values
}

/// Draws values for the shapes that are about order: with many ties in some files and few in others.
pub(super) fn mixed_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    match c.draw_weighted(&[4, 2, 2, 1]) {
        0 => uniform_values(c, s),
        1 => log_uniform_values(c, s),
        2 => super::few_values::few_distinct_values(c, s),
        _ => permutation_values(c, s),
    }
}
