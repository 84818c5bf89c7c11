//! Cycles, alone and in company.

use super::Graph;
use super::plan::Plan;
use crate::choices::Choices;

pub(super) fn cycle(_: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |v| v - 1).with_chords(vec![(graph.vertices - 1, 0)])
}
