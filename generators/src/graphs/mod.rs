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
use crate::shape_family::Shape;
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
pub type GraphShape = Shape<fn(&mut Choices, &GraphRequirements) -> GraphPlan>;

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
        let plan = (self.draw)(c, &within).with_depth_limited(&within);
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
    Shape::new("uniform", "edges anywhere, connected only if required", components::plan_uniform),
    Shape::new("uniform-tree", "every tree equally likely", components::plan_uniform_tree),
    Shape::new(
        "random-parent",
        "each vertex hangs on an earlier one, so a tree is shallow",
        components::plan_random_parent,
    ),
    Shape::new(
        "near-parent",
        "each vertex hangs on one shortly before it, so a tree is deep",
        components::plan_near_parent,
    ),
    Shape::new("popular", "vertices with many neighbours get more of them", components::plan_popular),
    Shape::new("binary", "each inner vertex has two children", components::plan_binary),
    Shape::new("k-ary", "each inner vertex has the same number of children", components::plan_k_ary),
    Shape::new("binomial", "a binomial tree, with subtrees of sizes of powers of two", components::plan_binomial),
    Shape::new("path", "one long path", components::plan_path),
    Shape::new("star", "one vertex adjacent to all others", components::plan_star),
    Shape::new("caterpillar", "a path with leaves attached", components::plan_caterpillar),
    Shape::new("centipede", "a path, and one leaf at each of its vertices", components::plan_centipede),
    Shape::new("comb", "a path, with paths of equal length attached", components::plan_comb),
    Shape::new("spider", "paths of equal length from one centre", components::plan_spider),
    Shape::new("broom", "a path that ends in a star", components::plan_broom),
    Shape::new("double-broom", "a path with a star at each end", components::plan_double_broom),
    Shape::new("two-stars", "two adjacent centres", components::plan_two_stars),
    Shape::new("cycle", "one cycle through all vertices", dense::plan_cycle),
    Shape::new("trees-on-a-cycle", "a cycle with trees attached", dense::plan_trees_on_a_cycle),
    Shape::new("wheel", "a cycle around a centre", dense::plan_wheel),
    Shape::new("cactus", "cycles that share no edges", dense::plan_cactus),
    Shape::new("several-cycles", "disjoint cycles", dense::plan_several_cycles),
    Shape::new("regular", "all vertices have the same degree", dense::plan_regular),
    Shape::new("clique", "all edges on as few vertices as possible", dense::plan_clique),
    Shape::new("two-cliques", "two cliques, and a path between them", dense::plan_two_cliques),
    Shape::new("complement", "the complement of a sparse graph", dense::plan_complement),
    Shape::new("complete-bipartite", "two sides, and all edges between them", dense::plan_complete_bipartite),
    Shape::new("hubs", "a few vertices adjacent to all others", dense::plan_hubs),
    Shape::new("grid", "rows and columns", dense::plan_grid),
    Shape::new("layered", "edges only from one layer to the next", dense::plan_layered),
    Shape::new("diamonds", "paths that diverge and join again and again", dense::plan_diamonds),
    Shape::new("band", "a path, and edges between nearby vertices", dense::plan_band),
    Shape::new("bridges", "blobs with single edges between them", components::plan_bridges),
    Shape::new("separate", "blobs without edges between them", components::plan_separate),
    Shape::new("matching", "disjoint pairs", components::plan_matching),
    Shape::new("isolated", "some vertices without any edge", components::plan_isolated),
    Shape::new("repeated-edges", "the same edges again and again", components::plan_repeated_edges),
    Shape::new("there-and-back", "each edge in both directions", components::plan_there_and_back),
    Shape::new("loops", "edges from a vertex to itself", components::plan_loops),
];
