//! A format's text in its normal form: the same lines for everybody, with the same meaning.
//!
//! The tree of lines says what stands where and how deep; the tokens of a line say where spaces belong (`spacing`).
//! What the tokenizer drops, comments and empty lines, is taken from the text again: whatever follows the last token of
//! a written line is white space or a comment. `sheet` puts both back together.

mod rows;
mod sheet;
mod spacing;

use super::Format;
use super::lines::lines;
use crate::diagnostic::{Diagnostic, Source};

/// How far each level of a block is indented.
const INDENT: usize = 4;

/// The text of a format in its normal form. It means the same, and formatting it again changes nothing.
///
/// # Errors
/// What is wrong with the format: nobody knows what a text means that cannot be read.
pub fn formatted(source: &Source) -> Result<String, Vec<Diagnostic>> {
    Format::parse(source)?;
    let text = String::from_utf8_lossy(&source.text);
    let rows = rows::rows(lines(source, &mut Vec::new()).lines, &text);
    Ok(sheet::sheet(&text, rows))
}

#[cfg(test)]
mod tests;
