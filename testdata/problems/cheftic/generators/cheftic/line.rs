//! The position of a planted line.

use super::board::StoneCell;
use super::draws::index;
use super::rebut;

/// The start of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineStart {
    /// Any position at which the line fits.
    Anywhere,
    /// A position at which the whole line is on the border.
    Border,
    /// In a corner, or on the border if the line cannot reach further.
    Corner,
}

/// Steps of row and column, in the eight directions; the straight ones first.
const DIRECTIONS: [(isize, isize); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Draws the cells of a line of `length` on a board of this side, in order.
pub fn draw_line(side: usize, length: usize, start: LineStart) -> Vec<StoneCell> {
    let directions = if start == LineStart::Border { 4 } else { 8 };
    let (down, right) = DIRECTIONS[index(directions)];
    let row = first_coordinate(side, length, down, start);
    let col = first_coordinate(side, length, right, start);
    let along = |from: usize, step: isize, i: usize| from.saturating_add_signed(step * i as isize);
    (0..length).map(|i| (along(row, down, i), along(col, right, i))).collect()
}

/// Draws a first coordinate from which the line stays on the board.
fn first_coordinate(side: usize, length: usize, step: isize, start: LineStart) -> usize {
    let (lowest, highest) = match step {
        0 => (0, side - 1),
        1 => (0, side - length),
        _ => (length - 1, side - 1),
    };
    let on_edge = match start {
        LineStart::Anywhere => false,
        LineStart::Border => step == 0,
        LineStart::Corner => true,
    };
    match step {
        _ if !on_edge => lowest + index(highest - lowest + 1),
        0 if rebut::chance(1, 2) => highest,
        0 | 1 => lowest,
        _ => highest,
    }
}
