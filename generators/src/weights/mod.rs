//! Shapes of edge weights.
//!
//! With random weights, a shortest-path search finds nearly every distance at once: its queue stays short, distances
//! are rarely improved, and no two paths have the same length. The shapes here walk the graph from its first vertex,
//! where most problems start, and place the weights so that such a search does as much work as possible.

mod unstructured;
mod worst_case;

use crate::choices::Choices;
use crate::graphs::compact_vertices;
use crate::shape_family::Shape;
use unstructured::DepthFirstWalk;
pub use worst_case::WORST_CASE_WEIGHT_SHAPES;

/// A graph with edges that need weights.
pub struct UnweightedGraph<'a> {
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
pub type WeightShape = Shape<fn(&mut Choices, &UnweightedGraph<'_>) -> Vec<i128>>;

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
        let mut weights = (self.draw)(c, &UnweightedGraph { vertices, edges, lo, hi });
        weights.iter_mut().for_each(|weight| *weight = (*weight).clamp(lo, hi));
        weights
    }
}

/// All weight shapes. The first is the default.
pub const WEIGHT_SHAPES: &[WeightShape] = &[
    Shape::new("uniform", "every weight equally likely", unstructured::uniform_weights),
    Shape::new("equal", "one weight throughout", unstructured::equal_weights),
    Shape::new("extremes", "only the smallest and the largest weight", unstructured::extreme_weights),
    Shape::new("heaviest", "the largest weight, or nearly, so that sums overflow", unstructured::heaviest_weights),
    Shape::new("powers-of-two", "each edge outweighs all earlier ones", unstructured::power_of_two_weights),
    Shape::new("heavy-bridge", "one heavy edge, a bridge if possible", unstructured::heavy_bridge_weights),
    Shape::new("increasing", "heavier the further from the first vertex", unstructured::increasing_weights),
    Shape::new("decreasing", "lighter the further from the first vertex", unstructured::decreasing_weights),
    Shape::new("equal-ways", "all paths down from the first vertex equally long", unstructured::equal_path_weights),
    Shape::new(
        "ever-nearer",
        "each vertex improves the distances of all later ones; breaks careless Dijkstra",
        unstructured::ever_nearer_weights,
    ),
    Shape::new(
        "doubling-ways",
        "paths found later are shorter by a power of two; breaks searches with a stack",
        unstructured::doubling_path_weights,
    ),
    Shape::new(
        "heavy-chains",
        "a long path of random heavy edges with light ones across; breaks searches with a queue",
        unstructured::heavy_chain_weights,
    ),
    Shape::new(
        "safely-negative",
        "negative edges, but no negative cycle if edges are directed",
        unstructured::safely_negative_weights,
    ),
];
