//! The value of a position, so that a shape can select a close one.

use super::board::DotBoardParts;

/// Returns the number of squares by which the player to move loses.
///
/// The player who opens a chain of three or more gives the opponent the choice to take all of it or to leave its last
/// two squares; for a loop, the last four. The player opens the shortest chain or the shortest loop; which of them is
/// better depends on the values.
pub fn deficit_of_mover(parts: &DotBoardParts) -> i64 {
    let sorted = |lengths: &[usize]| {
        let mut lengths: Vec<i64> = lengths.iter().map(|length| *length as i64).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        lengths
    };
    let chains = sorted(&parts.chains);
    let long = chains.partition_point(|length| *length > 2);
    let loops = sorted(&parts.loops);
    let opened = |rest: i64, length: i64, kept: i64| (rest - kept).abs() + length - kept;
    // `worth[j]`: the value with the longest chains so far and the `j` longest loops.
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
