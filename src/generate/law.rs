//! Laws by which the instances of a block share what is allowed to all of them: one giant and the rest minimal, two giants,
//! equal parts, one part for each power of two.
//!
//! Sizes drawn independently of each other hardly ever come to a thousand small cases beside a giant, and never use a
//! budget up. So in some inputs, in all that ask for a law by name, and in the largest ones, the budgets are split first, and
//! each instance takes its share in full. All budgets of a list are split by the same choices: where `n` is a giant, `m` is.

use super::Extreme;
use super::budget::Budget;
use super::instance::{Maker, Sized, largest};
use super::live::{Live, least_elements};
use crate::format::{BlockId, BlockKind, Expr, FieldId, Interval, LARGEST, Operator};
use crate::value::Scope;
use rebut_generators::{BUDGET_SHAPES, BudgetShape, find_budget_shape, split, split_in_full};

/// At full growth, one input in so many has its budgets split by a law; fewer before.
const RARITY: u32 = 6;

/// Number of times that a total is halved until the instances have room for their shares.
const MAX_HALVINGS: u32 = 64;

/// A list whose instances share budgets.
pub(super) struct SharedList<'s> {
    pub(super) block: BlockId,
    pub(super) count: usize,
    pub(super) holder: &'s Scope<'s>,
    /// Maximum number of elements of all instances together.
    pub(super) room: usize,
}

impl Maker<'_, '_> {
    /// Chooses the law of a list; most have none.
    pub(super) fn choose_law(&mut self, list: &SharedList<'_>, budgets: &[Budget<'_>]) -> Option<&'static BudgetShape> {
        let has_budget = budgets.iter().any(Budget::is_bounded);
        let is_shared = has_budget || self.plan.format.block(list.block).kind == BlockKind::Cases;
        if list.count < 2 || !is_shared || self.settings.extreme == Some(Extreme::Min) {
            return None;
        }
        let named = self.settings.shape.as_deref().and_then(find_budget_shape);
        let law = match (named, self.settings.extreme) {
            (Some(named), _) => named,
            (None, Some(_)) if has_budget => self.choose_full_law(),
            (None, None) if has_budget && self.choices.chance(self.settings.growth, 100 * RARITY) => {
                self.swarm.budgets(self.choices)
            }
            _ => return None,
        };
        self.note_shape(law.name);
        if has_budget || named.is_some() {
            self.used = Some(law.name);
        }
        Some(law)
    }

    fn choose_full_law(&mut self) -> &'static BudgetShape {
        let full: Vec<&BudgetShape> = BUDGET_SHAPES.iter().filter(|law| law.uses_total).collect();
        full[self.choices.index(full.len())]
    }

    /// Splits all budgets of a list by a law. Returns the number of elements that each instance may have.
    pub(super) fn split_by_law(
        &mut self,
        list: &SharedList<'_>,
        law: &BudgetShape,
        budgets: &mut [Budget<'_>],
    ) -> Vec<usize> {
        let in_full = self.settings.extreme == Some(Extreme::Max);
        let split = if in_full { split_in_full } else { split };
        let most_each = self.most_of_instance(list.block, list.room);
        let least = least_elements(list.block, &Live { scope: list.holder }).max(0);
        let room = (list.room as i128).max(least.saturating_mul(list.count as i128));
        let parts: Vec<Interval> = budgets.iter().map(|budget| self.parts_with_room(list, budget, most_each)).collect();
        let begun = self.choices.clone();
        let mut after = begun.clone();
        for halvings in 0..=MAX_HALVINGS {
            for (budget, each) in budgets.iter_mut().zip(&parts).filter(|(budget, _)| budget.is_bounded()) {
                let least = each.lo.saturating_mul(list.count as i128);
                let most = budget.total.hi.min(each.hi.saturating_mul(list.count as i128)).max(least);
                let total = least.saturating_add(most.saturating_sub(least) >> halvings.min(i128::BITS - 1));
                let mut choices = begun.clone();
                budget.shares = split(&mut choices, law, list.count, total, each.lo, each.hi);
                budget.carries = in_full;
                if choices.count() >= after.count() {
                    after = choices;
                }
            }
            let rooms = self.rooms_for_shares(list, budgets, most_each);
            let is_last = in_full || halvings == MAX_HALVINGS;
            if is_last || rooms.iter().fold(0_i128, |sum, room| sum.saturating_add(*room as i128)) <= room {
                *self.choices = after;
                return rooms;
            }
        }
        unreachable!("the last round returns")
    }

    /// The range of a part with which an instance has room.
    fn parts_with_room(&self, list: &SharedList<'_>, budget: &Budget<'_>, most_each: i128) -> Interval {
        let Some(field) = self.size_of_part(list.block, budget) else { return budget.range };
        let fits = |value: i128| self.elements_with(list, field, value) <= most_each;
        Interval::new(budget.range.lo, largest(budget.range, fits))
    }

    /// The size that is the whole part of an instance in a budget.
    fn size_of_part(&self, block: BlockId, budget: &Budget<'_>) -> Option<FieldId> {
        let Expr::Field(field) = budget.each else { return None };
        Some(*field).filter(|field| self.plan.is_size(*field) && self.plan.format.field(*field).block == block)
    }

    /// The number of elements that an instance has at least if a size of it is that large.
    fn elements_with(&self, list: &SharedList<'_>, field: FieldId, value: i128) -> i128 {
        least_elements(list.block, &Sized { field, value, live: &Live { scope: list.holder } })
    }

    fn rooms_for_shares(&self, list: &SharedList<'_>, budgets: &[Budget<'_>], most_each: i128) -> Vec<usize> {
        let least = least_elements(list.block, &Live { scope: list.holder }).max(1);
        let mut rooms = vec![least; list.count];
        for budget in budgets.iter().filter(|budget| budget.is_bounded()) {
            let size = self.size_of_part(list.block, budget);
            let is_size = self.plan.format.concerned([budget.each]).iter().all(|field| self.plan.is_size(*field));
            let mut lately = (i128::MIN, 0);
            for (room, share) in rooms.iter_mut().zip(&budget.shares) {
                if lately.0 != *share {
                    let elements = match size {
                        Some(field) => self.elements_with(list, field, *share),
                        None if is_size => share.saturating_add(least),
                        // The part is no size: it takes no room.
                        None => most_each.min(list.room as i128 / list.count as i128),
                    };
                    lately = (*share, elements);
                }
                *room = (*room).max(lately.1.min(most_each));
            }
        }
        rooms.into_iter().map(|room| usize::try_from(room).unwrap_or(usize::MAX)).collect()
    }

    /// The fields of an instance that take all that a law leaves them.
    pub(super) fn fields_to_fill(&self, block: BlockId, budgets: &[Budget<'_>]) -> Vec<FieldId> {
        let parts = self.plan.parts(block);
        let mut fields: Vec<FieldId> = Vec::new();
        for budget in budgets.iter().filter(|budget| budget.is_bounded()) {
            match budget.each {
                Expr::Field(field) | Expr::Length(field) => fields.push(*field),
                Expr::Binary(Operator::Times, left, right) => {
                    fields.extend([left, right].into_iter().filter_map(|side| match **side {
                        Expr::Field(field) => Some(field),
                        _ => None,
                    }));
                }
                // The last one takes what the others leave.
                each => fields.extend(
                    self.plan
                        .format
                        .concerned([each])
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

    /// The growth by which sizes that take all that is left of their ranges do so.
    pub(super) fn growth_to_fill(&self) -> u32 {
        if self.settings.portion.is_some() { self.settings.growth } else { 100 }
    }

    /// Returns true if a field takes all that is left of its range.
    #[inline]
    pub(super) fn is_filled(&self, field: FieldId) -> bool {
        !self.filled.is_empty() && self.filled.contains(&field)
    }
}

impl Budget<'_> {
    /// Returns true if the instances share a total.
    pub(super) fn is_bounded(&self) -> bool {
        self.total.hi < LARGEST
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::tests::parse;
    use super::super::{Generated, Plan, Settings, generate};
    use super::*;
    use crate::value::{Value, instances_in};
    use rebut_generators::Choices;

    const SUM_OVER_ALL: &str =
        "T; cases T: n; a[n] where 1 <= T <= 10^4; 1 <= n <= 2*10^5; 1 <= a <= 10^9; sum(n) <= 2*10^5";

    /// The first number of each case of some inputs, and what the inputs are called.
    fn sizes(text: &str, count: u64, settings: &Settings) -> Vec<(Vec<i128>, String)> {
        let format = parse(text);
        let plan = Plan::new(&format);
        let case = format.cases().unwrap();
        let first = |made: &Generated| {
            let cases = instances_in(&format, case, made.value.slots());
            cases.iter().map(|case| case.iter().find_map(Value::as_int).unwrap()).collect()
        };
        let draw = |stream| generate(&plan, &mut Choices::fresh(1, stream), settings).unwrap();
        (0..count).map(draw).map(|made| (first(&made), made.shape)).collect()
    }

    #[test]
    fn giants_stand_among_a_thousand_small_cases() {
        // Numbers beside the size would only take time to draw.
        let text = SUM_OVER_ALL.replace("a[n]", "s[n]").replace("1 <= a <= 10^9", "s over \"a\"");
        let made = sizes(&text, 120, &Settings::default());
        let both = made.iter().filter(|(sizes, _)| sizes.len() >= 1000 && sizes.iter().any(|n| *n >= 50_000));
        assert!(both.count() >= 2);
        let laws = BUDGET_SHAPES.iter().filter(|law| made.iter().any(|(_, shape)| shape == law.name));
        assert!(laws.count() >= 5);
        assert!(made.iter().all(|(sizes, _)| sizes.iter().sum::<i128>() <= 200_000));
    }

    #[test]
    fn a_law_that_is_asked_for_decides_every_size() {
        let of = |law: &str| {
            let text = SUM_OVER_ALL.replace("1 <= T", "T = 500; 1 <= T");
            let settings = Settings { shape: Some(law.to_owned()), ..Settings::default() };
            let mut made = sizes(&text, 1, &settings);
            let (mut sizes, shape) = made.remove(0);
            assert_eq!(shape, law);
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
        let settings = Settings { extreme: Some(Extreme::Max), ..Settings::default() };
        for (text, total, least) in [(&*all, 200_000, 200_000), (two, 10_000, 9_990), (even, 2000, 1990)] {
            for (sizes, _) in sizes(text, 8, &settings) {
                let sum = sizes.iter().sum::<i128>();
                assert!((least..=total).contains(&sum), "{text}: {sum}, {sizes:?}");
            }
        }
        let format = parse(product);
        for stream in 0..8 {
            let made = generate(&Plan::new(&format), &mut Choices::fresh(2, stream), &settings).unwrap();
            let cases = instances_in(&format, format.cases().unwrap(), made.value.slots());
            let number = |case: &[Value], at: usize| case[at].as_int().unwrap();
            let sum: i128 = cases.iter().map(|case| number(case, 0) * number(case, 1)).sum();
            assert!(sum >= 9000, "{sum}");
        }
    }

    #[test]
    fn the_largest_and_the_smallest_over_all_cases_are_met_at_once() {
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
            let format = parse(&text);
            // In vain may be no more than a draw for each case.
            let settings = Settings { patience: 20_000, ..Settings::default() };
            for stream in 0..2 {
                let made = generate(&Plan::new(&format), &mut Choices::fresh(3, stream), &settings);
                assert!(made.is_ok(), "{demand}: {made:?}");
            }
        }
    }
}
