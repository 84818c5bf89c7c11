//! Graphs with several components, or with bridges.

use super::GraphRequirements;
use super::dense::min_clique_size;
use super::graph_plan::GraphPlan;
use super::vertex_pairs::nth_unordered_pair;
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
