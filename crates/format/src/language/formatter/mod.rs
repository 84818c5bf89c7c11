//! The formatter: rewrites a format in its canonical form without changing its meaning.
//!
//! The tree of lines determines rows and indentation, and the tokens of a line determine its spaces ([`spacing`]).
//! Comments and empty lines, which the tokenizer drops, are taken from the source: anything after the last token of a
//! physical line is white space or a comment. [`text_assembly`] merges both.
//!
//! A syntax tree is printed by the same rules: [`syntax_lines`] converts it to lines of tokens.

mod syntax_lines;
mod syntax_tokens;
#[cfg(test)]
mod tests;
mod text_assembly;

use super::Format;
use super::line_tree::parse_logical_lines;
use rebut_diagnostics::{Diagnostic, SourceText};

/// Indentation per level.
const INDENT_WIDTH: usize = 4;

/// Formats a format. The result means the same, and formatting it again changes nothing.
///
/// # Errors
/// Returns the problems of the format if it cannot be parsed.
pub fn format_source(source: &SourceText) -> Result<String, Vec<Diagnostic>> {
    Format::parse(source)?;
    let text = String::from_utf8_lossy(&source.text);
    let rows = text_assembly::format_rows(parse_logical_lines(source, &mut Vec::new()).lines, &text);
    Ok(text_assembly::assemble_text(&text, rows))
}
