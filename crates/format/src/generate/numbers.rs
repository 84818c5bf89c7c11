//! How single numbers and sizes are drawn from the range that is left of them.

use super::draft::DrawFailure;
use super::formulas::collect_required;
use super::instance::InstanceGenerator;
use super::partial_ranges::PartialRanges;
use super::sizes::interpolate_growth;
use super::strategy_cache::FieldStrategy;
use super::{Extreme, GenerationSettings, NumberRanges};
use crate::language::{BlockKind, Comparison, FieldId, Interval, evaluate_range, narrow_by_operator, narrow_range};
use crate::value::ValueScope;
use rebut_generators::{Choices, ScalarStrategy, SizeRange, SizeStrategy, draw_scalar_with};

/// Minimum distance from the simplest number to which ranges reach, even at growth 0.
const MIN_SPAN: i128 = 8;

/// How the numbers of a field are drawn. A choice that is `None` is made for each number.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberWay {
    /// Whether the number takes all that is left of its budget.
    is_filled: bool,
    end: Option<Extreme>,
    /// Whether the number is near another one.
    tie: Option<bool>,
    /// Whether it is drawn from its whole range, even early in a search.
    whole: Option<bool>,
    strategy: Option<ScalarStrategy>,
    /// Maximum number of decimals.
    decimals: u32,
}

impl InstanceGenerator<'_, '_> {
    /// Returns how the numbers of a field are drawn at the moment.
    #[inline]
    pub(super) fn number_way(&self, field: FieldId) -> NumberWay {
        let kept = self.strategies.field_strategy(field);
        let is_plain = matches!(self.settings.numbers, NumberRanges::Plain { .. });
        NumberWay {
            is_filled: self.is_filled(field),
            end: self.forced_end(field),
            tie: if is_plain { Some(false) } else { kept.tie },
            whole: self.settled_full_range(&kept),
            strategy: kept.number,
            decimals: self.plan.field_plan(field).decimals,
        }
    }

    /// Draws a number. `pick_other` picks another number of the instance, near which it may be.
    #[inline(always)]
    pub(super) fn draw_number(
        &mut self,
        way: &NumberWay,
        range: Interval,
        pick_other: impl FnOnce(&mut Choices) -> Option<i128>,
    ) -> i128 {
        if way.is_filled {
            return range.hi;
        }
        if let Some(end) = way.end {
            return end.end_of_range(range);
        }
        // Programs tend to differ on equal and neighbouring values.
        if way.tie.unwrap_or_else(|| wants_tie(self.choices))
            && let Some(other) = pick_other(self.choices)
        {
            return range.clamp_value(other + self.choices.draw_range(-2, 2));
        }
        match way.strategy {
            // The common case in long lists: nothing is left to choose but the number.
            Some(strategy) if way.decimals == 0 => {
                let range = self.reachable_range(way, range);
                draw_scalar_with(self.choices, range.lo, range.hi, &self.settings.hints, |_| strategy)
            }
            kept => self.draw_with_choices(way, range, kept),
        }
    }

    /// Draws a number after choosing what its field has not settled.
    fn draw_with_choices(&mut self, way: &NumberWay, range: Interval, kept: Option<ScalarStrategy>) -> i128 {
        let (unit, range) = if way.decimals == 0 { (1, range) } else { self.choose_real_unit(way.decimals, range) };
        let range = self.reachable_range(way, range);
        let hints = if unit == 1 { &*self.settings.hints } else { &[] };
        let numbers = self.settings.numbers;
        let strategy = |c: &mut Choices| kept.unwrap_or_else(|| choose_scalar_strategy(c, numbers, hints));
        unit * draw_scalar_with(self.choices, range.lo, range.hi, hints, strategy)
    }

    /// Returns the part of a range that numbers are drawn from.
    #[inline(always)]
    fn reachable_range(&mut self, way: &NumberWay, range: Interval) -> Interval {
        let whole = way.whole.unwrap_or_else(|| wants_full_range(self.choices));
        if whole { range } else { self.grow_range(range) }
    }

    /// Draws one of the sizes that remain for a field.
    #[inline]
    pub(super) fn draw_one_size(&mut self, kept: Option<SizeStrategy>, sizes: &SizeRange) -> i128 {
        let settings = self.settings;
        sizes.draw_with_strategy(self.choices, &settings.hints, |c| {
            kept.unwrap_or_else(|| choose_size_strategy(c, settings))
        })
    }

    /// Chooses the unit of a field's numbers, and returns it with the range in such units. Real numbers mostly
    /// get few decimals: their last digits stay zero.
    #[inline]
    pub(super) fn choose_unit(&mut self, field: FieldId, range: Interval) -> (i128, Interval) {
        let decimals = self.plan.field_plan(field).decimals;
        if decimals == 0 {
            return (1, range);
        }
        self.choose_real_unit(decimals, range)
    }

    #[inline(never)]
    #[expect(clippy::expect_used, reason = "a number from 0 to a `u32` is one")]
    fn choose_real_unit(&mut self, decimals: u32, range: Interval) -> (i128, Interval) {
        let unit =
            10_i128.pow(u32::try_from(self.choices.draw_range(0, i128::from(decimals))).expect("at most the decimals"));
        let steps = Interval::new(-(-range.lo).div_euclid(unit), range.hi.div_euclid(unit));
        if steps.is_empty() { (1, range) } else { (unit, steps) }
    }

    /// Shrinks a field's range early in a search: small inputs are cheap for slow references and easy to read.
    /// One in four ranges stays whole, so that overflows do not need a long search.
    #[inline]
    pub(super) fn grow_field_range(&mut self, field: FieldId, range: Interval) -> Interval {
        if let Some(end) = self.forced_end(field) {
            return Interval::from_value(end.end_of_range(range));
        }
        if self.uses_full_range(field) { range } else { self.grow_range(range) }
    }

    /// Returns the end of their range at which the numbers of a field are at the first attempt: in the largest inputs, numbers
    /// that are not repeated are largest, and those of a sweep are as its number says.
    fn forced_end(&self, field: FieldId) -> Option<Extreme> {
        let is_largest = self.settings.extreme == Some(Extreme::Max) && self.failed_attempts == 0;
        let info = self.plan.format.field(field);
        let is_single = info.is_scalar() && self.plan.format.block(info.block).kind != BlockKind::Repeat;
        match self.settings.sweep.filter(|_| is_largest) {
            None => (is_largest && is_single && self.settings.worst_case.is_none()).then_some(Extreme::Max),
            Some(0..4) if is_single => Some(Extreme::Max),
            Some(number @ 0..4) => [Some(Extreme::Max), None, Some(Extreme::Max), Some(Extreme::Min)][number as usize],
            // Two bits for each field, from the upper half of a product.
            Some(number) => match number.wrapping_mul(0x9E37_79B1) >> (16 + field.0 % 8 * 2) & 3 {
                0 => Some(Extreme::Max),
                1 => Some(Extreme::Min),
                _ => None,
            },
        }
    }

    /// Returns the part of a range within reach at the current growth.
    #[inline(always)]
    pub(super) fn grow_range(&mut self, range: Interval) -> Interval {
        let width = range.hi - range.lo;
        let span = match self.settings.numbers {
            NumberRanges::Near(distance) => distance,
            NumberRanges::NearEach(distance) => self.choices.draw_log_range(1, distance),
            NumberRanges::Plain { values, .. } => values - 1,
            _ if width <= MIN_SPAN => return range,
            _ => self.grown_span(width),
        };
        let simplest = range.simplest_value();
        Interval::new(simplest - span, simplest + span).intersect(range)
    }

    /// Returns true if a number should be drawn from its whole range.
    #[inline]
    pub(super) fn uses_full_range(&mut self, field: FieldId) -> bool {
        let kept = self.strategies.field_strategy(field);
        self.settled_full_range(&kept).unwrap_or_else(|| wants_full_range(self.choices))
    }

    /// Returns whether all numbers of a field are drawn from their whole range, if that is settled.
    #[inline]
    fn settled_full_range(&self, kept: &FieldStrategy) -> Option<bool> {
        match self.settings.numbers {
            NumberRanges::Near(_) | NumberRanges::NearEach(_) | NumberRanges::Plain { .. } => Some(false),
            NumberRanges::Extreme => Some(true),
            NumberRanges::Growing if self.settings.growth_of_numbers() >= 100 || self.settings.extreme.is_some() => {
                Some(true)
            }
            NumberRanges::Growing => kept.full_range,
        }
    }

    /// Returns the maximum distance from the simplest number of a range of this width, at the current growth.
    pub(super) fn grown_span(&mut self, width: i128) -> i128 {
        let growth = self.settings.growth_of_numbers();
        self.span_memo
            .get_or_compute(width as usize, width, || interpolate_growth(MIN_SPAN as f64, width as f64, growth) as i128)
    }
}

/// Returns true if a number should be drawn from its whole range early in a search, so that overflows do not need a
/// long one.
#[inline]
fn wants_full_range(choices: &mut Choices) -> bool {
    choices.draw_chance(1, 4)
}

/// Returns true if a number should be near another number of its instance.
#[inline]
pub(super) fn wants_tie(choices: &mut Choices) -> bool {
    choices.draw_chance(1, 5)
}

/// Chooses how a size is drawn.
pub(super) fn choose_size_strategy(c: &mut Choices, settings: &GenerationSettings) -> SizeStrategy {
    match settings.numbers {
        NumberRanges::Plain { .. } => SizeStrategy::PLAIN,
        _ => SizeStrategy::choose_strategy(c, settings.growth, &settings.hints),
    }
}

/// Chooses how a single number is drawn.
pub(super) fn choose_scalar_strategy(c: &mut Choices, numbers: NumberRanges, hints: &[i128]) -> ScalarStrategy {
    match numbers {
        NumberRanges::Extreme => ScalarStrategy::choose_extreme_strategy(c),
        NumberRanges::Plain { .. } => ScalarStrategy::UNIFORM,
        NumberRanges::Growing | NumberRanges::Near(_) | NumberRanges::NearEach(_) => {
            ScalarStrategy::choose_strategy(c, hints)
        }
    }
}

impl<'a> InstanceGenerator<'a, '_> {
    /// Returns the part of a field's range that the numbers already drawn leave.
    pub(super) fn remaining_range(
        &self,
        field: FieldId,
        scope: &ValueScope<'_>,
        extra: &[Comparison],
    ) -> Result<Interval, DrawFailure<'a>> {
        let ranges = PartialRanges::new(scope).narrow_by_limits(extra);
        let mut range = self.plan.format.field(field).range;
        let mut blame = None;
        for narrowing in &self.plan.field_plan(field).narrowings {
            // A bound that depends on an optional part (no `a`, no queries) is usually kept even if that part
            // is absent, which avoids dead ends. Now and then it is ignored, to reach inputs without the part.
            if self.ignore_optional_bounds && !narrowing.always_applies {
                continue;
            }
            let known =
                narrowing.fast_bound.as_ref().and_then(|(sign, other)| Some((*sign, other.evaluate_sum(scope)?)));
            range = match (known, narrowing.bound, &narrowing.nested) {
                (Some((sign, other)), ..) => narrow_by_operator(range, sign, Interval::from_value(other)),
                (None, Some((sign, other)), _) => narrow_by_operator(range, sign, evaluate_range(other, &ranges)),
                (None, None, Some(nested)) => nested.narrow_range(field, range, narrowing.comparison.sign, &ranges),
                (None, None, None) => range,
            };
            if range.is_empty() && blame.is_none() {
                blame = Some(narrowing.constraint);
            }
        }
        for (constraint, formula) in self.plan.field_formulas(field) {
            let mut required = Vec::new();
            collect_required(formula, scope, &mut required);
            range =
                required.into_iter().fold(range, |range, comparison| narrow_range(field, range, comparison, &ranges));
            if range.is_empty() && blame.is_none() {
                blame = Some(constraint);
            }
        }
        for comparison in extra {
            range = narrow_range(field, range, comparison, &ranges);
        }
        if range.is_empty() {
            return Err(DrawFailure::EmptyRange(field, blame));
        }
        Ok(range)
    }
}
