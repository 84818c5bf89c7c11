//! One written line to its logical lines: `;` separates them, what follows the colon of a block is its body, and braces
//! say how many lines belong to a body.
//!
//! `pieces` splits the tokens at `;` and finds the heads of blocks, `nest` makes a tree of them. Where more than one tree
//! can be meant it is an error, and `repairs` finds the braces that make the text unambiguous.

mod nest;
mod pieces;
mod repairs;

pub(super) use repairs::ask_for_braces;

use super::lines::Line;
use super::token::Token;
use crate::diagnostic::{Diagnostic, Span};

/// What the line stands below, which decides what a colon in it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Lines of the layout.
    Layout,
    /// The forms of an `either`: any line with a colon is the first line of a form.
    Forms,
    /// Constraints.
    Rules,
}

/// Lines of which it is not clear which belong to the block before them.
#[derive(Clone, Debug)]
pub(super) struct OpenBlock {
    /// The head of the block, without its colon.
    pub(super) head: Span,
    /// The first line that may belong to it.
    pub(super) next: Span,
    /// From the head to the last of these lines.
    pub(super) stretch: Span,
    /// All ways to put braces around bodies.
    pub(super) repairs: Vec<Repair>,
}

/// Braces to be inserted at places of the text.
pub(super) type Repair = Vec<(usize, &'static str)>;

/// Reads one written line; what can be read in several ways is noted in `open`.
pub(super) fn split(
    tokens: Vec<Token>,
    place: Place,
    depth: usize,
    open: &mut Vec<OpenBlock>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Line> {
    let pieces = pieces::Splitter::new(tokens, depth, problems).split(place);
    nest::nest(&pieces, open)
}

#[cfg(test)]
mod tests;
