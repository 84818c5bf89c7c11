//! The sizes with which an instance fits its size budget.

use super::Extreme;
use super::instance::InstanceGenerator;
use super::partial_ranges::{PartialRanges, announced_length_range, min_elements};
use super::size_factor::scaled_end;
use crate::language::{BlockId, FieldId, Interval, RangeSource};
use crate::value::ValueScope;
use rebut_generators::{SizeRange, draw_size};

impl InstanceGenerator<'_, '_> {
    /// Returns the largest size in a range that fits the size budget, if it does not depend on the rest of the
    /// instance.
    pub(super) fn known_max_fit(
        &self,
        block: BlockId,
        field: FieldId,
        range: Interval,
        size_budget: usize,
    ) -> Option<i128> {
        if self.plan.block_plan(block).max_elements <= size_budget as i128 {
            return Some(range.hi);
        }
        self.fit_memo
            .cached_value(size_budget, (field, range, size_budget))
            .filter(|_| self.plan.block_plan(block).lone_size == Some(field))
    }

    /// Draws a size in a range.
    pub(super) fn draw_size(
        &mut self,
        field: FieldId,
        range: Interval,
        scope: &ValueScope<'_>,
        size_budget: usize,
    ) -> i128 {
        match self.settings.extreme {
            Some(Extreme::Max) if self.plan.counts_cases(field) && self.choices.draw_chance(1, 2) => return range.lo,
            Some(Extreme::Max) if self.plan.is_start(field) => return range.lo,
            // After a failed attempt at the very end, try a number near it.
            Some(Extreme::Max) => {
                return (scaled_end(range, self.size_factor) - self.failed_attempts as i128).max(range.lo);
            }
            Some(extreme) => return extreme.end_of_range(range),
            None => {}
        }
        let kept = self.strategies.field_strategy(field).size;
        if self.plan.is_start(field) {
            let range = Interval::new(self.min_fitting_start(field, range, scope, size_budget), range.hi);
            return self.draw_one_size(kept, &SizeRange::new(range.lo, range.hi, self.settings.growth));
        }
        let hi = self.max_fitting_size(field, range, scope, size_budget);
        if self.is_filled(field) {
            return SizeRange::new(range.lo, hi, self.growth_to_fill()).max_size();
        }
        if let Some(cases) = self.plan.format.cases_block().filter(|_| self.plan.counts_cases(field)) {
            return self.draw_case_count(cases, range.lo, hi, size_budget);
        }
        self.draw_one_size(kept, &SizeRange::new(range.lo, hi, self.settings.growth))
    }

    /// Returns the largest size in a range with which the instance fits the size budget.
    pub(super) fn max_fitting_size(
        &mut self,
        field: FieldId,
        range: Interval,
        scope: &ValueScope<'_>,
        size_budget: usize,
    ) -> i128 {
        let ranges = PartialRanges { scope };
        let fits = |value: i128| {
            let view = AssumedSizeRanges { field, value, ranges: &ranges };
            min_elements(scope.block, &view) <= size_budget as i128
        };
        let parts = self.plan.block_plan(scope.block);
        if parts.max_elements <= size_budget as i128 {
            range.hi
        } else if parts.lone_size == Some(field) {
            self.fit_memo.get_or_compute(size_budget, (field, range, size_budget), || find_largest(range, fits))
        } else {
            find_largest(range, fits)
        }
    }

    /// Returns the smallest start index in a range with which the instance fits the size budget.
    fn min_fitting_start(&self, field: FieldId, range: Interval, scope: &ValueScope<'_>, size_budget: usize) -> i128 {
        let ranges = PartialRanges { scope };
        let fits = |value: i128| {
            min_elements(scope.block, &AssumedSizeRanges { field, value, ranges: &ranges }) <= size_budget as i128
        };
        // Negated, the condition is monotone in the direction of `find_largest`.
        -find_largest(Interval::new(-range.hi, -range.lo), |value| fits(-value))
    }

    /// Draws the number of cases. Cases are cheap: running a hundred costs hardly more than running one, and
    /// the shrinker drops the others at once. So most files are full, and some have only one or a few cases.
    pub(super) fn draw_case_count(&mut self, cases: BlockId, lo: i128, hi: i128, size_budget: usize) -> i128 {
        let full = self.full_case_count(cases, size_budget).min(self.settings.max_cases) as i128;
        let hi = full.clamp(lo, hi);
        match self.choices.draw_weighted(&[1, 2, 9]) {
            0 => lo,
            1 => draw_size(self.choices, lo, hi, self.settings.growth),
            _ => hi,
        }
    }
}

/// Returns the largest number in a range that satisfies a monotone condition (true up to some number, false
/// after it), by bisection. Returns the lower end if no number satisfies it.
pub(super) fn find_largest(range: Interval, holds: impl Fn(i128) -> bool) -> i128 {
    let (mut low, mut high) = (range.lo, range.hi);
    if holds(high) {
        return high;
    }
    while low < high {
        let middle = low + (high - low + 1) / 2;
        if holds(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

/// Ranges in which one more number is assumed to be known.
pub(super) struct AssumedSizeRanges<'l, 'a, 's> {
    pub(super) field: FieldId,
    pub(super) value: i128,
    pub(super) ranges: &'l PartialRanges<'a, 's>,
}

impl RangeSource for AssumedSizeRanges<'_, '_, '_> {
    fn format(&self) -> &crate::language::Format {
        self.ranges.format()
    }

    fn value_range(&self, field: FieldId) -> Interval {
        if field == self.field { Interval::from_value(self.value) } else { self.ranges.value_range(field) }
    }

    fn free_length_range(&self, field: FieldId) -> Interval {
        match self.ranges.scope.field_value(field) {
            Some(_) => self.ranges.free_length_range(field),
            None => announced_length_range(self.format().field(field), self),
        }
    }
}
