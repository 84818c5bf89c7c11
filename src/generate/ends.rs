//! Bounds on the smallest and the largest number over all instances of a block: `max(n) >= 190000`, `min(n) <= 3`.
//!
//! Half of such bounds hold for every instance (`max(n) <= 5`), the other half for at least one of them. So an instance is
//! chosen before any is drawn, and what is asked of it is kept free in the budgets of all.

use super::live::Live;
use crate::format::{BlockId, Comparison, Expr, Fold, Interval, LARGEST, Over, Sign, bounds_of, cut};

/// A bound on the smallest or the largest of something over the instances of a block.
pub(super) struct EndBound<'e> {
    /// What is compared among the instances.
    pub(super) each: &'e Expr,
    pub(super) over: Over,
    /// What it must be of every instance.
    pub(super) every: Interval,
    /// What it must be of one of them, if they do not all have to be so.
    pub(super) one: Option<Interval>,
}

/// Returns what a comparison asks of the smallest or the largest over the instances of a block. Returns None if it is no such
/// bound.
pub(super) fn end_bound<'e>(child: BlockId, comparison: &'e Comparison, live: &Live<'_, '_>) -> Option<EndBound<'e>> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (end, sign, other) = match (end_over(child, left), end_over(child, right)) {
        (Some(end), _) => (end, comparison.sign, right),
        (None, Some(end)) => (end, comparison.sign.mirrored(), left),
        (None, None) => return None,
    };
    if sign == Sign::NotEqual {
        return None;
    }
    let (fold, over, each) = end;
    let wanted = cut(Interval::ALL, sign, bounds_of(other, live));
    let (at_least, at_most) = (Interval::new(wanted.lo, LARGEST), Interval::new(-LARGEST, wanted.hi));
    let (every, one) = if fold == Fold::Max { (at_most, at_least) } else { (at_least, at_most) };
    // Of what some instances lack, none has to have it.
    let is_in_each = matches!(over, Over::Instances(_));
    let one = Some(one).filter(|one| *one != Interval::ALL && is_in_each);
    Some(EndBound { each, over, every, one })
}

fn end_over(child: BlockId, side: &Expr) -> Option<(Fold, Over, &Expr)> {
    match side {
        Expr::Fold(fold @ (Fold::Min | Fold::Max), over, each) if over.outermost() == Some(child) => {
            Some((*fold, *over, each))
        }
        _ => None,
    }
}
