//! Budgets: sums over the instances of a block, of which each instance gets a share.

use crate::language::{BlockId, Comparison, ComparisonOperator, Expr, FoldRange, Format, Interval, MAX_NUMBER};
use crate::value::{self, EvalError, Value, ValueScope, visit_occurrences_within};
use std::ops::Range;

/// A list of instances that share budgets.
pub(super) struct SharedList<'s> {
    pub(super) block: BlockId,
    pub(super) count: usize,
    pub(super) holder: &'s ValueScope<'s>,
    /// Maximum number of elements of all instances together.
    pub(super) size_budget: usize,
}

/// A sum over the instances of a block, and how much of it is left.
pub(super) struct Budget<'e> {
    /// The contribution of each instance.
    pub(super) contribution: &'e Expr,
    /// The range of the sum: the instances, or a block that some of them lack.
    pub(super) over: FoldRange,
    /// The range of one contribution.
    pub(super) range: Interval,
    /// The required range of every contribution, beyond the ranges of its fields.
    pub(super) required_of_all: Interval,
    /// The range of the sum of all contributions.
    pub(super) total: Interval,
    /// The maximum share of each instance, if the total was split.
    pub(super) shares: Vec<i128>,
    /// Ranges that one instance each has to meet, and the instances chosen for them.
    pub(super) required_of_one: Vec<Interval>,
    pub(super) required_of_chosen: Vec<(usize, Interval)>,
    /// Whether the unused part of a share passes on to the next instance, and how much that is.
    pub(super) carries_over: bool,
    carried_over: i128,
    /// Number of instances that have contributed.
    spent_count: usize,
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
    pub(super) fn new(each: &'e Expr, over: FoldRange, range: Interval) -> Self {
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
    /// Returns true if the total has an upper bound.
    pub(super) fn is_bounded(&self) -> bool {
        self.total.hi < MAX_NUMBER
    }

    /// Returns the range required of the `i`-th contribution alone.
    pub(super) fn required_range(&self, i: usize) -> Interval {
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
    pub(super) fn count_range(&self) -> Interval {
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
    pub(super) fn limit_comparisons(&self, i: usize, count: usize) -> Vec<Comparison> {
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

    pub(super) fn spend_instance(&mut self, child: BlockId, holder: &ValueScope<'_>, instance: &[Value]) {
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

/// Returns the comparison of an expression with a constant.
pub(super) fn compare_with_constant(left: &Expr, sign: ComparisonOperator, right: i128) -> Comparison {
    Comparison::new(left.clone(), sign, Expr::Constant(right))
}
