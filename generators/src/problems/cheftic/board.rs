//! A board on which no stone may ever complete a line.

use crate::choices::Choices;

/// Row and column, counted from zero.
pub(super) type Cell = (usize, usize);

/// Whose stone it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Player {
    X,
    O,
}

/// The four ways a line can lie.
const AXES: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The board, and the length of a line that wins.
pub(super) struct Board {
    pub(super) side: usize,
    pub(super) goal: usize,
    /// Cells that stay empty, whatever else is filled.
    pub(super) kept: Vec<Cell>,
    /// The one cell where X may be about to win.
    pub(super) prize: Option<Cell>,
    cells: Vec<Option<Player>>,
}

impl Board {
    pub(super) fn empty(side: usize, goal: usize) -> Board {
        Board { side, goal, kept: Vec::new(), prize: None, cells: vec![None; side * side] }
    }

    pub(super) fn at(&self, (row, col): Cell) -> Option<Player> {
        self.cells[row * self.side + col]
    }

    /// Puts a stone on a cell without asking.
    pub(super) fn set(&mut self, (row, col): Cell, player: Option<Player>) {
        self.cells[row * self.side + col] = player;
    }

    pub(super) fn empty_cells(&self) -> Vec<Cell> {
        let all = (0..self.side).flat_map(|row| (0..self.side).map(move |col| (row, col)));
        all.filter(|cell| self.at(*cell).is_none()).collect()
    }

    pub(super) fn count(&self, player: Player) -> usize {
        self.cells.iter().filter(|cell| **cell == Some(player)).count()
    }

    /// The cell `steps` away, if it is on the board.
    fn beside(&self, (row, col): Cell, (down, right): (isize, isize), steps: isize) -> Option<Cell> {
        let cell = (row.checked_add_signed(down * steps)?, col.checked_add_signed(right * steps)?);
        (cell.0 < self.side && cell.1 < self.side).then_some(cell)
    }

    /// How many stones of `player` follow each other from `cell` in one direction, not counting `cell`.
    fn run(&self, cell: Cell, axis: (isize, isize), sign: isize, player: Player) -> usize {
        let stones = (1..).map_while(|steps: isize| self.beside(cell, axis, steps * sign));
        stones.take_while(|beside| self.at(*beside) == Some(player)).count()
    }

    /// Whether a stone of `player` on `cell` is, or would be, part of a winning line.
    pub(super) fn completes(&self, cell: Cell, player: Player) -> bool {
        AXES.iter().any(|axis| 1 + self.run(cell, *axis, 1, player) + self.run(cell, *axis, -1, player) >= self.goal)
    }

    /// Puts a stone on an empty cell if it neither completes a line nor, for X, prepares to win anywhere but at the
    /// prize.
    pub(super) fn place_quietly(&mut self, cell: Cell, player: Player) -> bool {
        let taken = self.at(cell).is_some() || self.kept.contains(&cell) || self.prize == Some(cell);
        if taken || self.completes(cell, player) {
            return false;
        }
        self.set(cell, Some(player));
        let quiet = player == Player::O || !self.can_be_quiet() || !self.threatens_near(cell);
        if !quiet {
            self.set(cell, None);
        }
        quiet
    }

    /// If two in a row win, every stone of X is about to.
    fn can_be_quiet(&self) -> bool {
        self.goal > 2
    }

    /// Whether X could win on an empty cell that a stone on `cell` helps: it lies on an axis, less than a line away.
    fn threatens_near(&self, cell: Cell) -> bool {
        let reach = self.goal as isize - 1;
        AXES.iter().any(|axis| {
            (-reach..=reach).filter_map(|steps| self.beside(cell, *axis, steps)).any(|near| self.is_threat(near))
        })
    }

    fn is_threat(&self, cell: Cell) -> bool {
        self.at(cell).is_none() && self.prize != Some(cell) && self.completes(cell, Player::X)
    }

    /// Lets O block every cell where X could win, except the prize.
    pub(super) fn block_threats(&mut self) {
        if !self.can_be_quiet() {
            return;
        }
        for cell in self.empty_cells() {
            if self.is_threat(cell) && !self.completes(cell, Player::O) {
                self.set(cell, Some(Player::O));
            }
        }
    }

    /// Whether it could be X's turn: as many X as O, no line complete, a cell left.
    pub(super) fn is_valid(&self) -> bool {
        let complete = |index: usize| {
            let cell = (index / self.side, index % self.side);
            self.at(cell).is_some_and(|player| self.completes(cell, player))
        };
        let stones = self.cells.iter().flatten().count();
        self.count(Player::X) * 2 == stones && stones < self.cells.len() && !(0..self.cells.len()).any(complete)
    }

    /// Adds stones in random order until there are as many X as O. False if there is no room for them.
    pub(super) fn balance(&mut self, c: &mut Choices) -> bool {
        let (x, o) = (self.count(Player::X), self.count(Player::O));
        let player = if x < o { Player::X } else { Player::O };
        let mut cells = self.empty_cells();
        c.shuffle(&mut cells);
        (0..x.abs_diff(o)).all(|_| self.place_any(&mut cells, player))
    }

    /// Adds up to `pairs` pairs of stones in random order, leaving at least one cell empty.
    pub(super) fn add_pairs(&mut self, c: &mut Choices, pairs: usize) {
        let mut cells = self.empty_cells();
        c.shuffle(&mut cells);
        for _ in 0..pairs.min(cells.len().saturating_sub(1) / 2) {
            let before = self.cells.clone();
            if !(self.place_any(&mut cells, Player::X) && self.place_any(&mut cells, Player::O)) {
                self.cells = before;
                return;
            }
        }
    }

    /// Puts a stone on the first of `cells` that takes it, and strikes that cell from the list.
    fn place_any(&mut self, cells: &mut Vec<Cell>, player: Player) -> bool {
        let place = (0..cells.len()).find(|i| self.place_quietly(cells[*i], player));
        place.map(|i| cells.swap_remove(i)).is_some()
    }

    /// The file with this board as its only case.
    pub(super) fn print(&self) -> String {
        let mut text = format!("1\n{} {}\n", self.side, self.goal);
        for row in self.cells.chunks(self.side) {
            text.extend(row.iter().map(|cell| match cell {
                None => '.',
                Some(Player::X) => 'X',
                Some(Player::O) => 'O',
            }));
            text.push('\n');
        }
        text
    }
}
