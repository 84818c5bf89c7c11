//! What the position is worth, so that a shape can ask for a close one.

use super::board::Parts;

/// By how many squares the player to move loses.
///
/// Whoever opens a chain of three or more gives the other the choice to take it whole or to leave its last two
/// squares; of a loop, its last four. Of chains, the opener takes the shortest there is, and of loops too; whether a
/// chain or a loop comes first, only the value tells.
pub(super) fn deficit(parts: &Parts) -> i64 {
    let sorted = |lengths: &[usize]| {
        let mut lengths: Vec<i64> = lengths.iter().map(|length| *length as i64).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    };
    let chains = sorted(&parts.chains);
    let long = chains.partition_point(|length| *length > 2);
    let loops = sorted(&parts.loops);
    let opened = |rest: i64, length: i64, kept: i64| (rest - kept).abs() + length - kept;
    // worth[j]: with the longest chains so far, and the j longest loops.
    let mut worth = vec![0];
    for (j, length) in loops.iter().enumerate() {
        worth.push(opened(worth[j], *length, 4));
    }
    for chain in &chains[..long] {
        worth[0] = opened(worth[0], *chain, 2);
        for (j, length) in loops.iter().enumerate() {
            worth[j + 1] = opened(worth[j + 1], *chain, 2).min(opened(worth[j], *length, 4));
        }
    }
    let rest = worth.last().copied().unwrap_or(0);
    chains[long..].iter().fold(rest, |rest, length| length - rest)
}
