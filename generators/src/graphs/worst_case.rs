//! Graphs that are the worst case of a common algorithm. They are never drawn at random, and keep the numbers of their
//! vertices and the order of their edges, on which the algorithms depend.

use super::graph_plan::GraphPlan;
use super::{GraphRequirements, GraphShape};
use crate::choices::Choices;

/// The worst cases among the graph shapes, which are drawn only by name.
pub const WORST_CASE_GRAPH_SHAPES: &[GraphShape] = &[
    GraphShape {
        name: "anti-recursion",
        doc: "a path in order of its vertices, so that a recursion is as deep as possible",
        make: plan_path_in_order,
    },
    GraphShape {
        name: "anti-union-find",
        doc: "edges at the first vertex in order; quadratic for a union-find structure without path compression",
        make: plan_star_in_order,
    },
    GraphShape {
        name: "anti-spfa",
        doc: "a path, and an edge from the first vertex to each other one; quadratic for SPFA with such weights",
        make: plan_fan,
    },
    GraphShape {
        name: "anti-dijkstra",
        doc: "a hub that is reached in many ways, with many leaves; for a Dijkstra that keeps stale entries",
        make: plan_hub_behind_ways,
    },
    GraphShape {
        name: "narrow-grid",
        doc: "a few rows and many columns, numbered column by column",
        make: plan_narrow_grid,
    },
];

fn plan_path_in_order(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let is_reversed = c.draw_chance(1, 2);
    let random: Vec<(usize, usize)> = (0..graph.spare_edges())
        .map(|_| (c.draw_index(graph.vertices.div_ceil(8)), c.draw_index(graph.vertices.div_ceil(8))))
        .collect();
    GraphPlan::from_parents(graph.vertices, |v| v - 1).with_chords(random).with_order_kept(is_reversed)
}

fn plan_star_in_order(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let is_reversed = c.draw_chance(1, 2);
    GraphPlan::from_parents(graph.vertices, |_| 0).with_order_kept(is_reversed)
}

fn plan_fan(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let is_reversed = c.draw_chance(1, 2);
    let last = graph.vertices.saturating_sub(1);
    let path = (1..last).map(|v| if is_reversed { (v + 1, v) } else { (v, v + 1) }).collect();
    GraphPlan::from_parents(graph.vertices, |_| 0).with_chords(path).with_order_kept(false)
}

/// A third of the edges lead from the first vertex, a third to the hub and a third to its leaves.
fn plan_hub_behind_ways(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let hub = (graph.vertices / 2).max(1);
    let ways = (2..hub).map(|v| (v, hub)).collect();
    let parent = |v: usize| match v {
        _ if v < hub => 0,
        _ if v == hub => hub.min(2) - 1,
        _ => hub,
    };
    GraphPlan::from_parents(graph.vertices, parent).with_chords(ways).with_order_kept(false)
}

fn plan_narrow_grid(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let rows = c.draw_range(2, 12).min(graph.vertices as i128).max(1) as usize;
    let across = (rows..graph.vertices).map(|v| (v - rows, v)).collect();
    let parent = |v: usize| if v.is_multiple_of(rows) { v - rows } else { v - 1 };
    GraphPlan::from_parents(graph.vertices, parent).with_chords(across).with_order_kept(false)
}
