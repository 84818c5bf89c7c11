//! How far away the ends of edges that are still to come must be, where they have to connect a graph.
//!
//! Each part of the graph needs one more edge with an end in it. The vertices in a part that are the nearest to the
//! simplest then are a bound on the sum of distances: without it, all beginnings of edge lists are tried at sums that no
//! tree has.

use super::known::Known;
use super::prefix::Prefix;
use super::walk::Walk;
use crate::format::{Adjective, FieldId, GraphRule, Rule};
use crate::value::{self, Scope, Value};

/// Larger graphs come with so many edges that they are not enumerated.
const MAX_VERTICES: i128 = 256;

/// A bound on the sum of distances of all leaves to come.
pub(super) fn nearest(walk: &Walk<'_>, prefix: &Prefix) -> u128 {
    let rules = walk.format.constraints.iter().filter_map(|constraint| match &constraint.rule {
        Rule::Graph(rule) if rule.is(Adjective::Connected) => Some((rule, constraint.home)),
        _ => None,
    });
    let bound = |(rule, home)| {
        prefix.with_innermost(walk.format, |scope| {
            let known = Known { scope, spine: &prefix.spine };
            nearest_ends(rule, scope.of(home)?, &known)
        })
    };
    rules.filter_map(bound).max().unwrap_or(0)
}

fn nearest_ends(rule: &GraphRule, home: &Scope<'_>, known: &Known<'_, '_>) -> Option<u128> {
    let (block, ends) = rule.lines()?;
    let vertices = |expr| value::number(expr, home).ok().filter(|_| known.is_settled(expr));
    let (first, last) = (vertices(&rule.vertices.0)?, vertices(&rule.vertices.1)?);
    if last <= first || last - first >= MAX_VERTICES {
        return None;
    }
    let list = home.slot(home.format.block(block).slot).map(Value::as_instances);
    if list.is_some() && !known.is_repeating(block) {
        return None;
    }
    let slots = (home.format.field(ends.0).slot, home.format.field(ends.1).slot);
    let mut parts = Parts::new(usize::try_from(last - first + 1).ok()?);
    let mut touched = None;
    for edge in list.into_iter().flatten() {
        let end =
            |slot: usize| usize::try_from(edge.get(slot)?.as_int()? - first).ok().filter(|v| *v < parts.part.len());
        match (end(slots.0), end(slots.1)) {
            (Some(u), Some(v)) => parts.join(u, v),
            // The edge that is being chosen: its other end is to come.
            (Some(one), None) | (None, Some(one)) => touched = Some(one),
            (None, None) => {}
        }
    }
    let distance = |vertex: usize| {
        let number = first + vertex as i128;
        let from = |field: FieldId| number.abs_diff(home.format.field(field).range.simplest());
        from(ends.0).min(from(ends.1))
    };
    Some(parts.nearest(touched, distance))
}

/// Which vertices are connected already.
struct Parts {
    part: Vec<usize>,
    count: usize,
}

impl Parts {
    fn new(vertices: usize) -> Parts {
        Parts { part: (0..vertices).collect(), count: vertices }
    }

    fn join(&mut self, u: usize, v: usize) {
        let (from, to) = (self.part[u], self.part[v]);
        if from != to {
            self.part.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
            self.count -= 1;
        }
    }

    /// The sum, over all parts that need another end, of the distance of the nearest vertex.
    fn nearest(&self, touched: Option<usize>, distance: impl Fn(usize) -> u128) -> u128 {
        if self.count < 2 {
            return 0;
        }
        let mut nearest = vec![None; self.part.len()];
        for (vertex, part) in self.part.iter().enumerate() {
            let own = distance(vertex);
            nearest[*part] = Some(nearest[*part].map_or(own, |least: u128| least.min(own)));
        }
        if let Some(vertex) = touched {
            nearest[self.part[vertex]] = None;
        }
        nearest.into_iter().flatten().fold(0, u128::saturating_add)
    }
}
