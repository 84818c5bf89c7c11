//! The generator program of a shipped problem.

#[path = "../../../testdata/problems/cf1921e/generators/cf1921e/draws.rs"]
mod draws;
#[path = "../../../testdata/problems/cf1921e/generators/cf1921e/kinds.rs"]
mod kinds;

use std::collections::BTreeSet;

use crate::rebut;
use kinds::{ALL_SIDES, KINDS, Kind};
use rebut_generators::Choices;

/// Rows, columns, Alice's row and column, Bob's row and column.
type Game = [i64; 6];

rebut::define_draws!();

/// Parses a case and checks that it is valid.
fn read(text: &str) -> Game {
    let line = text.strip_suffix('\n').unwrap();
    let numbers: Vec<i64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
    let game: Game = numbers.try_into().unwrap();
    assert_eq!(game.map(|number| number.to_string()).join(" "), line);
    let [rows, cols, xa, ya, xb, yb] = game;
    assert!((1..=1_000_000).contains(&rows) && (1..=1_000_000_000).contains(&cols), "{text}");
    assert!((1..=rows).contains(&xa) && (1..=rows).contains(&xb), "{text}");
    assert!((1..=cols).contains(&ya) && (1..=cols).contains(&yb), "{text}");
    assert!((xa, ya) != (xb, yb), "{text}");
    game
}

/// Returns the best result of the player to move by trying every game: 1 for a win, 0 for a draw, -1 for a loss.
fn best(game: Game, alice_moves: bool) -> i64 {
    let [rows, cols, xa, ya, xb, yb] = game;
    if if alice_moves { xa == rows } else { xb == 1 } || xa >= xb {
        return 0;
    }
    let after =
        |col: i64| if alice_moves { [rows, cols, xa + 1, col, xb, yb] } else { [rows, cols, xa, ya, xb - 1, col] };
    let from = if alice_moves { ya } else { yb };
    let columns = (from - 1..=from + 1).filter(|col| (1..=cols).contains(col));
    let value = |next: Game| if (next[2], next[3]) == (next[4], next[5]) { 1 } else { -best(next, !alice_moves) };
    columns.map(after).map(value).max().unwrap_or(0)
}

fn answer(game: Game) -> &'static str {
    ["Bob", "Draw", "Alice"][(best(game, true) + 1) as usize]
}

#[test]
fn the_brute_force_knows_the_published_answers() {
    let games = [[6, 5, 2, 2, 5, 3], [4, 1, 2, 1, 4, 1], [1, 4, 1, 3, 1, 1], [5, 5, 1, 4, 5, 2], [10, 10, 1, 6, 10, 8]];
    assert_eq!(games.map(answer), ["Alice", "Bob", "Draw", "Draw", "Alice"]);
    let games = [[10, 10, 2, 6, 10, 7], [10, 10, 8, 1, 10, 2], [10, 10, 1, 1, 2, 1], [10, 10, 3, 1, 1, 1]];
    assert_eq!(games.map(answer), ["Draw", "Bob", "Alice", "Draw"]);
}

#[test]
fn every_kind_makes_valid_games() {
    for kind in &KINDS {
        for growth in 0..=100 {
            for seed in 0..20 {
                read(&draw(kind, growth, seed));
            }
        }
        let mut lists = Choices::from_seed(9, 0);
        for _ in 0..100 {
            let list: Vec<u64> =
                (0..lists.draw_below(10)).map(|_| lists.draw_log_range(0, u64::MAX.into()) as u64).collect();
            read(&replay(kind, 100, list));
        }
    }
}

/// Returns the games of a shape with so few moves that every game can be tried.
fn small_games(name: &str) -> Vec<Game> {
    let kind = find_kind(name);
    let games = (0..400).map(|seed| read(&draw(kind, 15, seed)));
    games.filter(|game| game[4] - game[2] <= 10).collect()
}

/// Checks the set of answers of the small games of a shape.
fn check_answers(name: &str, expected: &[&str]) {
    let seen: BTreeSet<&str> = small_games(name).into_iter().map(answer).collect();
    assert!(seen.into_iter().eq(expected.iter().copied()), "{name}: not exactly {expected:?}");
}

#[test]
fn every_answer_occurs() {
    check_answers("wall-race", &["Alice", "Bob", "Draw"]);
    check_answers("same-column", &["Alice", "Bob"]);
    check_answers("near-columns", &["Alice", "Bob", "Draw"]);
    check_answers("adjacent-rows", &["Alice", "Bob", "Draw"]);
    check_answers("passed", &["Draw"]);
    check_answers("one-column", &["Alice", "Bob", "Draw"]);
    check_answers("two-columns", &["Alice", "Bob", "Draw"]);
    check_answers("small-or-huge", &["Alice", "Bob", "Draw"]);
    check_answers("wrapping-cells", &["Alice", "Bob", "Draw"]);
    check_answers("anywhere", &["Alice", "Bob", "Draw"]);
}

#[test]
fn races_are_decided_by_one_step() {
    let games = small_games("wall-race");
    // One column more or less changes the answer.
    let turns = |game: &Game| {
        let [rows, cols, xa, ya, xb, yb] = *game;
        let wider = answer([rows, cols + 1, xa, ya, xb, yb]) != answer(*game);
        wider || (cols > ya.max(yb) && answer([rows, cols - 1, xa, ya, xb, yb]) != answer(*game))
    };
    let close = games.iter().filter(|game| turns(game)).count();
    assert!(close * 5 > games.len(), "{close} of {} games depend on the width", games.len());
}

/// A solution by formula, and the mistakes that it can make.
#[derive(Clone, Copy, Default)]
struct Formula {
    wall_off: i64,
    moves_off: i64,
    no_walls: bool,
    one_wall: bool,
    same_column_draws: bool,
    alice_always_pursues: bool,
}

impl Formula {
    fn answer(self, [_, cols, xa, ya, xb, yb]: Game) -> &'static str {
        let apart = xb - xa;
        if apart <= 0 || (self.same_column_draws && ya == yb) {
            return "Draw";
        }
        let alice_pursues = apart % 2 == 1 || self.alice_always_pursues;
        let moves = (apart + 1) / 2;
        let (from, to, flight) = if alice_pursues { (ya, yb, moves - 1) } else { (yb, ya, moves) };
        let (from, to, walled) = if to < from { (-from, -to, !self.one_wall) } else { (from, to, true) };
        let wall = if from < 0 { -1 } else { cols };
        let end = if walled && !self.no_walls { (to + flight).min(wall + self.wall_off) } else { to + flight };
        match from == to || from + moves + self.moves_off >= end {
            false => "Draw",
            true => {
                if alice_pursues {
                    "Alice"
                } else {
                    "Bob"
                }
            }
        }
    }
}

/// Returns games of all shapes and sizes.
fn games() -> Vec<Game> {
    let made = KINDS.iter().flat_map(|kind| (0..100).map(|seed| draw(kind, seed as u32, seed)));
    made.map(|text| read(&text)).collect()
}

#[test]
fn the_formula_agrees_with_every_game_played() {
    for game in games().into_iter().filter(|game| game[4] - game[2] <= 10) {
        assert_eq!(Formula::default().answer(game), answer(game), "{game:?}");
    }
}

#[test]
fn plausible_mistakes_are_caught() {
    let right = Formula::default();
    let mistakes = [
        ("the wall one too far", Formula { wall_off: 1, ..right }),
        ("the wall one too near", Formula { wall_off: -1, ..right }),
        ("one move too many", Formula { moves_off: 1, ..right }),
        ("one move too few", Formula { moves_off: -1, ..right }),
        ("no walls", Formula { no_walls: true, ..right }),
        ("only the right wall", Formula { one_wall: true, ..right }),
        ("nobody meets in one column", Formula { same_column_draws: true, ..right }),
        ("Alice is always the pursuer", Formula { alice_always_pursues: true, ..right }),
    ];
    for (mistake, wrong) in mistakes {
        let caught = games().into_iter().filter(|game| wrong.answer(*game) != right.answer(*game)).count();
        assert!(caught >= 10, "{mistake}: only {caught} games reveal it");
    }
}
