//! What a shape proposes.

use super::Graph;
use crate::choices::Choices;

/// A spanning tree, and edges beyond it. Vertices are numbered so that each comes after its parent.
pub(super) struct Plan {
    /// The vertex on which each one hangs; the first, which hangs on nothing, has itself.
    pub parents: Vec<usize>,
    /// Further edges, the most important first. A repeat of another edge is passed over.
    pub chords: Vec<(usize, usize)>,
    /// Whether the tree is there only because a graph may have to be connected.
    pub loose: bool,
    /// Whether the edges still missing rather repeat others than be anywhere.
    pub again: bool,
    /// Whether edges of a directed graph keep their directions, which are at random otherwise.
    pub upright: bool,
}

impl Plan {
    /// A tree in which each vertex but the first hangs on what `parent` says.
    pub(super) fn tree(vertices: usize, mut parent: impl FnMut(usize) -> usize) -> Plan {
        let parents = (0..vertices).map(|v| if v == 0 { 0 } else { parent(v) }).collect();
        Plan { parents, chords: Vec::new(), loose: false, again: false, upright: false }
    }

    pub(super) fn with_chords(mut self, chords: Vec<(usize, usize)>) -> Plan {
        self.chords = chords;
        self
    }

    pub(super) fn loose(mut self) -> Plan {
        self.loose = true;
        self
    }

    pub(super) fn again(mut self) -> Plan {
        self.again = true;
        self
    }

    pub(super) fn upright(mut self) -> Plan {
        self.upright = true;
        self
    }

    /// The edges of the tree.
    pub(super) fn branches(&self) -> impl Iterator<Item = (usize, usize)> {
        self.parents.iter().copied().zip(0..).skip(1)
    }

    /// For each vertex, whether its distance from the root is odd; of no vertex if nobody asks for two sides.
    pub(super) fn sides(&self, graph: &Graph) -> Vec<bool> {
        let mut sides = vec![false; self.parents.len()];
        if !graph.bipartite {
            return sides;
        }
        for (parent, v) in self.parents.iter().zip(0..).skip(1) {
            sides[v] = !sides[*parent];
        }
        sides
    }

    /// The same plan, but with another tree if not all edges find room beside this one.
    pub(super) fn fitted(self, c: &mut Choices, graph: &Graph) -> Plan {
        let spans = self.parents.len() == graph.vertices || !graph.connected;
        if spans && graph.capacity_of(&self.sides(graph)) >= graph.edges {
            return self;
        }
        // Even and odd vertices are two sides of equal size, which have the most edges between them.
        let tree = Plan::tree(graph.vertices, |v| v - 1 - 2 * c.index(v.div_ceil(2)));
        Plan { parents: tree.parents, ..self }
    }
}
