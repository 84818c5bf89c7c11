//! Where each constraint is stated: beside the field that it bounds, or in a list of its own.

use super::Author;
use crate::format::{Block, Comparison, Constraint, Edges, Expr, FieldId, Format, Item, Rule, Sign, Token, same};

/// The number of the line of the layout that each field is on.
pub(super) fn lines(format: &Format) -> Vec<usize> {
    let mut found = vec![0; format.fields.len()];
    let mut number = 0;
    for item in format.blocks.iter().flat_map(|block: &Block| &block.items) {
        number += 1;
        match item {
            Item::Line(parts) => {
                for part in parts {
                    if let Token::Field(field) = part.token {
                        found[field.0] = number;
                    }
                }
            }
            Item::Rows(field) => found[field.0] = number,
            Item::Block(_) | Item::Either(_) => {}
        }
    }
    found
}

/// Whether an expression folds anything or picks one element.
pub(super) fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) => true,
        Expr::Element(..) | Expr::Fold(..) | Expr::Whole(_) | Expr::Letters(_) => false,
        Expr::Minus(inner) => is_plain(inner),
        Expr::Binary(_, left, right) => is_plain(left) && is_plain(right),
    }
}

impl Author<'_> {
    /// What follows from something else that is stated, or is always so.
    pub(super) fn pass_over_what_goes_without_saying(&mut self) {
        for i in 0..self.format.constraints.len() {
            let constraint = &self.format.constraints[i];
            let Rule::Compare(comparison) = &constraint.rule else { continue };
            let implied = self.format.constraints.iter().any(|other| match &other.rule {
                Rule::Graph(graph) if other.span == constraint.span => match &graph.edges {
                    Edges::Lines { ends, .. } => !comparison.mentions(ends.0) && !comparison.mentions(ends.1),
                    Edges::Parents { field, .. } => {
                        // That there are as many parents as children is said by nothing else, unless by a tree.
                        let counts = comparison.sign == Sign::Equal && !graph.is(crate::format::Adjective::Tree);
                        !comparison.mentions(*field) && !counts
                    }
                },
                _ => false,
            });
            let trivial = match (&*comparison.left, &*comparison.right) {
                ([left], [right]) => comparison.sign == Sign::Equal && same(left, right),
                _ => false,
            };
            self.stated[i] = implied || trivial;
        }
    }

    /// The line where a comparison belongs: that of the last field in it, if it bounds a field on that line directly.
    fn line_of(&self, comparison: &Comparison) -> Option<usize> {
        let sides: Vec<&Expr> = comparison.left.iter().chain(&comparison.right).collect();
        if comparison.left.len() != 1 || !sides.iter().all(|e| is_plain(e)) {
            return None;
        }
        let mut last: Option<FieldId> = None;
        for side in &sides {
            side.each_field(&mut |f| last = last.max(Some(f)));
        }
        let line = self.lines[last?.0];
        let direct = |e: &&Expr| matches!(e, Expr::Field(f) | Expr::Length(f) if self.lines[f.0] == line);
        sides.iter().any(direct).then_some(line)
    }

    /// Whether a graph brings a constraint with it: its ends are vertices.
    fn comes_from_a_graph(&self, constraint: &Constraint) -> bool {
        let mut others = self.format.constraints.iter().filter(|other| other.span == constraint.span);
        others.any(|other| matches!(other.rule, Rule::Graph(_)))
    }

    /// The bounds of the fields on a line, in brackets; they count as stated then.
    pub(super) fn bounds(&mut self, fields: &[FieldId]) -> String {
        let Some(line) = fields.first().map(|f| self.lines[f.0]) else { return String::new() };
        let mut said = self.permutations(fields);
        let (mut relations, mut of_graphs) = (Vec::new(), Vec::new());
        for (i, constraint) in self.format.constraints.iter().enumerate() {
            let Rule::Compare(comparison) = &constraint.rule else { continue };
            if !self.stated[i] && self.line_of(comparison) == Some(line) {
                self.stated[i] = true;
                let of_graph = self.comes_from_a_graph(constraint);
                let place = if of_graph { &mut of_graphs } else { &mut relations };
                place.push(self.maths.relation(comparison));
            }
        }
        of_graphs.retain(|relation| !super::relations::follows(relation, &relations));
        let chains = super::relations::chains(of_graphs.into_iter().chain(relations));
        said.splice(0..0, chains.iter().map(|chain| super::math(chain)));
        if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) }
    }
}
