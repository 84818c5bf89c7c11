//! Distances of the numbers of a range from the simplest value.

use crate::language::{FieldId, Format, Interval};

/// A range of numbers or of letter ranks, and the simplest value of the declared range.
#[derive(Clone, Copy, Debug)]
pub(super) struct DistanceSpan {
    pub(super) range: Interval,
    pub(super) simplest: i128,
}

impl DistanceSpan {
    pub(super) fn for_declared(format: &Format, field: FieldId) -> DistanceSpan {
        DistanceSpan::for_range(format, field, format.field(field).range)
    }

    /// Returns the range of a field's elements, which are within `range` if they are numbers.
    pub(super) fn for_range(format: &Format, field: FieldId, range: Interval) -> DistanceSpan {
        let info = format.field(field);
        match info.alphabet() {
            Some(letters) => DistanceSpan { range: Interval::new(0, letters.len() as i128 - 1), simplest: 0 },
            None => DistanceSpan { range: range.intersect(info.range), simplest: info.range.simplest_value() },
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.range.is_empty()
    }

    /// Returns the part of the span within a range.
    pub(super) fn restricted_to(self, range: Interval) -> DistanceSpan {
        DistanceSpan { range: self.range.intersect(range), ..self }
    }

    /// Returns the minimum distance from the simplest value.
    pub(super) fn min_distance(self) -> u128 {
        self.range.clamp_value(self.simplest).abs_diff(self.simplest)
    }

    /// Returns the maximum distance from the simplest value.
    pub(super) fn max_distance(self) -> u128 {
        self.simplest.abs_diff(self.range.lo).max(self.simplest.abs_diff(self.range.hi))
    }

    /// Returns true if no two values have the same distance.
    pub(super) fn is_one_sided(self) -> bool {
        self.range.lo >= self.simplest || self.range.hi <= self.simplest
    }

    /// Returns bounds on the sum of the distances of `count` numbers with a sum within a range. Returns `None` if
    /// no numbers have such a sum.
    pub(super) fn distances_of_sum(self, sum: Interval, count: Interval) -> Option<(u128, u128)> {
        let (a, b) = (count.lo.saturating_mul(self.simplest), count.hi.saturating_mul(self.simplest));
        // The sum minus the sum of as many simplest values.
        let over = Interval::new(sum.lo.saturating_sub(a.max(b)), sum.hi.saturating_sub(a.min(b)));
        let up = self.range.lo >= self.simplest;
        let distances = match (up, self.is_one_sided()) {
            (true, _) => over,
            (false, true) => Interval::new(over.hi.saturating_neg(), over.lo.saturating_neg()),
            (false, false) => return Some((over.clamp_value(0).unsigned_abs(), u128::MAX)),
        };
        (distances.hi >= 0).then(|| (distances.lo.max(0).unsigned_abs(), distances.hi.unsigned_abs()))
    }

    /// Returns the numbers at these distances, either above or below the simplest one.
    pub(super) fn numbers_at_distances(self, nearest: u128, farthest: u128, below: bool) -> Interval {
        let distance = |d: u128| i128::try_from(d).unwrap_or(i128::MAX);
        let (nearest, farthest) = (distance(nearest), distance(farthest));
        let numbers = if below {
            Interval::new(self.simplest.saturating_sub(farthest), self.simplest.saturating_sub(nearest.max(1)))
        } else {
            Interval::new(self.simplest.saturating_add(nearest), self.simplest.saturating_add(farthest))
        };
        self.range.intersect(numbers)
    }
}

/// Converts a letter's code to its rank, or to -1 if the code is no letter of the field. Numbers are returned
/// unchanged.
pub(super) fn letter_rank(format: &Format, field: FieldId, code: i128) -> i128 {
    match format.field(field).alphabet() {
        Some(letters) => letters.iter().position(|l| i128::from(*l) == code).map_or(-1, |rank| rank as i128),
        None => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(lo: i128, hi: i128, simplest: i128) -> DistanceSpan {
        DistanceSpan { range: Interval::new(lo, hi), simplest }
    }

    #[test]
    fn bounds_on_distances_hold_for_all_numbers_with_a_sum() {
        for span in [span(0, 4, 0), span(-4, 0, 0), span(2, 5, 2), span(-2, 3, 0), span(-5, -1, -1)] {
            let numbers = || span.range.lo..=span.range.hi;
            for (a, b) in numbers().flat_map(|a| numbers().map(move |b| (a, b))) {
                let distance = a.abs_diff(span.simplest) + b.abs_diff(span.simplest);
                let bounds = span.distances_of_sum(Interval::from_value(a + b), Interval::from_value(2));
                let (least, most) = bounds.unwrap_or((u128::MAX, 0));
                assert!(
                    least <= distance && distance <= most,
                    "{a} + {b} in {span:?}: {distance} not in {least}..{most}"
                );
            }
        }
    }

    #[test]
    fn numbers_are_found_at_their_distances() {
        let both = span(-3, 5, 0);
        assert_eq!(both.numbers_at_distances(2, 4, false), Interval::new(2, 4));
        assert_eq!(both.numbers_at_distances(2, 4, true), Interval::new(-3, -2));
        // Zero is not below itself.
        assert_eq!(both.numbers_at_distances(0, 0, false), Interval::from_value(0));
        assert!(both.numbers_at_distances(0, 0, true).is_empty());
        assert_eq!((both.min_distance(), both.max_distance()), (0, 5));
        assert!(!both.is_one_sided() && both.restricted_to(Interval::new(1, 9)).is_one_sided());
    }
}
