//! Islands: a few connected regions of different sizes.

use super::Board;
use crate::choices::Choices;

/// Each cell is compared with every blob, so there are only a few.
const MOST_BLOBS: i128 = 6;

struct Blob {
    row: usize,
    col: usize,
    radius: usize,
    letter: u8,
}

impl Blob {
    fn draw(c: &mut Choices, board: &Board) -> Blob {
        let widest = (board.rows.min(board.cols) / 2).max(1);
        Blob {
            row: c.index(board.rows),
            col: c.index(board.cols),
            radius: c.log_range(0, widest as i128) as usize,
            letter: board.letter(c),
        }
    }

    fn covers(&self, row: usize, col: usize) -> bool {
        self.row.abs_diff(row).pow(2) + self.col.abs_diff(col).pow(2) <= self.radius.pow(2)
    }
}

pub(super) fn blobs(c: &mut Choices, board: &mut Board) {
    let ground = board.letter(c);
    let count = c.range(1, MOST_BLOBS);
    let blobs: Vec<Blob> = (0..count).map(|_| Blob::draw(c, board)).collect();
    board.fill(|r, k| blobs.iter().find(|blob| blob.covers(r, k)).map_or(ground, |blob| blob.letter));
}
