//! Finds the budgets of a list of instances, and splits them into shares.

use super::Extreme;
use super::budget::{Budget, SharedList, compare_with_constant};
use super::instance::InstanceGenerator;
use super::partial_ranges::{PartialRanges, min_elements};
use super::planning::{InstanceSumBound, instance_sum_bound};
use crate::language::{
    BlockId, BlockKind, Comparison, ComparisonOperator, Expr, FoldKind, FoldRange, Format, InstanceCount, Interval,
    MAX_NUMBER, evaluate_range, narrow_by_operator,
};
use crate::value::ValueScope;
use rebut_generators::{BudgetShape, split_total};

impl InstanceGenerator<'_, '_> {
    /// Splits the size budget among the instances, as any budget is split. No case gets more than the target
    /// size: a program that is slow on large cases would otherwise be slow on every file.
    pub(super) fn split_size_budget(
        &mut self,
        child: BlockId,
        count: usize,
        holder: &ValueScope<'_>,
        size_budget: usize,
    ) -> Vec<usize> {
        let least = min_elements(child, &PartialRanges::new(holder)).max(1);
        let most = if self.is_case_block(child) { self.max_case_elements(child, size_budget) } else { size_budget };
        let most = bounded_size(most).max(least);
        let (size_budget, all) = (bounded_size(size_budget), most.saturating_mul(count as i128));
        // Most files give every case its full size; a few split the size unevenly all the same.
        if self.is_case_block(child)
            && all <= size_budget
            && self.settings.shape.is_none()
            && !self.choices.draw_chance(1, 4)
        {
            return vec![most as usize; count];
        }
        let total = size_budget.min(all).max(least.saturating_mul(count as i128));
        let size_budgets = self.split_total(child, count, total, Interval::new(least, most));
        size_budgets.into_iter().map(|r| usize::try_from(r).unwrap_or(usize::MAX)).collect()
    }

    /// Splits a total among the instances of a block. Most budget shapes leave next to nothing to most
    /// instances, and many cases of minimal size are all the same, so every other file of cases is split at
    /// random points.
    fn split_total(&mut self, child: BlockId, count: usize, total: i128, each: Interval) -> Vec<i128> {
        let shape = self.swarm.pick_budget_shape(self.choices);
        self.match_requested_shape(shape.name);
        let evenly = self.is_case_block(child) && self.settings.shape.is_none() && self.choices.draw_chance(1, 2);
        let shape = if evenly { BudgetShape::at_random() } else { shape };
        split_total(self.choices, shape, count, total, each.lo, each.hi)
    }

    pub(super) fn is_case_block(&self, block: BlockId) -> bool {
        self.plan.format.block(block).kind == BlockKind::Cases
    }

    /// Returns the maximum number of elements of a case in an input with this size budget.
    pub(super) fn max_case_elements(&self, block: BlockId, size_budget: usize) -> usize {
        let possible = usize::try_from(self.plan.block_plan(block).max_elements).unwrap_or(usize::MAX);
        size_budget.min(self.settings.target_elements()).min(possible)
    }

    /// Returns the maximum number of elements of an instance of a list.
    pub(super) fn max_instance_elements(&self, block: BlockId, size_budget: usize) -> i128 {
        let most = if self.is_case_block(block) { self.max_case_elements(block, size_budget) } else { size_budget };
        bounded_size(most)
    }

    /// Returns the number of cases of a full input. A thousand minimal cases are of no use, so each gets the
    /// target size, or a random part of it where the target is large.
    pub(super) fn full_case_count(&mut self, block: BlockId, size_budget: usize) -> usize {
        const MAX_SMALL_CASE_ELEMENTS: i128 = 25;
        const MIN_CASE_ELEMENTS: i128 = 10;
        let each = self.max_case_elements(block, size_budget) as i128;
        let each =
            if each > MAX_SMALL_CASE_ELEMENTS { self.choices.draw_log_range(MIN_CASE_ELEMENTS, each) } else { each };
        size_budget / usize::try_from(each).unwrap_or(usize::MAX).max(1)
    }

    /// Returns the budgets that all instances of a block share, and the bounds on the smallest and largest of
    /// them.
    pub(super) fn find_budgets<'e>(
        &self,
        child: BlockId,
        holder: &ValueScope<'_>,
        extra: &'e [Comparison],
    ) -> Vec<Budget<'e>>
    where
        Self: 'e,
    {
        let format = self.plan.format;
        let declared = format.comparisons();
        let ranges = PartialRanges::new(holder);
        let mut found: Vec<Budget<'e>> = Vec::new();
        // The format outlives the plan's borrow, and so do its expressions.
        for comparison in declared.chain(extra) {
            if let Some(InstanceSumBound { contribution: each, over, sign, other }) =
                instance_sum_bound(child, comparison)
            {
                let budget = self.find_or_add_budget(child, each, over, &ranges, &mut found);
                budget.total =
                    budget.total.intersect(narrow_by_operator(Interval::ALL, sign, evaluate_range(other, &ranges)));
            } else if let Some(ExtremeBound {
                contribution: each,
                over,
                required_of_all: every,
                required_of_one: one,
            }) = extreme_bound(child, comparison, &ranges)
            {
                let budget = self.find_or_add_budget(child, each, over, &ranges, &mut found);
                budget.required_of_all = budget.required_of_all.intersect(every);
                budget.required_of_one.extend(one);
            }
        }
        for budget in &mut found {
            let left = budget.range.intersect(budget.required_of_all);
            budget.range = if left.is_empty() { budget.range } else { left };
            if let Some(share) = self.settings.case_share.filter(|_| self.is_case_block(child) && budget.is_bounded()) {
                budget.total.hi = budget.total.hi.min(share.max_contribution(budget.range.lo, budget.total.hi));
            }
        }
        found
    }

    /// Returns the budget of a contribution, which is added if it is new.
    fn find_or_add_budget<'e, 'f>(
        &self,
        child: BlockId,
        each: &'e Expr,
        over: FoldRange,
        ranges: &PartialRanges<'_, '_>,
        found: &'f mut Vec<Budget<'e>>,
    ) -> &'f mut Budget<'e> {
        let known = found.iter().position(|budget| budget.contribution == each && budget.over == over);
        let at = known.unwrap_or_else(|| {
            let range = match over {
                // An absent block contributes nothing.
                FoldRange::Occurrences(_) => evaluate_range(each, ranges).hull_with(Interval::from_value(0)),
                FoldRange::Elements | FoldRange::Instances(_) => {
                    bound_contribution(self.plan.format, child, each, evaluate_range(each, ranges), ranges)
                }
            };
            found.push(Budget::new(each, over, range));
            found.len() - 1
        });
        &mut found[at]
    }

    pub(super) fn split_budgets(&mut self, list: &SharedList<'_>, budgets: &mut [Budget<'_>]) {
        let is_whole = self.settings.extreme == Some(Extreme::Max) || self.settings.case_share.is_some();
        if is_whole && list.count == 1 {
            return;
        }
        for budget in budgets {
            let most = budget.total.hi.min(budget.range.hi.saturating_mul(list.count as i128));
            let least = budget.range.lo.saturating_mul(list.count as i128);
            if !self.has_ample_budget(list.block, budget, list.count, list.size_budget) {
                budget.shares = self.split_total(list.block, list.count, most.max(least), budget.range);
            }
        }
    }

    /// Chooses the instance that has to meet each requirement on one of them.
    pub(super) fn assign_required_ranges(
        &mut self,
        list: &SharedList<'_>,
        budgets: &mut [Budget<'_>],
        mut size_budgets: Vec<usize>,
    ) -> Vec<usize> {
        if list.count == 0 {
            return size_budgets;
        }
        for budget in budgets {
            for wanted in std::mem::take(&mut budget.required_of_one) {
                let at = match (wanted.lo > -MAX_NUMBER, budget.shares.is_empty()) {
                    (_, true) => self.choices.draw_index(list.count),
                    (true, false) => (0..list.count).max_by_key(|i| budget.shares[*i]).unwrap_or(0),
                    (false, false) => (0..list.count).min_by_key(|i| budget.shares[*i]).unwrap_or(0),
                };
                // If one instance has to be large and another small, they must not be the same.
                let fits = |at: usize| !budget.required_range(at).intersect(wanted).is_empty();
                let at = (0..list.count).map(|i| (at + i) % list.count).find(|at| fits(*at)).unwrap_or(at);
                if let Some(share) = budget.shares.get_mut(at).filter(|share| **share < wanted.lo) {
                    // Either just enough, or as much as the others can spare.
                    *share = if self.choices.draw_chance(1, 2) { wanted.lo } else { MAX_NUMBER };
                }
                budget.required_of_chosen.push((at, wanted));
                if wanted.lo > -MAX_NUMBER {
                    size_budgets[at] = list.size_budget;
                }
            }
        }
        size_budgets
    }

    /// Returns limits on the fields that count the instances of child blocks, so that the minimal instances fit
    /// the shared budgets and the maximal ones reach their lower bounds.
    pub(super) fn count_limits(&self, block: BlockId, scope: &ValueScope<'_>, extra: &[Comparison]) -> Vec<Comparison> {
        let format = self.plan.format;
        let mut limits = Vec::new();
        for child in format.child_blocks(block) {
            let InstanceCount::Times(count @ Expr::Field(_)) = &format.block(child).count else { continue };
            for budget in self.find_budgets(child, scope, extra) {
                let range = budget.count_range();
                limits.extend(
                    (range.hi < MAX_NUMBER)
                        .then(|| compare_with_constant(count, ComparisonOperator::LessEqual, range.hi)),
                );
                limits.extend(
                    (range.lo > 0).then(|| compare_with_constant(count, ComparisonOperator::GreaterEqual, range.lo)),
                );
            }
        }
        limits
    }

    /// Returns true if the cases need no shares of a budget: together they cannot exceed it, since their sizes
    /// add up to less than the size budget.
    fn has_ample_budget(&self, child: BlockId, budget: &Budget<'_>, count: usize, size_budget: usize) -> bool {
        let of_sizes = || {
            let mut fields = self.plan.format.affecting_fields([budget.contribution]).into_iter();
            fields.all(|field| self.plan.is_size(field) && self.plan.format.field(field).block == child)
        };
        let is_one_sided = budget.total.lo == -MAX_NUMBER && self.settings.shape.is_none();
        let most = budget.range.hi.saturating_mul(count as i128);
        let fits = most <= budget.total.hi || size_budget as i128 <= budget.total.hi && of_sizes();
        self.is_case_block(child) && is_one_sided && fits
    }
}

/// Returns a number of elements for calculations in which it is multiplied. More than any input can have counts as 2^40.
/// A 32-bit `usize` cannot hold that number.
fn bounded_size(elements: usize) -> i128 {
    (elements as i128).min(1 << 40)
}

/// Narrows the range of a contribution by the constraints on it alone: `n * m <= 1000` in addition to `sum(n *
/// m) <= 40000`.
fn bound_contribution(
    format: &Format,
    child: BlockId,
    each: &Expr,
    range: Interval,
    ranges: &PartialRanges<'_, '_>,
) -> Interval {
    let declared = format.constraints.iter().filter(|c| c.home_block == child && !matches!(each, Expr::Field(_)));
    let declared = declared.filter_map(|constraint| constraint.rule.comparison());
    let bounds = declared.filter_map(|comparison| comparison.find_operand(|side| (side == each).then_some(())));
    let bounded =
        bounds.fold(range, |range, (_, sign, other)| narrow_by_operator(range, sign, evaluate_range(other, ranges)));
    if bounded.is_empty() { range } else { bounded }
}

// Bounds on the smallest and the largest number over all instances of a block: `max(n) >= 190000`, `min(n) <=
// 3`.
//
// Such a bound applies either to every instance (`max(n) <= 5`) or to at least one (`max(n) >= 5`). In the second
// case, one instance is chosen before any is drawn, and the amount that it needs is reserved in the shared
// budgets.

/// A bound on the minimum or maximum of an expression over the instances of a block.
pub(super) struct ExtremeBound<'e> {
    pub(super) contribution: &'e Expr,
    pub(super) over: FoldRange,
    /// The required range of every instance.
    pub(super) required_of_all: Interval,
    /// The required range of at least one instance, unless it is unbounded.
    pub(super) required_of_one: Option<Interval>,
}

/// Returns the bound that a comparison puts on a minimum or maximum over the instances of a block, if any.
pub(super) fn extreme_bound<'e>(
    child: BlockId,
    comparison: &'e Comparison,
    ranges: &PartialRanges<'_, '_>,
) -> Option<ExtremeBound<'e>> {
    let ((fold, over, each), sign, other) = comparison.find_operand(|side| extreme_fold(child, side))?;
    if sign == ComparisonOperator::NotEqual {
        return None;
    }
    let wanted = narrow_by_operator(Interval::ALL, sign, evaluate_range(other, ranges));
    let (at_least, at_most) = (Interval::new(wanted.lo, MAX_NUMBER), Interval::new(-MAX_NUMBER, wanted.hi));
    let (every, one) = if fold == FoldKind::Max { (at_most, at_least) } else { (at_least, at_most) };
    // If some instances lack the block, possibly none has it.
    let is_in_each = matches!(over, FoldRange::Instances(_));
    let one = Some(one).filter(|one| *one != Interval::ALL && is_in_each);
    Some(ExtremeBound { contribution: each, over, required_of_all: every, required_of_one: one })
}

fn extreme_fold(child: BlockId, side: &Expr) -> Option<(FoldKind, FoldRange, &Expr)> {
    match side {
        Expr::Fold(fold @ (FoldKind::Min | FoldKind::Max), over, each) if over.outermost_block() == Some(child) => {
            Some((*fold, *over, each))
        }
        _ => None,
    }
}
