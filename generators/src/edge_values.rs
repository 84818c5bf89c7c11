//! Single values on which programs tend to fail: bounds, powers of two, limits of machine integers, and constants from
//! the source of a submission. Both sequences and single numbers are drawn from these.

use crate::choices::Choices;

/// The limits of common integer types, of their squares and of their sums of two, and the limit of exact integers in
/// doubles.
pub(crate) const THRESHOLDS: &[i128] = &[
    1 << 7,
    1 << 8,
    1 << 15,
    1 << 16,
    46_341,
    1 << 24,
    1 << 30,
    1 << 31,
    1 << 32,
    3_037_000_500,
    1 << 53,
    1 << 62,
    1 << 63,
    1 << 64,
];

/// Draws a bound of `lo..=hi` or a value at most `off` steps inside it.
pub(crate) fn draw_near_bound(c: &mut Choices, lo: i128, hi: i128, off: i128) -> i128 {
    let step = c.draw_range(0, off);
    let value = if c.draw_chance(1, 2) { hi.saturating_sub(step) } else { lo.saturating_add(step) };
    value.clamp(lo, hi)
}

/// Draws a power of two in the range, or one of its neighbours, of either sign.
pub(crate) fn draw_near_power_of_two(c: &mut Choices, lo: i128, hi: i128) -> i128 {
    let negative = lo < 0 && (hi <= 0 || c.draw_chance(1, 2));
    let (near, far) =
        if negative { (hi.min(0).unsigned_abs(), lo.unsigned_abs()) } else { (lo.max(0) as u128, hi as u128) };
    let exponent = c.draw_range(ceil_log2(near), floor_log2(far));
    let power = 1_i128.checked_shl(exponent as u32).filter(|power| *power > 0).unwrap_or(i128::MAX);
    let power = if negative { -power } else { power };
    power.saturating_add(c.draw_range(-1, 1)).clamp(lo, hi)
}

fn floor_log2(n: u128) -> i128 {
    n.checked_ilog2().map_or(0, i128::from)
}

fn ceil_log2(n: u128) -> i128 {
    floor_log2(n) + i128::from(n > 1 && !n.is_power_of_two())
}

/// Draws a threshold in the range, or a value next to it, of either sign. Falls back to a bound if the range contains
/// no threshold.
pub(crate) fn draw_near_threshold(c: &mut Choices, lo: i128, hi: i128) -> i128 {
    if -THRESHOLDS[0] < lo && hi < THRESHOLDS[0] {
        return draw_near_bound(c, lo, hi, 2);
    }
    let index = c.draw_index(thresholds_within(lo, hi).count());
    match thresholds_within(lo, hi).nth(index) {
        Some(threshold) => threshold.saturating_add(c.draw_range(-2, 2)).clamp(lo, hi),
        None => draw_near_bound(c, lo, hi, 2),
    }
}

/// Returns the thresholds and their negatives that lie in the range.
pub(crate) fn thresholds_within(lo: i128, hi: i128) -> impl Iterator<Item = i128> {
    let signed = THRESHOLDS.iter().flat_map(|threshold| [*threshold, -threshold]);
    signed.filter(move |value| (lo..=hi).contains(value))
}

/// Draws one of `hints` or a neighbour of it, clamped to the range. Draws any value if there are no hints.
pub(crate) fn draw_near_hint(c: &mut Choices, lo: i128, hi: i128, hints: &[i128]) -> i128 {
    match c.pick_item(hints).copied() {
        Some(hint) => hint.saturating_add(c.draw_range(-1, 1)).clamp(lo, hi),
        None => c.draw_range(lo, hi),
    }
}
