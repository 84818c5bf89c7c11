//! Shapes of edge weights.
//!
//! With random weights, a shortest-path search finds nearly every distance at once: its queue stays short, distances
//! are rarely improved, and no two paths have the same length. The shapes here walk the graph from its first vertex,
//! where most problems start, and place the weights so that such a search does as much work as possible.

mod unstructured;
mod worst_case;

use crate::choices::Choices;
use crate::graphs::compact_vertices;
use unstructured::DepthFirstWalk;
pub use worst_case::WORST_CASE_WEIGHT_SHAPES;

/// A graph with edges that need weights.
struct UnweightedGraph<'a> {
    vertices: usize,
    edges: &'a [(usize, usize)],
    lo: i128,
    hi: i128,
}

impl UnweightedGraph<'_> {
    fn walk_depth_first(&self) -> DepthFirstWalk {
        DepthFirstWalk::new(self.vertices, self.edges)
    }

    fn map_edges(&self, weight: impl FnMut(&(usize, usize)) -> i128) -> Vec<i128> {
        self.edges.iter().map(weight).collect()
    }

    /// Returns the smallest weight plus `more`, or the largest weight.
    fn above_minimum(&self, more: i128) -> i128 {
        self.lo.saturating_add(more).min(self.hi)
    }
}

/// A named way to generate the weights of a graph's edges.
#[derive(Debug)]
pub struct WeightShape {
    /// The name used in recipes.
    pub name: &'static str,
    /// A description of the weights in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, &UnweightedGraph<'_>) -> Vec<i128>,
}

impl WeightShape {
    /// Draws a weight within `lo..=hi` for each of `edges`, which are between vertices `0..vertices`.
    #[must_use]
    pub fn draw_weights(
        &self,
        c: &mut Choices,
        vertices: usize,
        edges: &[(usize, usize)],
        lo: i128,
        hi: i128,
    ) -> Vec<i128> {
        if lo >= hi || edges.iter().any(|(u, v)| *u.max(v) >= vertices) {
            return vec![lo; edges.len()];
        }
        let packed = compact_vertices(vertices, edges);
        let (vertices, edges) = packed.as_ref().map_or((vertices, edges), |(vertices, edges)| (*vertices, edges));
        let mut weights = (self.make)(c, &UnweightedGraph { vertices, edges, lo, hi });
        weights.iter_mut().for_each(|weight| *weight = (*weight).clamp(lo, hi));
        weights
    }
}

/// All weight shapes. The first is the default.
pub const WEIGHT_SHAPES: &[WeightShape] = &[
    WeightShape { name: "uniform", doc: "every weight equally likely", make: unstructured::uniform_weights },
    WeightShape { name: "equal", doc: "one weight throughout", make: unstructured::equal_weights },
    WeightShape {
        name: "extremes",
        doc: "only the smallest and the largest weight",
        make: unstructured::extreme_weights,
    },
    WeightShape {
        name: "heaviest",
        doc: "the largest weight, or nearly, so that sums overflow",
        make: unstructured::heaviest_weights,
    },
    WeightShape {
        name: "powers-of-two",
        doc: "each edge outweighs all earlier ones",
        make: unstructured::power_of_two_weights,
    },
    WeightShape {
        name: "heavy-bridge",
        doc: "one heavy edge, a bridge if possible",
        make: unstructured::heavy_bridge_weights,
    },
    WeightShape {
        name: "increasing",
        doc: "heavier the further from the first vertex",
        make: unstructured::increasing_weights,
    },
    WeightShape {
        name: "decreasing",
        doc: "lighter the further from the first vertex",
        make: unstructured::decreasing_weights,
    },
    WeightShape {
        name: "equal-ways",
        doc: "all paths down from the first vertex equally long",
        make: unstructured::equal_path_weights,
    },
    WeightShape {
        name: "ever-nearer",
        doc: "each vertex improves the distances of all later ones; breaks careless Dijkstra",
        make: unstructured::ever_nearer_weights,
    },
    WeightShape {
        name: "doubling-ways",
        doc: "paths found later are shorter by a power of two; breaks searches with a stack",
        make: unstructured::doubling_path_weights,
    },
    WeightShape {
        name: "heavy-chains",
        doc: "a long path of random heavy edges with light ones across; breaks searches with a queue",
        make: unstructured::heavy_chain_weights,
    },
    WeightShape {
        name: "safely-negative",
        doc: "negative edges, but no negative cycle if edges are directed",
        make: unstructured::safely_negative_weights,
    },
];
