//! Two sizes with a limit on their product: `R * C <= 10^5`, `sum(n * m) <= 10^6`.
//!
//! Drawn one after the other, the first size would take nearly the whole product. So each gets an upper bound
//! of its own first, such that the product of the bounds is within the limit.

use super::Extreme;
use super::instance::InstanceGenerator;
use super::partial_ranges::PartialRanges;
use super::planning::{mentions_product, product_fields};
use crate::language::{
    BlockId, Comparison, ComparisonOperator, Expr, FieldId, Interval, MAX_NUMBER, RangeSource, evaluate_range,
    narrow_by_operator,
};
use crate::value::ValueScope;
use rebut_generators::{FACTOR_SHAPES, FactorRequirements, FactorShape};

impl InstanceGenerator<'_, '_> {
    /// Returns an upper bound for each of two sizes of a block with a limited product.
    pub(super) fn limit_factors(
        &mut self,
        block: BlockId,
        scope: &ValueScope<'_>,
        extra: &[Comparison],
        size_budget: usize,
    ) -> Vec<Comparison> {
        let has_products = self.plan.block_plan(block).has_products || extra.iter().any(mentions_product);
        if self.settings.extreme == Some(Extreme::Min) || !has_products {
            return Vec::new();
        }
        let ranges = PartialRanges::new(scope);
        let mut limits: Vec<Comparison> = Vec::new();
        for comparison in self.plan.home_comparisons(block).chain(extra) {
            let Some((first, second, most)) = product_limit(comparison, &ranges) else { continue };
            let inside = |f: FieldId| self.plan.format.field(f).block == block && self.plan.format.field(f).is_scalar();
            let limited = |f: FieldId| limits.iter().any(|c| c.mentions_field(f));
            if !inside(first) || !inside(second) || first == second || limited(first) || limited(second) {
                continue;
            }
            let (one, other) = (ranges.value_range(first), ranges.value_range(second));
            let limits_of_product = self.plan.home_comparisons(block).chain(extra).filter_map(|comparison| {
                let (left, right, range) = product_range(comparison, &ranges)?;
                ((left, right) == (first, second) || (left, right) == (second, first)).then_some(range)
            });
            let left = limits_of_product.fold(Interval::ALL, Interval::intersect);
            // Most of the product is required: the first factor must leave a second one in range.
            if left.lo > left.hi / 2 && one.lo >= 1 && other.lo >= 1 {
                limits.extend(self.choose_exact_factors((first, one), (second, other), left));
                continue;
            }
            if !self.plan.is_size(first) || !self.plan.is_size(second) {
                continue;
            }
            let most = most.min(size_budget.try_into().unwrap_or(MAX_NUMBER));
            let factors =
                FactorRequirements { max_product: most, first: interval_ends(one), second: interval_ends(other) };
            let shape = self.choose_factor_shape();
            let mut drawn = shape.draw_factors(self.choices, &factors);
            if self.settings.extreme == Some(Extreme::Max) && drawn.0.saturating_mul(drawn.1) < most - most / 8 {
                // A flat product may leave most of the limit unused, since no factor exceeds its own bound.
                let square = FACTOR_SHAPES.iter().find(|shape| shape.name == "square");
                drawn = square.map_or(drawn, |square| square.draw_factors(self.choices, &factors));
            }
            let (a, b) = drawn;
            let at_most = |field, bound| {
                Comparison::new(Expr::Field(field), ComparisonOperator::LessEqual, Expr::Constant(bound))
            };
            limits.extend([at_most(first, a.max(one.lo)), at_most(second, b.max(other.lo))]);
        }
        limits
    }

    /// For a narrow range of products, chooses a first factor that leaves a possible second one. Returns no
    /// limits if none is found within [`MAX_FACTOR_TRIES`].
    fn choose_exact_factors(
        &mut self,
        (first, one): (FieldId, Interval),
        (second, other): (FieldId, Interval),
        product: Interval,
    ) -> Vec<Comparison> {
        let left = |factor: i128| {
            let least = product.lo.div_euclid(factor) + i128::from(product.lo.rem_euclid(factor) > 0);
            Interval::new(least, product.hi.div_euclid(factor)).intersect(other)
        };
        let last = one.hi.min(product.hi).min(one.lo.saturating_add(MAX_FACTOR_TRIES));
        let fitting: Vec<i128> = (one.lo..=last).filter(|factor| !left(*factor).is_empty()).collect();
        let Some(factor) = self.choices.pick_item(&fitting).copied() else { return Vec::new() };
        let compare = |field, sign, bound| Comparison::new(Expr::Field(field), sign, Expr::Constant(bound));
        let rest = left(factor);
        vec![
            compare(first, ComparisonOperator::Equal, factor),
            compare(second, ComparisonOperator::GreaterEqual, rest.lo),
            compare(second, ComparisonOperator::LessEqual, rest.hi),
        ]
    }

    /// Chooses how the limit is split into factors. The largest inputs use it up.
    fn choose_factor_shape(&mut self) -> &'static FactorShape {
        const FULL_SHAPES: [&str; 4] = ["square", "flat", "tall", "any-product"];
        let full: Vec<&FactorShape> = FACTOR_SHAPES.iter().filter(|s| FULL_SHAPES.contains(&s.name)).collect();
        let forced = match self.settings.extreme {
            Some(Extreme::Max) => self.choices.pick_item(&full).copied(),
            _ if !self.filled_fields.is_empty() => self.choices.pick_item(&full).copied(),
            _ => None,
        };
        let shape = forced.unwrap_or_else(|| self.swarm.pick_factor_shape(self.choices));
        self.match_requested_shape(shape.name);
        shape
    }
}

fn interval_ends(range: Interval) -> (i128, i128) {
    (range.lo, range.hi)
}

/// Maximum number of first factors that are tried.
const MAX_FACTOR_TRIES: i128 = 20_000;

/// Returns the two factors of a product that a comparison limits from above, and the limit.
fn product_limit(comparison: &Comparison, ranges: &PartialRanges<'_, '_>) -> Option<(FieldId, FieldId, i128)> {
    let (first, second, range) = product_range(comparison, ranges)?;
    (range.hi < MAX_NUMBER).then_some((first, second, range.hi))
}

/// Returns the two factors of a product that a comparison bounds, and the remaining range.
fn product_range(comparison: &Comparison, ranges: &PartialRanges<'_, '_>) -> Option<(FieldId, FieldId, Interval)> {
    let ((first, second), sign, bound) = comparison.find_operand(product_fields)?;
    let range = || narrow_by_operator(Interval::ALL, sign, evaluate_range(bound, ranges));
    (sign != ComparisonOperator::NotEqual).then(|| (first, second, range()))
}
