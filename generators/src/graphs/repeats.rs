//! Redundant edges: repeats, loops, and reversed edges.

use super::GraphRequirements;
use super::graph_plan::GraphPlan;
use super::trees;
use crate::choices::Choices;

pub(super) fn plan_repeated_edges(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    trees::plan_random_parent(c, graph).with_repeats()
}

pub(super) fn plan_loops(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let most = graph.spare_edges().min(graph.vertices) as i128;
    let count = c.draw_log_range(1, most) as usize;
    let at = c.draw_distinct(count, 0, graph.vertices as i128 - 1);
    let chords = at.into_iter().map(|v| (v as usize, v as usize)).collect();
    trees::plan_random_parent(c, graph).with_chords(chords)
}

pub(super) fn plan_there_and_back(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let plan = trees::plan_random_parent(c, graph).with_repeats().with_kept_directions();
    let back = plan.tree_edges().flat_map(|(u, v)| [(u, v), (v, u)]).collect();
    plan.with_chords(back)
}
