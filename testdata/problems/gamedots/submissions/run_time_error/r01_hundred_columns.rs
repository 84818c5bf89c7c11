// A board of a hundred by a hundred squares is assumed to be the largest.

use std::io::Read;

/// Length, and whether it is a loop.
type Part = (i64, bool);

fn read_parts(next: &mut impl FnMut() -> usize, n: usize, m: usize, e: usize) -> Vec<Part> {
    let mut wall = [[false; 201]; 201];
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

fn value(parts: Vec<Part>) -> i64 {
    let pick = |closed: bool| {
        let mut lengths: Vec<i64> = parts.iter().filter(|p| p.1 == closed).map(|p| p.0).collect();
        lengths.sort_by(|a, b| b.cmp(a));
        lengths
    };
    let (chains, loops) = (pick(false), pick(true));
    let long = chains.iter().filter(|k| **k > 2).count();
    let mut v = vec![0; loops.len() + 1];
    for i in 0..=long {
        for j in 0..=loops.len() {
            let mut best = if i + j == 0 { 0 } else { i64::MAX };
            if i > 0 {
                let k = chains[i - 1];
                best = best.min((k - v[j]).max(k - 4 + v[j]));
            }
            if j > 0 {
                let k = loops[j - 1];
                best = best.min((k - v[j - 1]).max(k - 8 + v[j - 1]));
            }
            v[j] = best;
        }
    }
    chains[long..].iter().fold(v[loops.len()], |v, k| k - v)
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut numbers = input.split_whitespace().map(|t| t.parse::<usize>().unwrap());
    let mut next = || numbers.next().unwrap();
    for _ in 0..next() {
        let (n, m, e) = (next(), next(), next());
        let parts = read_parts(&mut next, n, m, e);
        let v = value(parts);
        let (mover, other) = if e % 2 == 0 { ("Alice", "Bob") } else { ("Bob", "Alice") };
        println!("{}", if v == 0 { "Draw" } else if v > 0 { other } else { mover });
    }
}
