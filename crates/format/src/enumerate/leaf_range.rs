//! The possible values of the next leaf, in the order of their distances from the simplest.

use super::distance_span::DistanceSpan;
use super::future_ranges::FutureRanges;
use super::layout_walker::LayoutWalker;
use super::prefix::Prefix;
use super::prefix_ranges::PrefixRanges;
use super::remainder;
use super::remainder_bounds::RemainderBounds;
use crate::language::{FieldId, Interval, trim_ends};

/// The distance of a leaf from the simplest value, and whether it is below it. Leaves are ordered by this key.
pub(super) type LeafKey = (u128, bool);

/// The possible values of the next leaf: numbers, or the ranks of letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeafRange {
    pub(super) field: FieldId,
    pub(super) range: Interval,
    simplest: i128,
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
            let known = PrefixRanges { scope, prefix };
            let range = walker.pruner.remaining_range(field, &known);
            if !walker.pruner.of_field(field).decides_size || range.is_empty() {
                return range;
            }
            let fits = |part: Interval| {
                let future = FutureRanges::new(walker, &known, Some((field, part)));
                let inside = remainder::bound_inside(&future, None).elements;
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

pub(super) fn key_after(key: LeafKey) -> LeafKey {
    if key.1 { (key.0.saturating_add(1), false) } else { (key.0, true) }
}
