//! Walls: boards on which the path from one place to another is long, narrow or blocked.

use super::{LetterBoard, unstructured};
use crate::choices::Choices;

pub(super) fn draw_wall_with_gap(c: &mut Choices, board: &mut LetterBoard) {
    let (row, col) =
        (unstructured::choose_coordinate(c, board.rows - 1), unstructured::choose_coordinate(c, board.cols - 1));
    let across = c.draw_chance(1, 2);
    board.fill_figure(c, |r, k| if across { r == row && k != col } else { k == col && r != row });
}

pub(super) fn draw_serpentine(c: &mut Choices, board: &mut LetterBoard) {
    let right = board.cols - 1;
    // Every second row is a wall, open alternately at its right and at its left end.
    board.fill_figure(c, |r, k| r % 2 == 1 && k != if r % 4 == 1 { right } else { 0 });
}

pub(super) fn draw_spiral(c: &mut Choices, board: &mut LetterBoard) {
    let (floor, wall) = board.ground_and_figure(c);
    board.fill_cells(|_, _| wall);
    let (mut at, mut heading) = ((0, 0), 0);
    board.cells[0][0] = floor;
    while let Some((next, turned)) = next_spiral_cell(board, at, heading, floor) {
        (at, heading) = (next, turned);
        board.cells[at.0][at.1] = floor;
    }
}

type BoardCell = (usize, usize);

/// Returns the next cell of the corridor and its direction: straight on while a wall remains between it and the
/// corridor ahead, else after a turn to the right.
fn next_spiral_cell(board: &LetterBoard, at: BoardCell, heading: usize, floor: u8) -> Option<(BoardCell, usize)> {
    [heading, (heading + 1) % 4].into_iter().find_map(|heading| {
        let next = neighbour_towards(board, at, heading)?;
        let is_floor = |cell: BoardCell| board.cells[cell.0][cell.1] == floor;
        let runs_into_itself = is_floor(next) || neighbour_towards(board, next, heading).is_some_and(is_floor);
        (!runs_into_itself).then_some((next, heading))
    })
}

/// Returns the neighbour to the right, below, to the left or above, if it is on the board.
fn neighbour_towards(board: &LetterBoard, (row, col): BoardCell, heading: usize) -> Option<BoardCell> {
    let (down, right) = [(0, 1), (1, 0), (0, -1), (-1, 0)][heading];
    let next = (row.checked_add_signed(down)?, col.checked_add_signed(right)?);
    (next.0 < board.rows && next.1 < board.cols).then_some(next)
}

/// Places lie at even rows and columns. Each opens the wall above it or to its left, so there is exactly one path
/// between any two of them.
pub(super) fn draw_maze(c: &mut Choices, board: &mut LetterBoard) {
    let (floor, wall) = board.ground_and_figure(c);
    board.fill_cells(|r, k| if r % 2 == 0 && k % 2 == 0 { floor } else { wall });
    for r in (0..board.rows).step_by(2) {
        for k in (0..board.cols).step_by(2) {
            let upward = r > 0 && (k == 0 || c.draw_chance(1, 2));
            let opened = if upward { (r - 1, k) } else { (r, k.saturating_sub(1)) };
            board.cells[opened.0][opened.1] = floor;
        }
    }
}

pub(super) fn draw_rooms(c: &mut Choices, board: &mut LetterBoard) {
    let (floor, wall) = board.ground_and_figure(c);
    let side = 1 + c.draw_log_range(1, (board.rows.max(board.cols) / 2).max(1) as i128) as usize;
    board.fill_cells(|r, k| if r % side == side - 1 || k % side == side - 1 { wall } else { floor });
    for top in (0..board.rows).step_by(side) {
        for left in (0..board.cols).step_by(side) {
            let (row, col) = (top + c.draw_index(side - 1), left + c.draw_index(side - 1));
            open_door(board, row, left + side - 1, floor);
            open_door(board, top + side - 1, col, floor);
        }
    }
}

/// Opens a door in a wall, if the cell is on the board.
fn open_door(board: &mut LetterBoard, row: usize, col: usize, floor: u8) {
    if let Some(cell) = board.cells.get_mut(row).and_then(|row| row.get_mut(col)) {
        *cell = floor;
    }
}
