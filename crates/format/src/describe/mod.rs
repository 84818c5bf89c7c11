//! Describes a format as the Input and Constraints sections of a problem statement.
//!
//! The principal function is [`describe_format`]. The Input section shows each line of the input with the names on it
//! (`lines`). The Constraints section has an item for each line of the where part, as its author has written it: a
//! formula wherever one is readable (`tex`, `tex_number`), or a sentence (`sentences`, `kinds`).
//!
//! ```
//! use rebut_format::describe::{Markup, describe_format};
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let text = describe_format(&format, Markup::Markdown);
//! assert!(text.contains("- $a_1\\ a_2\\ \\dots\\ a_n$\n"));
//! assert!(text.contains("- $1 \\le n \\le 8$.\n"));
//! ```

mod kinds;
mod lines;
mod markup;
mod names;
mod sentences;
mod tex;
mod tex_number;

pub use markup::Markup;

use crate::language::Format;
use crate::syntax::{SyntaxRule, SyntaxTree};
use markup::MarkupListItem;
use names::Names;
use tex::TexWriter;

/// Returns the Input and Constraints sections of a statement, and the table of subtasks.
pub fn describe_format(format: &Format, markup: Markup) -> String {
    let tree = SyntaxTree::parse_leniently(&format.source);
    let names = Names::new(format, &tree);
    let writer = StatementWriter { markup, tex: TexWriter::new(&names) };
    let mut sections = vec![markup.format_section("Input", &markup.format_list(&writer.write_nodes(&tree.layout)))];
    let constraints = writer.write_rules(&tree.rules).into_iter().chain(writer.integers_sentence());
    let constraints: Vec<MarkupListItem> = constraints.map(MarkupListItem::from).collect();
    if !constraints.is_empty() {
        sections.push(markup.format_section("Constraints", &markup.format_list(&constraints)));
    }
    let subtasks = writer.subtask_rows(&tree.rules);
    if subtasks.len() > 1 {
        sections.push(markup.format_section("Subtasks", &markup.format_table(&subtasks)));
    }
    sections.join("\n")
}

/// Writes the parts of a description.
struct StatementWriter<'f> {
    markup: Markup,
    tex: TexWriter<'f>,
}

impl StatementWriter<'_> {
    /// Returns the rows of the table of subtasks; the first is its header.
    fn subtask_rows(&self, rules: &[SyntaxRule]) -> Vec<Vec<String>> {
        let are_scored = rules.iter().any(|rule| matches!(rule, SyntaxRule::Subtask { points: Some(_), .. }));
        let to_row = |name: String, points: String, constraints: String| {
            [Some(name), are_scored.then_some(points), Some(constraints)].into_iter().flatten().collect::<Vec<_>>()
        };
        let mut rows = vec![to_row("Subtask".to_owned(), "Points".to_owned(), "Further constraints".to_owned())];
        for rule in rules {
            let SyntaxRule::Subtask { name, points, rules: Some(own), .. } = rule else { continue };
            let constraints = self.write_rules(own);
            let points = points.as_ref().map_or("--".to_owned(), |points| inline_math(&self.tex.term_tex(points)));
            let constraints = if constraints.is_empty() { "None.".to_owned() } else { constraints.join(" ") };
            rows.push(to_row(self.markup.escape_text(name), points, constraints));
        }
        rows
    }
}

/// Formats a formula in a sentence.
fn inline_math(formula: &str) -> String {
    format!("${formula}$")
}

#[cfg(test)]
mod tests;
