//! Which vertices are in one part, and at an even or an odd distance from each other.

/// Parts that grow together, edge by edge.
pub(super) struct Joined {
    /// For each vertex the one it hangs on, doubled, plus one if the two lie on different sides: a step up the tree
    /// touches one place in memory.
    links: Vec<u32>,
    joins: usize,
}

impl Joined {
    /// No edges yet. Half a word a vertex: more than 2^31 of them, with edges, do not fit into memory.
    pub(super) fn new(vertices: usize) -> Joined {
        Joined { links: (0..vertices as u32).map(|v| 2 * v).collect(), joins: 0 }
    }

    /// Adds an edge. If its ends were joined before it closes a cycle, and the answer is whether that is an odd one.
    pub(super) fn join(&mut self, u: usize, v: usize) -> Option<bool> {
        let ((u, u_odd), (v, v_odd)) = (self.find(u as u32), self.find(v as u32));
        if u == v {
            return Some(u_odd == v_odd);
        }
        self.links[v as usize] = 2 * u + u32::from(u_odd == v_odd);
        self.joins += 1;
        None
    }

    /// How many edges have joined two parts.
    pub(super) fn joins(&self) -> usize {
        self.joins
    }

    /// The root of a part, and whether the vertex is on the other side than it. Each step also shortens the way.
    fn find(&mut self, mut v: u32) -> (u32, bool) {
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
