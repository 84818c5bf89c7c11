//! Graphs in which some vertices have all the edges they can have.

use super::Graph;
use super::pairs::nth_of_any;
use super::plan::Plan;
use crate::choices::Choices;

/// Graphs with at most so many pairs for each edge count as nearly complete.
const NEARLY: usize = 4;

/// One clique, and the rest in a tail, around it, or on it.
pub(super) fn clique(c: &mut Choices, graph: &Graph) -> Plan {
    let size = clique_size(graph.spare()) + 1;
    let habit = c.below(3);
    let plan = Plan::tree(graph.vertices, |v| match habit {
        _ if v < size => 0,
        0 => v - 1,
        1 => 0,
        _ => c.index(v),
    });
    plan.with_chords(clique_edges(graph, size.min(graph.vertices)).collect()).loose()
}

/// A clique at either end of a path, which may be a single edge.
pub(super) fn two_cliques(_: &mut Choices, graph: &Graph) -> Plan {
    let size = (clique_size(graph.spare().div_ceil(2)) + 1).min(graph.vertices / 2);
    let second = graph.vertices - size;
    let pairs = clique_edges(graph, size).flat_map(|(u, v)| [(u, v), (second + u, second + v)]);
    let chords = pairs.collect();
    let parent = |v: usize| match v {
        _ if v < size => 0,
        _ if v > second => second,
        _ => v - 1,
    };
    Plan::tree(graph.vertices, parent).with_chords(chords).loose()
}

/// All that is missing from a complete graph is part of a star, a path or a few cliques.
pub(super) fn complement(c: &mut Choices, graph: &Graph) -> Plan {
    let plan = Plan::tree(graph.vertices, |v| usize::from(v > 1));
    if graph.vertices.saturating_mul(graph.vertices) / 2 > graph.edges.saturating_mul(NEARLY) {
        return plan.loose();
    }
    let (habit, part) = (c.below(3), c.log_range(2, graph.vertices as i128) as usize);
    let missing = |(u, v): &(usize, usize)| match habit {
        0 => *u == 0,
        1 => *v == u + 1,
        _ => u / part == v / part,
    };
    let (last, mut chords): (Vec<_>, Vec<_>) = all_pairs(graph.vertices).partition(missing);
    chords.extend(last);
    plan.with_chords(chords).loose()
}

pub(super) fn complete_bipartite(c: &mut Choices, graph: &Graph) -> Plan {
    let n = graph.vertices;
    let even = (n / 2).max(1);
    let small = (1..even).find(|left| left * (n - left) >= graph.edges).unwrap_or(even);
    let left = if c.chance(1, 2) { small } else { even };
    // The first vertex is on the left, the next on the right, so that each of both sides can hang on the other.
    let is_left = |v: usize| v == 0 || (2..=left).contains(&v);
    let rights = || (1..n).filter(|v| !is_left(*v));
    let pairs = (0..n).filter(|v| is_left(*v)).flat_map(|u| rights().map(move |v| (u, v)));
    let chords = pairs.take(graph.edges).collect();
    Plan::tree(n, |v| usize::from(is_left(v))).with_chords(chords).loose()
}

/// A few vertices that are next to all others.
pub(super) fn hubs(c: &mut Choices, graph: &Graph) -> Plan {
    let hubs = (graph.edges / graph.vertices + 1).min(graph.vertices);
    let pairs = (0..hubs).flat_map(|hub| (hubs..graph.vertices).map(move |v| (hub, v)));
    let chords = pairs.take(graph.edges).collect();
    Plan::tree(graph.vertices, |v| if v < hubs { v - 1 } else { c.index(hubs) }).with_chords(chords).loose()
}

/// The fewest vertices that can have so many edges among them.
pub(super) fn clique_size(edges: usize) -> usize {
    nth_of_any((edges as u64).saturating_sub(1)).1 + 1
}

/// The edges of a clique of the first `size` vertices, but not many more than are asked for.
fn clique_edges(graph: &Graph, size: usize) -> impl Iterator<Item = (usize, usize)> {
    all_pairs(size).take(graph.edges)
}

fn all_pairs(vertices: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..vertices).flat_map(|v| (0..v).map(move |u| (u, v)))
}
