//! Describes a format as the Input and Constraints sections of a problem statement.
//!
//! The principal function is [`describe_format`]. Its `StatementWriter` traverses the blocks (`blocks`), names the
//! fields (`noun_phrases`), writes formulas (`tex`, `relation_chains`, `tex_number`), and tracks which constraints have
//! been stated: a bound is stated where its field is introduced, and every other constraint becomes an item of the
//! Constraints section (`constraint_sentences`, `formulas`, `graphs`). So each constraint is stated exactly once.
//!
//! ```
//! use rebut_format::describe::{Markup, describe_format};
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let text = describe_format(&format, Markup::Markdown);
//! assert!(text.contains("The first line contains a single integer $n$ ($1 \\le n \\le 8$)."));
//! ```

mod alphabet;
mod blocks;
mod bound_placement;
mod constraint_sentences;
mod formulas;
mod graphs;
mod inline_groups;
mod line_contents;
mod markup;
mod noun_phrases;
mod permutations;
mod relation_chains;
mod subtasks;
mod tex;
mod tex_number;

pub use markup::Markup;

use crate::language::{BlockId, Format};
use markup::{MarkupBlock, MarkupListItem};
use tex::TexWriter;

/// Returns the Input and Constraints sections of a statement.
pub fn describe_format(format: &Format, markup: Markup) -> String {
    let mut author = StatementWriter::new(format, markup);
    let mut text = markup.format_section("Input", &author.write_input_section());
    let constraints = author.write_constraint_items();
    if !constraints.is_empty() {
        text.push('\n');
        text.push_str(&markup.format_section("Constraints", &[MarkupBlock::List(constraints)]));
    }
    if let Some(table) = author.subtask_table() {
        text.push('\n');
        text.push_str(&markup.format_section("Subtasks", &[table]));
    }
    text
}

/// The state of writing a description.
struct StatementWriter<'f> {
    format: &'f Format,
    markup: Markup,
    tex: TexWriter<'f>,
    /// The layout line of each field.
    field_lines: Vec<usize>,
    /// For each constraint, true if it has been stated.
    stated: Vec<bool>,
}

impl<'f> StatementWriter<'f> {
    fn new(format: &'f Format, markup: Markup) -> Self {
        let stated = vec![false; format.constraints.len()];
        let mut author = StatementWriter {
            format,
            markup,
            tex: TexWriter::new(format),
            field_lines: bound_placement::layout_line_of_fields(format),
            stated,
        };
        author.mark_implied_constraints();
        author
    }

    /// Writes the Input section.
    fn write_input_section(&mut self) -> Vec<MarkupBlock> {
        let entries = self.write_items(BlockId(0), "");
        let mut pieces = Vec::new();
        for MarkupListItem { text, children: below } in entries {
            pieces.push(MarkupBlock::Paragraph(text));
            if !below.is_empty() {
                pieces.push(MarkupBlock::List(below));
            }
        }
        pieces
    }

    /// Writes the items of the Constraints section.
    fn write_constraint_items(&mut self) -> Vec<MarkupListItem> {
        let format = self.format;
        let left = format.constraints.iter().zip(&self.stated).filter(|(_, stated)| !**stated).map(|(c, _)| c);
        let mut sentences = self.write_sentences(&left.collect::<Vec<_>>());
        for validator in &format.validators {
            let program = self.markup.format_code(validator.command.as_bytes());
            sentences.push(format!("Further conditions are checked by the validator {program}."));
        }
        sentences.into_iter().map(|text| MarkupListItem { text, children: Vec::new() }).collect()
    }
}

/// Capitalizes the first letter.
fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests;
