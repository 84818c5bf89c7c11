//! Ear decompositions: a cycle, and paths through new vertices that begin and end at earlier ones. Every strongly
//! connected graph consists of such paths, and single edges.

use crate::choices::Choices;

/// Returns the edges of a strongly connected graph on vertices `0..vertices`, of which there are at least as many as
/// vertices and at most `most`, as long as that is possible.
pub(super) fn draw_ears(c: &mut Choices, vertices: usize, most: usize) -> Vec<(usize, usize)> {
    if vertices < 2 {
        return Vec::new();
    }
    // Each path has one edge more than new vertices.
    let paths = c.draw_range(0, most.saturating_sub(vertices).min(vertices - 2) as i128) as usize;
    let mut lengths = vec![1; paths];
    let mut on_cycle = 2;
    for _ in 0..vertices - 2 - paths {
        match c.draw_index(2 * paths + 1) {
            at if at < paths => lengths[at] += 1,
            _ => on_cycle += 1,
        }
    }
    let mut edges: Vec<(usize, usize)> = (0..on_cycle).map(|v| (v, (v + 1) % on_cycle)).collect();
    let mut known = on_cycle;
    for length in lengths {
        let (from, to) = (c.draw_index(known), c.draw_index(known));
        edges.push((from, known));
        edges.extend((known + 1..known + length).map(|v| (v - 1, v)));
        known += length;
        edges.push((known - 1, to));
    }
    edges
}
