//! Trees with random parents.

use super::GraphRequirements;
use super::graph_plan::GraphPlan;
use crate::choices::Choices;

/// Every tree is equally likely: the parents are the ends of a random walk over all vertices, cut where it returns to a
/// visited one.
pub(super) fn plan_uniform_tree(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| c.draw_index(graph.vertices).min(v - 1))
}

pub(super) fn plan_uniform(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    plan_uniform_tree(c, graph).with_optional_tree()
}

pub(super) fn plan_random_parent(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| c.draw_index(v))
}

pub(super) fn plan_near_parent(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let reach = c.draw_log_range(2, (graph.vertices / 4) as i128) as usize;
    GraphPlan::from_parents(graph.vertices, |v| v - 1 - c.draw_index(reach.min(v)))
}

/// A random end of an earlier edge: the probability of a vertex grows with its degree.
pub(super) fn plan_popular(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let mut ends = vec![0];
    GraphPlan::from_parents(graph.vertices, |v| {
        let parent = ends[c.draw_index(ends.len())];
        ends.extend([parent, v]);
        parent
    })
}

pub(super) fn plan_binary(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| (v - 1) / 2)
}

pub(super) fn plan_k_ary(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let children = c.draw_log_range(3, (graph.vertices / 2) as i128) as usize;
    GraphPlan::from_parents(graph.vertices, |v| (v - 1) / children)
}

/// The parent of a vertex is its number without the lowest set bit.
pub(super) fn plan_binomial(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| v & (v - 1))
}
