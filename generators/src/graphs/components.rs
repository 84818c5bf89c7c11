//! Graphs with several components, or with bridges.

use super::GraphRequirements;
use super::dense::min_clique_size;
use super::graph_plan::{GraphPlan, nth_unordered_pair};
use crate::choices::Choices;

/// Blobs connected by single edges.
pub(super) fn plan_bridges(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let blobs = VertexBlobs::draw_blobs(c, graph);
    let chords = blobs.draw_chords(c, graph.spare_edges());
    blobs.spanning_plan(c, graph).with_chords(chords)
}

/// Blobs without edges between them.
pub(super) fn plan_separate(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let blobs = VertexBlobs::draw_blobs(c, graph);
    let more = blobs.draw_chords(c, graph.spare_edges());
    let plan = blobs.spanning_plan(c, graph);
    let is_within = |(_, v): &(usize, usize)| blobs.starts.binary_search(v).is_err();
    let mut chords: Vec<_> = plan.tree_edges().filter(is_within).collect();
    c.shuffle(&mut chords);
    chords.extend(more);
    plan.with_chords(chords).with_optional_tree()
}

/// Consecutive vertices, split into blobs.
struct VertexBlobs {
    /// The first vertex of each blob in ascending order, followed by the end of the last blob.
    starts: Vec<usize>,
}

impl VertexBlobs {
    /// Draws so few blobs that the edges fit within them.
    fn draw_blobs(c: &mut Choices, graph: &GraphRequirements) -> VertexBlobs {
        let n = graph.vertices;
        let size = 2 * (graph.edges / n) + 2;
        let count = c.draw_log_range(1, (n / size) as i128).max(2) as usize;
        let mut starts = vec![0];
        starts.extend(c.draw_distinct(count - 1, 1, n as i128 - 1).into_iter().map(|start| start as usize));
        starts.push(n);
        starts.sort_unstable();
        debug_assert!(starts.is_sorted_by(|one, next| one < next), "starts are distinct, so no blob is empty");
        VertexBlobs { starts }
    }

    /// Returns a spanning tree in which each blob hangs on the previous one, or on any earlier one.
    fn spanning_plan(&self, c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
        let in_a_row = c.draw_chance(1, 2);
        let (mut blob, mut before) = (0, 0);
        GraphPlan::from_parents(graph.vertices, |v| {
            let is_first = self.starts[blob + 1] == v;
            if is_first {
                (before, blob) = (self.starts[blob], blob + 1);
            }
            let from = match (is_first, in_a_row) {
                (true, true) => before,
                (true, false) => 0,
                (false, _) => self.starts[blob],
            };
            from + c.draw_index(v - from)
        })
    }

    /// Draws about `count` edges within blobs, more of them in larger blobs, and some extra ones because edges of the
    /// tree are dropped as repeats.
    fn draw_chords(&self, c: &mut Choices, count: usize) -> Vec<(usize, usize)> {
        let pairs = |blob: &[usize]| (blob[1] - blob[0]) as u128 * (blob[1] - blob[0] - 1) as u128 / 2;
        let count = count + count.min(self.starts.last().copied().unwrap_or(0));
        let total: u128 = self.starts.windows(2).map(pairs).sum();
        let mut chords = Vec::new();
        for blob in self.starts.windows(2).filter(|blob| pairs(blob) > 0) {
            let share = (count as u128 * pairs(blob)).div_ceil(total) as usize;
            for number in c.draw_distinct(share, 0, pairs(blob) as i128 - 1) {
                let (u, v) = nth_unordered_pair(number as u64);
                chords.push((blob[0] + u, blob[0] + v));
            }
        }
        c.shuffle(&mut chords);
        chords
    }
}

pub(super) fn plan_matching(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let chords = (1..graph.vertices).step_by(2).map(|v| (v - 1, v)).collect();
    GraphPlan::from_parents(graph.vertices, |v| if v % 2 == 1 { v - 1 } else { c.draw_index(v) })
        .with_chords(chords)
        .with_optional_tree()
}

/// If the graph can be disconnected, only some of the vertices have edges.
pub(super) fn plan_isolated(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let needed = match (graph.connected, graph.is_forest()) {
        (true, _) => graph.vertices,
        (false, true) => graph.edges + 1,
        (false, false) if graph.bipartite => 2 * graph.edges.isqrt() + 2,
        (false, false) => min_clique_size(graph.edges),
    };
    let used = c.draw_log_range(needed as i128, graph.vertices as i128) as usize;
    GraphPlan::from_parents(used.clamp(1, graph.vertices), |v| c.draw_index(v)).with_optional_tree()
}

// Trees with random parents.

/// Every tree is equally likely: the parents are the ends of a random walk over all vertices, cut where it returns to a
/// visited one.
pub(super) fn plan_uniform_tree(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| c.draw_index(graph.vertices).min(v - 1))
}

pub(super) fn plan_uniform(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    plan_uniform_tree(c, graph).with_optional_tree()
}

pub(super) fn plan_random_parent(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| c.draw_index(v))
}

pub(super) fn plan_near_parent(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let reach = c.draw_log_range(2, (graph.vertices / 4) as i128) as usize;
    GraphPlan::from_parents(graph.vertices, |v| v - 1 - c.draw_index(reach.min(v)))
}

/// A random end of an earlier edge: the probability of a vertex grows with its degree.
pub(super) fn plan_popular(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let mut ends = vec![0];
    GraphPlan::from_parents(graph.vertices, |v| {
        let parent = ends[c.draw_index(ends.len())];
        ends.extend([parent, v]);
        parent
    })
}

pub(super) fn plan_binary(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| (v - 1) / 2)
}

pub(super) fn plan_k_ary(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let children = c.draw_log_range(3, (graph.vertices / 2) as i128) as usize;
    GraphPlan::from_parents(graph.vertices, |v| (v - 1) / children)
}

/// The parent of a vertex is its number without the lowest set bit.
pub(super) fn plan_binomial(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| v & (v - 1))
}

// Trees along a path or around a centre.

pub(super) fn plan_path(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| v - 1)
}

pub(super) fn plan_star(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |_| 0)
}

pub(super) fn plan_caterpillar(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let spine = choose_spine_length(c, graph);
    GraphPlan::from_parents(graph.vertices, |v| if v < spine { v - 1 } else { c.draw_index(spine) })
}

pub(super) fn plan_centipede(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let spine = graph.vertices.div_ceil(2);
    GraphPlan::from_parents(graph.vertices, |v| if v < spine { v - 1 } else { v - spine })
}

/// Teeth of equal length: they grow in parallel, each by one vertex per round.
pub(super) fn plan_comb(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let spine = if c.draw_chance(1, 2) { choose_spine_length(c, graph) } else { graph.vertices.isqrt().max(1) };
    GraphPlan::from_parents(graph.vertices, |v| if v < spine { v - 1 } else { v - spine })
}

pub(super) fn plan_spider(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let legs = if c.draw_chance(1, 2) { choose_spine_length(c, graph) } else { graph.vertices.isqrt().max(1) };
    GraphPlan::from_parents(graph.vertices, |v| v.saturating_sub(legs))
}

pub(super) fn plan_broom(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let handle = choose_spine_length(c, graph);
    GraphPlan::from_parents(graph.vertices, |v| if v < handle { v - 1 } else { handle - 1 })
}

pub(super) fn plan_double_broom(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let handle = choose_spine_length(c, graph);
    GraphPlan::from_parents(graph.vertices, |v| match v {
        _ if v < handle => v - 1,
        _ if v % 2 == 0 => 0,
        _ => handle - 1,
    })
}

pub(super) fn plan_two_stars(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let first = c.draw_range(2, graph.vertices as i128) as usize;
    GraphPlan::from_parents(graph.vertices, |v| usize::from(v > first))
}

/// Draws the length of the spine: of any order of magnitude, and now and then half of the vertices.
fn choose_spine_length(c: &mut Choices, graph: &GraphRequirements) -> usize {
    match c.draw_chance(1, 4) {
        true => graph.vertices.div_ceil(2),
        false => c.draw_log_range(1, graph.vertices as i128) as usize,
    }
}

// Redundant edges: repeats, loops, and reversed edges.

pub(super) fn plan_repeated_edges(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    plan_random_parent(c, graph).with_repeats()
}

pub(super) fn plan_loops(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let most = graph.spare_edges().min(graph.vertices) as i128;
    let count = c.draw_log_range(1, most) as usize;
    let at = c.draw_distinct(count, 0, graph.vertices as i128 - 1);
    let chords = at.into_iter().map(|v| (v as usize, v as usize)).collect();
    plan_random_parent(c, graph).with_chords(chords)
}

pub(super) fn plan_there_and_back(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let plan = plan_random_parent(c, graph).with_repeats().with_kept_directions();
    let back = plan.tree_edges().flat_map(|(u, v)| [(u, v), (v, u)]).collect();
    plan.with_chords(back)
}
