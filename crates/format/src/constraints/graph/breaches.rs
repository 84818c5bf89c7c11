//! The ways to violate a graph: each property by itself.

use crate::constraints::RuleBreach;
use crate::model::{ConstraintRule, GraphConstraint, GraphEdges, GraphProperty};

/// Each property of a graph is a variant of its own; a tree consists of several.
pub(super) fn graph_breaches(rule: &GraphConstraint, name: &str) -> Vec<RuleBreach> {
    let directed = rule.has_property(GraphProperty::Directed).then_some(GraphProperty::Directed);
    let graph = |properties: &[GraphProperty]| {
        let properties = directed.iter().chain(properties).copied().collect();
        ConstraintRule::from(GraphConstraint { properties, ..rule.clone() })
    };
    let parts: Vec<GraphProperty> = breakable_properties(rule);
    let mut found = Vec::new();
    for part in &parts {
        let others: Vec<GraphProperty> =
            parts.iter().copied().filter(|other| other != part && !also_breaks(*part, *other)).collect();
        let plain = |a: &GraphProperty| matches!(a, GraphProperty::Loopless | GraphProperty::Simple);
        let basic: Vec<GraphProperty> = others.iter().copied().filter(plain).collect();
        let mut may_hold: Vec<Vec<GraphProperty>> = vec![others, basic];
        may_hold.dedup();
        may_hold.retain(|properties| !properties.is_empty());
        let may_hold = may_hold.iter().map(|properties| graph(properties)).collect();
        let name = format!("{name}-{}", property_breach_name(*part, rule));
        found.push(RuleBreach { name, must_break: graph(&[*part]), may_hold });
    }
    found
}

/// Returns true if violating one property implies violating the other.
fn also_breaks(broken: GraphProperty, other: GraphProperty) -> bool {
    use GraphProperty::{Acyclic, Bipartite, Connected, Loopless, Path, Simple, Star, StronglyConnected};
    match broken {
        Loopless => matches!(other, Simple | Acyclic | Bipartite),
        Simple | Bipartite => other == Acyclic,
        Path | Star => matches!(other, Path | Star),
        Connected => other == StronglyConnected,
        _ => false,
    }
}

/// Returns the properties that can be violated one by one. An acyclic graph has no loops and, if undirected, no
/// parallel edges.
fn breakable_properties(rule: &GraphConstraint) -> Vec<GraphProperty> {
    use GraphProperty::{Acyclic, Bipartite, Connected, Directed, Loopless, Path, Simple, Star};
    let requires = |property: &GraphProperty| match property {
        Loopless => rule.has_property(Loopless) || rule.has_property(Acyclic),
        Simple => {
            rule.has_property(Simple)
                || rule.has_property(Acyclic) && !rule.has_property(Directed) && rule.edge_lines().is_some()
        }
        other => rule.has_property(*other),
    };
    let mut parts: Vec<GraphProperty> =
        [Loopless, Simple, Connected, Acyclic, Bipartite].into_iter().filter(requires).collect();
    parts.extend([Path, Star].into_iter().filter(|a| rule.properties.contains(a)));
    parts.extend(rule.properties.iter().copied().filter(|one| *one == GraphProperty::StronglyConnected));
    parts.extend(rule.max_degree().map(GraphProperty::MaxDegree));
    parts
}

fn property_breach_name(broken: GraphProperty, rule: &GraphConstraint) -> &'static str {
    match broken {
        GraphProperty::Loopless => "loop",
        GraphProperty::Simple => "doubled",
        GraphProperty::Connected | GraphProperty::Tree => "not-connected",
        GraphProperty::Acyclic if matches!(rule.edges, GraphEdges::Parents { .. }) => "circle-of-parents",
        GraphProperty::Acyclic | GraphProperty::Directed => "cycle",
        GraphProperty::Bipartite => "odd-cycle",
        GraphProperty::Path => "branch",
        GraphProperty::Star => "no-centre",
        GraphProperty::StronglyConnected => "not-strongly-connected",
        GraphProperty::MaxDegree(_) => "degree",
    }
}
