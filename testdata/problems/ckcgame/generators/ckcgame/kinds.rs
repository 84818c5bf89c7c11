//! Two kings on a board: their distance, and the positions of the large numbers.
//!
//! The outcome of the chase depends on distances alone, and a mistake in them changes the score only if a large number
//! is affected: on the cells that Alice can just reach, reaches just too late, or can visit twice. Random numbers hide
//! mistakes, since a mistake of one step costs a small part of the score.

use super::draws::{index, log_range, size};
use super::rebut;

/// The smallest and the largest side of boards.
pub type SideRange = (i64, i64);

/// The sides that the problem allows.
pub const ALL_SIDES: SideRange = (2, 300);

const MAX_VALUE: i64 = 1_000_000_000;

/// A name and a function that draws a case.
pub type Kind = (&'static str, fn(SideRange) -> KingBoard);

/// All kinds of cases.
pub const KINDS: [Kind; 11] = [
    ("anywhere", draw_anywhere),
    ("just-meet", draw_just_meet),
    ("close", draw_close),
    ("corridor", draw_corridor),
    ("bob-at-border", draw_bob_at_border),
    ("horizon", draw_horizon),
    ("treasure", draw_treasure),
    ("equal-values", draw_equal_values),
    ("bait", draw_bait),
    ("large-values", draw_large_values),
    ("two-by-two", draw_two_by_two),
];

/// Row and column, counted from zero.
type KingCell = (i64, i64);

/// Returns the number of king's moves between two cells.
fn king_distance(a: KingCell, b: KingCell) -> i64 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

/// A case of the problem.
pub struct KingBoard {
    pub side: i64,
    alice: KingCell,
    bob: KingCell,
    values: Vec<i64>,
}

impl KingBoard {
    /// Draws two kings anywhere on a board full of ones.
    fn draw_board(range: SideRange) -> KingBoard {
        let side = size(range.0, range.1);
        let alice = (rebut::next(0, side - 1), rebut::next(0, side - 1));
        let bob = (rebut::next(0, side - 1), rebut::next(0, side - 1));
        KingBoard { side, alice, bob, values: vec![1; (side * side) as usize] }.separate_kings()
    }

    /// Moves both kings onto the board, and apart if they are on the same cell.
    fn separate_kings(mut self) -> KingBoard {
        let last = self.side - 1;
        let inside = |(row, col): KingCell| (row.clamp(0, last), col.clamp(0, last));
        (self.alice, self.bob) = (inside(self.alice), inside(self.bob));
        if self.alice == self.bob {
            self.bob.1 += if self.bob.1 < last { 1 } else { -1 };
        }
        self
    }

    fn all_cells(&self) -> impl Iterator<Item = KingCell> + use<> {
        let side = self.side;
        (0..side).flat_map(move |row| (0..side).map(move |col| (row, col)))
    }

    /// Returns the cells that satisfy the predicate, or all cells if none does.
    fn cells_where(&self, is_one: impl Fn(KingCell) -> bool) -> Vec<KingCell> {
        let found: Vec<KingCell> = self.all_cells().filter(|cell| is_one(*cell)).collect();
        if found.is_empty() { self.all_cells().collect() } else { found }
    }

    fn set_value(&mut self, (row, col): KingCell, value: i64) {
        self.values[(row * self.side + col) as usize] = value;
    }

    /// Sets small random numbers everywhere.
    fn scatter_values(&mut self) {
        let most = 1 + log_range(1, 20);
        self.values.iter_mut().for_each(|value| *value = rebut::next(1, most));
    }

    /// Sets a large number on some of these cells.
    fn plant_large_values(&mut self, cells: &[KingCell], most: usize) {
        let value = if rebut::chance(1, 2) { MAX_VALUE } else { log_range(10, MAX_VALUE) };
        for _ in 0..1 + index(most) {
            let cell = cells[index(cells.len())];
            self.set_value(cell, value);
        }
    }

    /// Returns the case with this board.
    pub fn to_case(&self) -> String {
        let ((ax, ay), (bx, by)) = (self.alice, self.bob);
        let mut text = format!("{} {} {} {} {}\n", self.side, ax + 1, ay + 1, bx + 1, by + 1);
        for row in self.values.chunks(self.side as usize) {
            let row: Vec<String> = row.iter().map(ToString::to_string).collect();
            text.push_str(&row.join(" "));
            text.push('\n');
        }
        text
    }
}

/// Kings anywhere, small numbers.
fn draw_anywhere(range: SideRange) -> KingBoard {
    let mut board = KingBoard::draw_board(range);
    board.scatter_values();
    board
}

/// A large number on a cell that Alice can reach in just as many moves as Bob, one more or one less.
fn draw_just_meet(range: SideRange) -> KingBoard {
    let mut board = KingBoard::draw_board(range);
    board.scatter_values();
    let late = rebut::next(-1, 1);
    let (alice, bob) = (board.alice, board.bob);
    let cells =
        board.cells_where(|cell| king_distance(cell, bob) == king_distance(cell, alice) + late && cell != alice);
    board.plant_large_values(&cells, 2);
    board
}

/// Kings at most three moves apart, in one line or not.
fn draw_close(range: SideRange) -> KingBoard {
    let mut board = KingBoard::draw_board(range);
    board.scatter_values();
    let apart = rebut::next(1, 3);
    board.bob = (board.alice.0 + rebut::next(-apart, apart), board.alice.1 + rebut::next(-apart, apart));
    board = board.separate_kings();
    let cells = board.all_cells().collect::<Vec<_>>();
    board.plant_large_values(&cells, 3);
    board
}

/// A straight line of large numbers, from Alice or past her, and small numbers elsewhere.
fn draw_corridor(range: SideRange) -> KingBoard {
    let mut board = KingBoard::draw_board(range);
    let from = if rebut::chance(1, 2) {
        board.alice
    } else {
        (rebut::next(0, board.side - 1), rebut::next(0, board.side - 1))
    };
    let step = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)][index(8)];
    let value = log_range(100, MAX_VALUE);
    let inside = 0..board.side;
    let cells = (1..board.side).map(|i| (from.0 + i * step.0, from.1 + i * step.1));
    let cells = cells.take_while(|cell| inside.contains(&cell.0) && inside.contains(&cell.1)).collect::<Vec<_>>();
    for cell in cells {
        board.set_value(cell, value);
    }
    board
}

/// Bob in a corner or on the border, and Alice sometimes as far away as possible.
fn draw_bob_at_border(range: SideRange) -> KingBoard {
    let mut board = KingBoard::draw_board(range);
    board.scatter_values();
    let end = |last: i64| if rebut::chance(1, 2) { last } else { 0 };
    let last = board.side - 1;
    board.bob = match index(3) {
        0 => (end(last), end(last)),
        1 => (board.bob.0, end(last)),
        _ => (end(last), board.bob.1),
    };
    if rebut::chance(1, 2) {
        board.alice = (last - board.bob.0, last - board.bob.1);
    }
    board.separate_kings()
}

/// Large numbers on the last cells before Bob controls the whole board: as far from him as possible, or one step less.
fn draw_horizon(range: SideRange) -> KingBoard {
    let mut board = KingBoard::draw_board(range);
    board.scatter_values();
    if rebut::chance(2, 3) {
        board.bob = (0, 0);
        board = board.separate_kings();
    }
    let bob = board.bob;
    let farthest = board.all_cells().map(|cell| king_distance(cell, bob)).max().unwrap_or(1);
    let less = rebut::next(0, 1);
    let cells = board.cells_where(|cell| king_distance(cell, bob) + less == farthest);
    board.plant_large_values(&cells, 3);
    board
}

/// One huge number, or two side by side: worth returning to, if Alice can.
fn draw_treasure(range: SideRange) -> KingBoard {
    let mut board = KingBoard::draw_board(range);
    let near = 1 + log_range(0, board.side - 1);
    let row = (board.alice.0 + rebut::next(-near, near)).clamp(0, board.side - 1);
    let col = (board.alice.1 + rebut::next(-near, near)).clamp(0, board.side - 1);
    board.set_value((row, col), MAX_VALUE);
    if rebut::chance(1, 2) {
        board.set_value((row, (col + 1).min(board.side - 1)), MAX_VALUE - rebut::next(0, 1));
    }
    board
}

/// The same number everywhere: the score is the number of Alice's moves.
fn draw_equal_values(range: SideRange) -> KingBoard {
    let mut board = KingBoard::draw_board(range);
    let value = match index(3) {
        0 => 1,
        1 => MAX_VALUE,
        _ => log_range(1, MAX_VALUE),
    };
    board.values.iter_mut().for_each(|cell| *cell = value);
    board
}

/// Numbers grow towards Bob, so that the best cells are the most dangerous ones.
fn draw_bait(range: SideRange) -> KingBoard {
    let mut board = KingBoard::draw_board(range);
    let (step, bob) = (log_range(1, MAX_VALUE / ALL_SIDES.1), board.bob);
    for cell in board.all_cells() {
        board.set_value(cell, 1 + step * (board.side - 1 - king_distance(cell, bob)));
    }
    board
}

/// Only numbers near the limit.
fn draw_large_values(range: SideRange) -> KingBoard {
    let mut board = KingBoard::draw_board(range);
    board.values.iter_mut().for_each(|value| *value = MAX_VALUE - rebut::next(0, 9));
    board
}

/// The smallest board, any numbers.
fn draw_two_by_two(_: SideRange) -> KingBoard {
    let mut board = KingBoard::draw_board((2, 2));
    board.values.iter_mut().for_each(|value| *value = log_range(1, MAX_VALUE));
    board
}
