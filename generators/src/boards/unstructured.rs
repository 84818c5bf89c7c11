//! Boards without structure: how often each letter occurs.

use super::LetterBoard;
use crate::choices::Choices;
use crate::tuning::MAX_BLOBS;

pub(super) fn draw_uniform(c: &mut Choices, board: &mut LetterBoard) {
    let last = u64::from(board.last);
    board.fill_cells(|_, _| c.draw_up_to(last) as u8);
}

pub(super) fn draw_one_letter(c: &mut Choices, board: &mut LetterBoard) {
    let letter = board.draw_letter(c);
    board.fill_cells(|_, _| letter);
}

pub(super) fn draw_sparse(c: &mut Choices, board: &mut LetterBoard) {
    let ground = board.draw_letter(c);
    let cells = (board.rows * board.cols) as u64;
    // The number of pieces is independent of the size of the board: a lone piece on a large board is a case of its own.
    let pieces = c.draw_log_range(1, i128::from(cells / 4 + 1)) as u64;
    board.fill_cells(|_, _| ground);
    for _ in 0..pieces {
        let at = c.draw_below(cells) as usize;
        board.cells[at / board.cols][at % board.cols] = c.draw_up_to_except(board.last, ground);
    }
}

pub(super) fn draw_one_odd_cell(c: &mut Choices, board: &mut LetterBoard) {
    let (row, col) = (choose_coordinate(c, board.rows - 1), choose_coordinate(c, board.cols - 1));
    board.fill_figure(c, |r, k| (r, k) == (row, col));
}

/// Draws a coordinate in `0..=last`. Half of the time it is one of the two ends, because cells at borders and corners
/// lack neighbours.
pub(super) fn choose_coordinate(c: &mut Choices, last: usize) -> usize {
    match c.draw_weighted(&[2, 1, 1]) {
        0 => c.draw_index(last + 1),
        1 => 0,
        _ => last,
    }
}

pub(super) fn draw_dense(c: &mut Choices, board: &mut LetterBoard) {
    let (common, rare) = board.ground_and_figure(c);
    let last = u64::from(board.last);
    board.fill_cells(|_, _| match c.draw_up_to(last) as u8 {
        letter if letter != rare => letter,
        _ if c.draw_chance(1, 8) => rare,
        _ => common,
    });
}

pub(super) fn draw_symmetric(c: &mut Choices, board: &mut LetterBoard) {
    draw_uniform(c, board);
    let axes = c.draw_below(3);
    if axes != 1 {
        board.cells.iter_mut().for_each(|row| mirror_line(row));
    }
    if axes != 0 {
        mirror_line(&mut board.cells);
    }
}

fn mirror_line<T: Clone>(line: &mut [T]) {
    let len = line.len();
    for i in 0..len / 2 {
        line[len - 1 - i] = line[i].clone();
    }
}

pub(super) fn draw_half_and_half(c: &mut Choices, board: &mut LetterBoard) {
    let across = c.draw_chance(1, 2);
    let lines = if across { board.rows } else { board.cols };
    let cut = 1 + c.draw_index(lines.saturating_sub(1));
    board.fill_figure(c, |r, k| if across { r < cut } else { k < cut });
}

// Islands: a few connected regions of different sizes.

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

// Rectangles, hollow or filled, some of them along the border.

pub(super) fn draw_border(c: &mut Choices, board: &mut LetterBoard) {
    let (bottom, right) = (board.rows - 1, board.cols - 1);
    board.fill_figure(c, |r, k| r == 0 || k == 0 || r == bottom || k == right);
}

pub(super) fn draw_frame(c: &mut Choices, board: &mut LetterBoard) {
    let (rows, cols) = (choose_stretch(c, board.rows), choose_stretch(c, board.cols));
    let on_edge = |at: usize, (from, to): (usize, usize)| at == from || at == to;
    board.fill_figure(c, |r, k| is_within(r, rows) && is_within(k, cols) && (on_edge(r, rows) || on_edge(k, cols)));
}

pub(super) fn draw_rectangle(c: &mut Choices, board: &mut LetterBoard) {
    let (rows, cols) = (choose_stretch(c, board.rows), choose_stretch(c, board.cols));
    board.fill_figure(c, |r, k| is_within(r, rows) && is_within(k, cols));
}

pub(super) fn draw_corner(c: &mut Choices, board: &mut LetterBoard) {
    let side = c.draw_log_range(1, board.rows.min(board.cols) as i128) as usize;
    let (at_bottom, at_right) = (c.draw_chance(1, 2), c.draw_chance(1, 2));
    let (rows, cols) = (board.rows, board.cols);
    let inside = |at: usize, size: usize, at_end: bool| if at_end { at + side >= size } else { at < side };
    board.fill_figure(c, |r, k| inside(r, rows, at_bottom) && inside(k, cols, at_right));
}

/// Draws the first and the last line of a range within `size` lines.
fn choose_stretch(c: &mut Choices, size: usize) -> (usize, usize) {
    let (a, b) = (choose_coordinate(c, size - 1), choose_coordinate(c, size - 1));
    (a.min(b), a.max(b))
}

fn is_within(at: usize, (from, to): (usize, usize)) -> bool {
    (from..=to).contains(&at)
}

// Boards that repeat: stripes, checkers, equal rows.

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
