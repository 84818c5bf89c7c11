//! Weights of edges with a habit.
//!
//! With random weights a search for shortest paths finds nearly every distance at once: its queue stays short, no vertex
//! gets nearer twice, and no two ways are equally long. The shapes here look at the graph, walk it from its first
//! vertex (where most problems start), and put the weights where such a search does the most work.

mod plain;
mod relaxing;
mod walk;

use crate::choices::Choices;
use crate::graphs::packed;
use walk::Walk;

/// A graph whose edges want weights.
struct Weighing<'a> {
    vertices: usize,
    edges: &'a [(usize, usize)],
    lo: i128,
    hi: i128,
}

impl Weighing<'_> {
    fn walk(&self) -> Walk {
        Walk::new(self.vertices, self.edges)
    }

    fn each(&self, weight: impl FnMut(&(usize, usize)) -> i128) -> Vec<i128> {
        self.edges.iter().map(weight).collect()
    }

    /// A weight so far above the smallest, or the largest.
    fn above(&self, more: i128) -> i128 {
        self.lo.saturating_add(more).min(self.hi)
    }
}

/// A named habit of the weights of a graph's edges.
#[derive(Debug)]
pub struct WeightShape {
    /// What recipes call it.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, &Weighing<'_>) -> Vec<i128>,
}

impl WeightShape {
    /// A weight within `lo..=hi` for each of `edges`, which run between vertices `0..vertices`.
    #[must_use]
    pub fn make(&self, c: &mut Choices, vertices: usize, edges: &[(usize, usize)], lo: i128, hi: i128) -> Vec<i128> {
        if lo >= hi || edges.iter().any(|(u, v)| *u.max(v) >= vertices) {
            return vec![lo; edges.len()];
        }
        let packed = packed(vertices, edges);
        let (vertices, edges) = packed.as_ref().map_or((vertices, edges), |(vertices, edges)| (*vertices, edges));
        let mut weights = (self.make)(c, &Weighing { vertices, edges, lo, hi });
        weights.iter_mut().for_each(|weight| *weight = (*weight).clamp(lo, hi));
        weights
    }
}

/// Every habit of weights. The first is the plain one.
pub const WEIGHT_SHAPES: &[WeightShape] = &[
    WeightShape { name: "uniform", doc: "every weight equally likely", make: plain::uniform },
    WeightShape { name: "equal", doc: "one weight throughout", make: plain::equal },
    WeightShape { name: "extremes", doc: "only the smallest and the largest weight", make: plain::extremes },
    WeightShape {
        name: "heaviest",
        doc: "the largest weight, or nearly, so that sums overflow",
        make: plain::heaviest,
    },
    WeightShape { name: "powers-of-two", doc: "each edge outweighs all before it", make: plain::powers_of_two },
    WeightShape {
        name: "heavy-bridge",
        doc: "one heavy edge, where there is no way around it",
        make: plain::heavy_bridge,
    },
    WeightShape { name: "increasing", doc: "heavier the further from the first vertex", make: plain::increasing },
    WeightShape { name: "decreasing", doc: "lighter the further from the first vertex", make: plain::decreasing },
    WeightShape {
        name: "equal-ways",
        doc: "every way down from the first vertex equally long",
        make: relaxing::equal_ways,
    },
    WeightShape {
        name: "ever-nearer",
        doc: "each vertex on the way brings all later ones nearer; breaks careless Dijkstra",
        make: relaxing::ever_nearer,
    },
    WeightShape {
        name: "doubling-ways",
        doc: "the way that is found later is shorter by a power of two; breaks searches with a stack",
        make: relaxing::doubling_ways,
    },
    WeightShape {
        name: "heavy-chains",
        doc: "a long way of random heavy edges with light ones across; breaks searches with a queue",
        make: relaxing::heavy_chains,
    },
    WeightShape {
        name: "safely-negative",
        doc: "negative edges, but no negative cycle if edges are directed",
        make: relaxing::safely_negative,
    },
];
