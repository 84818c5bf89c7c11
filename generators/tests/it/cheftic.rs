//! The generator program of a shipped problem.

#[path = "../../../testdata/problems/cheftic/generators/cheftic/board.rs"]
mod board;
#[path = "../../../testdata/problems/cheftic/generators/cheftic/draws.rs"]
mod draws;
#[path = "../../../testdata/problems/cheftic/generators/cheftic/kinds.rs"]
mod kinds;
#[path = "../../../testdata/problems/cheftic/generators/cheftic/line.rs"]
mod line;

use crate::rebut;
use kinds::{ALL_SIDES, KINDS, Kind};
use rebut_generators::Choices;

struct Board {
    side: usize,
    goal: usize,
    cells: Vec<Vec<u8>>,
}

rebut::define_draws!();

/// Parses a case and checks that it is valid.
fn read(text: &str) -> Board {
    let mut lines = text.strip_suffix('\n').unwrap().split('\n');
    let (side, goal) = lines.next().unwrap().split_once(' ').unwrap();
    let board = Board {
        side: side.parse().unwrap(),
        goal: goal.parse().unwrap(),
        cells: lines.map(|line| line.as_bytes().to_vec()).collect(),
    };
    assert_eq!(format!("{} {}", board.side, board.goal), format!("{side} {goal}"));
    assert!((3..=20).contains(&board.side) && (1..=board.side).contains(&board.goal), "{text}");
    assert!(board.cells.len() == board.side && board.cells.iter().all(|row| row.len() == board.side), "{text}");
    let count = |stone: u8| board.cells.iter().flatten().filter(|cell| **cell == stone).count();
    assert!(count(b'X') == count(b'O') && count(b'.') > 0, "{text}");
    assert_eq!(count(b'X') + count(b'O') + count(b'.'), board.side.pow(2), "{text}");
    assert!(!has_line(&board, b'X') && !has_line(&board, b'O'), "the game is over:\n{text}");
    board
}

/// Returns true if a line of `stone` is complete, by checking every line.
fn has_line(board: &Board, stone: u8) -> bool {
    let side = board.side as isize;
    let at = |r: isize, k: isize| {
        (0..side).contains(&r) && (0..side).contains(&k) && board.cells[r as usize][k as usize] == stone
    };
    let starts = (0..side).flat_map(|r| (0..side).map(move |k| (r, k)));
    let mut lines = starts.flat_map(|start| [(0, 1), (1, 0), (1, 1), (1, -1)].map(|step| (start, step)));
    lines.any(|((r, k), (down, right))| (0..board.goal as isize).all(|i| at(r + down * i, k + right * i)))
}

/// Returns the cells where X wins at once, by trying them all.
fn winning_cells(board: &mut Board) -> Vec<(usize, usize)> {
    let mut winning = Vec::new();
    for r in 0..board.side {
        for k in 0..board.side {
            if board.cells[r][k] == b'.' {
                board.cells[r][k] = b'X';
                if has_line(board, b'X') {
                    winning.push((r, k));
                }
                board.cells[r][k] = b'.';
            }
        }
    }
    winning
}

/// Returns boards of a shape with increasing growth.
fn boards(name: &str) -> Vec<Board> {
    let kind = find_kind(name);
    (0..60).map(|seed| read(&draw(kind, (seed as u32 * 7) % 101, seed))).collect()
}

#[test]
fn every_kind_makes_valid_boards() {
    for kind in &KINDS {
        for growth in [0, 10, 40, 70, 100] {
            for seed in 0..40 {
                read(&draw(kind, growth, seed));
            }
        }
    }
}

#[test]
fn every_kind_accepts_any_replay() {
    let mut lists = Choices::from_seed(9, 0);
    for kind in &KINDS {
        for _ in 0..30 {
            let list: Vec<u64> = (0..lists.draw_below(40)).map(|_| lists.draw_below(12)).collect();
            read(&replay(kind, 50, list));
        }
    }
}

#[test]
fn planted_lines_can_be_won_in_exactly_one_place() {
    let planted = ["gap-inside", "gap-at-end", "border-line", "corner-line", "whole-side", "long-line"];
    for name in planted {
        let mut boards = boards(name);
        // If two in a row win, nearly every cell is a winning move.
        boards.retain(|board| board.goal > 2);
        let all = boards.len();
        let single = boards.iter_mut().filter_map(|board| (winning_cells(board).len() == 1).then_some(())).count();
        assert!(single * 10 >= all * 9, "{name}: {single} of {all} boards");
    }
}

#[test]
fn near_misses_cannot_be_won() {
    let misses = ["near-miss", "blocked", "run-into-border", "wrapped", "opponent-line", "quiet"];
    for name in misses {
        let mut boards = boards(name);
        let lost = boards.iter_mut().filter_map(|board| winning_cells(board).is_empty().then_some(())).count();
        assert!(lost >= 55, "{name}: {lost} of 60 boards");
    }
}

#[test]
fn boards_have_stones() {
    for kind in KINDS.iter().filter(|kind| kind.0 != "one-in-a-row") {
        let empty =
            boards(kind.0).into_iter().filter(|board| board.cells.iter().flatten().all(|cell| *cell == b'.')).count();
        assert!(empty <= 15, "{}: {empty} of 60 boards are empty", kind.0);
    }
}

#[test]
fn a_single_stone_wins_on_the_empty_board() {
    assert!(boards("one-in-a-row").iter().all(|board| board.goal == 1));
}

/// A solution that checks each cell and each axis, and the mistakes that it can make.
#[derive(Clone, Copy)]
struct Search {
    axes: &'static [(isize, isize)],
    goal_off: usize,
    only_at_ends: bool,
    skips_border: bool,
    rows_run_on: bool,
    exact: bool,
}

const AXES: &[(isize, isize)] = &[(0, 1), (1, 0), (1, 1), (1, -1)];
const RIGHT: Search =
    Search { axes: AXES, goal_off: 0, only_at_ends: false, skips_border: false, rows_run_on: false, exact: false };

impl Search {
    fn can_win(self, board: &Board) -> bool {
        let last = board.side as isize - 1;
        let from = isize::from(self.skips_border);
        let mut cells = (from..=last - from).flat_map(|r| (from..=last - from).map(move |k| (r, k)));
        cells.any(|cell| {
            stone_at(board, cell) == Some(b'.') && self.axes.iter().any(|axis| self.wins_along(board, cell, *axis))
        })
    }

    fn wins_along(self, board: &Board, cell: (isize, isize), (down, right): (isize, isize)) -> bool {
        let run = |sign: isize| {
            let stones =
                (1..).map(|i: isize| self.beside(board, (cell.0 + sign * i * down, cell.1 + sign * i * right)));
            stones.take_while(|stone| *stone == Some(b'X')).count()
        };
        let (before, after) = (run(-1), run(1));
        let joined = if self.only_at_ends { before.max(after) } else { before + after } + 1 + self.goal_off;
        if self.exact { joined == board.goal } else { joined >= board.goal }
    }

    fn beside(self, board: &Board, (r, k): (isize, isize)) -> Option<u8> {
        let side = board.side as isize;
        if self.rows_run_on {
            stone_at(board, (r + k.div_euclid(side), k.rem_euclid(side)))
        } else {
            stone_at(board, (r, k))
        }
    }
}

fn stone_at(board: &Board, (r, k): (isize, isize)) -> Option<u8> {
    board.cells.get(usize::try_from(r).ok()?)?.get(usize::try_from(k).ok()?).copied()
}

#[test]
fn plausible_mistakes_are_caught() {
    let mistakes = [
        ("no rows", Search { axes: &[(1, 0), (1, 1), (1, -1)], ..RIGHT }),
        ("no columns", Search { axes: &[(0, 1), (1, 1), (1, -1)], ..RIGHT }),
        ("no falling diagonals", Search { axes: &[(0, 1), (1, 0), (1, -1)], ..RIGHT }),
        ("no rising diagonals", Search { axes: &[(0, 1), (1, 0), (1, 1)], ..RIGHT }),
        ("one stone too few will do", Search { goal_off: 1, ..RIGHT }),
        ("the gap is never inside", Search { only_at_ends: true, ..RIGHT }),
        ("the border is never looked at", Search { skips_border: true, ..RIGHT }),
        ("rows run on into the next", Search { rows_run_on: true, ..RIGHT }),
        ("more than a line is no line", Search { exact: true, ..RIGHT }),
    ];
    for (mistake, wrong) in mistakes {
        let all = KINDS.iter().flat_map(|kind| boards(kind.0));
        let caught = all.filter(|board| wrong.can_win(board) != RIGHT.can_win(board)).count();
        assert!(caught >= 10, "{mistake}: only {caught} boards reveal it");
    }
}

#[test]
fn the_search_agrees_with_trying_every_cell() {
    for kind in &KINDS {
        for mut board in boards(kind.0) {
            assert_eq!(RIGHT.can_win(&board), !winning_cells(&mut board).is_empty());
        }
    }
}
