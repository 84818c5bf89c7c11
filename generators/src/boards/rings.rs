//! Rectangles, hollow or filled, some of them along the border.

use super::{LetterBoard, unstructured};
use crate::choices::Choices;

pub(super) fn draw_border(c: &mut Choices, board: &mut LetterBoard) {
    let (bottom, right) = (board.rows - 1, board.cols - 1);
    board.fill_figure(c, |r, k| r == 0 || k == 0 || r == bottom || k == right);
}

pub(super) fn draw_frame(c: &mut Choices, board: &mut LetterBoard) {
    let (rows, cols) = (choose_stretch(c, board.rows), choose_stretch(c, board.cols));
    let on_edge = |at: usize, (from, to): (usize, usize)| at == from || at == to;
    board.fill_figure(c, |r, k| is_within(r, rows) && is_within(k, cols) && (on_edge(r, rows) || on_edge(k, cols)));
}

pub(super) fn draw_rectangle(c: &mut Choices, board: &mut LetterBoard) {
    let (rows, cols) = (choose_stretch(c, board.rows), choose_stretch(c, board.cols));
    board.fill_figure(c, |r, k| is_within(r, rows) && is_within(k, cols));
}

pub(super) fn draw_corner(c: &mut Choices, board: &mut LetterBoard) {
    let side = c.draw_log_range(1, board.rows.min(board.cols) as i128) as usize;
    let (at_bottom, at_right) = (c.draw_chance(1, 2), c.draw_chance(1, 2));
    let (rows, cols) = (board.rows, board.cols);
    let inside = |at: usize, size: usize, at_end: bool| if at_end { at + side >= size } else { at < side };
    board.fill_figure(c, |r, k| inside(r, rows, at_bottom) && inside(k, cols, at_right));
}

/// Draws the first and the last line of a range within `size` lines.
fn choose_stretch(c: &mut Choices, size: usize) -> (usize, usize) {
    let (a, b) = (unstructured::choose_coordinate(c, size - 1), unstructured::choose_coordinate(c, size - 1));
    (a.min(b), a.max(b))
}

fn is_within(at: usize, (from, to): (usize, usize)) -> bool {
    (from..=to).contains(&at)
}
