//! Splits a physical line into logical lines: `;` separates them, a block's body follows its colon, and braces delimit
//! bodies.
//!
//! [`splitter`] splits the tokens at `;` and finds the heads of blocks, and [`nesting`] builds a tree of them. A line
//! with more than one possible tree is an error, and its help has braces.

mod nesting;
mod splitter;

use super::logical_line::LogicalLine;
use super::tokenizer::FormatToken;
use rebut_diagnostics::{Diagnostic, SourceText, Span};

/// The context of a line, which determines the meaning of colons in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineContext {
    /// Lines of the layout.
    Layout,
    /// Alternatives of an `either`: any line with a colon is the first line of an alternative.
    Forms,
    /// Constraints.
    Rules,
}

/// A block with an unclear extent.
#[derive(Clone, Debug)]
pub(super) struct AmbiguousBlock {
    /// The head of the block, without its colon.
    pub(super) head: Span,
    /// The first line that may or may not belong to it.
    pub(super) next: Span,
    /// From the head to the last such line.
    pub(super) stretch: Span,
    /// The possible bodies, the longest first.
    pub(super) bodies: Vec<Span>,
}

impl AmbiguousBlock {
    /// Returns the error, with braces around the possible bodies.
    pub(super) fn to_error(&self, source: &SourceText) -> Diagnostic {
        let text = |start, end| String::from_utf8_lossy(&source.text[start..end]);
        let with_braces = |body: &Span| {
            let (before, after) = (text(self.stretch.start, body.start), text(body.end, self.stretch.end));
            format!("`{before}{{ {} }}{after}`", text(body.start, body.end))
        };
        let head = text(self.head.start, self.head.end);
        let repaired: Vec<String> = self.bodies.iter().map(with_braces).collect();
        Diagnostic::error("open-block", self.next, format!("does this belong to `{}`?", head.trim()))
            .with_label(self.head, "a body on the same line is one line, or is enclosed in braces")
            .with_caret("in the block, or after it?")
            .with_help(format!("write {}", repaired.join("\nor    ")))
    }
}

/// Splits a physical line; ambiguous blocks are added to `open`.
pub(super) fn split_logical_lines(
    tokens: Vec<FormatToken>,
    place: LineContext,
    depth: usize,
    open: &mut Vec<AmbiguousBlock>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<LogicalLine> {
    let pieces = splitter::LineSplitter::new(tokens, depth, problems).split_pieces(place);
    nesting::nest_pieces(&pieces, open)
}

#[cfg(test)]
mod tests;
