//! Cycles, alone and with other edges.

use super::GraphRequirements;
use super::graph_plan::GraphPlan;
use crate::choices::Choices;

pub(super) fn plan_cycle(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    GraphPlan::from_parents(graph.vertices, |v| v - 1).with_chords(vec![(graph.vertices - 1, 0)])
}

/// If directed and reversed, this is a functional graph: each vertex has one outgoing edge, and every path leads to the
/// cycle.
pub(super) fn plan_trees_on_a_cycle(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let length = c.draw_log_range(2, graph.vertices as i128) as usize;
    let last = (length - 1).min(graph.vertices - 1);
    GraphPlan::from_parents(graph.vertices, |v| if v <= last { v - 1 } else { c.draw_index(v) })
        .with_chords(vec![(last, 0)])
}

pub(super) fn plan_wheel(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let rim = graph.vertices - 1;
    let chords = (1..=rim).map(|v| (v, v % rim + 1)).collect();
    GraphPlan::from_parents(graph.vertices, |_| 0).with_chords(chords)
}

/// Each cycle starts and ends at an earlier vertex.
pub(super) fn plan_cactus(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let (mut parents, mut chords) = (vec![0], Vec::new());
    let longest = c.draw_log_range(2, graph.vertices as i128);
    while parents.len() < graph.vertices {
        let (anchor, first) = (c.draw_index(parents.len()), parents.len());
        let last = (first - 1 + c.draw_range(2, longest) as usize).min(graph.vertices - 1);
        parents.push(anchor);
        parents.extend(first..last);
        chords.push((last, anchor));
    }
    GraphPlan::from_parents(graph.vertices, |v| parents[v]).with_chords(chords)
}

pub(super) fn plan_several_cycles(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let (mut first, mut chords) = (0, Vec::new());
    let longest = c.draw_log_range(3, graph.vertices as i128);
    while first < graph.vertices {
        let last = (first + c.draw_range(3, longest) as usize).min(graph.vertices) - 1;
        chords.extend((first..last).map(|v| (v, v + 1)));
        chords.push((last, first));
        first = last + 1;
    }
    GraphPlan::from_parents(graph.vertices, |v| v - 1).with_chords(chords).with_optional_tree()
}

/// A circulant graph: each vertex is adjacent to those at the same few distances on a circle.
pub(super) fn plan_regular(_: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let n = graph.vertices;
    let circles = (1..=n / 2).flat_map(|distance| (0..n).map(move |v| (v, (v + distance) % n)));
    let chords = circles.take(graph.edges).collect();
    GraphPlan::from_parents(n, |v| v - 1).with_chords(chords).with_optional_tree()
}
