// Each row is a mask of bits, and shifted masks find the lines. A row is kept in a u16, so on a board
// of 17 columns or more the ones from the 17th on are lost.

use std::io::Read;

fn won(rows: &[u16], k: usize) -> bool {
    let n = rows.len();
    for i in 0..n {
        let mut row = rows[i];
        for j in 1..k {
            row &= rows[i] >> j;
        }
        if row != 0 {
            return true;
        }
        if i + k <= n {
            let (mut down, mut right, mut left) = (rows[i], rows[i], rows[i]);
            for j in 1..k {
                down &= rows[i + j];
                right &= (rows[i + j] as u32 >> j) as u16;
                left &= ((rows[i + j] as u32) << j) as u16;
            }
            if down | right | left != 0 {
                return true;
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
        let k: usize = it.next().unwrap().parse().unwrap();
        let board: Vec<&[u8]> = (0..n).map(|_| it.next().unwrap().as_bytes()).collect();
        let bit = |j: usize| (1u32 << j) as u16;
        let mut rows: Vec<u16> = vec![0; n];
        for i in 0..n {
            for j in 0..n {
                if board[i][j] == b'X' {
                    rows[i] |= bit(j);
                }
            }
        }
        let mut ok = false;
        for i in 0..n {
            for j in 0..n {
                if board[i][j] == b'.' {
                    let before = rows[i];
                    rows[i] |= bit(j);
                    ok |= won(&rows, k);
                    rows[i] = before;
                }
            }
        }
        println!("{}", if ok { "YES" } else { "NO" });
    }
}
