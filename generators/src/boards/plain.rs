//! Boards without structure: how often each letter occurs.

use super::Board;
use crate::choices::Choices;

pub(super) fn uniform(c: &mut Choices, board: &mut Board) {
    let last = u64::from(board.last);
    board.fill(|_, _| c.up_to(last) as u8);
}

pub(super) fn one_letter(c: &mut Choices, board: &mut Board) {
    let letter = board.letter(c);
    board.fill(|_, _| letter);
}

pub(super) fn sparse(c: &mut Choices, board: &mut Board) {
    let ground = board.letter(c);
    let cells = (board.rows * board.cols) as u64;
    // Few in the whole board, not few in a hundred: a lone piece on a large board is a case of its own.
    let pieces = c.log_range(1, i128::from(cells / 4 + 1)) as u64;
    board.fill(|_, _| ground);
    for _ in 0..pieces {
        let at = c.below(cells) as usize;
        board.cells[at / board.cols][at % board.cols] = c.up_to_except(board.last, ground);
    }
}

pub(super) fn one_odd_cell(c: &mut Choices, board: &mut Board) {
    let (row, col) = (place(c, board.rows - 1), place(c, board.cols - 1));
    board.fill_figure(c, |r, k| (r, k) == (row, col));
}

/// A coordinate in `0..=last`, at either end as often as between: neighbours go missing at borders and corners.
pub(super) fn place(c: &mut Choices, last: usize) -> usize {
    match c.weighted(&[2, 1, 1]) {
        0 => c.index(last + 1),
        1 => 0,
        _ => last,
    }
}

pub(super) fn dense(c: &mut Choices, board: &mut Board) {
    let (common, rare) = board.ground_and_figure(c);
    let last = u64::from(board.last);
    board.fill(|_, _| match c.up_to(last) as u8 {
        letter if letter != rare => letter,
        _ if c.chance(1, 8) => rare,
        _ => common,
    });
}

pub(super) fn symmetric(c: &mut Choices, board: &mut Board) {
    uniform(c, board);
    let axes = c.below(3);
    if axes != 1 {
        board.cells.iter_mut().for_each(|row| mirror(row));
    }
    if axes != 0 {
        mirror(&mut board.cells);
    }
}

fn mirror<T: Clone>(line: &mut [T]) {
    let len = line.len();
    for i in 0..len / 2 {
        line[len - 1 - i] = line[i].clone();
    }
}

pub(super) fn half_and_half(c: &mut Choices, board: &mut Board) {
    let across = c.chance(1, 2);
    let lines = if across { board.rows } else { board.cols };
    let cut = 1 + c.index(lines.saturating_sub(1));
    board.fill_figure(c, |r, k| if across { r < cut } else { k < cut });
}
