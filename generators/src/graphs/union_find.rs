//! The components of a graph, and the parity of the distance between vertices.

/// Components that are joined edge by edge, with the parity of each vertex.
pub(super) struct ParityUnionFind {
    /// The parent of each vertex, doubled, plus one if the two lie on different sides. So a step up the tree reads one
    /// word.
    links: Vec<u32>,
    union_count: usize,
}

impl ParityUnionFind {
    /// Creates a graph without edges. Links have 32 bits: more than 2^31 vertices, with edges, do not fit into memory.
    pub(super) fn new(vertices: usize) -> ParityUnionFind {
        ParityUnionFind { links: (0..vertices as u32).map(|v| 2 * v).collect(), union_count: 0 }
    }

    /// Adds an edge. If it closes a cycle, returns whether the cycle is odd.
    pub(super) fn union_vertices(&mut self, u: usize, v: usize) -> Option<bool> {
        let ((u, u_odd), (v, v_odd)) = (self.find_root(u as u32), self.find_root(v as u32));
        if u == v {
            return Some(u_odd == v_odd);
        }
        self.links[v as usize] = 2 * u + u32::from(u_odd == v_odd);
        self.union_count += 1;
        None
    }

    /// Returns whether the cycle that an edge would close is odd, or `None` if it would close none.
    pub(super) fn closed_cycle(&mut self, u: usize, v: usize) -> Option<bool> {
        let ((u, u_odd), (v, v_odd)) = (self.find_root(u as u32), self.find_root(v as u32));
        (u == v).then_some(u_odd == v_odd)
    }

    /// Returns the number of edges that joined two components.
    pub(super) fn union_count(&self) -> usize {
        self.union_count
    }

    /// Returns the root of a component, and whether the vertex is on the other side. Each step also shortens the path.
    fn find_root(&mut self, mut v: u32) -> (u32, bool) {
        let mut odd = 0;
        loop {
            let link = self.links[v as usize];
            if link / 2 == v {
                return (v, odd == 1);
            }
            let shorter = self.links[(link / 2) as usize] ^ (link % 2);
            self.links[v as usize] = shorter;
            odd ^= shorter % 2;
            v = shorter / 2;
        }
    }
}
