//! How large things are: counts and lengths that grow over a run, and numbers that stand alone.
//!
//! Most wrong programs fail on something small, and small inputs are quick to run and to read, so a run starts tiny.
//! The limits are reached only at the end of it. No floating-point arithmetic is used: its powers differ between
//! platforms, and the same seed must build the same tests everywhere.

use crate::choices::Choices;
use crate::edges;

/// Most sizes are at most this far above the smallest one.
const NEAR: u128 = 3;

/// However little the run has grown, sizes up to this far above the smallest one occur.
const TINY: u128 = 7;

/// A size within `lo..=hi` for a run that has grown to `growth` percent.
///
/// At 0 it stays within a few steps of `lo`; the reach then grows exponentially until it meets `hi` at 100. At each
/// stage it is a mixture: the smallest sizes, the largest one in reach, and all magnitudes between.
pub fn size(c: &mut Choices, lo: i128, hi: i128, growth: u32) -> i128 {
    Sizes::new(lo, hi, growth).draw(c, |c| SizeWay::choose(c, growth))
}

/// One of the ways in which [`size`] draws.
#[derive(Clone, Copy, Debug)]
pub struct SizeWay(u8);

impl SizeWay {
    /// The largest size in reach is the more likely the further a run has grown, in percent.
    pub fn choose(c: &mut Choices, growth: u32) -> SizeWay {
        SizeWay(c.weighted(&[2, 2, 5, 5, 2, 1 + growth.min(100) / 25]) as u8)
    }
}

/// The sizes in a range that a run has grown to, worked out once for all draws.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    lo: i128,
    /// How far above the smallest one the largest is.
    far: u128,
}

impl Sizes {
    /// Those that [`size`] draws.
    #[must_use]
    pub fn new(lo: i128, hi: i128, growth: u32) -> Sizes {
        let span = if lo < hi { hi.abs_diff(lo) } else { 0 };
        Sizes { lo, far: reach(span, growth.min(100)) }
    }

    /// Returns the largest of them.
    #[must_use]
    pub fn largest(&self) -> i128 {
        self.lo.saturating_add_unsigned(self.far)
    }

    /// One of them; the way is asked for only where there is something to draw.
    #[inline]
    pub fn draw(&self, c: &mut Choices, way: impl FnOnce(&mut Choices) -> SizeWay) -> i128 {
        if self.far == 0 {
            return self.lo;
        }
        let above = match way(c).0 {
            0 => 0,
            1 => 1,
            2 => c.up_to_wide(self.far.min(NEAR)),
            3 => c.magnitude(self.far),
            4 => c.up_to_wide(self.far),
            _ => self.far,
        };
        self.lo.saturating_add_unsigned(above)
    }
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
    scalar_by(c, lo, hi, hints, |c| NumberWay::choose(c, hints))
}

/// One of the ways in which [`scalar`] draws.
#[derive(Clone, Copy, Debug)]
pub struct NumberWay(u8);

impl NumberWay {
    /// Hints are followed only if there are any.
    pub fn choose(c: &mut Choices, hints: &[i128]) -> NumberWay {
        let hinted = if hints.is_empty() { 0 } else { 3 };
        NumberWay(c.weighted(&[4, 5, 4, 1, 1, 1, hinted]) as u8)
    }
}

/// [`scalar`] in a way that was chosen before; it is asked for only where there is something to draw.
pub fn scalar_by(
    c: &mut Choices,
    lo: i128,
    hi: i128,
    hints: &[i128],
    way: impl FnOnce(&mut Choices) -> NumberWay,
) -> i128 {
    if lo >= hi {
        return lo;
    }
    let value = match way(c).0 {
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
