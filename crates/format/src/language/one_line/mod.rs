//! Splits a physical line into logical lines: `;` separates them, a block's body follows its colon, and braces delimit
//! bodies.
//!
//! [`splitter`] splits the tokens at `;` and finds the heads of blocks, and [`nesting`] builds a tree of them. A line
//! with more than one possible tree is an error, and [`repairs`] finds the braces that make it unambiguous.

mod nesting;
mod repairs;
mod splitter;

pub(super) use repairs::ambiguity_errors;

use super::logical_line::LogicalLine;
use super::tokenizer::FormatToken;
use rebut_diagnostics::{Diagnostic, Span};

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
    /// All ways to add braces around bodies.
    pub(super) repairs: Vec<BraceInsertions>,
}

/// Braces to insert, with their offsets in the text.
pub(super) type BraceInsertions = Vec<(usize, &'static str)>;

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
