//! Builds the tree of logical lines of a format on one line: decides, for each head of a block, how many of the
//! following pieces belong to its body. Braces decide it; without them, the kind of the block does.

use super::AmbiguousBlock;
use super::splitter::{BodyExtent, LinePiece, PieceEnd, RemainingPieces};
use crate::language::logical_line::LogicalLine;
use rebut_diagnostics::Span;

pub(super) fn nest_pieces(pieces: &[LinePiece], open: &mut Vec<AmbiguousBlock>) -> Vec<LogicalLine> {
    match pieces.split_first() {
        Some((piece, following)) => nest_sequence(RemainingPieces { piece, level: 0, following }, open, true),
        None => Vec::new(),
    }
}

/// Nests the lines of a body, and adds the ambiguous blocks to `open`. `clear` is false if an ambiguity of this body or
/// of one around it has already been added: a user can only repair one at a time.
fn nest_sequence(mut rest: RemainingPieces<'_>, open: &mut Vec<AmbiguousBlock>, mut clear: bool) -> Vec<LogicalLine> {
    let mut found = Vec::new();
    loop {
        if clear && let Some(level) = rest.ambiguous_level() {
            open.push(ambiguous_block(rest, level));
            clear = false;
        }
        let (line, taken) = nest_line(rest, open, clear);
        found.push(line);
        let Some((piece, following)) = rest.following[taken..].split_first() else { return found };
        rest = RemainingPieces { piece, level: 0, following };
    }
}

fn ambiguous_block(rest: RemainingPieces<'_>, level: usize) -> AmbiguousBlock {
    let reach = rest.body_limit(&BodyExtent::OneLine);
    let (extent, head) = (&rest.piece.heads[level].extent, rest.piece.heads[level].token_span());
    let following = &rest.following[..reach];
    let end_after = |count: usize| count.checked_sub(1).map_or(rest.piece.span, |last| following[last].span).end;
    // The line after an `either` is certainly one of its alternatives; the next one is the first that is not clear.
    let certain = usize::from(*extent == BodyExtent::Alternatives);
    let shortest = match extent {
        // A line with the quantified name belongs to the quantifier.
        BodyExtent::OneLineBinding(_) => reach,
        BodyExtent::Alternatives => 1,
        _ => 0,
    };
    let start = rest.piece.start_of_level(level + 1);
    let mut bodies = vec![Span::new(start, end_after(reach)), Span::new(start, end_after(shortest))];
    bodies.dedup();
    AmbiguousBlock {
        head: Span::new(head.start, head.end - 1),
        next: following.get(certain).map_or(rest.piece.span, |piece| piece.span),
        stretch: Span::new(head.start, end_after(reach)),
        bodies,
    }
}

/// Returns the line at a position with its body, and the number of following pieces that the body contains.
fn nest_line(rest: RemainingPieces<'_>, open: &mut Vec<AmbiguousBlock>, clear: bool) -> (LogicalLine, usize) {
    let piece = rest.piece;
    let Some(head) = piece.heads.get(rest.level) else {
        let tokens = if let PieceEnd::Line(tokens) = &piece.end { tokens.clone() } else { Vec::new() };
        return (LogicalLine { tokens, body: Vec::new(), braced: false }, 0);
    };
    let is_last_head = rest.level + 1 == piece.heads.len();
    let taken = match head.extent {
        BodyExtent::OneLine | BodyExtent::OneLineBinding(_) => 0,
        BodyExtent::Alternatives | BodyExtent::UntilWhere | BodyExtent::Subtask | BodyExtent::Where => {
            rest.body_limit(&head.extent)
        }
    };
    let is_one_line = matches!(head.extent, BodyExtent::OneLine | BodyExtent::OneLineBinding(_));
    let following = &rest.following[..taken];
    let (body, taken) = match &piece.end {
        PieceEnd::Braces(inside) if is_last_head => (nest_pieces(inside, open), 0),
        PieceEnd::Nothing if is_last_head => (nest_pieces(following, open), taken),
        // The one line of this body is the rest of the piece, which may be a head whose body extends further.
        _ if is_one_line => {
            let (inner, taken) = nest_line(rest.after_head(), open, clear);
            (vec![inner], taken)
        }
        _ => (nest_sequence(RemainingPieces { following, ..rest.after_head() }, open, clear), taken),
    };
    (LogicalLine { tokens: head.tokens.clone(), body, braced: piece.is_braced(rest.level) }, taken)
}
