// Collects all lines and looks for a window in each. The diagonals to the right start in the top row and in the
// left column; the ones to the left start in the top row only, so half of them are missing.

use std::io::Read;

fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let mut it = s.split_ascii_whitespace();
    let t: usize = it.next().unwrap().parse().unwrap();
    for _ in 0..t {
        let n: usize = it.next().unwrap().parse().unwrap();
        let k: usize = it.next().unwrap().parse().unwrap();
        let b: Vec<Vec<u8>> = (0..n).map(|_| it.next().unwrap().bytes().collect()).collect();
        let mut lines: Vec<Vec<u8>> = Vec::new();
        for i in 0..n {
            lines.push(b[i].clone());
            lines.push((0..n).map(|j| b[j][i]).collect());
            lines.push((0..n - i).map(|j| b[j][i + j]).collect()); // down to the right, from the top row
            lines.push((0..n - i).map(|j| b[i + j][j]).collect()); // down to the right, from the left column
            lines.push((0..=i).map(|j| b[j][i - j]).collect()); // down to the left
        }
        let ok = lines.iter().flat_map(|line| line.windows(k)).any(|w| {
            let xs = w.iter().filter(|&&c| c == b'X').count();
            xs == k - 1 && w.contains(&b'.')
        });
        println!("{}", if ok { "YES" } else { "NO" });
    }
}
