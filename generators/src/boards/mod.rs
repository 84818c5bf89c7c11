//! Shapes of boards.
//!
//! A board here consists of rows of letter indices `0..letters`; the format maps them to characters. A uniformly random
//! board has no walls, no rooms and no long lines, and its patterns touch the border only by chance, so each shape here
//! produces one such structure.

mod straight_lines;
mod unstructured;
mod walls;

use crate::choices::Choices;
use crate::shape_family::Shape;

/// A named way to generate a board.
pub type BoardShape = Shape<fn(&mut Choices, &mut LetterBoard)>;

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
            (self.draw)(c, &mut board);
        }
        debug_assert!(
            board.cells.len() == rows && board.cells.iter().all(|row| row.len() == cols),
            "shapes change letters, not the size of a board"
        );
        board.cells
    }
}

/// A board under construction. It has at least one cell, and its alphabet has at least two letters, `0..=last`.
pub struct LetterBoard {
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
    Shape::new("uniform", "every letter equally likely", unstructured::draw_uniform),
    Shape::new("one-letter", "one letter throughout", unstructured::draw_one_letter),
    Shape::new("one-odd-cell", "one letter throughout, except in one cell", unstructured::draw_one_odd_cell),
    Shape::new("sparse", "one letter, and a few cells of others", unstructured::draw_sparse),
    Shape::new("dense", "every letter common, except one that is rare", unstructured::draw_dense),
    Shape::new("half-and-half", "one letter on each side of a straight line", unstructured::draw_half_and_half),
    Shape::new("symmetric", "its own mirror image", unstructured::draw_symmetric),
    Shape::new("equal-rows", "all rows equal", unstructured::draw_equal_rows),
    Shape::new("checkerboard", "two letters alternate", unstructured::draw_checkerboard),
    Shape::new("stripes-by-row", "bands of rows", unstructured::draw_row_stripes),
    Shape::new("stripes-by-column", "bands of columns", unstructured::draw_column_stripes),
    Shape::new("stripes-diagonal", "bands of diagonals", unstructured::draw_diagonal_stripes),
    Shape::new("border", "a ring along the border", unstructured::draw_border),
    Shape::new("frame", "a ring somewhere inside", unstructured::draw_frame),
    Shape::new("rectangle", "a filled rectangle", unstructured::draw_rectangle),
    Shape::new("corner", "a block in one of the corners", unstructured::draw_corner),
    Shape::new("line", "a run in one of the eight directions", straight_lines::draw_straight_line),
    Shape::new("line-with-gap", "a run with one cell missing", straight_lines::draw_line_with_gap),
    Shape::new("cross", "a full row and a full column", straight_lines::draw_cross),
    Shape::new("diagonals", "two diagonals that cross", straight_lines::draw_diagonals),
    Shape::new("blobs", "a few round islands", unstructured::draw_blobs),
    Shape::new("wall-with-gap", "a wall across the board with one opening", walls::draw_wall_with_gap),
    Shape::new("serpentine", "one corridor, back and forth", walls::draw_serpentine),
    Shape::new("spiral", "one corridor, spiralling inwards", walls::draw_spiral),
    Shape::new("maze", "corridors with exactly one path between any two places", walls::draw_maze),
    Shape::new("rooms", "rooms with one door to each neighbour", walls::draw_rooms),
];
