//! Bounds on the rest of an input as data.

use crate::language::Interval;

/// Bounds on the rest of an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct RemainderBounds {
    /// Number of numbers and characters.
    pub(super) elements: Interval,
    /// Lower bound on the sum of distances; `u128::MAX` if no continuation exists.
    pub(super) min_distance: u128,
    /// Upper bound on the sum of distances.
    pub(super) max_distance: u128,
}

impl RemainderBounds {
    pub(super) const NOTHING: RemainderBounds =
        RemainderBounds { elements: Interval { lo: 0, hi: 0 }, min_distance: 0, max_distance: 0 };
    /// No continuation exists.
    pub(super) const IMPOSSIBLE: RemainderBounds =
        RemainderBounds { elements: Interval { lo: 0, hi: 0 }, min_distance: u128::MAX, max_distance: 0 };

    pub(super) fn combined_with(self, other: RemainderBounds) -> RemainderBounds {
        let sum = |a: i128, b: i128| a.saturating_add(b);
        RemainderBounds {
            elements: Interval::new(sum(self.elements.lo, other.elements.lo), sum(self.elements.hi, other.elements.hi)),
            min_distance: self.min_distance.saturating_add(other.min_distance),
            max_distance: self.max_distance.saturating_add(other.max_distance),
        }
    }

    /// Returns the bounds of `count` repetitions.
    pub(super) fn repeated_by(self, count: Interval) -> RemainderBounds {
        let count = count.intersect(Interval::NATURAL);
        if count.hi <= 0 {
            return RemainderBounds::NOTHING;
        }
        RemainderBounds {
            elements: Interval::new(
                self.elements.lo.saturating_mul(count.lo),
                self.elements.hi.saturating_mul(count.hi),
            ),
            min_distance: self.min_distance.saturating_mul(count.lo.unsigned_abs()),
            max_distance: self.max_distance.saturating_mul(count.hi.unsigned_abs()),
        }
    }

    /// Returns bounds that hold for both.
    pub(super) fn union_with(self, other: RemainderBounds) -> RemainderBounds {
        RemainderBounds {
            elements: self.elements.hull_with(other.elements),
            min_distance: self.min_distance.min(other.min_distance),
            max_distance: self.max_distance.max(other.max_distance),
        }
    }
}
