//! Ranges of what is not chosen yet, narrowed by what is.
//!
//! `n; repeat q: l r` with `1 <= l <= r <= n` states that `r` is at most the largest `n`. Once `n` is chosen, all `l` and
//! `r` to come are at most that. Bounds on the rest of an input that did not know this would send the search through
//! distances that nothing can use up.

use super::known::Known;
use super::walk::Walk;
use crate::format::{BlockId, Comparison, Expr, FieldId, Format, Interval, Ranges, instances, is_never_empty};
use crate::format::{bounds_of, narrow, narrow_length, possible};
use smallvec::SmallVec;

/// What is known of all fields within an open instance.
#[derive(Debug)]
pub(super) struct Outlook<'k, 'a, 's> {
    known: &'k Known<'a, 's>,
    /// The ranges of fields that are not chosen yet, where they are narrowed. Most formats have few such fields, and this
    /// is made for every leaf: so they are few and in place.
    ranges: Narrowed,
    lengths: Narrowed,
}

type Narrowed = SmallVec<[(FieldId, Interval); 4]>;

fn find(ranges: &Narrowed, field: FieldId) -> Option<Interval> {
    ranges.iter().find(|(narrowed, _)| *narrowed == field).map(|(_, range)| *range)
}

impl Ranges for Outlook<'_, '_, '_> {
    fn format(&self) -> &Format {
        self.known.format()
    }

    fn value(&self, field: FieldId) -> Interval {
        find(&self.ranges, field).unwrap_or_else(|| self.known.value(field))
    }

    fn free_length(&self, field: FieldId) -> Interval {
        find(&self.lengths, field).unwrap_or_else(|| self.known.free_length(field))
    }

    fn exact(&self, expr: &Expr) -> Option<i128> {
        self.known.exact(expr)
    }

    fn fold_within(&self, fold: &Expr) -> Option<Interval> {
        self.known.fold_within(fold)
    }
}

impl<'k, 'a, 's> Outlook<'k, 'a, 's> {
    /// The ranges as seen from an open instance. With `assumed`, a field that is not chosen yet is taken to be within a
    /// range.
    pub(super) fn new(walk: &Walk<'_>, known: &'k Known<'a, 's>, assumed: Option<(FieldId, Interval)>) -> Self {
        let mut outlook = Outlook { known, ranges: Narrowed::new(), lengths: Narrowed::new() };
        outlook.ranges.extend(assumed);
        // In the order of the layout, so that each field is narrowed by the narrowed ranges of those before it.
        for field in walk.early.narrowed_fields() {
            if outlook.is_to_come(*field) && assumed.is_none_or(|(assumed, _)| assumed != *field) {
                outlook.narrow_field(walk, *field);
            }
        }
        outlook
    }

    /// Whether a field lies within the instance and has no value yet, or not all of it.
    fn is_to_come(&self, field: FieldId) -> bool {
        let scope = self.known.scope;
        let info = scope.format.field(field);
        if info.block != scope.block {
            return scope.format.is_within(info.block, scope.block);
        }
        scope.slot(info.slot).is_none() || self.known.is_filling(field)
    }

    fn narrow_field(&mut self, walk: &Walk<'_>, field: FieldId) {
        let info = walk.format.field(field);
        if info.letters().is_none() {
            let narrowed = walk.early.bounds(field).fold(info.range, |range, (comparison, home)| {
                if self.is_made(comparison, home, field) { narrow(field, range, comparison, self) } else { range }
            });
            if narrowed != info.range {
                self.ranges.push((field, narrowed));
            }
        }
        if info.is_free() {
            let stated = self.known.free_length(field);
            let narrowed = walk.plan.comparisons(field).fold(stated, |length, (i, comparison)| {
                let is_made = self.is_made(comparison, walk.plan.home(i), field);
                if is_made { narrow_length(field, length, comparison, self) } else { length }
            });
            self.lengths.push((field, narrowed));
        }
    }

    /// Whether a comparison can hold, as far as ranges tell.
    pub(super) fn could_hold(&self, comparison: &Comparison, home: BlockId, field: FieldId) -> bool {
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return true };
        !self.is_made(comparison, home, field)
            || possible(bounds_of(left, self), comparison.sign, bounds_of(right, self))
    }

    /// Whether a comparison that is at home in a block is sure to be made for each instance that holds the field.
    pub(super) fn is_made(&self, comparison: &Comparison, home: BlockId, field: FieldId) -> bool {
        let format = self.known.format();
        let mut at = home;
        while !format.is_within(format.field(field).block, at) {
            if instances(at, self).lo < 1 {
                return false;
            }
            let Some(parent) = format.block(at).parent else { return false };
            at = parent;
        }
        comparison.left.iter().chain(&comparison.right).all(|e| is_never_empty(e, self))
    }
}
