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
    // A root among reals is several times faster than one among whole numbers, and off by one at most, far out.
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
    use super::nth_of_any;

    #[test]
    fn pairs_are_counted_off_one_by_one_however_many_there_are() {
        let mut number = 0;
        for v in 1..400 {
            for u in 0..v {
                assert_eq!(nth_of_any(number), (u, v));
                number += 1;
            }
        }
        for v in [1 << 20, (1 << 31) - 1, 1 << 31, 3_000_000_000_u64] {
            let first = v * (v - 1) / 2;
            let v = v as usize;
            assert_eq!([first - 1, first].map(nth_of_any), [(v - 2, v - 1), (0, v)]);
            assert_eq!(nth_of_any(first + v as u64 - 1), (v - 1, v));
        }
    }
}
