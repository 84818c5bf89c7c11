//! Two kings on a board: how far apart they start, and where the large numbers lie.
//!
//! Who catches whom depends on distances alone, and whether a program knows them shows in the score only if a large
//! number lies where it is mistaken: on the cells that Alice can just reach, just too late, or once more. Numbers
//! drawn at random hide that, since a mistake of one step costs a small part of them.

use crate::choices::Choices;
use crate::sizes::size;

const LEAST_SIDE: i128 = 2;
const MOST_SIDE: i128 = 300;
const MOST_VALUE: i128 = 1_000_000_000;

/// Row and column, counted from zero.
type Cell = (i128, i128);

/// How many king's steps two cells are apart.
fn distance(a: Cell, b: Cell) -> i128 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

/// One case.
struct Board {
    side: i128,
    alice: Cell,
    bob: Cell,
    values: Vec<i128>,
}

impl Board {
    /// Two kings anywhere on a board full of ones.
    fn draw(c: &mut Choices, growth: u32) -> Board {
        let side = size(c, LEAST_SIDE, MOST_SIDE, growth);
        let alice = (c.range(0, side - 1), c.range(0, side - 1));
        let bob = (c.range(0, side - 1), c.range(0, side - 1));
        Board { side, alice, bob, values: vec![1; (side * side) as usize] }.apart()
    }

    /// Kings on one cell are moved apart, and both onto the board.
    fn apart(mut self) -> Board {
        let last = self.side - 1;
        let inside = |(row, col): Cell| (row.clamp(0, last), col.clamp(0, last));
        (self.alice, self.bob) = (inside(self.alice), inside(self.bob));
        if self.alice == self.bob {
            self.bob.1 += if self.bob.1 < last { 1 } else { -1 };
        }
        self
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let side = self.side;
        (0..side).flat_map(move |row| (0..side).map(move |col| (row, col)))
    }

    /// The cells with some property; all of them if there is none.
    fn those(&self, is_one: impl Fn(Cell) -> bool) -> Vec<Cell> {
        let found: Vec<Cell> = self.cells().filter(|cell| is_one(*cell)).collect();
        if found.is_empty() { self.cells().collect() } else { found }
    }

    fn set(&mut self, (row, col): Cell, value: i128) {
        self.values[(row * self.side + col) as usize] = value;
    }

    /// Small numbers everywhere, some of them larger.
    fn scatter(&mut self, c: &mut Choices) {
        let most = 1 + c.log_range(1, 20);
        self.values.iter_mut().for_each(|value| *value = c.range(1, most));
    }

    /// A large number on some of these cells.
    fn plant(&mut self, c: &mut Choices, cells: &[Cell], most: usize) {
        let value = if c.chance(1, 2) { MOST_VALUE } else { c.log_range(10, MOST_VALUE) };
        for _ in 0..1 + c.index(most) {
            let cell = cells[c.index(cells.len())];
            self.set(cell, value);
        }
    }

    /// The file with this board as its only case.
    fn print(&self) -> String {
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

pub(super) fn anywhere(c: &mut Choices, growth: u32) -> String {
    let mut board = Board::draw(c, growth);
    board.scatter(c);
    board.print()
}

/// A large number on a cell that Alice can reach in just as many moves as Bob, one more or one less.
pub(super) fn just_meet(c: &mut Choices, growth: u32) -> String {
    let mut board = Board::draw(c, growth);
    board.scatter(c);
    let late = c.range(-1, 1);
    let (alice, bob) = (board.alice, board.bob);
    let cells = board.those(|cell| distance(cell, bob) == distance(cell, alice) + late && cell != alice);
    board.plant(c, &cells, 2);
    board.print()
}

/// The kings a few steps apart, in one line or on a diagonal: next to each other, one cell between them, two.
pub(super) fn close(c: &mut Choices, growth: u32) -> String {
    let mut board = Board::draw(c, growth);
    board.scatter(c);
    let apart = c.range(1, 3);
    board.bob = (board.alice.0 + c.range(-apart, apart), board.alice.1 + c.range(-apart, apart));
    board = board.apart();
    let cells = board.cells().collect::<Vec<_>>();
    board.plant(c, &cells, 3);
    board.print()
}

/// A straight line of large numbers, from Alice or past her, and everything else small.
pub(super) fn corridor(c: &mut Choices, growth: u32) -> String {
    let mut board = Board::draw(c, growth);
    let from = if c.chance(1, 2) { board.alice } else { (c.range(0, board.side - 1), c.range(0, board.side - 1)) };
    let step = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)][c.index(8)];
    let value = c.log_range(100, MOST_VALUE);
    let inside = 0..board.side;
    let cells = (1..board.side).map(|i| (from.0 + i * step.0, from.1 + i * step.1));
    let cells = cells.take_while(|cell| inside.contains(&cell.0) && inside.contains(&cell.1)).collect::<Vec<_>>();
    for cell in cells {
        board.set(cell, value);
    }
    board.print()
}

/// Bob in a corner or on the border, and Alice as far away as the board goes, or near.
pub(super) fn bob_at_border(c: &mut Choices, growth: u32) -> String {
    let mut board = Board::draw(c, growth);
    board.scatter(c);
    let end = |c: &mut Choices, last: i128| if c.chance(1, 2) { last } else { 0 };
    let last = board.side - 1;
    board.bob = match c.index(3) {
        0 => (end(c, last), end(c, last)),
        1 => (board.bob.0, end(c, last)),
        _ => (end(c, last), board.bob.1),
    };
    if c.chance(1, 2) {
        board.alice = (last - board.bob.0, last - board.bob.1);
    }
    board.apart().print()
}

/// Large numbers on the last cells before Bob has the whole board: as far from him as any, or one step less.
pub(super) fn horizon(c: &mut Choices, growth: u32) -> String {
    let mut board = Board::draw(c, growth);
    board.scatter(c);
    if c.chance(2, 3) {
        board.bob = (0, 0);
        board = board.apart();
    }
    let bob = board.bob;
    let farthest = board.cells().map(|cell| distance(cell, bob)).max().unwrap_or(1);
    let less = c.range(0, 1);
    let cells = board.those(|cell| distance(cell, bob) + less == farthest);
    board.plant(c, &cells, 3);
    board.print()
}

/// One huge number, or two side by side: worth coming back to, if Alice may.
pub(super) fn treasure(c: &mut Choices, growth: u32) -> String {
    let mut board = Board::draw(c, growth);
    let near = 1 + c.log_range(0, board.side - 1);
    let row = (board.alice.0 + c.range(-near, near)).clamp(0, board.side - 1);
    let col = (board.alice.1 + c.range(-near, near)).clamp(0, board.side - 1);
    board.set((row, col), MOST_VALUE);
    if c.chance(1, 2) {
        board.set((row, (col + 1).min(board.side - 1)), MOST_VALUE - c.range(0, 1));
    }
    board.print()
}

/// The same number everywhere: the score is how many moves Alice lasts.
pub(super) fn equal_values(c: &mut Choices, growth: u32) -> String {
    let mut board = Board::draw(c, growth);
    let value = match c.index(3) {
        0 => 1,
        1 => MOST_VALUE,
        _ => c.log_range(1, MOST_VALUE),
    };
    board.values.iter_mut().for_each(|cell| *cell = value);
    board.print()
}

/// The numbers grow towards Bob, so that what is nearest to him is best and most dangerous.
pub(super) fn bait(c: &mut Choices, growth: u32) -> String {
    let mut board = Board::draw(c, growth);
    let (step, bob) = (c.log_range(1, MOST_VALUE / MOST_SIDE), board.bob);
    for cell in board.cells() {
        board.set(cell, 1 + step * (board.side - 1 - distance(cell, bob)));
    }
    board.print()
}

/// Only numbers near the limit.
pub(super) fn large_values(c: &mut Choices, growth: u32) -> String {
    let mut board = Board::draw(c, growth);
    board.values.iter_mut().for_each(|value| *value = MOST_VALUE - c.range(0, 9));
    board.print()
}

pub(super) fn two_by_two(c: &mut Choices, _growth: u32) -> String {
    let mut board = Board::draw(c, 0);
    if board.side > LEAST_SIDE {
        board = Board { side: LEAST_SIDE, values: vec![1; 4], ..board }.apart();
    }
    board.values.iter_mut().for_each(|value| *value = c.log_range(1, MOST_VALUE));
    board.print()
}
