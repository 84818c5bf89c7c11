//! A depth-first walk of a graph from its first vertex.

/// A depth-first walk over all vertices, starting each component at its first vertex. Directions are ignored.
pub(super) struct DepthFirstWalk {
    /// The vertices in the order in which they were visited.
    pub order: Vec<usize>,
    /// The depth of each vertex in the tree of its component.
    pub depth: Vec<usize>,
    /// The tree edge to each vertex, if any.
    pub parent_edge: Vec<Option<usize>>,
}

impl DepthFirstWalk {
    pub(super) fn new(vertices: usize, edges: &[(usize, usize)]) -> DepthFirstWalk {
        let at = Incidence::new(vertices, edges);
        let mut walk = DepthFirstWalk {
            order: Vec::with_capacity(vertices),
            depth: vec![0; vertices],
            parent_edge: vec![None; vertices],
        };
        let mut visited = vec![false; vertices];
        // Each entry is a vertex, and the number of its edges that have been examined.
        let mut stack: Vec<(usize, usize)> = Vec::new();
        for start in 0..vertices {
            if !std::mem::replace(&mut visited[start], true) {
                walk.order.push(start);
                stack.push((start, 0));
            }
            while let Some((u, examined)) = stack.last_mut() {
                let (u, Some(edge)) = (*u, at.edges_of(*u).get(*examined)) else {
                    stack.pop();
                    continue;
                };
                *examined += 1;
                let v = edges[*edge].0 ^ edges[*edge].1 ^ u;
                if !std::mem::replace(&mut visited[v], true) {
                    (walk.depth[v], walk.parent_edge[v]) = (walk.depth[u] + 1, Some(*edge));
                    walk.order.push(v);
                    stack.push((v, 0));
                }
            }
        }
        walk
    }

    /// Returns a flag per edge that is set for tree edges.
    pub(super) fn tree_edge_flags(&self, edges: usize) -> Vec<bool> {
        let mut walked = vec![false; edges];
        self.parent_edge.iter().flatten().for_each(|edge| walked[*edge] = true);
        walked
    }

    pub(super) fn max_depth(&self) -> usize {
        self.depth.iter().copied().max().unwrap_or(0)
    }

    /// Returns the bridges. Every other edge of an undirected graph leads from a vertex to an ancestor, so a tree edge
    /// is a bridge if no such edge starts at or below its lower end and ends above.
    pub(super) fn find_bridges(&self, edges: &[(usize, usize)]) -> Vec<usize> {
        let walked = self.tree_edge_flags(edges.len());
        // The number of back edges that pass over the tree edge of each vertex, once the subtrees have been added.
        let mut over = vec![0_i64; self.depth.len()];
        for (_, (u, v)) in edges.iter().enumerate().filter(|(edge, _)| !walked[*edge]) {
            let (upper, lower) = if self.depth[*u] < self.depth[*v] { (*u, *v) } else { (*v, *u) };
            over[lower] += 1;
            over[upper] -= 1;
        }
        let mut bridges = Vec::new();
        for v in self.order.iter().rev() {
            let Some(edge) = self.parent_edge[*v] else { continue };
            if over[*v] == 0 {
                bridges.push(edge);
            }
            over[edges[edge].0 ^ edges[edge].1 ^ v] += over[*v];
        }
        bridges
    }
}

/// The edges at each vertex.
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
