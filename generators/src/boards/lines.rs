//! Lines: runs of one letter, with and without a gap, in any direction and along borders.

use super::{Board, plain};
use crate::choices::Choices;

/// Where the next cell of a line lies, as steps of row and column.
const DIRECTIONS: [(isize, isize); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

pub(super) fn line(c: &mut Choices, board: &mut Board) {
    let cells = draw_line(c, board);
    paint(c, board, &cells);
}

pub(super) fn line_with_gap(c: &mut Choices, board: &mut Board) {
    let mut cells = draw_line(c, board);
    let gap = plain::place(c, cells.len() - 1);
    cells.remove(gap);
    paint(c, board, &cells);
}

/// The cells of a line that fits on the board.
fn draw_line(c: &mut Choices, board: &Board) -> Vec<(usize, usize)> {
    let (down, right) = DIRECTIONS[c.index(DIRECTIONS.len())];
    let longest = match (down, right) {
        (0, _) => board.cols,
        (_, 0) => board.rows,
        _ => board.rows.min(board.cols),
    };
    let length = if c.chance(1, 4) { longest } else { 1 + c.index(longest) };
    let row = first_place(c, board.rows, length, down);
    let col = first_place(c, board.cols, length, right);
    let along = |first: usize, step: isize, i: usize| first.saturating_add_signed(step * i as isize);
    (0..length).map(|i| (along(row, down, i), along(col, right, i))).collect()
}

/// A first coordinate from which `length` steps stay within `size`.
fn first_place(c: &mut Choices, size: usize, length: usize, step: isize) -> usize {
    match step {
        0 => plain::place(c, size - 1),
        1 => plain::place(c, size - length),
        _ => length - 1 + plain::place(c, size - length),
    }
}

/// Draws the cells on a ground of one letter, or of all letters except that of the line.
fn paint(c: &mut Choices, board: &mut Board, cells: &[(usize, usize)]) {
    let (ground, figure) = board.ground_and_figure(c);
    let (busy, last) = (c.chance(1, 3), u64::from(board.last));
    board.fill(|_, _| {
        let letter = if busy { c.up_to(last) as u8 } else { ground };
        if letter == figure { ground } else { letter }
    });
    for (r, k) in cells {
        board.cells[*r][*k] = figure;
    }
}

pub(super) fn cross(c: &mut Choices, board: &mut Board) {
    let (row, col) = (plain::place(c, board.rows - 1), plain::place(c, board.cols - 1));
    board.fill_figure(c, |r, k| r == row || k == col);
}

pub(super) fn diagonals(c: &mut Choices, board: &mut Board) {
    let (row, col) = (plain::place(c, board.rows - 1), plain::place(c, board.cols - 1));
    board.fill_figure(c, |r, k| r.abs_diff(row) == k.abs_diff(col));
}
