//! Trees in which chance decides what hangs on what.

use super::Graph;
use super::plan::Plan;
use crate::choices::Choices;

/// Every tree is equally likely: the parents are the ends of a random walk over all vertices, cut where it returns to
/// one that it has met.
pub(super) fn uniform_tree(c: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |v| c.index(graph.vertices).min(v - 1))
}

pub(super) fn uniform(c: &mut Choices, graph: &Graph) -> Plan {
    uniform_tree(c, graph).loose()
}

pub(super) fn random_parent(c: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |v| c.index(v))
}

pub(super) fn near_parent(c: &mut Choices, graph: &Graph) -> Plan {
    let reach = c.log_range(2, (graph.vertices / 4) as i128) as usize;
    Plan::tree(graph.vertices, |v| v - 1 - c.index(reach.min(v)))
}

/// An end of an earlier edge is a vertex with a chance that grows with its degree.
pub(super) fn popular(c: &mut Choices, graph: &Graph) -> Plan {
    let mut ends = vec![0];
    Plan::tree(graph.vertices, |v| {
        let parent = ends[c.index(ends.len())];
        ends.extend([parent, v]);
        parent
    })
}

pub(super) fn binary(_: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |v| (v - 1) / 2)
}

pub(super) fn k_ary(c: &mut Choices, graph: &Graph) -> Plan {
    let children = c.log_range(3, (graph.vertices / 2) as i128) as usize;
    Plan::tree(graph.vertices, |v| (v - 1) / children)
}

/// Each vertex hangs on the number that lacks its lowest bit.
pub(super) fn binomial(_: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |v| v & (v - 1))
}
