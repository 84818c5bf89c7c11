// The board is one long string and a direction is one stride (1, n, n + 1, n - 1). Nothing stops
// a line at the edge of the board: it goes on in the next row.

use std::io::Read;

fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let mut it = s.split_ascii_whitespace();
    let t: usize = it.next().unwrap().parse().unwrap();
    for _ in 0..t {
        let n: usize = it.next().unwrap().parse().unwrap();
        let k: usize = it.next().unwrap().parse().unwrap();
        let mut cells = Vec::new();
        for _ in 0..n {
            cells.extend(it.next().unwrap().bytes());
        }
        let mut ok = false;
        for start in 0..n * n {
            for stride in [1, n, n + 1, n - 1] {
                let last = start + stride * (k - 1);
                if last >= n * n {
                    continue;
                }
                let window: Vec<u8> = (0..k).map(|i| cells[start + stride * i]).collect();
                let xs = window.iter().filter(|&&c| c == b'X').count();
                let dots = window.iter().filter(|&&c| c == b'.').count();
                if xs == k - 1 && dots == 1 {
                    ok = true;
                }
            }
        }
        println!("{}", if ok { "YES" } else { "NO" });
    }
}
