// O(1) for a game. If Alice is above Bob, the chips meet in the same row after xb - xa moves, and whoever makes the
// last of them chases the other one. The runner runs away to the wall, the chaser runs after.

use std::io::Read;

fn winner(w: i64, (xa, ya): (i64, i64), (xb, yb): (i64, i64)) -> &'static str {
    if xa >= xb {
        return "Draw"; // each move only makes the distance larger
    }
    let moves = xb - xa;
    let alice = (ya, (moves + 1) / 2);
    let bob = (yb, moves / 2);
    let (name, chaser, runner) = if moves % 2 == 1 { ("Alice", alice, bob) } else { ("Bob", bob, alice) };

    let caught = if chaser.0 == runner.0 {
        true // the chaser repeats each step of the runner
    } else if chaser.0 < runner.0 {
        w.min(chaser.0 + chaser.1) >= w.min(runner.0 + runner.1)
    } else {
        1.max(chaser.0 - chaser.1) <= 1.max(runner.0 - runner.1)
    };
    if caught { name } else { "Draw" }
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut numbers = input.split_ascii_whitespace().map(|token| token.parse::<i64>().unwrap());
    let mut next = || numbers.next().unwrap();
    let mut output = String::new();
    for _ in 0..next() {
        let (_h, w) = (next(), next());
        let alice = (next(), next());
        let bob = (next(), next());
        output.push_str(winner(w, alice, bob));
        output.push('\n');
    }
    print!("{output}");
}
