//! Shapes of graphs and trees.
//!
//! A graph here is a list of pairs of vertices `0..vertices`; the format determines how they are numbered and printed.
//! Random graphs are shallow and have one large component and few bridges, so they do not reveal a recursion that is
//! too deep, a forgotten second component or a quadratic walk along a star.
//!
//! A shape only proposes a spanning tree and further edges. [`GraphShape::draw_edges`] keeps the edges that the
//! requirements allow, adds missing ones, and relabels the vertices to hide the construction. So no shape can violate
//! the requirements.

mod check;
mod components;
mod degrees;
mod dense;
mod extension;
mod graph_builder;
mod graph_plan;
mod worst_case;

use crate::choices::Choices;
pub(crate) use check::compact_vertices;
pub use check::{GraphFault, GraphFaultKind};
use graph_builder::GraphBuilder;
use graph_plan::GraphPlan;
pub use worst_case::WORST_CASE_GRAPH_SHAPES;

/// The requirements on a graph. Its vertices are `0..vertices`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GraphRequirements {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of edges.
    pub edges: usize,
    /// Whether an edge leads from its first vertex to its second, and not back.
    pub directed: bool,
    /// No loops and no repeated edges. The two directions between a pair are different edges if directed.
    pub simple: bool,
    /// No edge from a vertex to itself.
    pub loopless: bool,
    /// One component, regardless of directions.
    pub connected: bool,
    /// No cycles: a forest, or a directed acyclic graph.
    pub acyclic: bool,
    /// Two sides, without edges within a side.
    pub bipartite: bool,
    /// Each vertex of a directed graph can be reached from each other. Such a graph is neither acyclic nor bipartite.
    pub strongly_connected: bool,
    /// The maximum number of edges at a vertex of an undirected graph; a loop counts twice.
    pub max_degree: Option<usize>,
    /// The minimum and the maximum depth of a tree with vertex 0 as its root, without limits on degrees.
    pub depth: Option<(usize, usize)>,
    /// A rule for the numbers of edges at the vertices of an undirected graph with cycles, instead of a maximum.
    pub degrees: DegreeRule,
}

/// A rule for the numbers of edges at all vertices. A loop counts twice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DegreeRule {
    /// Any numbers.
    #[default]
    Any,
    /// Even numbers.
    Even,
    /// The same number at each vertex.
    Equal,
}

/// A named way to generate a graph.
#[derive(Debug)]
pub struct GraphShape {
    /// The name used in recipes.
    pub name: &'static str,
    /// A description of the graphs in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, &GraphRequirements) -> GraphPlan,
}

impl GraphShape {
    /// Draws the edges of a graph of this shape that meets the requirements. If no such graph exists (see
    /// [`GraphRequirements::edge_range`]), only connectivity or the number of edges is sacrificed. The same can happen if
    /// nearly all vertices need their maximum degree.
    #[must_use]
    pub fn draw_edges(&self, c: &mut Choices, graph: &GraphRequirements) -> Vec<(usize, usize)> {
        let within = graph.limit_vertices();
        if within.vertices == 0 {
            return Vec::new();
        }
        let plan = (self.make)(c, &within).with_depth_limited(&within);
        let plan = plan.with_degrees_limited(c, &within).fit_to_capacity(c, &within).with_degrees_limited(c, &within);
        let mut edges = GraphBuilder::build_edges(c, &within, &plan);
        within.degrees.apply_to(c, &within, &mut edges);
        match plan.kept_order {
            Some(is_turned) => graph_builder::orient_all_edges(graph, is_turned, &mut edges),
            None => graph_builder::relabel_graph(c, graph, within.vertices, &mut edges),
        }
        edges
    }
}

/// All graph shapes. The first is the default. Each requires at least one vertex.
pub const GRAPH_SHAPES: &[GraphShape] = &[
    GraphShape { name: "uniform", doc: "edges anywhere, connected only if required", make: components::plan_uniform },
    GraphShape { name: "uniform-tree", doc: "every tree equally likely", make: components::plan_uniform_tree },
    GraphShape {
        name: "random-parent",
        doc: "each vertex hangs on an earlier one, so a tree is shallow",
        make: components::plan_random_parent,
    },
    GraphShape {
        name: "near-parent",
        doc: "each vertex hangs on one shortly before it, so a tree is deep",
        make: components::plan_near_parent,
    },
    GraphShape {
        name: "popular",
        doc: "vertices with many neighbours get more of them",
        make: components::plan_popular,
    },
    GraphShape { name: "binary", doc: "each inner vertex has two children", make: components::plan_binary },
    GraphShape {
        name: "k-ary",
        doc: "each inner vertex has the same number of children",
        make: components::plan_k_ary,
    },
    GraphShape {
        name: "binomial",
        doc: "a binomial tree, with subtrees of sizes of powers of two",
        make: components::plan_binomial,
    },
    GraphShape { name: "path", doc: "one long path", make: components::plan_path },
    GraphShape { name: "star", doc: "one vertex adjacent to all others", make: components::plan_star },
    GraphShape { name: "caterpillar", doc: "a path with leaves attached", make: components::plan_caterpillar },
    GraphShape {
        name: "centipede",
        doc: "a path, and one leaf at each of its vertices",
        make: components::plan_centipede,
    },
    GraphShape { name: "comb", doc: "a path, with paths of equal length attached", make: components::plan_comb },
    GraphShape { name: "spider", doc: "paths of equal length from one centre", make: components::plan_spider },
    GraphShape { name: "broom", doc: "a path that ends in a star", make: components::plan_broom },
    GraphShape { name: "double-broom", doc: "a path with a star at each end", make: components::plan_double_broom },
    GraphShape { name: "two-stars", doc: "two adjacent centres", make: components::plan_two_stars },
    GraphShape { name: "cycle", doc: "one cycle through all vertices", make: dense::plan_cycle },
    GraphShape { name: "trees-on-a-cycle", doc: "a cycle with trees attached", make: dense::plan_trees_on_a_cycle },
    GraphShape { name: "wheel", doc: "a cycle around a centre", make: dense::plan_wheel },
    GraphShape { name: "cactus", doc: "cycles that share no edges", make: dense::plan_cactus },
    GraphShape { name: "several-cycles", doc: "disjoint cycles", make: dense::plan_several_cycles },
    GraphShape { name: "regular", doc: "all vertices have the same degree", make: dense::plan_regular },
    GraphShape { name: "clique", doc: "all edges on as few vertices as possible", make: dense::plan_clique },
    GraphShape { name: "two-cliques", doc: "two cliques, and a path between them", make: dense::plan_two_cliques },
    GraphShape { name: "complement", doc: "the complement of a sparse graph", make: dense::plan_complement },
    GraphShape {
        name: "complete-bipartite",
        doc: "two sides, and all edges between them",
        make: dense::plan_complete_bipartite,
    },
    GraphShape { name: "hubs", doc: "a few vertices adjacent to all others", make: dense::plan_hubs },
    GraphShape { name: "grid", doc: "rows and columns", make: dense::plan_grid },
    GraphShape { name: "layered", doc: "edges only from one layer to the next", make: dense::plan_layered },
    GraphShape { name: "diamonds", doc: "paths that diverge and join again and again", make: dense::plan_diamonds },
    GraphShape { name: "band", doc: "a path, and edges between nearby vertices", make: dense::plan_band },
    GraphShape { name: "bridges", doc: "blobs with single edges between them", make: components::plan_bridges },
    GraphShape { name: "separate", doc: "blobs without edges between them", make: components::plan_separate },
    GraphShape { name: "matching", doc: "disjoint pairs", make: components::plan_matching },
    GraphShape { name: "isolated", doc: "some vertices without any edge", make: components::plan_isolated },
    GraphShape { name: "repeated-edges", doc: "the same edges again and again", make: components::plan_repeated_edges },
    GraphShape { name: "there-and-back", doc: "each edge in both directions", make: components::plan_there_and_back },
    GraphShape { name: "loops", doc: "edges from a vertex to itself", make: components::plan_loops },
];
