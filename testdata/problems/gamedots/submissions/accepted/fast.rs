// The undrawn sides join the squares into chains and loops. Let v be the number of squares by which whoever has to
// open the next part loses. If he opens a chain of k >= 3, the other takes it whole and must go on himself, k - v', or
// leaves its last two, k - 4 + v'; so v = |v' - 2| + k - 2, where v' is the value of what remains. A loop leaves four:
// v = |v' - 4| + k - 4. A chain of one or two is taken whole: v = k - v'.
// Short chains go first, the shortest of all; of long chains the shortest, of loops the shortest. Whether a long chain or a loop is
// next depends: all pairs of "so many chains left, so many loops left" are worked out.

use std::io::Read;

struct Parts {
    chains: Vec<i64>,
    loops: Vec<i64>,
}

/// Which of the sides (up, down, left, right) of each square are drawn, as bits.
fn read_sides(next: &mut impl FnMut() -> usize, n: usize, m: usize, edges: usize) -> Vec<u8> {
    let mut sides = vec![0u8; n * m];
    for _ in 0..edges {
        let (a, b, x, y) = (next(), next(), next(), next());
        let (r, c) = (a.min(x), b.min(y));
        if a == x {
            if r < n {
                sides[r * m + c] |= 1;
            }
            if r > 0 {
                sides[(r - 1) * m + c] |= 2;
            }
        } else {
            if c < m {
                sides[r * m + c] |= 4;
            }
            if c > 0 {
                sides[r * m + c - 1] |= 8;
            }
        }
    }
    sides
}

fn find_parts(sides: &[u8], n: usize, m: usize) -> Parts {
    let mut parts = Parts { chains: Vec::new(), loops: Vec::new() };
    let mut seen = vec![false; n * m];
    let mut stack = Vec::new();
    for start in 0..n * m {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        stack.push(start);
        let (mut size, mut exits) = (0, 0);
        while let Some(at) = stack.pop() {
            size += 1;
            let (r, c) = (at / m, at % m);
            let neighbours = [
                (1, (r > 0).then(|| at - m)),
                (2, (r + 1 < n).then(|| at + m)),
                (4, (c > 0).then(|| at - 1)),
                (8, (c + 1 < m).then(|| at + 1)),
            ];
            for (side, beside) in neighbours {
                match beside {
                    _ if sides[at] & side != 0 => {}
                    None => exits += 1,
                    Some(beside) if !seen[beside] => {
                        seen[beside] = true;
                        stack.push(beside);
                    }
                    Some(_) => {}
                }
            }
        }
        if exits > 0 {
            parts.chains.push(size);
        } else {
            parts.loops.push(size);
        }
    }
    parts
}

/// The value for who has to open something: what the other one gains.
fn value(mut parts: Parts) -> i64 {
    parts.chains.sort_unstable_by(|a, b| b.cmp(a));
    parts.loops.sort_unstable_by(|a, b| b.cmp(a));
    let long = parts.chains.partition_point(|k| *k >= 3);
    let open_loop = |rest: i64, k: i64| (rest - 4).abs() + k - 4;
    let open_chain = |rest: i64, k: i64| (rest - 2).abs() + k - 2;
    // v[j]: with the j longest loops, and as many of the longest chains as there were rounds
    let mut v = vec![0];
    for (j, k) in parts.loops.iter().enumerate() {
        v.push(open_loop(v[j], *k));
    }
    for chain in &parts.chains[..long] {
        v[0] = open_chain(v[0], *chain);
        for (j, k) in parts.loops.iter().enumerate() {
            v[j + 1] = open_chain(v[j + 1], *chain).min(open_loop(v[j], *k));
        }
    }
    parts.chains[long..].iter().fold(v[parts.loops.len()], |rest, k| k - rest)
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut numbers = input.split_ascii_whitespace().map(|t| t.parse::<usize>().unwrap());
    let mut next = || numbers.next().unwrap();
    for _ in 0..next() {
        let (n, m, edges) = (next(), next(), next());
        let sides = read_sides(&mut next, n, m, edges);
        let value = value(find_parts(&sides, n, m));
        let (mover, other) = if edges % 2 == 0 { ("Alice", "Bob") } else { ("Bob", "Alice") };
        println!("{}", if value == 0 { "Draw" } else if value > 0 { other } else { mover });
    }
}
