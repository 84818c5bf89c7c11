//! Sizes: counts and lengths that grow over a run, and single numbers.
//!
//! Most wrong programs fail on small inputs, and these are quick to run and to read, so a run starts with tiny sizes
//! and reaches the limits only at its end. No floating-point arithmetic is used: its powers differ between platforms,
//! and the same seed must generate the same tests everywhere.

use crate::choices::Choices;
use crate::edge_values;
use crate::tuning::{FADING_GROWTH, MAX_NEAR_OFFSET, MAX_PLAIN_OFFSET, MIN_REACH};

/// Draws a size within `lo..=hi` for a run that has grown to `growth` percent.
///
/// At 0 it stays within a few steps of `lo`; the reach then grows exponentially until it is `hi` at 100. At each stage,
/// sizes are a mixture: the smallest ones, the largest one in reach, and all magnitudes between.
pub fn draw_size(c: &mut Choices, lo: i128, hi: i128, growth: u32) -> i128 {
    SizeRange::new(lo, hi, growth).draw_with_strategy(c, &[], |c| SizeStrategy::choose_strategy(c, growth, &[]))
}

/// A strategy of [`draw_size`].
#[derive(Clone, Copy, Debug)]
pub struct SizeStrategy(u8);

impl SizeStrategy {
    /// Every size among the smallest ones is equally likely; now and then a larger one.
    pub const PLAIN: SizeStrategy = SizeStrategy(7);

    /// Draws a strategy. The largest size in reach is the more likely the further the run has grown, in percent.
    /// Hints are used only if there are any.
    pub fn choose_strategy(c: &mut Choices, growth: u32, hints: &[i128]) -> SizeStrategy {
        // The smallest inputs soon repeat.
        let smallest = if growth < FADING_GROWTH { 2 } else { 1 };
        let hinted = u32::from(!hints.is_empty());
        SizeStrategy(c.draw_weighted(&[smallest, smallest, 5, 5, 3, 1 + growth.min(100) / 25, hinted]) as u8)
    }
}

/// The sizes that are in reach of a run, computed once for all draws.
#[derive(Clone, Copy, Debug)]
pub struct SizeRange {
    lo: i128,
    /// The distance from the smallest size to the largest one.
    reach: u128,
}

impl SizeRange {
    /// Creates the range from which [`draw_size`] draws.
    #[must_use]
    pub fn new(lo: i128, hi: i128, growth: u32) -> SizeRange {
        let span = if lo < hi { hi.abs_diff(lo) } else { 0 };
        SizeRange { lo, reach: size_reach(span, growth.min(100)) }
    }

    /// Returns the largest size.
    #[must_use]
    pub fn max_size(&self) -> i128 {
        self.lo.saturating_add_unsigned(self.reach)
    }

    /// Draws a size. The strategy is requested only if there is more than one size.
    #[inline]
    pub fn draw_with_strategy(
        &self,
        c: &mut Choices,
        hints: &[i128],
        choose: impl FnOnce(&mut Choices) -> SizeStrategy,
    ) -> i128 {
        if self.reach == 0 {
            return self.lo;
        }
        let above = match choose(c).0 {
            0 => 0,
            1 => 1,
            2 => c.draw_up_to_wide(self.reach.min(MAX_NEAR_OFFSET)),
            3 => c.draw_magnitude(self.reach),
            4 => c.draw_up_to_wide(self.reach),
            5 => self.reach,
            6 => edge_values::draw_near_hint(c, self.lo, self.max_size(), hints).abs_diff(self.lo),
            _ if c.draw_chance(1, 4) => c.draw_magnitude(self.reach.min(MAX_PLAIN_OFFSET)),
            _ => c.draw_up_to_wide(self.reach.min(MIN_REACH)),
        };
        self.lo.saturating_add_unsigned(above)
    }
}

/// Returns the largest distance from the smallest size: two to the power of `growth` percent of the bits of `span`,
/// with linear interpolation between powers.
fn size_reach(span: u128, growth: u32) -> u128 {
    let hundredths = (u128::BITS - span.leading_zeros()) * growth;
    let Some(power) = 1_u128.checked_shl(hundredths / 100) else { return span };
    let between = (power / 100).saturating_mul(u128::from(hundredths % 100));
    let between = between + power % 100 * u128::from(hundredths % 100) / 100;
    power.saturating_add(between).max(MIN_REACH).min(span)
}

/// Draws a single number within `lo..=hi`: bounds and their neighbours, the middle, any value, any magnitude, and
/// neighbours of `hints`, of powers of two, and of the limits of machine integers.
pub fn draw_scalar(c: &mut Choices, lo: i128, hi: i128, hints: &[i128]) -> i128 {
    draw_scalar_with(c, lo, hi, hints, |c| ScalarStrategy::choose_strategy(c, hints))
}

/// A strategy of [`draw_scalar`].
#[derive(Clone, Copy, Debug)]
pub struct ScalarStrategy(u8);

impl ScalarStrategy {
    /// Every number of the range is equally likely.
    pub const UNIFORM: ScalarStrategy = ScalarStrategy(0);

    /// Draws a strategy. Hints are used only if there are any.
    pub fn choose_strategy(c: &mut Choices, hints: &[i128]) -> ScalarStrategy {
        let hinted = if hints.is_empty() { 0 } else { 3 };
        ScalarStrategy(c.draw_weighted(&[4, 5, 4, 1, 1, 1, hinted]) as u8)
    }

    /// Draws a strategy for numbers near the ends or the middle of their range.
    pub fn choose_extreme_strategy(c: &mut Choices) -> ScalarStrategy {
        ScalarStrategy(c.draw_weighted(&[0, 0, 3, 1]) as u8)
    }
}

/// Like [`draw_scalar`], with a given strategy. It is requested only if the range has more than one value.
pub fn draw_scalar_with(
    c: &mut Choices,
    lo: i128,
    hi: i128,
    hints: &[i128],
    choose: impl FnOnce(&mut Choices) -> ScalarStrategy,
) -> i128 {
    if lo >= hi {
        return lo;
    }
    let value = match choose(c).0 {
        0 => c.draw_range(lo, hi),
        1 => c.draw_log_range(lo, hi),
        2 => edge_values::draw_near_bound(c, lo, hi, 2),
        3 => (lo / 2 + hi / 2).saturating_add(c.draw_range(-1, 1)),
        4 => edge_values::draw_near_power_of_two(c, lo, hi),
        5 => edge_values::draw_near_threshold(c, lo, hi),
        _ => edge_values::draw_near_hint(c, lo, hi, hints),
    };
    value.clamp(lo, hi)
}
