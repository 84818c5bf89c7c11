//! Sentences for graphs and their edges.

use super::{StatementWriter, inline_math};
use crate::language::{ArithmeticOperator, BlockId, Expr, FieldId, GraphConstraint, GraphEdges, GraphProperty};
use rebut_diagnostics::list_and;

impl StatementWriter<'_> {
    /// Returns the sentence that a line of this block is an edge.
    pub(super) fn edge_sentence(&self, block: BlockId) -> Option<String> {
        let graph = self.format.edge_graph(block)?;
        let (_, (from, to)) = graph.line_edges()?;
        let (from, to) = (inline_math(&self.tex.field_name(from)), inline_math(&self.tex.field_name(to)));
        Some(match graph.has_property(GraphProperty::Directed) {
            true => format!(" Such a line describes an edge from vertex {from} to vertex {to}."),
            false => format!(" Such a line describes an edge between the vertices {from} and {to}."),
        })
    }

    /// Returns the sentence that the numbers of one of these fields are parents.
    pub(super) fn parents_sentence(&self, fields: &[FieldId]) -> Option<String> {
        let (parents, first) = self.format.graphs().find_map(|(_, graph)| match &graph.edges {
            GraphEdges::Parents { field, first, .. } if fields.contains(field) => Some((*field, first)),
            _ => None,
        })?;
        let index = self.tex.free_index(0);
        let parent = inline_math(&self.tex.element_at(parents, std::slice::from_ref(&index)));
        let child = match first {
            Expr::Constant(1) => index,
            Expr::Constant(first) => match first - 1 {
                offset if offset < 0 => format!("{index} - {}", -offset),
                offset => format!("{index} + {offset}"),
            },
            first => {
                let before =
                    Expr::Binary(ArithmeticOperator::Subtract, Box::new(first.clone()), Box::new(Expr::Constant(1)));
                format!("{} + {index}", self.tex.expression_tex(&before))
            }
        };
        Some(format!(" Here {parent} is the parent of the vertex {}.", inline_math(&child)))
    }

    /// Returns true if the ends of the edges have no constraints except bounds.
    fn is_unrestricted(&self, graph: &GraphConstraint) -> bool {
        let Some((_, (from, to))) = graph.line_edges() else { return false };
        self.format.constraints.iter().filter(|c| c.rule.graph().is_none()).all(|c| {
            let (mentions_from, mentions_to) = (c.rule.mentions_field(from), c.rule.mentions_field(to));
            if c.rule.comparison().is_some() { !(mentions_from && mentions_to) } else { !mentions_from && !mentions_to }
        })
    }

    /// Returns the sentence about the properties of a graph.
    pub(super) fn graph_sentence(&self, graph: &GraphConstraint) -> String {
        let (first, last) = (self.tex.expression_tex(&graph.vertices.0), self.tex.expression_tex(&graph.vertices.1));
        let edges = match &graph.edges {
            GraphEdges::Lines { ends, .. } => {
                let (from, to) = (self.tex.field_name(ends.0), self.tex.field_name(ends.1));
                format!("the edges {}", inline_math(&format!("({from}, {to})")))
            }
            GraphEdges::Parents { .. } => "these parents".to_owned(),
        };
        let range = format!("{first}, \\dots, {last}");
        let subject = format!("The graph with the vertices {} and {edges}", inline_math(&range));
        let predicates = property_predicates(graph);
        if predicates.is_empty() {
            let kind = if graph.has_property(GraphProperty::Directed) { "directed" } else { "undirected" };
            let any = if self.is_unrestricted(graph) { "; it may have loops and multiple edges" } else { "" };
            return format!("{subject} is {kind}{any}.");
        }
        format!("{subject} {}.", list_and(&predicates))
    }
}

/// Returns the predicates for the properties of a graph.
fn property_predicates(graph: &GraphConstraint) -> Vec<String> {
    let has = |property| graph.properties.contains(&property);
    let directed = has(GraphProperty::Directed);
    let mut found = Vec::new();
    if has(GraphProperty::Path) {
        found.push("is a path".to_owned());
    }
    if has(GraphProperty::Star) {
        found.push("is a star: one vertex is an end of every edge".to_owned());
    }
    if has(GraphProperty::Tree) {
        found.push("is a tree".to_owned());
    }
    if has(GraphProperty::Acyclic) {
        found.push(if directed { "has no directed cycles" } else { "is a forest: it has no cycles" }.to_owned());
    }
    if has(GraphProperty::Connected) {
        let how = if directed { "is connected if the directions are ignored" } else { "is connected" };
        found.push(how.to_owned());
    }
    if has(GraphProperty::Bipartite) {
        found.push("is bipartite".to_owned());
    }
    if has(GraphProperty::Simple) {
        found.push("has neither loops nor multiple edges".to_owned());
    } else if has(GraphProperty::Loopless) {
        found.push("has no loops".to_owned());
    }
    found
}
