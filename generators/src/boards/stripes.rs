//! Boards that repeat: stripes, checkers, equal rows.

use super::Board;
use crate::choices::Choices;

pub(super) fn equal_rows(c: &mut Choices, board: &mut Board) {
    let row: Vec<u8> = (0..board.cols).map(|_| board.letter(c)).collect();
    board.fill(|_, k| row[k]);
}

pub(super) fn checkerboard(c: &mut Choices, board: &mut Board) {
    board.fill_figure(c, |r, k| (r + k) % 2 == 1);
}

pub(super) fn by_row(c: &mut Choices, board: &mut Board) {
    let stripe = Stripe::draw(c, board, board.rows);
    board.fill(|r, _| stripe.letter(r));
}

pub(super) fn by_column(c: &mut Choices, board: &mut Board) {
    let stripe = Stripe::draw(c, board, board.cols);
    board.fill(|_, k| stripe.letter(k));
}

pub(super) fn diagonal(c: &mut Choices, board: &mut Board) {
    let rows = board.rows;
    let stripe = Stripe::draw(c, board, rows.min(board.cols));
    if c.chance(1, 2) {
        board.fill(|r, k| stripe.letter(r + k));
    } else {
        board.fill(|r, k| stripe.letter(rows - 1 - r + k));
    }
}

/// Bands of equal width whose letters take turns: two of them, or all.
struct Stripe {
    width: usize,
    letters: Vec<u8>,
}

impl Stripe {
    fn draw(c: &mut Choices, board: &Board, across: usize) -> Stripe {
        let width = c.log_range(1, (across / 2).max(1) as i128) as usize;
        let (one, two) = board.ground_and_figure(c);
        let letters = if c.chance(1, 2) { (0..=board.last).collect() } else { vec![one, two] };
        Stripe { width, letters }
    }

    fn letter(&self, at: usize) -> u8 {
        self.letters[at / self.width % self.letters.len()]
    }
}
