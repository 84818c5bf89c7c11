//! Graphs in rows: edges lead from one to the next.

use super::Graph;
use super::plan::Plan;
use crate::choices::Choices;

pub(super) fn grid(c: &mut Choices, graph: &Graph) -> Plan {
    let width = match c.below(3) {
        0 => graph.vertices.isqrt().max(1),
        1 => 2,
        _ => c.log_range(1, graph.vertices as i128) as usize,
    };
    let down = (width..graph.vertices).map(|v| (v - width, v)).collect();
    Plan::tree(graph.vertices, |v| if v % width == 0 { v - width } else { v - 1 }).with_chords(down)
}

/// A root, and layers of equal size below it.
pub(super) fn layered(c: &mut Choices, graph: &Graph) -> Plan {
    let width = c.log_range(1, graph.vertices as i128) as usize;
    let above = |c: &mut Choices, v: usize| match (v - 1) / width {
        0 => 0,
        layer => (layer - 1) * width + 1 + c.index(width),
    };
    let parents: Vec<usize> = (1..graph.vertices).map(|v| above(c, v)).collect();
    let below = graph.vertices.saturating_sub(1 + width);
    let chords = (0..if below > 0 { graph.spare() } else { 0 }).map(|_| {
        let v = 1 + width + c.index(below);
        (above(c, v), v)
    });
    let chords = chords.collect();
    Plan::tree(graph.vertices, |v| parents[v - 1]).with_chords(chords)
}

/// Ways that part and meet again: the number of ways from end to end is a power.
pub(super) fn diamonds(c: &mut Choices, graph: &Graph) -> Plan {
    let ways = if c.chance(1, 2) { c.log_range(2, graph.vertices as i128) as usize } else { 2 };
    let length = ways + 1;
    let meets = (length..graph.vertices).step_by(length);
    let chords = meets.flat_map(|meet| (meet - ways..meet - 1).map(move |v| (v, meet))).collect();
    Plan::tree(graph.vertices, |v| if v % length == 0 { v - 1 } else { v - v % length }).with_chords(chords)
}

/// A path, and edges that skip only a little of it.
pub(super) fn band(c: &mut Choices, graph: &Graph) -> Plan {
    let width = c.log_range(2, graph.vertices as i128) as usize;
    let pairs = (0..graph.spare()).map(|_| {
        let v = c.index(graph.vertices);
        (v - c.index(width.min(v + 1)), v)
    });
    let chords = pairs.filter(|(u, v)| u != v).collect();
    Plan::tree(graph.vertices, |v| v - 1).with_chords(chords)
}
