//! The plan of a graph that a shape proposes: a spanning tree and further edges, which are then adapted to the
//! requirements.

use super::GraphRequirements;
use crate::choices::Choices;

/// A spanning tree, and further edges. Each vertex has a larger number than its parent.
pub(super) struct GraphPlan {
    /// The parent of each vertex. The root is its own parent.
    pub parents: Vec<usize>,
    /// Further edges, the most important ones first. Repeats are skipped.
    pub chords: Vec<(usize, usize)>,
    /// Whether the tree is used only if the graph has to be connected.
    pub has_optional_tree: bool,
    /// Whether missing edges preferably repeat existing ones.
    pub prefers_repeats: bool,
    /// Whether edges of a directed graph keep their directions. Otherwise the directions are random.
    pub keeps_directions: bool,
    /// If set, the numbers of the vertices and the order of the edges are kept, and whether the ends of each edge are
    /// exchanged in an undirected graph. Otherwise they are hidden.
    pub kept_order: Option<bool>,
}

impl GraphPlan {
    /// Creates a plan of a tree with the parents that `parent` returns for all vertices but the first.
    pub(super) fn from_parents(vertices: usize, mut parent: impl FnMut(usize) -> usize) -> GraphPlan {
        let parents = (0..vertices).map(|v| if v == 0 { 0 } else { parent(v) }).collect();
        GraphPlan {
            parents,
            chords: Vec::new(),
            has_optional_tree: false,
            prefers_repeats: false,
            keeps_directions: false,
            kept_order: None,
        }
    }

    /// Sets the further edges.
    pub(super) fn with_chords(mut self, chords: Vec<(usize, usize)>) -> GraphPlan {
        self.chords = chords;
        self
    }

    /// Makes the tree optional: it is left out unless the graph has to be connected.
    pub(super) fn with_optional_tree(mut self) -> GraphPlan {
        self.has_optional_tree = true;
        self
    }

    /// Makes missing edges repeat existing ones, where repeats are allowed.
    pub(super) fn with_repeats(mut self) -> GraphPlan {
        self.prefers_repeats = true;
        self
    }

    /// Keeps the directions of the edges of a directed graph.
    pub(super) fn with_kept_directions(mut self) -> GraphPlan {
        self.keeps_directions = true;
        self
    }

    /// Keeps the numbers of the vertices, and the order and the directions of the edges. In an undirected graph the ends of
    /// each edge can be exchanged.
    pub(super) fn with_order_kept(mut self, exchanges_ends: bool) -> GraphPlan {
        self.kept_order = Some(exchanges_ends);
        self.with_kept_directions()
    }

    /// Returns this plan with a tree in which no vertex has more than the maximum degree: children beyond it hang on
    /// another vertex that precedes them, in a bipartite graph if possible on one of the same side.
    pub(super) fn with_degrees_limited(mut self, c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
        let Some(most) = graph.max_degree else { return self };
        let mut sides = vec![0; self.parents.len()];
        let mut degrees = vec![0_usize; self.parents.len()];
        // For each side, the vertices that could have another child when they were added.
        let mut open: [Vec<usize>; 2] = [vec![0], Vec::new()];
        for v in 1..self.parents.len() {
            let preferred = sides[self.parents[v]];
            while degrees[self.parents[v]] >= most {
                let side = if open[preferred].is_empty() { 1 - preferred } else { preferred };
                if open[side].is_empty() {
                    break;
                }
                let at = c.draw_index(open[side].len());
                self.parents[v] = open[side][at];
                if degrees[self.parents[v]] >= most {
                    open[side].swap_remove(at);
                }
            }
            sides[v] = if graph.bipartite { 1 - sides[self.parents[v]] } else { 0 };
            degrees[self.parents[v]] += 1;
            degrees[v] += 1;
            open[sides[v]].push(v);
        }
        self
    }

    pub(super) fn tree_edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.parents.iter().copied().zip(0..).skip(1)
    }

    /// Returns the side of each vertex of a bipartite graph: true if its distance from the root is odd. In other graphs all
    /// vertices are on one side.
    pub(super) fn vertex_sides(&self, graph: &GraphRequirements) -> Vec<bool> {
        let mut sides = vec![false; self.parents.len()];
        if !graph.bipartite {
            return sides;
        }
        for (parent, v) in self.parents.iter().zip(0..).skip(1) {
            sides[v] = !sides[*parent];
        }
        sides
    }

    /// Returns this plan, with another tree if the required number of edges does not fit between the two sides of its tree.
    pub(super) fn fit_to_capacity(self, c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
        let spans = self.parents.len() == graph.vertices || !(graph.connected || graph.strongly_connected);
        if spans && graph.edge_capacity_of_sides(&self.vertex_sides(graph)) >= graph.edges {
            return self;
        }
        // Even and odd vertices are two sides of equal size, which allows the maximum number of edges.
        let tree = GraphPlan::from_parents(graph.vertices, |v| v - 1 - 2 * c.draw_index(v.div_ceil(2)));
        GraphPlan { parents: tree.parents, ..self }
    }
}
