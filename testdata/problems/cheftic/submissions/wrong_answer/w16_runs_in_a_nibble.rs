// The runs of X that end in each cell, four directions in the four bits each of a u16: a run of sixteen is none, and
// spills into the next direction.

use std::io::Read;

const STEPS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The runs that end in each cell, coming from one side or, with `sign` -1, from the other.
fn runs(board: &[Vec<u8>], sign: isize) -> Vec<Vec<u16>> {
    let n = board.len();
    let mut packed = vec![vec![0u16; n]; n];
    let rows: Vec<usize> = if sign > 0 { (0..n).collect() } else { (0..n).rev().collect() };
    for &i in &rows {
        for &j in &rows {
            if board[i][j] != b'X' {
                continue;
            }
            for (d, (di, dj)) in STEPS.iter().enumerate() {
                let (pi, pj) = (i as isize - sign * di, j as isize - sign * dj);
                let inside = pi >= 0 && pj >= 0 && pi < n as isize && pj < n as isize;
                let before = if inside { packed[pi as usize][pj as usize] >> (4 * d) & 15 } else { 0 };
                packed[i][j] = packed[i][j].wrapping_add((before + 1) << (4 * d));
            }
        }
    }
    packed
}

fn wins(board: &[Vec<u8>], k: u16) -> bool {
    let n = board.len() as isize;
    let (before, behind) = (runs(board, 1), runs(board, -1));
    let run = |packed: &[Vec<u16>], i: isize, j: isize, d: usize| {
        let inside = i >= 0 && j >= 0 && i < n && j < n;
        if inside { packed[i as usize][j as usize] >> (4 * d) & 15 } else { 0 }
    };
    for i in 0..n {
        for j in 0..n {
            if board[i as usize][j as usize] != b'.' {
                continue;
            }
            for (d, (di, dj)) in STEPS.iter().enumerate() {
                if run(&before, i - di, j - dj, d) + 1 + run(&behind, i + di, j + dj, d) >= k {
                    return true;
                }
            }
        }
    }
    false
}

fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let mut it = s.split_ascii_whitespace();
    let t: usize = it.next().unwrap().parse().unwrap();
    for _ in 0..t {
        let n: usize = it.next().unwrap().parse().unwrap();
        let k: u16 = it.next().unwrap().parse().unwrap();
        let board: Vec<Vec<u8>> = (0..n).map(|_| it.next().unwrap().bytes().collect()).collect();
        println!("{}", if wins(&board, k) { "YES" } else { "NO" });
    }
}
