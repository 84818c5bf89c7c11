//! Bounds on the distances of elements, derived from folds over their array: with `sum(a) = S` the elements add up
//! to `S`, with `max(a) = 10^9` one of them is that far away.

use super::distance_span::{DistanceSpan, letter_rank};
use super::future_ranges::FutureRanges;
use super::layout_walker::LayoutWalker;
use super::prefix::Prefix;
use super::prefix_ranges::PrefixRanges;
use super::remainder_bounds::RemainderBounds;
use crate::constraints::KnownPrefix;
use crate::language::{
    Constraint, FieldId, FoldKind, Format, GraphConstraint, GraphProperty, Interval, RangeSource, evaluate_range,
    narrow_by_operator,
};
use crate::tuning::MAX_SPANNED_VERTICES;
use crate::value::{self, Value, ValueScope, visit_elements};

/// Returns bounds on `left` more elements of a field. Some may be chosen already, and the next one may be
/// assumed to be within a range.
pub(super) fn bound_elements(
    field: FieldId,
    left: Interval,
    (chosen, next): (Option<&Value>, Option<Interval>),
    ranges: &FutureRanges<'_, '_, '_>,
) -> RemainderBounds {
    let (left, format) = (left.intersect(Interval::NATURAL), ranges.format());
    let span = DistanceSpan::for_range(format, field, ranges.value_range(field));
    if span.is_empty() {
        return if left.lo > 0 { RemainderBounds::IMPOSSIBLE } else { RemainderBounds::NOTHING };
    }
    let mut rest = RemainderBounds::of_element(span).repeated_by(left);
    for bound in &ranges.walker.pruner.of_field(field).fold_comparisons {
        if !ranges.always_applies(bound.comparison, bound.home, field) {
            continue;
        }
        let within = narrow_by_operator(Interval::ALL, bound.sign, evaluate_range(bound.other, ranges));
        let mut before = Vec::new();
        if let Some(value) = chosen {
            visit_elements(value, &mut |code| before.push(Interval::from_value(letter_rank(format, field, code))));
        }
        before.extend(next);
        let before = PrecedingElements(before);
        match fold_distances(format, field, bound.fold, within, left, span, &before) {
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
    fn sum_range(&self) -> Interval {
        self.0.iter().copied().fold(Interval::from_value(0), Interval::sum_with)
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
    match fold {
        FoldKind::Count(wanted) => {
            let wanted = letter_rank(format, field, wanted);
            distances_of_count(span, wanted, within.difference_with(before.count_range(wanted)), left)
        }
        // Lengths, divisors, bits, relations and letter codes are no distances.
        FoldKind::Size
        | FoldKind::Gcd
        | FoldKind::Xor
        | FoldKind::Distinct
        | FoldKind::Inversions
        | FoldKind::Cycles => Some((0, u128::MAX)),
        _ if format.field(field).alphabet().is_some() => Some((0, u128::MAX)),
        FoldKind::Sum => span.distances_of_sum(within.difference_with(before.sum_range()), left),
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

// A bound on the distances of the remaining edges, where they have to connect a graph.
//
// Each component needs another edge with an endpoint in it. The nearest vertex of each component gives a lower
// bound on the sum of distances. Without it, all prefixes of edge lists would be tried at sums of distances that
// no tree has.

/// Returns a lower bound on the sum of the distances of all remaining leaves.
pub(super) fn min_spanning_distance(walker: &LayoutWalker<'_>, prefix: &Prefix) -> u128 {
    let graphs = walker.format.graphs().filter(|(_, graph)| graph.has_property(GraphProperty::Connected));
    let bound = |(constraint, graph): (&Constraint, _)| {
        prefix.with_innermost(walker.format, |scope| {
            let known = PrefixRanges { scope, prefix };
            min_end_distance(graph, scope.scope_of_block(constraint.home_block)?, &known)
        })
    };
    graphs.filter_map(bound).max().unwrap_or(0)
}

fn min_end_distance(rule: &GraphConstraint, home: &ValueScope<'_>, known: &PrefixRanges<'_, '_>) -> Option<u128> {
    let (block, ends) = rule.line_edges()?;
    let vertices = |expr| value::evaluate_number(expr, home).ok().filter(|_| known.is_settled(expr));
    let (first, last) = (vertices(&rule.vertices.0)?, vertices(&rule.vertices.1)?);
    if last <= first || last - first >= MAX_SPANNED_VERTICES {
        return None;
    }
    let list = home.slot_value(home.format.block(block).slot).map(Value::as_instances);
    if list.is_some() && !known.is_repeating(block) {
        return None;
    }
    let slots = (home.format.field(ends.0).slot, home.format.field(ends.1).slot);
    let mut parts = GraphComponents::new(usize::try_from(last - first + 1).ok()?);
    let mut touched = None;
    for edge in list.into_iter().flatten() {
        let end = |slot: usize| {
            usize::try_from(edge.get(slot)?.as_int()? - first).ok().filter(|v| *v < parts.component_of.len())
        };
        match (end(slots.0), end(slots.1)) {
            (Some(u), Some(v)) => parts.join_vertices(u, v),
            // The edge that is being chosen: its other endpoint is not chosen yet.
            (Some(one), None) | (None, Some(one)) => touched = Some(one),
            (None, None) => {}
        }
    }
    let distance = |vertex: usize| {
        let number = first + vertex as i128;
        let from = |field: FieldId| number.abs_diff(home.format.field(field).range.simplest_value());
        from(ends.0).min(from(ends.1))
    };
    Some(parts.sum_nearest(touched, distance))
}

/// The connected components of the chosen edges.
struct GraphComponents {
    component_of: Vec<usize>,
    count: usize,
}

impl GraphComponents {
    fn new(vertices: usize) -> GraphComponents {
        GraphComponents { component_of: (0..vertices).collect(), count: vertices }
    }

    fn join_vertices(&mut self, u: usize, v: usize) {
        let (from, to) = (self.component_of[u], self.component_of[v]);
        if from != to {
            self.component_of.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
            self.count -= 1;
        }
    }

    /// Returns the sum, over all components that need another endpoint, of the distance of the nearest vertex.
    fn sum_nearest(&self, touched: Option<usize>, distance: impl Fn(usize) -> u128) -> u128 {
        if self.count < 2 {
            return 0;
        }
        let mut nearest = vec![None; self.component_of.len()];
        for (vertex, part) in self.component_of.iter().enumerate() {
            let own = distance(vertex);
            nearest[*part] = Some(nearest[*part].map_or(own, |least: u128| least.min(own)));
        }
        if let Some(vertex) = touched {
            nearest[self.component_of[vertex]] = None;
        }
        nearest.into_iter().flatten().fold(0, u128::saturating_add)
    }
}
