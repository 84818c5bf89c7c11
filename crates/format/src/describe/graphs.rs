//! Sentences for graphs and their edges.

use super::StatementWriter;
use crate::constraints::inline_math;
use crate::language::{ArithmeticOperator, BlockId, Expr, FieldId, GraphEdges, GraphProperty};

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
}
