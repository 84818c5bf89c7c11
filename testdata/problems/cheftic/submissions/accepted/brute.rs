// Straight from the rules: write an X into each empty cell in turn and look at the whole board.
// O(n^4 K) in the worst case.

use std::io::Read;

const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

fn is_x(board: &[Vec<u8>], x: isize, y: isize) -> bool {
    let n = board.len() as isize;
    0 <= x && x < n && 0 <= y && y < n && board[x as usize][y as usize] == b'X'
}

fn x_has_won(board: &[Vec<u8>], k: isize) -> bool {
    let n = board.len() as isize;
    for x in 0..n {
        for y in 0..n {
            for (dx, dy) in DIRECTIONS {
                if (0..k).all(|i| is_x(board, x + i * dx, y + i * dy)) {
                    return true;
                }
            }
        }
    }
    false
}

fn can_win(mut board: Vec<Vec<u8>>, k: isize) -> bool {
    let n = board.len();
    for x in 0..n {
        for y in 0..n {
            if board[x][y] != b'.' {
                continue;
            }
            board[x][y] = b'X';
            let won = x_has_won(&board, k);
            board[x][y] = b'.';
            if won {
                return true;
            }
        }
    }
    false
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut tokens = input.split_whitespace();
    let cases: usize = tokens.next().unwrap().parse().unwrap();
    for _ in 0..cases {
        let n: usize = tokens.next().unwrap().parse().unwrap();
        let k: isize = tokens.next().unwrap().parse().unwrap();
        let board: Vec<Vec<u8>> = (0..n).map(|_| tokens.next().unwrap().bytes().collect()).collect();
        println!("{}", if can_win(board, k) { "YES" } else { "NO" });
    }
}
