//! Lines: runs of one letter, with and without a gap, in any direction and along borders.

use super::{LetterBoard, unstructured};
use crate::choices::Choices;

/// The eight directions, as steps of row and column.
const DIRECTIONS: [(isize, isize); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

pub(super) fn draw_straight_line(c: &mut Choices, board: &mut LetterBoard) {
    let cells = choose_line_cells(c, board);
    paint_cells(c, board, &cells);
}

pub(super) fn draw_line_with_gap(c: &mut Choices, board: &mut LetterBoard) {
    let mut cells = choose_line_cells(c, board);
    let gap = unstructured::choose_coordinate(c, cells.len() - 1);
    cells.remove(gap);
    paint_cells(c, board, &cells);
}

/// Draws the cells of a line that fits on the board.
fn choose_line_cells(c: &mut Choices, board: &LetterBoard) -> Vec<(usize, usize)> {
    let (down, right) = DIRECTIONS[c.draw_index(DIRECTIONS.len())];
    let longest = match (down, right) {
        (0, _) => board.cols,
        (_, 0) => board.rows,
        _ => board.rows.min(board.cols),
    };
    let length = if c.draw_chance(1, 4) { longest } else { 1 + c.draw_index(longest) };
    let row = choose_line_start(c, board.rows, length, down);
    let col = choose_line_start(c, board.cols, length, right);
    let along = |first: usize, step: isize, i: usize| first.saturating_add_signed(step * i as isize);
    (0..length).map(|i| (along(row, down, i), along(col, right, i))).collect()
}

/// Draws a first coordinate from which `length` steps stay within `size`.
fn choose_line_start(c: &mut Choices, size: usize, length: usize, step: isize) -> usize {
    match step {
        0 => unstructured::choose_coordinate(c, size - 1),
        1 => unstructured::choose_coordinate(c, size - length),
        _ => length - 1 + unstructured::choose_coordinate(c, size - length),
    }
}

/// Paints the cells with one letter, on a ground of one other letter or of all other letters.
fn paint_cells(c: &mut Choices, board: &mut LetterBoard, cells: &[(usize, usize)]) {
    let (ground, figure) = board.ground_and_figure(c);
    let (busy, last) = (c.draw_chance(1, 3), u64::from(board.last));
    board.fill_cells(|_, _| {
        let letter = if busy { c.draw_up_to(last) as u8 } else { ground };
        if letter == figure { ground } else { letter }
    });
    for (r, k) in cells {
        board.cells[*r][*k] = figure;
    }
}

pub(super) fn draw_cross(c: &mut Choices, board: &mut LetterBoard) {
    let (row, col) =
        (unstructured::choose_coordinate(c, board.rows - 1), unstructured::choose_coordinate(c, board.cols - 1));
    board.fill_figure(c, |r, k| r == row || k == col);
}

pub(super) fn draw_diagonals(c: &mut Choices, board: &mut LetterBoard) {
    let (row, col) =
        (unstructured::choose_coordinate(c, board.rows - 1), unstructured::choose_coordinate(c, board.cols - 1));
    board.fill_figure(c, |r, k| r.abs_diff(row) == k.abs_diff(col));
}
