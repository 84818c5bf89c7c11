//! Describes a format as the Input and Constraints sections of a problem statement.
//!
//! The principal function is [`describe_format`]. Its `StatementWriter` writes an item for each line or repetition of
//! lines (`lines`), names the fields on it (`nouns`), writes formulas (`tex`, `relation_chains`, `tex_number`), and
//! tracks which constraints have been stated: a bound is stated where its field is introduced, and every other constraint
//! becomes an item of the Constraints section (`sentences`). So each constraint is stated exactly once.
//!
//! ```
//! use rebut_format::describe::{Markup, describe_format};
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let text = describe_format(&format, Markup::Markdown);
//! assert!(text.contains("- One line with an integer $n$ ($1 \\le n \\le 8$)."));
//! ```

mod lines;
mod markup;
mod nouns;
mod relation_chains;
mod sentences;
mod tex;
mod tex_number;

pub use markup::Markup;

use crate::constraints::inline_math;
use crate::language::{
    Block, BlockId, Comparison, ComparisonOperator, Constraint, Expr, FieldDimension, FieldId, Format, LayoutItem,
    LineToken, LinearSum, are_equivalent, count_of_range,
};
use markup::{MarkupBlock, MarkupListItem};
use relation_chains::{chain_relations, is_implied_by};
use tex::TexWriter;
use tex_number::number_tex;

/// Returns the Input and Constraints sections of a statement, and the table of subtasks.
pub fn describe_format(format: &Format, markup: Markup) -> String {
    let mut author = StatementWriter::new(format, markup);
    let mut sections = vec![("Input", author.write_input())];
    let constraints = author.write_constraints();
    if !constraints.is_empty() {
        sections.push(("Constraints", vec![MarkupBlock::List(constraints)]));
    }
    sections.extend(author.subtask_table().map(|table| ("Subtasks", vec![table])));
    let sections: Vec<String> =
        sections.iter().map(|(heading, blocks)| markup.format_section(heading, blocks)).collect();
    sections.join("\n")
}

/// The state of writing a description.
struct StatementWriter<'f> {
    format: &'f Format,
    markup: Markup,
    tex: TexWriter<'f>,
    /// The fields that constraints name with the number of their repetition.
    named_by_number: Vec<FieldId>,
    /// The number of the line of each field in the layout.
    field_lines: Vec<usize>,
    /// For each constraint, true if it has been stated.
    stated: Vec<bool>,
}

impl<'f> StatementWriter<'f> {
    fn new(format: &'f Format, markup: Markup) -> Self {
        let named_by_number = find_fields_named_by_number(format);
        let repetition_of = |field: &FieldId| format.repetition_of(format.field(*field).block);
        let has_named =
            |field: &FieldId| named_by_number.iter().any(|named| repetition_of(named) == repetition_of(field));
        let numbered = (0..format.fields.len()).map(FieldId).filter(has_named).collect();
        let tex = TexWriter::new(format, numbered);
        let stated = format.constraints.iter().map(|constraint| follows_from_others(format, constraint)).collect();
        StatementWriter { format, markup, tex, named_by_number, field_lines: find_field_lines(format), stated }
    }

    fn write_input(&mut self) -> Vec<MarkupBlock> {
        let items = self.write_items(BlockId(0), 0);
        match &items[..] {
            [MarkupListItem { text, children }] if children.is_empty() => {
                vec![MarkupBlock::Paragraph(format!("The input consists of {text}"))]
            }
            _ => vec![MarkupBlock::Paragraph("The input consists of:".to_owned()), MarkupBlock::List(items)],
        }
    }

    /// Writes the items of the Constraints section.
    fn write_constraints(&self) -> Vec<MarkupListItem> {
        let left = self.format.constraints.iter().zip(&self.stated).filter(|(_, stated)| !**stated);
        let mut sentences = self.write_sentences(left.map(|(constraint, _)| constraint));
        sentences.extend(self.format.validators.iter().map(|validator| {
            let program = self.markup.format_code(validator.command.as_bytes());
            format!("Further conditions are checked by the validator {program}.")
        }));
        sentences.into_iter().map(|text| MarkupListItem { text, children: Vec::new() }).collect()
    }

    /// Returns the table of subtasks, if there are any.
    fn subtask_table(&self) -> Option<MarkupBlock> {
        let subtasks = &self.format.subtasks;
        let are_scored = subtasks.iter().any(|subtask| subtask.points.is_some());
        let to_row = |name: String, points: String, constraints: String| {
            [Some(name), are_scored.then_some(points), Some(constraints)].into_iter().flatten().collect::<Vec<_>>()
        };
        let mut rows = vec![to_row("Subtask".to_owned(), "Points".to_owned(), "Further constraints".to_owned())];
        rows.extend(subtasks.iter().map(|subtask| {
            let constraints = self.write_sentences(&subtask.constraints);
            let points = subtask.points.map_or_else(|| "--".to_owned(), |points| inline_math(&number_tex(points, 0)));
            let constraints = if constraints.is_empty() { "None.".to_owned() } else { constraints.join(" ") };
            to_row(self.markup.escape_text(&subtask.name), points, constraints)
        }));
        (!subtasks.is_empty()).then_some(MarkupBlock::Table(rows))
    }

    /// Returns the bounds of the fields on a line, in parentheses, and marks them as stated.
    fn state_bounds(&mut self, fields: &[FieldId]) -> String {
        let Some(line) = fields.first().map(|f| self.field_lines[f.0]) else { return String::new() };
        let permutations = self.state_permutations(fields);
        let (mut relations, mut of_graphs) = (Vec::new(), Vec::new());
        for (i, constraint) in self.format.constraints.iter().enumerate() {
            let Some(comparison) = constraint.rule.comparison() else { continue };
            if !self.stated[i] && self.line_of_comparison(comparison) == Some(line) {
                self.stated[i] = true;
                // The ends of edges are vertices: users often write stricter bounds.
                let is_of_graph = others_at(self.format, constraint).any(|other| other.rule.kind().bounds_ends());
                let place = if is_of_graph { &mut of_graphs } else { &mut relations };
                place.push(self.tex.to_relation(comparison));
            }
        }
        of_graphs.retain(|relation| !is_implied_by(relation, &relations));
        let chains = chain_relations(of_graphs.into_iter().chain(relations));
        let phrases: Vec<String> = chains.iter().map(|chain| inline_math(chain)).chain(permutations).collect();
        if phrases.is_empty() { String::new() } else { format!(" ({})", phrases.join(", ")) }
    }

    /// Returns the line to which a comparison belongs: that of its last field, if it bounds a field on that line
    /// directly.
    fn line_of_comparison(&self, comparison: &Comparison) -> Option<usize> {
        let sides: Vec<&Expr> = comparison.left.iter().chain(&comparison.right).collect();
        if comparison.left.len() != 1 || !sides.iter().all(|side| side.is_plain()) {
            return None;
        }
        let mut last: Option<FieldId> = None;
        for side in &sides {
            side.visit_fields(&mut |field| last = last.max(Some(field)));
        }
        let line = self.field_lines[last?.0];
        let is_direct = |e: &&Expr| matches!(e, Expr::Field(f) | Expr::Length(f) if self.field_lines[f.0] == line);
        sides.iter().any(is_direct).then_some(line)
    }

    /// Returns the texts for those arrays among the fields that are permutations, and marks their constraints as stated:
    /// the model represents a permutation as bounds and distinctness with the same span.
    fn state_permutations(&mut self, fields: &[FieldId]) -> Vec<String> {
        let mut found = Vec::new();
        for i in 0..self.format.constraints.len() {
            let distinct = self.format.constraints[i].rule.distinct_elements();
            let Some(field) = distinct.filter(|field| fields.contains(field)) else { continue };
            let Some((bounds, first, last)) = self.permutation_range(i, field) else { continue };
            bounds.into_iter().chain([i]).for_each(|constraint| self.stated[constraint] = true);
            let [first, last] = [first, last].map(|end| inline_math(&self.tex.expression_tex(end)));
            let name = inline_math(&self.tex.any_element(field, 0));
            let subject = if fields.len() == 1 { String::new() } else { format!("{name} is ") };
            found.push(format!("{subject}a permutation of the integers from {first} to {last}"));
        }
        found
    }

    /// Returns the two bounds with the same span as a distinctness constraint, and their values, if together they form
    /// a permutation.
    fn permutation_range(&self, distinct: usize, field: FieldId) -> Option<([usize; 2], &'f Expr, &'f Expr)> {
        let constraints = &self.format.constraints;
        let [FieldDimension::Size(size)] = &*self.format.field(field).dimensions else { return None };
        let (mut first, mut last) = (None, None);
        for (i, constraint) in constraints.iter().enumerate().filter(|(_, c)| c.span == constraints[distinct].span) {
            let Some(comparison) = constraint.rule.comparison() else { continue };
            match (&*comparison.left, comparison.sign, &*comparison.right) {
                ([left], ComparisonOperator::LessEqual, [Expr::Field(f)]) if *f == field => first = Some((i, left)),
                ([Expr::Field(f)], ComparisonOperator::LessEqual, [right]) if *f == field => last = Some((i, right)),
                _ => {}
            }
        }
        let ((i, first), (j, last)) = (first?, last?);
        (LinearSum::from_expr(size)? == count_of_range(first, last)?).then_some(([i, j], first, last))
    }
}

/// Returns the constraints with the same text as another, which are written as one.
fn others_at<'f>(format: &'f Format, constraint: &'f Constraint) -> impl Iterator<Item = &'f Constraint> {
    format.constraints.iter().filter(|other| other.span == constraint.span)
}

/// Returns true if a constraint follows from another one, or always holds.
fn follows_from_others(format: &Format, constraint: &Constraint) -> bool {
    let Some(comparison) = constraint.rule.comparison() else { return false };
    let is_trivial = match (&*comparison.left, &*comparison.right) {
        ([left], [right]) => comparison.sign == ComparisonOperator::Equal && are_equivalent(left, right),
        _ => false,
    };
    is_trivial || others_at(format, constraint).any(|other| other.rule.kind().implies_comparison(comparison))
}

/// Returns the number of the line of each field in the layout.
fn find_field_lines(format: &Format) -> Vec<usize> {
    let mut found = vec![0; format.fields.len()];
    for (number, item) in (1..).zip(format.blocks.iter().flat_map(|block: &Block| &block.items)) {
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

/// Returns the fields that constraints name with the number of their repetition.
fn find_fields_named_by_number(format: &Format) -> Vec<FieldId> {
    let mut found = Vec::new();
    for expr in format.constraints.iter().flat_map(|constraint| constraint.rule.expressions()) {
        expr.visit_parts(&mut |part| {
            match part {
                Expr::Element(field, indices) if format.indexes_repetitions(*field, indices) => found.push(*field),
                _ => {}
            }
            true
        });
    }
    found
}

#[cfg(test)]
mod tests;
