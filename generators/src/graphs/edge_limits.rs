//! The possible numbers of edges of a graph.

use super::GraphRequirements;
use super::vertex_pairs::VertexPairs;
use crate::tuning::MAX_VERTICES_PER_EDGE;

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
