//! The generator program of a shipped problem.

#[path = "../../../testdata/problems/caos3/generators/caos3/draws.rs"]
mod draws;
#[path = "../../../testdata/problems/caos3/generators/caos3/kinds.rs"]
mod kinds;

use std::collections::BTreeSet;

use crate::rebut;
use kinds::{ALL_SIDES, KINDS, Kind};
use rebut_generators::Choices;

type Map = Vec<Vec<bool>>;
type Cell = (usize, usize);

rebut::define_draws!();

/// Parses a case and checks that it is valid. True means open.
fn read(text: &str) -> Map {
    let mut lines = text.strip_suffix('\n').unwrap().split('\n');
    let (rows, cols) = lines.next().unwrap().split_once(' ').unwrap();
    let [rows, cols] = [rows, cols].map(|number| number.parse::<usize>().unwrap());
    assert!((1..=20).contains(&rows) && (1..=20).contains(&cols), "{text}");
    let map: Map = lines.map(|line| line.chars().map(|c| c == '^').collect()).collect();
    assert!(map.len() == rows && map.iter().all(|row| row.len() == cols), "{text}");
    assert!(text.lines().skip(1).all(|line| line.chars().all(|c| "^#".contains(c))), "{text}");
    map
}

fn monsters(map: &Map) -> Vec<Cell> {
    let open = |row: usize, col: usize| map.get(row).and_then(|r| r.get(col)) == Some(&true);
    let lives = |row: usize, col: usize| (0..5).all(|i| open(row + 2, col + i) && open(row + i, col + 2));
    let cells = (0..map.len()).flat_map(|row| (0..map[0].len()).map(move |col| (row, col)));
    cells.filter(|(row, col)| lives(*row, *col)).collect()
}

/// Returns the nimber of the monsters in a rectangle without lava.
fn nimber(monsters: &[Cell]) -> usize {
    let part = |(row, col): Cell, below: bool, right: bool| {
        let is_there = |m: &&Cell| (m.0 > row) == below && (m.1 > col) == right && m.0 != row && m.1 != col;
        monsters.iter().filter(is_there).copied().collect::<Vec<Cell>>()
    };
    let all = [(false, false), (false, true), (true, false), (true, true)];
    let after = |cell: Cell| all.iter().fold(0, |sum, (below, right)| sum ^ nimber(&part(cell, *below, *right)));
    let reached: BTreeSet<usize> = monsters.iter().map(|cell| after(*cell)).collect();
    (0..).find(|n| !reached.contains(n)).unwrap()
}

#[test]
fn every_kind_makes_valid_maps() {
    for kind in &KINDS {
        for growth in 0..=100 {
            read(&draw(kind, growth, 3));
        }
        let mut lists = Choices::from_seed(9, 0);
        for _ in 0..100 {
            let list: Vec<u64> =
                (0..lists.draw_below(10)).map(|_| lists.draw_log_range(0, u64::MAX.into()) as u64).collect();
            read(&replay(kind, 100, list));
        }
    }
}

#[test]
fn both_players_win_maps_of_every_kind() {
    for kind in &KINDS {
        let maps = (0..400).map(|seed| read(&draw(kind, seed as u32 / 6, seed)));
        let few = maps.map(|map| monsters(&map)).filter(|monsters| monsters.len() <= 8);
        let winners: BTreeSet<bool> = few.map(|monsters| nimber(&monsters) != 0).collect();
        assert_eq!(winners.len(), 2, "{}: always {winners:?}", kind.0);
    }
}

#[test]
fn maps_have_many_monsters_and_large_nimbers() {
    let seen = |name: &str| {
        let kind = find_kind(name);
        let maps = (0..100).map(move |seed| read(&draw(kind, 30, seed)));
        let nimber = |map: Map| Some(monsters(&map)).filter(|m| m.len() <= 8).map_or(0, |m| nimber(&m));
        maps.map(nimber).max().unwrap()
    };
    assert!(seen("open") >= 2);
    assert!(seen("parted") >= 2);
    assert!(seen("shared-lines") >= 2);
}
