//! Tokens to pieces: what stands between two `;`, as the heads of blocks and the line that they end with.

use super::Place;
use crate::diagnostic::{Diagnostic, Span};
use crate::format::lines::{DEEPEST_BLOCK, too_deep};
use crate::format::token::{Kind, Token};
use std::iter::Peekable;
use std::vec::IntoIter;

/// What stands between two `;`: `repeat n: if x = 1: y` has two heads and a line.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) heads: Vec<Head>,
    pub(super) end: End,
    pub(super) span: Span,
}

/// What follows the heads of a piece.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// One line.
    Line(Vec<Token>),
    /// Lines in braces.
    Braces(Vec<Piece>),
    /// Nothing: the body stands indented below.
    Nothing,
}

/// The head of a block, with its colon.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) tokens: Vec<Token>,
    pub(super) takes: Takes,
}

/// What a body without braces takes of the written line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// One line.
    One,
    /// One line; the next ones speak of the name only if they are meant to belong to the body.
    OneWith(String),
    /// The forms of an `either`, of which there are two or more.
    Forms,
    /// All lines up to the constraints.
    Rest,
    /// All lines up to the next subtask.
    Subtask,
    /// All lines up to the next `where`.
    Where,
}

impl Head {
    pub(super) fn span(&self) -> Span {
        span_of(&self.tokens)
    }
}

impl Piece {
    /// Returns true if a piece begins with a word.
    pub(super) fn begins(&self, word: &str) -> bool {
        let tokens = match (self.heads.first(), &self.end) {
            (Some(head), _) => &head.tokens,
            (None, End::Line(tokens)) => tokens,
            (None, End::Braces(_) | End::Nothing) => return false,
        };
        tokens.first().is_some_and(|token| token.is_word(word))
    }

    /// Returns the place of what follows the first `level` heads.
    pub(super) fn start_of(&self, level: usize) -> usize {
        match (self.heads.get(level), &self.end) {
            (Some(head), _) => head.span().start,
            (None, End::Line(tokens)) => span_of(tokens).start,
            (None, End::Braces(_) | End::Nothing) => self.span.end,
        }
    }

    /// Returns true if the last of its heads, number `level`, has its lines in braces.
    pub(super) fn is_braced(&self, level: usize) -> bool {
        level + 1 == self.heads.len() && matches!(self.end, End::Braces(_))
    }

    /// Returns true if a name occurs where nothing in the piece itself counts with it.
    pub(super) fn mentions(&self, name: &str) -> bool {
        for head in &self.heads {
            let counts = matches!(&head.takes, Takes::OneWith(own) if own == name);
            if counts {
                return false;
            }
            if mentions(&head.tokens, name) {
                return true;
            }
        }
        match &self.end {
            End::Line(tokens) => mentions(tokens, name),
            End::Braces(inside) => inside.iter().any(|piece| piece.mentions(name)),
            End::Nothing => false,
        }
    }
}

/// Returns true if a name stands in front of a quantifier that counts with it.
fn mentions(tokens: &[Token], name: &str) -> bool {
    let quantifier = |token: &Token| token.is_word("forall") || token.is_word("exists");
    let own = tokens.windows(2).position(|pair| quantifier(&pair[0]) && pair[1].is_word(name));
    tokens[..own.unwrap_or(tokens.len())].iter().any(|token| token.is_word(name))
}

fn span_of(tokens: &[Token]) -> Span {
    let first = tokens.first().map_or(Span::default(), |t| t.span);
    tokens.last().map_or(first, |t| first.to(t.span))
}

/// Splits the tokens of one written line.
pub(super) struct Splitter<'p> {
    tokens: Peekable<IntoIter<Token>>,
    depth: usize,
    problems: &'p mut Vec<Diagnostic>,
}

impl<'p> Splitter<'p> {
    pub(super) fn new(tokens: Vec<Token>, depth: usize, problems: &'p mut Vec<Diagnostic>) -> Self {
        Splitter { tokens: tokens.into_iter().peekable(), depth, problems }
    }

    pub(super) fn split(mut self, place: Place) -> Vec<Piece> {
        self.pieces(place, false)
    }

    /// Reads pieces up to the end, or inside of braces up to the one that closes them.
    fn pieces(&mut self, mut place: Place, braces: bool) -> Vec<Piece> {
        let mut found = Vec::new();
        let mut layout = place;
        while let Some(next) = self.tokens.peek() {
            if next.is(";") {
                self.tokens.next();
                continue;
            }
            if braces && next.is("}") {
                break;
            }
            let piece = self.piece(&mut place, braces);
            // On the same line the forms of an `either` go on behind `;`.
            if place == Place::Layout && piece.heads.iter().any(|head| head.takes == Takes::Forms) {
                layout = Place::Forms;
            }
            if place != Place::Rules {
                place = layout;
            }
            found.push(piece);
        }
        found
    }

    fn piece(&mut self, place: &mut Place, braces: bool) -> Piece {
        let mut heads: Vec<Head> = Vec::new();
        let start = self.tokens.peek().map_or(Span::default(), |token| token.span);
        let mut span = start;
        let end = loop {
            let ends = |token: &Token| token.is(";") || braces && token.is("}") || token.is_word("where");
            match self.tokens.peek() {
                None => break End::Nothing,
                Some(token) if !heads.is_empty() && token.is("{") => {
                    let inside = heads.last().map_or(*place, |head| below(head, *place));
                    let (pieces, close) = self.braces(inside);
                    span = span.to(close);
                    break End::Braces(pieces);
                }
                Some(token) if !heads.is_empty() && ends(token) => break End::Nothing,
                Some(_) => {}
            }
            let (tokens, takes) = self.line(*place, braces);
            span = span.to(span_of(&tokens));
            let Some(takes) = takes else { break End::Line(tokens) };
            if takes == Takes::Where {
                *place = Place::Rules;
            } else if self.depth + heads.len() >= DEEPEST_BLOCK {
                self.problems.push(too_deep(span_of(&tokens)));
                self.skip();
                break End::Line(tokens);
            }
            let head = Head { tokens, takes };
            *place = below(&head, *place);
            heads.push(head);
        };
        Piece { heads, end, span }
    }

    /// Reads lines in braces; the opening one is next. Returns them and the place of the closing one.
    fn braces(&mut self, place: Place) -> (Vec<Piece>, Span) {
        let open = self.tokens.next().map_or(Span::default(), |token| token.span);
        if self.depth >= DEEPEST_BLOCK {
            self.problems.push(too_deep(open));
            self.skip();
            return (Vec::new(), open);
        }
        self.depth += 1;
        let pieces = self.pieces(place, true);
        self.depth -= 1;
        let Some(close) = self.tokens.next() else {
            self.problems.push(
                Diagnostic::error("open-brace", open, "this brace is never closed")
                    .caret("expected `}` behind the lines of the block"),
            );
            return (pieces, open);
        };
        if let Some(next) = self.tokens.peek()
            && ![";", "}"].iter().any(|mark| next.is(mark))
            && !next.is_word("where")
        {
            self.problems.push(
                Diagnostic::error("after-brace", next.span, "a line ends at the brace that closes its block")
                    .caret("a `;` is missing before this"),
            );
        }
        (pieces, close.span)
    }

    /// Reads the tokens of a line, or those of a head up to its colon with what its body takes.
    fn line(&mut self, place: Place, braces: bool) -> (Vec<Token>, Option<Takes>) {
        let mut found: Vec<Token> = self.tokens.next().into_iter().collect();
        if found.first().is_some_and(|first| first.is_word("where")) {
            found.extend(self.tokens.next_if(|token| token.is(":")));
            return (found, Some(Takes::Where));
        }
        let mut depth: i32 = found.iter().map(bracket).sum();
        let ends = |token: &Token| token.is(";") || token.is_word("where") || braces && token.is("}");
        while let Some(token) = self.tokens.next_if(|token| !ends(token)) {
            depth += bracket(&token);
            let colon = depth == 0 && token.is(":");
            found.push(token);
            let takes = if colon { taken_by(&found, place) } else { None };
            if takes.is_some() {
                return (found, takes);
            }
        }
        (found, None)
    }

    /// Leaves out what is nested too deeply.
    fn skip(&mut self) {
        self.tokens.by_ref().for_each(drop);
    }
}

/// What the body of a head takes; `None` if a line that begins like this opens no block.
fn taken_by(head: &[Token], place: Place) -> Option<Takes> {
    let is = |word: &str| head.first().is_some_and(|token| token.is_word(word));
    match place {
        Place::Rules if is("subtask") => Some(Takes::Subtask),
        Place::Rules if is("if") => Some(Takes::One),
        Place::Rules if is("forall") || is("exists") => match &head.get(1)?.kind {
            Kind::Name(name) => Some(Takes::OneWith(name.clone())),
            _ => None,
        },
        Place::Rules => None,
        Place::Layout | Place::Forms if is("cases") => Some(Takes::Rest),
        Place::Layout | Place::Forms if is("repeat") || is("if") => Some(Takes::One),
        Place::Layout | Place::Forms if is("either") => Some(Takes::Forms),
        Place::Forms => Some(Takes::One),
        Place::Layout => None,
    }
}

/// The place of what stands below a head.
fn below(head: &Head, place: Place) -> Place {
    match &head.takes {
        Takes::Where => Place::Rules,
        Takes::Forms => Place::Forms,
        _ if place == Place::Rules => Place::Rules,
        _ => Place::Layout,
    }
}

/// How much deeper in brackets a token leads.
fn bracket(token: &Token) -> i32 {
    let is = |marks: [&str; 2]| i32::from(marks.iter().any(|mark| token.is(mark)));
    is(["(", "["]) - is([")", "]"])
}
