//! Graphs: what a line says of an edge, and what the graph is.

use super::{Author, list_and, math};
use crate::format::{Adjective, BlockId, Edges, Expr, FieldId, GraphRule, Operator, Rule};

impl Author<'_> {
    fn graphs(&self) -> impl Iterator<Item = &GraphRule> {
        self.format.constraints.iter().filter_map(|c| match &c.rule {
            Rule::Graph(graph) => Some(graph),
            _ => None,
        })
    }

    /// That a line of this block is an edge.
    pub(super) fn edge(&self, block: BlockId) -> Option<String> {
        let graph = self.graphs().find(|g| g.lines().is_some_and(|(b, _)| b == block))?;
        let (_, (from, to)) = graph.lines()?;
        let (from, to) = (math(&self.maths.name(from)), math(&self.maths.name(to)));
        Some(match graph.is(Adjective::Directed) {
            true => format!(" Such a line describes an edge from vertex {from} to vertex {to}."),
            false => format!(" Such a line describes an edge between the vertices {from} and {to}."),
        })
    }

    /// That the numbers of one of these fields are parents.
    pub(super) fn parents(&self, fields: &[FieldId]) -> Option<String> {
        let (parents, first) = self.graphs().find_map(|graph| match &graph.edges {
            Edges::Parents { field, first, .. } if fields.contains(field) => Some((*field, first)),
            _ => None,
        })?;
        let index = self.maths.index(0);
        let parent = math(&self.maths.at(parents, std::slice::from_ref(&index)));
        let child = match first {
            Expr::Constant(1) => index,
            Expr::Constant(first) => match first - 1 {
                offset if offset < 0 => format!("{index} - {}", -offset),
                offset => format!("{index} + {offset}"),
            },
            first => {
                let before = Expr::Binary(Operator::Minus, Box::new(first.clone()), Box::new(Expr::Constant(1)));
                format!("{} + {index}", self.maths.expr(&before))
            }
        };
        Some(format!(" Here {parent} is the parent of the vertex {}.", math(&child)))
    }

    /// Whether nothing but bounds is said of the ends of the edges.
    fn is_free(&self, graph: &GraphRule) -> bool {
        let Some((_, (from, to))) = graph.lines() else { return false };
        self.format.constraints.iter().all(|c| match &c.rule {
            Rule::Graph(_) => true,
            Rule::Compare(_) => !(c.rule.mentions(from) && c.rule.mentions(to)),
            rule => !rule.mentions(from) && !rule.mentions(to),
        })
    }

    /// What the graph is, as a sentence.
    pub(super) fn graph(&self, graph: &GraphRule) -> String {
        let (first, last) = (self.maths.expr(&graph.vertices.0), self.maths.expr(&graph.vertices.1));
        let edges = match &graph.edges {
            Edges::Lines { ends, .. } => {
                let (from, to) = (self.maths.name(ends.0), self.maths.name(ends.1));
                format!("the edges {}", math(&format!("({from}, {to})")))
            }
            Edges::Parents { .. } => "these parents".to_owned(),
        };
        let range = format!("{first}, \\dots, {last}");
        let subject = format!("The graph with the vertices {} and {edges}", math(&range));
        let said = adjectives(graph);
        if said.is_empty() {
            let kind = if graph.is(Adjective::Directed) { "directed" } else { "undirected" };
            let any = if self.is_free(graph) { "; it may have loops and multiple edges" } else { "" };
            return format!("{subject} is {kind}{any}.");
        }
        format!("{subject} {}.", list_and(&said))
    }
}

/// What the adjectives say, as predicates.
fn adjectives(graph: &GraphRule) -> Vec<String> {
    let has = |adjective| graph.adjectives.contains(&adjective);
    let directed = has(Adjective::Directed);
    let mut found = Vec::new();
    if has(Adjective::Path) {
        found.push("is a path".to_owned());
    }
    if has(Adjective::Star) {
        found.push("is a star: one vertex is an end of every edge".to_owned());
    }
    if has(Adjective::Tree) {
        found.push("is a tree".to_owned());
    }
    if has(Adjective::Acyclic) {
        found.push(if directed { "has no directed cycles" } else { "is a forest: it has no cycles" }.to_owned());
    }
    if has(Adjective::Connected) {
        let how = if directed { "is connected if the directions are ignored" } else { "is connected" };
        found.push(how.to_owned());
    }
    if has(Adjective::Bipartite) {
        found.push("is bipartite".to_owned());
    }
    if has(Adjective::Simple) {
        found.push("has neither loops nor multiple edges".to_owned());
    } else if has(Adjective::Loopless) {
        found.push("has no loops".to_owned());
    }
    found
}
