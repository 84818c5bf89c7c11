//! Distributions of a shared budget over the instances of a block: one giant and the rest minimal, two giants,
//! equal parts, one part for each power of two.
//!
//! Sizes drawn independently of each other hardly ever give a thousand small cases and one giant, and never use
//! up a budget. So in some inputs (always if a distribution is requested by name, and in the largest inputs) the
//! budgets are split first, and each instance fills its share. All budgets of a list are split by the same
//! choices: where `n` is a giant, so is `m`.

use super::Extreme;
use super::budget::{Budget, SharedList};
use super::instance::InstanceGenerator;
use super::partial_ranges::{PartialRanges, min_elements};
use super::sizes::{AssumedSizeRanges, find_largest};
use crate::language::{ArithmeticOperator, BlockId, BlockKind, Expr, FieldId, Interval};
use rebut_generators::{BUDGET_SHAPES, BudgetShape, find_budget_shape, split_total, split_total_fully};

/// At full growth, one input in this many has its budgets split by a distribution; fewer at lower growth.
const INPUTS_PER_DISTRIBUTION: u32 = 6;

/// Maximum number of times that a total is halved until the shares fit the size budget.
const MAX_HALVINGS: u32 = 64;

impl InstanceGenerator<'_, '_> {
    /// Chooses the distribution of a list. Most lists have none.
    pub(super) fn choose_distribution(
        &mut self,
        list: &SharedList<'_>,
        budgets: &[Budget<'_>],
    ) -> Option<&'static BudgetShape> {
        let has_budget = budgets.iter().any(Budget::is_bounded);
        let is_shared = has_budget || self.plan.format.block(list.block).kind == BlockKind::Cases;
        if list.count < 2 || !is_shared || self.settings.extreme == Some(Extreme::Min) {
            return None;
        }
        let named = self.settings.shape.as_deref().and_then(find_budget_shape);
        let distribution = match (named, self.settings.extreme) {
            (Some(named), _) => named,
            (None, Some(_)) if has_budget => self.choose_full_distribution(),
            (None, None)
                if has_budget && self.choices.draw_chance(self.settings.growth, 100 * INPUTS_PER_DISTRIBUTION) =>
            {
                self.swarm.pick_budget_shape(self.choices)
            }
            _ => return None,
        };
        self.match_requested_shape(distribution.name);
        if has_budget || named.is_some() {
            self.used_shape = Some(distribution.name);
        }
        Some(distribution)
    }

    fn choose_full_distribution(&mut self) -> &'static BudgetShape {
        let full: Vec<&BudgetShape> = BUDGET_SHAPES.iter().filter(|distribution| distribution.uses_total).collect();
        full[self.choices.draw_index(full.len())]
    }

    /// Splits all budgets of a list by a distribution. Returns the size budget of each instance.
    pub(super) fn split_by_distribution(
        &mut self,
        list: &SharedList<'_>,
        distribution: &BudgetShape,
        budgets: &mut [Budget<'_>],
    ) -> Vec<usize> {
        let in_full = self.settings.extreme == Some(Extreme::Max);
        let split = if in_full { split_total_fully } else { split_total };
        let max_each = self.max_instance_elements(list.block, list.size_budget);
        let least = min_elements(list.block, &PartialRanges::new(list.holder)).max(0);
        let size_budget = (list.size_budget as i128).max(least.saturating_mul(list.count as i128));
        let parts: Vec<Interval> =
            budgets.iter().map(|budget| self.fitting_part_range(list, budget, max_each)).collect();
        let initial_choices = self.choices.clone();
        let mut after = initial_choices.clone();
        // Halve the totals until all shares fit. Every budget is split with the same choices, and generation
        // continues after the split that drew the most.
        for halvings in 0..=MAX_HALVINGS {
            for (budget, each) in budgets.iter_mut().zip(&parts).filter(|(budget, _)| budget.is_bounded()) {
                let least = each.lo.saturating_mul(list.count as i128);
                let most = budget.total.hi.min(each.hi.saturating_mul(list.count as i128)).max(least);
                let total = least.saturating_add(most.saturating_sub(least) >> halvings.min(i128::BITS - 1));
                let mut choices = initial_choices.clone();
                budget.shares = split(&mut choices, distribution, list.count, total, each.lo, each.hi);
                budget.carries_over = in_full;
                if choices.draw_count() >= after.draw_count() {
                    after = choices;
                }
            }
            let size_budgets = self.size_budgets_for_shares(list, budgets, max_each);
            let is_last = in_full || halvings == MAX_HALVINGS;
            if is_last
                || size_budgets.iter().fold(0_i128, |sum, size_budget| sum.saturating_add(*size_budget as i128))
                    <= size_budget
            {
                *self.choices = after;
                return size_budgets;
            }
        }
        unreachable!("the last round returns")
    }

    /// Returns the range of shares with which an instance fits its size budget.
    fn fitting_part_range(&self, list: &SharedList<'_>, budget: &Budget<'_>, max_each: i128) -> Interval {
        let Some(field) = self.part_size_field(list.block, budget) else { return budget.range };
        let fits = |value: i128| self.min_elements_with_size(list, field, value) <= max_each;
        Interval::new(budget.range.lo, find_largest(budget.range, fits))
    }

    /// Returns the size field that is the whole contribution of an instance to a budget.
    fn part_size_field(&self, block: BlockId, budget: &Budget<'_>) -> Option<FieldId> {
        let Expr::Field(field) = budget.contribution else { return None };
        Some(*field).filter(|field| self.plan.is_size(*field) && self.plan.format.field(*field).block == block)
    }

    /// Returns the minimum number of elements of an instance in which the size `field` has this value.
    fn min_elements_with_size(&self, list: &SharedList<'_>, field: FieldId, value: i128) -> i128 {
        min_elements(list.block, &AssumedSizeRanges { field, value, ranges: &PartialRanges::new(list.holder) })
    }

    fn size_budgets_for_shares(&self, list: &SharedList<'_>, budgets: &[Budget<'_>], max_each: i128) -> Vec<usize> {
        let least = min_elements(list.block, &PartialRanges::new(list.holder)).max(1);
        let mut size_budgets = vec![least; list.count];
        for budget in budgets.iter().filter(|budget| budget.is_bounded()) {
            let size = self.part_size_field(list.block, budget);
            let is_size =
                self.plan.format.affecting_fields([budget.contribution]).iter().all(|field| self.plan.is_size(*field));
            let mut recent = (i128::MIN, 0);
            for (size_budget, share) in size_budgets.iter_mut().zip(&budget.shares) {
                if recent.0 != *share {
                    let elements = match size {
                        Some(field) => self.min_elements_with_size(list, field, *share),
                        None if is_size => share.saturating_add(least),
                        // The contribution is independent of sizes.
                        None => max_each.min(list.size_budget as i128 / list.count as i128),
                    };
                    recent = (*share, elements);
                }
                *size_budget = (*size_budget).max(recent.1.min(max_each));
            }
        }
        size_budgets.into_iter().map(|size_budget| usize::try_from(size_budget).unwrap_or(usize::MAX)).collect()
    }

    /// Returns the fields of an instance that use up the shares of a distribution.
    pub(super) fn fields_to_fill(&self, block: BlockId, budgets: &[Budget<'_>]) -> Vec<FieldId> {
        let parts = self.plan.block_plan(block);
        let mut fields: Vec<FieldId> = Vec::new();
        for budget in budgets.iter().filter(|budget| budget.is_bounded()) {
            match budget.contribution {
                Expr::Field(field) | Expr::Length(field) => fields.push(*field),
                Expr::Binary(ArithmeticOperator::Multiply, left, right) => {
                    fields.extend([left, right].into_iter().filter_map(|side| match **side {
                        Expr::Field(field) => Some(field),
                        _ => None,
                    }));
                }
                // The last field uses up what the others leave.
                each => fields.extend(
                    self.plan
                        .format
                        .affecting_fields([each])
                        .into_iter()
                        .max_by_key(|field| (!self.plan.is_size(*field), self.plan.format.field(*field).slot)),
                ),
            }
        }
        if fields.is_empty() {
            fields.extend(parts.sizes.last());
        }
        fields
    }

    /// Returns the growth at which sizes that fill their range are drawn.
    pub(super) fn growth_to_fill(&self) -> u32 {
        if self.settings.case_share.is_some() { self.settings.growth } else { 100 }
    }

    /// Returns true if a field fills the rest of its range.
    #[inline]
    pub(super) fn is_filled(&self, field: FieldId) -> bool {
        !self.filled_fields.is_empty() && self.filled_fields.contains(&field)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::tests::parse_format;
    use super::super::{GeneratedValue, GenerationPlan, GenerationSettings, generate_value};
    use super::*;
    use crate::value::{Value, instances_in_holder};
    use rebut_generators::Choices;

    const SUM_OVER_ALL: &str =
        "T; cases T: n; a[n] where 1 <= T <= 10^4; 1 <= n <= 2*10^5; 1 <= a <= 10^9; sum(n) <= 2*10^5";

    /// Returns the first number of each case, and the shape, of `count` inputs.
    fn case_sizes(text: &str, count: u64, settings: &GenerationSettings) -> Vec<(Vec<i128>, String)> {
        let format = parse_format(text);
        let plan = GenerationPlan::new(&format);
        let case = format.cases_block().unwrap();
        let first = |generated: &GeneratedValue| {
            let cases = instances_in_holder(&format, case, generated.value.root_slots());
            cases.iter().map(|case| case.iter().find_map(Value::as_int).unwrap()).collect()
        };
        let draw = |stream| generate_value(&plan, &mut Choices::from_seed(1, stream), settings).unwrap();
        (0..count).map(draw).map(|generated| (first(&generated), generated.shape)).collect()
    }

    #[test]
    fn giants_stand_among_a_thousand_small_cases() {
        // Other numbers would only take time to draw.
        let text = SUM_OVER_ALL.replace("a[n]", "s[n]").replace("1 <= a <= 10^9", "s over \"a\"");
        let generated = case_sizes(&text, 120, &GenerationSettings::default());
        let both = generated.iter().filter(|(sizes, _)| sizes.len() >= 1000 && sizes.iter().any(|n| *n >= 50_000));
        assert!(both.count() >= 2);
        let distributions =
            BUDGET_SHAPES.iter().filter(|distribution| generated.iter().any(|(_, shape)| shape == distribution.name));
        assert!(distributions.count() >= 5);
        assert!(generated.iter().all(|(sizes, _)| sizes.iter().sum::<i128>() <= 200_000));
    }

    #[test]
    fn requested_distribution_decides_every_size() {
        let of = |distribution: &str| {
            let text = SUM_OVER_ALL.replace("1 <= T", "T = 500; 1 <= T");
            let settings = GenerationSettings { shape: Some(distribution.to_owned()), ..GenerationSettings::default() };
            let mut generated = case_sizes(&text, 1, &settings);
            let (mut sizes, shape) = generated.remove(0);
            assert_eq!(shape, distribution);
            sizes.sort_unstable_by(|one, other| other.cmp(one));
            sizes
        };
        assert_eq!(of("one-big")[..2], [199_501, 1]);
        assert_eq!(of("two-big")[..3], [99_751, 99_751, 1]);
        assert_eq!(of("budgets/equal"), [400; 500]);
        assert_eq!(of("powers-of-two")[..4], [65_536, 32_768, 16_384, 8192]);
        assert_eq!(of("square-root")[..448], [446; 448]);
    }

    #[test]
    fn the_largest_inputs_use_every_budget_up() {
        let all = SUM_OVER_ALL.replace("1 <= T", "T = 10000; 1 <= T");
        let two = "T; cases T: n m; a[n]; repeat m: u v where 1 <= T <= 1000; 1 <= n, m <= 10^4; m >= n - 1; 1 <= u, v <= n; \
                   1 <= a <= 9; sum(n) <= 10^4; sum(m) <= 10^4";
        let even = "T; cases T: n; s[n] where 1 <= T <= 1000; 1 <= n <= 2000; n % 2 = 0; s over \"ab\"; sum(n) <= 2000";
        let product =
            "T; cases T: n m; g[n][m] where 1 <= T <= 100; 1 <= n, m <= 1000; g over \".#\"; sum(n*m) <= 10^4";
        let settings = GenerationSettings { extreme: Some(Extreme::Max), ..GenerationSettings::default() };
        for (text, total, least) in [(&*all, 200_000, 200_000), (two, 10_000, 9_990), (even, 2000, 1990)] {
            for (sizes, _) in case_sizes(text, 8, &settings) {
                let sum = sizes.iter().sum::<i128>();
                assert!((least..=total).contains(&sum), "{text}: {sum}, {sizes:?}");
            }
        }
        let format = parse_format(product);
        for stream in 0..8 {
            let generated =
                generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(2, stream), &settings).unwrap();
            let cases = instances_in_holder(&format, format.cases_block().unwrap(), generated.value.root_slots());
            let number = |case: &[Value], at: usize| case[at].as_int().unwrap();
            let sum: i128 = cases.iter().map(|case| number(case, 0) * number(case, 1)).sum();
            assert!(sum >= 9000, "{sum}");
        }
    }

    #[test]
    fn bounds_on_the_extreme_cases_are_met_without_retries() {
        for demand in [
            "max(n) >= 190000; T >= 100",
            "max(n) = 150000; T = 1000",
            "min(n) >= 50; T = 100",
            "min(n) = 7; max(n) = 5000; T = 100",
            "max(n) >= 190000; min(n) >= 3; T >= 3000",
            "max(n) >= 195000; T >= 2000",
            "max(n) <= 5; T = 10000",
            "min(n) = 2; max(n) = 2",
        ] {
            let text = format!("{SUM_OVER_ALL}; {demand}");
            let format = parse_format(&text);
            // At most about one draw per case may be wasted.
            let settings = GenerationSettings { max_wasted_draws: 20_000, ..GenerationSettings::default() };
            for stream in 0..2 {
                let generated =
                    generate_value(&GenerationPlan::new(&format), &mut Choices::from_seed(3, stream), &settings);
                assert!(generated.is_ok(), "{demand}: {generated:?}");
            }
        }
    }
}
