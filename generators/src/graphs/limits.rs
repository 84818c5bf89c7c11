//! How many edges a graph can have.

use super::Graph;
use super::pairs::Pairs;

/// Vertices beyond this many an edge, and a few, could only be isolated.
const VERTICES_PER_EDGE: usize = 4;

impl Graph {
    /// The fewest and the most edges with which such a graph exists, whatever [`edges`](Graph::edges) says. Where
    /// repeats or loops are allowed there is no limit, which is `usize::MAX`. No number in between is impossible.
    #[must_use]
    pub fn edge_range(&self) -> (usize, usize) {
        let tree = self.vertices.saturating_sub(1);
        let fewest = if self.connected { tree } else { 0 };
        let half = self.vertices / 2;
        let most = match self.is_forest() {
            true => tree,
            false if self.bipartite => self.capacity(half.saturating_mul(self.vertices - half)),
            false => self.capacity((self.vertices as u128 * tree as u128 / 2).try_into().unwrap_or(usize::MAX)),
        };
        (fewest, most)
    }

    /// The most edges that fit between `pairs` pairs of vertices.
    fn capacity(&self, pairs: usize) -> usize {
        match (self.simple, self.both_ways()) {
            (true, true) => pairs.saturating_mul(2),
            (true, false) => pairs,
            (false, _) if pairs > 0 || (self.vertices > 0 && self.allows_loops()) => usize::MAX,
            (false, _) => 0,
        }
    }

    /// The most edges that fit on vertices `0..sides.len()` where, if bipartite, these are the sides.
    pub(super) fn capacity_of(&self, sides: &[bool]) -> usize {
        match self.is_forest() {
            true => sides.len().saturating_sub(1),
            false => self.capacity(Pairs::new(self, sides).undirected() as usize),
        }
    }

    /// Whether no cycle at all is allowed, so that a spanning tree is all there can be.
    pub(super) fn is_forest(&self) -> bool {
        self.acyclic && !self.directed
    }

    /// Whether every edge leads from an earlier vertex of some order to a later one.
    pub(super) fn is_dag(&self) -> bool {
        self.acyclic && self.directed
    }

    /// Whether the two directions between a pair of vertices are two different edges.
    pub(super) fn both_ways(&self) -> bool {
        self.directed && !self.acyclic
    }

    /// Whether an edge may lead from a vertex to itself.
    pub(super) fn allows_loops(&self) -> bool {
        !(self.simple || self.loopless || self.acyclic || self.bipartite)
    }

    /// A number that equal edges between so many vertices have in common, and no others.
    pub(super) fn key(&self, vertices: usize, (u, v): (usize, usize)) -> u64 {
        let (from, to) = if self.directed { (u, v) } else { (u.min(v), u.max(v)) };
        from as u64 * vertices as u64 + to as u64
    }

    /// How many edges there are besides those of a tree, if there has to be one, or can be nothing else.
    pub(super) fn spare(&self) -> usize {
        match (self.is_forest(), self.connected) {
            (true, _) => 0,
            (false, true) => self.edges.saturating_sub(self.vertices.saturating_sub(1)),
            (false, false) => self.edges,
        }
    }

    /// The same wish, but on no more vertices than a few for each edge: there may be a thousand million of them.
    pub(super) fn within_reach(&self) -> Graph {
        let reach = self.edges.saturating_mul(VERTICES_PER_EDGE).saturating_add(16);
        let (_, most) = self.edge_range();
        Graph { vertices: self.vertices.min(reach), edges: self.edges.min(most), ..*self }
    }
}
