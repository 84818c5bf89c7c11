//! Graphs and trees with a habit.
//!
//! A graph here is a list of pairs of vertices `0..vertices`; how they are numbered and printed is the format's
//! business. Random graphs are shallow, have one large part and hardly a bridge, so a search that recurses too deep, a
//! forgotten second component or a quadratic walk along a star all survive them.
//!
//! A shape only proposes: a spanning tree, and edges beyond it. [`GraphShape::make`] keeps what the adjectives allow,
//! adds what is missing, and hides how it was built. No shape can therefore make a graph that is not as it must be.

mod check;
mod cycles;
mod disguise;
mod draft;
mod joined;
mod limits;
mod loose;
mod pairs;
mod plan;
mod trees;

use crate::choices::Choices;
pub use check::{GraphFault, GraphFaultKind};
use draft::Draft;
use plan::Plan;

/// What a graph must be. Its vertices are `0..vertices`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Graph {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of edges.
    pub edges: usize,
    /// Whether an edge leads from its first vertex to its second, and not back.
    pub directed: bool,
    /// No loops and no repeated edges. The two directions between a pair are different edges if directed.
    pub simple: bool,
    /// No edge from a vertex to itself.
    pub loopless: bool,
    /// One part, whatever the directions.
    pub connected: bool,
    /// No cycles: a forest, or, if directed, no way that leads back to where it started.
    pub acyclic: bool,
    /// Two sides, and no edge within one of them.
    pub bipartite: bool,
}

/// A named habit of a graph.
#[derive(Debug)]
pub struct GraphShape {
    /// What recipes call it.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, &Graph) -> Plan,
}

impl GraphShape {
    /// The edges of a graph with this habit: as many as asked for, and with every adjective. If no such graph exists
    /// (see [`Graph::edge_range`]), the connection or the number of edges is given up, nothing else.
    #[must_use]
    pub fn make(&self, c: &mut Choices, graph: &Graph) -> Vec<(usize, usize)> {
        let within = graph.within_reach();
        if within.vertices == 0 {
            return Vec::new();
        }
        let plan = (self.make)(c, &within);
        let plan = plan.fitted(c, &within);
        let mut edges = Draft::build(c, &within, &plan);
        disguise::disguise(c, graph, within.vertices, &mut edges);
        edges
    }
}

/// Every habit of graphs. The first is the plain one. Each draws for at least one vertex.
pub const GRAPH_SHAPES: &[GraphShape] = &[
    GraphShape { name: "uniform", doc: "edges anywhere, no more of a tree than needed", make: trees::anywhere },
    GraphShape { name: "path", doc: "one long path, and edges anywhere", make: trees::path },
    GraphShape { name: "star", doc: "one vertex next to all others", make: trees::star },
    GraphShape { name: "random-parent", doc: "each vertex hangs on an earlier one", make: trees::random_parent },
    GraphShape { name: "cycle", doc: "one cycle through all vertices", make: cycles::cycle },
    GraphShape { name: "repeated-edges", doc: "the same few edges again and again", make: loose::repeated_edges },
];
