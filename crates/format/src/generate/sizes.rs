//! The sizes with which an instance fits its size budget.

use super::instance::{InstanceGenerator, WHOLE, scaled_end};
use super::partial_ranges::{PartialRanges, announced_length_range, min_elements};
use super::{Extreme, GeneratedValue, GenerationError, GenerationPlan, GenerationSettings, check_value};
use crate::language::{
    ArithmeticOperator, BlockId, Comparison, ComparisonOperator, Expr, FieldId, FieldKind, FoldKind, FoldRange,
    Interval, RangeSource, evaluate_range, narrow_free_length,
};
use crate::value::{Value, ValueScope};
use rebut_generators::{Choices, SizeRange, Swarm, draw_size, split_total};

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

    pub(super) fn draw_size(
        &mut self,
        field: FieldId,
        range: Interval,
        scope: &ValueScope<'_>,
        size_budget: usize,
    ) -> i128 {
        match self.settings.extreme {
            Some(Extreme::Max) if self.plan.field_plan(field).counts_cases && self.wants_single_case() => {
                return range.lo;
            }
            Some(Extreme::Max) if self.plan.field_plan(field).is_start => return range.lo,
            // After a failed attempt at the very end, try a number near it.
            Some(Extreme::Max) => {
                return (self.choose_large_size(range) - self.failed_attempts as i128).max(range.lo);
            }
            Some(extreme) => return extreme.end_of_range(range),
            None => {}
        }
        let kept = self.strategies.field_strategy(field).size;
        if self.plan.field_plan(field).is_start {
            let range = Interval::new(self.min_fitting_start(field, range, scope, size_budget), range.hi);
            return self.draw_one_size(kept, &SizeRange::new(range.lo, range.hi, self.settings.growth));
        }
        let hi = self.max_fitting_size(field, range, scope, size_budget);
        if self.is_filled(field) {
            return SizeRange::new(range.lo, hi, self.growth_to_fill()).max_size();
        }
        if let Some(cases) = self.plan.format.cases_block().filter(|_| self.plan.field_plan(field).counts_cases) {
            return self.draw_case_count(cases, range.lo, hi, size_budget);
        }
        self.draw_one_size(kept, &SizeRange::new(range.lo, hi, self.settings.growth))
    }

    /// Returns the largest size in a range, or where most of a sweep has been seen, in half of the cases another large one.
    fn choose_large_size(&mut self, range: Interval) -> i128 {
        let largest = scaled_end(range, self.size_factor);
        let is_varied = self.settings.sweep.is_some_and(|number| number >= 4) && self.choices.draw_chance(1, 2);
        if is_varied { self.choices.draw_range(largest - (largest - range.lo) / 2, largest) } else { largest }
    }

    /// Returns true if one of the largest inputs should have its elements in one case, instead of as many cases as possible.
    fn wants_single_case(&self) -> bool {
        let number = self.settings.sweep.map(|number| number as usize).or(self.settings.worst_case);
        number.is_some_and(|number| matches!(number % 4, 1 | 2))
    }

    /// Returns the largest size in a range with which the instance fits the size budget.
    pub(super) fn max_fitting_size(
        &mut self,
        field: FieldId,
        range: Interval,
        scope: &ValueScope<'_>,
        size_budget: usize,
    ) -> i128 {
        let ranges = PartialRanges::new(scope);
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
        let ranges = PartialRanges::new(scope);
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

/// Interpolates geometrically between `least` at growth 0 and `most` at growth 100. Rounded down, the result is
/// a whole number wherever the exact one is.
///
/// The standard library's powers differ in their last digits between platforms. These do not, so the same seed
/// makes the same input everywhere.
pub(super) fn interpolate_growth(least: f64, most: f64, growth: u32) -> f64 {
    // More than the relative error of log2 and exp2.
    const ROUNDING: f64 = 1.0 + 1.0 / (1_u64 << 44) as f64;
    let share = f64::from(growth.min(100)) / 100.0;
    least * libm::exp2(share * libm::log2((most / least).max(1.0))) * ROUNDING
}

// Inputs of nearly the largest sizes, where the constraints forbid the very largest.
//
// All sizes are scaled by one factor, and the largest factor with a valid input is found by bisection: in most formats
// a smaller input has fewer constraints to satisfy.

/// Number of attempts with a factor, before it counts as too large.
const TRIES_PER_FACTOR: usize = 3;

/// A size of a whole input that is below the maximum of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeBelowMax {
    /// Name of the field.
    pub field: String,
    /// Its value.
    pub value: i128,
    /// The largest value that no constraint rules out by itself.
    pub max: i128,
}

/// Returns the sizes of an input, if none of them is at the maximum of its range. Sizes inside of blocks do not count,
/// since they share limits with each other.
pub fn sizes_below_max(plan: &GenerationPlan<'_>, value: &Value) -> Vec<SizeBelowMax> {
    let format = plan.format;
    let fields = format.fields.iter().enumerate().filter(|(number, field)| {
        let is_number = field.kind == FieldKind::Number && field.dimensions.is_empty();
        field.block == BlockId(0) && is_number && plan.is_size(FieldId(*number))
    });
    let sizes: Vec<SizeBelowMax> = fields
        .filter_map(|(_, field)| {
            let value = value.root_slots().get(field.slot)?.as_int()?;
            Some(SizeBelowMax { field: field.name.clone(), value, max: field.range.hi })
        })
        .collect();
    if sizes.iter().any(|size| size.value >= size.max) { Vec::new() } else { sizes }
}

/// Draws inputs with smaller and smaller sizes until one is valid, and then larger ones, up to a factor of one
/// thousandth. Returns the last valid one; `None` if there is none or too many draws were wasted.
pub(super) fn draw_largest_valid(
    plan: &GenerationPlan<'_>,
    choices: &mut Choices,
    settings: &GenerationSettings,
    swarm: &mut Swarm,
    wasted: &mut u64,
) -> Option<GeneratedValue> {
    let (mut best, mut valid, mut invalid) = (None, 0, WHOLE);
    while invalid - valid > 1 {
        let factor = i128::midpoint(valid, invalid);
        let mut tries = 0..TRIES_PER_FACTOR;
        match tries.find_map(|_| draw_scaled(plan, choices, settings, swarm, factor, wasted)) {
            Some(found) => (best, valid) = (Some(found), factor),
            None => invalid = factor,
        }
        if *wasted > settings.max_wasted_draws || plan.format.stop_token.is_stopped() {
            break;
        }
    }
    best
}

/// Draws an input with all sizes at this factor of the largest.
fn draw_scaled(
    plan: &GenerationPlan<'_>,
    choices: &mut Choices,
    settings: &GenerationSettings,
    swarm: &mut Swarm,
    factor: i128,
    wasted: &mut u64,
) -> Option<GeneratedValue> {
    let mut generator = InstanceGenerator::new(plan, choices, settings, swarm);
    generator.size_factor = factor;
    (generator.wasted_draws, generator.spent_draws) = (*wasted, *wasted);
    let slots = generator.draw_instance(BlockId(0), None, &[], settings.size_budget(plan.format));
    *wasted = generator.wasted_draws;
    let value = check_value(plan.format, Value::Block(slots.ok()?), generator.proved_block).ok()?;
    Some(GeneratedValue { value, shape: generator.shape_name() })
}

// Lengths that the format leaves open: of one text or list, and of rows that share a total.

impl InstanceGenerator<'_, '_> {
    /// Draws the length of a text or a list, of about `size_budget` elements at most.
    pub(super) fn draw_free_length(
        &mut self,
        field: FieldId,
        scope: &ValueScope<'_>,
        extra: &[Comparison],
        size_budget: usize,
    ) -> usize {
        let range = self.remaining_lengths(field, scope, extra);
        if self.is_filled(field) && self.settings.extreme.is_none() {
            let most = range.hi.min(size_budget as i128).max(range.lo);
            return usize::try_from(most).unwrap_or(usize::MAX);
        }
        self.draw_length_within(range, size_budget)
    }

    /// Draws a length for each row of a field of two dimensions, within the bounds on the sum of all rows.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    pub(super) fn draw_row_lengths(
        &mut self,
        field: FieldId,
        rows: usize,
        scope: &ValueScope<'_>,
        size_budget: usize,
    ) -> Result<Vec<usize>, GenerationError> {
        let range = self.remaining_lengths(field, scope, &[]);
        let most = self.max_total_length(field, scope);
        let share = size_budget / rows.max(1);
        // The rows share the total only if it bounds them.
        let lengths: Vec<usize> = if range.hi.saturating_mul(rows as i128) <= most {
            (0..rows).map(|_| self.draw_length_within(range, share)).collect()
        } else {
            let shape = self.swarm.pick_budget_shape(self.choices);
            self.match_requested_shape(shape.name);
            let shares = split_total(self.choices, shape, rows, most, range.lo, range.hi);
            shares.into_iter().map(|hi| self.draw_length_within(Interval::new(range.lo, hi), share)).collect()
        };
        self.memory.reserve_elements(
            self.plan.format,
            field,
            &[lengths.iter().fold(0, |sum, length| sum.saturating_add(*length))],
        )?;
        Ok(lengths)
    }

    /// Draws a length. One beyond `usize` counts as `usize::MAX`, which no budget of elements allows.
    fn draw_length_within(&mut self, range: Interval, size_budget: usize) -> usize {
        let length = match self.settings.extreme {
            Some(Extreme::Min) => range.lo,
            Some(Extreme::Max) => self.choose_large_size(range),
            None => {
                let hi = range.hi.min(size_budget as i128).max(range.lo);
                self.draw_one_size(None, &SizeRange::new(range.lo, hi, self.settings.growth))
            }
        };
        debug_assert!(length >= 0, "ranges of lengths are never negative");
        usize::try_from(length).unwrap_or(usize::MAX)
    }

    /// Returns the range of the length of one row.
    pub(super) fn remaining_lengths(&self, field: FieldId, scope: &ValueScope<'_>, extra: &[Comparison]) -> Interval {
        let ranges = PartialRanges::new(scope);
        let declared = ranges.free_length_range(field);
        let comparisons = self.plan.field_comparisons(field).map(|(_, comparison)| comparison).chain(extra);
        let range =
            comparisons.fold(declared, |range, comparison| narrow_free_length(field, range, comparison, &ranges));
        if range.is_empty() { declared } else { range }
    }

    /// Returns the maximum length of all rows together.
    fn max_total_length(&self, field: FieldId, scope: &ValueScope<'_>) -> i128 {
        let most = self.memory.max_remaining_elements(self.plan.format, field);
        self.bounded_total_length(field, scope).map_or(most, |bound| bound.min(most))
    }

    /// Returns the maximum length of all rows together that the constraints allow, if they bound it.
    pub(super) fn bounded_total_length(&self, field: FieldId, scope: &ValueScope<'_>) -> Option<i128> {
        let ranges = PartialRanges::new(scope);
        let bounds = self.plan.field_comparisons(field).filter_map(|(_, comparison)| {
            let (left, right) = comparison.single_operands()?;
            let (sum, sign, other) = match comparison.sign {
                ComparisonOperator::Less | ComparisonOperator::LessEqual | ComparisonOperator::Equal => {
                    (left, comparison.sign, right)
                }
                sign => (right, sign.with_sides_swapped(), left),
            };
            let rest = other_sum_terms(field, sum)?;
            let rest = rest.iter().map(|term| evaluate_range(term, &ranges).lo).fold(0, i128::saturating_add);
            let most = evaluate_range(other, &ranges).hi.saturating_sub(rest);
            match sign {
                ComparisonOperator::Less => Some(most - 1),
                ComparisonOperator::LessEqual | ComparisonOperator::Equal => Some(most),
                _ => None,
            }
        });
        bounds.reduce(i128::min)
    }
}

/// Returns the other terms of a sum in which one term is the total length of the rows of a field.
fn other_sum_terms(field: FieldId, sum: &Expr) -> Option<Vec<&Expr>> {
    let mut terms = Vec::new();
    sum.visit_parts(&mut |part| {
        let is_sum = matches!(part, Expr::Binary(ArithmeticOperator::Add, ..));
        if !is_sum {
            terms.push(part);
        }
        is_sum
    });
    let lengths = |term: &&Expr| match term {
        Expr::Fold(FoldKind::Sum, FoldRange::Elements, inner) => **inner == Expr::Length(field),
        _ => false,
    };
    let at = terms.iter().position(lengths)?;
    terms.remove(at);
    Some(terms)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{interpolate_growth, *};
    use crate::Format;
    use crate::generate::{Extreme, generate_value};

    #[test]
    fn growth_starts_and_ends_at_the_given_values() {
        for most in [8.0, 9.0, 100.0, 1e9, 1e18, 1e30] {
            assert_eq!(interpolate_growth(8.0, most, 0) as i128, 8, "{most}");
            let end = interpolate_growth(8.0, most, 100);
            assert!(end >= most && end < most * 1.000_001, "{most}: {end}");
            assert!(
                (0..100)
                    .all(|growth| interpolate_growth(8.0, most, growth) <= interpolate_growth(8.0, most, growth + 1)),
                "{most}"
            );
        }
        assert_eq!(interpolate_growth(8.0, 3.0, 50) as i128, 8, "a maximum below the minimum is ignored");
    }

    #[test]
    fn whole_results_are_whole() {
        for root in 1..2000_u32 {
            let square = 8.0 * f64::from(root) * f64::from(root);
            assert_eq!(interpolate_growth(8.0, square, 50) as i128, 8 * i128::from(root));
        }
        // 0.3 has no exact binary representation, so the unrounded power is slightly too small.
        assert_eq!(interpolate_growth(8.0, 8192.0, 30) as i128, 64);
    }

    #[test]
    fn the_digits_are_the_same_everywhere() {
        let some = [(1e6, 37), (1e9, 50), (1e18, 63), (3e17, 99)]
            .map(|(most, growth)| interpolate_growth(8.0, most, growth).to_bits());
        assert_eq!(some, [4648621704656279407, 4680882870064971655, 4781552438222871827, 4865784749389434941]);
    }

    fn largest(format: &str) -> (String, Vec<SizeBelowMax>) {
        let format = Format::from_text(format).unwrap();
        let plan = GenerationPlan::new(&format);
        let settings = GenerationSettings { extreme: Some(Extreme::Max), ..GenerationSettings::default() };
        let value = generate_value(&plan, &mut Choices::from_seed(1, 0), &settings).unwrap().value;
        let text = String::from_utf8(crate::print::print_value(&format, &value)).unwrap();
        (text.lines().next().unwrap().to_owned(), sizes_below_max(&plan, &value))
    }

    #[test]
    fn sizes_that_formulas_limit_are_reached() {
        let doubling = "n; a[n] where 1<=n<=50; 1<=a<=20; forall i in 1..n-1: a[i+1] >= 2*a[i]";
        let (first, below) = largest(doubling);
        // The numbers of five can hardly be chosen otherwise than 1, 2, 4, 8 and 16.
        let value = first.parse().unwrap();
        assert!((4..=5).contains(&value), "{first}");
        assert_eq!(below, [SizeBelowMax { field: "n".to_owned(), value, max: 50 }]);
    }

    #[test]
    fn sizes_at_their_maximum_are_not_reported() {
        assert_eq!(largest("n; a[n] where 1<=n<=50; 1<=a<=9"), ("50".to_owned(), Vec::new()));
        // One of two sizes that limit each other is at its end.
        assert_eq!(largest("n m; a[n]; b[m] where 1<=n,m<=50; n+m<=60; 1<=a,b<=9").1, Vec::new());
    }
}
