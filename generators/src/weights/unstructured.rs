//! Weights that depend on the order of the edges, on the distance from the start, or on nothing.

use super::UnweightedGraph;
use crate::choices::Choices;
use crate::sizes::draw_scalar;

pub(super) fn uniform_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    w.map_edges(|_| c.draw_range(w.lo, w.hi))
}

pub(super) fn equal_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    vec![draw_scalar(c, w.lo, w.hi, &[]); w.edges.len()]
}

pub(super) fn extreme_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let share = c.draw_range(1, 15) as u32;
    w.map_edges(|_| if c.draw_chance(share, 16) { w.hi } else { w.lo })
}

pub(super) fn heaviest_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let slack = c.draw_range(0, 2);
    w.map_edges(|_| w.hi.saturating_sub(c.draw_range(0, slack)))
}

/// After the largest power of two in range, the powers restart with the smallest.
pub(super) fn power_of_two_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let first = w.lo.max(1);
    let mut power = if w.hi < 1 { w.hi } else { first.saturating_sub(1).checked_ilog2().map_or(1, |bits| 2 << bits) };
    let smallest = power;
    let mut weights = w.map_edges(|_| {
        let weight = power;
        power = if power > w.hi / 2 { smallest } else { power * 2 };
        weight
    });
    if c.draw_chance(1, 2) {
        weights.reverse();
    }
    weights
}

/// If there is no bridge, a random edge is the heavy one.
pub(super) fn heavy_bridge_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let light = w.above_minimum(c.draw_log_range(0, w.hi.saturating_sub(w.lo) / 1000));
    let mut weights = w.map_edges(|_| c.draw_range(w.lo, light));
    let bridges = w.walk_depth_first().find_bridges(w.edges);
    let heavy = c.pick_item(&bridges).copied().unwrap_or_else(|| c.draw_index(w.edges.len()));
    if let Some(weight) = weights.get_mut(heavy) {
        *weight = w.hi;
    }
    weights
}

pub(super) fn increasing_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    weights_by_distance(c, w, |distance, _| distance)
}

pub(super) fn decreasing_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    weights_by_distance(c, w, |distance, deepest| deepest - distance)
}

/// The weight of an edge grows with the depth of its upper end, in equal steps that cover the whole range or in steps
/// of one.
fn weights_by_distance(c: &mut Choices, w: &UnweightedGraph<'_>, rank: impl Fn(i128, i128) -> i128) -> Vec<i128> {
    let walk = w.walk_depth_first();
    let deepest = walk.max_depth() as i128;
    let widest = (w.hi.saturating_sub(w.lo) / deepest.max(1)).max(1);
    let step = if c.draw_chance(1, 2) { widest } else { 1 };
    w.map_edges(|(u, v)| {
        w.above_minimum(rank(walk.depth[*u].min(walk.depth[*v]) as i128, deepest).saturating_mul(step))
    })
}
