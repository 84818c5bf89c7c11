//! Ranges of the fields that are not chosen yet, narrowed by the chosen ones.
//!
//! In `n; repeat q: l r` with `1 <= l <= r <= n`, the declared bound of `r` is the largest `n`. Once `n` is
//! chosen, it bounds all later `l` and `r`. Without narrowing, the search would visit distances that the rest of
//! the input cannot use up.

use super::layout_walker::LayoutWalker;
use super::prefix_ranges::PrefixRanges;
use crate::constraints::KnownPrefix;
use crate::language::{
    BlockId, Comparison, Expr, FieldId, Format, Interval, RangeSource, comparison_can_hold, is_always_evaluated,
    narrow_free_length, narrow_range,
};
use smallvec::SmallVec;

/// The ranges of all fields within an open instance.
#[derive(Debug)]
pub(super) struct FutureRanges<'k, 'a, 's> {
    pub(super) walker: &'k LayoutWalker<'k>,
    pub(super) known: &'k PrefixRanges<'a, 's>,
    /// The narrowed ranges of fields that are not chosen yet. They are computed for every leaf, and most
    /// formats have few such fields, so they are stored inline.
    ranges: NarrowedFields,
    lengths: NarrowedFields,
}

type NarrowedFields = SmallVec<[(FieldId, Interval); 4]>;

fn find_narrowed(ranges: &NarrowedFields, field: FieldId) -> Option<Interval> {
    ranges.iter().find(|(narrowed, _)| *narrowed == field).map(|(_, range)| *range)
}

impl RangeSource for FutureRanges<'_, '_, '_> {
    fn format(&self) -> &Format {
        self.known.format()
    }

    fn value_range(&self, field: FieldId) -> Interval {
        find_narrowed(&self.ranges, field).unwrap_or_else(|| self.known.value_range(field))
    }

    fn free_length_range(&self, field: FieldId) -> Interval {
        find_narrowed(&self.lengths, field).unwrap_or_else(|| self.known.free_length_range(field))
    }

    fn exact_value(&self, expr: &Expr) -> Option<i128> {
        self.known.exact_value(expr)
    }

    fn fold_range(&self, fold: &Expr) -> Option<Interval> {
        self.known.fold_range(fold)
    }
}

impl<'k, 'a, 's> FutureRanges<'k, 'a, 's> {
    /// Returns the ranges as seen from an open instance. If `assumed` is set, a field that is not chosen yet is
    /// assumed to be within a range.
    pub(super) fn new(
        walker: &'k LayoutWalker<'_>,
        known: &'k PrefixRanges<'a, 's>,
        assumed: Option<(FieldId, Interval)>,
    ) -> Self {
        let mut future = FutureRanges { walker, known, ranges: NarrowedFields::new(), lengths: NarrowedFields::new() };
        future.ranges.extend(assumed);
        // In layout order, so that each field is narrowed by the narrowed ranges of those before it.
        for field in &walker.pruner.narrowed_fields {
            if future.is_pending(*field) && assumed.is_none_or(|(assumed, _)| assumed != *field) {
                future.narrow_field(*field);
            }
        }
        future
    }

    /// Returns true if a field lies within the instance and is not completely chosen.
    fn is_pending(&self, field: FieldId) -> bool {
        let scope = self.known.scope;
        let info = scope.format.field(field);
        if info.block != scope.block {
            return scope.format.is_within(info.block, scope.block);
        }
        scope.slot_value(info.slot).is_none() || self.known.is_filling(field)
    }

    fn narrow_field(&mut self, field: FieldId) {
        let walker = self.walker;
        let info = walker.format.field(field);
        if info.alphabet().is_none() {
            let narrowed = walker.pruner.narrowing_comparisons(field).fold(info.range, |range, (comparison, home)| {
                if self.always_applies(comparison, home, field) {
                    narrow_range(field, range, comparison, self)
                } else {
                    range
                }
            });
            if narrowed != info.range {
                self.ranges.push((field, narrowed));
            }
        }
        if info.has_free_length() {
            let declared = self.known.free_length_range(field);
            let narrowed = walker.plan.field_comparisons(field).fold(declared, |length, (i, comparison)| {
                let is_made = self.always_applies(comparison, walker.plan.home_block(i), field);
                if is_made { narrow_free_length(field, length, comparison, self) } else { length }
            });
            self.lengths.push((field, narrowed));
        }
    }

    /// Returns true if a comparison can hold, according to the ranges.
    pub(super) fn could_hold(&self, comparison: &Comparison, home: BlockId, field: FieldId) -> bool {
        !self.always_applies(comparison, home, field) || comparison_can_hold(comparison, self)
    }

    /// Returns true if a comparison with this home is certain to apply to each instance that contains the
    /// field.
    pub(super) fn always_applies(&self, comparison: &Comparison, home: BlockId, field: FieldId) -> bool {
        let format = self.known.format();
        is_always_evaluated(comparison, home, self, |block| format.is_within(format.field(field).block, block))
    }
}
