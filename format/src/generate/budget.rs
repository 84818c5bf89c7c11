//! The instances of a repeated block, which share the budgets of the sums over them.

use super::distinct_tracker::DistinctTracker;
use super::distribution::SharedList;
use super::extreme_bounds::{ExtremeBound, extreme_bound};
use super::graph::{EdgeList, order_limits};
use super::instance::{InstanceGenerator, PartialSlots};
use super::memory_budget::number_to_size;
use super::partial_ranges::{PartialRanges, min_elements};
use super::{Extreme, GenerationError};
use crate::language::{
    BlockId, BlockKind, Comparison, ComparisonOperator, Expr, FoldKind, FoldRange, Format, InstanceCount, Interval,
    MAX_NUMBER, evaluate_range, narrow_by_operator,
};
use crate::print::starts_with_sentinel;
use crate::validate;
use crate::value::{self, EvalError, InstanceList, Value, ValueScope, visit_occurrences_within};
use rebut_generators::{BudgetShape, draw_size, split_total};
use std::ops::Range;

/// Maximum number of tries at an instance that must differ from all others.
const MAX_DISTINCT_TRIES: usize = 40;

/// The same limit for texts, which are drawn without regard to earlier ones.
const MAX_DISTINCT_TEXT_TRIES: usize = 400;

/// Number of texts that are drawn at random before an unused one is picked, where most of the possible texts
/// are used.
const MIN_TRIES_BEFORE_PICK: usize = 8;

/// A sum over the instances of a block, and how much of it is left.
pub(super) struct Budget<'e> {
    /// The contribution of each instance.
    pub(super) contribution: &'e Expr,
    /// The range of the sum: the instances, or a block that some of them lack.
    over: FoldRange,
    /// The range of one contribution.
    pub(super) range: Interval,
    /// The required range of every contribution, beyond the ranges of its fields.
    required_of_all: Interval,
    /// The range of the sum of all contributions.
    pub(super) total: Interval,
    /// The maximum share of each instance, if the total was split.
    pub(super) shares: Vec<i128>,
    /// Ranges that one instance each has to meet, and the instances chosen for them.
    required_of_one: Vec<Interval>,
    required_of_chosen: Vec<(usize, Interval)>,
    /// Whether the unused part of a share passes on to the next instance, and how much that is.
    pub(super) carries_over: bool,
    carried_over: i128,
    /// Number of instances that have contributed.
    spent_count: usize,
}

impl InstanceGenerator<'_, '_> {
    /// Draws all instances of a block.
    pub(super) fn draw_instances(
        &mut self,
        child: BlockId,
        holder: &ValueScope<'_>,
        extra: &[Comparison],
        size_budget: usize,
    ) -> Result<InstanceList, GenerationError> {
        let count = self.choose_instance_count(child, holder, size_budget)?;
        self.reserve_instances(child, count)?;
        // Edges and independent columns are drawn for the whole list at once.
        let edges = self.draw_edges(child, count, holder)?;
        if let Some(list) = self.draw_columns(child, count, holder, extra, edges.as_ref())? {
            return Ok(list);
        }
        let list = SharedList { block: child, count, holder, size_budget };
        let mut budgets = self.find_budgets(child, holder, extra);
        // A chosen distribution sets sizes and shares together; otherwise they are split separately.
        let distribution = self.choose_distribution(&list, &budgets);
        let is_filled = self.is_case_block(child) && self.settings.case_share.is_some_and(|share| share.is_filled);
        let size_budgets = match distribution.filter(|_| budgets.iter().any(Budget::is_bounded)) {
            Some(distribution) => self.split_by_distribution(&list, distribution, &mut budgets),
            None => {
                let most = usize::try_from(self.max_instance_elements(child, size_budget)).unwrap_or(usize::MAX);
                let size_budgets = if is_filled {
                    vec![most; count]
                } else {
                    self.split_size_budget(child, count, holder, size_budget)
                };
                self.split_budgets(&list, &mut budgets);
                size_budgets
            }
        };
        // Some instances are chosen to meet bounds on a minimum or maximum.
        let size_budgets = self.assign_required_ranges(&list, &mut budgets, size_budgets);
        let filled =
            if is_filled || distribution.is_some() { self.fields_to_fill(child, &budgets) } else { Vec::new() };
        let before = std::mem::replace(&mut self.filled_fields, filled);
        let copying = edges.is_none() && distribution.is_none() && self.choices.draw_chance(1, 3);
        let drawn = self.draw_list_within(&list, extra, (edges.as_ref(), copying), size_budgets, budgets);
        self.filled_fields = before;
        drawn
    }

    /// Draws the instances of a list, each within its size budget and its shares of the other budgets.
    fn draw_list_within(
        &mut self,
        list: &SharedList<'_>,
        extra: &[Comparison],
        (edges, copying): (Option<&EdgeList>, bool),
        size_budgets: Vec<usize>,
        mut budgets: Vec<Budget<'_>>,
    ) -> Result<InstanceList, GenerationError> {
        let SharedList { block: child, count, holder, .. } = *list;
        let mut seen = DistinctTracker::new(self.plan, child, count, holder);
        if !seen.has_enough_texts(count) {
            return Err(seen.exhausted_error());
        }
        // Compiled blocks draw into one frame, or write their bytes directly.
        if let Some(mut frame) = self.new_frame(child, holder, &budgets) {
            if let Some(lines) = self.line_program_of(child).filter(|_| !copying && self.uses_strategies(count)) {
                return self.write_compiled_lines(&mut frame, lines, &size_budgets, &mut budgets);
            }
            self.reserve_slots(child, count)?;
            return self.draw_compiled_instances(&mut frame, size_budgets, &mut budgets, copying);
        }
        // The general path draws instance by instance, each under the limits that the earlier ones leave.
        self.reserve_slots(child, count)?;
        let mut list = InstanceList::with_capacity(self.plan.format.block(child).slots, count);
        for (i, size_budget) in size_budgets.into_iter().enumerate() {
            self.check_stop(i)?;
            self.refresh_strategies(child, i, count);
            let mut limits: Vec<Comparison> = budgets.iter().flat_map(|b| b.limit_comparisons(i, count)).collect();
            limits.extend(order_limits(self.plan.format, child, holder, list.last(), count - i - 1));
            limits.extend(edges.iter().flat_map(|e| e.instance_limits(i)));
            limits.extend(limits_on_optional_block(self.plan.format, child, extra));
            let copied = if copying { self.draw_near_copy(child, holder, &limits, &list, &mut seen) } else { None };
            let instance = match copied {
                Some(instance) => instance,
                None => self.draw_distinct_instance(child, holder, &limits, size_budget, &mut seen)?,
            };
            for budget in &mut budgets {
                budget.spend_instance(child, holder, &instance);
            }
            list.push(instance);
        }
        Ok(list)
    }

    fn choose_instance_count(
        &mut self,
        child: BlockId,
        holder: &ValueScope<'_>,
        size_budget: usize,
    ) -> Result<usize, GenerationError> {
        let known = match &self.plan.format.block(child).count {
            InstanceCount::Times(count) => value::evaluate_number(count, holder).ok(),
            InstanceCount::Conditional(comparisons) => {
                Some(i128::from(comparisons.iter().all(|c| validate::is_comparison_true(c, holder))))
            }
            InstanceCount::Alternative => Some(0),
            InstanceCount::Until { range, .. } => Some(self.draw_free_count(*range, child, holder, size_budget)),
        };
        let count = known.and_then(number_to_size);
        count.ok_or_else(|| GenerationError {
            constraint: None,
            too_large: None,
            message: "a count has no value".to_owned(),
        })
    }

    fn draw_free_count(
        &mut self,
        range: Interval,
        child: BlockId,
        holder: &ValueScope<'_>,
        size_budget: usize,
    ) -> i128 {
        match self.settings.extreme {
            Some(extreme) => extreme.end_of_range(range),
            None => {
                let least = min_elements(child, &PartialRanges { scope: holder }).max(1);
                let hi = range.hi.min(size_budget as i128 / least).max(range.lo);
                if self.is_case_block(child) {
                    return self.draw_case_count(child, range.lo, hi, size_budget);
                }
                draw_size(self.choices, range.lo, hi, self.settings.growth)
            }
        }
    }

    /// Copies an earlier instance and changes one number: state that a program wrongly keeps from one case to
    /// the next only shows where the two are nearly equal.
    fn draw_near_copy(
        &mut self,
        child: BlockId,
        holder: &ValueScope<'_>,
        limits: &[Comparison],
        earlier: &InstanceList,
        seen: &mut DistinctTracker<'_>,
    ) -> Option<Vec<Value>> {
        if !self.wants_near_copy(child) {
            return None;
        }
        let format = self.plan.format;
        let mut slots: PartialSlots =
            earlier.get(self.choices.draw_index(earlier.len()))?.iter().cloned().map(Some).collect();
        let movable: Vec<_> =
            format.fields_in_block(child).filter(|f| format.field(*f).is_scalar() && !self.plan.is_size(*f)).collect();
        if let Some(field) = self.choices.pick_item(&movable).copied() {
            let slot = format.field(field).slot;
            slots[slot] = None;
            let number = self.draw_scalar(field, child, &slots, Some(holder), limits, usize::MAX).ok()?;
            slots[slot] = Some(Value::Int(number));
        }
        let instance: Vec<Value> = slots.into_iter().flatten().collect();
        let scope = holder.for_instance(child, &instance);
        let keeps = |c: &Comparison| validate::is_comparison_true(c, &scope);
        let fits = limits.iter().all(keeps) && validate::is_instance_valid(format, child, &instance, holder);
        let fits = fits && !self.starts_like_sentinel(child, &instance);
        (fits && seen.insert_if_new(&scope)).then_some(instance)
    }

    /// Returns true if an instance should be a near copy of an earlier one.
    #[inline]
    pub(super) fn wants_near_copy(&mut self, block: BlockId) -> bool {
        self.strategies.block_strategy(block).near_copy.unwrap_or_else(|| self.choices.draw_chance(1, 2))
    }

    /// Returns true if an instance begins with the line that ends its repetition.
    fn starts_like_sentinel(&self, child: BlockId, instance: &[Value]) -> bool {
        match &self.plan.format.block(child).count {
            InstanceCount::Until { sentinel: Some(sentinel), .. } => {
                starts_with_sentinel(self.plan.format, child, instance, sentinel)
            }
            _ => false,
        }
    }

    /// Draws an instance that differs from all earlier ones, where the format requires that.
    fn draw_distinct_instance(
        &mut self,
        child: BlockId,
        holder: &ValueScope<'_>,
        limits: &[Comparison],
        size_budget: usize,
        seen: &mut DistinctTracker<'_>,
    ) -> Result<Vec<Value>, GenerationError> {
        let texts = seen.has_text_rules();
        // There are few short texts: later tries may be longer, and the last ones have any size but the
        // extreme.
        let (repeats, extreme) =
            if texts { (MAX_DISTINCT_TEXT_TRIES, self.settings.extreme) } else { (MAX_DISTINCT_TRIES, None) };
        for attempt in 0..repeats {
            let size_budget = if texts { size_budget.saturating_add(attempt) } else { size_budget };
            let instance = match extreme.filter(|_| attempt >= repeats / 8) {
                Some(_) => self.draw_without_extreme(child, holder, limits, size_budget)?,
                None => self.with_cache_at_first(attempt, |generator| {
                    generator.draw_instance(child, Some(holder), limits, size_budget)
                })?,
            };
            if self.starts_like_sentinel(child, &instance) {
                continue;
            }
            if seen.insert_if_new(&holder.for_instance(child, &instance)) {
                return Ok(instance);
            }
            if (attempt >= MIN_TRIES_BEFORE_PICK && seen.is_crowded() || attempt + 1 == repeats)
                && let Some(instance) = self.replace_with_unused_texts(child, holder, limits, instance, seen)
            {
                return Ok(instance);
            }
        }
        Err(seen.exhausted_error())
    }

    /// Gives an instance texts that no earlier one has. Where few are left, they are picked from the list of all
    /// texts instead of being drawn.
    fn replace_with_unused_texts(
        &mut self,
        child: BlockId,
        holder: &ValueScope<'_>,
        limits: &[Comparison],
        mut instance: Vec<Value>,
        seen: &mut DistinctTracker<'_>,
    ) -> Option<Vec<Value>> {
        let format = self.plan.format;
        for _ in 0..MAX_DISTINCT_TRIES {
            for (field, text) in seen.pick_unused_texts(self.choices)? {
                *instance.get_mut(format.field(field).slot)? = Value::Text(text.into());
            }
            let fits = validate::is_instance_valid(format, child, &instance, holder)
                && !self.starts_like_sentinel(child, &instance)
                && limits.iter().all(|c| validate::is_comparison_true(c, &holder.for_instance(child, &instance)));
            if fits && seen.insert_if_new(&holder.for_instance(child, &instance)) {
                return Some(instance);
            }
        }
        None
    }

    /// Draws an instance as if no extreme were set.
    fn draw_without_extreme(
        &mut self,
        child: BlockId,
        holder: &ValueScope<'_>,
        limits: &[Comparison],
        size_budget: usize,
    ) -> Result<Vec<Value>, GenerationError> {
        let settings = self.settings.without_extreme();
        let mut generator = InstanceGenerator::new(self.plan, self.choices, &settings, self.swarm);
        generator.draw_instance(child, Some(holder), limits, size_budget)
    }

    /// Splits the size budget among the instances, as any budget is split. No case gets more than the target
    /// size: a program that is slow on large cases would otherwise be slow on every file.
    fn split_size_budget(
        &mut self,
        child: BlockId,
        count: usize,
        holder: &ValueScope<'_>,
        size_budget: usize,
    ) -> Vec<usize> {
        let least = min_elements(child, &PartialRanges { scope: holder }).max(1);
        let most = if self.is_case_block(child) { self.max_case_elements(child, size_budget) } else { size_budget };
        let most = (most.min(1 << 40) as i128).max(least);
        let (size_budget, all) = (size_budget.min(1 << 40) as i128, most.saturating_mul(count as i128));
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

    fn is_case_block(&self, block: BlockId) -> bool {
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
        most.min(1 << 40) as i128
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
        let ranges = PartialRanges { scope: holder };
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

    /// Splits the budgets that are not ample into shares.
    fn split_budgets(&mut self, list: &SharedList<'_>, budgets: &mut [Budget<'_>]) {
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
    fn assign_required_ranges(
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
    let bounded = declared.fold(range, |range, Comparison { left, sign, right, .. }| match (&**left, &**right) {
        ([left], [right]) if left == each => narrow_by_operator(range, *sign, evaluate_range(right, ranges)),
        ([left], [right]) if right == each => {
            narrow_by_operator(range, sign.with_sides_swapped(), evaluate_range(left, ranges))
        }
        _ => range,
    });
    if bounded.is_empty() { range } else { bounded }
}

/// A bound on a sum over the instances of a block.
pub(super) struct InstanceSumBound<'e> {
    /// The contribution of each instance.
    pub(super) contribution: &'e Expr,
    /// The range of the sum.
    pub(super) over: FoldRange,
    /// The operator, with the sum on the left.
    pub(super) sign: ComparisonOperator,
    /// The bound.
    pub(super) other: &'e Expr,
}

/// Returns the bound that a comparison puts on a sum over a block.
pub(super) fn instance_sum_bound(child: BlockId, comparison: &Comparison) -> Option<InstanceSumBound<'_>> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let summed = |side: &'_ Expr| match side {
        Expr::Fold(FoldKind::Sum, over, _) => over.outermost_block() == Some(child),
        _ => false,
    };
    let (sum, sign, other) = if summed(left) {
        (left, comparison.sign, right)
    } else if summed(right) {
        (right, comparison.sign.with_sides_swapped(), left)
    } else {
        return None;
    };
    match sum {
        Expr::Fold(_, over, each) => Some(InstanceSumBound { contribution: each, over: *over, sign, other }),
        _ => None,
    }
}

/// Returns the limits that mention an optional block inside the instance.
pub(super) fn limits_on_optional_block(format: &Format, child: BlockId, limits: &[Comparison]) -> Vec<Comparison> {
    let is_mentioned = |limit: &&Comparison| {
        let fields = format.affecting_fields(limit.left.iter().chain(&limit.right));
        format.is_optional(child) && fields.iter().any(|field| format.is_within(format.field(*field).block, child))
    };
    limits.iter().filter(is_mentioned).cloned().collect()
}

impl<'e> Budget<'e> {
    fn new(each: &'e Expr, over: FoldRange, range: Interval) -> Self {
        Budget {
            contribution: each,
            over,
            range,
            required_of_all: Interval::ALL,
            total: Interval::ALL,
            shares: Vec::new(),
            required_of_one: Vec::new(),
            required_of_chosen: Vec::new(),
            carries_over: false,
            carried_over: 0,
            spent_count: 0,
        }
    }
}

impl Budget<'_> {
    /// Returns the range required of the `i`-th contribution alone.
    fn required_range(&self, i: usize) -> Interval {
        let chosen = self.required_of_chosen.iter().filter(|(at, _)| *at == i);
        chosen.fold(self.required_of_all, |range, (_, wanted)| range.intersect(*wanted))
    }

    /// Returns how much more than their minimum the instances from `i` have to contribute, and how far below
    /// their maximum they have to stay.
    fn reserved_from_instance(&self, i: usize) -> (i128, i128) {
        let later = self.required_of_chosen.iter().filter(|(at, _)| *at >= i).map(|(_, wanted)| wanted);
        later.fold((0, 0), |(more, less), wanted| {
            let above = (wanted.lo - self.range.lo).clamp(0, MAX_NUMBER);
            let below = (self.range.hi - wanted.hi).clamp(0, MAX_NUMBER);
            (more.saturating_add(above), less.saturating_add(below))
        })
    }

    /// Returns the possible numbers of instances.
    fn count_range(&self) -> Interval {
        // Bounds on extremes hold for an empty list as well.
        let mut range = Interval::NATURAL;
        let above = self.required_of_one.iter().map(|wanted| wanted.lo - self.range.lo).fold(0, i128::max);
        if self.is_bounded() && self.range.lo > 0 {
            range.hi = (self.total.hi - above).div_euclid(self.range.lo);
        }
        if self.total.lo > -MAX_NUMBER && self.range.hi > 0 {
            range.lo = range.lo.max(-(-self.total.lo).div_euclid(self.range.hi));
        }
        range
    }

    /// Returns the limits on the `i`-th of `count` instances, so that the later ones can still contribute their
    /// minimum and, if the sum has a lower bound, can still reach it with their maximum.
    fn limit_comparisons(&self, i: usize, count: usize) -> Vec<Comparison> {
        let limit = self.limit_range(i, count);
        let most = (limit.hi < MAX_NUMBER)
            .then(|| compare_with_constant(self.contribution, ComparisonOperator::LessEqual, limit.hi));
        let least = (limit.lo > -MAX_NUMBER)
            .then(|| compare_with_constant(self.contribution, ComparisonOperator::GreaterEqual, limit.lo));
        most.into_iter().chain(least).collect()
    }

    /// Returns the same limits as a range.
    pub(super) fn limit_range(&self, i: usize, count: usize) -> Interval {
        let after = (count - i - 1) as i128;
        let (more, less) = if self.required_of_chosen.is_empty() { (0, 0) } else { self.reserved_from_instance(i + 1) };
        let mut limit = Interval::ALL;
        if self.total.hi < MAX_NUMBER {
            // Reserve the minimum that the later instances need.
            let most = self.total.hi - after.saturating_mul(self.range.lo).saturating_add(more);
            let share = self.shares.get(i).map_or(most, |share| share.saturating_add(self.carried_over));
            let needed = self.total.lo.saturating_sub(after.saturating_mul(self.range.hi).saturating_sub(less));
            limit.hi = most.min(share.max(needed).max(self.range.lo));
        }
        if self.total.lo > -MAX_NUMBER {
            limit.lo = self.total.lo.saturating_sub(after.saturating_mul(self.range.hi).saturating_sub(less));
        }
        if self.required_of_all == Interval::ALL && self.required_of_chosen.is_empty() {
            return limit;
        }
        let wanted = self.required_range(i);
        // The budget that the chosen instance needs has been reserved for it.
        Interval::new(limit.lo.max(wanted.lo), limit.hi.max(wanted.lo.min(self.range.hi)).min(wanted.hi))
    }

    /// Returns true if the instances `some` may contribute anything in their range, independently of each
    /// other.
    fn is_ample_for(&self, some: &Range<usize>, count: usize) -> bool {
        let spread = self.range.hi.saturating_sub(self.range.lo);
        let least =
            self.limit_range(some.start, count).hi.saturating_sub(spread.saturating_mul(some.len() as i128 - 1));
        let is_free =
            self.required_of_all == Interval::ALL && !self.required_of_chosen.iter().any(|(at, _)| some.contains(at));
        is_free && self.shares.is_empty() && self.total.lo == -MAX_NUMBER && least >= self.range.hi
    }

    fn spend_instance(&mut self, child: BlockId, holder: &ValueScope<'_>, instance: &[Value]) {
        let mut parts = 0_i128;
        let known = visit_occurrences_within(&holder.for_instance(child, instance), self.over, &mut |_, scope| {
            match value::evaluate_number(self.contribution, scope) {
                Ok(part) => parts = parts.saturating_add(part),
                Err(EvalError::Empty | EvalError::Absent(_)) => {}
                Err(unknown) => return Err(unknown),
            }
            Ok(())
        });
        if known.is_ok() {
            self.spend_amount(parts);
        }
    }

    /// Subtracts the contribution of an instance from the total.
    pub(super) fn spend_amount(&mut self, part: i128) {
        if self.carries_over {
            let share = self.shares.get(self.spent_count).copied().unwrap_or(part);
            self.carried_over = self.carried_over.saturating_add(share).saturating_sub(part).max(0);
            self.spent_count += 1;
        }
        self.total.lo = (self.total.lo - part).max(-MAX_NUMBER);
        self.total.hi -= part;
    }
}

/// Returns true if every budget is ample for the instances `some`.
pub(super) fn are_budgets_ample(budgets: &[Budget<'_>], some: &Range<usize>, count: usize) -> bool {
    budgets.iter().all(|budget| budget.is_ample_for(some, count))
}

fn compare_with_constant(left: &Expr, sign: ComparisonOperator, right: i128) -> Comparison {
    Comparison::new(left.clone(), sign, Expr::Constant(right))
}
