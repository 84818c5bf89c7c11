//! Where a planted line lies.

use super::board::Cell;
use crate::choices::Choices;

/// Where a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Wherever the line fits.
    Anywhere,
    /// So that the whole line lies on the border.
    Border,
    /// In a corner, or on the border if the line cannot reach further.
    Corner,
}

/// Steps of row and column, in the eight directions; the straight ones first.
const DIRECTIONS: [(isize, isize); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The cells of a line of `length` on a board of this side, one after the other.
pub(super) fn draw(c: &mut Choices, side: usize, length: usize, start: Start) -> Vec<Cell> {
    let directions = if start == Start::Border { 4 } else { 8 };
    let (down, right) = DIRECTIONS[c.index(directions)];
    let row = first(c, side, length, down, start);
    let col = first(c, side, length, right, start);
    let along = |from: usize, step: isize, i: usize| from.saturating_add_signed(step * i as isize);
    (0..length).map(|i| (along(row, down, i), along(col, right, i))).collect()
}

/// A first coordinate from which the line stays on the board.
fn first(c: &mut Choices, side: usize, length: usize, step: isize, start: Start) -> usize {
    let (lowest, highest) = match step {
        0 => (0, side - 1),
        1 => (0, side - length),
        _ => (length - 1, side - 1),
    };
    let on_edge = match start {
        Start::Anywhere => false,
        Start::Border => step == 0,
        Start::Corner => true,
    };
    match step {
        _ if !on_edge => lowest + c.index(highest - lowest + 1),
        0 if c.chance(1, 2) => highest,
        0 | 1 => lowest,
        _ => highest,
    }
}
