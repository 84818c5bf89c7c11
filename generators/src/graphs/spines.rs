//! Trees along a path or around a centre.

use super::Graph;
use super::plan::Plan;
use crate::choices::Choices;

pub(super) fn path(_: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |v| v - 1)
}

pub(super) fn star(_: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |_| 0)
}

pub(super) fn caterpillar(c: &mut Choices, graph: &Graph) -> Plan {
    let spine = spine(c, graph);
    Plan::tree(graph.vertices, |v| if v < spine { v - 1 } else { c.index(spine) })
}

pub(super) fn centipede(_: &mut Choices, graph: &Graph) -> Plan {
    let spine = graph.vertices.div_ceil(2);
    Plan::tree(graph.vertices, |v| if v < spine { v - 1 } else { v - spine })
}

/// Teeth of equal length: each tooth grows from where it is, so the last row of vertices is the new spine.
pub(super) fn comb(c: &mut Choices, graph: &Graph) -> Plan {
    let spine = if c.chance(1, 2) { spine(c, graph) } else { graph.vertices.isqrt().max(1) };
    Plan::tree(graph.vertices, |v| if v < spine { v - 1 } else { v - spine })
}

pub(super) fn spider(c: &mut Choices, graph: &Graph) -> Plan {
    let legs = if c.chance(1, 2) { spine(c, graph) } else { graph.vertices.isqrt().max(1) };
    Plan::tree(graph.vertices, |v| v.saturating_sub(legs))
}

pub(super) fn broom(c: &mut Choices, graph: &Graph) -> Plan {
    let handle = spine(c, graph);
    Plan::tree(graph.vertices, |v| if v < handle { v - 1 } else { handle - 1 })
}

pub(super) fn double_broom(c: &mut Choices, graph: &Graph) -> Plan {
    let handle = spine(c, graph);
    Plan::tree(graph.vertices, |v| match v {
        _ if v < handle => v - 1,
        _ if v % 2 == 0 => 0,
        _ => handle - 1,
    })
}

pub(super) fn two_stars(c: &mut Choices, graph: &Graph) -> Plan {
    let first = c.range(2, graph.vertices as i128) as usize;
    Plan::tree(graph.vertices, |v| usize::from(v > first))
}

/// How many vertices of the tree are its trunk: all orders of magnitude, and now and then half of them.
fn spine(c: &mut Choices, graph: &Graph) -> usize {
    match c.chance(1, 4) {
        true => graph.vertices.div_ceil(2),
        false => c.log_range(1, graph.vertices as i128) as usize,
    }
}
