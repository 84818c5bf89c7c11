// The published recipe, with z read so that the other player wins where nothing was ever taken whole.
// The sign of dp says who wins; z says who opens the last part, which is not the same.

use std::io::Read;

/// Length, and whether it is a loop.
type Part = (i64, bool);

fn read_parts(next: &mut impl FnMut() -> usize, n: usize, m: usize, e: usize) -> Vec<Part> {
    let mut wall = vec![vec![false; 2 * m + 1]; 2 * n + 1];
    for _ in 0..e {
        let (a, b, c, d) = (next(), next(), next(), next());
        wall[a + c][b + d] = true;
    }
    let mut seen = vec![vec![false; m]; n];
    let mut parts = Vec::new();
    for i in 0..n {
        for j in 0..m {
            if seen[i][j] {
                continue;
            }
            seen[i][j] = true;
            let (mut stack, mut size, mut ends) = (vec![(i, j)], 0, 0);
            while let Some((x, y)) = stack.pop() {
                size += 1;
                for (dx, dy) in [(0, 1), (1, 0), (2, 1), (1, 2)] {
                    if wall[2 * x + dx][2 * y + dy] {
                        continue;
                    }
                    let (u, v) = ((x + dx).wrapping_sub(1), (y + dy).wrapping_sub(1));
                    if u >= n || v >= m {
                        ends += 1;
                    } else if !seen[u][v] {
                        seen[u][v] = true;
                        stack.push((u, v));
                    }
                }
            }
            parts.push((size, ends == 0));
        }
    }
    parts
}

fn rank((k, closed): &Part) -> (i64, i64) {
    match (*k, *closed) {
        (1, _) => (0, 0),
        (2, _) => (1, 0),
        (4, true) => (2, 0),
        (6, true) => (3, 0),
        (k, _) => (4, k),
    }
}

/// Who wins: 0 nobody, 1 the player to move, 2 the other one.
fn winner(mut parts: Vec<Part>) -> i32 {
    parts.sort_by_key(rank);
    let longest = (0..parts.len()).max_by_key(|i| parts[*i].0).unwrap();
    let mut dp = parts.remove(longest).0;
    let mut z = 1;
    for (k, closed) in parts.into_iter().rev() {
        let leave = if closed { 8 } else { 4 };
        if k > 2 && dp + k - leave >= k - dp {
            dp += k - leave;
        } else {
            dp = k - dp;
            z = (z + 1) % 2;
        }
    }
    if dp == 0 { 0 } else if z == 0 { 1 } else { 2 }
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut numbers = input.split_whitespace().map(|t| t.parse::<usize>().unwrap());
    let mut next = || numbers.next().unwrap();
    for _ in 0..next() {
        let (n, m, e) = (next(), next(), next());
        let parts = read_parts(&mut next, n, m, e);
        let w = winner(parts);
        let (mover, other) = if e % 2 == 0 { ("Alice", "Bob") } else { ("Bob", "Alice") };
        println!("{}", ["Draw", mover, other][w as usize]);
    }
}
