//! The generator program of a shipped problem.

#[path = "../../../testdata/problems/gamedots/generators/gamedots/board.rs"]
#[allow(dead_code, reason = "the program uses more of it")]
mod board;
#[path = "../../../testdata/problems/gamedots/generators/gamedots/draws.rs"]
mod draws;
#[path = "../../../testdata/problems/gamedots/generators/gamedots/kinds.rs"]
mod kinds;
#[path = "../../../testdata/problems/gamedots/generators/gamedots/layout.rs"]
mod layout;
#[path = "../../../testdata/problems/gamedots/generators/gamedots/value.rs"]
mod value;

use crate::rebut;
use kinds::{ALL_SIDES, KINDS, Kind};
use rebut_generators::Choices;
use std::collections::BTreeSet;

/// The parts of a board.
#[derive(Debug, Default)]
struct Board {
    rows: usize,
    cols: usize,
    chains: Vec<usize>,
    loops: Vec<usize>,
}

type Dot = (usize, usize);

rebut::define_draws!();

/// Parses a case and checks that it is valid.
fn read(text: &str) -> Board {
    let mut lines = text.strip_suffix('\n').unwrap().split('\n');
    let numbers = |line: &str| line.split(' ').map(|n| n.parse::<usize>().unwrap()).collect::<Vec<_>>();
    let head = numbers(lines.next().unwrap());
    let (rows, cols) = (head[0], head[1]);
    assert!(head.len() == 3 && (1..=200).contains(&rows) && (1..=200).contains(&cols), "{head:?}");
    let mut drawn: BTreeSet<(Dot, Dot)> = BTreeSet::new();
    for line in lines {
        let [a, b, x, y] = <[usize; 4]>::try_from(numbers(line)).unwrap();
        assert!(a.max(x) <= rows && b.max(y) <= cols && a.abs_diff(x) + b.abs_diff(y) == 1, "{line}");
        assert!(drawn.insert(((a, b).min((x, y)), (a, b).max((x, y)))), "twice: {line}");
    }
    assert_eq!(drawn.len(), head[2]);
    parts(rows, cols, &drawn)
}

/// Collects the parts by walking through the undrawn sides.
fn parts(rows: usize, cols: usize, drawn: &BTreeSet<(Dot, Dot)>) -> Board {
    let mut board = Board { rows, cols, ..Board::default() };
    let mut seen = vec![vec![false; cols]; rows];
    for start in (0..rows).flat_map(|r| (0..cols).map(move |k| (r, k))) {
        let (mut waiting, mut length, mut ends) = (vec![start], 0, 0);
        while let Some((r, k)) = waiting.pop() {
            if std::mem::replace(&mut seen[r][k], true) {
                continue;
            }
            length += 1;
            let sides = [
                (((r, k), (r, k + 1)), (r > 0).then(|| (r - 1, k))),
                (((r + 1, k), (r + 1, k + 1)), (r + 1 < rows).then_some((r + 1, k))),
                (((r, k), (r + 1, k)), (k > 0).then(|| (r, k - 1))),
                (((r, k + 1), (r + 1, k + 1)), (k + 1 < cols).then_some((r, k + 1))),
            ];
            let open = sides.into_iter().filter(|(side, _)| !drawn.contains(side)).map(|(_, beside)| beside);
            let open: Vec<Option<Dot>> = open.collect();
            assert_eq!(open.len(), 2, "square ({r}, {k})");
            ends += open.iter().filter(|beside| beside.is_none()).count();
            waiting.extend(open.into_iter().flatten().filter(|(r, k)| !seen[*r][*k]));
        }
        match (length, ends) {
            (0, _) => {}
            (_, 0) => board.loops.push(length),
            _ => board.chains.push(length),
        }
    }
    board
}

fn boards(name: &str, growth: u32) -> Vec<Board> {
    let kind = find_kind(name);
    (0..60).map(|seed| read(&draw(kind, growth, seed))).collect()
}

#[test]
fn every_kind_makes_valid_boards() {
    for kind in &KINDS {
        for (growth, seeds) in [(0, 60), (10, 60), (40, 30), (70, 10), (100, 3)] {
            for seed in 0..seeds {
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
            read(&replay(kind, 20, list));
        }
    }
}

#[test]
fn every_small_board_occurs() {
    // There are 82 boards of two by two squares, and with 3 to the power of 8 colourings every one should occur.
    let kind = find_kind("anywhere");
    let mut met: BTreeSet<Vec<String>> = BTreeSet::new();
    for seed in 0..20_000 {
        let text = draw(kind, 0, seed);
        if text.starts_with("2 2 ") {
            let mut edges: Vec<String> = text.lines().skip(1).map(ordered).collect();
            edges.sort();
            met.insert(edges);
        }
    }
    assert_eq!(met.len(), 82);
}

/// An edge, starting at its smaller end.
fn ordered(line: &str) -> String {
    let n: Vec<&str> = line.split(' ').collect();
    let (a, b) = ((n[0], n[1]), (n[2], n[3]));
    format!("{:?} {:?}", a.min(b), a.max(b))
}

#[test]
fn lengths_occur_in_many_combinations() {
    let mut together: BTreeSet<(Vec<usize>, Vec<usize>)> = BTreeSet::new();
    for kind in &KINDS {
        for growth in [0, 20, 40] {
            for mut board in boards(kind.0, growth) {
                board.chains.sort_unstable();
                board.loops.sort_unstable();
                together.insert((board.chains, board.loops));
            }
        }
    }
    assert!(together.len() > 350, "{}", together.len());
    for length in 1..=12 {
        assert!(together.iter().any(|(chains, _)| chains.contains(&length)), "no chain of {length}");
    }
    for length in (4..=16).step_by(2) {
        assert!(together.iter().any(|(_, loops)| loops.contains(&length)), "no loop of {length}");
    }
    let mixed = |chain: usize, closed: usize| {
        together.iter().any(|(chains, loops)| chains.contains(&chain) && loops.contains(&closed))
    };
    assert!((1..=6).all(|chain| [4, 6, 8].into_iter().all(|closed| mixed(chain, closed))));
}

#[test]
fn kinds_match_their_descriptions() {
    assert!(boards("fours", 50).iter().all(|b| b.chains.is_empty() && b.loops.iter().all(|l| *l == 4)));
    assert!(boards("loops", 50).iter().all(|b| b.chains.is_empty()));
    assert!(boards("snake", 50).iter().all(|b| b.chains == [b.rows * b.cols] && b.loops.is_empty()));
    assert!(boards("one-row", 50).iter().all(|b| b.rows.min(b.cols) == 1 && b.loops.is_empty()));
    assert!(boards("two-rows", 50).iter().all(|b| b.rows.min(b.cols) <= 2));
    assert!(boards("lines", 50).iter().all(|b| b.chains.len() * b.chains[0] == b.rows * b.cols));
    assert!(boards("switches", 50).iter().filter(|b| b.chains.iter().any(|l| *l < 3)).count() > 50);
    assert!(boards("contest", 50).iter().filter(|b| !b.chains.is_empty() && !b.loops.is_empty()).count() > 25);
    assert!(boards("frame", 100).iter().any(|b| b.rows * b.cols > 10_000));
}
