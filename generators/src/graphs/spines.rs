//! Trees along a path or around a centre.

use super::GraphRequirements;
use super::graph_plan::GraphPlan;
use crate::choices::Choices;

pub(super) fn plan_path(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| v - 1)
}

pub(super) fn plan_star(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |_| 0)
}

pub(super) fn plan_caterpillar(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let spine = choose_spine_length(c, graph);
    GraphPlan::from_parents(graph.vertices, |v| if v < spine { v - 1 } else { c.draw_index(spine) })
}

pub(super) fn plan_centipede(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let spine = graph.vertices.div_ceil(2);
    GraphPlan::from_parents(graph.vertices, |v| if v < spine { v - 1 } else { v - spine })
}

/// Teeth of equal length: they grow in parallel, each by one vertex per round.
pub(super) fn plan_comb(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let spine = if c.draw_chance(1, 2) { choose_spine_length(c, graph) } else { graph.vertices.isqrt().max(1) };
    GraphPlan::from_parents(graph.vertices, |v| if v < spine { v - 1 } else { v - spine })
}

pub(super) fn plan_spider(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let legs = if c.draw_chance(1, 2) { choose_spine_length(c, graph) } else { graph.vertices.isqrt().max(1) };
    GraphPlan::from_parents(graph.vertices, |v| v.saturating_sub(legs))
}

pub(super) fn plan_broom(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let handle = choose_spine_length(c, graph);
    GraphPlan::from_parents(graph.vertices, |v| if v < handle { v - 1 } else { handle - 1 })
}

pub(super) fn plan_double_broom(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let handle = choose_spine_length(c, graph);
    GraphPlan::from_parents(graph.vertices, |v| match v {
        _ if v < handle => v - 1,
        _ if v % 2 == 0 => 0,
        _ => handle - 1,
    })
}

pub(super) fn plan_two_stars(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let first = c.draw_range(2, graph.vertices as i128) as usize;
    GraphPlan::from_parents(graph.vertices, |v| usize::from(v > first))
}

/// Draws the length of the spine: of any order of magnitude, and now and then half of the vertices.
fn choose_spine_length(c: &mut Choices, graph: &GraphRequirements) -> usize {
    match c.draw_chance(1, 4) {
        true => graph.vertices.div_ceil(2),
        false => c.draw_log_range(1, graph.vertices as i128) as usize,
    }
}
