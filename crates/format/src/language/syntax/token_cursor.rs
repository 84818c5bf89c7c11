//! A cursor over the tokens of one line.

use crate::language::logical_line::LogicalLine;
use crate::language::tokenizer::{FormatToken, FormatTokenKind, QuotedText};
use rebut_diagnostics::{Diagnostic, Span};

/// Maximum nesting depth of expressions. Deeper ones would exhaust the stack, and no statement has them.
const MAX_EXPRESSION_DEPTH: usize = 64;

#[derive(Clone, Debug)]
pub(super) struct TokenCursor<'a> {
    pub(super) tokens: &'a [FormatToken],
    pub(super) at: usize,
    depth: usize,
    line: Span,
}

impl<'a> TokenCursor<'a> {
    pub(super) fn new(tokens: &'a [FormatToken], line: Span) -> Self {
        TokenCursor { tokens, at: 0, depth: 0, line }
    }

    pub(super) fn for_line(line: &'a LogicalLine) -> Self {
        TokenCursor::new(&line.tokens, line.token_span())
    }

    pub(super) fn peek_token(&self) -> Option<&'a FormatToken> {
        self.tokens.get(self.at)
    }

    pub(super) fn peek_is_mark(&self, mark: &str) -> bool {
        self.peek_token().is_some_and(|t| t.is_mark(mark))
    }

    pub(super) fn next_token(&mut self) -> Option<&'a FormatToken> {
        let token = self.peek_token()?;
        self.at += 1;
        Some(token)
    }

    pub(super) fn accept_mark(&mut self, mark: &str) -> bool {
        self.accept_mark_span(mark).is_some()
    }

    pub(super) fn accept_mark_span(&mut self, mark: &str) -> Option<Span> {
        self.peek_token().filter(|t| t.is_mark(mark)).map(|t| {
            self.at += 1;
            t.span
        })
    }

    pub(super) fn accept_word(&mut self, word: &str) -> bool {
        let found = self.peek_token().is_some_and(|t| t.is_word(word));
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect_mark(&mut self, mark: &str, what: &str) -> Result<Span, Diagnostic> {
        match self.accept_mark_span(mark) {
            Some(span) => Ok(span),
            None => match self.peek_token() {
                Some(found) => Err(Diagnostic::error("expected", found.span, what)
                    .with_caret(format!("expected `{mark}`, found {}", found.display_text()))),
                None => Err(self.unexpected_end_error(&format!("`{mark}`")).with_note(what)),
            },
        }
    }

    pub(super) fn expect_end(&self, place: &str) -> Result<(), Diagnostic> {
        match self.peek_token() {
            None => Ok(()),
            Some(token) => Err(Diagnostic::error(
                "trailing",
                token.span,
                format!("expected nothing {place}, found {}", token.display_text()),
            )
            .with_caret("remove this")),
        }
    }

    /// Takes a word, or reports that the line ends before `what`.
    pub(super) fn expect_word(&mut self, word: &str, what: &str) -> Result<(), Diagnostic> {
        if self.accept_word(word) { Ok(()) } else { Err(self.unexpected_end_error(what)) }
    }

    /// Takes a text in double quotes, or returns an error.
    pub(super) fn expect_quoted(&mut self, what: &str) -> Result<(&'a QuotedText, Span), Diagnostic> {
        match self.next_token() {
            Some(FormatToken { kind: FormatTokenKind::Text(text), span }) => Ok((text, *span)),
            other => Err(self.other_token_error(other, ("expected-text", "a text", "a text in double quotes"), what)),
        }
    }

    /// Takes a name, or returns an error.
    pub(super) fn expect_name(&mut self, what: &str) -> Result<String, Diagnostic> {
        match self.next_token() {
            Some(FormatToken { kind: FormatTokenKind::Name(name), .. }) => Ok(name.clone()),
            other => Err(self.other_token_error(other, ("expected-name", "a name", "a name"), what)),
        }
    }

    /// Returns the error of a token that is not the expected one, or is missing.
    fn other_token_error(
        &self,
        found: Option<&FormatToken>,
        (code, expected, missing): (&'static str, &str, &str),
        what: &str,
    ) -> Diagnostic {
        match found {
            Some(other) => Diagnostic::error(code, other.span, what)
                .with_caret(format!("expected {expected}, found {}", other.display_text())),
            None => self.unexpected_end_error(missing).with_note(what),
        }
    }

    /// Returns true if the next token is this word.
    pub(super) fn peek_is_word(&self, word: &str) -> bool {
        self.peek_token().is_some_and(|t| t.is_word(word))
    }

    pub(super) fn unexpected_end_error(&self, what: &str) -> Diagnostic {
        Diagnostic::error("unfinished", self.end_span(), "the line ends too early")
            .with_caret(format!("expected {what}"))
    }

    /// Returns the location of the end of the line.
    pub(super) fn end_span(&self) -> Span {
        Span::new(self.line.end, self.line.end)
    }

    /// Parses what is nested one level deeper.
    pub(super) fn parse_nested<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        if self.depth == MAX_EXPRESSION_DEPTH {
            return Err(Diagnostic::error("too-deep", self.line, "this expression is nested too deeply")
                .with_caret(format!("at most {MAX_EXPRESSION_DEPTH} levels")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }
}
