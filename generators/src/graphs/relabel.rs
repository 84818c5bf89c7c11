//! Hides the construction of a graph: changes the vertex numbers, the order of the ends and the order of the edges.
//!
//! A solution that relies on parents coming before their children, or on the first vertex being the root, has to fail
//! on most graphs and can pass on some.

use super::GraphRequirements;
use crate::choices::Choices;

/// Maps vertices `0..used` to vertices of `graph`, and reorders the edges.
pub(super) fn relabel_graph(c: &mut Choices, graph: &GraphRequirements, used: usize, edges: &mut [(usize, usize)]) {
    let labels = draw_labels(c, graph.vertices, used);
    for (u, v) in &mut *edges {
        (*u, *v) = (labels[*u], labels[*v]);
    }
    if !graph.directed {
        orient_edges(c, edges);
    }
    match c.draw_weighted(&[1, 6, 1, 1]) {
        0 => {}
        1 => c.shuffle(edges),
        2 => edges.sort_unstable(),
        _ => edges.sort_unstable_by(|one, other| other.cmp(one)),
    }
}

/// Exchanges the ends of all edges of an undirected graph, or of none.
pub(super) fn orient_all_edges(graph: &GraphRequirements, is_turned: bool, edges: &mut [(usize, usize)]) {
    if is_turned && !graph.directed {
        edges.iter_mut().for_each(|(u, v)| std::mem::swap(u, v));
    }
}

/// Returns a vertex for each one used: itself, its counterpart from the other end, or a random one.
fn draw_labels(c: &mut Choices, vertices: usize, used: usize) -> Vec<usize> {
    match c.draw_weighted(&[1, 6, 1]) {
        0 => (0..used).collect(),
        1 => c.draw_distinct_below(used, vertices),
        _ => (0..used).map(|v| vertices - 1 - v).collect(),
    }
}

/// Swaps the ends of edges: of none, of random ones, or so that the smaller or the larger end always comes first.
fn orient_edges(c: &mut Choices, edges: &mut [(usize, usize)]) {
    let variant = c.draw_weighted(&[1, 6, 1, 1]);
    for (u, v) in edges {
        let turned = match variant {
            0 => false,
            1 => c.draw_chance(1, 2),
            2 => u > v,
            _ => u < v,
        };
        if turned {
            std::mem::swap(u, v);
        }
    }
}
