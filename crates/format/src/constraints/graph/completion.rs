//! Whether chosen edges can be completed to a graph with the required properties.

use super::{collect_edges, graph_requirements};
use crate::constraints::KnownPrefix;
use crate::model::{GraphConstraint, GraphProperty};
use crate::value::ValueScope;
use std::collections::HashMap;

/// Returns true if the chosen edges can be completed to a graph of the required kind.
pub(super) fn is_graph_completable(rule: &GraphConstraint, home: &ValueScope<'_>, prefix: &dyn KnownPrefix) -> bool {
    let Some((vertices, edges)) = collect_edges(rule, home) else { return true };
    let mut requirements = graph_requirements(rule, vertices, edges.len());
    requirements.connected = false;
    requirements.strongly_connected = false;
    if requirements.check_edges(&edges).is_err() {
        return false;
    }
    let joins = |vertex: usize| -> usize {
        edges.iter().map(|(u, v)| usize::from(*u == vertex) + usize::from(*v == vertex)).sum()
    };
    if rule.has_property(GraphProperty::Path) && edges.iter().any(|(u, v)| joins(*u).max(joins(*v)) > 2) {
        return false;
    }
    let Some((block, _)) = rule.edge_lines() else { return true };
    let later = prefix.instance_count(block).hi - edges.len() as i128;
    !rule.has_property(GraphProperty::Connected) || count_components(vertices, &edges) as i128 - 1 <= later
}

/// Returns the number of connected components.
fn count_components(vertices: usize, edges: &[(usize, usize)]) -> usize {
    // Vertices without edges are components of their own.
    let mut part: HashMap<usize, usize> = edges.iter().flat_map(|(u, v)| [(*u, *u), (*v, *v)]).collect();
    let mut count = vertices;
    for edge in edges {
        let (from, to) = (part[&edge.0], part[&edge.1]);
        if from != to {
            part.values_mut().filter(|p| **p == from).for_each(|p| *p = to);
            count -= 1;
        }
    }
    count
}
