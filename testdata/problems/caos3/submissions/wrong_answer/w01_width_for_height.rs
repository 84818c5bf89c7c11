// The published pseudo-code to the letter: the lower right corner of a rectangle is (xl + w, yl + h), but the
// recurrence says yl + w. What lies outside of the table counts as 0.

use std::collections::HashSet;
use std::io::Read;

const N: usize = 20;

struct Table(Vec<usize>);

impl Table {
    fn get(&self, xl: isize, yl: isize, xr: isize, yr: isize) -> usize {
        let all = [xl, yl, xr, yr];
        if all.iter().any(|i| *i < 0 || *i >= N as isize) || xr < xl || yr < yl {
            return 0;
        }
        self.0[all.iter().fold(0, |at, i| at * N + *i as usize)]
    }

    fn set(&mut self, at: [usize; 4], value: usize) {
        self.0[at.iter().fold(0, |place, i| place * N + i)] = value;
    }
}

fn monsters(map: &[Vec<u8>], m: usize, n: usize) -> Vec<Vec<bool>> {
    let mut monster = vec![vec![false; N]; N];
    for x in 2..m.saturating_sub(2) {
        for y in 2..n.saturating_sub(2) {
            monster[x][y] = (0..5).all(|i| map[x][y + i - 2] == b'^' && map[x + i - 2][y] == b'^');
        }
    }
    monster
}

fn first_wins(map: &[Vec<u8>], m: usize, n: usize) -> bool {
    let monster = monsters(map, m, n);
    let mut sg = Table(vec![0; N * N * N * N]);
    for w in 0..m {
        for xl in 0..m - w {
            for h in 0..n {
                for yl in 0..n - h {
                    let mut seen_values = HashSet::new();
                    for x in xl..=xl + w {
                        for y in yl..=yl + h {
                            if monster[x][y] {
                                let (i, j, a, b, k) = (x as isize, y as isize, xl as isize, yl as isize, w as isize);
                                seen_values.insert(
                                    sg.get(a, b, i - 1, j - 1)
                                        ^ sg.get(a, j + 1, i - 1, b + k)
                                        ^ sg.get(i + 1, b, a + k, j - 1)
                                        ^ sg.get(i + 1, j + 1, a + k, b + k),
                                );
                            }
                        }
                    }
                    let s = (0..).find(|s| !seen_values.contains(s)).unwrap();
                    sg.set([xl, yl, xl + w, yl + h], s);
                }
            }
        }
    }
    sg.get(0, 0, m as isize - 1, n as isize - 1) != 0
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut it = input.split_whitespace();
    let t: usize = it.next().unwrap().parse().unwrap();
    for _ in 0..t {
        let m: usize = it.next().unwrap().parse().unwrap();
        let n: usize = it.next().unwrap().parse().unwrap();
        let map: Vec<Vec<u8>> = (0..m).map(|_| it.next().unwrap().bytes().collect()).collect();
        println!("{}", if first_wins(&map, m, n) { "Asuna" } else { "Kirito" });
    }
}
