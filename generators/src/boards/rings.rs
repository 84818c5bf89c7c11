//! Rectangles, hollow or filled, and where they touch the border.

use super::{Board, plain};
use crate::choices::Choices;

pub(super) fn border(c: &mut Choices, board: &mut Board) {
    let (bottom, right) = (board.rows - 1, board.cols - 1);
    board.fill_figure(c, |r, k| r == 0 || k == 0 || r == bottom || k == right);
}

pub(super) fn frame(c: &mut Choices, board: &mut Board) {
    let (rows, cols) = (stretch(c, board.rows), stretch(c, board.cols));
    let on_edge = |at: usize, (from, to): (usize, usize)| at == from || at == to;
    board.fill_figure(c, |r, k| within(r, rows) && within(k, cols) && (on_edge(r, rows) || on_edge(k, cols)));
}

pub(super) fn rectangle(c: &mut Choices, board: &mut Board) {
    let (rows, cols) = (stretch(c, board.rows), stretch(c, board.cols));
    board.fill_figure(c, |r, k| within(r, rows) && within(k, cols));
}

pub(super) fn corner(c: &mut Choices, board: &mut Board) {
    let side = c.log_range(1, board.rows.min(board.cols) as i128) as usize;
    let (at_bottom, at_right) = (c.chance(1, 2), c.chance(1, 2));
    let (rows, cols) = (board.rows, board.cols);
    let inside = |at: usize, size: usize, at_end: bool| if at_end { at + side >= size } else { at < side };
    board.fill_figure(c, |r, k| inside(r, rows, at_bottom) && inside(k, cols, at_right));
}

/// The first and the last line of a stretch within `size` lines.
fn stretch(c: &mut Choices, size: usize) -> (usize, usize) {
    let (a, b) = (plain::place(c, size - 1), plain::place(c, size - 1));
    (a.min(b), a.max(b))
}

fn within(at: usize, (from, to): (usize, usize)) -> bool {
    (from..=to).contains(&at)
}
