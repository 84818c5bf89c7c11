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
    let (ground, last) = (board.letter(c), u64::from(board.last));
    let cells = (board.rows * board.cols) as u64;
    // Few in the whole board, not few in a hundred: a lone piece on a large board is a case of its own.
    let pieces = c.log_range(1, i128::from(cells / 4 + 1)) as u64;
    board.fill(|_, _| ground);
    for _ in 0..pieces {
        let at = c.below(cells) as usize;
        board.cells[at / board.cols][at % board.cols] = c.up_to(last) as u8;
    }
}

pub(super) fn half_and_half(c: &mut Choices, board: &mut Board) {
    let (ground, figure) = board.ground_and_figure(c);
    let (across, swapped) = (c.chance(1, 2), c.chance(1, 2));
    let cut = if across { c.index(board.rows + 1) } else { c.index(board.cols + 1) };
    board.fill(|r, k| if (if across { r } else { k } < cut) == swapped { figure } else { ground });
}
