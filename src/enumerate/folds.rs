//! Bounds on the distances of elements that follow from a fold over their array: with `sum(a) = S` they sum up to `S`, with
//! `max(a) = 10^9` one of them is that far away.

use super::leaf::{Span, rank};
use super::outlook::Outlook;
use super::rest::Rest;
use super::walk::Walk;
use crate::format::{BlockId, Comparison, Expr, FieldId, Fold, Format, Interval, Over, Ranges, Rule, Sign};
use crate::format::{bounds_of, cut};
use crate::value::{Value, each_element};

/// A fold over all elements of an array, and what it is compared with.
#[derive(Clone, Debug)]
pub(super) struct FoldBound<'a> {
    fold: Fold,
    sign: Sign,
    other: &'a Expr,
    comparison: &'a Comparison,
    home: BlockId,
}

/// The bounds that the constraints of a format set on folds over a field.
pub(super) fn fold_bounds(format: &Format, field: FieldId) -> Vec<FoldBound<'_>> {
    let fold_of = |expr: &Expr| match expr {
        Expr::Fold(fold, Over::Elements, inner) if **inner == Expr::Field(field) => Some(*fold),
        _ => None,
    };
    let bound = |comparison: &'_ Comparison| {
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
        let (fold, sign, is_left) = match (fold_of(left), fold_of(right)) {
            (Some(fold), None) => (fold, comparison.sign, true),
            (None, Some(fold)) => (fold, comparison.sign.mirrored(), false),
            _ => return None,
        };
        let other = if is_left { right } else { left };
        (!format.depends(other, field)).then_some((fold, sign, is_left))
    };
    let bounds = format.constraints.iter().filter_map(|constraint| {
        let Rule::Compare(comparison) = &constraint.rule else { return None };
        let (fold, sign, is_left) = bound(comparison)?;
        let other = if is_left { comparison.right.first()? } else { comparison.left.first()? };
        Some(FoldBound { fold, sign, other, comparison, home: constraint.home })
    });
    bounds.collect()
}

/// So many more elements of a field, of which some may be chosen already, and the next one may be taken to be within a
/// range.
pub(super) fn elements(
    walk: &Walk<'_>,
    field: FieldId,
    left: Interval,
    (chosen, next): (Option<&Value>, Option<Interval>),
    ranges: &Outlook<'_, '_, '_>,
) -> Rest {
    let left = left.intersect(Interval::NATURAL);
    let span = Span::of(walk.format, field, ranges.value(field));
    if span.is_empty() {
        return if left.lo > 0 { Rest::IMPOSSIBLE } else { Rest::NOTHING };
    }
    let each = Rest { elements: Interval::point(1), nearest: span.nearest(), farthest: span.farthest() };
    let mut rest = each.times(left);
    for bound in walk.early.fold_bounds(field) {
        if !ranges.is_made(bound.comparison, bound.home, field) {
            continue;
        }
        let within = cut(Interval::ALL, bound.sign, bounds_of(bound.other, ranges));
        let before = Before::of(walk.format, field, chosen, next);
        match distances(walk.format, field, bound.fold, within, left, span, &before) {
            Some((nearest, farthest)) => {
                rest.nearest = rest.nearest.max(nearest);
                rest.farthest = rest.farthest.min(farthest);
            }
            None => return Rest::IMPOSSIBLE,
        }
    }
    rest
}

/// The ranges of the numbers, or of the ranks of letters, before those to come.
struct Before(Vec<Interval>);

impl Before {
    fn of(format: &Format, field: FieldId, chosen: Option<&Value>, next: Option<Interval>) -> Before {
        let mut before = Vec::new();
        if let Some(value) = chosen {
            each_element(value, &mut |code| before.push(Interval::point(rank(format, field, code))));
        }
        before.extend(next);
        Before(before)
    }

    fn sum(&self) -> Interval {
        let add = |sum: Interval, number: &Interval| {
            Interval::new(sum.lo.saturating_add(number.lo), sum.hi.saturating_add(number.hi))
        };
        self.0.iter().fold(Interval::point(0), add)
    }

    /// How many of them are a certain number.
    fn count(&self, wanted: i128) -> Interval {
        let sure = self.0.iter().filter(|range| **range == Interval::point(wanted)).count();
        let likely = self.0.iter().filter(|range| range.contains(wanted)).count();
        Interval::new(sure as i128, likely as i128)
    }
}

/// The least and the largest sum of distances of elements to come, if a fold over all elements is within a range; none if
/// it cannot be.
fn distances(
    format: &Format,
    field: FieldId,
    fold: Fold,
    within: Interval,
    left: Interval,
    span: Span,
    before: &Before,
) -> Option<(u128, u128)> {
    let less =
        |others: Interval| Interval::new(within.lo.saturating_sub(others.hi), within.hi.saturating_sub(others.lo));
    match fold {
        Fold::Count(wanted) => {
            let wanted = rank(format, field, wanted);
            distances_of_count(span, wanted, less(before.count(wanted)), left)
        }
        // Neither a length nor the codes of letters are distances.
        Fold::Size => Some((0, u128::MAX)),
        _ if format.field(field).letters().is_some() => Some((0, u128::MAX)),
        Fold::Sum => span.distances_of_sum(less(before.sum()), left),
        Fold::Max => {
            let is_reached = before.0.iter().any(|number| number.hi >= within.lo);
            let one = Interval::new(if is_reached { Interval::ALL.lo } else { within.lo }, within.hi);
            distances_of_extreme(span, one, Interval::new(Interval::ALL.lo, within.hi), left)
        }
        Fold::Min => {
            let is_reached = before.0.iter().any(|number| number.lo <= within.hi);
            let one = Interval::new(within.lo, if is_reached { Interval::ALL.hi } else { within.hi });
            distances_of_extreme(span, one, Interval::new(within.lo, Interval::ALL.hi), left)
        }
    }
}

/// If so many of the elements to come are a certain number (or letter, by its rank).
fn distances_of_count(span: Span, wanted: i128, within: Interval, left: Interval) -> Option<(u128, u128)> {
    let count = within.intersect(Interval::new(0, if span.range.contains(wanted) { left.hi } else { 0 }));
    if count.is_empty() {
        return None;
    }
    let (distance, farthest) = (span.simplest.abs_diff(wanted), span.farthest());
    if distance == 0 {
        // All others are away from the simplest, by one at least.
        let others = Interval::new((left.lo - count.hi).max(0), left.hi - count.lo);
        return Some((others.lo.unsigned_abs(), others.hi.unsigned_abs().saturating_mul(farthest)));
    }
    let nearest = distance.saturating_mul(count.lo.unsigned_abs());
    let is_farthest = distance == farthest && span.range.contains(wanted) && span.is_one_sided();
    let most = if is_farthest {
        // All others are nearer, by one at least.
        let others = (left.hi - count.hi).max(0).unsigned_abs();
        count.hi.unsigned_abs().saturating_mul(farthest).saturating_add(others.saturating_mul(farthest - 1))
    } else {
        u128::MAX
    };
    Some((nearest, most))
}

/// If all of the elements to come are within a range, and one of them within a smaller one.
fn distances_of_extreme(span: Span, one: Interval, all: Interval, left: Interval) -> Option<(u128, u128)> {
    if left.hi < 1 && one != all {
        return None;
    }
    if left.lo < 1 {
        return Some((0, u128::MAX));
    }
    let (one, all) = (span.within(one), span.within(all));
    if one.is_empty() || all.is_empty() {
        return None;
    }
    let others = all.nearest().saturating_mul((left.lo - 1).unsigned_abs());
    let most = all.farthest().saturating_mul(left.hi.unsigned_abs());
    Some((one.nearest().saturating_add(others), most))
}
