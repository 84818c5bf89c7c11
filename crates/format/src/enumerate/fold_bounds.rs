//! Bounds on the distances of elements, derived from folds over their array: with `sum(a) = S` the elements add up
//! to `S`, with `max(a) = 10^9` one of them is that far away.

use super::distance_span::{DistanceSpan, letter_rank};
use super::future_ranges::FutureRanges;
use super::layout_walker::LayoutWalker;
use super::remainder_bounds::RemainderBounds;
use crate::language::{FieldId, FoldKind, Format, Interval, RangeSource};
use crate::language::{evaluate_range, narrow_by_operator};
use crate::value::{Value, visit_elements};

/// Returns bounds on `left` more elements of a field. Some may be chosen already, and the next one may be
/// assumed to be within a range.
pub(super) fn bound_elements(
    walker: &LayoutWalker<'_>,
    field: FieldId,
    left: Interval,
    (chosen, next): (Option<&Value>, Option<Interval>),
    ranges: &FutureRanges<'_, '_, '_>,
) -> RemainderBounds {
    let left = left.intersect(Interval::NATURAL);
    let span = DistanceSpan::for_range(walker.format, field, ranges.value_range(field));
    if span.is_empty() {
        return if left.lo > 0 { RemainderBounds::IMPOSSIBLE } else { RemainderBounds::NOTHING };
    }
    let each = RemainderBounds {
        elements: Interval::from_value(1),
        min_distance: span.min_distance(),
        max_distance: span.max_distance(),
    };
    let mut rest = each.repeated_by(left);
    for bound in walker.pruner.fold_comparisons(field) {
        if !ranges.always_applies(bound.comparison, bound.home, field) {
            continue;
        }
        let within = narrow_by_operator(Interval::ALL, bound.sign, evaluate_range(bound.other, ranges));
        let before = PrecedingElements::from_chosen(walker.format, field, chosen, next);
        match fold_distances(walker.format, field, bound.fold, within, left, span, &before) {
            Some((nearest, farthest)) => {
                rest.min_distance = rest.min_distance.max(nearest);
                rest.max_distance = rest.max_distance.min(farthest);
            }
            None => return RemainderBounds::IMPOSSIBLE,
        }
    }
    rest
}

/// The ranges of the elements that precede the remaining ones: numbers, or ranks of letters.
struct PrecedingElements(Vec<Interval>);

impl PrecedingElements {
    fn from_chosen(
        format: &Format,
        field: FieldId,
        chosen: Option<&Value>,
        next: Option<Interval>,
    ) -> PrecedingElements {
        let mut before = Vec::new();
        if let Some(value) = chosen {
            visit_elements(value, &mut |code| before.push(Interval::from_value(letter_rank(format, field, code))));
        }
        before.extend(next);
        PrecedingElements(before)
    }

    fn sum_range(&self) -> Interval {
        let add = |sum: Interval, number: &Interval| {
            Interval::new(sum.lo.saturating_add(number.lo), sum.hi.saturating_add(number.hi))
        };
        self.0.iter().fold(Interval::from_value(0), add)
    }

    /// Returns the range of the number of elements that equal `wanted`.
    fn count_range(&self, wanted: i128) -> Interval {
        let sure = self.0.iter().filter(|range| **range == Interval::from_value(wanted)).count();
        let likely = self.0.iter().filter(|range| range.contains_value(wanted)).count();
        Interval::new(sure as i128, likely as i128)
    }
}

/// Returns bounds on the sum of the distances of the `left` remaining elements, given the range of a fold over all
/// elements. Returns `None` if the fold cannot be within it.
fn fold_distances(
    format: &Format,
    field: FieldId,
    fold: FoldKind,
    within: Interval,
    left: Interval,
    span: DistanceSpan,
    before: &PrecedingElements,
) -> Option<(u128, u128)> {
    let less =
        |others: Interval| Interval::new(within.lo.saturating_sub(others.hi), within.hi.saturating_sub(others.lo));
    match fold {
        FoldKind::Count(wanted) => {
            let wanted = letter_rank(format, field, wanted);
            distances_of_count(span, wanted, less(before.count_range(wanted)), left)
        }
        // Lengths, divisors, bits and letter codes are no distances.
        FoldKind::Size | FoldKind::Gcd | FoldKind::Xor => Some((0, u128::MAX)),
        _ if format.field(field).alphabet().is_some() => Some((0, u128::MAX)),
        FoldKind::Sum => span.distances_of_sum(less(before.sum_range()), left),
        FoldKind::Max => {
            let is_reached = before.0.iter().any(|number| number.hi >= within.lo);
            let one = Interval::new(if is_reached { Interval::ALL.lo } else { within.lo }, within.hi);
            distances_of_extreme(span, one, Interval::new(Interval::ALL.lo, within.hi), left)
        }
        FoldKind::Min => {
            let is_reached = before.0.iter().any(|number| number.lo <= within.hi);
            let one = Interval::new(within.lo, if is_reached { Interval::ALL.hi } else { within.hi });
            distances_of_extreme(span, one, Interval::new(within.lo, Interval::ALL.hi), left)
        }
    }
}

/// Returns the bounds, given the range of the number of remaining elements that equal `wanted` (a number or the
/// rank of a letter).
fn distances_of_count(span: DistanceSpan, wanted: i128, within: Interval, left: Interval) -> Option<(u128, u128)> {
    let count = within.intersect(Interval::new(0, if span.range.contains_value(wanted) { left.hi } else { 0 }));
    if count.is_empty() {
        return None;
    }
    let (distance, farthest) = (span.simplest.abs_diff(wanted), span.max_distance());
    if distance == 0 {
        // Each of the others has a distance of at least one.
        let others = Interval::new((left.lo - count.hi).max(0), left.hi - count.lo);
        return Some((others.lo.unsigned_abs(), others.hi.unsigned_abs().saturating_mul(farthest)));
    }
    let nearest = distance.saturating_mul(count.lo.unsigned_abs());
    let is_farthest = distance == farthest && span.range.contains_value(wanted) && span.is_one_sided();
    let most = if is_farthest {
        // Each of the others is nearer by at least one.
        let others = (left.hi - count.hi).max(0).unsigned_abs();
        count.hi.unsigned_abs().saturating_mul(farthest).saturating_add(others.saturating_mul(farthest - 1))
    } else {
        u128::MAX
    };
    Some((nearest, most))
}

/// Returns the bounds if all remaining elements are within one range, and at least one of them within a smaller
/// range.
fn distances_of_extreme(span: DistanceSpan, one: Interval, all: Interval, left: Interval) -> Option<(u128, u128)> {
    if left.hi < 1 && one != all {
        return None;
    }
    if left.lo < 1 {
        return Some((0, u128::MAX));
    }
    let (one, all) = (span.restricted_to(one), span.restricted_to(all));
    if one.is_empty() || all.is_empty() {
        return None;
    }
    let others = all.min_distance().saturating_mul((left.lo - 1).unsigned_abs());
    let most = all.max_distance().saturating_mul(left.hi.unsigned_abs());
    Some((one.min_distance().saturating_add(others), most))
}
