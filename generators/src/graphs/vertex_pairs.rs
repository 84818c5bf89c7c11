//! Numbers the pairs of vertices that can be connected by an edge.

use super::GraphRequirements;

/// All such pairs by number, so that some of them can be drawn without repeats.
pub(super) struct VertexPairs {
    vertices: VertexSets,
    both_ways: bool,
}

enum VertexSets {
    /// Any two of this number of vertices.
    Any(u64),
    /// One vertex of each side.
    Sides(Vec<usize>, Vec<usize>),
}

impl VertexPairs {
    /// Creates the pairs among vertices `0..sides.len()`.
    pub(super) fn new(graph: &GraphRequirements, sides: &[bool]) -> VertexPairs {
        let of_side = |side: bool| (0..sides.len()).filter(|v| sides[*v] == side).collect();
        let vertices = match graph.bipartite {
            true => VertexSets::Sides(of_side(false), of_side(true)),
            false => VertexSets::Any(sides.len() as u64),
        };
        VertexPairs { vertices, both_ways: graph.allows_both_directions() }
    }

    /// Returns the number of pairs, regardless of direction.
    pub(super) fn undirected_count(&self) -> u64 {
        match &self.vertices {
            VertexSets::Any(n) => n * n.saturating_sub(1) / 2,
            VertexSets::Sides(left, right) => left.len() as u64 * right.len() as u64,
        }
    }

    /// Returns the number of pairs, with both directions counted if they are different edges.
    pub(super) fn len(&self) -> u64 {
        self.undirected_count() * if self.both_ways { 2 } else { 1 }
    }

    /// Returns the pair with this number, which must be below [`len`](VertexPairs::len).
    pub(super) fn nth_pair(&self, number: u64) -> (usize, usize) {
        debug_assert!(number < self.len(), "numbers are drawn below the number of pairs");
        let one_way = self.undirected_count();
        if number >= one_way {
            let (u, v) = self.nth_pair(number - one_way);
            return (v, u);
        }
        match &self.vertices {
            VertexSets::Any(_) => nth_unordered_pair(number),
            VertexSets::Sides(left, right) => {
                let width = right.len() as u64;
                (left[(number / width) as usize], right[(number % width) as usize])
            }
        }
    }
}

/// Returns a pair, in the order of the larger vertex: `v * (v - 1) / 2` pairs have a larger vertex below `v`.
pub(super) fn nth_unordered_pair(number: u64) -> (usize, usize) {
    // A floating-point root is several times faster than an integer root, and off by at most one, for large numbers.
    let mut v = (8.0 * number as f64 + 1.0).sqrt() as u64;
    v = v.div_ceil(2).max(1);
    while v * (v - 1) / 2 > number {
        v -= 1;
    }
    while v * (v + 1) / 2 <= number {
        v += 1;
    }
    ((number - v * (v - 1) / 2) as usize, v as usize)
}

#[cfg(test)]
mod tests {
    use super::nth_unordered_pair;

    #[test]
    fn unordered_pairs_are_numbered_without_gaps() {
        let mut number = 0;
        for v in 1..400 {
            for u in 0..v {
                assert_eq!(nth_unordered_pair(number), (u, v));
                number += 1;
            }
        }
        for v in [1 << 20, (1 << 31) - 1, 1 << 31, 3_000_000_000_u64] {
            let first = v * (v - 1) / 2;
            let v = v as usize;
            assert_eq!([first - 1, first].map(nth_unordered_pair), [(v - 2, v - 1), (0, v)]);
            assert_eq!(nth_unordered_pair(first + v as u64 - 1), (v - 1, v));
        }
    }
}
