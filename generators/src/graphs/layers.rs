//! Graphs in layers: edges lead from one to the next.

use super::GraphRequirements;
use super::graph_plan::GraphPlan;
use crate::choices::Choices;

pub(super) fn plan_grid(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let width = match c.draw_below(3) {
        0 => graph.vertices.isqrt().max(1),
        1 => 2,
        _ => c.draw_log_range(1, graph.vertices as i128) as usize,
    };
    let down = (width..graph.vertices).map(|v| (v - width, v)).collect();
    GraphPlan::from_parents(graph.vertices, |v| if v % width == 0 { v - width } else { v - 1 }).with_chords(down)
}

/// A root, and layers of equal size below it.
pub(super) fn plan_layered(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let width = c.draw_log_range(1, graph.vertices as i128) as usize;
    let above = |c: &mut Choices, v: usize| match (v - 1) / width {
        0 => 0,
        layer => (layer - 1) * width + 1 + c.draw_index(width),
    };
    let parents: Vec<usize> = (1..graph.vertices).map(|v| above(c, v)).collect();
    let below = graph.vertices.saturating_sub(1 + width);
    let chords = (0..if below > 0 { graph.spare_edges() } else { 0 }).map(|_| {
        let v = 1 + width + c.draw_index(below);
        (above(c, v), v)
    });
    let chords = chords.collect();
    GraphPlan::from_parents(graph.vertices, |v| parents[v - 1]).with_chords(chords)
}

/// Paths that diverge and join again: the number of paths from end to end is exponential.
pub(super) fn plan_diamonds(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let ways = if c.draw_chance(1, 2) { c.draw_log_range(2, graph.vertices as i128) as usize } else { 2 };
    let length = ways + 1;
    let meets = (length..graph.vertices).step_by(length);
    let chords = meets.flat_map(|meet| (meet - ways..meet - 1).map(move |v| (v, meet))).collect();
    GraphPlan::from_parents(graph.vertices, |v| if v % length == 0 { v - 1 } else { v - v % length })
        .with_chords(chords)
}

/// A path, and edges that skip a short part of it.
pub(super) fn plan_band(c: &mut Choices, graph: &GraphRequirements) -> GraphPlan {
    let width = c.draw_log_range(2, graph.vertices as i128) as usize;
    let pairs = (0..graph.spare_edges()).map(|_| {
        let v = c.draw_index(graph.vertices);
        (v - c.draw_index(width.min(v + 1)), v)
    });
    let chords = pairs.filter(|(u, v)| u != v).collect();
    GraphPlan::from_parents(graph.vertices, |v| v - 1).with_chords(chords)
}
