//! Trees, from the deepest to the widest.

use super::Graph;
use super::plan::Plan;
use crate::choices::Choices;

/// The tree that a number of vertices drawn without any habit is connected by. Every tree is equally likely: the
/// parents are the ends of a random walk over all vertices, cut where it returns to a vertex it has met.
pub(super) fn uniform(c: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |v| c.index(graph.vertices).min(v - 1))
}

pub(super) fn random_parent(c: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |v| c.index(v))
}

pub(super) fn path(_: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |v| v - 1)
}

pub(super) fn star(_: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |_| 0)
}

pub(super) fn anywhere(c: &mut Choices, graph: &Graph) -> Plan {
    uniform(c, graph).loose()
}
