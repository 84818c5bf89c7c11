//! Builds a graph from a plan: adds the edges that are allowed until there are enough.

use super::GraphRequirements;
use super::graph_plan::GraphPlan;
use super::union_find::ParityUnionFind;
use super::vertex_pairs::VertexPairs;
use crate::choices::Choices;
use crate::fast_hash::NumberSet;

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
}

impl<'a> GraphBuilder<'a> {
    /// Returns the edges of a graph that follows `plan`: the required number of them, if that many fit.
    pub(super) fn build_edges(
        c: &mut Choices,
        graph: &'a GraphRequirements,
        plan: &'a GraphPlan,
    ) -> Vec<(usize, usize)> {
        let mut draft = GraphBuilder::new(c, graph, plan);
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
        }
    }

    /// Adds the edges of the plan. The tree comes first if all of it is required, and last otherwise.
    fn add_planned_edges(&mut self, c: &mut Choices, plan: &GraphPlan) {
        let chords = plan.chords.iter().copied();
        if !self.tree.is_empty() {
            for (u, v) in plan.tree_edges().take(self.graph.edges) {
                self.edges.push(self.oriented_by_rank(u, v));
            }
            if !self.graph.is_forest() {
                self.add_oriented(c, plan, chords);
            }
            return;
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
        if !self.graph.simple {
            self.complete_with_any(c, &pairs, plan.prefers_repeats);
        }
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
            if !self.is_tree_edge(u, v) && !self.seen.contains(self.graph.edge_key(self.sides.len(), edge)) {
                self.edges.push(edge);
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
        if self.is_full() || !self.allows_edge(u, v) || self.is_tree_edge(u, v) {
            return;
        }
        let (u, v) = self.oriented_by_rank(u, v);
        let is_new = match self.graph.is_forest() {
            true => self.components.union_vertices(u, v).is_none(),
            false => self.seen.insert(self.graph.edge_key(self.sides.len(), (u, v))),
        };
        if is_new {
            self.edges.push((u, v));
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
