//! A graph under construction: takes the edges that are allowed, until there are enough.

use super::Graph;
use super::joined::Joined;
use super::pairs::Pairs;
use super::plan::Plan;
use crate::choices::Choices;
use crate::mix::Seen;

pub(super) struct Draft<'a> {
    graph: &'a Graph,
    sides: Vec<bool>,
    /// In a directed graph without cycles, every edge leads from a lower rank to a higher one.
    ranks: Vec<usize>,
    /// The tree of which every edge is there: for each vertex the one it hangs on. Else empty.
    tree: &'a [usize],
    /// Kept for forests only, but not for a whole tree, to which no edge can be added.
    joined: Joined,
    /// Kept for what is no forest, but for the edges of `tree`.
    seen: Seen,
    edges: Vec<(usize, usize)>,
}

impl<'a> Draft<'a> {
    /// The edges of a graph after `plan`, as many as asked for if they find room there.
    pub(super) fn build(c: &mut Choices, graph: &'a Graph, plan: &'a Plan) -> Vec<(usize, usize)> {
        let mut draft = Draft::new(c, graph, plan);
        draft.propose(c, plan);
        draft.complete(c, plan);
        draft.edges
    }

    fn new(c: &mut Choices, graph: &'a Graph, plan: &'a Plan) -> Draft<'a> {
        let vertices = plan.parents.len();
        // Where an edge can only be in one direction, a tree that has to be there is there at once.
        let has_tree = graph.connected && !graph.both_ways();
        let (joined, seen) = match (graph.is_forest(), has_tree) {
            (true, true) => (0, 0),
            (true, false) => (vertices, 0),
            (false, true) => (0, graph.edges.min(plan.chords.len())),
            (false, false) => (0, graph.edges.min(vertices + plan.chords.len())),
        };
        Draft {
            graph,
            sides: plan.sides(graph),
            ranks: if graph.is_dag() { draw_ranks(c, vertices) } else { Vec::new() },
            tree: if has_tree { &plan.parents } else { &[] },
            joined: Joined::new(joined),
            seen: Seen::with_room_for(seen),
            edges: Vec::with_capacity(graph.edges),
        }
    }

    /// Adds what the plan says. The tree comes first if it has to be whole, and last otherwise.
    fn propose(&mut self, c: &mut Choices, plan: &Plan) {
        let chords = plan.chords.iter().copied();
        if !self.tree.is_empty() {
            for (u, v) in plan.branches().take(self.graph.edges) {
                self.edges.push(self.turned_down(u, v));
            }
            if !self.graph.is_forest() {
                self.add_turned(c, plan, chords);
            }
            return;
        }
        if self.graph.connected {
            return self.add_turned(c, plan, plan.branches().chain(chords));
        }
        let mut branches: Vec<_> = plan.branches().collect();
        if c.chance(1, 2) {
            c.shuffle(&mut branches);
        }
        branches.truncate(if plan.loose { 0 } else { branches.len() });
        self.add_turned(c, plan, chords.chain(branches));
    }

    /// Adds edges in the directions that the plan or chance gives them.
    fn add_turned(&mut self, c: &mut Choices, plan: &Plan, edges: impl Iterator<Item = (usize, usize)>) {
        let turn = if self.graph.both_ways() && !plan.upright { c.below(3) } else { 0 };
        for (u, v) in edges {
            let turned = turn == 1 || turn == 2 && !self.is_full() && c.chance(1, 2);
            if turned { self.add_new(v, u) } else { self.add_new(u, v) }
        }
    }

    /// Adds edges until there are enough, or until there is no room.
    fn complete(&mut self, c: &mut Choices, plan: &Plan) {
        if self.is_full() {
            return;
        }
        if self.graph.is_forest() {
            let mut branches: Vec<_> = plan.branches().collect();
            c.shuffle(&mut branches);
            return branches.into_iter().for_each(|(u, v)| self.add_new(u, v));
        }
        let pairs = Pairs::new(self.graph, &self.sides);
        if self.graph.simple || !plan.again && c.chance(1, 2) {
            self.complete_with_new(c, &pairs);
        }
        if !self.graph.simple {
            self.complete_with_any(c, &pairs, plan.again);
        }
    }

    /// Draws as many pairs as there shall be edges: so many of them are new as edges are missing. They all differ, so
    /// only what was there before needs to be remembered.
    fn complete_with_new(&mut self, c: &mut Choices, pairs: &Pairs) {
        for number in c.distinct(self.graph.edges, 0, i128::from(pairs.len()) - 1) {
            if self.is_full() {
                return;
            }
            let (u, v) = pairs.nth(number as u64);
            let edge = self.turned_down(u, v);
            if !self.is_branch(u, v) && !self.seen.contains(self.graph.key(self.sides.len(), edge)) {
                self.edges.push(edge);
            }
        }
    }

    fn complete_with_any(&mut self, c: &mut Choices, pairs: &Pairs, again: bool) {
        let loops = if self.graph.allows_loops() { self.sides.len() as u64 } else { 0 };
        let places = pairs.len() + loops;
        while places > 0 && !self.is_full() {
            let repeated = if again { c.pick(&self.edges).copied() } else { None };
            let (u, v) = repeated.unwrap_or_else(|| nth_place(pairs, c.below(places)));
            let edge = self.turned_down(u, v);
            self.edges.push(edge);
        }
    }

    /// Adds an edge if it is allowed and equal to no other one.
    fn add_new(&mut self, u: usize, v: usize) {
        if self.is_full() || !self.allows(u, v) || self.is_branch(u, v) {
            return;
        }
        let (u, v) = self.turned_down(u, v);
        let is_new = match self.graph.is_forest() {
            true => self.joined.join(u, v).is_none(),
            false => self.seen.insert(self.graph.key(self.sides.len(), (u, v))),
        };
        if is_new {
            self.edges.push((u, v));
        }
    }

    /// Whether an edge is one of the tree that is there.
    fn is_branch(&self, u: usize, v: usize) -> bool {
        u != v && self.tree.get(u.max(v)) == Some(&u.min(v))
    }

    /// Whether an edge may be here at all, whatever other edges there are.
    fn allows(&self, u: usize, v: usize) -> bool {
        let apart = u != v || self.graph.allows_loops();
        apart && !(self.graph.bipartite && self.sides[u] == self.sides[v])
    }

    /// The edge, in the one direction that no cycle can have.
    fn turned_down(&self, u: usize, v: usize) -> (usize, usize) {
        if self.graph.is_dag() && self.ranks[u] > self.ranks[v] { (v, u) } else { (u, v) }
    }

    fn is_full(&self) -> bool {
        self.edges.len() >= self.graph.edges
    }
}

/// The pair with this number, or, beyond the last pair, a loop.
fn nth_place(pairs: &Pairs, number: u64) -> (usize, usize) {
    match number.checked_sub(pairs.len()) {
        Some(at) => (at as usize, at as usize),
        None => pairs.nth(number),
    }
}

/// Parents before children, the other way round, or any order.
fn draw_ranks(c: &mut Choices, vertices: usize) -> Vec<usize> {
    let mut ranks: Vec<usize> = (0..vertices).collect();
    match c.weighted(&[3, 1, 1]) {
        0 => {}
        1 => ranks.reverse(),
        _ => c.shuffle(&mut ranks),
    }
    ranks
}
