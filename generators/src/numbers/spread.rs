//! How values spread over the range: evenly, by magnitude, close together, with outliers.

use super::Sequence;
use crate::choices::Choices;

pub(super) fn uniform(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let fits = s.span() >= s.len as u128;
    if s.distinct && fits { c.distinct(s.len, s.lo, s.hi) } else { s.each(|| c.range(s.lo, s.hi)) }
}

pub(super) fn log_uniform(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    s.each(|| c.log_range(s.lo, s.hi))
}

pub(super) fn near_zero(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let reach = c.range(1, 10);
    let lo = s.lo.max(s.simplest().saturating_sub(reach));
    let hi = s.hi.min(s.simplest().saturating_add(reach));
    s.each(|| c.range(lo, hi))
}

pub(super) fn permutation(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let period = s.span().saturating_add(1).min(s.len as u128);
    let last_start = s.hi.saturating_sub_unsigned(period - 1);
    let start = match c.weighted(&[3, 1, 1]) {
        0 => 1.clamp(s.lo, last_start),
        1 => s.lo,
        _ => c.range(s.lo, last_start),
    };
    let block = (0..period).map(|offset| start.saturating_add_unsigned(offset));
    let mut values: Vec<i128> = block.cycle().take(s.len).collect();
    c.shuffle(&mut values);
    values
}

pub(super) fn outliers(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let mut values = near_zero(c, s);
    for _ in 0..c.log_range(1, 1 + s.len as i128 / 8) {
        let at = c.index(s.len);
        values[at] = if c.chance(1, 2) { s.hi } else { s.lo };
    }
    values
}

/// Values for the shapes that are about order: they should tie in some files and hardly ever in others.
pub(super) fn mixed(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    match c.weighted(&[4, 2, 2, 1]) {
        0 => uniform(c, s),
        1 => log_uniform(c, s),
        2 => super::few::few_distinct(c, s),
        _ => permutation(c, s),
    }
}
