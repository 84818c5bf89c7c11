//! Boards with a habit.
//!
//! A board here is rows of letter indices `0..letters`; what the letters look like is the format's business. On a
//! random board there are no walls, no rooms, no long lines, and nothing touches a border on purpose.

mod plain;

use crate::choices::Choices;

/// A named habit of a board.
#[derive(Debug)]
pub struct BoardShape {
    /// What recipes call it.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, &mut Board),
}

impl BoardShape {
    /// `rows` rows of `cols` letters with this habit, each below `letters`. Alphabets end at 256 letters, and an empty
    /// one counts as one letter.
    #[must_use]
    pub fn make(&self, c: &mut Choices, rows: usize, cols: usize, letters: usize) -> Vec<Vec<u8>> {
        let last = (letters.clamp(1, 256) - 1) as u8;
        let mut board = Board { rows, cols, last, cells: vec![vec![0; cols]; rows] };
        if rows > 0 && cols > 0 && last > 0 {
            (self.make)(c, &mut board);
        }
        board.cells
    }
}

/// The board under construction: at least one cell, and an alphabet of at least two letters, given by its last.
struct Board {
    rows: usize,
    cols: usize,
    last: u8,
    cells: Vec<Vec<u8>>,
}

impl Board {
    fn letter(&self, c: &mut Choices) -> u8 {
        c.up_to(u64::from(self.last)) as u8
    }

    /// Two different letters: what stands around, and what stands out.
    fn ground_and_figure(&self, c: &mut Choices) -> (u8, u8) {
        let ground = self.letter(c);
        let skipping = c.below(u64::from(self.last)) as u8;
        (ground, if skipping < ground { skipping } else { skipping + 1 })
    }

    /// Sets every cell to what `letter` says for its row and column.
    fn fill(&mut self, mut letter: impl FnMut(usize, usize) -> u8) {
        for (r, row) in self.cells.iter_mut().enumerate() {
            for (k, cell) in row.iter_mut().enumerate() {
                *cell = letter(r, k);
            }
        }
    }
}

/// Every habit of boards. The first is the plain one.
pub const BOARD_SHAPES: &[BoardShape] = &[
    BoardShape { name: "uniform", doc: "every letter equally likely", make: plain::uniform },
    BoardShape { name: "one-letter", doc: "one letter throughout", make: plain::one_letter },
    BoardShape { name: "sparse", doc: "one letter nearly everywhere", make: plain::sparse },
    BoardShape { name: "half-and-half", doc: "one letter on each side of a straight cut", make: plain::half_and_half },
];
