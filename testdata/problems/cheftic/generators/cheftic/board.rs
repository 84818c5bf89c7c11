//! A board of stones without a completed line.

use super::rebut;

/// Row and column, counted from zero.
pub type StoneCell = (usize, usize);

/// The owner of a stone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    X,
    O,
}

/// The four axes of a line.
const AXES: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// A board, and the length of a winning line.
pub struct StoneBoard {
    pub side: usize,
    pub winning_length: usize,
    /// Cells that stay empty.
    pub reserved: Vec<StoneCell>,
    /// The only cell where X is allowed to have a winning move.
    pub winning_cell: Option<StoneCell>,
    cells: Vec<Option<Player>>,
}

impl StoneBoard {
    pub fn empty_board(side: usize, goal: usize) -> StoneBoard {
        StoneBoard {
            side,
            winning_length: goal,
            reserved: Vec::new(),
            winning_cell: None,
            cells: vec![None; side * side],
        }
    }

    pub fn stone_at(&self, (row, col): StoneCell) -> Option<Player> {
        self.cells[row * self.side + col]
    }

    /// Sets a cell without any checks.
    pub fn set_stone(&mut self, (row, col): StoneCell, player: Option<Player>) {
        self.cells[row * self.side + col] = player;
    }

    pub fn empty_cells(&self) -> Vec<StoneCell> {
        let all = (0..self.side).flat_map(|row| (0..self.side).map(move |col| (row, col)));
        all.filter(|cell| self.stone_at(*cell).is_none()).collect()
    }

    pub fn count_stones(&self, player: Player) -> usize {
        self.cells.iter().filter(|cell| **cell == Some(player)).count()
    }

    /// Returns the cell `steps` away, if it is on the board.
    fn cell_beside(&self, (row, col): StoneCell, (down, right): (isize, isize), steps: isize) -> Option<StoneCell> {
        let cell = (row.checked_add_signed(down * steps)?, col.checked_add_signed(right * steps)?);
        (cell.0 < self.side && cell.1 < self.side).then_some(cell)
    }

    /// Returns the number of consecutive stones of `player` in one direction from `cell`, not counting `cell`.
    fn run_length(&self, cell: StoneCell, axis: (isize, isize), sign: isize, player: Player) -> usize {
        let stones = (1..).map_while(|steps: isize| self.cell_beside(cell, axis, steps * sign));
        stones.take_while(|beside| self.stone_at(*beside) == Some(player)).count()
    }

    /// Returns true if a stone of `player` on `cell` is, or would be, part of a winning line.
    pub fn completes_line(&self, cell: StoneCell, player: Player) -> bool {
        AXES.iter().any(|axis| {
            1 + self.run_length(cell, *axis, 1, player) + self.run_length(cell, *axis, -1, player)
                >= self.winning_length
        })
    }

    /// Puts a stone on an empty cell, unless it completes a line or creates a winning move for X at another cell than
    /// `winning_cell`. Returns true if the stone was placed.
    pub fn place_quietly(&mut self, cell: StoneCell, player: Player) -> bool {
        let taken = self.stone_at(cell).is_some() || self.reserved.contains(&cell) || self.winning_cell == Some(cell);
        if taken || self.completes_line(cell, player) {
            return false;
        }
        self.set_stone(cell, Some(player));
        let quiet = player == Player::O || !self.can_be_quiet() || !self.threatens_near(cell);
        if !quiet {
            self.set_stone(cell, None);
        }
        quiet
    }

    /// Returns true if X can have stones without a winning move. If two in a row win, every stone of X creates one.
    fn can_be_quiet(&self) -> bool {
        self.winning_length > 2
    }

    /// Returns true if X could win on an empty cell on an axis through `cell`, at a distance less than a line.
    fn threatens_near(&self, cell: StoneCell) -> bool {
        let reach = self.winning_length as isize - 1;
        AXES.iter().any(|axis| {
            (-reach..=reach).filter_map(|steps| self.cell_beside(cell, *axis, steps)).any(|near| self.is_threat(near))
        })
    }

    fn is_threat(&self, cell: StoneCell) -> bool {
        self.stone_at(cell).is_none() && self.winning_cell != Some(cell) && self.completes_line(cell, Player::X)
    }

    /// Puts a stone of O on every cell where X could win, except on `winning_cell`.
    pub fn block_threats(&mut self) {
        if !self.can_be_quiet() {
            return;
        }
        for cell in self.empty_cells() {
            if self.is_threat(cell) && !self.completes_line(cell, Player::O) {
                self.set_stone(cell, Some(Player::O));
            }
        }
    }

    /// Returns true if it can be X's turn: as many X as O, no line complete, an empty cell left.
    pub fn is_valid(&self) -> bool {
        let complete = |index: usize| {
            let cell = (index / self.side, index % self.side);
            self.stone_at(cell).is_some_and(|player| self.completes_line(cell, player))
        };
        let stones = self.cells.iter().flatten().count();
        self.count_stones(Player::X) * 2 == stones && stones < self.cells.len() && !(0..self.cells.len()).any(complete)
    }

    /// Adds stones in random order until there are as many X as O. Returns false if they do not fit.
    pub fn balance_stones(&mut self) -> bool {
        let (x, o) = (self.count_stones(Player::X), self.count_stones(Player::O));
        let player = if x < o { Player::X } else { Player::O };
        let mut cells = self.empty_cells();
        rebut::shuffle(&mut cells);
        (0..x.abs_diff(o)).all(|_| self.place_any(&mut cells, player))
    }

    /// Adds up to `pairs` pairs of stones in random order, leaving at least one cell empty.
    pub fn add_pairs(&mut self, pairs: usize) {
        let mut cells = self.empty_cells();
        rebut::shuffle(&mut cells);
        for _ in 0..pairs.min(cells.len().saturating_sub(1) / 2) {
            let before = self.cells.clone();
            if !(self.place_any(&mut cells, Player::X) && self.place_any(&mut cells, Player::O)) {
                self.cells = before;
                return;
            }
        }
    }

    /// Puts a stone on the first of `cells` on which it is allowed, and removes that cell from the list.
    fn place_any(&mut self, cells: &mut Vec<StoneCell>, player: Player) -> bool {
        let place = (0..cells.len()).find(|i| self.place_quietly(cells[*i], player));
        place.map(|i| cells.swap_remove(i)).is_some()
    }

    /// Returns the case with this board.
    pub fn to_case(&self) -> String {
        let mut text = format!("{} {}\n", self.side, self.winning_length);
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
