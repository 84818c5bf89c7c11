//! Boards on which X lacks one stone of a line, and boards that only look so.
//!
//! On a random board, either both players have lines all over or neither is near one. Each kind here plants one
//! pattern and then fills the board quietly: no stone completes a line, and no stone of X creates a second winning
//! move. So the pattern decides the answer.

use super::board::{Player, StoneBoard, StoneCell};
use super::draws::{index, size};
use super::line::{LineStart, draw_line};
use super::rebut;

/// The smallest and the largest side of boards.
pub type SideRange = (i64, i64);

/// The sides that the problem allows.
pub const ALL_SIDES: SideRange = (3, 20);

/// A name and a function that draws a board.
pub type Kind = (&'static str, fn(SideRange) -> StoneBoard);

/// All kinds of boards.
pub const KINDS: [Kind; 14] = [
    ("gap-inside", draw_gap_inside),
    ("gap-at-end", draw_gap_at_end),
    ("border-line", draw_border_line),
    ("corner-line", draw_corner_line),
    ("whole-side", draw_whole_side),
    ("long-line", draw_long_line),
    ("near-miss", draw_near_miss),
    ("blocked", draw_blocked),
    ("run-into-border", draw_run_into_border),
    ("wrapped", draw_wrapped),
    ("opponent-line", draw_opponent_line),
    ("one-in-a-row", draw_one_in_a_row),
    ("quiet", draw_quiet),
    ("nearly-full", draw_nearly_full),
];

/// Maximum number of boards to draw: sometimes the stones cannot be balanced around a pattern, but mostly they can be
/// around the next one.
const MAX_ATTEMPTS: usize = 8;

/// Draws boards until one of them is valid. Falls back to an empty one, which is always valid.
fn draw_board(range: SideRange, least_goal: usize, plant: impl Fn(&mut StoneBoard)) -> StoneBoard {
    let side = size(range.0, range.1) as usize;
    let goal = draw_goal(side, least_goal);
    for _ in 0..MAX_ATTEMPTS {
        let mut board = StoneBoard::empty_board(side, goal);
        plant(&mut board);
        board.block_threats();
        let balanced = board.balance_stones();
        let pairs = 1 + index(side * side / 2);
        board.add_pairs(pairs);
        if balanced && board.is_valid() {
            return board;
        }
    }
    StoneBoard::empty_board(side, goal)
}

/// Draws the number of stones in a row that win, at least `least` if the board is that long: few, as many as fit, or
/// any.
fn draw_goal(side: usize, least: usize) -> usize {
    let goal = match rebut::weighted(&[3, 2, 2]) {
        0 => index(5) + 2,
        1 => side - index(2),
        _ => index(side) + 1,
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

/// X lacks one stone inside a line.
fn draw_gap_inside(range: SideRange) -> StoneBoard {
    draw_board(range, 3, |board| {
        let line = draw_line(board.side, board.winning_length, LineStart::Anywhere);
        let gap = 1 + index(line.len() - 2);
        plant_win(board, &line, gap);
    })
}

/// X lacks one stone at the end of a line.
fn draw_gap_at_end(range: SideRange) -> StoneBoard {
    draw_board(range, 2, |board| {
        // The direction is random, so the first cell can be either end.
        let line = draw_line(board.side, board.winning_length, LineStart::Anywhere);
        plant_win(board, &line, 0);
    })
}

/// X lacks one stone of a line along the border.
fn draw_border_line(range: SideRange) -> StoneBoard {
    draw_board(range, 2, |board| {
        let line = draw_line(board.side, board.winning_length, LineStart::Border);
        let gap = index(line.len());
        plant_win(board, &line, gap);
    })
}

/// X lacks one stone of a line that starts in a corner.
fn draw_corner_line(range: SideRange) -> StoneBoard {
    draw_board(range, 2, |board| {
        let line = draw_line(board.side, board.winning_length, LineStart::Corner);
        let gap = if rebut::chance(1, 2) { 0 } else { index(line.len()) };
        plant_win(board, &line, gap);
    })
}

/// A line is as long as the board, and X lacks one stone.
fn draw_whole_side(range: SideRange) -> StoneBoard {
    draw_board(range, usize::MAX, |board| {
        let line = draw_line(board.side, board.side, LineStart::Anywhere);
        let gap = index(line.len());
        plant_win(board, &line, gap);
    })
}

/// One stone would join two runs into more than a line.
fn draw_long_line(range: SideRange) -> StoneBoard {
    draw_board(range, 2, |board| {
        let longest = board.side.min(2 * board.winning_length - 1);
        let length = board.winning_length + index(longest - board.winning_length + 1);
        let line = draw_line(board.side, length, LineStart::Anywhere);
        // Neither of the two runs is long enough to be a line.
        let shortest = length - board.winning_length;
        let gap = shortest + index(board.winning_length - shortest);
        plant_win(board, &line, gap);
    })
}

/// X lacks two stones of a line.
fn draw_near_miss(range: SideRange) -> StoneBoard {
    draw_board(range, 3, |board| {
        let line = draw_line(board.side, board.winning_length, LineStart::Anywhere);
        let first = index(line.len());
        let second = (first + 1 + index(line.len() - 1)) % line.len();
        plant_all_but(board, &line, first, Player::X);
        board.set_stone(line[second], None);
        board.reserved = vec![line[first], line[second]];
    })
}

/// The stone that X lacks is an O.
fn draw_blocked(range: SideRange) -> StoneBoard {
    draw_board(range, 3, |board| {
        let line = draw_line(board.side, board.winning_length, LineStart::Anywhere);
        let gap = index(line.len());
        plant_all_but(board, &line, gap, Player::X);
        board.set_stone(line[gap], Some(Player::O));
    })
}

/// A run one stone short of a line, between the border and an O.
fn draw_run_into_border(range: SideRange) -> StoneBoard {
    draw_board(range, 3, |board| {
        let line = draw_line(board.side, board.winning_length, LineStart::Corner);
        plant_all_but(board, &line, line.len() - 1, Player::X);
        board.set_stone(line[line.len() - 1], Some(Player::O));
    })
}

/// Stones at the end of one row and the start of the next, which form a line only if the rows are concatenated.
fn draw_wrapped(range: SideRange) -> StoneBoard {
    draw_board(range, 3, |board| {
        let (side, goal) = (board.side, board.winning_length);
        let border = (1 + index(side - 1)) * side;
        let from = border - 1 - index(goal - 1);
        let line: Vec<StoneCell> = (from..(from + goal).min(side * side)).map(|i| (i / side, i % side)).collect();
        let gap = index(line.len());
        plant_all_but(board, &line, gap, Player::X);
        board.reserved = vec![line[gap]];
    })
}

/// O lacks one stone of a line, X does not.
fn draw_opponent_line(range: SideRange) -> StoneBoard {
    draw_board(range, 3, |board| {
        let line = draw_line(board.side, board.winning_length, LineStart::Anywhere);
        let gap = index(line.len());
        plant_all_but(board, &line, gap, Player::O);
        board.reserved = vec![line[gap]];
    })
}

/// One stone wins, so the board is empty.
fn draw_one_in_a_row(range: SideRange) -> StoneBoard {
    let side = size(range.0, range.1) as usize;
    // A single stone would be a line, so the board is empty.
    StoneBoard::empty_board(side, 1)
}

/// Stones all over, but neither player is close to winning.
fn draw_quiet(range: SideRange) -> StoneBoard {
    draw_board(range, 3, |_| {})
}

/// As full as possible, with the winning cell among the last empty cells.
fn draw_nearly_full(range: SideRange) -> StoneBoard {
    draw_board(range, 3, |board| {
        let line = draw_line(board.side, board.winning_length, LineStart::Anywhere);
        let gap = index(line.len());
        if rebut::chance(1, 2) {
            plant_win(board, &line, gap);
        }
        board.block_threats();
        if board.balance_stones() {
            board.add_pairs(usize::MAX);
        }
    })
}
