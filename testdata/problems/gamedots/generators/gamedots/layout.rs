//! Chains and loops of given lengths, laid out on boards.

use super::board::{DotBoard, DotCell};
use super::draws::index;
use super::rebut;

/// Lengths to draw from: a few per board, so that the same ones repeat.
#[derive(Debug)]
pub struct LengthPalette {
    pub chains: Vec<usize>,
    /// Half the lengths of loops.
    pub loops: Vec<usize>,
}

impl LengthPalette {
    pub fn draw_chain_length(&self) -> usize {
        self.chains.get(index(self.chains.len())).copied().unwrap_or(3)
    }

    pub fn draw_half_loop_length(&self) -> usize {
        self.loops.get(index(self.loops.len())).copied().unwrap_or(2)
    }
}

/// Returns the squares of a row in columns `from..to`.
fn row_cells(row: usize, from: usize, to: usize) -> Vec<DotCell> {
    (from..to).map(|k| (row, k)).collect()
}

/// Lays out chains one after the other on a single row, on which every square is on the border.
pub fn lay_out_one_row(lengths: &[usize]) -> DotBoard {
    let mut board = DotBoard::new(1, lengths.iter().sum());
    let mut from = 0;
    for length in lengths {
        board.add_chain(&row_cells(0, from, from + length));
        from += length;
    }
    board
}

/// A part of a board of two rows. The parts are collected first, because the width is known only at the end.
enum TwoRowPart {
    Chain(Vec<DotCell>),
    Loop(Vec<DotCell>),
}

/// Lays out two rows of at most `most` columns, with chains along each of them, chains that turn back in the other one,
/// and loops between.
pub fn lay_out_two_rows(palette: &LengthPalette, wanted: usize, loops: (u64, u64), most: usize) -> DotBoard {
    let mut parts: Vec<TwoRowPart> = Vec::new();
    let mut filled = [0_usize, 0];
    for _ in 0..wanted {
        let short = usize::from(filled[1] < filled[0]);
        let (low, high) = (filled[short], filled[1 - short]);
        let length = palette.draw_chain_length();
        let half = palette.draw_half_loop_length();
        if low == high && rebut::chance(loops.0, loops.1) {
            if low + half > most {
                break;
            }
            parts.push(TwoRowPart::Loop(hairpin_cells(short, (low, low), low + half)));
            filled = [low + half; 2];
        } else if length > high - low && (length - (high - low)).is_multiple_of(2) && rebut::chance(2, 3) {
            let to = high + (length - (high - low)) / 2;
            if to > most {
                break;
            }
            parts.push(TwoRowPart::Chain(hairpin_cells(short, (low, high), to)));
            filled = [to; 2];
        } else {
            // A single square needs two open border sides, and away from the corners it has only one.
            let length = if low == 0 { length } else { length.max(2) };
            if low + length > most {
                break;
            }
            parts.push(TwoRowPart::Chain(row_cells(short, low, low + length)));
            filled[short] = low + length;
        }
    }
    let width = filled[0].max(filled[1]).max(1);
    for row in [0, 1] {
        if filled[row] < width {
            parts.push(TwoRowPart::Chain(row_cells(row, filled[row], width)));
        }
    }
    let mut board = DotBoard::new(2, width);
    for part in &parts {
        match part {
            TwoRowPart::Chain(path) => board.add_chain(path),
            TwoRowPart::Loop(path) => board.add_loop(path),
        }
    }
    board
}

/// Returns the squares along one row up to a column, and back along the other row.
fn hairpin_cells(row: usize, (from, back): (usize, usize), to: usize) -> Vec<DotCell> {
    let mut path = row_cells(row, from, to);
    path.extend(row_cells(1 - row, back, to).into_iter().rev());
    path
}

/// Returns the squares of a ring, clockwise: the border of a rectangle with at least two rows and columns.
pub fn ring_cells((top, left): DotCell, rows: usize, cols: usize) -> Vec<DotCell> {
    let (bottom, right) = (top + rows - 1, left + cols - 1);
    let mut cells: Vec<DotCell> = (left..=right).map(|k| (top, k)).collect();
    cells.extend((top + 1..=bottom).map(|r| (r, right)));
    cells.extend((left..right).rev().map(|k| (bottom, k)));
    cells.extend((top + 1..bottom).rev().map(|r| (r, left)));
    cells
}

/// Adds chains along the whole border, one after the other.
pub fn add_border_chains(board: &mut DotBoard, palette: &LengthPalette) {
    let mut cells = ring_cells((0, 0), board.rows, board.cols);
    let turned = index(cells.len());
    cells.rotate_left(turned);
    let corner = |board: &DotBoard, (r, k): DotCell| (r == 0 || r + 1 == board.rows) && (k == 0 || k + 1 == board.cols);
    let mut rest = &cells[..];
    while let Some(first) = rest.first() {
        let least = if corner(board, *first) { 1 } else { 2 };
        let mut length = palette.draw_chain_length().max(least).min(rest.len());
        // The rest must not be a single square with one border side.
        if rest.len() == length + 1 && !corner(board, rest[length]) {
            length += 1;
        }
        let (path, others) = rest.split_at(length);
        board.add_chain(path);
        rest = others;
    }
}

/// Adds loops that fill a rectangle, in strips of two rows, or of two columns if the number of rows is odd.
pub fn add_inner_loops(board: &mut DotBoard, corner: DotCell, size: (usize, usize), palette: &LengthPalette) {
    let upright = !size.0.is_multiple_of(2);
    let (across, along) = if upright { (size.1, size.0) } else { size };
    for strip in 0..across / 2 {
        let mut from = 0;
        while from < along {
            let mut half = palette.draw_half_loop_length().min(along - from);
            if along - from - half == 1 {
                half += 1;
            }
            let (down, right) = (2 * strip, from);
            let at = if upright { (corner.0 + right, corner.1 + down) } else { (corner.0 + down, corner.1 + right) };
            let path = if upright { ring_cells(at, half, 2) } else { ring_cells(at, 2, half) };
            board.add_loop(&path);
            from += half;
        }
    }
}

/// Lays out one chain through every square, back and forth.
pub fn lay_out_snake(rows: usize, cols: usize) -> DotBoard {
    let mut path = Vec::new();
    for r in 0..rows {
        let row = row_cells(r, 0, cols);
        if r % 2 == 0 { path.extend(row) } else { path.extend(row.into_iter().rev()) }
    }
    let mut board = DotBoard::new(rows, cols);
    board.add_chain(&path);
    board
}

/// Lays out every row as a chain from left to right.
pub fn lay_out_lines(rows: usize, cols: usize) -> DotBoard {
    let mut board = DotBoard::new(rows, cols);
    (0..rows).for_each(|r| board.add_chain(&row_cells(r, 0, cols)));
    board
}
