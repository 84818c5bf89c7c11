//! The edges of a bipartite graph as two columns. The vertices of each side have numbers of their own.

use crate::choices::Choices;
use crate::numbers::SequenceRequirements;

/// The left half of the vertices is a chain: each is adjacent to the vertex of the same number, and to the one before.
/// All others are adjacent only to the end of the chain, so that they find no partner. The draws of the two columns
/// must differ.
pub(super) fn anti_matching_ends(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let is_left = c.draw_chance(1, 2);
    let vertices = s.hi.saturating_sub(s.lo).saturating_add(1);
    let chain = (vertices / 2).min(s.len as i128 / 3).max(1);
    let end = |edge: i128| match edge {
        _ if edge < 2 * chain && is_left => edge / 2,
        _ if edge < 2 * chain => (edge / 2 - edge % 2).max(0),
        _ if is_left => edge - chain,
        _ => chain - 1,
    };
    (0..s.len as i128).map(|edge| s.lo.saturating_add(end(edge))).collect()
}
