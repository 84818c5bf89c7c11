//! Weights by which the distance of a vertex gets shorter again and again while a search is under way.

use super::{Weighing, plain};
use crate::choices::Choices;

/// An edge weighs as many units as it leads down, so that all ways down to a vertex are equally long: a count of
/// shortest paths is large, and every comparison of distances is a tie.
pub(super) fn equal_ways(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    let walk = w.walk();
    let unit = unit(c, w, walk.deepest());
    w.each(|(u, v)| unit.saturating_mul(walk.depth[*u].abs_diff(walk.depth[*v]) as i128))
}

/// A step of the walk weighs one unit; an edge that skips some steps weighs less, the further down it starts, but more
/// than what it skips. On a path with all its shortcuts each vertex thus improves every later one.
pub(super) fn ever_nearer(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    let walk = w.walk();
    let deepest = walk.deepest();
    let unit = unit(c, w, 2 * deepest);
    let walked = walk.walked(w.edges.len());
    let weight = |((u, v), walked): (&(usize, usize), &bool)| {
        let upper = walk.depth[*u].min(walk.depth[*v]);
        if *walked { unit } else { unit.saturating_mul(2 * (deepest - upper) as i128) }
    };
    w.edges.iter().zip(&walked).map(weight).collect()
}

/// The walk's own steps weigh next to nothing, and shortcuts powers of two, larger near the start. A search that goes on
/// from the vertex it met last follows the shortcuts first, and tries every combination of the two.
pub(super) fn doubling_ways(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    let walk = w.walk();
    let deepest = walk.deepest();
    let walked = walk.walked(w.edges.len());
    let least = c.range(0, 1);
    let weight = |((u, v), walked): (&(usize, usize), &bool)| {
        let below = (deepest - walk.depth[*u].max(walk.depth[*v])).min(100);
        if *walked { w.above(least) } else { w.above(2 << below) }
    };
    w.edges.iter().zip(&walked).map(weight).collect()
}

/// On a grid, the walk is a snake of heavy edges of all kinds, and light edges lead across it from row to row.
pub(super) fn heavy_chains(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    let walked = w.walk().walked(w.edges.len());
    let heavy = w.above(w.hi.saturating_sub(w.lo) / 1000 + 1);
    let light = w.above(c.range(0, 3).min(heavy.saturating_sub(w.lo)));
    walked.into_iter().map(|walked| if walked { c.range(heavy, w.hi) } else { c.range(w.lo, light) }).collect()
}

/// Each vertex has a height, and an edge weighs at least as much as it climbs: around a cycle all climbs cancel.
pub(super) fn safely_negative(c: &mut Choices, w: &Weighing<'_>) -> Vec<i128> {
    let room = w.hi.min(w.lo.saturating_neg());
    if room <= 0 {
        return plain::uniform(c, w);
    }
    let more = c.log_range(0, room / 2);
    let heights: Vec<i128> = (0..w.vertices).map(|_| c.range(0, room - more)).collect();
    w.each(|(u, v)| heights[*v] - heights[*u] + c.range(0, more))
}

/// What a step weighs, if the longest of all edges skips so many: the smallest positive weight, or as much as the range
/// has room for.
fn unit(c: &mut Choices, w: &Weighing<'_>, steps: usize) -> i128 {
    let least = w.lo.max(1).min(w.hi);
    let most = w.hi / steps.max(1) as i128;
    if c.chance(1, 2) { least } else { most.max(least) }
}
