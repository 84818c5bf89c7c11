// The published pseudo-code to the letter: it steps before it looks, so the starting cell is never
// counted, and (x, y) goes on from where the direction before it stopped.

use std::io::Read;

const DX: [i32; 4] = [1, 0, 1, 1];
const DY: [i32; 4] = [0, 1, 1, -1];

/// The longest run of X that is counted from cell (i, j).
fn total(grid: &[Vec<u8>], k: i32, i: i32, j: i32) -> i32 {
    let n = grid.len() as i32;
    let (mut x, mut y) = (i, j);
    let mut total = 0;
    for direction in 0..4 {
        let mut ans = 0;
        for _ in 0..k {
            x += DX[direction];
            y += DY[direction];
            if x >= 0 && x < n && y >= 0 && y < n && grid[x as usize][y as usize] == b'X' {
                ans += 1;
            } else {
                break;
            }
        }
        total = total.max(ans);
    }
    total
}

fn can_win(grid: &mut [Vec<u8>], k: i32) -> bool {
    let n = grid.len();
    for a in 0..n {
        for b in 0..n {
            if grid[a][b] == b'.' {
                grid[a][b] = b'X';
                for i in 0..n {
                    for j in 0..n {
                        if total(grid, k, i as i32, j as i32) == k {
                            return true;
                        }
                    }
                }
                grid[a][b] = b'.';
            }
        }
    }
    false
}

fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let mut it = s.split_whitespace();
    let t: usize = it.next().unwrap().parse().unwrap();
    for _ in 0..t {
        let n: usize = it.next().unwrap().parse().unwrap();
        let k: i32 = it.next().unwrap().parse().unwrap();
        let mut grid: Vec<Vec<u8>> = (0..n).map(|_| it.next().unwrap().bytes().collect()).collect();
        println!("{}", if can_win(&mut grid, k) { "YES" } else { "NO" });
    }
}
