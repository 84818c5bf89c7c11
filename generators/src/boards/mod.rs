//! Shapes of boards.
//!
//! A board here consists of rows of letter indices `0..letters`; the format maps them to characters. A uniformly random
//! board has no walls, no rooms and no long lines, and its patterns touch the border only by chance, so each shape here
//! produces one such structure.

mod straight_lines;
mod unstructured;
mod walls;

use crate::choices::Choices;

/// A named way to generate a board.
#[derive(Debug)]
pub struct BoardShape {
    /// The name used in recipes.
    pub name: &'static str,
    /// A description of the boards in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, &mut LetterBoard),
}

impl BoardShape {
    /// Draws `rows` rows of `cols` letters, each below `letters`. Alphabets end at 256 letters, and an empty one counts
    /// as one letter.
    #[must_use]
    pub fn draw_board(&self, c: &mut Choices, rows: usize, cols: usize, letters: usize) -> Vec<Vec<u8>> {
        let last = (letters.clamp(1, 256) - 1) as u8;
        // Not `vec![row; rows]`: that allocates one row even if `rows` is zero, and a row can be arbitrarily long.
        let cells = std::iter::repeat_with(|| vec![0; cols]).take(rows).collect();
        let mut board = LetterBoard { rows, cols, last, cells };
        if rows > 0 && cols > 0 && last > 0 {
            (self.make)(c, &mut board);
        }
        debug_assert!(
            board.cells.len() == rows && board.cells.iter().all(|row| row.len() == cols),
            "shapes change letters, not the size of a board"
        );
        board.cells
    }
}

/// A board under construction. It has at least one cell, and its alphabet has at least two letters, `0..=last`.
struct LetterBoard {
    rows: usize,
    cols: usize,
    last: u8,
    cells: Vec<Vec<u8>>,
}

impl LetterBoard {
    fn draw_letter(&self, c: &mut Choices) -> u8 {
        c.draw_up_to(u64::from(self.last)) as u8
    }

    /// Draws two different letters: one for the ground and one for the figure on it.
    fn ground_and_figure(&self, c: &mut Choices) -> (u8, u8) {
        let ground = self.draw_letter(c);
        (ground, c.draw_up_to_except(self.last, ground))
    }

    /// Sets each cell to the result of `letter` for its row and column.
    fn fill_cells(&mut self, mut letter: impl FnMut(usize, usize) -> u8) {
        for (r, row) in self.cells.iter_mut().enumerate() {
            for (k, cell) in row.iter_mut().enumerate() {
                *cell = letter(r, k);
            }
        }
    }

    /// Fills the cells that satisfy `is_figure` with one letter, and the ground with another.
    fn fill_figure(&mut self, c: &mut Choices, mut is_figure: impl FnMut(usize, usize) -> bool) {
        let (ground, figure) = self.ground_and_figure(c);
        self.fill_cells(|r, k| if is_figure(r, k) { figure } else { ground });
    }
}

/// All board shapes. The first is the default.
pub const BOARD_SHAPES: &[BoardShape] = &[
    BoardShape { name: "uniform", doc: "every letter equally likely", make: unstructured::draw_uniform },
    BoardShape { name: "one-letter", doc: "one letter throughout", make: unstructured::draw_one_letter },
    BoardShape {
        name: "one-odd-cell",
        doc: "one letter throughout, except in one cell",
        make: unstructured::draw_one_odd_cell,
    },
    BoardShape { name: "sparse", doc: "one letter, and a few cells of others", make: unstructured::draw_sparse },
    BoardShape { name: "dense", doc: "every letter common, except one that is rare", make: unstructured::draw_dense },
    BoardShape {
        name: "half-and-half",
        doc: "one letter on each side of a straight line",
        make: unstructured::draw_half_and_half,
    },
    BoardShape { name: "symmetric", doc: "its own mirror image", make: unstructured::draw_symmetric },
    BoardShape { name: "equal-rows", doc: "all rows equal", make: unstructured::draw_equal_rows },
    BoardShape { name: "checkerboard", doc: "two letters alternate", make: unstructured::draw_checkerboard },
    BoardShape { name: "stripes-by-row", doc: "bands of rows", make: unstructured::draw_row_stripes },
    BoardShape { name: "stripes-by-column", doc: "bands of columns", make: unstructured::draw_column_stripes },
    BoardShape { name: "stripes-diagonal", doc: "bands of diagonals", make: unstructured::draw_diagonal_stripes },
    BoardShape { name: "border", doc: "a ring along the border", make: unstructured::draw_border },
    BoardShape { name: "frame", doc: "a ring somewhere inside", make: unstructured::draw_frame },
    BoardShape { name: "rectangle", doc: "a filled rectangle", make: unstructured::draw_rectangle },
    BoardShape { name: "corner", doc: "a block in one of the corners", make: unstructured::draw_corner },
    BoardShape { name: "line", doc: "a run in one of the eight directions", make: straight_lines::draw_straight_line },
    BoardShape { name: "line-with-gap", doc: "a run with one cell missing", make: straight_lines::draw_line_with_gap },
    BoardShape { name: "cross", doc: "a full row and a full column", make: straight_lines::draw_cross },
    BoardShape { name: "diagonals", doc: "two diagonals that cross", make: straight_lines::draw_diagonals },
    BoardShape { name: "blobs", doc: "a few round islands", make: unstructured::draw_blobs },
    BoardShape {
        name: "wall-with-gap",
        doc: "a wall across the board with one opening",
        make: walls::draw_wall_with_gap,
    },
    BoardShape { name: "serpentine", doc: "one corridor, back and forth", make: walls::draw_serpentine },
    BoardShape { name: "spiral", doc: "one corridor, spiralling inwards", make: walls::draw_spiral },
    BoardShape { name: "maze", doc: "corridors with exactly one path between any two places", make: walls::draw_maze },
    BoardShape { name: "rooms", doc: "rooms with one door to each neighbour", make: walls::draw_rooms },
];
