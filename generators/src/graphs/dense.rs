//! Graphs in which some vertices have the maximum degree.

use super::GraphRequirements;
use super::graph_plan::GraphPlan;
use super::vertex_pairs::nth_unordered_pair;
use crate::choices::Choices;
use crate::tuning::MAX_PAIRS_PER_EDGE;

/// One clique, and the other vertices in a tail, around it, or hanging on it.
pub(super) fn plan_clique(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let size = min_clique_size(graph.spare_edges()) + 1;
    let variant = c.draw_below(3);
    let plan = GraphPlan::from_parents(graph.vertices, |v| match variant {
        _ if v < size => 0,
        0 => v - 1,
        1 => 0,
        _ => c.draw_index(v),
    });
    plan.with_chords(clique_edges(graph, size.min(graph.vertices)).collect()).with_optional_tree()
}

/// A clique at each end of a path, which can be a single edge.
pub(super) fn plan_two_cliques(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let size = (min_clique_size(graph.spare_edges().div_ceil(2)) + 1).min(graph.vertices / 2);
    let second = graph.vertices - size;
    let pairs = clique_edges(graph, size).flat_map(|(u, v)| [(u, v), (second + u, second + v)]);
    let chords = pairs.collect();
    let parent = |v: usize| match v {
        _ if v < size => 0,
        _ if v > second => second,
        _ => v - 1,
    };
    GraphPlan::from_parents(graph.vertices, parent).with_chords(chords).with_optional_tree()
}

/// The complement of a star, a path or a few cliques.
pub(super) fn plan_complement(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let plan = GraphPlan::from_parents(graph.vertices, |v| usize::from(v > 1));
    if graph.vertices.saturating_mul(graph.vertices) / 2 > graph.edges.saturating_mul(MAX_PAIRS_PER_EDGE) {
        return plan.with_optional_tree();
    }
    let (variant, part) = (c.draw_below(3), c.draw_log_range(2, graph.vertices as i128) as usize);
    let missing = |(u, v): &(usize, usize)| match variant {
        0 => *u == 0,
        1 => *v == u + 1,
        _ => u / part == v / part,
    };
    let (last, mut chords): (Vec<_>, Vec<_>) = all_pairs(graph.vertices).partition(missing);
    chords.extend(last);
    plan.with_chords(chords).with_optional_tree()
}

pub(super) fn plan_complete_bipartite(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let n = graph.vertices;
    let even = (n / 2).max(1);
    let small = (1..even).find(|left| left * (n - left) >= graph.edges).unwrap_or(even);
    let left = if c.draw_chance(1, 2) { small } else { even };
    // The first vertex is on the left and the next on the right, so that each vertex can hang on one of the other side.
    let is_left = |v: usize| v == 0 || (2..=left).contains(&v);
    let rights = || (1..n).filter(|v| !is_left(*v));
    let pairs = (0..n).filter(|v| is_left(*v)).flat_map(|u| rights().map(move |v| (u, v)));
    let chords = pairs.take(graph.edges).collect();
    GraphPlan::from_parents(n, |v| usize::from(is_left(v))).with_chords(chords).with_optional_tree()
}

/// A few vertices that are adjacent to all others.
pub(super) fn plan_hubs(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let hubs = (graph.edges / graph.vertices + 1).min(graph.vertices);
    let pairs = (0..hubs).flat_map(|hub| (hubs..graph.vertices).map(move |v| (hub, v)));
    let chords = pairs.take(graph.edges).collect();
    GraphPlan::from_parents(graph.vertices, |v| if v < hubs { v - 1 } else { c.draw_index(hubs) })
        .with_chords(chords)
        .with_optional_tree()
}

/// Returns the minimum number of vertices with this number of edges between them.
pub(super) fn min_clique_size(edges: usize) -> usize {
    nth_unordered_pair((edges as u64).saturating_sub(1)).1 + 1
}

/// Returns the edges of a clique of the first `size` vertices, up to the number of edges of the graph.
fn clique_edges(graph: &GraphRequirements, size: usize) -> impl Iterator<Item = (usize, usize)> {
    all_pairs(size).take(graph.edges)
}

fn all_pairs(vertices: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..vertices).flat_map(|v| (0..v).map(move |u| (u, v)))
}
