//! Weights for which the distance of a vertex is improved again and again during a search.

use super::{UnweightedGraph, unstructured};
use crate::choices::Choices;

/// The weight of an edge is its difference in depth, so that all paths down to a vertex have the same length: the
/// number of shortest paths is large, and every comparison of distances is a tie.
pub(super) fn equal_path_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let walk = w.walk_depth_first();
    let unit = step_weight(c, w, walk.max_depth());
    w.map_edges(|(u, v)| unit.saturating_mul(walk.depth[*u].abs_diff(walk.depth[*v]) as i128))
}

/// A tree edge weighs one unit. An edge that skips levels weighs less the further down it starts, but more than the
/// tree edges that it skips. So on a path with all its shortcuts each vertex improves every later one.
pub(super) fn ever_nearer_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let walk = w.walk_depth_first();
    let deepest = walk.max_depth();
    let unit = step_weight(c, w, 2 * deepest);
    let walked = walk.tree_edge_flags(w.edges.len());
    let weight = |((u, v), walked): (&(usize, usize), &bool)| {
        let upper = walk.depth[*u].min(walk.depth[*v]);
        if *walked { unit } else { unit.saturating_mul(2 * (deepest - upper) as i128) }
    };
    w.edges.iter().zip(&walked).map(weight).collect()
}

/// Tree edges weigh next to nothing, and shortcuts powers of two, larger near the start. A search that continues from
/// the last visited vertex follows the shortcuts first, and tries every combination of the two.
pub(super) fn doubling_path_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let walk = w.walk_depth_first();
    let deepest = walk.max_depth();
    let walked = walk.tree_edge_flags(w.edges.len());
    let least = c.draw_range(0, 1);
    let weight = |((u, v), walked): (&(usize, usize), &bool)| {
        let below = (deepest - walk.depth[*u].max(walk.depth[*v])).min(100);
        if *walked { w.above_minimum(least) } else { w.above_minimum(2 << below) }
    };
    w.edges.iter().zip(&walked).map(weight).collect()
}

/// On a grid, the walk is a snake of random heavy edges, and light edges lead across it from row to row.
pub(super) fn heavy_chain_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let walked = w.walk_depth_first().tree_edge_flags(w.edges.len());
    let heavy = w.above_minimum(w.hi.saturating_sub(w.lo) / 1000 + 1);
    let light = w.above_minimum(c.draw_range(0, 3).min(heavy.saturating_sub(w.lo)));
    walked
        .into_iter()
        .map(|walked| if walked { c.draw_range(heavy, w.hi) } else { c.draw_range(w.lo, light) })
        .collect()
}

/// Each vertex has a height, and the weight of an edge is at least its climb: around a cycle the climbs cancel.
pub(super) fn safely_negative_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let room = w.hi.min(w.lo.saturating_neg());
    if room <= 0 {
        return unstructured::uniform_weights(c, w);
    }
    let more = c.draw_log_range(0, room / 2);
    let heights: Vec<i128> = (0..w.vertices).map(|_| c.draw_range(0, room - more)).collect();
    w.map_edges(|(u, v)| heights[*v] - heights[*u] + c.draw_range(0, more))
}

/// Returns the weight of a step if the longest edge skips `steps` of them: the smallest positive weight, or the largest
/// one for which that edge is in range.
fn step_weight(c: &mut Choices, w: &UnweightedGraph<'_>, steps: usize) -> i128 {
    let least = w.lo.max(1).min(w.hi);
    let most = w.hi / steps.max(1) as i128;
    if c.draw_chance(1, 2) { least } else { most.max(least) }
}
