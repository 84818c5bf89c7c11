// Stores only the winner of each rectangle, and combines the four parts by exclusive or.

use std::io::Read;

const MOST: usize = 21;

/// Whether the first player wins rows `top..bottom` and columns `left..right`.
struct Nimbers(Vec<u8>);

fn place(top: usize, bottom: usize, left: usize, right: usize) -> usize {
    ((top * MOST + bottom) * MOST + left) * MOST + right
}

fn has_monster(map: &[Vec<u8>], r: usize, c: usize) -> bool {
    let (rows, cols) = (map.len(), map[0].len());
    if r < 2 || c < 2 || r + 2 >= rows || c + 2 >= cols {
        return false;
    }
    (c - 2..=c + 2).all(|col| map[r][col] == b'^') && (r - 2..=r + 2).all(|row| map[row][c] == b'^')
}

fn nimber(monsters: &[(usize, usize)], known: &Nimbers, (top, bottom): (usize, usize), (left, right): (usize, usize)) -> u8 {
    let mut reached = [false; 256];
    let inside = monsters.iter().filter(|(r, c)| (top..bottom).contains(r) && (left..right).contains(c));
    for &(r, c) in inside {
        let parts = [
            place(top, r, left, c),
            place(top, r, c + 1, right),
            place(r + 1, bottom, left, c),
            place(r + 1, bottom, c + 1, right),
        ];
        reached[parts.iter().fold(0, |all, part| all ^ known.0[*part]) as usize] = true;
    }
    u8::from(reached[0])
}

fn asuna_wins(map: &[Vec<u8>]) -> bool {
    let (rows, cols) = (map.len(), map[0].len());
    let cells = (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c)));
    let monsters: Vec<_> = cells.filter(|&(r, c)| has_monster(map, r, c)).collect();
    let mut known = Nimbers(vec![0; MOST * MOST * MOST * MOST]);
    for height in 1..=rows {
        for top in 0..=rows - height {
            let these: Vec<_> = monsters.iter().copied().filter(|(r, _)| (top..top + height).contains(r)).collect();
            for width in 1..=cols {
                for left in 0..=cols - width {
                    known.0[place(top, top + height, left, left + width)] =
                        nimber(&these, &known, (top, top + height), (left, left + width));
                }
            }
        }
    }
    known.0[place(0, rows, 0, cols)] != 0
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut tokens = input.split_whitespace();
    let cases: usize = tokens.next().unwrap().parse().unwrap();
    for _ in 0..cases {
        let rows: usize = tokens.next().unwrap().parse().unwrap();
        tokens.next();
        let map: Vec<Vec<u8>> = (0..rows).map(|_| tokens.next().unwrap().bytes().collect()).collect();
        println!("{}", if asuna_wins(&map) { "Asuna" } else { "Kirito" });
    }
}
