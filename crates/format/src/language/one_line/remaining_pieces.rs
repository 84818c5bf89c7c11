//! A position between the pieces of a line, from which the body of a block may begin.

use super::splitter::{BodyExtent, LinePiece};

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
