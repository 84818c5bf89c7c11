//! Splits tokens into pieces at `;`, and each piece into the heads of blocks and the line after them.

use super::LineContext;
use crate::language::logical_line::{MAX_BLOCK_DEPTH, nested_too_deep};
use crate::language::tokenizer::{FormatToken, FormatTokenKind};
use rebut_diagnostics::{Diagnostic, Span};
use std::iter::Peekable;
use std::vec::IntoIter;

/// The tokens between two `;`: `repeat n: if x = 1: y` has two heads and a line.
#[derive(Clone, Debug)]
pub(super) struct LinePiece {
    pub(super) heads: Vec<BlockHead>,
    pub(super) end: PieceEnd,
    pub(super) span: Span,
}

/// The part of a piece after its heads.
#[derive(Clone, Debug)]
pub(super) enum PieceEnd {
    /// One line.
    Line(Vec<FormatToken>),
    /// Lines in braces.
    Braces(Vec<LinePiece>),
    /// Nothing: the body stands indented below.
    Nothing,
}

/// The head of a block, with its colon.
#[derive(Clone, Debug)]
pub(super) struct BlockHead {
    pub(super) tokens: Vec<FormatToken>,
    pub(super) extent: BodyExtent,
}

/// The extent of a body without braces on a physical line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BodyExtent {
    /// One line.
    OneLine,
    /// One line; a following line that mentions the quantified name is ambiguous.
    OneLineBinding(String),
    /// The alternatives of an `either`, at least two.
    Alternatives,
    /// All lines up to the constraints.
    UntilWhere,
    /// All lines up to the next subtask.
    Subtask,
    /// All lines up to the next `where`.
    Where,
}

impl BlockHead {
    pub(super) fn token_span(&self) -> Span {
        span_of_tokens(&self.tokens)
    }
}

impl LinePiece {
    /// Returns true if a piece begins with a word.
    pub(super) fn starts_with_word(&self, word: &str) -> bool {
        let tokens = match (self.heads.first(), &self.end) {
            (Some(head), _) => &head.tokens,
            (None, PieceEnd::Line(tokens)) => tokens,
            (None, PieceEnd::Braces(_) | PieceEnd::Nothing) => return false,
        };
        tokens.first().is_some_and(|token| token.is_word(word))
    }

    /// Returns the offset of the text after the first `level` heads.
    pub(super) fn start_of_level(&self, level: usize) -> usize {
        match (self.heads.get(level), &self.end) {
            (Some(head), _) => head.token_span().start,
            (None, PieceEnd::Line(tokens)) => span_of_tokens(tokens).start,
            (None, PieceEnd::Braces(_) | PieceEnd::Nothing) => self.span.end,
        }
    }

    /// Returns true if the last head, number `level`, has its lines in braces.
    pub(super) fn is_braced(&self, level: usize) -> bool {
        level + 1 == self.heads.len() && matches!(self.end, PieceEnd::Braces(_))
    }

    /// Returns true if a name occurs that no quantifier of the piece itself binds.
    pub(super) fn mentions_name(&self, name: &str) -> bool {
        for head in &self.heads {
            let counts = matches!(&head.extent, BodyExtent::OneLineBinding(own) if own == name);
            if counts {
                return false;
            }
            if tokens_mention_name(&head.tokens, name) {
                return true;
            }
        }
        match &self.end {
            PieceEnd::Line(tokens) => tokens_mention_name(tokens, name),
            PieceEnd::Braces(inside) => inside.iter().any(|piece| piece.mentions_name(name)),
            PieceEnd::Nothing => false,
        }
    }
}

/// Returns true if a name occurs before a quantifier that binds it.
fn tokens_mention_name(tokens: &[FormatToken], name: &str) -> bool {
    let quantifier = |token: &FormatToken| token.is_word("forall") || token.is_word("exists");
    let own = tokens.windows(2).position(|pair| quantifier(&pair[0]) && pair[1].is_word(name));
    tokens[..own.unwrap_or(tokens.len())].iter().any(|token| token.is_word(name))
}

fn span_of_tokens(tokens: &[FormatToken]) -> Span {
    let first = tokens.first().map_or(Span::default(), |t| t.span);
    tokens.last().map_or(first, |t| first.to(t.span))
}

/// Splits the tokens of a physical line.
pub(super) struct LineSplitter<'p> {
    tokens: Peekable<IntoIter<FormatToken>>,
    depth: usize,
    problems: &'p mut Vec<Diagnostic>,
}

impl<'p> LineSplitter<'p> {
    pub(super) fn new(tokens: Vec<FormatToken>, depth: usize, problems: &'p mut Vec<Diagnostic>) -> Self {
        LineSplitter { tokens: tokens.into_iter().peekable(), depth, problems }
    }

    pub(super) fn split_pieces(mut self, place: LineContext) -> Vec<LinePiece> {
        self.read_pieces(place, false)
    }

    /// Reads pieces up to the end, or within braces up to the closing one.
    fn read_pieces(&mut self, mut place: LineContext, braces: bool) -> Vec<LinePiece> {
        let mut found = Vec::new();
        let mut layout = place;
        while let Some(next) = self.tokens.peek() {
            if next.is_mark(";") {
                self.tokens.next();
                continue;
            }
            if braces && next.is_mark("}") {
                break;
            }
            let piece = self.read_piece(&mut place, braces);
            // On the same line, `;` continues the alternatives of an `either`.
            if place == LineContext::Layout && piece.heads.iter().any(|head| head.extent == BodyExtent::Alternatives) {
                layout = LineContext::Forms;
            }
            if place != LineContext::Rules {
                place = layout;
            }
            found.push(piece);
        }
        found
    }

    fn read_piece(&mut self, place: &mut LineContext, braces: bool) -> LinePiece {
        let mut heads: Vec<BlockHead> = Vec::new();
        let start = self.tokens.peek().map_or(Span::default(), |token| token.span);
        let mut span = start;
        let end = loop {
            let ends =
                |token: &FormatToken| token.is_mark(";") || braces && token.is_mark("}") || token.is_word("where");
            match self.tokens.peek() {
                None => break PieceEnd::Nothing,
                Some(token) if !heads.is_empty() && token.is_mark("{") => {
                    let inside = heads.last().map_or(*place, |head| context_below(head, *place));
                    let (pieces, close) = self.read_braces(inside);
                    span = span.to(close);
                    break PieceEnd::Braces(pieces);
                }
                Some(token) if !heads.is_empty() && ends(token) => break PieceEnd::Nothing,
                Some(_) => {}
            }
            let (tokens, extent) = self.read_line_or_head(*place, braces);
            span = span.to(span_of_tokens(&tokens));
            let Some(extent) = extent else { break PieceEnd::Line(tokens) };
            if extent == BodyExtent::Where {
                *place = LineContext::Rules;
            } else if self.depth + heads.len() >= MAX_BLOCK_DEPTH {
                self.problems.push(nested_too_deep(span_of_tokens(&tokens)));
                self.skip_remaining();
                break PieceEnd::Line(tokens);
            }
            let head = BlockHead { tokens, extent };
            *place = context_below(&head, *place);
            heads.push(head);
        };
        LinePiece { heads, end, span }
    }

    /// Reads lines in braces, where the opening brace is next. Returns them and the location of the closing one.
    fn read_braces(&mut self, place: LineContext) -> (Vec<LinePiece>, Span) {
        let open = self.tokens.next().map_or(Span::default(), |token| token.span);
        if self.depth >= MAX_BLOCK_DEPTH {
            self.problems.push(nested_too_deep(open));
            self.skip_remaining();
            return (Vec::new(), open);
        }
        self.depth += 1;
        let pieces = self.read_pieces(place, true);
        self.depth -= 1;
        let Some(close) = self.tokens.next() else {
            self.problems.push(
                Diagnostic::error("open-brace", open, "this brace is never closed")
                    .with_caret("expected `}` after the lines of the block"),
            );
            return (pieces, open);
        };
        if let Some(next) = self.tokens.peek()
            && ![";", "}"].iter().any(|mark| next.is_mark(mark))
            && !next.is_word("where")
        {
            self.problems.push(
                Diagnostic::error("after-brace", next.span, "text follows the brace that closes a block")
                    .with_caret("a `;` is missing before this"),
            );
        }
        (pieces, close.span)
    }

    /// Reads the tokens of a line, or those of a head up to its colon with the extent of its body.
    fn read_line_or_head(&mut self, place: LineContext, braces: bool) -> (Vec<FormatToken>, Option<BodyExtent>) {
        let mut found: Vec<FormatToken> = self.tokens.next().into_iter().collect();
        if found.first().is_some_and(|first| first.is_word("where")) {
            found.extend(self.tokens.next_if(|token| token.is_mark(":")));
            return (found, Some(BodyExtent::Where));
        }
        let mut depth: i32 = found.iter().map(bracket_depth_change).sum();
        let ends = |token: &FormatToken| token.is_mark(";") || token.is_word("where") || braces && token.is_mark("}");
        while let Some(token) = self.tokens.next_if(|token| !ends(token)) {
            depth += bracket_depth_change(&token);
            let colon = depth == 0 && token.is_mark(":");
            found.push(token);
            let extent = if colon { body_extent(&found, place) } else { None };
            if extent.is_some() {
                return (found, extent);
            }
        }
        (found, None)
    }

    /// Skips lines that are nested too deeply.
    fn skip_remaining(&mut self) {
        self.tokens.by_ref().for_each(drop);
    }
}

/// Returns the extent of a head's body, or `None` if such a line opens no block.
fn body_extent(head: &[FormatToken], place: LineContext) -> Option<BodyExtent> {
    let is = |word: &str| head.first().is_some_and(|token| token.is_word(word));
    match place {
        LineContext::Rules if is("subtask") => Some(BodyExtent::Subtask),
        LineContext::Rules if is("if") => Some(BodyExtent::OneLine),
        LineContext::Rules if is("forall") || is("exists") => match &head.get(1)?.kind {
            FormatTokenKind::Name(name) => Some(BodyExtent::OneLineBinding(name.clone())),
            _ => None,
        },
        LineContext::Rules => None,
        LineContext::Layout | LineContext::Forms if is("cases") => Some(BodyExtent::UntilWhere),
        LineContext::Layout | LineContext::Forms if is("repeat") || is("if") => Some(BodyExtent::OneLine),
        LineContext::Layout | LineContext::Forms if is("either") => Some(BodyExtent::Alternatives),
        LineContext::Forms => Some(BodyExtent::OneLine),
        LineContext::Layout => None,
    }
}

fn context_below(head: &BlockHead, place: LineContext) -> LineContext {
    match &head.extent {
        BodyExtent::Where => LineContext::Rules,
        BodyExtent::Alternatives => LineContext::Forms,
        _ if place == LineContext::Rules => LineContext::Rules,
        _ => LineContext::Layout,
    }
}

fn bracket_depth_change(token: &FormatToken) -> i32 {
    let is = |marks: [&str; 2]| i32::from(marks.iter().any(|mark| token.is_mark(mark)));
    is(["(", "["]) - is([")", "]"])
}

// A position between the pieces of a line, from which the body of a block may begin.

/// A piece without its first heads, and the pieces after it: a possible start of a body.
#[derive(Clone, Copy)]
pub(super) struct RemainingPieces<'p> {
    pub(super) piece: &'p LinePiece,
    /// Number of heads before this position.
    pub(super) level: usize,
    pub(super) following: &'p [LinePiece],
}

impl<'p> RemainingPieces<'p> {
    /// Returns the position after one more head.
    pub(super) fn after_head(self) -> RemainingPieces<'p> {
        RemainingPieces { level: self.level + 1, ..self }
    }

    /// Returns the number of following pieces that a body extends over if only the end of its section ends it: `where`
    /// ends a layout, and `subtask` ends a list of constraints.
    pub(super) fn body_limit(self, extent: &BodyExtent) -> usize {
        let ends = |piece: &LinePiece| match extent {
            BodyExtent::Where => piece.starts_with_word("where"),
            _ => piece.starts_with_word("where") || piece.starts_with_word("subtask"),
        };
        self.following.iter().position(ends).unwrap_or(self.following.len())
    }

    /// Returns the level of the outermost head with an unclear extent.
    pub(super) fn ambiguous_level(self) -> Option<usize> {
        let next = self.body_limit(&BodyExtent::OneLine);
        let heads = || (self.level..self.piece.heads.len()).filter(|level| !self.piece.is_braced(*level));
        let extent = |level: usize| &self.piece.heads[level].extent;
        // The body of a head that extends over several lines leaves no line to the blocks around it.
        if let Some(level) =
            heads().find(|level| !matches!(extent(*level), BodyExtent::OneLine | BodyExtent::OneLineBinding(_)))
        {
            return Some(level).filter(|level| *extent(*level) == BodyExtent::Alternatives && next > 1);
        }
        heads().find(|level| match extent(*level) {
            BodyExtent::OneLineBinding(name) => self.following[..next].iter().any(|piece| piece.mentions_name(name)),
            _ => next > 0,
        })
    }
}
