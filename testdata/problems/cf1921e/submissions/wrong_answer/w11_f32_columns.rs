// Wanted a half of something and made everything f32: columns beyond 2^24 are rounded, and
// neighbours become the same column.

use std::io::Read;

fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let mut it = s.split_ascii_whitespace().map(|x| x.parse::<f32>().unwrap());
    let t = it.next().unwrap() as usize;
    for _ in 0..t {
        let v: Vec<f32> = it.by_ref().take(6).collect();
        let (w, xa, ya, xb, yb) = (v[1], v[2], v[3], v[4], v[5]);
        let d = xb - xa;
        if d <= 0.0 {
            println!("Draw");
            continue;
        }
        let a = (d / 2.0).ceil();
        let b = (d / 2.0).floor();
        if a != b {
            let win = (ya - yb).abs() <= 1.0 || (ya < yb && w - ya <= a) || (ya > yb && ya - 1.0 <= a);
            println!("{}", if win { "Alice" } else { "Draw" });
        } else {
            let win = ya == yb || (yb < ya && w - yb <= b) || (yb > ya && yb - 1.0 <= b);
            println!("{}", if win { "Bob" } else { "Draw" });
        }
    }
}
