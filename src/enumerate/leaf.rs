//! What the next leaf can be, in the order of distances from the simplest.

use super::known::Known;
use super::outlook::Outlook;
use super::prefix::Prefix;
use super::rest::{self, Rest};
use super::walk::Walk;
use crate::format::{FieldId, Format, Interval, ends};

/// A distance from the simplest, and whether it is below it: leaves are compared by this.
pub(super) type Key = (u128, bool);

/// What the next leaf of a prefix can be: numbers, or the ranks of letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) field: FieldId,
    pub(super) range: Interval,
    simplest: i128,
}

/// A range of numbers, or of the ranks of letters, and the simplest of what is stated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) range: Interval,
    pub(super) simplest: i128,
}

impl Span {
    /// All that is stated of a field.
    pub(super) fn stated(format: &Format, field: FieldId) -> Span {
        Span::of(format, field, format.field(field).range)
    }

    /// The elements of a field, if they are numbers within a range.
    pub(super) fn of(format: &Format, field: FieldId, range: Interval) -> Span {
        let info = format.field(field);
        match info.letters() {
            Some(letters) => Span { range: Interval::new(0, letters.len() as i128 - 1), simplest: 0 },
            None => Span { range: range.intersect(info.range), simplest: info.range.simplest() },
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.range.is_empty()
    }

    /// What of it is within a range, too.
    pub(super) fn within(self, range: Interval) -> Span {
        Span { range: self.range.intersect(range), ..self }
    }

    /// The least distance from the simplest.
    pub(super) fn nearest(self) -> u128 {
        self.range.nearest(self.simplest).abs_diff(self.simplest)
    }

    /// The largest distance from the simplest.
    pub(super) fn farthest(self) -> u128 {
        self.simplest.abs_diff(self.range.lo).max(self.simplest.abs_diff(self.range.hi))
    }

    /// Whether no two numbers have the same distance.
    pub(super) fn is_one_sided(self) -> bool {
        self.range.lo >= self.simplest || self.range.hi <= self.simplest
    }

    /// The least and the largest sum of the distances of so many numbers of which the sum is within a range; none if there
    /// are no such numbers.
    pub(super) fn distances_of_sum(self, sum: Interval, count: Interval) -> Option<(u128, u128)> {
        let (a, b) = (count.lo.saturating_mul(self.simplest), count.hi.saturating_mul(self.simplest));
        // The sum of all, less the sum if each of them were the simplest.
        let over = Interval::new(sum.lo.saturating_sub(a.max(b)), sum.hi.saturating_sub(a.min(b)));
        let up = self.range.lo >= self.simplest;
        let distances = match (up, self.is_one_sided()) {
            (true, _) => over,
            (false, true) => Interval::new(over.hi.saturating_neg(), over.lo.saturating_neg()),
            (false, false) => return Some((over.nearest(0).unsigned_abs(), u128::MAX)),
        };
        (distances.hi >= 0).then(|| (distances.lo.max(0).unsigned_abs(), distances.hi.unsigned_abs()))
    }

    /// The numbers that are so far away, above or below the simplest.
    pub(super) fn at_distances(self, nearest: u128, farthest: u128, below: bool) -> Interval {
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

/// A number as it is, the rank of a letter's code; -1 for what is no letter of the field.
pub(super) fn rank(format: &Format, field: FieldId, code: i128) -> i128 {
    match format.field(field).letters() {
        Some(letters) => letters.iter().position(|l| i128::from(*l) == code).map_or(-1, |rank| rank as i128),
        None => code,
    }
}

impl Leaf {
    /// The next leaf of a prefix, if so many elements are left for it and all behind it, `beyond` of them outside of the
    /// innermost open instance; none if nothing fits.
    pub(super) fn of(walk: &Walk<'_>, prefix: &Prefix, elements: i128, beyond: &Rest) -> Option<Leaf> {
        let field = prefix.next?;
        let info = walk.format.field(field);
        if info.letters().is_some() {
            let Span { range, simplest } = Span::stated(walk.format, field);
            return Some(Leaf { field, range, simplest });
        }
        let range = prefix.with_innermost(walk.format, |scope| {
            let known = Known { scope, spine: &prefix.spine };
            let range = walk.early.range_left(field, &known);
            if !walk.early.decides_size(field) || range.is_empty() {
                return range;
            }
            let fits = |part: Interval| {
                let outlook = Outlook::new(walk, &known, Some((field, part)));
                let inside = rest::inside(walk, prefix, scope, &outlook, None).elements;
                inside.lo.saturating_add(beyond.elements.lo) <= elements
                    && elements <= inside.hi.saturating_add(beyond.elements.hi)
            };
            ends_from_below(range, &fits)
        });
        (!range.is_empty()).then_some(Leaf { field, range, simplest: info.range.simplest() })
    }

    /// The numbers that it can be.
    pub(super) fn span(&self) -> Span {
        Span { range: self.range, simplest: self.simplest }
    }

    /// The first key from this one on at which there is something.
    pub(super) fn next_key(&self, from: Key) -> Option<Key> {
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

    /// The number, or the code of the letter, at a key.
    #[expect(clippy::expect_used, reason = "keys come from ranges of numbers that are no larger than `LARGEST`")]
    pub(super) fn at(&self, walk: &Walk<'_>, key: Key) -> i128 {
        let distance = i128::try_from(key.0).expect("a distance between numbers is a number");
        let number = if key.1 { self.simplest - distance } else { self.simplest.saturating_add(distance) };
        self.code(walk, number)
    }

    /// A number as it is; the code of the letter of a rank.
    #[expect(clippy::expect_used, reason = "the range of a text's leaf is that of the ranks of its letters")]
    pub(super) fn code(&self, walk: &Walk<'_>, number: i128) -> i128 {
        match walk.format.field(self.field).letters() {
            Some(letters) => {
                let letter = usize::try_from(number).ok().and_then(|rank| letters.get(rank));
                i128::from(*letter.expect("each rank in the range has a letter"))
            }
            None => number,
        }
    }
}

/// The range without what cannot hold at its two ends. Sizes are mostly small where few elements are left: so the upper
/// end is sought by steps that double.
fn ends_from_below(range: Interval, can_hold: &impl Fn(Interval) -> bool) -> Interval {
    let (mut top, mut step) = (range.hi, 1);
    while let from = range.lo.saturating_add(step)
        && from <= top
    {
        if !can_hold(Interval::new(from, top)) {
            top = from - 1;
        }
        step = step.saturating_mul(2);
    }
    ends(Interval::new(range.lo, top), can_hold)
}

/// The key after this one.
pub(super) fn after(key: Key) -> Key {
    if key.1 { (key.0.saturating_add(1), false) } else { (key.0, true) }
}
