//! Boards without structure: how often each letter occurs.

use super::LetterBoard;
use crate::choices::Choices;

pub(super) fn draw_uniform(c: &mut Choices, board: &mut LetterBoard) {
    let last = u64::from(board.last);
    board.fill_cells(|_, _| c.draw_up_to(last) as u8);
}

pub(super) fn draw_one_letter(c: &mut Choices, board: &mut LetterBoard) {
    let letter = board.draw_letter(c);
    board.fill_cells(|_, _| letter);
}

pub(super) fn draw_sparse(c: &mut Choices, board: &mut LetterBoard) {
    let ground = board.draw_letter(c);
    let cells = (board.rows * board.cols) as u64;
    // The number of pieces is independent of the size of the board: a lone piece on a large board is a case of its own.
    let pieces = c.draw_log_range(1, i128::from(cells / 4 + 1)) as u64;
    board.fill_cells(|_, _| ground);
    for _ in 0..pieces {
        let at = c.draw_below(cells) as usize;
        board.cells[at / board.cols][at % board.cols] = c.draw_up_to_except(board.last, ground);
    }
}

pub(super) fn draw_one_odd_cell(c: &mut Choices, board: &mut LetterBoard) {
    let (row, col) = (choose_coordinate(c, board.rows - 1), choose_coordinate(c, board.cols - 1));
    board.fill_figure(c, |r, k| (r, k) == (row, col));
}

/// Draws a coordinate in `0..=last`. Half of the time it is one of the two ends, because cells at borders and corners
/// lack neighbours.
pub(super) fn choose_coordinate(c: &mut Choices, last: usize) -> usize {
    match c.draw_weighted(&[2, 1, 1]) {
        0 => c.draw_index(last + 1),
        1 => 0,
        _ => last,
    }
}

pub(super) fn draw_dense(c: &mut Choices, board: &mut LetterBoard) {
    let (common, rare) = board.ground_and_figure(c);
    let last = u64::from(board.last);
    board.fill_cells(|_, _| match c.draw_up_to(last) as u8 {
        letter if letter != rare => letter,
        _ if c.draw_chance(1, 8) => rare,
        _ => common,
    });
}

pub(super) fn draw_symmetric(c: &mut Choices, board: &mut LetterBoard) {
    draw_uniform(c, board);
    let axes = c.draw_below(3);
    if axes != 1 {
        board.cells.iter_mut().for_each(|row| mirror_line(row));
    }
    if axes != 0 {
        mirror_line(&mut board.cells);
    }
}

fn mirror_line<T: Clone>(line: &mut [T]) {
    let len = line.len();
    for i in 0..len / 2 {
        line[len - 1 - i] = line[i].clone();
    }
}

pub(super) fn draw_half_and_half(c: &mut Choices, board: &mut LetterBoard) {
    let across = c.draw_chance(1, 2);
    let lines = if across { board.rows } else { board.cols };
    let cut = 1 + c.draw_index(lines.saturating_sub(1));
    board.fill_figure(c, |r, k| if across { r < cut } else { k < cut });
}
