//! The pairs of vertices between which an edge may run, counted off.

use super::Graph;

/// All such pairs by number, so that some of them can be drawn without repeats.
pub(super) struct Pairs {
    vertices: Vertices,
    both_ways: bool,
}

enum Vertices {
    /// Any two of so many.
    Any(u64),
    /// One of each side.
    Sides(Vec<usize>, Vec<usize>),
}

impl Pairs {
    /// The pairs among vertices `0..sides.len()`.
    pub(super) fn new(graph: &Graph, sides: &[bool]) -> Pairs {
        let of_side = |side: bool| (0..sides.len()).filter(|v| sides[*v] == side).collect();
        let vertices = match graph.bipartite {
            true => Vertices::Sides(of_side(false), of_side(true)),
            false => Vertices::Any(sides.len() as u64),
        };
        Pairs { vertices, both_ways: graph.both_ways() }
    }

    /// How many pairs there are, each counted once.
    pub(super) fn undirected(&self) -> u64 {
        match &self.vertices {
            Vertices::Any(n) => n * n.saturating_sub(1) / 2,
            Vertices::Sides(left, right) => left.len() as u64 * right.len() as u64,
        }
    }

    /// How many there are, each counted as often as it can carry an edge without a repeat.
    pub(super) fn len(&self) -> u64 {
        self.undirected() * if self.both_ways { 2 } else { 1 }
    }

    /// The pair with this number, which lies below [`len`](Pairs::len).
    pub(super) fn nth(&self, number: u64) -> (usize, usize) {
        let one_way = self.undirected();
        if number >= one_way {
            let (u, v) = self.nth(number - one_way);
            return (v, u);
        }
        match &self.vertices {
            Vertices::Any(_) => nth_of_any(number),
            Vertices::Sides(left, right) => {
                let width = right.len() as u64;
                (left[(number / width) as usize], right[(number % width) as usize])
            }
        }
    }
}

/// Pairs in the order of their larger vertex: there are `v * (v - 1) / 2` with a larger one below `v`.
pub(super) fn nth_of_any(number: u64) -> (usize, usize) {
    let v = (1 + 8 * number).isqrt().div_ceil(2);
    ((number - v * (v - 1) / 2) as usize, v as usize)
}
