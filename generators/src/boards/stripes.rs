//! Boards that repeat: stripes, checkers, equal rows.

use super::LetterBoard;
use crate::choices::Choices;

pub(super) fn draw_equal_rows(c: &mut Choices, board: &mut LetterBoard) {
    let row: Vec<u8> = (0..board.cols).map(|_| board.draw_letter(c)).collect();
    board.fill_cells(|_, k| row[k]);
}

pub(super) fn draw_checkerboard(c: &mut Choices, board: &mut LetterBoard) {
    board.fill_figure(c, |r, k| (r + k) % 2 == 1);
}

pub(super) fn draw_row_stripes(c: &mut Choices, board: &mut LetterBoard) {
    let stripe = StripePattern::draw_pattern(c, board, board.rows);
    board.fill_cells(|r, _| stripe.letter_at(r));
}

pub(super) fn draw_column_stripes(c: &mut Choices, board: &mut LetterBoard) {
    let stripe = StripePattern::draw_pattern(c, board, board.cols);
    board.fill_cells(|_, k| stripe.letter_at(k));
}

pub(super) fn draw_diagonal_stripes(c: &mut Choices, board: &mut LetterBoard) {
    let rows = board.rows;
    let stripe = StripePattern::draw_pattern(c, board, rows.min(board.cols));
    if c.draw_chance(1, 2) {
        board.fill_cells(|r, k| stripe.letter_at(r + k));
    } else {
        board.fill_cells(|r, k| stripe.letter_at(rows - 1 - r + k));
    }
}

/// Bands of equal width that cycle through two letters, or through all.
struct StripePattern {
    width: usize,
    letters: Vec<u8>,
}

impl StripePattern {
    fn draw_pattern(c: &mut Choices, board: &LetterBoard, across: usize) -> StripePattern {
        let width = c.draw_log_range(1, (across / 2).max(1) as i128) as usize;
        let (one, two) = board.ground_and_figure(c);
        let letters = if c.draw_chance(1, 2) { (0..=board.last).collect() } else { vec![one, two] };
        StripePattern { width, letters }
    }

    fn letter_at(&self, at: usize) -> u8 {
        self.letters[at / self.width % self.letters.len()]
    }
}
