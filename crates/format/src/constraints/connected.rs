//! `connected(board, ".S")`: the cells with these characters are connected by steps to the left, right, up and down.

use super::{Board, LetterSpace, PropertyFault, PropertyGoal, PropertyMisuse, TextProperty};
use rebut_generators::Choices;
use std::collections::VecDeque;

/// The property that some cells of a board are connected.
pub(super) struct Connected;

impl TextProperty for Connected {
    fn name(&self) -> &'static str {
        "connected"
    }

    fn dimensions(&self) -> usize {
        2
    }

    fn takes_letters(&self) -> bool {
        true
    }

    fn check_alphabet(&self, alphabet: &[u8], letters: &[u8]) -> Result<(), PropertyMisuse> {
        let message = match letters.iter().find(|letter| !alphabet.contains(letter)) {
            Some(letter) => format!("the alphabet has no `{}`", char::from(*letter)),
            None if letters.is_empty() => "no character is given for the cells to connect".to_owned(),
            None => return Ok(()),
        };
        let help = "list the characters of the cells to connect: `connected(board, \".S\")`".to_owned();
        Err(PropertyMisuse { message, help })
    }

    fn find_fault(&self, board: &Board<'_>) -> Option<PropertyFault> {
        let grid = Grid::from_rows(board.rows.iter().copied(), board.letters);
        let components = grid.components();
        let [first, apart, ..] = &*components else { return None };
        let (first, apart) = (first[0], apart[0]);
        let place = |cell: usize| format!("row {} column {}", cell / grid.width + 1, cell % grid.width + 1);
        let message = format!("{} cannot be reached from {}", place(apart), place(first));
        Some(PropertyFault { at: Some((apart / grid.width, apart % grid.width)), message })
    }

    fn repair_board(&self, rows: &mut [Vec<u8>], space: &LetterSpace<'_>, choices: &mut Choices) {
        let grid = Grid::from_rows(rows.iter().map(Vec::as_slice), space.letters);
        let components = grid.components();
        let Some(largest) = components.iter().max_by_key(|component| component.len()) else { return };
        let others = components.iter().filter(|component| component[0] != largest[0]);
        let obstacles: Vec<u8> =
            space.alphabet.iter().copied().filter(|letter| !space.letters.contains(letter)).collect();
        // Corridors keep what a shape drew; now and then the rest becomes obstacles instead.
        if let Some(obstacle) = obstacles.first().filter(|_| choices.draw_chance(1, 4)) {
            others.flatten().for_each(|cell| rows[cell / grid.width][cell % grid.width] = *obstacle);
            return;
        }
        let Some(open) = space.alphabet.iter().find(|letter| space.letters.contains(letter)) else { return };
        let ways = grid.ways_from(largest);
        for component in others {
            let nearest = component.iter().min_by_key(|cell| ways[**cell].map(|way| way.obstacles));
            let mut at = nearest.copied();
            while let Some(cell) = at {
                if !grid.is_wanted[cell] {
                    rows[cell / grid.width][cell % grid.width] = *open;
                }
                at = ways[cell].and_then(|way| way.previous);
            }
        }
    }

    fn violation_name(&self) -> &'static str {
        "not-connected"
    }

    fn coverage_goals(&self, space: &LetterSpace<'_>, (rows, columns): (usize, usize)) -> Vec<PropertyGoal> {
        if rows < 2 || columns < 2 || space.alphabet.iter().all(|letter| space.letters.contains(letter)) {
            return Vec::new();
        }
        vec![
            PropertyGoal { description: "a single cell", is_reached: is_single },
            PropertyGoal { description: "a tree of cells", is_reached: is_tree },
            PropertyGoal { description: "cells around a cycle", is_reached: has_cycle },
        ]
    }
}

/// The cells of a board in reading order; rows can have different lengths.
struct Grid {
    width: usize,
    height: usize,
    /// Whether each cell exists.
    exists: Vec<bool>,
    /// Whether each cell is one of those to connect.
    is_wanted: Vec<bool>,
}

/// The best way to a cell.
#[derive(Clone, Copy)]
struct CellWay {
    /// Number of cells on it that are not to be connected.
    obstacles: usize,
    /// The cell before this one.
    previous: Option<usize>,
}

impl Grid {
    fn from_rows<'r>(rows: impl Iterator<Item = &'r [u8]> + Clone, letters: &[u8]) -> Grid {
        let width = rows.clone().map(<[u8]>::len).max().unwrap_or(0);
        let height = rows.clone().count();
        let mut grid = Grid { width, height, exists: Vec::new(), is_wanted: Vec::new() };
        for row in rows {
            let cell = |column: usize| row.get(column);
            grid.exists.extend((0..width).map(|column| cell(column).is_some()));
            grid.is_wanted.extend((0..width).map(|column| cell(column).is_some_and(|letter| letters.contains(letter))));
        }
        grid
    }

    fn wanted_cells(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.is_wanted.len()).filter(|cell| self.is_wanted[*cell])
    }

    fn neighbors(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let (row, column) = (cell / self.width, cell % self.width);
        let beside = [
            (column > 0).then(|| cell - 1),
            (column + 1 < self.width).then(|| cell + 1),
            (row > 0).then(|| cell - self.width),
            (row + 1 < self.height).then(|| cell + self.width),
        ];
        beside.into_iter().flatten().filter(|cell| self.exists[*cell])
    }

    /// Returns the ways to all cells that can be reached, with the fewest obstacles.
    fn ways_from(&self, starts: &[usize]) -> Vec<Option<CellWay>> {
        let mut ways: Vec<Option<CellWay>> = vec![None; self.exists.len()];
        let mut waiting: VecDeque<usize> = starts.iter().copied().collect();
        starts.iter().for_each(|start| ways[*start] = Some(CellWay { obstacles: 0, previous: None }));
        while let Some(cell) = waiting.pop_front() {
            let Some(obstacles) = ways[cell].map(|way| way.obstacles) else { continue };
            for next in self.neighbors(cell) {
                let obstacles = obstacles + usize::from(!self.is_wanted[next]);
                if ways[next].is_some_and(|known| known.obstacles <= obstacles) {
                    continue;
                }
                ways[next] = Some(CellWay { obstacles, previous: Some(cell) });
                // Steps without an obstacle first: cells are then left in the order of their distances.
                if self.is_wanted[next] {
                    waiting.push_front(next);
                } else {
                    waiting.push_back(next);
                }
            }
        }
        ways
    }

    /// Returns the cells of each connected part. Both the parts and the cells begin with the first one in reading order.
    fn components(&self) -> Vec<Vec<usize>> {
        let mut is_known = vec![false; self.is_wanted.len()];
        let mut found = Vec::new();
        for start in self.wanted_cells() {
            if std::mem::replace(&mut is_known[start], true) {
                continue;
            }
            let mut component = vec![start];
            let mut next = 0;
            while let Some(cell) = component.get(next).copied() {
                next += 1;
                for beside in self.neighbors(cell).filter(|beside| self.is_wanted[*beside]) {
                    if !std::mem::replace(&mut is_known[beside], true) {
                        component.push(beside);
                    }
                }
            }
            found.push(component);
        }
        found
    }

    /// Returns the numbers of wanted cells and of pairs of neighbors among them.
    fn count_cells_and_pairs(&self) -> (usize, usize) {
        let ends: usize =
            self.wanted_cells().map(|cell| self.neighbors(cell).filter(|beside| self.is_wanted[*beside]).count()).sum();
        (self.wanted_cells().count(), ends / 2)
    }
}

/// Returns the numbers of cells and of pairs of neighbors of a connected board.
fn count_board(board: &Board<'_>) -> (usize, usize) {
    Grid::from_rows(board.rows.iter().copied(), board.letters).count_cells_and_pairs()
}

fn is_single(board: &Board<'_>) -> bool {
    count_board(board).0 == 1
}

fn is_tree(board: &Board<'_>) -> bool {
    /// Number of cells from which a tree is more than a line of neighbors.
    const MIN_TREE_CELLS: usize = 3;
    let (cells, pairs) = count_board(board);
    cells >= MIN_TREE_CELLS && pairs + 1 == cells
}

fn has_cycle(board: &Board<'_>) -> bool {
    let (cells, pairs) = count_board(board);
    cells > 0 && pairs >= cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault_of(rows: &[&[u8]]) -> Option<PropertyFault> {
        Connected.find_fault(&Board::new(rows, b".S"))
    }

    #[test]
    fn corners_do_not_connect() {
        assert_eq!(fault_of(&[]), None);
        assert_eq!(fault_of(&[b"##", b"##"]), None);
        assert_eq!(fault_of(&[b".S#", b"#..", b"##."]), None);
        let message = "row 2 column 2 cannot be reached from row 1 column 1".to_owned();
        assert_eq!(fault_of(&[b".#", b"#."]), Some(PropertyFault { at: Some((1, 1)), message }));
        // The end of one row is not beside the beginning of the next.
        assert!(fault_of(&[b"#.", b".#"]).is_some());
        // Rows of different lengths.
        assert!(fault_of(&[b"..", b".", b".."]).is_none());
        assert!(fault_of(&[b"##.", b"#", b".."]).is_some());
    }

    #[test]
    fn every_board_is_repaired() {
        let space = LetterSpace { alphabet: b"S.#x", letters: b".S", lengths: None };
        for number in 0..1_u32 << 12 {
            let cell = |at: usize| if number >> at & 1 == 1 { b'.' } else { b'#' };
            let rows: Vec<Vec<u8>> = (0..3).map(|row| (0..4).map(|column| cell(4 * row + column)).collect()).collect();
            // Zeros carve corridors; a seed of its own for each board does both.
            for mut choices in [Choices::from_draws(Vec::new()), Choices::from_seed(number.into(), 0)] {
                let mut repaired = rows.clone();
                Connected.repair_board(&mut repaired, &space, &mut choices);
                let views: Vec<&[u8]> = repaired.iter().map(Vec::as_slice).collect();
                assert_eq!(fault_of(&views), None, "{rows:?}");
                let before: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
                assert!(fault_of(&before).is_some() || repaired == rows, "{rows:?} was fine");
            }
        }
    }

    #[test]
    fn goals_tell_structures_apart() {
        let space = LetterSpace { alphabet: b".#", letters: b".", lengths: None };
        let goals = Connected.coverage_goals(&space, (3, 3));
        let reached = |rows: &[&[u8]]| {
            let board = Board::new(rows, b".");
            goals.iter().map(|goal| (goal.is_reached)(&board)).collect::<Vec<bool>>()
        };
        assert_eq!(reached(&[b"##", b"#."]), [true, false, false]);
        assert_eq!(reached(&[b"..", b"#."]), [false, true, false]);
        assert_eq!(reached(&[b"..", b".."]), [false, false, true]);
        let full = LetterSpace { alphabet: b".", ..space };
        assert!(Connected.coverage_goals(&full, (3, 3)).is_empty());
        assert!(Connected.coverage_goals(&LetterSpace { alphabet: b".#", ..full }, (1, 3)).is_empty());
    }
}
