//! Chains and loops of given lengths, laid out on boards.

use super::board::{Board, Cell};
use crate::choices::Choices;

/// Lengths to draw from: a few for a whole board, so that the same ones come again and again.
#[derive(Debug)]
pub(super) struct Palette {
    pub(super) chains: Vec<usize>,
    /// Half the lengths of loops.
    pub(super) loops: Vec<usize>,
}

impl Palette {
    pub(super) fn chain(&self, c: &mut Choices) -> usize {
        c.pick(&self.chains).copied().unwrap_or(3)
    }

    pub(super) fn half_loop(&self, c: &mut Choices) -> usize {
        c.pick(&self.loops).copied().unwrap_or(2)
    }
}

/// The squares of a row, from one column to before another.
fn run(row: usize, from: usize, to: usize) -> Vec<Cell> {
    (from..to).map(|k| (row, k)).collect()
}

/// A single row in which chains of any lengths follow each other: every square lies on the border.
pub(super) fn one_row(c: &mut Choices, lengths: &[usize]) -> Board {
    let mut board = Board::new(1, lengths.iter().sum());
    let mut from = 0;
    for length in lengths {
        board.add_chain(c, &run(0, from, from + length));
        from += length;
    }
    board
}

/// What stands on two rows, whose width is not known before the end.
enum Part {
    Chain(Vec<Cell>),
    Loop(Vec<Cell>),
}

/// Two rows of at most `most` columns, with chains along each of them, chains that turn back in the other one, and
/// loops between.
pub(super) fn two_rows(c: &mut Choices, palette: &Palette, wanted: usize, loops: (u32, u32), most: usize) -> Board {
    let mut parts: Vec<Part> = Vec::new();
    let mut filled = [0_usize, 0];
    for _ in 0..wanted {
        let short = usize::from(filled[1] < filled[0]);
        let (low, high) = (filled[short], filled[1 - short]);
        let length = palette.chain(c);
        let half = palette.half_loop(c);
        if low == high && c.chance(loops.0, loops.1) {
            if low + half > most {
                break;
            }
            parts.push(Part::Loop(hairpin(short, (low, low), low + half)));
            filled = [low + half; 2];
        } else if length > high - low && (length - (high - low)).is_multiple_of(2) && c.chance(2, 3) {
            let to = high + (length - (high - low)) / 2;
            if to > most {
                break;
            }
            parts.push(Part::Chain(hairpin(short, (low, high), to)));
            filled = [to; 2];
        } else {
            // One square alone needs two ways out, and away from the corners it has one.
            let length = if low == 0 { length } else { length.max(2) };
            if low + length > most {
                break;
            }
            parts.push(Part::Chain(run(short, low, low + length)));
            filled[short] = low + length;
        }
    }
    let width = filled[0].max(filled[1]).max(1);
    for row in [0, 1] {
        if filled[row] < width {
            parts.push(Part::Chain(run(row, filled[row], width)));
        }
    }
    let mut board = Board::new(2, width);
    for part in &parts {
        match part {
            Part::Chain(path) => board.add_chain(c, path),
            Part::Loop(path) => board.add_loop(path),
        }
    }
    board
}

/// Along one row up to a column, and back along the other row.
fn hairpin(row: usize, (from, back): (usize, usize), to: usize) -> Vec<Cell> {
    let mut path = run(row, from, to);
    path.extend(run(1 - row, back, to).into_iter().rev());
    path
}

/// The squares of a ring, clockwise: the border of a rectangle with at least two rows and columns.
pub(super) fn ring((top, left): Cell, rows: usize, cols: usize) -> Vec<Cell> {
    let (bottom, right) = (top + rows - 1, left + cols - 1);
    let mut cells: Vec<Cell> = (left..=right).map(|k| (top, k)).collect();
    cells.extend((top + 1..=bottom).map(|r| (r, right)));
    cells.extend((left..right).rev().map(|k| (bottom, k)));
    cells.extend((top + 1..bottom).rev().map(|r| (r, left)));
    cells
}

/// Chains along the whole border, one after the other.
pub(super) fn chains_around(c: &mut Choices, board: &mut Board, palette: &Palette) {
    let mut cells = ring((0, 0), board.rows, board.cols);
    let turned = c.index(cells.len());
    cells.rotate_left(turned);
    let corner = |board: &Board, (r, k): Cell| (r == 0 || r + 1 == board.rows) && (k == 0 || k + 1 == board.cols);
    let mut rest = &cells[..];
    while let Some(first) = rest.first() {
        let least = if corner(board, *first) { 1 } else { 2 };
        let mut length = palette.chain(c).max(least).min(rest.len());
        // What remains must not be one square that has only one way out.
        if rest.len() == length + 1 && !corner(board, rest[length]) {
            length += 1;
        }
        let (path, others) = rest.split_at(length);
        board.add_chain(c, path);
        rest = others;
    }
}

/// Loops all over a rectangle: in strips of two rows each, or of two columns if the rows are odd.
pub(super) fn loops_inside(c: &mut Choices, board: &mut Board, corner: Cell, size: (usize, usize), palette: &Palette) {
    let upright = !size.0.is_multiple_of(2);
    let (across, along) = if upright { (size.1, size.0) } else { size };
    for strip in 0..across / 2 {
        let mut from = 0;
        while from < along {
            let mut half = palette.half_loop(c).min(along - from);
            if along - from - half == 1 {
                half += 1;
            }
            let (down, right) = (2 * strip, from);
            let at = if upright { (corner.0 + right, corner.1 + down) } else { (corner.0 + down, corner.1 + right) };
            let path = if upright { ring(at, half, 2) } else { ring(at, 2, half) };
            board.add_loop(&path);
            from += half;
        }
    }
}

/// One chain through every square, row by row and back.
pub(super) fn snake(c: &mut Choices, rows: usize, cols: usize) -> Board {
    let mut path = Vec::new();
    for r in 0..rows {
        let row = run(r, 0, cols);
        if r % 2 == 0 { path.extend(row) } else { path.extend(row.into_iter().rev()) }
    }
    let mut board = Board::new(rows, cols);
    board.add_chain(c, &path);
    board
}

/// Every row a chain from the left to the right.
pub(super) fn lines(c: &mut Choices, rows: usize, cols: usize) -> Board {
    let mut board = Board::new(rows, cols);
    (0..rows).for_each(|r| board.add_chain(c, &run(r, 0, cols)));
    board
}
