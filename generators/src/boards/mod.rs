//! Boards with a habit.
//!
//! A board here is rows of letter indices `0..letters`; what the letters look like is the format's business. On a
//! random board there are no walls, no rooms, no long lines, and nothing touches a border on purpose.

mod blobs;
mod lines;
mod plain;
mod rings;
mod stripes;
mod walls;

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
        // Not `vec![row; rows]`: it makes one row even where there is none, and that may be of any length.
        let cells = std::iter::repeat_with(|| vec![0; cols]).take(rows).collect();
        let mut board = Board { rows, cols, last, cells };
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
        (ground, c.up_to_except(self.last, ground))
    }

    /// Sets every cell to what `letter` says for its row and column.
    fn fill(&mut self, mut letter: impl FnMut(usize, usize) -> u8) {
        for (r, row) in self.cells.iter_mut().enumerate() {
            for (k, cell) in row.iter_mut().enumerate() {
                *cell = letter(r, k);
            }
        }
    }

    /// Draws what `is_figure` describes in one letter on the ground of another.
    fn fill_figure(&mut self, c: &mut Choices, mut is_figure: impl FnMut(usize, usize) -> bool) {
        let (ground, figure) = self.ground_and_figure(c);
        self.fill(|r, k| if is_figure(r, k) { figure } else { ground });
    }
}

/// Every habit of boards. The first is the plain one.
pub const BOARD_SHAPES: &[BoardShape] = &[
    BoardShape { name: "uniform", doc: "every letter equally likely", make: plain::uniform },
    BoardShape { name: "one-letter", doc: "one letter throughout", make: plain::one_letter },
    BoardShape { name: "one-odd-cell", doc: "one letter throughout, except in one cell", make: plain::one_odd_cell },
    BoardShape { name: "sparse", doc: "one letter, and a few pieces of others", make: plain::sparse },
    BoardShape { name: "dense", doc: "every letter often, except one that is rare", make: plain::dense },
    BoardShape { name: "half-and-half", doc: "one letter on each side of a straight cut", make: plain::half_and_half },
    BoardShape { name: "symmetric", doc: "its own mirror image", make: plain::symmetric },
    BoardShape { name: "equal-rows", doc: "the same row again and again", make: stripes::equal_rows },
    BoardShape { name: "checkerboard", doc: "two letters alternate", make: stripes::checkerboard },
    BoardShape { name: "stripes-by-row", doc: "bands of rows", make: stripes::by_row },
    BoardShape { name: "stripes-by-column", doc: "bands of columns", make: stripes::by_column },
    BoardShape { name: "stripes-diagonal", doc: "bands of diagonals", make: stripes::diagonal },
    BoardShape { name: "border", doc: "a ring along the border", make: rings::border },
    BoardShape { name: "frame", doc: "a ring somewhere inside", make: rings::frame },
    BoardShape { name: "rectangle", doc: "a filled rectangle", make: rings::rectangle },
    BoardShape { name: "corner", doc: "a block in one of the corners", make: rings::corner },
    BoardShape { name: "line", doc: "a run in one of the eight directions", make: lines::line },
    BoardShape { name: "line-with-gap", doc: "a run with one cell missing", make: lines::line_with_gap },
    BoardShape { name: "cross", doc: "a full row and a full column", make: lines::cross },
    BoardShape { name: "diagonals", doc: "two diagonals that cross", make: lines::diagonals },
    BoardShape { name: "blobs", doc: "a few round islands", make: blobs::blobs },
    BoardShape { name: "wall-with-gap", doc: "a wall from side to side with one opening", make: walls::wall_with_gap },
    BoardShape { name: "serpentine", doc: "one corridor, back and forth", make: walls::serpentine },
    BoardShape { name: "spiral", doc: "one corridor, wound up", make: walls::spiral },
    BoardShape { name: "maze", doc: "corridors with exactly one way between any two places", make: walls::maze },
    BoardShape { name: "rooms", doc: "rooms with one door to each neighbour", make: walls::rooms },
];
