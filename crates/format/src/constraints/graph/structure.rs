//! Structures of graphs that tests should contain: a path and a star among trees.

use super::graph_requirements;
use crate::constraints::{ElementFreedom, KnownPrefix, RuleBreach, StructureGoals, StructureSet, collect_edges};
use crate::model::{
    ComparisonOperator, Constraint, ConstraintRule, FieldId, Format, GraphConstraint, GraphEdges, GraphProperty,
};
use crate::value::ValueScope;
use rebut_generators::DegreeRule;
use std::collections::HashMap;

const PATH: &str = "a path";

const STAR: &str = "a star";

const CATERPILLAR: &str = "a caterpillar";

const OTHER_TREE: &str = "a tree that is not a caterpillar";

const CONNECTED: &str = "connected";

const DISCONNECTED: &str = "not connected";

const BIPARTITE: &str = "bipartite";

const NOT_BIPARTITE: &str = "not bipartite";

const COMPLETE: &str = "complete";

const CYCLIC: &str = "with a cycle";

/// Minimum number of vertices of a graph with a structure.
const MIN_VERTICES: usize = 3;

/// With fewer vertices, paths, stars and caterpillars are the same.
const MIN_TREE_VERTICES: usize = 4;

/// Returns the structures of a graph that the format certainly allows.
pub(super) fn graph_structure_goals(rule: &GraphConstraint, format: &Format) -> StructureGoals {
    StructureGoals { subject: graph_name(format, rule), descriptions: possible_graph_classes(format, rule) }
}

pub(super) fn collect_graph_structures(rule: &GraphConstraint, scope: &ValueScope<'_>, found: &mut StructureSet) {
    if let Some((vertices, edges)) = collect_edges(rule, scope) {
        classify_graph(vertices, &edges, rule.has_property(GraphProperty::Directed), found);
    }
}

fn possible_graph_classes(format: &Format, rule: &GraphConstraint) -> Vec<&'static str> {
    let has_one_form = rule.has_property(GraphProperty::Path) || rule.has_property(GraphProperty::Star);
    // How many lines are edges may depend on anything.
    if has_one_form || rule.selection().is_some() {
        return Vec::new();
    }
    let (edges, counts) = edge_fields(format, rule);
    let concerned = |c: &&Constraint| edges.iter().any(|id| c.rule.mentions_field(*id));
    let is_free = |rule: &ConstraintRule| {
        let leaves_free = |id: &FieldId| rule.kind().element_freedom(*id) == ElementFreedom::Free;
        rule.graph().is_some() || edges.iter().all(leaves_free)
    };
    // Any other condition on single edges, such as `u < v` or a formula, may rule out a star.
    let is_restricted = !format.constraints.iter().filter(concerned).all(|c| is_free(&c.rule));
    // A rule for degrees or the depth may rule out nearly all of them.
    if rule.limits_degrees() || rule.depth_range().is_some() {
        return Vec::new();
    }
    let is_tree = rule.has_property(GraphProperty::Tree);
    let is_acyclic = rule.has_property(GraphProperty::Acyclic);
    if rule.has_property(GraphProperty::Directed) {
        let tree = if is_tree { vec![PATH, STAR] } else { vec![DISCONNECTED] };
        let tree =
            if is_restricted || rule.has_property(GraphProperty::Connected) && !is_tree { Vec::new() } else { tree };
        return if is_acyclic || is_restricted { tree } else { [tree, vec![CYCLIC]].concat() };
    }
    if is_restricted {
        return Vec::new();
    }
    if is_tree || matches!(rule.edges, GraphEdges::Parents { .. }) {
        return if is_tree { vec![PATH, STAR, CATERPILLAR, OTHER_TREE] } else { Vec::new() };
    }
    let is_count_tied = format.comparisons().any(|comparison| {
        counts.iter().any(|id| comparison.mentions_field(*id)) && comparison.sign == ComparisonOperator::Equal
    });
    if is_count_tied {
        return Vec::new();
    }
    let mut classes = Vec::new();
    if !rule.has_property(GraphProperty::Connected) {
        classes.extend([CONNECTED, DISCONNECTED]);
    }
    if !is_acyclic && !rule.has_property(GraphProperty::Bipartite) {
        classes.extend([BIPARTITE, NOT_BIPARTITE]);
        classes.extend(rule.has_property(GraphProperty::Simple).then_some(COMPLETE));
    }
    classes
}

/// Returns the fields that hold the edges of a graph, and those that determine the number of edges.
fn edge_fields(format: &Format, rule: &GraphConstraint) -> (Vec<FieldId>, Vec<FieldId>) {
    match &rule.edges {
        GraphEdges::Lines { block, ends, .. } => {
            let mut counts = Vec::new();
            format.block(*block).count.visit_fields(&mut |field| counts.push(field));
            (vec![ends.0, ends.1], counts)
        }
        GraphEdges::Parents { field, .. } => (vec![*field], Vec::new()),
    }
}

fn graph_name(format: &Format, rule: &GraphConstraint) -> String {
    match &rule.edges {
        GraphEdges::Lines { ends, .. } => {
            format!("edges ({}, {})", format.field(ends.0).name, format.field(ends.1).name)
        }
        GraphEdges::Parents { field, .. } => format!("parents {}", format.field(*field).name),
    }
}

fn classify_graph(vertices: usize, edges: &[(usize, usize)], is_directed: bool, found: &mut StructureSet) {
    if vertices < MIN_VERTICES {
        return;
    }
    let (pieces, is_bipartite) = analyze_components(vertices, edges);
    found.add_if(CONNECTED, pieces == 1);
    found.add_if(DISCONNECTED, pieces > 1);
    found.add_if(BIPARTITE, is_bipartite && !edges.is_empty());
    found.add_if(NOT_BIPARTITE, !is_bipartite);
    found.add_if(COMPLETE, edges.len() as u128 == vertices as u128 * (vertices as u128 - 1) / 2);
    found.add_if(CYCLIC, is_directed && has_cycle(vertices, edges));
    if pieces == 1 && edges.len() + 1 == vertices && vertices >= MIN_TREE_VERTICES {
        classify_tree(vertices, edges, found);
    }
}

/// Returns the number of components, and true if no cycle is odd; directions are ignored.
fn analyze_components(vertices: usize, edges: &[(usize, usize)]) -> (usize, bool) {
    let starts = build_adjacency_list(vertices, edges.iter().flat_map(|(u, v)| [(*u, *v), (*v, *u)]));
    let mut side: Vec<Option<bool>> = vec![None; vertices];
    let (mut pieces, mut is_bipartite) = (0, true);
    let mut waiting = Vec::new();
    for start in 0..vertices {
        if side[start].is_some() {
            continue;
        }
        pieces += 1;
        side[start] = Some(false);
        waiting.push(start);
        while let Some(vertex) = waiting.pop() {
            let own = side[vertex] == Some(true);
            for &next in starts.neighbours_of(vertex) {
                match side[next] {
                    None => {
                        side[next] = Some(!own);
                        waiting.push(next);
                    }
                    Some(other) => is_bipartite &= other != own,
                }
            }
        }
    }
    (pieces, is_bipartite)
}

/// Returns true if there is a directed cycle.
fn has_cycle(vertices: usize, edges: &[(usize, usize)]) -> bool {
    let mut entering = vec![0_usize; vertices];
    edges.iter().for_each(|(_, v)| entering[*v] += 1);
    let starts = build_adjacency_list(vertices, edges.iter().copied());
    let mut free: Vec<usize> = (0..vertices).filter(|v| entering[*v] == 0).collect();
    let mut removed = 0;
    while let Some(vertex) = free.pop() {
        removed += 1;
        for &next in starts.neighbours_of(vertex) {
            entering[next] -= 1;
            if entering[next] == 0 {
                free.push(next);
            }
        }
    }
    removed < vertices
}

fn classify_tree(vertices: usize, edges: &[(usize, usize)], found: &mut StructureSet) {
    let mut degree = vec![0_usize; vertices];
    for (u, v) in edges {
        degree[*u] += 1;
        degree[*v] += 1;
    }
    // A caterpillar without its leaves is a path: each vertex has at most two neighbours that are not leaves.
    let mut inner = vec![0_usize; vertices];
    for (u, v) in edges {
        inner[*u] += usize::from(degree[*v] > 1);
        inner[*v] += usize::from(degree[*u] > 1);
    }
    let is_path = degree.iter().all(|d| *d <= 2);
    let is_star = degree.contains(&(vertices - 1));
    let is_caterpillar = (0..vertices).all(|v| inner[v] <= 2);
    found.add_if(PATH, is_path);
    found.add_if(STAR, is_star);
    found.add_if(CATERPILLAR, is_caterpillar && !is_path && !is_star);
    found.add_if(OTHER_TREE, !is_caterpillar);
}

/// The neighbours of all vertices in one vector.
struct AdjacencyList {
    starts: Vec<usize>,
    neighbours: Vec<usize>,
}

impl AdjacencyList {
    fn neighbours_of(&self, vertex: usize) -> &[usize] {
        &self.neighbours[self.starts[vertex]..self.starts[vertex + 1]]
    }
}

fn build_adjacency_list(vertices: usize, arcs: impl Iterator<Item = (usize, usize)> + Clone) -> AdjacencyList {
    let mut starts = vec![0; vertices + 1];
    arcs.clone().for_each(|(u, _)| starts[u + 1] += 1);
    for vertex in 0..vertices {
        starts[vertex + 1] += starts[vertex];
    }
    let mut free = starts.clone();
    let mut all = vec![0; starts[vertices]];
    for (u, v) in arcs {
        all[free[u]] = v;
        free[u] += 1;
    }
    AdjacencyList { starts, neighbours: all }
}

// The ways to violate a graph: each property by itself.

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
    use GraphProperty::{Acyclic, Bipartite, Connected, Directed, EvenDegrees, Loopless, Path, Regular, Simple, Star};
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
    let is_depth = |one: &GraphProperty| matches!(one, GraphProperty::MinDepth(1..) | GraphProperty::MaxDepth(_));
    parts.extend(rule.properties.iter().copied().filter(is_depth));
    parts.extend([EvenDegrees, Regular].into_iter().filter(|one| rule.has_property(*one)));
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
        GraphProperty::MaxDegree(_) | GraphProperty::Regular => "degree",
        GraphProperty::MinDepth(_) => "too-flat",
        GraphProperty::MaxDepth(_) => "too-deep",
        GraphProperty::EvenDegrees => "odd-degree",
    }
}

// Whether chosen edges can be completed to a graph with the required properties.

/// Returns true if the chosen edges can be completed to a graph of the required kind.
pub(super) fn is_graph_completable(rule: &GraphConstraint, home: &ValueScope<'_>, prefix: &dyn KnownPrefix) -> bool {
    let Some((vertices, edges)) = collect_edges(rule, home) else { return true };
    let mut requirements = graph_requirements(rule, vertices, edges.len());
    requirements.connected = false;
    requirements.strongly_connected = false;
    requirements.degrees = DegreeRule::Any;
    if requirements.check_edges(&edges).is_err() {
        return false;
    }
    let joins = |vertex: usize| -> usize {
        edges.iter().map(|(u, v)| usize::from(*u == vertex) + usize::from(*v == vertex)).sum()
    };
    if rule.has_property(GraphProperty::Path) && edges.iter().any(|(u, v)| joins(*u).max(joins(*v)) > 2) {
        return false;
    }
    let Some((block, _)) = rule.edge_lines() else { return true };
    let later = prefix.instance_count(block).hi - edges.len() as i128;
    !rule.has_property(GraphProperty::Connected) || count_components(vertices, &edges) as i128 - 1 <= later
}

/// Returns the number of connected components.
fn count_components(vertices: usize, edges: &[(usize, usize)]) -> usize {
    // Vertices without edges are components of their own.
    let mut part: HashMap<usize, usize> = edges.iter().flat_map(|(u, v)| [(*u, *u), (*v, *v)]).collect();
    let mut count = vertices;
    for edge in edges {
        let (from, to) = (part[&edge.0], part[&edge.1]);
        if from != to {
            part.values_mut().filter(|p| **p == from).for_each(|p| *p = to);
            count -= 1;
        }
    }
    count
}
