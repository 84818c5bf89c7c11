//! Graphs in which some vertices have the maximum degree.

use super::GraphRequirements;
use super::graph_plan::{GraphPlan, nth_unordered_pair};
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

// Cycles, alone and with other edges.

pub(super) fn plan_cycle(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| v - 1).with_chords(vec![(graph.vertices - 1, 0)])
}

/// If directed and reversed, this is a functional graph: each vertex has one outgoing edge, and every path leads to the
/// cycle.
pub(super) fn plan_trees_on_a_cycle(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let length = c.draw_log_range(2, graph.vertices as i128) as usize;
    let last = (length - 1).min(graph.vertices - 1);
    GraphPlan::from_parents(graph.vertices, |v| if v <= last { v - 1 } else { c.draw_index(v) })
        .with_chords(vec![(last, 0)])
}

pub(super) fn plan_wheel(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let rim = graph.vertices - 1;
    let chords = (1..=rim).map(|v| (v, v % rim + 1)).collect();
    GraphPlan::from_parents(graph.vertices, |_| 0).with_chords(chords)
}

/// Each cycle starts and ends at an earlier vertex.
pub(super) fn plan_cactus(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let (mut parents, mut chords) = (vec![0], Vec::new());
    let longest = c.draw_log_range(2, graph.vertices as i128);
    while parents.len() < graph.vertices {
        let (anchor, first) = (c.draw_index(parents.len()), parents.len());
        let last = (first - 1 + c.draw_range(2, longest) as usize).min(graph.vertices - 1);
        parents.push(anchor);
        parents.extend(first..last);
        chords.push((last, anchor));
    }
    GraphPlan::from_parents(graph.vertices, |v| parents[v]).with_chords(chords)
}

pub(super) fn plan_several_cycles(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let (mut first, mut chords) = (0, Vec::new());
    let longest = c.draw_log_range(3, graph.vertices as i128);
    while first < graph.vertices {
        let last = (first + c.draw_range(3, longest) as usize).min(graph.vertices) - 1;
        chords.extend((first..last).map(|v| (v, v + 1)));
        chords.push((last, first));
        first = last + 1;
    }
    GraphPlan::from_parents(graph.vertices, |v| v - 1).with_chords(chords).with_optional_tree()
}

/// A circulant graph: each vertex is adjacent to those at the same few distances on a circle.
pub(super) fn plan_regular(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let n = graph.vertices;
    let circles = (1..=n / 2).flat_map(|distance| (0..n).map(move |v| (v, (v + distance) % n)));
    let chords = circles.take(graph.edges).collect();
    GraphPlan::from_parents(n, |v| v - 1).with_chords(chords).with_optional_tree()
}

/// Returns the edges of a strongly connected graph on vertices `0..vertices`, of which there are at least as many as
/// vertices and at most `most`, as long as that is possible.
pub(super) fn draw_ears(c: &mut Choices, vertices: usize, most: usize) -> Vec<(usize, usize)> {
    if vertices < 2 {
        return Vec::new();
    }
    // Each path has one edge more than new vertices.
    let paths = c.draw_range(0, most.saturating_sub(vertices).min(vertices - 2) as i128) as usize;
    let mut lengths = vec![1; paths];
    let mut on_cycle = 2;
    for _ in 0..vertices - 2 - paths {
        match c.draw_index(2 * paths + 1) {
            at if at < paths => lengths[at] += 1,
            _ => on_cycle += 1,
        }
    }
    let mut edges: Vec<(usize, usize)> = (0..on_cycle).map(|v| (v, (v + 1) % on_cycle)).collect();
    let mut known = on_cycle;
    for length in lengths {
        let (from, to) = (c.draw_index(known), c.draw_index(known));
        edges.push((from, known));
        edges.extend((known + 1..known + length).map(|v| (v - 1, v)));
        known += length;
        edges.push((known - 1, to));
    }
    edges
}

// Graphs in layers: edges lead from one to the next.

pub(super) fn plan_grid(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let width = match c.draw_below(3) {
        0 => graph.vertices.isqrt().max(1),
        1 => 2,
        _ => c.draw_log_range(1, graph.vertices as i128) as usize,
    };
    let down = (width..graph.vertices).map(|v| (v - width, v)).collect();
    GraphPlan::from_parents(graph.vertices, |v| if v % width == 0 { v - width } else { v - 1 }).with_chords(down)
}

/// A root, and layers of equal size below it.
pub(super) fn plan_layered(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let width = c.draw_log_range(1, graph.vertices as i128) as usize;
    let above = |c: &mut Choices, v: usize| match (v - 1) / width {
        0 => 0,
        layer => (layer - 1) * width + 1 + c.draw_index(width),
    };
    let parents: Vec<usize> = (1..graph.vertices).map(|v| above(c, v)).collect();
    let below = graph.vertices.saturating_sub(1 + width);
    let chords = (0..if below > 0 { graph.spare_edges() } else { 0 }).map(|_| {
        let v = 1 + width + c.draw_index(below);
        (above(c, v), v)
    });
    let chords = chords.collect();
    GraphPlan::from_parents(graph.vertices, |v| parents[v - 1]).with_chords(chords)
}

/// Paths that diverge and join again: the number of paths from end to end is exponential.
pub(super) fn plan_diamonds(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let ways = if c.draw_chance(1, 2) { c.draw_log_range(2, graph.vertices as i128) as usize } else { 2 };
    let length = ways + 1;
    let meets = (length..graph.vertices).step_by(length);
    let chords = meets.flat_map(|meet| (meet - ways..meet - 1).map(move |v| (v, meet))).collect();
    GraphPlan::from_parents(graph.vertices, |v| if v % length == 0 { v - 1 } else { v - v % length })
        .with_chords(chords)
}

/// A path, and edges that skip a short part of it. Half of the bands are so narrow that the ways along the path stay long.
pub(super) fn plan_band(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    /// More chords than there are edges, as some are equal.
    const CHORDS_PER_EDGE: usize = 3;
    let spare = graph.spare_edges();
    // Twice as many different chords fit in as are needed.
    let least = (3 + 2 * spare / graph.vertices.max(1)).min(graph.vertices);
    let widest = if c.draw_chance(1, 2) { least } else { graph.vertices };
    let width = c.draw_log_range(least as i128, widest as i128) as usize;
    let pairs = (0..spare.saturating_mul(CHORDS_PER_EDGE)).map(|_| {
        let v = c.draw_index(graph.vertices);
        (v - c.draw_index(width.min(v + 1)), v)
    });
    let chords = pairs.filter(|(u, v)| u != v).collect();
    GraphPlan::from_parents(graph.vertices, |v| v - 1).with_chords(chords)
}
