// Columns are unsigned. A column left of the board is cast to unsigned before it is clamped to 1, and so
// becomes a very large one.

use std::io::Read;

fn left(y: u32, moves: u32) -> u32 {
    ((y as i32 - moves as i32) as u32).max(1)
}

fn right(y: u32, moves: u32, w: u32) -> u32 {
    (y + moves).min(w)
}

fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let v: Vec<u32> = s.split_whitespace().map(|x| x.parse().unwrap()).collect();
    for c in v[1..].chunks(6) {
        let (w, xa, ya, xb, yb) = (c[1], c[2], c[3], c[4], c[5]);
        if xa >= xb {
            println!("Draw");
            continue;
        }
        let a = (xb - xa + 1) / 2;
        let b = (xb - xa) / 2;
        if a != b {
            let caught = ya == yb
                || (ya < yb && right(ya, a, w) >= right(yb, b, w))
                || (ya > yb && left(ya, a) <= left(yb, b));
            println!("{}", if caught { "Alice" } else { "Draw" });
        } else {
            let caught = ya == yb
                || (yb < ya && right(yb, b, w) >= right(ya, a, w))
                || (yb > ya && left(yb, b) <= left(ya, a));
            println!("{}", if caught { "Bob" } else { "Draw" });
        }
    }
}
