//! A graph as parts that exporters write.

use crate::constraints::RulePart;
use crate::model::{EdgeSelection, GraphConstraint, GraphEdges, GraphProperty};

/// The properties that exported validators check one by one; the other ones imply some of them.
const CHECKED_PROPERTIES: [(&str, GraphProperty); 7] = [
    ("directed", GraphProperty::Directed),
    ("simple", GraphProperty::Simple),
    ("loopless", GraphProperty::Loopless),
    ("connected", GraphProperty::Connected),
    ("strong", GraphProperty::StronglyConnected),
    ("acyclic", GraphProperty::Acyclic),
    ("bipartite", GraphProperty::Bipartite),
];

/// Returns the edges, the range of the vertices, the required properties and the shape of a graph.
pub(super) fn exported_graph(rule: &GraphConstraint) -> Vec<RulePart<'_>> {
    let edges = match &rule.edges {
        GraphEdges::Lines { block, ends, selection } => {
            let (from, to) = (RulePart::Field(ends.0), RulePart::Field(ends.1));
            let selection = selection.as_ref().map_or(RulePart::Absent, exported_selection);
            vec![RulePart::Word("lines"), RulePart::Number(block.0), from, to, selection]
        }
        GraphEdges::Parents { field, block, first } => {
            let block = block.map_or(RulePart::Absent, |block| RulePart::Number(block.0));
            vec![RulePart::Word("parents"), RulePart::Field(*field), block, RulePart::Expression(first)]
        }
    };
    let (first, last) = (RulePart::Expression(&rule.vertices.0), RulePart::Expression(&rule.vertices.1));
    let properties = CHECKED_PROPERTIES.iter().map(|(name, property)| (*name, rule.has_property(*property)));
    let shape = match () {
        () if rule.has_property(GraphProperty::Path) => RulePart::Word("path"),
        () if rule.has_property(GraphProperty::Star) => RulePart::Word("star"),
        () => RulePart::Absent,
    };
    let properties = RulePart::Flags(properties.collect());
    let degree = rule.max_degree().map_or(RulePart::Absent, |most| RulePart::Number(most as usize));
    vec![RulePart::Word("graph"), RulePart::List(edges), first, last, properties, shape, degree]
}

fn exported_selection(selection: &EdgeSelection) -> RulePart<'_> {
    RulePart::List(match selection {
        EdgeSelection::Slice(first, last) => {
            vec![RulePart::Word("slice"), RulePart::Expression(first), RulePart::Expression(last)]
        }
        EdgeSelection::When(all) => {
            std::iter::once(RulePart::Word("when")).chain(all.iter().map(RulePart::Comparison)).collect()
        }
    })
}
