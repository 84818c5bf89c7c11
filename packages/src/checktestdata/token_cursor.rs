//! Reads the tokens of a script one by one, and collects problems.

use super::tokenizer::Token;
use rebut_diagnostics::{Diagnostic, Span};

/// Maximum nesting of expressions.
const MAX_EXPRESSION_DEPTH: usize = 64;

/// The tokens of a script that are left. Problems are collected, and commands with problems are left out.
pub(super) struct ScriptCursor<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) position: usize,
    pub(super) depth: usize,
    /// Length of the script.
    pub(super) end: usize,
    pub(super) problems: Vec<Diagnostic>,
}

pub(super) type Parsed<T> = Result<T, Diagnostic>;

impl<'t> ScriptCursor<'t> {
    pub(super) fn peek_token(&self) -> Option<&'t Token> {
        self.tokens.get(self.position)
    }

    pub(super) fn next_token(&mut self) -> Option<&'t Token> {
        let token = self.peek_token()?;
        self.position += 1;
        Some(token)
    }

    pub(super) fn accept_token(&mut self, text: &str) -> bool {
        let found = self.peek_token().is_some_and(|t| t.has_text(text));
        self.position += usize::from(found);
        found
    }

    pub(super) fn expect_token(&mut self, symbol: &str, reason: &str) -> Parsed<()> {
        if self.accept_token(symbol) {
            return Ok(());
        }
        match self.peek_token() {
            Some(token) => {
                Err(unexpected_token(token, format!("expected `{symbol}`, found {}", token.describe_token()))
                    .with_note(reason))
            }
            None => Err(self.unexpected_end(&format!("`{symbol}`"))),
        }
    }

    pub(super) fn unexpected_end(&self, expected: &str) -> Diagnostic {
        let last = self.tokens.last().map_or(self.end, |t| t.span.end);
        Diagnostic::error("ctd-unfinished", Span::new(last, last), "the script ends too early")
            .with_caret(format!("expected {expected}"))
    }

    /// Returns the span from `start` to the last token that was read.
    pub(super) fn span_since(&self, start: Span) -> Span {
        self.position.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(start, |t| start.to(t.span))
    }

    /// Runs `inside` one level deeper, unless the maximum nesting is exceeded.
    pub(super) fn with_deeper_nesting<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_EXPRESSION_DEPTH {
            let span = self.peek_token().map_or(Span::new(self.end, self.end), |t| t.span);
            return Err(Diagnostic::error("ctd-too-deep", span, "this expression is nested too deeply")
                .with_caret(format!("at most {MAX_EXPRESSION_DEPTH} levels")));
        }
        self.depth += 1;
        let found = inside(self);
        self.depth -= 1;
        found
    }

    /// Parses items separated by commas.
    pub(super) fn parse_list<T>(&mut self, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut found = vec![item(self)?];
        while self.accept_token(",") {
            found.push(item(self)?);
        }
        Ok(found)
    }
}

/// Creates an error about an unexpected token.
pub(super) fn unexpected_token(token: &Token, caret: impl Into<String>) -> Diagnostic {
    Diagnostic::error("ctd-unexpected", token.span, format!("{} is not expected here", token.describe_token()))
        .with_caret(caret)
}
