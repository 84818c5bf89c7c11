//! Extends given edges to a graph with required properties.

use super::GraphRequirements;
use super::check::remove_sources;
use super::graph_builder::ParityUnionFind;
use crate::choices::Choices;
use crate::hash_collisions::NumberSet;
use crate::tuning::TRIES_PER_EDGE;

impl GraphRequirements {
    /// Draws more edges such that they and the `given` ones, together [`edges`](GraphRequirements::edges) in number,
    /// meet the requirements. Missing connections come first, then edges between any vertices. If none is found after
    /// many tries, there are fewer edges; strong connectivity is left to chance.
    #[must_use]
    pub fn extend_edges(&self, c: &mut Choices, given: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let missing = self.edges.saturating_sub(given.len());
        if self.vertices == 0 || missing == 0 {
            return Vec::new();
        }
        let mut extension = EdgeExtension::new(self, given);
        if self.connected {
            extension.join_components(c, missing);
        }
        let mut tries = missing.saturating_mul(TRIES_PER_EDGE);
        while extension.added.len() < missing && tries > 0 {
            tries -= 1;
            let ends = (c.draw_index(self.vertices), c.draw_index(self.vertices));
            extension.try_edge(ends);
        }
        c.shuffle(&mut extension.added);
        extension.added
    }
}

struct EdgeExtension<'g> {
    graph: &'g GraphRequirements,
    joined: ParityUnionFind,
    seen: NumberSet,
    degrees: Vec<usize>,
    /// An order in which the given edges lead forward, if the graph is directed and acyclic. Otherwise empty.
    ranks: Vec<usize>,
    added: Vec<(usize, usize)>,
}

impl<'g> EdgeExtension<'g> {
    fn new(graph: &'g GraphRequirements, given: &[(usize, usize)]) -> EdgeExtension<'g> {
        let mut extension = EdgeExtension {
            graph,
            joined: ParityUnionFind::new(graph.vertices),
            seen: NumberSet::with_capacity(graph.edges),
            degrees: vec![0; graph.vertices],
            ranks: if graph.is_directed_acyclic() { forward_ranks(graph.vertices, given) } else { Vec::new() },
            added: Vec::new(),
        };
        given.iter().for_each(|edge| extension.take_edge(*edge));
        extension
    }

    fn take_edge(&mut self, (u, v): (usize, usize)) {
        self.joined.union_vertices(u, v);
        self.seen.insert(self.graph.edge_key(self.graph.vertices, (u, v)));
        self.degrees[u] += 1;
        self.degrees[v] += 1;
    }

    /// Adds edges between components until there is one, as far as their number allows.
    fn join_components(&mut self, c: &mut Choices, most: usize) {
        let mut order: Vec<usize> = (0..self.graph.vertices).collect();
        c.shuffle(&mut order);
        for at in 1..order.len() {
            // An earlier vertex of the order is in the component that grows.
            let tries = if self.graph.max_degree.is_some() { TRIES_PER_EDGE } else { 1 };
            for _ in 0..tries {
                let earlier = order[c.draw_index(at)];
                let (u, v) = if c.draw_chance(1, 2) { (earlier, order[at]) } else { (order[at], earlier) };
                if self.added.len() == most || self.joined.closed_cycle(u, v).is_some() || self.try_edge((u, v)) {
                    break;
                }
            }
        }
    }

    /// Adds an edge if the properties allow it, and returns whether they do.
    fn try_edge(&mut self, (u, v): (usize, usize)) -> bool {
        let graph = self.graph;
        let is_turned = self.ranks.get(u) > self.ranks.get(v);
        let edge = if is_turned { (v, u) } else { (u, v) };
        let is_loop = u == v && !graph.allows_loops();
        let is_repeated = graph.simple && self.seen.contains(graph.edge_key(graph.vertices, edge));
        let is_full = |most: usize| self.degrees[u] + usize::from(u == v) >= most || self.degrees[v] >= most;
        if is_loop || is_repeated || graph.max_degree.is_some_and(is_full) {
            return false;
        }
        let closes = if graph.is_forest() || graph.bipartite { self.joined.closed_cycle(u, v) } else { None };
        if closes.is_some_and(|is_odd| graph.is_forest() || is_odd) {
            return false;
        }
        self.take_edge(edge);
        self.added.push(edge);
        true
    }
}

/// Returns the place of each vertex in an order in which all edges lead forward. If there is none, vertices on cycles
/// are first.
fn forward_ranks(vertices: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let (order, _) = remove_sources(vertices, edges);
    let mut ranks = vec![0; vertices];
    order.into_iter().zip(1..).for_each(|(vertex, rank)| ranks[vertex] = rank);
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_meet_the_requirements() {
        let plain = GraphRequirements { vertices: 8, edges: 12, ..GraphRequirements::default() };
        let kinds = [
            GraphRequirements { connected: true, simple: true, ..plain },
            GraphRequirements { connected: true, acyclic: true, edges: 7, ..plain },
            GraphRequirements { bipartite: true, connected: true, ..plain },
            GraphRequirements { directed: true, acyclic: true, simple: true, ..plain },
            GraphRequirements { loopless: true, max_degree: Some(4), ..plain },
        ];
        for graph in kinds {
            for seed in 0..50 {
                let mut c = Choices::from_seed(seed, 0);
                let given = [(0, 1), (2, 1), (5, 6)];
                let all = [&given[..], &graph.extend_edges(&mut c, &given)].concat();
                assert_eq!(all.len(), graph.edges, "{graph:?}");
                assert!(graph.check_edges(&all).is_ok(), "{graph:?} {all:?}");
            }
        }
    }
}
