//! Boards one stone short of a line, and boards that only look like it.
//!
//! On a random board either everybody has lines all over or nobody is near one. Each kind here plants one pattern and
//! then fills the board quietly: no stone completes a line, and none of X prepares a second place to win. What the
//! pattern decides, the whole board decides.

mod board;
mod line;

use board::{Board, Cell, Player};
use line::Start;

use crate::choices::Choices;
use crate::sizes::size;

const LEAST_SIDE: i128 = 3;
const MOST_SIDE: i128 = 20;

/// A pattern may leave no room to balance the stones; another drawing of it mostly does.
const ATTEMPTS: usize = 8;

/// Draws boards until one of them is valid, and falls back on an empty one, which always is.
fn build(c: &mut Choices, growth: u32, least_goal: usize, plant: impl Fn(&mut Choices, &mut Board)) -> String {
    let side = size(c, LEAST_SIDE, MOST_SIDE, growth) as usize;
    let goal = draw_goal(c, side, least_goal);
    for _ in 0..ATTEMPTS {
        let mut board = Board::empty(side, goal);
        plant(c, &mut board);
        board.block_threats();
        let balanced = board.balance(c);
        let pairs = 1 + c.index(side * side / 2);
        board.add_pairs(c, pairs);
        if balanced && board.is_valid() {
            return board.print();
        }
    }
    Board::empty(side, goal).print()
}

/// How many in a row win, at least `least` as far as the board is that long: few, as many as fit, or anything.
fn draw_goal(c: &mut Choices, side: usize, least: usize) -> usize {
    let goal = match c.weighted(&[3, 2, 2]) {
        0 => c.index(5) + 2,
        1 => side - c.index(2),
        _ => c.index(side) + 1,
    };
    goal.clamp(least.min(side), side)
}

/// Puts X on every cell of the line but one, which is left as the place to win.
fn plant_win(board: &mut Board, line: &[Cell], gap: usize) {
    plant_all_but(board, line, gap, Player::X);
    board.prize = line.get(gap).copied();
}

fn plant_all_but(board: &mut Board, line: &[Cell], gap: usize, player: Player) {
    for (i, cell) in line.iter().enumerate() {
        board.set(*cell, (i != gap).then_some(player));
    }
}

pub(super) fn gap_inside(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 3, |c, board| {
        let line = line::draw(c, board.side, board.goal, Start::Anywhere);
        let gap = 1 + c.index(line.len() - 2);
        plant_win(board, &line, gap);
    })
}

pub(super) fn gap_at_end(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 2, |c, board| {
        // The direction is random, so the first cell may be either end.
        let line = line::draw(c, board.side, board.goal, Start::Anywhere);
        plant_win(board, &line, 0);
    })
}

pub(super) fn border_line(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 2, |c, board| {
        let line = line::draw(c, board.side, board.goal, Start::Border);
        let gap = c.index(line.len());
        plant_win(board, &line, gap);
    })
}

pub(super) fn corner_line(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 2, |c, board| {
        let line = line::draw(c, board.side, board.goal, Start::Corner);
        let gap = if c.chance(1, 2) { 0 } else { c.index(line.len()) };
        plant_win(board, &line, gap);
    })
}

pub(super) fn whole_side(c: &mut Choices, growth: u32) -> String {
    build(c, growth, MOST_SIDE as usize, |c, board| {
        let line = line::draw(c, board.side, board.side, Start::Anywhere);
        let gap = c.index(line.len());
        plant_win(board, &line, gap);
    })
}

/// The stone would join two runs into more than is needed.
pub(super) fn long_line(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 2, |c, board| {
        let longest = board.side.min(2 * board.goal - 1);
        let length = board.goal + c.index(longest - board.goal + 1);
        let line = line::draw(c, board.side, length, Start::Anywhere);
        // Neither of the two runs may be a line already.
        let shortest = length - board.goal;
        let gap = shortest + c.index(board.goal - shortest);
        plant_win(board, &line, gap);
    })
}

pub(super) fn near_miss(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 3, |c, board| {
        let line = line::draw(c, board.side, board.goal, Start::Anywhere);
        let first = c.index(line.len());
        let second = (first + 1 + c.index(line.len() - 1)) % line.len();
        plant_all_but(board, &line, first, Player::X);
        board.set(line[second], None);
        board.kept = vec![line[first], line[second]];
    })
}

pub(super) fn blocked(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 3, |c, board| {
        let line = line::draw(c, board.side, board.goal, Start::Anywhere);
        let gap = c.index(line.len());
        plant_all_but(board, &line, gap, Player::X);
        board.set(line[gap], Some(Player::O));
    })
}

/// A run one short of a line against the border: there is no cell behind it.
pub(super) fn run_into_border(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 3, |c, board| {
        let line = line::draw(c, board.side, board.goal, Start::Corner);
        plant_all_but(board, &line, line.len() - 1, Player::X);
        board.set(line[line.len() - 1], Some(Player::O));
    })
}

/// Stones at the end of one row and the start of the next, in a line only if the rows were written one after the
/// other.
pub(super) fn wrapped(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 3, |c, board| {
        let (side, goal) = (board.side, board.goal);
        let border = (1 + c.index(side - 1)) * side;
        let from = border - 1 - c.index(goal - 1);
        let line: Vec<Cell> = (from..(from + goal).min(side * side)).map(|i| (i / side, i % side)).collect();
        let gap = c.index(line.len());
        plant_all_but(board, &line, gap, Player::X);
        board.kept = vec![line[gap]];
    })
}

pub(super) fn opponent_line(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 3, |c, board| {
        let line = line::draw(c, board.side, board.goal, Start::Anywhere);
        let gap = c.index(line.len());
        plant_all_but(board, &line, gap, Player::O);
        board.kept = vec![line[gap]];
    })
}

pub(super) fn one_in_a_row(c: &mut Choices, growth: u32) -> String {
    let side = size(c, LEAST_SIDE, MOST_SIDE, growth) as usize;
    // A single stone would be a line, so there is none.
    Board::empty(side, 1).print()
}

pub(super) fn quiet(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 3, |_, _| {})
}

/// As full as it gets, the place to win among the last empty cells.
pub(super) fn nearly_full(c: &mut Choices, growth: u32) -> String {
    build(c, growth, 3, |c, board| {
        let line = line::draw(c, board.side, board.goal, Start::Anywhere);
        let gap = c.index(line.len());
        if c.chance(1, 2) {
            plant_win(board, &line, gap);
        }
        board.block_threats();
        if board.balance(c) {
            board.add_pairs(c, usize::MAX);
        }
    })
}
