//! Checks that a list of edges meets the requirements on a graph.

use super::graph_builder::ParityUnionFind;
use super::{DegreeRule, GraphRequirements};
use crate::distinct::all_differ;
use crate::hash_collisions::NumberSet;
use std::fmt;

/// The requirement that a list of edges violates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GraphFaultKind {
    /// An end of an edge is not a vertex.
    NotAVertex,
    /// An edge leads from a vertex to itself.
    Loop,
    /// An edge repeats an earlier one.
    Repeated,
    /// The graph has a cycle.
    Cycle,
    /// The graph has a cycle of odd length, so it is not bipartite.
    OddCycle,
    /// The graph has more than one component.
    Disconnected,
    /// Some vertex of a directed graph cannot be reached from another.
    NotStronglyConnected,
    /// A vertex has more than the maximum degree.
    DegreeExceeded,
    /// A vertex has a degree that the rule for all degrees forbids.
    WrongDegree,
}

/// A violation of the requirements on a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphFault {
    /// The requirement that is violated.
    pub kind: GraphFaultKind,
    /// The index of the offending edge, unless the fault is a missing edge.
    pub edge: Option<usize>,
    /// A description for readers that see the edge.
    pub message: String,
}

impl fmt::Display for GraphFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for GraphFault {}

type EdgeSlice<'a> = &'a [(usize, usize)];

impl GraphRequirements {
    /// Checks `edges` against the requirements, except for their number.
    ///
    /// # Errors
    ///
    /// Returns the first fault, with the first edge of the list that proves it. For a directed cycle it is any edge of
    /// the cycle.
    pub fn check_edges(&self, edges: &[(usize, usize)]) -> Result<(), GraphFault> {
        self.check_ends(edges)?;
        let packed = compact_vertices(self.vertices, edges);
        let (vertices, edges) = packed.as_ref().map_or((self.vertices, edges), |(n, packed)| (*n, packed));
        self.check_loops(edges)?;
        self.check_degrees(vertices, edges)?;
        self.check_repeats(vertices, edges)?;
        if self.is_directed_acyclic() {
            check_directed_acyclic(vertices, edges)?;
        }
        self.check_cycles_and_components(vertices, edges)?;
        if self.strongly_connected && self.vertices > 1 && !is_strongly_connected(self.vertices, edges) {
            let message = "the graph is not strongly connected: not every vertex can be reached from every other";
            let kind = GraphFaultKind::NotStronglyConnected;
            return Err(GraphFault { kind, edge: None, message: message.to_owned() });
        }
        Ok(())
    }

    fn check_ends(&self, edges: EdgeSlice<'_>) -> Result<(), GraphFault> {
        let outside = edges.iter().position(|(u, v)| *u.max(v) >= self.vertices);
        edge_fault(outside, GraphFaultKind::NotAVertex, "this edge ends at something that is not a vertex")
    }

    fn check_loops(&self, edges: EdgeSlice<'_>) -> Result<(), GraphFault> {
        let barred = self.simple || self.loopless;
        let first = edges.iter().position(|(u, v)| barred && u == v);
        edge_fault(first, GraphFaultKind::Loop, "this edge is a loop")
    }

    fn check_degrees(&self, vertices: usize, edges: EdgeSlice<'_>) -> Result<(), GraphFault> {
        // Vertices that were left out have no edges.
        let is_unequal = self.degrees == DegreeRule::Equal && vertices < self.vertices && !edges.is_empty();
        let wrong = if is_unequal { Some(0) } else { self.degrees.find_fault(vertices, edges) };
        if let Some(degree) = wrong {
            let words = match self.degrees {
                DegreeRule::Even => "a vertex has an odd number of edges",
                _ => "a vertex has not as many edges as the others",
            };
            let message = format!("{words}: {degree}");
            return Err(GraphFault { kind: GraphFaultKind::WrongDegree, edge: None, message });
        }
        let Some(most) = self.max_degree else { return Ok(()) };
        let mut degrees = vec![0_usize; vertices];
        let mut exceeds = |(u, v): &(usize, usize)| {
            degrees[*u] += 1;
            degrees[*v] += 1;
            degrees[*u].max(degrees[*v]) > most
        };
        let first = edges.iter().position(&mut exceeds);
        let words = format!("this edge gives one of its vertices more than {most} edges");
        edge_fault(first, GraphFaultKind::DegreeExceeded, &words)
    }

    fn check_repeats(&self, vertices: usize, edges: EdgeSlice<'_>) -> Result<(), GraphFault> {
        if !self.simple {
            return Ok(());
        }
        let keys: Vec<u64> = edges.iter().map(|edge| self.edge_key(vertices, *edge)).collect();
        if all_differ(&keys, (vertices as u64).saturating_mul(vertices as u64)) {
            return Ok(());
        }
        let mut seen = NumberSet::with_capacity(edges.len());
        let repeats = |edge: &(usize, usize)| !seen.insert(self.edge_key(vertices, *edge));
        edge_fault(edges.iter().position(repeats), GraphFaultKind::Repeated, "this edge repeats an earlier one")
    }

    /// Adds the edges one by one, checks the cycles that they close, and then counts the components.
    fn check_cycles_and_components(&self, vertices: usize, edges: EdgeSlice<'_>) -> Result<(), GraphFault> {
        let mut joined = ParityUnionFind::new(vertices);
        for (at, (u, v)) in edges.iter().enumerate() {
            let closes = joined.union_vertices(*u, *v);
            if closes.is_some() && self.is_forest() {
                return edge_fault(Some(at), GraphFaultKind::Cycle, "this edge closes a cycle");
            }
            if closes == Some(true) && self.bipartite {
                return edge_fault(Some(at), GraphFaultKind::OddCycle, "this edge closes a cycle of odd length");
            }
        }
        let parts = self.vertices - joined.union_count();
        if !self.connected || parts <= 1 {
            return Ok(());
        }
        let words = format!("the graph is not connected: it falls into {parts} parts");
        Err(GraphFault { kind: GraphFaultKind::Disconnected, edge: None, message: words })
    }
}

/// Returns true if the first vertex reaches all others and can be reached from them.
fn is_strongly_connected(vertices: usize, edges: EdgeSlice<'_>) -> bool {
    // Each vertex needs an edge that leaves it; this also bounds the memory.
    if edges.len() < vertices {
        return false;
    }
    let turned: Vec<(usize, usize)> = edges.iter().map(|(u, v)| (*v, *u)).collect();
    [edges, &turned].into_iter().all(|edges| count_reached(vertices, edges) == vertices)
}

/// Returns the number of vertices that can be reached from the first one, itself included.
fn count_reached(vertices: usize, edges: EdgeSlice<'_>) -> usize {
    let leaving = LeavingEdges::new(vertices, edges);
    let mut is_reached = vec![false; vertices];
    is_reached[0] = true;
    let mut waiting = vec![0];
    let mut count = 1;
    while let Some(u) = waiting.pop() {
        for at in leaving.of_vertex(u) {
            let v = edges[*at].1;
            if !std::mem::replace(&mut is_reached[v], true) {
                count += 1;
                waiting.push(v);
            }
        }
    }
    count
}

fn check_directed_acyclic(vertices: usize, edges: EdgeSlice<'_>) -> Result<(), GraphFault> {
    let (_, entering) = remove_sources(vertices, edges);
    edge_fault(find_cycle_edge(edges, &entering), GraphFaultKind::Cycle, "this edge is part of a cycle")
}

/// Repeatedly removes vertices without incoming edges. Returns them in this order, and how many edges are left that enter
/// each vertex: if there are any, the graph has a cycle.
pub(super) fn remove_sources(vertices: usize, edges: EdgeSlice<'_>) -> (Vec<usize>, Vec<usize>) {
    let mut entering = vec![0_usize; vertices];
    edges.iter().for_each(|(_, v)| entering[*v] += 1);
    let leaving = LeavingEdges::new(vertices, edges);
    let mut free: Vec<usize> = (0..vertices).filter(|v| entering[*v] == 0).collect();
    let mut order = Vec::with_capacity(vertices);
    while let Some(u) = free.pop() {
        order.push(u);
        for at in leaving.of_vertex(u) {
            let v = edges[*at].1;
            entering[v] -= 1;
            if entering[v] == 0 {
                free.push(v);
            }
        }
    }
    (order, entering)
}

/// The edges that leave each vertex, by their indices.
struct LeavingEdges {
    /// The end of those of each vertex, which is the start of those of the next one.
    ends: Vec<usize>,
    edges: Vec<usize>,
}

impl LeavingEdges {
    fn new(vertices: usize, edges: EdgeSlice<'_>) -> LeavingEdges {
        let mut ends = vec![0; vertices];
        edges.iter().for_each(|(u, _)| ends[*u] += 1);
        let mut before = 0;
        for end in &mut ends {
            before += std::mem::replace(end, before);
        }
        let mut leaving = vec![0; edges.len()];
        for (at, (u, _)) in edges.iter().enumerate() {
            leaving[ends[*u]] = at;
            ends[*u] += 1;
        }
        LeavingEdges { ends, edges: leaving }
    }

    fn of_vertex(&self, u: usize) -> &[usize] {
        let start = if u == 0 { 0 } else { self.ends[u - 1] };
        &self.edges[start..self.ends[u]]
    }
}

/// Returns an edge of a cycle, given the in-degrees that remain. Walking backwards from any remaining vertex for long
/// enough ends on a cycle.
fn find_cycle_edge(edges: EdgeSlice<'_>, entering: &[usize]) -> Option<usize> {
    let mut into = vec![None; entering.len()];
    for (at, (u, v)) in edges.iter().enumerate().filter(|(_, (u, _))| entering[*u] > 0) {
        into[*v] = Some((at, *u));
    }
    let left = entering.iter().position(|count| *count > 0)?;
    let back = |v: usize| into[v].map_or(v, |(_, u)| u);
    let on_cycle = (0..entering.len()).fold(left, |v, _| back(v));
    into[on_cycle].map(|(at, _)| at)
}

/// Renumbers the vertices that have edges. Returns their number and the renumbered edges, or `None` if most vertices
/// have edges.
pub(crate) fn compact_vertices(vertices: usize, edges: EdgeSlice<'_>) -> Option<(usize, Vec<(usize, usize)>)> {
    if vertices <= edges.len().saturating_mul(4) {
        return None;
    }
    let mut used: Vec<usize> = edges.iter().flat_map(|(u, v)| [*u, *v]).collect();
    used.sort_unstable();
    used.dedup();
    let number = |v: usize| used.partition_point(|other| *other < v);
    Some((used.len(), edges.iter().map(|(u, v)| (number(*u), number(*v))).collect()))
}

fn edge_fault(edge: Option<usize>, kind: GraphFaultKind, words: &str) -> Result<(), GraphFault> {
    edge.map_or(Ok(()), |edge| Err(GraphFault { kind, edge: Some(edge), message: words.to_string() }))
}
