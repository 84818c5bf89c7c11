//! Weights that are the worst case of a common algorithm. They are never drawn at random.

use super::{UnweightedGraph, WeightShape};
use crate::choices::Choices;
use crate::shape_family::Shape;

/// The worst cases among the weight shapes, which are drawn only by name.
pub const WORST_CASE_WEIGHT_SHAPES: &[WeightShape] = &[
    Shape::new(
        "anti-spfa",
        "edges at the first vertex weigh the more the later their other end; all others are light",
        rising_spoke_weights,
    ),
    Shape::new(
        "anti-dijkstra",
        "each way from the first vertex to the hub is found later and is shorter",
        improving_way_weights,
    ),
    Shape::new(
        "anti-spfa-grid",
        "light edges between vertices with neighbouring numbers, and any weight for all others",
        light_column_weights,
    ),
    Shape::new(
        "anti-dinic",
        "capacity one, or the smallest, into the last vertex, and the largest elsewhere",
        narrow_end_capacities,
    ),
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

/// In a grid that is numbered column by column, ways through many rows are light and ways along the rows differ.
fn light_column_weights(c: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    w.map_edges(|(u, v)| if u.abs_diff(*v) == 1 { w.above_minimum(0) } else { c.draw_range(w.lo, w.hi) })
}

fn narrow_end_capacities(_: &mut Choices, w: &UnweightedGraph<'_>) -> Vec<i128> {
    let narrow = w.lo.max(1).min(w.hi);
    w.map_edges(|(u, v)| if *u.max(v) + 1 == w.vertices { narrow } else { w.hi })
}
