//! Which vertices are in one part, and at an even or an odd distance from each other.

/// Parts that grow together, edge by edge.
pub(super) struct Joined {
    parents: Vec<usize>,
    /// Whether a vertex and its parent lie on different sides.
    odd: Vec<bool>,
    joins: usize,
}

impl Joined {
    pub(super) fn new(vertices: usize) -> Joined {
        Joined { parents: (0..vertices).collect(), odd: vec![false; vertices], joins: 0 }
    }

    /// Adds an edge. If its ends were joined before it closes a cycle, and the answer is whether that is an odd one.
    pub(super) fn join(&mut self, u: usize, v: usize) -> Option<bool> {
        let ((u, u_odd), (v, v_odd)) = (self.find(u), self.find(v));
        if u == v {
            return Some(u_odd == v_odd);
        }
        self.parents[v] = u;
        self.odd[v] = u_odd == v_odd;
        self.joins += 1;
        None
    }

    /// How many edges have joined two parts.
    pub(super) fn joins(&self) -> usize {
        self.joins
    }

    /// The root of a part, and whether the vertex is on the other side than it. Each step also shortens the way.
    fn find(&mut self, mut v: usize) -> (usize, bool) {
        let mut odd = false;
        while self.parents[v] != v {
            let up = self.parents[v];
            self.odd[v] ^= self.odd[up];
            self.parents[v] = self.parents[up];
            odd ^= self.odd[v];
            v = self.parents[v];
        }
        (v, odd)
    }
}
