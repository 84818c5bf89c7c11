//! What the next leaf can be, in the order of distances from the simplest.

use super::known::Known;
use super::prefix::Prefix;
use super::rest;
use super::walk::Walk;
use crate::format::{FieldId, Interval, With, ends};

/// A distance from the simplest, and whether it is below it: leaves are compared by this.
pub(super) type Key = (u128, bool);

/// What the next leaf of a prefix can be: numbers, or the ranks of letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) field: FieldId,
    pub(super) range: Interval,
    simplest: i128,
}

impl Leaf {
    /// The next leaf of a prefix, if so many elements are left for it and all behind it; none if nothing fits.
    pub(super) fn of(walk: &Walk<'_>, prefix: &Prefix, elements: i128) -> Option<Leaf> {
        let field = prefix.next?;
        let info = walk.format.field(field);
        if let Some(letters) = info.letters() {
            return Some(Leaf { field, range: Interval::new(0, letters.len() as i128 - 1), simplest: 0 });
        }
        let range = prefix.with_innermost(walk.format, |scope| {
            let known = Known { scope, spine: &prefix.spine };
            let range = walk.early.range_left(field, &known);
            if !walk.plan.is_size(field) || range.is_empty() {
                return range;
            }
            let outside = rest::outside(walk.format, prefix).elements;
            let fits = |part: Interval| {
                let sized = With { field, range: part, rest: &known };
                let inside = rest::inside(prefix, scope, &sized).elements;
                inside.lo.saturating_add(outside.lo) <= elements && elements <= inside.hi.saturating_add(outside.hi)
            };
            ends(range, &fits)
        });
        (!range.is_empty()).then_some(Leaf { field, range, simplest: info.range.simplest() })
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
    pub(super) fn at(&self, walk: &Walk<'_>, key: Key) -> i128 {
        let distance = i128::try_from(key.0).unwrap_or(i128::MAX);
        let number = if key.1 { self.simplest - distance } else { self.simplest.saturating_add(distance) };
        self.code(walk, number)
    }

    /// A number as it is; the code of the letter of a rank.
    pub(super) fn code(&self, walk: &Walk<'_>, number: i128) -> i128 {
        match walk.format.field(self.field).letters() {
            Some(letters) => {
                let letter = usize::try_from(number).ok().and_then(|rank| letters.get(rank));
                letter.copied().map_or(0, i128::from)
            }
            None => number,
        }
    }
}

/// The key after this one.
pub(super) fn after(key: Key) -> Key {
    if key.1 { (key.0.saturating_add(1), false) } else { (key.0, true) }
}
