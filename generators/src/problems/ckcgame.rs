//! Two kings on a board: their distance, and the positions of the large numbers.
//!
//! The outcome of the chase depends on distances alone, and a mistake in them changes the score only if a large number
//! is affected: on the cells that Alice can just reach, reaches just too late, or can visit twice. Random numbers hide
//! mistakes, since a mistake of one step costs a small part of the score.

use crate::choices::Choices;
use crate::sizes::draw_size;

const MIN_SIDE: i128 = 2;
const MAX_SIDE: i128 = 300;
const MAX_VALUE: i128 = 1_000_000_000;

/// Row and column, counted from zero.
type KingCell = (i128, i128);

/// Returns the number of king's moves between two cells.
fn king_distance(a: KingCell, b: KingCell) -> i128 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

/// A case of the problem.
struct KingBoard {
    side: i128,
    alice: KingCell,
    bob: KingCell,
    values: Vec<i128>,
}

impl KingBoard {
    /// Draws two kings anywhere on a board full of ones.
    fn draw_board(c: &mut Choices, growth: u32) -> KingBoard {
        let side = draw_size(c, MIN_SIDE, MAX_SIDE, growth);
        let alice = (c.draw_range(0, side - 1), c.draw_range(0, side - 1));
        let bob = (c.draw_range(0, side - 1), c.draw_range(0, side - 1));
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

    fn set_value(&mut self, (row, col): KingCell, value: i128) {
        self.values[(row * self.side + col) as usize] = value;
    }

    /// Sets small random numbers everywhere.
    fn scatter_values(&mut self, c: &mut Choices) {
        let most = 1 + c.draw_log_range(1, 20);
        self.values.iter_mut().for_each(|value| *value = c.draw_range(1, most));
    }

    /// Sets a large number on some of these cells.
    fn plant_large_values(&mut self, c: &mut Choices, cells: &[KingCell], most: usize) {
        let value = if c.draw_chance(1, 2) { MAX_VALUE } else { c.draw_log_range(10, MAX_VALUE) };
        for _ in 0..1 + c.draw_index(most) {
            let cell = cells[c.draw_index(cells.len())];
            self.set_value(cell, value);
        }
    }

    /// Returns the input file with this board as its only case.
    fn to_input_file(&self) -> String {
        let ((ax, ay), (bx, by)) = (self.alice, self.bob);
        let mut text = format!("1\n{} {} {} {} {}\n", self.side, ax + 1, ay + 1, bx + 1, by + 1);
        for row in self.values.chunks(self.side as usize) {
            let row: Vec<String> = row.iter().map(ToString::to_string).collect();
            text.push_str(&row.join(" "));
            text.push('\n');
        }
        text
    }
}

pub(super) fn build_anywhere(c: &mut Choices, growth: u32) -> String {
    let mut board = KingBoard::draw_board(c, growth);
    board.scatter_values(c);
    board.to_input_file()
}

/// A large number on a cell that Alice can reach in just as many moves as Bob, one more or one less.
pub(super) fn build_just_meet(c: &mut Choices, growth: u32) -> String {
    let mut board = KingBoard::draw_board(c, growth);
    board.scatter_values(c);
    let late = c.draw_range(-1, 1);
    let (alice, bob) = (board.alice, board.bob);
    let cells =
        board.cells_where(|cell| king_distance(cell, bob) == king_distance(cell, alice) + late && cell != alice);
    board.plant_large_values(c, &cells, 2);
    board.to_input_file()
}

/// Kings at most three moves apart, in one line or not.
pub(super) fn build_close(c: &mut Choices, growth: u32) -> String {
    let mut board = KingBoard::draw_board(c, growth);
    board.scatter_values(c);
    let apart = c.draw_range(1, 3);
    board.bob = (board.alice.0 + c.draw_range(-apart, apart), board.alice.1 + c.draw_range(-apart, apart));
    board = board.separate_kings();
    let cells = board.all_cells().collect::<Vec<_>>();
    board.plant_large_values(c, &cells, 3);
    board.to_input_file()
}

/// A straight line of large numbers, from Alice or past her, and small numbers elsewhere.
pub(super) fn build_corridor(c: &mut Choices, growth: u32) -> String {
    let mut board = KingBoard::draw_board(c, growth);
    let from = if c.draw_chance(1, 2) {
        board.alice
    } else {
        (c.draw_range(0, board.side - 1), c.draw_range(0, board.side - 1))
    };
    let step = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)][c.draw_index(8)];
    let value = c.draw_log_range(100, MAX_VALUE);
    let inside = 0..board.side;
    let cells = (1..board.side).map(|i| (from.0 + i * step.0, from.1 + i * step.1));
    let cells = cells.take_while(|cell| inside.contains(&cell.0) && inside.contains(&cell.1)).collect::<Vec<_>>();
    for cell in cells {
        board.set_value(cell, value);
    }
    board.to_input_file()
}

/// Bob in a corner or on the border, and Alice sometimes as far away as possible.
pub(super) fn build_bob_at_border(c: &mut Choices, growth: u32) -> String {
    let mut board = KingBoard::draw_board(c, growth);
    board.scatter_values(c);
    let end = |c: &mut Choices, last: i128| if c.draw_chance(1, 2) { last } else { 0 };
    let last = board.side - 1;
    board.bob = match c.draw_index(3) {
        0 => (end(c, last), end(c, last)),
        1 => (board.bob.0, end(c, last)),
        _ => (end(c, last), board.bob.1),
    };
    if c.draw_chance(1, 2) {
        board.alice = (last - board.bob.0, last - board.bob.1);
    }
    board.separate_kings().to_input_file()
}

/// Large numbers on the last cells before Bob controls the whole board: as far from him as possible, or one step less.
pub(super) fn build_horizon(c: &mut Choices, growth: u32) -> String {
    let mut board = KingBoard::draw_board(c, growth);
    board.scatter_values(c);
    if c.draw_chance(2, 3) {
        board.bob = (0, 0);
        board = board.separate_kings();
    }
    let bob = board.bob;
    let farthest = board.all_cells().map(|cell| king_distance(cell, bob)).max().unwrap_or(1);
    let less = c.draw_range(0, 1);
    let cells = board.cells_where(|cell| king_distance(cell, bob) + less == farthest);
    board.plant_large_values(c, &cells, 3);
    board.to_input_file()
}

/// One huge number, or two side by side: worth returning to, if Alice can.
pub(super) fn build_treasure(c: &mut Choices, growth: u32) -> String {
    let mut board = KingBoard::draw_board(c, growth);
    let near = 1 + c.draw_log_range(0, board.side - 1);
    let row = (board.alice.0 + c.draw_range(-near, near)).clamp(0, board.side - 1);
    let col = (board.alice.1 + c.draw_range(-near, near)).clamp(0, board.side - 1);
    board.set_value((row, col), MAX_VALUE);
    if c.draw_chance(1, 2) {
        board.set_value((row, (col + 1).min(board.side - 1)), MAX_VALUE - c.draw_range(0, 1));
    }
    board.to_input_file()
}

/// The same number everywhere: the score is the number of Alice's moves.
pub(super) fn build_equal_values(c: &mut Choices, growth: u32) -> String {
    let mut board = KingBoard::draw_board(c, growth);
    let value = match c.draw_index(3) {
        0 => 1,
        1 => MAX_VALUE,
        _ => c.draw_log_range(1, MAX_VALUE),
    };
    board.values.iter_mut().for_each(|cell| *cell = value);
    board.to_input_file()
}

/// Numbers grow towards Bob, so that the best cells are the most dangerous ones.
pub(super) fn build_bait(c: &mut Choices, growth: u32) -> String {
    let mut board = KingBoard::draw_board(c, growth);
    let (step, bob) = (c.draw_log_range(1, MAX_VALUE / MAX_SIDE), board.bob);
    for cell in board.all_cells() {
        board.set_value(cell, 1 + step * (board.side - 1 - king_distance(cell, bob)));
    }
    board.to_input_file()
}

/// Only numbers near the limit.
pub(super) fn build_large_values(c: &mut Choices, growth: u32) -> String {
    let mut board = KingBoard::draw_board(c, growth);
    board.values.iter_mut().for_each(|value| *value = MAX_VALUE - c.draw_range(0, 9));
    board.to_input_file()
}

pub(super) fn build_two_by_two(c: &mut Choices, _growth: u32) -> String {
    let mut board = KingBoard::draw_board(c, 0);
    if board.side > MIN_SIDE {
        board = KingBoard { side: MIN_SIDE, values: vec![1; 4], ..board }.separate_kings();
    }
    board.values.iter_mut().for_each(|value| *value = c.draw_log_range(1, MAX_VALUE));
    board.to_input_file()
}
