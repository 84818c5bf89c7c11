//! Whether a list of edges is a graph as it must be.

use std::fmt;

use super::Graph;
use super::joined::Joined;
use crate::met::all_differ;
use crate::mix::Seen;

/// Which adjective a list of edges fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GraphFaultKind {
    /// An edge ends at something that is not a vertex.
    NotAVertex,
    /// An edge leads from a vertex to itself.
    Loop,
    /// An edge has been there before.
    Repeated,
    /// There is a cycle.
    Cycle,
    /// There is a cycle of odd length, so there are no two sides.
    OddCycle,
    /// There is more than one part.
    Disconnected,
}

/// Why a list of edges is not a graph as it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphFault {
    /// Which adjective fails.
    pub kind: GraphFaultKind,
    /// The index of the edge that is to blame, unless it is one that is missing.
    pub edge: Option<usize>,
    /// The same in words, for a reader who sees the edge.
    pub words: String,
}

impl fmt::Display for GraphFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for GraphFault {}

type Edges<'a> = &'a [(usize, usize)];

impl Graph {
    /// Finds the first adjective that `edges` fails. Their number is not one: it is whatever the list holds.
    ///
    /// # Errors
    ///
    /// The fault, with the first edge of the list that makes it certain. On a directed cycle it is any edge.
    pub fn check(&self, edges: &[(usize, usize)]) -> Result<(), GraphFault> {
        self.check_ends(edges)?;
        let packed = packed(self.vertices, edges);
        let (vertices, edges) = packed.as_ref().map_or((self.vertices, edges), |(n, packed)| (*n, packed));
        self.check_loops(edges)?;
        self.check_repeats(vertices, edges)?;
        if self.is_dag() {
            check_dag(vertices, edges)?;
        }
        self.check_parts(vertices, edges)
    }

    fn check_ends(&self, edges: Edges<'_>) -> Result<(), GraphFault> {
        let outside = edges.iter().position(|(u, v)| *u.max(v) >= self.vertices);
        blame(outside, GraphFaultKind::NotAVertex, "this edge ends at something that is not a vertex")
    }

    fn check_loops(&self, edges: Edges<'_>) -> Result<(), GraphFault> {
        let barred = self.simple || self.loopless;
        let first = edges.iter().position(|(u, v)| barred && u == v);
        blame(first, GraphFaultKind::Loop, "this edge is a loop")
    }

    fn check_repeats(&self, vertices: usize, edges: Edges<'_>) -> Result<(), GraphFault> {
        if !self.simple {
            return Ok(());
        }
        let keys: Vec<u64> = edges.iter().map(|edge| self.key(vertices, *edge)).collect();
        if all_differ(&keys, (vertices as u64).saturating_mul(vertices as u64)) {
            return Ok(());
        }
        let mut seen = Seen::with_room_for(edges.len());
        let repeats = |edge: &(usize, usize)| !seen.insert(self.key(vertices, *edge));
        blame(edges.iter().position(repeats), GraphFaultKind::Repeated, "this edge repeats an earlier one")
    }

    /// Adds edge by edge, and looks at the cycles they close and at what remains apart.
    fn check_parts(&self, vertices: usize, edges: Edges<'_>) -> Result<(), GraphFault> {
        let mut joined = Joined::new(vertices);
        for (at, (u, v)) in edges.iter().enumerate() {
            let closes = joined.join(*u, *v);
            if closes.is_some() && self.is_forest() {
                return blame(Some(at), GraphFaultKind::Cycle, "this edge closes a cycle");
            }
            if closes == Some(true) && self.bipartite {
                return blame(Some(at), GraphFaultKind::OddCycle, "this edge closes a cycle of odd length");
            }
        }
        let parts = self.vertices - joined.joins();
        if !self.connected || parts <= 1 {
            return Ok(());
        }
        let words = format!("the graph is not connected: it falls into {parts} parts");
        Err(GraphFault { kind: GraphFaultKind::Disconnected, edge: None, words })
    }
}

/// Takes away vertices that no edge enters, again and again. What is left over has a cycle behind it.
fn check_dag(vertices: usize, edges: Edges<'_>) -> Result<(), GraphFault> {
    let mut entering = vec![0_usize; vertices];
    edges.iter().for_each(|(_, v)| entering[*v] += 1);
    let starts = starts_of_leaving(vertices, edges);
    let mut leaving = vec![0; edges.len()];
    let mut next = starts.clone();
    for (at, (u, _)) in edges.iter().enumerate() {
        leaving[next[*u]] = at;
        next[*u] += 1;
    }
    let mut free: Vec<usize> = (0..vertices).filter(|v| entering[*v] == 0).collect();
    while let Some(u) = free.pop() {
        for at in &leaving[starts[u]..next[u]] {
            let v = edges[*at].1;
            entering[v] -= 1;
            if entering[v] == 0 {
                free.push(v);
            }
        }
    }
    blame(edge_on_cycle(edges, &entering), GraphFaultKind::Cycle, "this edge is part of a cycle")
}

/// For each vertex, how many edges leave the vertices before it.
fn starts_of_leaving(vertices: usize, edges: Edges<'_>) -> Vec<usize> {
    let mut starts = vec![0; vertices];
    edges.iter().for_each(|(u, _)| starts[*u] += 1);
    let mut before = 0;
    for start in &mut starts {
        before += std::mem::replace(start, before);
    }
    starts
}

/// An edge of some cycle, where only vertices that a cycle leads to are still entered. Walking back from any of them
/// for long enough ends on a cycle.
fn edge_on_cycle(edges: Edges<'_>, entering: &[usize]) -> Option<usize> {
    let mut into = vec![None; entering.len()];
    for (at, (u, v)) in edges.iter().enumerate().filter(|(_, (u, _))| entering[*u] > 0) {
        into[*v] = Some((at, *u));
    }
    let left = entering.iter().position(|count| *count > 0)?;
    let back = |v: usize| into[v].map_or(v, |(_, u)| u);
    let on_cycle = (0..entering.len()).fold(left, |v, _| back(v));
    into[on_cycle].map(|(at, _)| at)
}

/// The number of vertices that occur, and the edges between these, numbered anew; nothing if most vertices occur.
pub(crate) fn packed(vertices: usize, edges: Edges<'_>) -> Option<(usize, Vec<(usize, usize)>)> {
    if vertices <= edges.len().saturating_mul(4) {
        return None;
    }
    let mut used: Vec<usize> = edges.iter().flat_map(|(u, v)| [*u, *v]).collect();
    used.sort_unstable();
    used.dedup();
    let number = |v: usize| used.partition_point(|other| *other < v);
    Some((used.len(), edges.iter().map(|(u, v)| (number(*u), number(*v))).collect()))
}

fn blame(edge: Option<usize>, kind: GraphFaultKind, words: &str) -> Result<(), GraphFault> {
    edge.map_or(Ok(()), |edge| Err(GraphFault { kind, edge: Some(edge), words: words.to_string() }))
}
