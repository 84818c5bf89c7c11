//! Graphs with a rule for the number of edges at each vertex: all even, or all the same.
//!
//! A graph with even degrees is made from one of any shape: the vertices with odd degrees are paired, and the edge between
//! each pair comes or goes. Then paths of two edges become one edge, or the reverse, until there are as many edges as
//! before. A regular graph has fixed distances between neighbours on a circle at first; exchanging the ends of two edges
//! keeps all degrees. In the same way, components with a cycle each are joined.

use super::graph_builder::ParityUnionFind;
use super::{DegreeRule, GraphRequirements};
use crate::choices::Choices;
use std::collections::HashMap;

/// Maximum number of tries at an edge or a path that can be replaced.
const MAX_TRIES: usize = 64;

/// Maximum number of steps to the right number of edges, for each edge and vertex.
const STEPS_PER_EDGE: usize = 4;

/// Maximum number of times that the number of edges is corrected, which can leave vertices without edges.
const MAX_ROUNDS: usize = 3;

impl DegreeRule {
    /// Changes the edges until all degrees are as the rule says, if such a graph is found. A regular graph is made anew.
    pub(super) fn apply_to(self, c: &mut Choices, graph: &GraphRequirements, edges: &mut Vec<(usize, usize)>) {
        match self {
            DegreeRule::Any => return,
            DegreeRule::Even => make_degrees_even(c, graph, edges),
            DegreeRule::Equal => *edges = draw_regular(c, graph),
        }
        if graph.connected {
            join_components(graph.vertices, edges);
        }
    }

    /// Returns the first degree of the vertices below `vertices` that breaks the rule.
    pub(super) fn find_fault(self, vertices: usize, edges: &[(usize, usize)]) -> Option<usize> {
        if self == DegreeRule::Any {
            return None;
        }
        let mut degrees = vec![0; vertices];
        edges.iter().flat_map(|(u, v)| [*u, *v]).for_each(|end| degrees[end] += 1);
        let is_wrong = |degree: usize| match self {
            DegreeRule::Even => degree % 2 == 1,
            _ => degree * vertices != 2 * edges.len(),
        };
        degrees.into_iter().find(|degree| is_wrong(*degree))
    }
}

/// The edges of a graph that is changed.
struct ChangedGraph<'g> {
    graph: &'g GraphRequirements,
    /// The edges, with gaps where they were removed.
    edges: Vec<Option<(usize, usize)>>,
    /// Number of edges without the gaps.
    count: usize,
    /// Number of edges between each pair of vertices.
    between: HashMap<u64, usize>,
    /// Places of the edges that each vertex has or had.
    at_vertex: Vec<Vec<usize>>,
    degrees: Vec<usize>,
}

impl<'g> ChangedGraph<'g> {
    fn new(graph: &'g GraphRequirements, edges: &[(usize, usize)]) -> ChangedGraph<'g> {
        let vertices = graph.vertices;
        let mut changed = ChangedGraph {
            graph,
            edges: Vec::with_capacity(edges.len()),
            count: 0,
            between: HashMap::with_capacity(edges.len()),
            at_vertex: vec![Vec::new(); vertices],
            degrees: vec![0; vertices],
        };
        edges.iter().for_each(|(u, v)| changed.add(*u, *v));
        changed
    }

    fn add(&mut self, u: usize, v: usize) {
        for end in [u, v] {
            self.at_vertex[end].push(self.edges.len());
            self.degrees[end] += 1;
        }
        *self.between.entry(self.pair_key(u, v)).or_default() += 1;
        self.edges.push(Some((u, v)));
        self.count += 1;
    }

    fn remove(&mut self, at: usize) {
        let Some((u, v)) = self.edges[at].take() else { return };
        *self.between.entry(self.pair_key(u, v)).or_default() -= 1;
        [u, v].into_iter().for_each(|end| self.degrees[end] -= 1);
        self.count -= 1;
    }

    /// Returns the place of an edge between two vertices.
    fn find(&self, u: usize, v: usize) -> Option<usize> {
        self.contains(u, v).then_some(())?;
        let fewer = if self.at_vertex[u].len() < self.at_vertex[v].len() { u } else { v };
        let is_between = |at: &&usize| [Some((u, v)), Some((v, u))].contains(&self.edges[**at]);
        self.at_vertex[fewer].iter().find(is_between).copied()
    }

    /// Returns true if an edge can be added.
    fn allows(&self, u: usize, v: usize) -> bool {
        (u != v || self.graph.allows_loops()) && !(self.graph.simple && self.contains(u, v))
    }

    fn contains(&self, u: usize, v: usize) -> bool {
        self.between.get(&self.pair_key(u, v)).is_some_and(|count| *count > 0)
    }

    fn pair_key(&self, u: usize, v: usize) -> u64 {
        self.graph.edge_key(self.graph.vertices, (u, v))
    }

    /// Draws one of the edges, if any.
    fn draw_edge(&self, c: &mut Choices) -> Option<(usize, (usize, usize))> {
        let mut tries = (0..MAX_TRIES).filter(|_| self.count > 0);
        tries.find_map(|_| {
            let at = c.draw_index(self.edges.len());
            self.edges[at].map(|edge| (at, edge))
        })
    }

    /// Replaces an edge by two, with a vertex between them. Returns false if these are not allowed.
    fn extend_edge(&mut self, at: usize, (u, v): (usize, usize), middle: usize) -> bool {
        let fits = middle != u && middle != v && self.allows(u, middle) && self.allows(middle, v);
        if fits {
            self.remove(at);
            self.add(u, middle);
            self.add(middle, v);
        }
        fits
    }

    /// Makes each vertex without edges the middle of an edge, if one is found.
    fn reach_isolated_vertices(&mut self, c: &mut Choices) {
        for vertex in 0..self.graph.vertices {
            for _ in 0..MAX_TRIES {
                if self.degrees[vertex] > 0
                    || self.draw_edge(c).is_none_or(|(at, edge)| self.extend_edge(at, edge, vertex))
                {
                    break;
                }
            }
        }
    }

    /// Replaces edges by paths or paths by edges until there are as many edges as wanted, if that is found.
    fn reach_edge_count(&mut self, c: &mut Choices) {
        let graph = self.graph;
        let mut failures = 0;
        for _ in 0..STEPS_PER_EDGE * (graph.edges + graph.vertices) + MAX_TRIES * MAX_TRIES {
            let Some((at, edge)) = self.draw_edge(c).filter(|_| self.count != graph.edges) else { break };
            // After many failures, a step back leads on.
            let is_back = failures == MAX_TRIES;
            let is_changed = if (self.count < graph.edges) != is_back {
                let middle = c.draw_index(graph.vertices);
                self.extend_edge(at, edge, middle)
            } else {
                let middle = if c.draw_chance(1, 2) { edge.0 } else { edge.1 };
                self.shorten_path(c, middle)
            };
            failures = if is_changed { 0 } else { MAX_TRIES.min(failures + 1) };
        }
    }

    /// Replaces two edges at a vertex by one between their other ends; a triangle is removed, and so is a loop. Returns
    /// false if the two that are drawn cannot be replaced.
    fn shorten_path(&mut self, c: &mut Choices, middle: usize) -> bool {
        if self.at_vertex[middle].len() > 2 * self.degrees[middle] {
            let edges = &self.edges;
            self.at_vertex[middle].retain(|at| edges[*at].is_some());
        }
        let far_end = |at: usize| match self.edges[at] {
            Some((u, v)) if u == middle => Some((at, v)),
            Some((u, v)) if v == middle => Some((at, u)),
            _ => None,
        };
        let mut pick = || c.pick_item(&self.at_vertex[middle]).and_then(|at| far_end(*at));
        let (Some((one, a)), Some((other, b))) = (pick(), pick()) else { return false };
        let closing = if self.graph.simple { self.find(a, b) } else { None };
        let is_loop = a == middle;
        // No vertex of a connected graph loses all of its edges.
        let has_enough = |vertex: usize| !self.graph.connected || self.degrees[vertex] >= 4;
        let fits = has_enough(middle)
            && match closing {
                _ if is_loop => true,
                _ if one == other || b == middle => false,
                Some(_) => has_enough(a) && has_enough(b),
                None => self.allows(a, b),
            };
        if fits {
            self.remove(one);
        }
        if fits && !is_loop {
            self.remove(other);
            match closing {
                Some(at) => self.remove(at),
                None => self.add(a, b),
            }
        }
        fits
    }
}

/// Changes the edges until all degrees are even and there are as many edges as wanted, if that is found.
fn make_degrees_even(c: &mut Choices, graph: &GraphRequirements, edges: &mut Vec<(usize, usize)>) {
    let mut changed = ChangedGraph::new(graph, edges);
    let mut odd: Vec<usize> = (0..graph.vertices).filter(|v| changed.degrees[*v] % 2 == 1).collect();
    c.shuffle(&mut odd);
    for pair in odd.chunks_exact(2) {
        match changed.find(pair[0], pair[1]) {
            Some(at) => changed.remove(at),
            None => changed.add(pair[0], pair[1]),
        }
    }
    for _ in 0..MAX_ROUNDS {
        if graph.connected {
            changed.reach_isolated_vertices(c);
        }
        changed.reach_edge_count(c);
    }
    if graph.connected && changed.count != graph.edges && graph.vertices >= 3 {
        // Hardly more edges than vertices: one cycle through all of them has the fewest.
        let mut order: Vec<usize> = (0..graph.vertices).collect();
        c.shuffle(&mut order);
        let next = order.iter().cycle().skip(1);
        let cycle: Vec<(usize, usize)> = order.iter().copied().zip(next.copied()).collect();
        changed = ChangedGraph::new(graph, &cycle);
        changed.reach_edge_count(c);
    }
    *edges = changed.edges.into_iter().flatten().collect();
}

/// Draws a graph in which all vertices have the same number of edges.
fn draw_regular(c: &mut Choices, graph: &GraphRequirements) -> Vec<(usize, usize)> {
    let n = graph.vertices;
    let mut edges = Vec::with_capacity(graph.edges);
    if n == 0 || !(2 * graph.edges).is_multiple_of(n) {
        return edges;
    }
    let degree = 2 * graph.edges / n;
    // The distances on the circle, which differ in a simple graph.
    let most = if graph.simple { n.saturating_sub(1) / 2 } else { n.saturating_sub(1).max(1) };
    let distances = match graph.simple {
        true => c.draw_distinct((degree / 2).min(most), 1, most as i128),
        false => (0..degree / 2).map(|_| c.draw_range(1, most as i128)).collect(),
    };
    edges.extend(distances.into_iter().flat_map(|distance| (0..n).map(move |v| (v, (v + distance as usize) % n))));
    if degree % 2 == 1 {
        edges.extend((0..n / 2).map(|v| (v, v + n / 2)));
    }
    // The edges that are removed leave gaps, so fewer of those drawn are there.
    let swaps = *c.pick_item(&[0, edges.len() / 8, edges.len() / 2]).unwrap_or(&0);
    let mut changed = ChangedGraph::new(graph, &edges);
    for _ in 0..swaps {
        let (Some((one, (a, b))), Some((other, (u, v)))) = (changed.draw_edge(c), changed.draw_edge(c)) else { break };
        let (u, v) = if c.draw_chance(1, 2) { (u, v) } else { (v, u) };
        let is_same_pair = changed.pair_key(a, v) == changed.pair_key(u, b);
        if one != other && changed.allows(a, v) && changed.allows(u, b) && !(graph.simple && is_same_pair) {
            [one, other].into_iter().for_each(|at| changed.remove(at));
            changed.add(a, v);
            changed.add(u, b);
        }
    }
    changed.edges.into_iter().flatten().collect()
}

/// Joins components with a cycle each: an edge of a cycle of one and an edge of a cycle of the other exchange ends.
fn join_components(vertices: usize, edges: &mut [(usize, usize)]) {
    let mut joined = ParityUnionFind::new(vertices);
    // An edge that closes a cycle, for each component at the end.
    let closing: Vec<usize> =
        (0..edges.len()).filter(|at| joined.union_vertices(edges[*at].0, edges[*at].1).is_some()).collect();
    let mut main = None;
    for at in closing {
        let Some(first) = main else {
            main = Some(at);
            continue;
        };
        let ((a, b), (u, v)) = (edges[first], edges[at]);
        if joined.union_vertices(a, u).is_none() {
            (edges[first], edges[at]) = ((a, u), (b, v));
        }
    }
}
