// Reads "w h" instead of "h w": the walls stand at the number of rows. Most of the examples
// are square boards.

use std::io::{self, BufRead};

fn main() {
    let stdin = io::stdin();
    let mut lines = stdin.lock().lines().map(|l| l.unwrap());
    let t: usize = lines.next().unwrap().trim().parse().unwrap();
    for _ in 0..t {
        let v: Vec<i64> = lines.next().unwrap().split_whitespace().map(|x| x.parse().unwrap()).collect();
        let (w, _h, xa, ya, xb, yb) = (v[0], v[1], v[2], v[3], v[4], v[5]);
        if xa >= xb {
            println!("Draw");
            continue;
        }
        let d = xb - xa;
        let (a, b) = ((d + 1) / 2, d / 2);
        let right = (ya + a).min(w) - (yb + b).min(w);
        let left = (ya - a).max(1) - (yb - b).max(1);
        if d % 2 == 1 {
            let win = ya == yb || (ya < yb && right >= 0) || (ya > yb && left <= 0);
            println!("{}", if win { "Alice" } else { "Draw" });
        } else {
            let win = ya == yb || (ya < yb && left >= 0) || (ya > yb && right <= 0);
            println!("{}", if win { "Bob" } else { "Draw" });
        }
    }
}
