//! Graphs whose edges crowd on few vertices or few pairs.

use super::Graph;
use super::plan::Plan;
use crate::choices::Choices;

pub(super) fn repeated_edges(c: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |v| c.index(v)).again()
}
