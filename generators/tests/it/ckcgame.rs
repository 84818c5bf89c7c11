//! The generator program of a shipped problem.

#[path = "../../../testdata/problems/ckcgame/generators/ckcgame/draws.rs"]
mod draws;
#[path = "../../../testdata/problems/ckcgame/generators/ckcgame/kinds.rs"]
mod kinds;

use std::collections::BTreeSet;

use crate::rebut;
use kinds::{ALL_SIDES, KINDS, Kind};
use rebut_generators::Choices;

/// The side of the board, Alice's cell and Bob's, counted from zero, and the numbers.
struct Board {
    side: usize,
    kings: [usize; 4],
    values: Vec<u64>,
}

rebut::define_draws!();

/// Parses a case and checks that it is valid.
fn read(text: &str) -> Board {
    let lines: Vec<&str> = text.strip_suffix('\n').unwrap().split('\n').collect();
    let number = |token: &str| {
        let number: u64 = token.parse().unwrap();
        assert_eq!(number.to_string(), token);
        number
    };
    let numbers = |line: &str| line.split(' ').map(number).collect::<Vec<u64>>();
    let head: [u64; 5] = numbers(lines[0]).try_into().unwrap();
    let side = head[0] as usize;
    assert!((2..=300).contains(&side) && head.iter().all(|n| (1..=head[0]).contains(n)), "{:?}", head);
    assert!(head[1..3] != head[3..], "{head:?}");
    assert!(lines.len() == side + 1 && lines[1..].iter().all(|line| line.split(' ').count() == side), "{head:?}");
    let values: Vec<u64> = lines[1..].iter().flat_map(|line| numbers(line)).collect();
    assert!(values.iter().all(|value| (1..=1_000_000_000).contains(value)), "{head:?}");
    Board { side, kings: [1, 2, 3, 4].map(|i| head[i] as usize - 1), values }
}

/// Returns Alice's score, computed from the cells where Bob can be, with `late` moves added to his.
fn score(board: &Board, late: i64) -> u64 {
    let n = board.side as i64;
    let [ax, ay, bx, by] = board.kings.map(|k| k as i64);
    let inside = |(x, y): &(i64, i64)| (0..n).contains(x) && (0..n).contains(y);
    let mut later = vec![0; board.values.len()];
    for moves in (0..n).rev() {
        let worth = |(x, y): (i64, i64)| {
            let cell = (x * n + y) as usize;
            board.values[cell] + if (x - bx).abs().max((y - by).abs()) <= moves + 1 + late { 0 } else { later[cell] }
        };
        let best = |x: i64, y: i64| {
            let around = (0..9).filter(|i| *i != 4).map(|i| (x + i / 3 - 1, y + i % 3 - 1));
            around.filter(inside).map(worth).max().unwrap()
        };
        later = (0..n * n).map(|cell| best(cell / n, cell % n)).collect();
    }
    later[(ax * n + ay) as usize]
}

#[test]
fn every_kind_makes_valid_boards() {
    for kind in &KINDS {
        for growth in (0..=100).step_by(4) {
            read(&draw(kind, growth, 3));
        }
        let mut lists = Choices::from_seed(9, 0);
        for _ in 0..100 {
            let list: Vec<u64> =
                (0..lists.draw_below(10)).map(|_| lists.draw_log_range(0, u64::MAX.into()) as u64).collect();
            read(&replay(kind, 20, list));
        }
    }
}

#[test]
fn scores_differ() {
    for kind in &KINDS {
        let boards = (0..100).map(|seed| read(&draw(kind, 20, seed)));
        let scores: BTreeSet<u64> = boards.map(|board| score(&board, 0)).collect();
        assert!(scores.len() >= 10, "{}: {scores:?}", kind.0);
    }
}

#[test]
fn one_move_of_bob_decides() {
    for (name, least) in [("just-meet", 50), ("horizon", 25), ("equal-values", 50)] {
        let kind = find_kind(name);
        let boards = (0..100).map(|seed| read(&draw(kind, 30, seed)));
        let turned = boards.filter(|board| score(board, 0) != score(board, 1)).count();
        assert!(turned >= least, "{name}: {turned} of 100");
    }
}
