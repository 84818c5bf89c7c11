//! The plan of a graph that a shape proposes: a spanning tree and further edges, which are then adapted to the
//! requirements.

use super::GraphRequirements;
use crate::choices::Choices;
use crate::tuning::MAX_VERTICES_PER_EDGE;

/// A spanning tree, and further edges. Each vertex has a larger number than its parent.
pub struct GraphPlan {
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

    /// Returns this plan with a tree of the required depth: the first vertices are a path that is deep enough, and vertices that
    /// are too deep hang on the last one above them that is not.
    pub(super) fn with_depth_limited(mut self, graph: &GraphRequirements) -> GraphPlan {
        let Some((least, most)) = graph.depth else { return self };
        let mut depths = vec![0; self.parents.len()];
        for v in 1..self.parents.len() {
            if v <= least {
                self.parents[v] = v - 1;
            }
            if depths[self.parents[v]] >= most {
                self.parents[v] = self.parents[self.parents[v]];
            }
            depths[v] = depths[self.parents[v]] + 1;
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

impl GraphRequirements {
    /// Returns the minimum and maximum number of edges with which such a graph exists, regardless of
    /// [`edges`](GraphRequirements::edges). If repeats or loops are allowed, the maximum is `usize::MAX`. Every number
    /// in between is possible.
    #[must_use]
    pub fn edge_range(&self) -> (usize, usize) {
        let tree = self.vertices.saturating_sub(1);
        let fewest = match (self.strongly_connected, self.connected) {
            (true, _) if self.vertices > 1 => self.vertices,
            (_, true) => tree,
            (_, false) => 0,
        };
        let half = self.vertices / 2;
        let most = match self.is_forest() {
            true => tree,
            false if self.bipartite => self.edge_capacity(half.saturating_mul(self.vertices - half)),
            false => self.edge_capacity((self.vertices as u128 * tree as u128 / 2).try_into().unwrap_or(usize::MAX)),
        };
        (fewest, most.min(self.edges_of_degrees()))
    }

    /// Returns the maximum number of edges that the degrees allow.
    fn edges_of_degrees(&self) -> usize {
        let Some(most) = self.max_degree else { return usize::MAX };
        let ends = self.vertices.saturating_mul(most);
        // The edges of the smaller side.
        if self.bipartite { (self.vertices / 2).saturating_mul(most) } else { ends / 2 }
    }

    /// Returns the maximum number of edges between `pairs` pairs of vertices.
    fn edge_capacity(&self, pairs: usize) -> usize {
        match (self.simple, self.allows_both_directions()) {
            (true, true) => pairs.saturating_mul(2),
            (true, false) => pairs,
            (false, _) if pairs > 0 || (self.vertices > 0 && self.allows_loops()) => usize::MAX,
            (false, _) => 0,
        }
    }

    /// Returns the maximum number of edges on vertices `0..sides.len()`. If the graph is bipartite, these are their
    /// sides.
    pub(super) fn edge_capacity_of_sides(&self, sides: &[bool]) -> usize {
        match self.is_forest() {
            true => sides.len().saturating_sub(1),
            false => {
                let pairs = self.edge_capacity(VertexPairs::new(self, sides).undirected_count() as usize);
                let one_side = sides.iter().filter(|side| **side).count();
                let smaller = one_side.min(sides.len() - one_side);
                let of_degrees = |most: usize| match self.bipartite {
                    true => smaller.saturating_mul(most),
                    false => sides.len().saturating_mul(most) / 2,
                };
                pairs.min(self.max_degree.map_or(usize::MAX, of_degrees))
            }
        }
    }

    /// Returns true if no undirected cycle is allowed, so that all edges belong to one spanning tree or forest.
    pub(super) fn is_forest(&self) -> bool {
        self.acyclic && !self.directed
    }

    /// Returns true if every edge leads from an earlier vertex to a later one in some order.
    pub(super) fn is_directed_acyclic(&self) -> bool {
        self.acyclic && self.directed
    }

    /// Returns true if the two directions between a pair of vertices are two different edges.
    pub(super) fn allows_both_directions(&self) -> bool {
        self.directed && !self.acyclic
    }

    /// Returns true if an edge can lead from a vertex to itself.
    pub(super) fn allows_loops(&self) -> bool {
        !(self.simple || self.loopless || self.acyclic || self.bipartite)
    }

    /// Returns a number that is the same exactly for equal edges between `vertices` vertices.
    pub(super) fn edge_key(&self, vertices: usize, (u, v): (usize, usize)) -> u64 {
        let (from, to) = if self.directed { (u, v) } else { (u.min(v), u.max(v)) };
        from as u64 * vertices as u64 + to as u64
    }

    /// Returns the number of edges in addition to a spanning tree, if the graph has to contain one or cannot contain
    /// more.
    pub(super) fn spare_edges(&self) -> usize {
        match (self.is_forest(), self.connected) {
            (true, _) => 0,
            (false, true) => self.edges.saturating_sub(self.vertices.saturating_sub(1)),
            (false, false) => self.edges,
        }
    }

    /// Returns the same requirements with the number of vertices limited to a few per edge: there can be thousands of
    /// millions of vertices.
    pub(super) fn limit_vertices(&self) -> GraphRequirements {
        let reach = self.edges.saturating_mul(MAX_VERTICES_PER_EDGE).saturating_add(16);
        let (_, most) = self.edge_range();
        GraphRequirements { vertices: self.vertices.min(reach), edges: self.edges.min(most), ..*self }
    }
}

// Numbers the pairs of vertices that can be connected by an edge.

/// All such pairs by number, so that some of them can be drawn without repeats.
pub(super) struct VertexPairs {
    vertices: VertexSets,
    both_ways: bool,
}

enum VertexSets {
    /// Any two of this number of vertices.
    Any(u64),
    /// One vertex of each side.
    Sides(Vec<usize>, Vec<usize>),
}

impl VertexPairs {
    /// Creates the pairs among vertices `0..sides.len()`.
    pub(super) fn new(graph: &GraphRequirements, sides: &[bool]) -> VertexPairs {
        let of_side = |side: bool| (0..sides.len()).filter(|v| sides[*v] == side).collect();
        let vertices = match graph.bipartite {
            true => VertexSets::Sides(of_side(false), of_side(true)),
            false => VertexSets::Any(sides.len() as u64),
        };
        VertexPairs { vertices, both_ways: graph.allows_both_directions() }
    }

    /// Returns the number of pairs, regardless of direction.
    pub(super) fn undirected_count(&self) -> u64 {
        match &self.vertices {
            VertexSets::Any(n) => n * n.saturating_sub(1) / 2,
            VertexSets::Sides(left, right) => left.len() as u64 * right.len() as u64,
        }
    }

    /// Returns the number of pairs, with both directions counted if they are different edges.
    pub(super) fn len(&self) -> u64 {
        self.undirected_count() * if self.both_ways { 2 } else { 1 }
    }

    /// Returns the pair with this number, which must be below [`len`](VertexPairs::len).
    pub(super) fn nth_pair(&self, number: u64) -> (usize, usize) {
        debug_assert!(number < self.len(), "numbers are drawn below the number of pairs");
        let one_way = self.undirected_count();
        if number >= one_way {
            let (u, v) = self.nth_pair(number - one_way);
            return (v, u);
        }
        match &self.vertices {
            VertexSets::Any(_) => nth_unordered_pair(number),
            VertexSets::Sides(left, right) => {
                let width = right.len() as u64;
                (left[(number / width) as usize], right[(number % width) as usize])
            }
        }
    }
}

/// Returns a pair, in the order of the larger vertex: `v * (v - 1) / 2` pairs have a larger vertex below `v`.
pub(super) fn nth_unordered_pair(number: u64) -> (usize, usize) {
    // A floating-point root is several times faster than an integer root, and off by at most one, for large numbers.
    let mut v = (8.0 * number as f64 + 1.0).sqrt() as u64;
    v = v.div_ceil(2).max(1);
    while v * (v - 1) / 2 > number {
        v -= 1;
    }
    while v * (v + 1) / 2 <= number {
        v += 1;
    }
    ((number - v * (v - 1) / 2) as usize, v as usize)
}

#[cfg(test)]
mod tests {
    use super::nth_unordered_pair;

    #[test]
    fn unordered_pairs_are_numbered_without_gaps() {
        let mut number = 0;
        for v in 1..400 {
            for u in 0..v {
                assert_eq!(nth_unordered_pair(number), (u, v));
                number += 1;
            }
        }
        for v in [1 << 20, (1 << 31) - 1, 1 << 31, 3_000_000_000_u64] {
            let first = v * (v - 1) / 2;
            let v = v as usize;
            assert_eq!([first - 1, first].map(nth_unordered_pair), [(v - 2, v - 1), (0, v)]);
            assert_eq!(nth_unordered_pair(first + v as u64 - 1), (v - 1, v));
        }
    }
}
