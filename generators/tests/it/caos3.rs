use std::collections::BTreeSet;

use rebut_generators::{Choices, PROBLEM_SHAPES};

type Map = Vec<Vec<bool>>;
type Cell = (usize, usize);

/// Parses a file of one case and checks that it is valid. True means open.
fn read(text: &str) -> Map {
    let mut lines = text.strip_prefix("1\n").unwrap().strip_suffix('\n').unwrap().split('\n');
    let (rows, cols) = lines.next().unwrap().split_once(' ').unwrap();
    let [rows, cols] = [rows, cols].map(|number| number.parse::<usize>().unwrap());
    assert!((1..=20).contains(&rows) && (1..=20).contains(&cols), "{text}");
    let map: Map = lines.map(|line| line.chars().map(|c| c == '^').collect()).collect();
    assert!(map.len() == rows && map.iter().all(|row| row.len() == cols), "{text}");
    assert!(text[2..].lines().skip(1).all(|line| line.chars().all(|c| "^#".contains(c))), "{text}");
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
    for kind in PROBLEM_SHAPES.iter().filter(|kind| kind.problem_id() == "caos3") {
        for growth in 0..=100 {
            read(&kind.draw_file(&mut Choices::from_seed(3, growth.into()), growth));
        }
        let mut lists = Choices::from_seed(9, 0);
        for _ in 0..100 {
            let list: Vec<u64> =
                (0..lists.draw_below(10)).map(|_| lists.draw_log_range(0, u64::MAX.into()) as u64).collect();
            read(&kind.draw_file(&mut Choices::from_draws(list), 100));
        }
    }
}

#[test]
fn both_players_win_maps_of_every_kind() {
    for kind in PROBLEM_SHAPES.iter().filter(|kind| kind.problem_id() == "caos3") {
        let maps = (0..400).map(|seed| read(&kind.draw_file(&mut Choices::from_seed(seed, 0), seed as u32 / 6)));
        let few = maps.map(|map| monsters(&map)).filter(|monsters| monsters.len() <= 8);
        let winners: BTreeSet<bool> = few.map(|monsters| nimber(&monsters) != 0).collect();
        assert_eq!(winners.len(), 2, "{}: always {winners:?}", kind.name);
    }
}

#[test]
fn maps_have_many_monsters_and_large_nimbers() {
    let seen = |name: &str| {
        let kind = PROBLEM_SHAPES.iter().find(|kind| kind.name == name).unwrap();
        let maps = (0..100).map(move |seed| read(&kind.draw_file(&mut Choices::from_seed(seed, 0), 30)));
        let nimber = |map: Map| Some(monsters(&map)).filter(|m| m.len() <= 8).map_or(0, |m| nimber(&m));
        maps.map(nimber).max().unwrap()
    };
    assert!(seen("caos3/open") >= 2);
    assert!(seen("caos3/parted") >= 2);
    assert!(seen("caos3/shared-lines") >= 2);
}
