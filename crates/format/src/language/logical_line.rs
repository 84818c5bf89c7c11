//! A line of a format as the parser sees it: its tokens, and the lines that belong to it.

use super::tokenizer::FormatToken;
use rebut_diagnostics::{Diagnostic, Span};

/// A line of a format and the lines indented below it.
#[derive(Clone, Debug)]
pub(super) struct LogicalLine {
    pub(super) tokens: Vec<FormatToken>,
    pub(super) body: Vec<LogicalLine>,
    /// True if the body is in braces.
    pub(super) braced: bool,
}

impl LogicalLine {
    pub(super) fn token_span(&self) -> Span {
        let first = self.tokens.first().map_or(Span::default(), |t| t.span);
        self.tokens.last().map_or(first, |t| first.to(t.span))
    }
}

/// Maximum nesting depth of blocks. Statements need three or four levels, and unlimited nesting would exhaust the
/// stack.
pub(super) const MAX_BLOCK_DEPTH: usize = 32;

pub(super) fn nested_too_deep(span: Span) -> Diagnostic {
    Diagnostic::error("too-deep", span, "blocks are nested too deeply")
        .with_caret(format!("at most {MAX_BLOCK_DEPTH} levels"))
}
