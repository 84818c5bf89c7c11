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
mod dense;
mod disguise;
mod draft;
mod joined;
mod layers;
mod limits;
mod pairs;
mod parts;
mod plan;
mod repeats;
mod spines;
mod trees;

use crate::choices::Choices;
pub(crate) use check::packed;
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
    GraphShape { name: "uniform", doc: "edges anywhere, no more of a tree than there has to be", make: trees::uniform },
    GraphShape { name: "uniform-tree", doc: "every tree equally likely", make: trees::uniform_tree },
    GraphShape {
        name: "random-parent",
        doc: "each vertex hangs on an earlier one, so a tree is shallow",
        make: trees::random_parent,
    },
    GraphShape {
        name: "near-parent",
        doc: "each vertex hangs on one shortly before it, so a tree is deep",
        make: trees::near_parent,
    },
    GraphShape { name: "popular", doc: "vertices with many neighbours get more of them", make: trees::popular },
    GraphShape { name: "binary", doc: "each vertex but the last has two children", make: trees::binary },
    GraphShape { name: "k-ary", doc: "each vertex but the last has equally many children", make: trees::k_ary },
    GraphShape { name: "binomial", doc: "subtrees of every power of two", make: trees::binomial },
    GraphShape { name: "path", doc: "one long path", make: spines::path },
    GraphShape { name: "star", doc: "one vertex next to all others", make: spines::star },
    GraphShape { name: "caterpillar", doc: "a path, and leaves along it", make: spines::caterpillar },
    GraphShape { name: "centipede", doc: "a path, and one leaf at each of its vertices", make: spines::centipede },
    GraphShape { name: "comb", doc: "a path, and further ones of equal length along it", make: spines::comb },
    GraphShape { name: "spider", doc: "paths of equal length from one centre", make: spines::spider },
    GraphShape { name: "broom", doc: "a path that ends in a star", make: spines::broom },
    GraphShape { name: "double-broom", doc: "a path with a star at each end", make: spines::double_broom },
    GraphShape { name: "two-stars", doc: "two centres side by side", make: spines::two_stars },
    GraphShape { name: "cycle", doc: "one cycle through all vertices", make: cycles::cycle },
    GraphShape { name: "trees-on-a-cycle", doc: "a cycle, and trees that hang on it", make: cycles::trees_on_a_cycle },
    GraphShape { name: "wheel", doc: "a cycle around a centre", make: cycles::wheel },
    GraphShape { name: "cactus", doc: "cycles that share no edges", make: cycles::cactus },
    GraphShape { name: "several-cycles", doc: "cycles that share nothing", make: cycles::several_cycles },
    GraphShape { name: "regular", doc: "all vertices have equally many neighbours", make: cycles::regular },
    GraphShape { name: "clique", doc: "all edges on as few vertices as possible", make: dense::clique },
    GraphShape { name: "two-cliques", doc: "two cliques, and a path between them", make: dense::two_cliques },
    GraphShape { name: "complement", doc: "what a sparse graph leaves of a complete one", make: dense::complement },
    GraphShape {
        name: "complete-bipartite",
        doc: "two sides, and all edges between them",
        make: dense::complete_bipartite,
    },
    GraphShape { name: "hubs", doc: "a few vertices next to all others", make: dense::hubs },
    GraphShape { name: "grid", doc: "rows and columns", make: layers::grid },
    GraphShape { name: "layered", doc: "edges only from one layer to the next", make: layers::layered },
    GraphShape { name: "diamonds", doc: "ways that part and meet again and again", make: layers::diamonds },
    GraphShape { name: "band", doc: "a path, and edges that skip a little of it", make: layers::band },
    GraphShape { name: "bridges", doc: "blobs with single edges between them", make: parts::bridges },
    GraphShape { name: "separate", doc: "blobs with nothing between them", make: parts::separate },
    GraphShape { name: "matching", doc: "pairs that keep to themselves", make: parts::matching },
    GraphShape { name: "isolated", doc: "some vertices without any edge", make: parts::isolated },
    GraphShape { name: "repeated-edges", doc: "the same edges again and again", make: repeats::repeated_edges },
    GraphShape { name: "there-and-back", doc: "each edge also the other way round", make: repeats::there_and_back },
    GraphShape { name: "loops", doc: "edges that lead nowhere", make: repeats::loops },
];
