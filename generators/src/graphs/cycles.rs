//! Cycles, alone and in company.

use super::Graph;
use super::plan::Plan;
use crate::choices::Choices;

pub(super) fn cycle(_: &mut Choices, graph: &Graph) -> Plan {
    Plan::tree(graph.vertices, |v| v - 1).with_chords(vec![(graph.vertices - 1, 0)])
}

/// If directed and turned round, each vertex has one way out, and all of them lead to the cycle.
pub(super) fn trees_on_a_cycle(c: &mut Choices, graph: &Graph) -> Plan {
    let length = c.log_range(2, graph.vertices as i128) as usize;
    let last = (length - 1).min(graph.vertices - 1);
    Plan::tree(graph.vertices, |v| if v <= last { v - 1 } else { c.index(v) }).with_chords(vec![(last, 0)])
}

pub(super) fn wheel(_: &mut Choices, graph: &Graph) -> Plan {
    let rim = graph.vertices - 1;
    let chords = (1..=rim).map(|v| (v, v % rim + 1)).collect();
    Plan::tree(graph.vertices, |_| 0).with_chords(chords)
}

/// Each cycle starts and ends at an earlier vertex.
pub(super) fn cactus(c: &mut Choices, graph: &Graph) -> Plan {
    let (mut parents, mut chords) = (vec![0], Vec::new());
    let longest = c.log_range(2, graph.vertices as i128);
    while parents.len() < graph.vertices {
        let (anchor, first) = (c.index(parents.len()), parents.len());
        let last = (first - 1 + c.range(2, longest) as usize).min(graph.vertices - 1);
        parents.push(anchor);
        parents.extend(first..last);
        chords.push((last, anchor));
    }
    Plan::tree(graph.vertices, |v| parents[v]).with_chords(chords)
}

pub(super) fn several_cycles(c: &mut Choices, graph: &Graph) -> Plan {
    let (mut first, mut chords) = (0, Vec::new());
    let longest = c.log_range(3, graph.vertices as i128);
    while first < graph.vertices {
        let last = (first + c.range(3, longest) as usize).min(graph.vertices) - 1;
        chords.extend((first..last).map(|v| (v, v + 1)));
        chords.push((last, first));
        first = last + 1;
    }
    Plan::tree(graph.vertices, |v| v - 1).with_chords(chords).loose()
}

/// Every vertex is next to those at the same few distances on a circle.
pub(super) fn regular(_: &mut Choices, graph: &Graph) -> Plan {
    let n = graph.vertices;
    let circles = (1..=n / 2).flat_map(|distance| (0..n).map(move |v| (v, (v + distance) % n)));
    let chords = circles.take(graph.edges).collect();
    Plan::tree(n, |v| v - 1).with_chords(chords).loose()
}
