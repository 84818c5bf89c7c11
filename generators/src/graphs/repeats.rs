//! Edges that add nothing: repeats, loops, and ways back.

use super::Graph;
use super::plan::Plan;
use super::trees;
use crate::choices::Choices;

pub(super) fn repeated_edges(c: &mut Choices, graph: &Graph) -> Plan {
    trees::random_parent(c, graph).again()
}

pub(super) fn loops(c: &mut Choices, graph: &Graph) -> Plan {
    let most = graph.spare().min(graph.vertices) as i128;
    let count = c.log_range(1, most) as usize;
    let at = c.distinct(count, 0, graph.vertices as i128 - 1);
    let chords = at.into_iter().map(|v| (v as usize, v as usize)).collect();
    trees::random_parent(c, graph).with_chords(chords)
}

pub(super) fn there_and_back(c: &mut Choices, graph: &Graph) -> Plan {
    let plan = trees::random_parent(c, graph).again().upright();
    let back = plan.branches().flat_map(|(u, v)| [(u, v), (v, u)]).collect();
    plan.with_chords(back)
}
