//! Islands: a few connected regions of different sizes.

use super::LetterBoard;
use crate::choices::Choices;
use crate::tuning::MAX_BLOBS;

struct RoundBlob {
    row: usize,
    col: usize,
    radius: usize,
    letter: u8,
}

impl RoundBlob {
    fn draw_blob(c: &mut Choices, board: &LetterBoard) -> RoundBlob {
        let widest = (board.rows.min(board.cols) / 2).max(1);
        RoundBlob {
            row: c.draw_index(board.rows),
            col: c.draw_index(board.cols),
            radius: c.draw_log_range(0, widest as i128) as usize,
            letter: board.draw_letter(c),
        }
    }

    fn covers_cell(&self, row: usize, col: usize) -> bool {
        self.row.abs_diff(row).pow(2) + self.col.abs_diff(col).pow(2) <= self.radius.pow(2)
    }
}

pub(super) fn draw_blobs(c: &mut Choices, board: &mut LetterBoard) {
    let ground = board.draw_letter(c);
    let count = c.draw_range(1, MAX_BLOBS);
    let blobs: Vec<RoundBlob> = (0..count).map(|_| RoundBlob::draw_blob(c, board)).collect();
    board.fill_cells(|r, k| blobs.iter().find(|blob| blob.covers_cell(r, k)).map_or(ground, |blob| blob.letter));
}
