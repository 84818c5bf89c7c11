//! A factor for sizes at their maximum, in thousandths.

use crate::language::Interval;

/// A factor of 1.
pub(super) const WHOLE: i128 = 1_000;

/// Returns the end of the part that a factor leaves of a range.
pub(super) fn scaled_end(range: Interval, factor: i128) -> i128 {
    let width = range.hi.saturating_sub(range.lo);
    // The order avoids an overflow in ranges of any width, and loses less than one part in a thousand.
    let part = if width > i128::MAX / WHOLE { width / WHOLE * factor } else { width * factor / WHOLE };
    range.lo.saturating_add(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_scaled_without_overflow() {
        assert_eq!(scaled_end(Interval::new(1, 1001), 500), 501);
        assert_eq!(scaled_end(Interval::new(7, 7), 500), 7);
        assert!(scaled_end(Interval::new(-(1 << 126), 1 << 126), WHOLE) <= 1 << 126);
    }
}
