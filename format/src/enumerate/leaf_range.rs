//! The possible values of the next leaf, in the order of their distances from the simplest.

use super::future_ranges::FutureRanges;
use super::layout_walker::LayoutWalker;
use super::prefix::Prefix;
use super::prefix_ranges::PrefixRanges;
use super::remainder::{self, RemainderBounds};
use crate::language::{FieldId, Format, Interval, trim_ends};

/// The distance of a leaf from the simplest value, and whether it is below it. Leaves are ordered by this key.
pub(super) type LeafKey = (u128, bool);

/// The possible values of the next leaf: numbers, or the ranks of letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafRange {
    pub(super) field: FieldId,
    pub(super) range: Interval,
    simplest: i128,
}

/// A range of numbers or of letter ranks, and the simplest value of the declared range.
#[derive(Clone, Copy, Debug)]
pub(super) struct DistanceSpan {
    pub(super) range: Interval,
    pub(super) simplest: i128,
}

impl DistanceSpan {
    /// Returns the declared range of a field.
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

impl LeafRange {
    /// Returns the next leaf of a prefix, with `elements` left for it and all later ones, of which `beyond` lie
    /// outside the innermost open instance. Returns `None` if no number fits.
    pub(super) fn for_prefix(
        walker: &LayoutWalker<'_>,
        prefix: &Prefix,
        elements: i128,
        beyond: &RemainderBounds,
    ) -> Option<LeafRange> {
        let field = prefix.next?;
        let info = walker.format.field(field);
        if info.alphabet().is_some() {
            let DistanceSpan { range, simplest } = DistanceSpan::for_declared(walker.format, field);
            return Some(LeafRange { field, range, simplest });
        }
        let range = prefix.with_innermost(walker.format, |scope| {
            let known = PrefixRanges { scope, spine: &prefix.spine };
            let range = walker.pruner.remaining_range(field, &known);
            if !walker.pruner.decides_size(field) || range.is_empty() {
                return range;
            }
            let fits = |part: Interval| {
                let future = FutureRanges::new(walker, &known, Some((field, part)));
                let inside = remainder::bound_inside(walker, prefix, scope, &future, None).elements;
                inside.lo.saturating_add(beyond.elements.lo) <= elements
                    && elements <= inside.hi.saturating_add(beyond.elements.hi)
            };
            trim_range(range, &fits)
        });
        (!range.is_empty()).then_some(LeafRange { field, range, simplest: info.range.simplest_value() })
    }

    /// Returns the possible values.
    pub(super) fn distance_span(&self) -> DistanceSpan {
        DistanceSpan { range: self.range, simplest: self.simplest }
    }

    /// Returns the first key, starting at `from`, that has a value.
    pub(super) fn next_key(&self, from: LeafKey) -> Option<LeafKey> {
        let (lo, hi, simplest) = (self.range.lo, self.range.hi, self.simplest);
        let (distance, below) = from;
        let up = (hi >= simplest).then(|| {
            let first = distance.saturating_add(u128::from(below)).max(lo.max(simplest).abs_diff(simplest));
            (first <= hi.abs_diff(simplest)).then_some((first, false))
        });
        let down = (lo < simplest).then(|| {
            let first = distance.max(1).max(hi.min(simplest - 1).abs_diff(simplest));
            (first <= lo.abs_diff(simplest)).then_some((first, true))
        });
        up.flatten().into_iter().chain(down.flatten()).min()
    }

    /// Returns the number, or the code of the letter, at a key.
    #[expect(clippy::expect_used, reason = "keys come from ranges of numbers that are no larger than `LARGEST`")]
    pub(super) fn code_at_key(&self, walker: &LayoutWalker<'_>, key: LeafKey) -> i128 {
        let distance = i128::try_from(key.0).expect("a distance between numbers is a number");
        let number = if key.1 { self.simplest - distance } else { self.simplest.saturating_add(distance) };
        self.code_of_number(walker, number)
    }

    /// Converts a letter's rank to its code. Numbers are returned unchanged.
    #[expect(clippy::expect_used, reason = "the range of a text's leaf is that of the ranks of its letters")]
    pub(super) fn code_of_number(&self, walker: &LayoutWalker<'_>, number: i128) -> i128 {
        match walker.format.field(self.field).alphabet() {
            Some(letters) => {
                let letter = usize::try_from(number).ok().and_then(|rank| letters.get(rank));
                i128::from(*letter.expect("each rank in the range has a letter"))
            }
            None => number,
        }
    }
}

/// Trims the values that cannot hold from both ends of a range. If few elements remain, sizes are mostly small, so
/// the upper end is found by doubling steps.
fn trim_range(range: Interval, can_hold: &impl Fn(Interval) -> bool) -> Interval {
    let (mut top, mut step) = (range.hi, 1);
    while let from = range.lo.saturating_add(step)
        && from <= top
    {
        if !can_hold(Interval::new(from, top)) {
            top = from - 1;
        }
        step = step.saturating_mul(2);
    }
    trim_ends(Interval::new(range.lo, top), can_hold)
}

/// Returns the key after this one.
pub(super) fn key_after(key: LeafKey) -> LeafKey {
    if key.1 { (key.0.saturating_add(1), false) } else { (key.0, true) }
}
