use rebut_generators::{BESPOKE, Choices};

struct Board {
    side: usize,
    goal: usize,
    cells: Vec<Vec<u8>>,
}

/// Reads a file of one case and checks everything that makes it valid.
fn read(text: &str) -> Board {
    assert!(text.ends_with('\n'));
    let mut lines = text.strip_suffix('\n').unwrap().split('\n');
    assert_eq!(lines.next(), Some("1"));
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
    assert!(!has_line(&board, b'X') && !has_line(&board, b'O'), "somebody has won:\n{text}");
    board
}

/// Whether a line of `stone` is complete, by looking at every line there is.
fn has_line(board: &Board, stone: u8) -> bool {
    let side = board.side as isize;
    let at = |r: isize, k: isize| {
        (0..side).contains(&r) && (0..side).contains(&k) && board.cells[r as usize][k as usize] == stone
    };
    let starts = (0..side).flat_map(|r| (0..side).map(move |k| (r, k)));
    let mut lines = starts.flat_map(|start| [(0, 1), (1, 0), (1, 1), (1, -1)].map(|step| (start, step)));
    lines.any(|((r, k), (down, right))| (0..board.goal as isize).all(|i| at(r + down * i, k + right * i)))
}

/// The cells where X wins at once, by trying them all.
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

/// The boards that a kind makes while it grows.
fn boards(name: &str) -> Vec<Board> {
    let kind = BESPOKE.iter().find(|kind| kind.name == name).unwrap();
    (0..60).map(|seed| read(&kind.make(&mut Choices::fresh(seed, 0), (seed as u32 * 7) % 101))).collect()
}

#[test]
fn every_kind_makes_valid_boards() {
    for kind in BESPOKE.iter().filter(|kind| kind.problem() == "cheftic") {
        for growth in [0, 10, 40, 70, 100] {
            for seed in 0..40 {
                read(&kind.make(&mut Choices::fresh(seed, growth.into()), growth));
            }
        }
    }
}

#[test]
fn every_kind_survives_any_replay() {
    let mut lists = Choices::fresh(9, 0);
    for kind in BESPOKE.iter().filter(|kind| kind.problem() == "cheftic") {
        for _ in 0..30 {
            let list: Vec<u64> = (0..lists.below(40)).map(|_| lists.below(12)).collect();
            read(&kind.make(&mut Choices::replay(list), 50));
        }
    }
}

#[test]
fn planted_lines_can_be_won_in_exactly_one_place() {
    let planted = ["gap-inside", "gap-at-end", "border-line", "corner-line", "whole-side", "long-line"];
    for name in planted {
        let mut boards = boards(&format!("cheftic/{name}"));
        // If two in a row win, nearly every cell wins.
        boards.retain(|board| board.goal > 2);
        let all = boards.len();
        let single = boards.iter_mut().filter_map(|board| (winning_cells(board).len() == 1).then_some(())).count();
        assert!(single * 10 >= all * 9, "cheftic/{name}: {single} of {all} boards");
    }
}

#[test]
fn near_misses_cannot_be_won() {
    let misses = ["near-miss", "blocked", "run-into-border", "wrapped", "opponent-line", "quiet"];
    for name in misses {
        let mut boards = boards(&format!("cheftic/{name}"));
        let lost = boards.iter_mut().filter_map(|board| winning_cells(board).is_empty().then_some(())).count();
        assert!(lost >= 55, "cheftic/{name}: {lost} of 60 boards");
    }
}

#[test]
fn boards_have_stones_on_them() {
    for kind in BESPOKE.iter().filter(|kind| kind.problem() == "cheftic" && kind.name != "cheftic/one-in-a-row") {
        let empty = boards(kind.name)
            .into_iter()
            .filter(|board| board.cells.iter().flatten().all(|cell| *cell == b'.'))
            .count();
        assert!(empty <= 15, "{}: {empty} of 60 boards are empty", kind.name);
    }
}

#[test]
fn a_single_stone_wins_on_the_empty_board() {
    assert!(boards("cheftic/one-in-a-row").iter().all(|board| board.goal == 1));
}
