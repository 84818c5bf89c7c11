// Input validator: has every square exactly two drawn sides, and is every edge there once?
// Reads the whole file on stdin, byte for byte. Exit status 42: valid; 43: not, and stderr says which case and why.

use std::io::Read;
use std::process::exit;

const MOST: usize = 200;
const MOST_SQUARES: usize = 40_000;

/// The numbers of a line: digits only, no leading zeros, single spaces.
fn numbers<const N: usize>(line: Option<&str>, what: &str) -> Result<[usize; N], String> {
    let line = line.ok_or_else(|| format!("the file ends before {what}"))?;
    let number = |token: &str| {
        let plain = token.bytes().all(|b| b.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
        token.parse::<usize>().ok().filter(|_| plain).ok_or_else(|| format!("{what}: {token:?} is not a plain number"))
    };
    let list = line.split(' ').map(number).collect::<Result<Vec<usize>, String>>()?;
    list.try_into().map_err(|_| format!("{what}: expected {N} numbers, got {line:?}"))
}

/// Which sides are drawn.
struct Board {
    rows: usize,
    cols: usize,
    /// Above and below squares, rows + 1 lines; left and right of squares, cols + 1 in each line.
    level: Vec<bool>,
    upright: Vec<bool>,
}

impl Board {
    fn draw(&mut self, [r1, c1, r2, c2]: [usize; 4]) -> Result<(), String> {
        let edge = format!("edge {r1} {c1} {r2} {c2}");
        if r1.max(r2) > self.rows || c1.max(c2) > self.cols {
            return Err(format!("{edge} leaves the board"));
        }
        let side = match (r1.abs_diff(r2), c1.abs_diff(c2)) {
            (0, 1) => &mut self.level[r1 * self.cols + c1.min(c2)],
            (1, 0) => &mut self.upright[r1.min(r2) * (self.cols + 1) + c1],
            _ => return Err(format!("{edge} does not join neighbouring dots")),
        };
        if std::mem::replace(side, true) {
            return Err(format!("{edge} is there twice"));
        }
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        for r in 0..self.rows {
            for c in 0..self.cols {
                let level = [r, r + 1].map(|r| self.level[r * self.cols + c]);
                let upright = [c, c + 1].map(|c| self.upright[r * (self.cols + 1) + c]);
                let drawn = level.iter().chain(&upright).filter(|drawn| **drawn).count();
                if drawn != 2 {
                    return Err(format!("the square in row {r}, column {c} has {drawn} drawn sides, expected 2"));
                }
            }
        }
        Ok(())
    }
}

/// Checks one case and gives the number of its squares.
fn check_case<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Result<usize, String> {
    let [rows, cols, edges] = numbers(lines.next(), "N, M and E")?;
    if rows.min(cols) < 1 || rows.max(cols) > MOST {
        return Err(format!("{rows} by {cols} squares, expected 1 to {MOST} each"));
    }
    let mut board =
        Board { rows, cols, level: vec![false; (rows + 1) * cols], upright: vec![false; rows * (cols + 1)] };
    for _ in 0..edges {
        board.draw(numbers(lines.next(), "an edge")?)?;
    }
    board.check()?;
    Ok(rows * cols)
}

fn check(text: &str) -> Result<(), String> {
    let mut lines = text.strip_suffix('\n').ok_or("the last line has no newline")?.split('\n');
    let [cases] = numbers(lines.next(), "T")?;
    if !(1..=100).contains(&cases) {
        return Err(format!("T = {cases}, expected 1 to 100"));
    }
    let mut squares = 0;
    for case in 1..=cases {
        squares += check_case(&mut lines).map_err(|e| format!("case {case}: {e}"))?;
    }
    if squares > MOST_SQUARES {
        return Err(format!("{squares} squares in all, expected at most {MOST_SQUARES}"));
    }
    match lines.next() {
        None => Ok(()),
        Some(_) => Err(format!("text after the last of {cases} cases")),
    }
}

fn main() {
    let mut bytes = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut bytes) {
        eprintln!("failed to read the input: {error}");
        exit(1);
    }
    let text = std::str::from_utf8(&bytes).map_err(|e| format!("byte {}: not ASCII", e.valid_up_to()));
    if let Err(message) = text.and_then(check) {
        eprintln!("{message}");
        exit(43);
    }
    exit(42);
}
