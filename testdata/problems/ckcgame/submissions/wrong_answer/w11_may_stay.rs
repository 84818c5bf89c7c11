// Alice may also stay where she is, and counts her cell again.

use std::io::Read;

struct Board {
    n: usize,
    bob: (usize, usize),
    values: Vec<Vec<i64>>,
}

impl Board {
    fn neighbours(&self, x: usize, y: usize) -> Vec<(usize, usize)> {
        let n = self.n;
        let rows = x.saturating_sub(1)..(x + 2).min(n);
        let all = rows.flat_map(|a| (y.saturating_sub(1)..(y + 2).min(n)).map(move |b| (a, b)));
        all.collect()
    }

    fn caught(&self, x: usize, y: usize, moves: usize) -> bool {
        x.abs_diff(self.bob.0).max(y.abs_diff(self.bob.1)) <= moves
    }

    fn best(&self, alice: (usize, usize)) -> i64 {
        let n = self.n;
        let mut later = vec![vec![0; n]; n];
        for moves in (0..n).rev() {
            let mut now = vec![vec![0; n]; n];
            for x in 0..n {
                for y in 0..n {
                    let worth = |(a, b): (usize, usize)| {
                        self.values[a][b] + if self.caught(a, b, moves + 1) { 0 } else { later[a][b] }
                    };
                    now[x][y] = self.neighbours(x, y).into_iter().map(worth).max().unwrap();
                }
            }
            later = now;
        }
        later[alice.0][alice.1]
    }
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut numbers = input.split_whitespace().map(|token| token.parse::<i64>().unwrap());
    let mut next = || numbers.next().unwrap();
    for _ in 0..next() {
        let n = next() as usize;
        let mut position = || (next() as usize - 1, next() as usize - 1);
        let (alice, bob) = (position(), position());
        let values = (0..n).map(|_| (0..n).map(|_| next()).collect()).collect();
        println!("{}", Board { n, bob, values }.best(alice));
    }
}
