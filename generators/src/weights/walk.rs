//! A graph walked from its first vertex, depth first: where each vertex lies on the way.

/// A depth-first walk over all vertices, each part of the graph from its first one. Directions do not matter to it.
pub(super) struct Walk {
    /// The vertices in the order in which the walk met them.
    pub order: Vec<usize>,
    /// How many edges of the walk lead to each vertex from the start of its part.
    pub depth: Vec<usize>,
    /// The edge by which the walk came to each vertex, if any.
    pub by: Vec<Option<usize>>,
}

impl Walk {
    pub(super) fn new(vertices: usize, edges: &[(usize, usize)]) -> Walk {
        let at = Incidence::new(vertices, edges);
        let mut walk = Walk { order: Vec::with_capacity(vertices), depth: vec![0; vertices], by: vec![None; vertices] };
        let mut met = vec![false; vertices];
        // Each entry is a vertex, and how many of its edges have been looked at.
        let mut way: Vec<(usize, usize)> = Vec::new();
        for start in 0..vertices {
            if !std::mem::replace(&mut met[start], true) {
                walk.order.push(start);
                way.push((start, 0));
            }
            while let Some((u, looked)) = way.last_mut() {
                let (u, Some(edge)) = (*u, at.edges_of(*u).get(*looked)) else {
                    way.pop();
                    continue;
                };
                *looked += 1;
                let v = edges[*edge].0 ^ edges[*edge].1 ^ u;
                if !std::mem::replace(&mut met[v], true) {
                    (walk.depth[v], walk.by[v]) = (walk.depth[u] + 1, Some(*edge));
                    walk.order.push(v);
                    way.push((v, 0));
                }
            }
        }
        walk
    }

    /// For each edge, whether the walk went along it.
    pub(super) fn walked(&self, edges: usize) -> Vec<bool> {
        let mut walked = vec![false; edges];
        self.by.iter().flatten().for_each(|edge| walked[*edge] = true);
        walked
    }

    pub(super) fn deepest(&self) -> usize {
        self.depth.iter().copied().max().unwrap_or(0)
    }

    /// The edges without which a part would fall apart. An edge beyond the walk leads from a vertex to one above it, so
    /// an edge of the walk is a bridge if no other one starts below it and ends above.
    pub(super) fn bridges(&self, edges: &[(usize, usize)]) -> Vec<usize> {
        let walked = self.walked(edges.len());
        // How many more edges end at or below a vertex than start there, going up.
        let mut over = vec![0_i64; self.depth.len()];
        for (_, (u, v)) in edges.iter().enumerate().filter(|(edge, _)| !walked[*edge]) {
            let (upper, lower) = if self.depth[*u] < self.depth[*v] { (*u, *v) } else { (*v, *u) };
            over[lower] += 1;
            over[upper] -= 1;
        }
        let mut bridges = Vec::new();
        for v in self.order.iter().rev() {
            let Some(edge) = self.by[*v] else { continue };
            if over[*v] == 0 {
                bridges.push(edge);
            }
            over[edges[edge].0 ^ edges[edge].1 ^ v] += over[*v];
        }
        bridges
    }
}

/// For each vertex, the edges that end at it.
struct Incidence {
    starts: Vec<usize>,
    edges: Vec<usize>,
}

impl Incidence {
    fn new(vertices: usize, edges: &[(usize, usize)]) -> Incidence {
        let mut starts = vec![0; vertices + 1];
        edges.iter().flat_map(|(u, v)| [*u, *v]).for_each(|end| starts[end + 1] += 1);
        (0..vertices).for_each(|v| starts[v + 1] += starts[v]);
        let (mut next, mut listed) = (starts.clone(), vec![0; 2 * edges.len()]);
        for (edge, (u, v)) in edges.iter().enumerate() {
            for end in [*u, *v] {
                listed[next[end]] = edge;
                next[end] += 1;
            }
        }
        Incidence { starts, edges: listed }
    }

    fn edges_of(&self, v: usize) -> &[usize] {
        &self.edges[self.starts[v]..self.starts[v + 1]]
    }
}
