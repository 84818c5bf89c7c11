//! Builds a graph from a plan: adds the edges that are allowed until there are enough.

use super::GraphRequirements;
use super::dense::draw_ears;
use super::graph_plan::{GraphPlan, VertexPairs};
use crate::choices::Choices;
use crate::hash_collisions::NumberSet;
use crate::tuning::TRIES_PER_EDGE;

pub(super) struct GraphBuilder<'a> {
    graph: &'a GraphRequirements,
    sides: Vec<bool>,
    /// In a directed acyclic graph, every edge leads from a lower rank to a higher one.
    ranks: Vec<usize>,
    /// The parents in the spanning tree, if all of its edges are part of the graph. Otherwise empty.
    tree: &'a [usize],
    /// The components. Used only for forests that are not a whole tree, to which no edge can be added.
    components: ParityUnionFind,
    /// The edges except those of `tree`. Not used for forests.
    seen: NumberSet,
    edges: Vec<(usize, usize)>,
    /// The number of edges at each vertex, if it is limited. Otherwise empty.
    degrees: Vec<usize>,
}

impl<'a> GraphBuilder<'a> {
    /// Returns the edges of a graph that follows `plan`: the required number of them, if that many fit.
    pub(super) fn build_edges(
        c: &mut Choices,
        graph: &'a GraphRequirements,
        plan: &'a GraphPlan,
    ) -> Vec<(usize, usize)> {
        let mut draft = GraphBuilder::new(c, graph, plan);
        if graph.strongly_connected {
            draw_ears(c, plan.parents.len(), graph.edges).into_iter().for_each(|(u, v)| draft.add_new(u, v));
        }
        draft.add_planned_edges(c, plan);
        draft.complete_edges(c, plan);
        draft.edges
    }

    fn new(c: &mut Choices, graph: &'a GraphRequirements, plan: &'a GraphPlan) -> GraphBuilder<'a> {
        let vertices = plan.parents.len();
        // If an edge has only one possible direction and a tree is required, all of its edges are added first.
        let has_tree = graph.connected && !graph.allows_both_directions();
        let (joined, seen) = match (graph.is_forest(), has_tree) {
            (true, true) => (0, 0),
            (true, false) => (vertices, 0),
            (false, true) => (0, graph.edges.min(plan.chords.len())),
            (false, false) => (0, graph.edges.min(vertices + plan.chords.len())),
        };
        GraphBuilder {
            graph,
            sides: plan.vertex_sides(graph),
            ranks: if graph.is_directed_acyclic() { draw_ranks(c, vertices, plan) } else { Vec::new() },
            tree: if has_tree { &plan.parents } else { &[] },
            components: ParityUnionFind::new(joined),
            seen: NumberSet::with_capacity(seen),
            edges: Vec::with_capacity(graph.edges),
            degrees: if graph.max_degree.is_some() { vec![0; vertices] } else { Vec::new() },
        }
    }

    /// Adds the edges of the plan. The tree comes first if all of it is required, and last otherwise.
    fn add_planned_edges(&mut self, c: &mut Choices, plan: &GraphPlan) {
        let chords = plan.chords.iter().copied();
        if !self.tree.is_empty() {
            for (u, v) in plan.tree_edges().take(self.graph.edges) {
                if self.has_free_degrees(u, v) {
                    self.push_edge(self.oriented_by_rank(u, v));
                }
            }
            if !self.graph.is_forest() {
                self.add_oriented(c, plan, chords);
            }
            return;
        }
        // Chords could take the degrees that the tree needs for its number of edges.
        if self.graph.is_forest() && self.graph.max_degree.is_some() {
            return self.add_oriented(c, plan, plan.tree_edges());
        }
        if self.graph.connected {
            return self.add_oriented(c, plan, plan.tree_edges().chain(chords));
        }
        let mut branches: Vec<_> = plan.tree_edges().collect();
        if plan.kept_order.is_none() && c.draw_chance(1, 2) {
            c.shuffle(&mut branches);
        }
        branches.truncate(if plan.has_optional_tree { 0 } else { branches.len() });
        self.add_oriented(c, plan, chords.chain(branches));
    }

    /// Adds edges, in the plan's directions or in random ones.
    fn add_oriented(&mut self, c: &mut Choices, plan: &GraphPlan, edges: impl Iterator<Item = (usize, usize)>) {
        let turn = if self.graph.allows_both_directions() && !plan.keeps_directions { c.draw_below(3) } else { 0 };
        for (u, v) in edges {
            let turned = turn == 1 || turn == 2 && !self.is_full() && c.draw_chance(1, 2);
            if turned { self.add_new(v, u) } else { self.add_new(u, v) }
        }
    }

    /// Adds edges until there are enough, or no more fit.
    fn complete_edges(&mut self, c: &mut Choices, plan: &GraphPlan) {
        if self.is_full() {
            return;
        }
        if self.graph.is_forest() {
            let mut branches: Vec<_> = plan.tree_edges().collect();
            c.shuffle(&mut branches);
            return branches.into_iter().for_each(|(u, v)| self.add_new(u, v));
        }
        let pairs = VertexPairs::new(self.graph, &self.sides);
        if self.graph.simple || !plan.prefers_repeats && c.draw_chance(1, 2) {
            self.complete_with_new(c, &pairs);
        }
        if self.graph.max_degree.is_some() {
            return self.complete_with_free_degrees(c);
        }
        if !self.graph.simple {
            self.complete_with_any(c, &pairs, plan.prefers_repeats);
        }
    }

    /// Adds edges between vertices that have less than the maximum degree. If all of these are adjacent already, an
    /// edge between others makes room: `a b` is replaced by `a u` and `v b`, which leaves the graph connected.
    fn complete_with_free_degrees(&mut self, c: &mut Choices) {
        let split = |side: bool| (0..self.sides.len()).filter(|v| self.sides[*v] == side).collect();
        let mut free: [Vec<usize>; 2] = [split(false), split(true)];
        let mut tries = TRIES_PER_EDGE * (self.graph.edges - self.edges.len());
        while !self.is_full() && tries > 0 {
            tries -= 1;
            let [one_side, other_side] = &mut free;
            let first = self.draw_free_vertex(c, one_side);
            let second = self.draw_free_vertex(c, if self.graph.bipartite { other_side } else { one_side });
            // With one side full, the ends are both on the other one, and only another edge can make room.
            let (Some(u), Some(v)) = (first.or(second), second.or(first)) else { return };
            if self.can_add(u, v) {
                self.add_counted(u, v);
            } else if tries.is_multiple_of(2) {
                self.make_room_for(c, u, v);
            }
        }
    }

    /// Draws a vertex with less than the maximum degree, and removes others from the list on the way.
    fn draw_free_vertex(&self, c: &mut Choices, vertices: &mut Vec<usize>) -> Option<usize> {
        while !vertices.is_empty() {
            let at = c.draw_index(vertices.len());
            if self.degrees[vertices[at]] < self.max_degree() {
                return Some(vertices[at]);
            }
            vertices.swap_remove(at);
        }
        None
    }

    /// Returns true if an edge is allowed, fits the degrees and, if the graph is simple, is new.
    fn can_add(&self, u: usize, v: usize) -> bool {
        let is_new = !self.is_tree_edge(u, v) && !self.seen.contains(self.graph.edge_key(self.sides.len(), (u, v)));
        self.allows_edge(u, v) && self.has_free_degrees(u, v) && (is_new || !self.graph.simple)
    }

    fn add_counted(&mut self, u: usize, v: usize) {
        self.seen.insert(self.graph.edge_key(self.sides.len(), (u, v)));
        self.push_edge((u, v));
    }

    /// Replaces an edge `a b` that is not part of the tree by `a u` and `v b`, if both are possible.
    fn make_room_for(&mut self, c: &mut Choices, u: usize, v: usize) {
        let Some(at) = (!self.edges.is_empty()).then(|| c.draw_index(self.edges.len())) else { return };
        let (a, b) = self.edges[at];
        if self.is_tree_edge(a, b) || [u, v].contains(&a) || [u, v].contains(&b) {
            return;
        }
        self.degrees[a] -= 1;
        self.degrees[b] -= 1;
        let fits = self.can_add(a, u) && self.can_add(v, b) && (u != v || self.degrees[u] + 2 <= self.max_degree());
        if !fits {
            self.degrees[a] += 1;
            self.degrees[b] += 1;
            return;
        }
        // The key stays among those seen: the edge is only not drawn again.
        self.edges.swap_remove(at);
        self.add_counted(a, u);
        self.add_counted(v, b);
    }

    fn max_degree(&self) -> usize {
        self.graph.max_degree.unwrap_or(usize::MAX)
    }

    /// Returns true if both ends of another edge have less than the maximum degree.
    fn has_free_degrees(&self, u: usize, v: usize) -> bool {
        match self.graph.max_degree {
            Some(most) if u == v => self.degrees[u] + 2 <= most,
            Some(most) => self.degrees[u] < most && self.degrees[v] < most,
            None => true,
        }
    }

    fn push_edge(&mut self, (u, v): (usize, usize)) {
        if !self.degrees.is_empty() {
            self.degrees[u] += 1;
            self.degrees[v] += 1;
        }
        self.edges.push((u, v));
    }

    /// Adds new edges. Draws as many distinct pairs as the graph has edges in total, which is enough even if all
    /// existing edges are among them. Since they are distinct, only the edges from before have to be looked up.
    fn complete_with_new(&mut self, c: &mut Choices, pairs: &VertexPairs) {
        for number in c.draw_distinct(self.graph.edges, 0, i128::from(pairs.len()) - 1) {
            if self.is_full() {
                return;
            }
            let (u, v) = pairs.nth_pair(number as u64);
            let edge = self.oriented_by_rank(u, v);
            let is_new = !self.is_tree_edge(u, v) && !self.seen.contains(self.graph.edge_key(self.sides.len(), edge));
            if is_new && self.has_free_degrees(u, v) {
                if self.graph.max_degree.is_some() {
                    self.seen.insert(self.graph.edge_key(self.sides.len(), edge));
                }
                self.push_edge(edge);
            }
        }
    }

    fn complete_with_any(&mut self, c: &mut Choices, pairs: &VertexPairs, again: bool) {
        let loops = if self.graph.allows_loops() { self.sides.len() as u64 } else { 0 };
        let places = pairs.len() + loops;
        while places > 0 && !self.is_full() {
            let repeated = if again { c.pick_item(&self.edges).copied() } else { None };
            let (u, v) = repeated.unwrap_or_else(|| nth_pair_or_loop(pairs, c.draw_below(places)));
            let edge = self.oriented_by_rank(u, v);
            self.edges.push(edge);
        }
    }

    /// Adds an edge if it is allowed and does not repeat another one.
    fn add_new(&mut self, u: usize, v: usize) {
        if self.is_full() || !self.allows_edge(u, v) || self.is_tree_edge(u, v) || !self.has_free_degrees(u, v) {
            return;
        }
        let (u, v) = self.oriented_by_rank(u, v);
        let is_new = match self.graph.is_forest() {
            true => self.components.union_vertices(u, v).is_none(),
            false => self.seen.insert(self.graph.edge_key(self.sides.len(), (u, v))),
        };
        if is_new {
            self.push_edge((u, v));
        }
    }

    /// Returns true if an edge belongs to the tree.
    fn is_tree_edge(&self, u: usize, v: usize) -> bool {
        u != v && self.tree.get(u.max(v)) == Some(&u.min(v))
    }

    /// Returns true if an edge is allowed regardless of the other edges.
    fn allows_edge(&self, u: usize, v: usize) -> bool {
        let apart = u != v || self.graph.allows_loops();
        apart && !(self.graph.bipartite && self.sides[u] == self.sides[v])
    }

    /// Returns the edge in its only possible direction, if the graph is directed and acyclic.
    fn oriented_by_rank(&self, u: usize, v: usize) -> (usize, usize) {
        if self.graph.is_directed_acyclic() && self.ranks[u] > self.ranks[v] { (v, u) } else { (u, v) }
    }

    fn is_full(&self) -> bool {
        self.edges.len() >= self.graph.edges
    }
}

/// Returns the pair with this number. Numbers beyond the last pair are loops.
fn nth_pair_or_loop(pairs: &VertexPairs, number: u64) -> (usize, usize) {
    match number.checked_sub(pairs.len()) {
        Some(at) => (at as usize, at as usize),
        None => pairs.nth_pair(number),
    }
}

/// Draws ranks: parents before children, the reverse, or random.
fn draw_ranks(c: &mut Choices, vertices: usize, plan: &GraphPlan) -> Vec<usize> {
    let mut ranks: Vec<usize> = (0..vertices).collect();
    if plan.kept_order.is_some() {
        return ranks;
    }
    match c.draw_weighted(&[3, 1, 1]) {
        0 => {}
        1 => ranks.reverse(),
        _ => c.shuffle(&mut ranks),
    }
    ranks
}

// The components of a graph, and the parity of the distance between vertices.

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

// Hides the construction of a graph: changes the vertex numbers, the order of the ends and the order of the edges.
//
// A solution that relies on parents coming before their children, or on the first vertex being the root, has to fail
// on most graphs and can pass on some.

/// Maps vertices `0..used` to vertices of `graph`, and reorders the edges.
pub(super) fn relabel_graph(c: &mut Choices, graph: &GraphRequirements, used: usize, edges: &mut [(usize, usize)]) {
    let mut labels = draw_labels(c, graph.vertices, used);
    // The depth is counted from the first vertex.
    if let Some(root) = labels.iter().position(|label| *label == 0).filter(|_| graph.depth.is_some()) {
        labels.swap(0, root);
    }
    for (u, v) in &mut *edges {
        (*u, *v) = (labels[*u], labels[*v]);
    }
    if !graph.directed {
        orient_edges(c, edges);
    }
    match c.draw_weighted(&[1, 6, 1, 1]) {
        0 => {}
        1 => c.shuffle(edges),
        2 => edges.sort_unstable(),
        _ => edges.sort_unstable_by(|one, other| other.cmp(one)),
    }
}

/// Exchanges the ends of all edges of an undirected graph, or of none.
pub(super) fn orient_all_edges(graph: &GraphRequirements, is_turned: bool, edges: &mut [(usize, usize)]) {
    if is_turned && !graph.directed {
        edges.iter_mut().for_each(|(u, v)| std::mem::swap(u, v));
    }
}

/// Returns a vertex for each one used: itself, its counterpart from the other end, or a random one.
fn draw_labels(c: &mut Choices, vertices: usize, used: usize) -> Vec<usize> {
    match c.draw_weighted(&[1, 6, 1]) {
        0 => (0..used).collect(),
        1 => c.draw_distinct_below(used, vertices),
        _ => (0..used).map(|v| vertices - 1 - v).collect(),
    }
}

/// Swaps the ends of edges: of none, of random ones, or so that the smaller or the larger end always comes first.
fn orient_edges(c: &mut Choices, edges: &mut [(usize, usize)]) {
    let variant = c.draw_weighted(&[1, 6, 1, 1]);
    for (u, v) in edges {
        let turned = match variant {
            0 => false,
            1 => c.draw_chance(1, 2),
            2 => u > v,
            _ => u < v,
        };
        if turned {
            std::mem::swap(u, v);
        }
    }
}
