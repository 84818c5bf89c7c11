//! Weights that are the worst case of a common algorithm. They are never drawn at random.

use super::{UnweightedGraph, WeightShape};
use crate::choices::Choices;

/// The worst cases among the weight shapes, which are drawn only by name.
pub const WORST_CASE_WEIGHT_SHAPES: &[WeightShape] = &[
    WeightShape {
        name: "anti-spfa",
        doc: "edges at the first vertex weigh the more the later their other end; all others are light",
        make: rising_spoke_weights,
    },
    WeightShape {
        name: "anti-dijkstra",
        doc: "each way from the first vertex to the hub is found later and is shorter",
        make: improving_way_weights,
    },
];

/// On a fan, the distance of each vertex is improved by each vertex before it on the path, one after the other.
fn rising_spoke_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let is_falling = c.draw_chance(1, 2);
    let light = w.above_minimum(c.draw_range(0, 1));
    let weight = |(u, v): &(usize, usize)| {
        let (from, to) = (*u.min(v), *u.max(v));
        let rank = if is_falling { w.vertices - to } else { to };
        match from {
            0 => w.above_minimum(2 * rank as i128),
            _ if to == from + 1 => light,
            _ => w.hi,
        }
    };
    w.map_edges(weight)
}

/// The hub is the vertex with the most neighbours apart from the first one.
fn improving_way_weights(_: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let mut degrees = vec![0_usize; w.vertices];
    for (u, v) in w.edges {
        degrees[*u] += 1;
        degrees[*v] += 1;
    }
    let hub = (1..w.vertices).rev().max_by_key(|v| degrees[*v]).unwrap_or(0);
    let weight = |(u, v): &(usize, usize)| {
        let (from, to) = (*u.min(v), *u.max(v));
        match (from, to) {
            (0, to) => w.above_minimum(to as i128),
            (from, to) if to == hub => w.above_minimum(2 * (hub - from) as i128 + 1),
            _ => w.above_minimum(1),
        }
    };
    w.map_edges(weight)
}
