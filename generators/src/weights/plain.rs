//! Weights that follow the list of edges, the distance from the start, or nothing.

use super::Weighing;
use crate::choices::Choices;
use crate::sizes::scalar;

pub(super) fn uniform(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    w.each(|_| c.range(w.lo, w.hi))
}

pub(super) fn equal(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    vec![scalar(c, w.lo, w.hi, &[]); w.edges.len()]
}

pub(super) fn extremes(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    let share = c.range(1, 15) as u32;
    w.each(|_| if c.chance(share, 16) { w.hi } else { w.lo })
}

pub(super) fn heaviest(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    let slack = c.range(0, 2);
    w.each(|_| w.hi.saturating_sub(c.range(0, slack)))
}

/// Powers start again after the largest one in range, which are as many as there are bits.
pub(super) fn powers_of_two(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    let first = w.lo.max(1);
    let mut power = if w.hi < 1 { w.hi } else { first.saturating_sub(1).checked_ilog2().map_or(1, |bits| 2 << bits) };
    let smallest = power;
    let mut weights = w.each(|_| {
        let weight = power;
        power = if power > w.hi / 2 { smallest } else { power * 2 };
        weight
    });
    if c.chance(1, 2) {
        weights.reverse();
    }
    weights
}

/// An edge at random where every edge has a way around it.
pub(super) fn heavy_bridge(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    let light = w.above(c.log_range(0, w.hi.saturating_sub(w.lo) / 1000));
    let mut weights = w.each(|_| c.range(w.lo, light));
    let bridges = w.walk().bridges(w.edges);
    let heavy = c.pick(&bridges).copied().unwrap_or_else(|| c.index(w.edges.len()));
    if let Some(weight) = weights.get_mut(heavy) {
        *weight = w.hi;
    }
    weights
}

pub(super) fn increasing(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    by_distance(c, w, |distance, _| distance)
}

pub(super) fn decreasing(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    by_distance(c, w, |distance, deepest| deepest - distance)
}

/// The whole range in equal steps, or in steps of one, by the distance of an edge's nearer end along the walk.
fn by_distance(c: &mut Choices, w: &Weighing<'_>, rank: impl Fn(i128, i128) -> i128) -> Vec<i128> {
    let walk = w.walk();
    let deepest = walk.deepest() as i128;
    let widest = (w.hi.saturating_sub(w.lo) / deepest.max(1)).max(1);
    let step = if c.chance(1, 2) { widest } else { 1 };
    w.each(|(u, v)| w.above(rank(walk.depth[*u].min(walk.depth[*v]) as i128, deepest).saturating_mul(step)))
}
