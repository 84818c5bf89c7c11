//! Hides how a graph was built: other numbers, other ends first, another order.
//!
//! A solution that relies on parents coming before their children, or on the first vertex being the root, must fail
//! on most graphs and may pass on some.

use super::Graph;
use crate::choices::Choices;

/// Renames vertices `0..used` within those of `graph`, and moves the edges about.
pub(super) fn disguise(c: &mut Choices, graph: &Graph, used: usize, edges: &mut [(usize, usize)]) {
    let labels = draw_labels(c, graph.vertices, used);
    for (u, v) in &mut *edges {
        (*u, *v) = (labels[*u], labels[*v]);
    }
    if !graph.directed {
        turn(c, edges);
    }
    match c.weighted(&[1, 6, 1, 1]) {
        0 => {}
        1 => c.shuffle(edges),
        2 => edges.sort_unstable(),
        _ => edges.sort_unstable_by(|one, other| other.cmp(one)),
    }
}

/// A vertex for each one used: the same, the one at the other end, or any.
fn draw_labels(c: &mut Choices, vertices: usize, used: usize) -> Vec<usize> {
    match c.weighted(&[1, 6, 1]) {
        0 => (0..used).collect(),
        1 => c.distinct_below(used, vertices),
        _ => (0..used).map(|v| vertices - 1 - v).collect(),
    }
}

/// Exchanges the ends of edges: of none, of any, or so that the smaller or the larger always comes first.
fn turn(c: &mut Choices, edges: &mut [(usize, usize)]) {
    let habit = c.weighted(&[1, 6, 1, 1]);
    for (u, v) in edges {
        let turned = match habit {
            0 => false,
            1 => c.chance(1, 2),
            2 => u > v,
            _ => u < v,
        };
        if turned {
            std::mem::swap(u, v);
        }
    }
}
