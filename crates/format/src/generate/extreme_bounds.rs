//! Bounds on the smallest and the largest number over all instances of a block: `max(n) >= 190000`, `min(n) <=
//! 3`.
//!
//! Such a bound applies either to every instance (`max(n) <= 5`) or to at least one (`max(n) >= 5`). In the second
//! case, one instance is chosen before any is drawn, and the amount that it needs is reserved in the shared
//! budgets.

use super::partial_ranges::PartialRanges;
use crate::language::{
    BlockId, Comparison, ComparisonOperator, Expr, FoldKind, FoldRange, Interval, MAX_NUMBER, evaluate_range,
    narrow_by_operator,
};

/// A bound on the minimum or maximum of an expression over the instances of a block.
pub(super) struct ExtremeBound<'e> {
    /// The expression.
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
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (end, sign, other) = match (extreme_fold(child, left), extreme_fold(child, right)) {
        (Some(end), _) => (end, comparison.sign, right),
        (None, Some(end)) => (end, comparison.sign.with_sides_swapped(), left),
        (None, None) => return None,
    };
    if sign == ComparisonOperator::NotEqual {
        return None;
    }
    let (fold, over, each) = end;
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
