//! Graphs that fall apart, or would if one edge were missing.

use super::Graph;
use super::dense::clique_size;
use super::pairs::nth_of_any;
use super::plan::Plan;
use crate::choices::Choices;

/// Blobs with single edges between them.
pub(super) fn bridges(c: &mut Choices, graph: &Graph) -> Plan {
    let blobs = Blobs::draw(c, graph);
    let chords = blobs.chords(c, graph.spare());
    blobs.tree(c, graph).with_chords(chords)
}

/// Blobs with nothing between them.
pub(super) fn separate(c: &mut Choices, graph: &Graph) -> Plan {
    let blobs = Blobs::draw(c, graph);
    let more = blobs.chords(c, graph.spare());
    let plan = blobs.tree(c, graph);
    let is_within = |(_, v): &(usize, usize)| blobs.starts.binary_search(v).is_err();
    let mut chords: Vec<_> = plan.branches().filter(is_within).collect();
    c.shuffle(&mut chords);
    chords.extend(more);
    plan.with_chords(chords).loose()
}

/// Consecutive vertices, cut into blobs.
struct Blobs {
    /// Where each blob starts, in ascending order and followed by the end of the last.
    starts: Vec<usize>,
}

impl Blobs {
    /// Few enough blobs for the edges to find room within them.
    fn draw(c: &mut Choices, graph: &Graph) -> Blobs {
        let n = graph.vertices;
        let size = 2 * (graph.edges / n) + 2;
        let count = c.log_range(1, (n / size) as i128).max(2) as usize;
        let mut starts = vec![0];
        starts.extend(c.distinct(count - 1, 1, n as i128 - 1).into_iter().map(|start| start as usize));
        starts.push(n);
        starts.sort_unstable();
        Blobs { starts }
    }

    /// Each blob hangs on the one before it, or on any.
    fn tree(&self, c: &mut Choices, graph: &Graph) -> Plan {
        let in_a_row = c.chance(1, 2);
        let (mut blob, mut before) = (0, 0);
        Plan::tree(graph.vertices, |v| {
            let is_first = self.starts[blob + 1] == v;
            if is_first {
                (before, blob) = (self.starts[blob], blob + 1);
            }
            let from = match (is_first, in_a_row) {
                (true, true) => before,
                (true, false) => 0,
                (false, _) => self.starts[blob],
            };
            from + c.index(v - from)
        })
    }

    /// About `count` edges within blobs, more of them in larger ones, and some to make up for those of the tree.
    fn chords(&self, c: &mut Choices, count: usize) -> Vec<(usize, usize)> {
        let pairs = |blob: &[usize]| (blob[1] - blob[0]) as u128 * (blob[1] - blob[0] - 1) as u128 / 2;
        let count = count + count.min(self.starts.last().copied().unwrap_or(0));
        let total: u128 = self.starts.windows(2).map(pairs).sum();
        let mut chords = Vec::new();
        for blob in self.starts.windows(2).filter(|blob| pairs(blob) > 0) {
            let share = (count as u128 * pairs(blob)).div_ceil(total) as usize;
            for number in c.distinct(share, 0, pairs(blob) as i128 - 1) {
                let (u, v) = nth_of_any(number as u64);
                chords.push((blob[0] + u, blob[0] + v));
            }
        }
        c.shuffle(&mut chords);
        chords
    }
}

pub(super) fn matching(c: &mut Choices, graph: &Graph) -> Plan {
    let chords = (1..graph.vertices).step_by(2).map(|v| (v - 1, v)).collect();
    Plan::tree(graph.vertices, |v| if v % 2 == 1 { v - 1 } else { c.index(v) }).with_chords(chords).loose()
}

/// If it need not be connected, only some of the vertices have any edges.
pub(super) fn isolated(c: &mut Choices, graph: &Graph) -> Plan {
    let needed = match (graph.connected, graph.is_forest()) {
        (true, _) => graph.vertices,
        (false, true) => graph.edges + 1,
        (false, false) if graph.bipartite => 2 * graph.edges.isqrt() + 2,
        (false, false) => clique_size(graph.edges),
    };
    let used = c.log_range(needed as i128, graph.vertices as i128) as usize;
    Plan::tree(used.clamp(1, graph.vertices), |v| c.index(v)).loose()
}
