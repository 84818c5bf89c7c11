// After his i-th move Bob can be on any cell at most i steps from where he began, and there is a way to play by which
// he is wherever Alice comes that close. So only her cell and the number of her moves matter. O(N^3), from the last
// move backwards, with two layers.

use std::io::Read;

struct Board {
    n: usize,
    alice: (usize, usize),
    bob: (usize, usize),
    values: Vec<u64>,
}

/// The best of `to` and its neighbours in a row.
fn best_of_three(row: &[u64], col: usize) -> u64 {
    let from = col.saturating_sub(1);
    let to = (col + 2).min(row.len());
    row[from..to].iter().copied().max().unwrap_or(0)
}

fn best_score(board: &Board) -> u64 {
    let n = board.n;
    // What Alice gets from her (i+1)-th move on, if she stands on a cell and was not caught.
    let mut later = vec![0; n * n];
    for moves in (0..n).rev() {
        // What her next move is worth, by the cell that it goes to.
        let worth: Vec<u64> = (0..n * n)
            .map(|cell| {
                let distance = (cell / n).abs_diff(board.bob.0).max((cell % n).abs_diff(board.bob.1));
                board.values[cell] + if distance <= moves + 1 { 0 } else { later[cell] }
            })
            .collect();
        for row in 0..n {
            let this = &worth[row * n..(row + 1) * n];
            let above = if row > 0 { &worth[(row - 1) * n..row * n] } else { &[] };
            let below = if row + 1 < n { &worth[(row + 1) * n..(row + 2) * n] } else { &[] };
            for col in 0..n {
                let left = if col > 0 { this[col - 1] } else { 0 };
                let right = if col + 1 < n { this[col + 1] } else { 0 };
                let rows = if above.is_empty() { 0 } else { best_of_three(above, col) };
                let rows = if below.is_empty() { rows } else { rows.max(best_of_three(below, col)) };
                later[row * n + col] = left.max(right).max(rows);
            }
        }
    }
    later[board.alice.0 * n + board.alice.1]
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut numbers = input.split_whitespace().map(|token| token.parse::<u64>().unwrap());
    let mut next = || numbers.next().unwrap();
    for _ in 0..next() {
        let n = next() as usize;
        let mut position = || (next() as usize - 1, next() as usize - 1);
        let (alice, bob) = (position(), position());
        let values = (0..n * n).map(|_| next()).collect();
        println!("{}", best_score(&Board { n, alice, bob, values }));
    }
}
