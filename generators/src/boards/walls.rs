//! Walls: boards where the way from one place to another is long, narrow or blocked.

use super::{Board, plain};
use crate::choices::Choices;

pub(super) fn wall_with_gap(c: &mut Choices, board: &mut Board) {
    let (row, col) = (plain::place(c, board.rows - 1), plain::place(c, board.cols - 1));
    let across = c.chance(1, 2);
    board.fill_figure(c, |r, k| if across { r == row && k != col } else { k == col && r != row });
}

pub(super) fn serpentine(c: &mut Choices, board: &mut Board) {
    let right = board.cols - 1;
    // Every second row is a wall, open at its right end and its left end in turns.
    board.fill_figure(c, |r, k| r % 2 == 1 && k != if r % 4 == 1 { right } else { 0 });
}

pub(super) fn spiral(c: &mut Choices, board: &mut Board) {
    let (floor, wall) = board.ground_and_figure(c);
    board.fill(|_, _| wall);
    let (mut at, mut heading) = ((0, 0), 0);
    board.cells[0][0] = floor;
    while let Some((next, turned)) = next_of_spiral(board, at, heading, floor) {
        (at, heading) = (next, turned);
        board.cells[at.0][at.1] = floor;
    }
}

type Cell = (usize, usize);

/// The next cell of the corridor: straight on while a wall remains between it and the corridor ahead, else after a
/// turn to the right.
fn next_of_spiral(board: &Board, at: Cell, heading: usize, floor: u8) -> Option<(Cell, usize)> {
    [heading, (heading + 1) % 4].into_iter().find_map(|heading| {
        let next = step(board, at, heading)?;
        let is_floor = |cell: Cell| board.cells[cell.0][cell.1] == floor;
        let runs_into_itself = is_floor(next) || step(board, next, heading).is_some_and(is_floor);
        (!runs_into_itself).then_some((next, heading))
    })
}

/// The neighbour to the right, below, to the left or above, if it is on the board.
fn step(board: &Board, (row, col): Cell, heading: usize) -> Option<Cell> {
    let (down, right) = [(0, 1), (1, 0), (0, -1), (-1, 0)][heading];
    let next = (row.checked_add_signed(down)?, col.checked_add_signed(right)?);
    (next.0 < board.rows && next.1 < board.cols).then_some(next)
}

/// Places lie at even rows and columns. Each opens the wall above it or to its left, so there is one way between any
/// two of them.
pub(super) fn maze(c: &mut Choices, board: &mut Board) {
    let (floor, wall) = board.ground_and_figure(c);
    board.fill(|r, k| if r % 2 == 0 && k % 2 == 0 { floor } else { wall });
    for r in (0..board.rows).step_by(2) {
        for k in (0..board.cols).step_by(2) {
            let upward = r > 0 && (k == 0 || c.chance(1, 2));
            let opened = if upward { (r - 1, k) } else { (r, k.saturating_sub(1)) };
            board.cells[opened.0][opened.1] = floor;
        }
    }
}

pub(super) fn rooms(c: &mut Choices, board: &mut Board) {
    let (floor, wall) = board.ground_and_figure(c);
    let side = 1 + c.log_range(1, (board.rows.max(board.cols) / 2).max(1) as i128) as usize;
    board.fill(|r, k| if r % side == side - 1 || k % side == side - 1 { wall } else { floor });
    for top in (0..board.rows).step_by(side) {
        for left in (0..board.cols).step_by(side) {
            let (row, col) = (top + c.index(side - 1), left + c.index(side - 1));
            open(board, row, left + side - 1, floor);
            open(board, top + side - 1, col, floor);
        }
    }
}

/// Puts a door where a wall stands on the board.
fn open(board: &mut Board, row: usize, col: usize, floor: u8) {
    if let Some(cell) = board.cells.get_mut(row).and_then(|row| row.get_mut(col)) {
        *cell = floor;
    }
}
