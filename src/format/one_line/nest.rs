//! Pieces to a tree of lines, by what bodies without braces take.

use super::OpenBlock;
use super::pieces::{End, Piece, Takes};
use super::repairs::repairs;
use crate::diagnostic::Span;
use crate::format::lines::Line;

/// A piece without its first heads, and the pieces behind it: what a body can begin with.
#[derive(Clone, Copy)]
pub(super) struct Rest<'p> {
    pub(super) piece: &'p Piece,
    /// How many of its heads stand in front of this.
    pub(super) level: usize,
    pub(super) following: &'p [Piece],
}

impl<'p> Rest<'p> {
    /// The same behind one more head.
    pub(super) fn inner(self) -> Rest<'p> {
        Rest { level: self.level + 1, ..self }
    }

    /// How many of the following pieces belong to a body that takes all of them: constraints end a layout, and subtasks end
    /// a list of constraints.
    pub(super) fn reach(self, takes: &Takes) -> usize {
        let ends = |piece: &Piece| match takes {
            Takes::Where => piece.begins("where"),
            _ => piece.begins("where") || piece.begins("subtask"),
        };
        self.following.iter().position(ends).unwrap_or(self.following.len())
    }

    /// Returns the level of the outermost head of which it is not clear what belongs to it.
    fn open_level(self) -> Option<usize> {
        let next = self.reach(&Takes::One);
        let heads = || (self.level..self.piece.heads.len()).filter(|level| !self.piece.is_braced(*level));
        let takes = |level: usize| &self.piece.heads[level].takes;
        // What takes more than one line leaves nothing to the blocks around it.
        if let Some(level) = heads().find(|level| !matches!(takes(*level), Takes::One | Takes::OneWith(_))) {
            return Some(level).filter(|level| *takes(*level) == Takes::Forms && next > 1);
        }
        heads().find(|level| match takes(*level) {
            Takes::OneWith(name) => self.following[..next].iter().any(|piece| piece.mentions(name)),
            _ => next > 0,
        })
    }
}

/// The lines of some pieces.
pub(super) fn nest(pieces: &[Piece], open: &mut Vec<OpenBlock>) -> Vec<Line> {
    match pieces.split_first() {
        Some((piece, following)) => sequence(Rest { piece, level: 0, following }, open, true),
        None => Vec::new(),
    }
}

/// The lines of a body. If it is not `clear` what belongs to one of its lines, or to one around it, that was noted.
fn sequence(mut rest: Rest<'_>, open: &mut Vec<OpenBlock>, mut clear: bool) -> Vec<Line> {
    let mut found = Vec::new();
    loop {
        if clear && let Some(level) = rest.open_level() {
            open.push(open_block(rest, level));
            clear = false;
        }
        let (line, taken) = line(rest, open, clear);
        found.push(line);
        let Some((piece, following)) = rest.following[taken..].split_first() else { return found };
        rest = Rest { piece, level: 0, following };
    }
}

fn open_block(rest: Rest<'_>, level: usize) -> OpenBlock {
    let reach = rest.reach(&Takes::One);
    let head = rest.piece.heads[level].span();
    let following = &rest.following[..reach];
    let last = following.last().map_or(rest.piece.span, |piece| piece.span);
    // The first two lines of an `either` are forms.
    let forms = usize::from(rest.piece.heads[level].takes == Takes::Forms);
    OpenBlock {
        head: Span::new(head.start, head.end - 1),
        next: following.get(forms).map_or(last, |piece| piece.span),
        stretch: Span::new(rest.piece.start_of(rest.level), last.end),
        repairs: repairs(Rest { following, ..rest }),
    }
}

/// The line that a piece begins with, and how many of the following pieces are in its body.
fn line(rest: Rest<'_>, open: &mut Vec<OpenBlock>, clear: bool) -> (Line, usize) {
    let piece = rest.piece;
    let Some(head) = piece.heads.get(rest.level) else {
        let tokens = if let End::Line(tokens) = &piece.end { tokens.clone() } else { Vec::new() };
        return (Line { tokens, body: Vec::new(), braced: false }, 0);
    };
    let last = rest.level + 1 == piece.heads.len();
    let taken = match head.takes {
        Takes::One | Takes::OneWith(_) => 0,
        Takes::Forms | Takes::Rest | Takes::Subtask | Takes::Where => rest.reach(&head.takes),
    };
    let one = matches!(head.takes, Takes::One | Takes::OneWith(_));
    let following = &rest.following[..taken];
    let (body, taken) = match &piece.end {
        End::Braces(inside) if last => (nest(inside, open), 0),
        End::Nothing if last => (nest(following, open), taken),
        // Its line may be the head of a block that takes more.
        _ if one => {
            let (inner, taken) = line(rest.inner(), open, clear);
            (vec![inner], taken)
        }
        _ => (sequence(Rest { following, ..rest.inner() }, open, clear), taken),
    };
    (Line { tokens: head.tokens.clone(), body, braced: piece.is_braced(rest.level) }, taken)
}
