//! Boards on which X lacks one stone of a line, and boards that only look so.
//!
//! On a random board, either both players have lines all over or neither is near one. Each shape here plants one
//! pattern and then fills the board quietly: no stone completes a line, and no stone of X creates a second winning
//! move. So the pattern decides the answer.

mod board;
mod line;

use board::{Player, StoneBoard, StoneCell};
use line::LineStart;

use crate::choices::Choices;
use crate::sizes::draw_size;

const MIN_SIDE: i128 = 3;
const MAX_SIDE: i128 = 20;

/// Maximum number of boards to draw: sometimes the stones cannot be balanced around a pattern, but mostly they can be
/// around the next one.
const MAX_ATTEMPTS: usize = 8;

/// Draws boards until one of them is valid. Falls back to an empty one, which is always valid.
fn build_board_file(
    c: &mut Choices,
    growth: u32,
    least_goal: usize,
    plant: impl Fn(&mut Choices, &mut StoneBoard),
) -> String {
    let side = draw_size(c, MIN_SIDE, MAX_SIDE, growth) as usize;
    let goal = draw_goal(c, side, least_goal);
    for _ in 0..MAX_ATTEMPTS {
        let mut board = StoneBoard::empty_board(side, goal);
        plant(c, &mut board);
        board.block_threats();
        let balanced = board.balance_stones(c);
        let pairs = 1 + c.draw_index(side * side / 2);
        board.add_pairs(c, pairs);
        if balanced && board.is_valid() {
            return board.to_input_file();
        }
    }
    StoneBoard::empty_board(side, goal).to_input_file()
}

/// Draws the number of stones in a row that win, at least `least` if the board is that long: few, as many as fit, or
/// any.
fn draw_goal(c: &mut Choices, side: usize, least: usize) -> usize {
    let goal = match c.draw_weighted(&[3, 2, 2]) {
        0 => c.draw_index(5) + 2,
        1 => side - c.draw_index(2),
        _ => c.draw_index(side) + 1,
    };
    goal.clamp(least.min(side), side)
}

/// Puts X on every cell of the line but one, which is the winning cell.
fn plant_win(board: &mut StoneBoard, line: &[StoneCell], gap: usize) {
    plant_all_but(board, line, gap, Player::X);
    board.winning_cell = line.get(gap).copied();
}

fn plant_all_but(board: &mut StoneBoard, line: &[StoneCell], gap: usize, player: Player) {
    for (i, cell) in line.iter().enumerate() {
        board.set_stone(*cell, (i != gap).then_some(player));
    }
}

pub(super) fn build_gap_inside(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 3, |c, board| {
        let line = line::draw_line(c, board.side, board.winning_length, LineStart::Anywhere);
        let gap = 1 + c.draw_index(line.len() - 2);
        plant_win(board, &line, gap);
    })
}

pub(super) fn build_gap_at_end(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 2, |c, board| {
        // The direction is random, so the first cell can be either end.
        let line = line::draw_line(c, board.side, board.winning_length, LineStart::Anywhere);
        plant_win(board, &line, 0);
    })
}

pub(super) fn build_border_line(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 2, |c, board| {
        let line = line::draw_line(c, board.side, board.winning_length, LineStart::Border);
        let gap = c.draw_index(line.len());
        plant_win(board, &line, gap);
    })
}

pub(super) fn build_corner_line(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 2, |c, board| {
        let line = line::draw_line(c, board.side, board.winning_length, LineStart::Corner);
        let gap = if c.draw_chance(1, 2) { 0 } else { c.draw_index(line.len()) };
        plant_win(board, &line, gap);
    })
}

pub(super) fn build_whole_side(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, MAX_SIDE as usize, |c, board| {
        let line = line::draw_line(c, board.side, board.side, LineStart::Anywhere);
        let gap = c.draw_index(line.len());
        plant_win(board, &line, gap);
    })
}

/// One stone would join two runs into more than a line.
pub(super) fn build_long_line(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 2, |c, board| {
        let longest = board.side.min(2 * board.winning_length - 1);
        let length = board.winning_length + c.draw_index(longest - board.winning_length + 1);
        let line = line::draw_line(c, board.side, length, LineStart::Anywhere);
        // Neither of the two runs is long enough to be a line.
        let shortest = length - board.winning_length;
        let gap = shortest + c.draw_index(board.winning_length - shortest);
        plant_win(board, &line, gap);
    })
}

pub(super) fn build_near_miss(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 3, |c, board| {
        let line = line::draw_line(c, board.side, board.winning_length, LineStart::Anywhere);
        let first = c.draw_index(line.len());
        let second = (first + 1 + c.draw_index(line.len() - 1)) % line.len();
        plant_all_but(board, &line, first, Player::X);
        board.set_stone(line[second], None);
        board.reserved = vec![line[first], line[second]];
    })
}

pub(super) fn build_blocked(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 3, |c, board| {
        let line = line::draw_line(c, board.side, board.winning_length, LineStart::Anywhere);
        let gap = c.draw_index(line.len());
        plant_all_but(board, &line, gap, Player::X);
        board.set_stone(line[gap], Some(Player::O));
    })
}

/// A run one stone short of a line, between the border and an O.
pub(super) fn build_run_into_border(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 3, |c, board| {
        let line = line::draw_line(c, board.side, board.winning_length, LineStart::Corner);
        plant_all_but(board, &line, line.len() - 1, Player::X);
        board.set_stone(line[line.len() - 1], Some(Player::O));
    })
}

/// Stones at the end of one row and the start of the next, which form a line only if the rows are concatenated.
pub(super) fn build_wrapped(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 3, |c, board| {
        let (side, goal) = (board.side, board.winning_length);
        let border = (1 + c.draw_index(side - 1)) * side;
        let from = border - 1 - c.draw_index(goal - 1);
        let line: Vec<StoneCell> = (from..(from + goal).min(side * side)).map(|i| (i / side, i % side)).collect();
        let gap = c.draw_index(line.len());
        plant_all_but(board, &line, gap, Player::X);
        board.reserved = vec![line[gap]];
    })
}

pub(super) fn build_opponent_line(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 3, |c, board| {
        let line = line::draw_line(c, board.side, board.winning_length, LineStart::Anywhere);
        let gap = c.draw_index(line.len());
        plant_all_but(board, &line, gap, Player::O);
        board.reserved = vec![line[gap]];
    })
}

pub(super) fn build_one_in_a_row(c: &mut Choices, growth: u32) -> String {
    let side = draw_size(c, MIN_SIDE, MAX_SIDE, growth) as usize;
    // A single stone would be a line, so the board is empty.
    StoneBoard::empty_board(side, 1).to_input_file()
}

pub(super) fn build_quiet(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 3, |_, _| {})
}

/// As full as possible, with the winning cell among the last empty cells.
pub(super) fn build_nearly_full(c: &mut Choices, growth: u32) -> String {
    build_board_file(c, growth, 3, |c, board| {
        let line = line::draw_line(c, board.side, board.winning_length, LineStart::Anywhere);
        let gap = c.draw_index(line.len());
        if c.draw_chance(1, 2) {
            plant_win(board, &line, gap);
        }
        board.block_threats();
        if board.balance_stones(c) {
            board.add_pairs(c, usize::MAX);
        }
    })
}
