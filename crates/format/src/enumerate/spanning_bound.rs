//! A bound on the distances of the remaining edges, where they have to connect a graph.
//!
//! Each component needs another edge with an endpoint in it. The nearest vertex of each component gives a lower
//! bound on the sum of distances. Without it, all prefixes of edge lists would be tried at sums of distances that
//! no tree has.

use super::layout_walker::LayoutWalker;
use super::prefix::Prefix;
use super::prefix_ranges::PrefixRanges;
use crate::constraints::KnownPrefix;
use crate::language::{Constraint, FieldId, GraphConstraint, GraphProperty};
use crate::tuning::MAX_SPANNED_VERTICES;
use crate::value::{self, Value, ValueScope};

/// Returns a lower bound on the sum of the distances of all remaining leaves.
pub(super) fn min_spanning_distance(walker: &LayoutWalker<'_>, prefix: &Prefix) -> u128 {
    let graphs = walker.format.graphs().filter(|(_, graph)| graph.has_property(GraphProperty::Connected));
    let bound = |(constraint, graph): (&Constraint, _)| {
        prefix.with_innermost(walker.format, |scope| {
            let known = PrefixRanges { scope, spine: &prefix.spine };
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
