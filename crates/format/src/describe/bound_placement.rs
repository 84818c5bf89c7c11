//! Placement of constraints: next to the field that they bound, or in the list of constraints.

use super::StatementWriter;
use crate::constraints::inline_math;
use crate::language::{
    Block, Comparison, ComparisonOperator, Constraint, Expr, FieldId, Format, LayoutItem, LineToken, are_equivalent,
};

/// Returns the layout line of each field.
pub(super) fn layout_line_of_fields(format: &Format) -> Vec<usize> {
    let mut found = vec![0; format.fields.len()];
    let mut number = 0;
    for item in format.blocks.iter().flat_map(|block: &Block| &block.items) {
        number += 1;
        match item {
            LayoutItem::Line(parts) => {
                for part in parts {
                    if let LineToken::Field(field) = part.token {
                        found[field.0] = number;
                    }
                }
            }
            LayoutItem::Rows(field) => found[field.0] = number,
            LayoutItem::Block(_) | LayoutItem::Either(_) => {}
        }
    }
    found
}

impl StatementWriter<'_> {
    /// Marks constraints as stated that follow from others or always hold.
    pub(super) fn mark_implied_constraints(&mut self) {
        for i in 0..self.format.constraints.len() {
            let constraint = &self.format.constraints[i];
            let Some(comparison) = constraint.rule.comparison() else { continue };
            let mut others = self.format.constraints.iter().filter(|other| other.span == constraint.span);
            let implied = others.any(|other| other.rule.kind().implies_comparison(comparison));
            let trivial = match (&*comparison.left, &*comparison.right) {
                ([left], [right]) => comparison.sign == ComparisonOperator::Equal && are_equivalent(left, right),
                _ => false,
            };
            self.stated[i] = implied || trivial;
        }
    }

    /// Returns the line to which a comparison belongs: that of its last field, if it bounds a field on that line
    /// directly.
    fn line_of_comparison(&self, comparison: &Comparison) -> Option<usize> {
        let sides: Vec<&Expr> = comparison.left.iter().chain(&comparison.right).collect();
        if comparison.left.len() != 1 || !sides.iter().all(|e| e.is_plain()) {
            return None;
        }
        let mut last: Option<FieldId> = None;
        for side in &sides {
            side.visit_fields(&mut |f| last = last.max(Some(f)));
        }
        let line = self.field_lines[last?.0];
        let direct = |e: &&Expr| matches!(e, Expr::Field(f) | Expr::Length(f) if self.field_lines[f.0] == line);
        sides.iter().any(direct).then_some(line)
    }

    /// Returns true if a graph implies the constraint: its ends are vertices.
    fn is_graph_bound(&self, constraint: &Constraint) -> bool {
        let mut others = self.format.constraints.iter().filter(|other| other.span == constraint.span);
        others.any(|other| other.rule.kind().bounds_ends())
    }

    /// Returns the bounds of the fields on a line, in parentheses, and marks them as stated.
    pub(super) fn state_bounds(&mut self, fields: &[FieldId]) -> String {
        let Some(line) = fields.first().map(|f| self.field_lines[f.0]) else { return String::new() };
        let mut phrases = self.state_permutations(fields);
        let (mut relations, mut of_graphs) = (Vec::new(), Vec::new());
        for (i, constraint) in self.format.constraints.iter().enumerate() {
            let Some(comparison) = constraint.rule.comparison() else { continue };
            if !self.stated[i] && self.line_of_comparison(comparison) == Some(line) {
                self.stated[i] = true;
                let of_graph = self.is_graph_bound(constraint);
                let place = if of_graph { &mut of_graphs } else { &mut relations };
                place.push(self.tex.to_relation(comparison));
            }
        }
        of_graphs.retain(|relation| !super::relation_chains::is_implied_by(relation, &relations));
        let chains = super::relation_chains::chain_relations(of_graphs.into_iter().chain(relations));
        phrases.splice(0..0, chains.iter().map(|chain| inline_math(chain)));
        if phrases.is_empty() { String::new() } else { format!(" ({})", phrases.join(", ")) }
    }
}
