//! How large things are: counts and lengths that grow over a run, and numbers that stand alone.
//!
//! Most wrong programs fail on something small, and small inputs are quick to run and to read, so a run starts tiny.
//! The limits are reached only at the end of it. No floating-point arithmetic is used: its powers differ between
//! platforms, and the same seed must build the same tests everywhere.

use crate::choices::Choices;
use crate::edges;

/// However little the run has grown, sizes up to this far above the smallest one occur.
const TINY: u128 = 3;

/// A size within `lo..=hi` for a run that has grown to `growth` percent.
///
/// At 0 it stays within a few steps of `lo`; the reach then grows exponentially until it meets `hi` at 100. At each
/// stage it is a mixture: the smallest sizes, the largest one in reach, and all magnitudes between.
pub fn size(c: &mut Choices, lo: i128, hi: i128, growth: u32) -> i128 {
    if lo >= hi {
        return lo;
    }
    let growth = growth.min(100);
    let reach = lo.saturating_add_unsigned(reach(hi.abs_diff(lo), growth));
    let near = lo.saturating_add_unsigned(TINY).min(reach);
    let from_lo = |c: &mut Choices, reach: i128| lo.saturating_add(c.log_range(0, reach.saturating_sub(lo)));
    match c.weighted(&[2, 2, 5, 5, 2, 1 + growth / 25]) {
        0 => lo,
        1 => lo + 1,
        2 => above(c, lo, near),
        3 => from_lo(c, reach),
        4 => above(c, lo, reach),
        _ => reach,
    }
}

/// Uniform in `lo..=hi`, with `lo` as the simplest.
fn above(c: &mut Choices, lo: i128, hi: i128) -> i128 {
    lo.saturating_add_unsigned(c.up_to_wide(hi.abs_diff(lo)))
}

/// How far above the smallest size a run may go: two to the power of `growth` percent of the bits of `span`, on the
/// straight line between neighbouring powers.
fn reach(span: u128, growth: u32) -> u128 {
    let hundredths = (u128::BITS - span.leading_zeros()) * growth;
    let Some(power) = 1_u128.checked_shl(hundredths / 100) else { return span };
    let between = (power / 100).saturating_mul(u128::from(hundredths % 100));
    let between = between + power % 100 * u128::from(hundredths % 100) / 100;
    power.saturating_add(between).max(TINY).min(span)
}

/// A number that stands alone within `lo..=hi`: bounds and their neighbours, the middle, any value, any magnitude,
/// the neighbourhood of `hints`, of powers of two, and of the limits of machine integers.
pub fn scalar(c: &mut Choices, lo: i128, hi: i128, hints: &[i128]) -> i128 {
    if lo >= hi {
        return lo;
    }
    let hinted = if hints.is_empty() { 0 } else { 3 };
    let value = match c.weighted(&[4, 5, 4, 1, 1, 1, hinted]) {
        0 => c.range(lo, hi),
        1 => c.log_range(lo, hi),
        2 => edges::near_a_bound(c, lo, hi, 2),
        3 => (lo / 2 + hi / 2).saturating_add(c.range(-1, 1)),
        4 => edges::near_a_power_of_two(c, lo, hi),
        5 => edges::near_a_threshold(c, lo, hi),
        _ => edges::near_a_hint(c, lo, hi, hints),
    };
    value.clamp(lo, hi)
}
