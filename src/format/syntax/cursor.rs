//! A walk over the tokens of one line.

use crate::diagnostic::{Diagnostic, Span};
use crate::format::token::{Kind, Quoted, Token};

/// How deep expressions may nest: deeper ones would exhaust the stack, and no statement has them.
const DEEPEST: usize = 64;

#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    depth: usize,
    line: Span,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: &'a [Token], line: Span) -> Self {
        Cursor { tokens, at: 0, depth: 0, line }
    }

    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn peek_is(&self, mark: &str) -> bool {
        self.peek().is_some_and(|t| t.is(mark))
    }

    pub(super) fn next(&mut self) -> Option<&'a Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    pub(super) fn take(&mut self, mark: &str) -> bool {
        self.take_span(mark).is_some()
    }

    pub(super) fn take_span(&mut self, mark: &str) -> Option<Span> {
        self.peek().filter(|t| t.is(mark)).map(|t| {
            self.at += 1;
            t.span
        })
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|t| t.is_word(word));
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, mark: &str, what: &str) -> Result<Span, Diagnostic> {
        match self.take_span(mark) {
            Some(span) => Ok(span),
            None => match self.peek() {
                Some(found) => Err(Diagnostic::error("expected", found.span, what)
                    .caret(format!("expected `{mark}`, found {}", found.describe()))),
                None => Err(self.missing(&format!("`{mark}`")).note(what)),
            },
        }
    }

    pub(super) fn end(&self, place: &str) -> Result<(), Diagnostic> {
        match self.peek() {
            None => Ok(()),
            Some(token) => Err(Diagnostic::error(
                "trailing",
                token.span,
                format!("nothing is expected {place}, but there is {}", token.describe()),
            )
            .caret("remove this")),
        }
    }

    /// A text in double quotes.
    pub(super) fn quoted(&mut self, what: &str) -> Result<(&'a Quoted, Span), Diagnostic> {
        match self.next() {
            Some(Token { kind: Kind::Text(text), span }) => Ok((text, *span)),
            Some(other) => Err(Diagnostic::error("expected-text", other.span, what)
                .caret(format!("expected a text, found {}", other.describe()))),
            None => Err(self.missing("a text in double quotes").note(what)),
        }
    }

    pub(super) fn text(&mut self, what: &str) -> Result<(String, Span), Diagnostic> {
        self.quoted(what).map(|(text, span)| (String::from_utf8_lossy(&text.plain).into_owned(), span))
    }

    /// A name.
    pub(super) fn name(&mut self, what: &str) -> Result<(String, Span), Diagnostic> {
        match self.next() {
            Some(Token { kind: Kind::Name(name), span }) => Ok((name.clone(), *span)),
            Some(other) => Err(Diagnostic::error("expected-name", other.span, what)
                .caret(format!("expected a name, found {}", other.describe()))),
            None => Err(self.missing("a name").note(what)),
        }
    }

    /// Whether the next token is this word.
    pub(super) fn peek_word(&self, word: &str) -> bool {
        self.peek().is_some_and(|t| t.is_word(word))
    }

    pub(super) fn missing(&self, what: &str) -> Diagnostic {
        let end = self.line.end;
        Diagnostic::error("unfinished", Span::new(end, end), "the line ends too early")
            .caret(format!("expected {what}"))
    }

    pub(super) fn enter(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        Err(Diagnostic::error("too-deep", self.line, "this expression is nested too deeply")
            .caret(format!("at most {DEEPEST} levels")))
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }
}
