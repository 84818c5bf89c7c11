//! Bounds on the rest of an input as data.

use super::distance_span::DistanceSpan;
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

    /// Returns the bounds of one element.
    pub(super) fn of_element(span: DistanceSpan) -> RemainderBounds {
        RemainderBounds {
            elements: Interval::from_value(1),
            min_distance: span.min_distance(),
            max_distance: span.max_distance(),
        }
    }

    pub(super) fn combined_with(self, other: RemainderBounds) -> RemainderBounds {
        RemainderBounds {
            elements: self.elements.sum_with(other.elements),
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

impl std::iter::Sum for RemainderBounds {
    fn sum<I: Iterator<Item = RemainderBounds>>(bounds: I) -> RemainderBounds {
        bounds.fold(RemainderBounds::NOTHING, RemainderBounds::combined_with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_multiply_and_saturate() {
        let each = RemainderBounds { elements: Interval::new(1, 2), min_distance: 3, max_distance: u128::MAX };
        let three = each.repeated_by(Interval::new(2, 3));
        assert_eq!((three.elements, three.min_distance, three.max_distance), (Interval::new(2, 6), 6, u128::MAX));
        assert_eq!(each.repeated_by(Interval::new(-5, 0)).elements, Interval::from_value(0));
        // What is impossible stays impossible together with anything else.
        let both = RemainderBounds::IMPOSSIBLE.combined_with(each);
        assert_eq!(both.min_distance, u128::MAX);
        let either = RemainderBounds::IMPOSSIBLE.union_with(each);
        assert_eq!((either.elements, either.min_distance), (Interval::new(0, 2), 3));
    }
}
