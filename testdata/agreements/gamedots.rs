//! Generates all boards of a size, and computes the value of all sets of parts of a board by two searches that do not
//! assume an order.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

/// The shipped solution under test.
#[allow(dead_code)]
mod fast {
    include!("../problems/gamedots/submissions/accepted/fast.rs");

    pub fn worth(chains: &[i64], loops: &[i64]) -> i64 {
        value(Parts { chains: chains.to_vec(), loops: loops.to_vec() })
    }

    /// Returns the chains and the loops of a case, in order of length.
    pub fn found(case: &str) -> (Vec<i64>, Vec<i64>) {
        let mut numbers = case.split_ascii_whitespace().map(|t| t.parse::<usize>().unwrap());
        let mut next = || numbers.next().unwrap();
        let (n, m, edges) = (next(), next(), next());
        let mut parts = find_parts(&read_sides(&mut next, n, m, edges), n, m);
        parts.chains.sort_unstable();
        parts.loops.sort_unstable();
        (parts.chains, parts.loops)
    }
}

/// Calls `visit` with every board of n by m squares. A colouring of the dots with three colours in which neighbours
/// differ and the first dot is fixed corresponds to a board: see the shapes of gamedots.
fn boards(n: usize, m: usize, visit: &mut dyn FnMut(String)) {
    colour(1, n, m, &mut vec![0; (n + 1) * (m + 1)], visit);
}

fn colour(at: usize, n: usize, m: usize, colours: &mut Vec<u8>, visit: &mut dyn FnMut(String)) {
    let w = m + 1;
    if at == colours.len() {
        return visit(board(n, m, colours));
    }
    for own in 0..3 {
        let left = at % w > 0 && colours[at - 1] == own;
        let above = at >= w && colours[at - w] == own;
        if !left && !above {
            colours[at] = own;
            colour(at + 1, n, m, colours, visit);
        }
    }
}

/// Returns every board with this number of drawn edges. With b of them on the border this number is n·m + b/2, which
/// limits the size and the border.
fn with_edges(edges: usize) -> Vec<String> {
    let mut cases = Vec::new();
    for n in 1..=edges {
        for m in 1..=edges / n {
            let border = 2 * (edges - n * m);
            sparse(1, (n, m), border, &mut vec![0; (n + 1) * (m + 1)], &mut |case| cases.push(case));
        }
    }
    cases
}

/// Like `colour`, with `left` drawn edges remaining for the border; at the end there must be none.
fn sparse(at: usize, (n, m): (usize, usize), left: usize, colours: &mut Vec<u8>, visit: &mut dyn FnMut(String)) {
    let w = m + 1;
    if at == colours.len() {
        return if left == 0 { visit(board(n, m, colours)) };
    }
    let (r, c) = (at / w, at % w);
    for own in 0..3 {
        let up = |before: usize| (own + 3 - colours[before]) % 3 == 1;
        if (c > 0 && colours[at - 1] == own) || (r > 0 && colours[at - w] == own) {
            continue;
        }
        let across = c > 0 && (r == 0 || r == n) && up(at - 1) != ((r + c - 1) % 2 == 0);
        let down = r > 0 && (c == 0 || c == m) && up(at - w) != ((r - 1 + c) % 2 == 1);
        let drawn = usize::from(across) + usize::from(down);
        if drawn <= left {
            colours[at] = own;
            sparse(at + 1, (n, m), left - drawn, colours, visit);
        }
    }
}

fn print(cases: &[String]) {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{}", cases.len()).unwrap();
    cases.iter().for_each(|case| out.write_all(case.as_bytes()).unwrap());
}

/// Returns, of all boards with a maximum number of drawn edges that are not higher than wide, one for each size and
/// each set of parts, those with the fewest edges first.
fn kinds(most: usize) -> Vec<String> {
    let mut kinds = BTreeMap::new();
    for n in 1..=most {
        for m in n..=most / n {
            let mut add = |case: String| {
                let edges = case.lines().count() - 1;
                if edges <= most {
                    kinds.entry((edges, n, m, fast::found(&case))).or_insert(case);
                }
            };
            if n == 1 { rows(m, &mut add) } else { boards(n, m, &mut add) }
        }
    }
    kinds.into_values().collect()
}

/// Returns boards of a single row, one for each set of chains.
fn rows(m: usize, visit: &mut dyn FnMut(String)) {
    multisets(m as i64, 0, &mut |chains, loops| {
        if !loops.is_empty() || chains.iter().sum::<i64>() != m as i64 {
            return;
        }
        // Chains of one are open above and below, others above at both ends.
        let (mut text, mut edges, mut from) = (String::new(), 0, 0);
        let (mut above, mut below, mut walls) = (vec![true; m], vec![true; m], vec![false; m + 1]);
        for chain in chains {
            let to = from + *chain as usize;
            (above[from], above[to - 1], walls[from], walls[to]) = (false, false, true, true);
            below[from] = *chain > 1;
            from = to;
        }
        for c in 0..=m {
            let sides = [(c < m && above[c], 0, 0, 1), (c < m && below[c], 1, 1, 1), (walls[c], 0, 1, 0)];
            for (_, top, bottom, right) in sides.into_iter().filter(|side| side.0) {
                text += &format!("{top} {c} {bottom} {}\n", c + right);
                edges += 1;
            }
        }
        visit(format!("1 {m} {}\n{text}", edges));
    });
}

fn board(n: usize, m: usize, colours: &[u8]) -> String {
    let up = |a: usize, b: usize| (colours[b] + 3 - colours[a]) % 3 == 1;
    let (w, mut edges, mut text) = (m + 1, 0, String::new());
    for r in 0..=n {
        for c in 0..=m {
            if c < m && up(r * w + c, r * w + c + 1) != ((r + c) % 2 == 0) {
                text += &format!("{r} {c} {r} {}\n", c + 1);
                edges += 1;
            }
            if r < n && up(r * w + c, (r + 1) * w + c) != ((r + c) % 2 == 1) {
                text += &format!("{r} {c} {} {c}\n", r + 1);
                edges += 1;
            }
        }
    }
    format!("{n} {m} {edges}\n{text}")
}

/// Calls `visit` with each set of chains and loops of at most this weight, where a chain of k weighs k + `border`.
fn multisets(most: i64, border: i64, visit: &mut dyn FnMut(&[i64], &[i64])) {
    fn go(
        parts: &[(i64, bool)],
        weight: i64,
        border: i64,
        sets: &mut (Vec<i64>, Vec<i64>),
        visit: &mut dyn FnMut(&[i64], &[i64]),
    ) {
        visit(&sets.0, &sets.1);
        for (i, (k, closed)) in parts.iter().enumerate() {
            let rest = weight - k - if *closed { 0 } else { border };
            if rest >= 0 {
                if *closed {
                    sets.1.push(*k)
                } else {
                    sets.0.push(*k)
                }
                go(&parts[i..], rest, border, sets, visit);
                if *closed {
                    sets.1.pop()
                } else {
                    sets.0.pop()
                };
            }
        }
    }
    let mut parts: Vec<(i64, bool)> = (1..=most).map(|k| (k, false)).collect();
    parts.extend((4..=most).step_by(2).map(|k| (k, true)));
    go(&parts, most, border, &mut (Vec::new(), Vec::new()), visit);
}

/// A set of squares connected by undrawn sides: a row of squares with this number of open ends, or a loop. Its sides
/// are drawn one by one according to the rules; only the identity of the squares is forgotten.
type Piece = (u8, u8);
const LOOP: u8 = 3;

/// Returns the pieces that remain after each possible turn in this one, and the number of squares that it completes.
fn turns((k, ends): Piece) -> Vec<(Vec<Piece>, i8)> {
    if ends == LOOP {
        return vec![(vec![(k, 0)], 0)];
    }
    let mut all = Vec::new();
    let mut leave = |pieces: Vec<Piece>| {
        let complete = pieces.iter().filter(|piece| **piece == (1, 0)).count() as i8;
        all.push((pieces.into_iter().filter(|piece| *piece != (1, 0)).collect(), complete));
    };
    if ends > 0 {
        leave(vec![(k, ends - 1)]);
    }
    for i in 1..k {
        // with one open end it is the one on the left
        leave(vec![(i, u8::from(ends > 0)), (k - i, u8::from(ends > 1))]);
    }
    all
}

/// Returns the number of squares that the player to move will own more than the other one.
fn play(pieces: &[Piece], known: &mut HashMap<Box<[Piece]>, i8>) -> i8 {
    if pieces.is_empty() {
        return 0;
    }
    if let Some(worth) = known.get(pieces) {
        return *worth;
    }
    let mut best = i8::MIN;
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 && pieces[i - 1] == *piece {
            continue;
        }
        for (left, complete) in turns(*piece) {
            let mut next = pieces.to_vec();
            next.remove(i);
            next.extend(left);
            next.sort_unstable();
            let worth = play(&next, known);
            best = best.max(if complete > 0 { complete + worth } else { -worth });
        }
    }
    known.insert(pieces.into(), best);
    best
}

/// Plays all sets of chains and loops with a maximum number of undrawn sides.
fn sides(most: i64) {
    let (mut known, mut count) = (HashMap::new(), 0_u64);
    multisets(most, 1, &mut |chains, loops| {
        let mut pieces: Vec<Piece> = chains.iter().map(|k| (*k as u8, 2)).collect();
        pieces.extend(loops.iter().map(|k| (*k as u8, LOOP)));
        pieces.sort_unstable();
        let worth = i64::from(-play(&pieces, &mut known));
        assert_eq!(worth, fast::worth(chains, loops), "chains {chains:?}, loops {loops:?}");
        count += 1;
    });
    println!(
        "{count} sets of chains and loops with at most {most} undrawn sides, {} positions: they agree",
        known.len()
    );
}

/// Returns the loss of the player who opens a part, if a long part can be taken whole or except for its last two or
/// four squares.
fn open(parts: &[i8], known: &mut HashMap<Box<[i8]>, i8>) -> i8 {
    if let Some(worth) = known.get(parts) {
        return *worth;
    }
    let mut best = if parts.is_empty() { 0 } else { i8::MAX };
    for (i, part) in parts.iter().enumerate() {
        if i > 0 && parts[i - 1] == *part {
            continue;
        }
        let mut rest = parts.to_vec();
        rest.remove(i);
        let rest = open(&rest, known);
        let k = part.abs();
        let kept = if *part < 0 { 4 } else { 2 };
        let worth = if k <= 2 { k - rest } else { (k - rest).max(k - 2 * kept + rest) };
        best = best.min(worth);
    }
    known.insert(parts.into(), best);
    best
}

/// Opens all sets of chains and loops with a maximum number of squares in every order.
fn parts(most: i64) {
    let (mut known, mut count) = (HashMap::new(), 0_u64);
    multisets(most, 0, &mut |chains, loops| {
        let mut parts: Vec<i8> = loops.iter().map(|k| -*k as i8).chain(chains.iter().map(|k| *k as i8)).collect();
        parts.sort_unstable();
        let worth = i64::from(open(&parts, &mut known));
        assert_eq!(worth, fast::worth(chains, loops), "chains {chains:?}, loops {loops:?}");
        count += 1;
    });
    println!("{count} sets of chains and loops with at most {most} squares: they agree");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| words[i].parse::<usize>().unwrap();
    match words[0].as_str() {
        "boards" => {
            let mut cases = Vec::new();
            boards(number(1), number(2), &mut |case| cases.push(case));
            print(&cases);
        }
        "edges" => print(&with_edges(number(1))),
        "kinds" => print(&kinds(number(1))),
        "sides" => sides(number(1) as i64),
        "parts" => parts(number(1) as i64),
        other => panic!("{other}: not boards, edges, kinds, sides or parts"),
    }
}
