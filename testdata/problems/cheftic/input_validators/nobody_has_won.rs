// Input validator: is every board a game in progress, with the first player to move?
// Reads the whole file on stdin, byte for byte. Exit status 42: valid; 43: not, and stderr says which case and why.

use std::fmt::Display;
use std::io::Read;
use std::process::exit;

const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The lines of the file, taken one after the other.
struct Lines<'a> {
    rest: &'a str,
    number: usize,
}

impl<'a> Lines<'a> {
    /// The next line without its newline. A last line that has no newline is refused.
    fn next(&mut self, what: &str) -> Result<&'a str, String> {
        self.number += 1;
        let Some((line, rest)) = self.rest.split_once('\n') else {
            let problem = if self.rest.is_empty() { "the file ends" } else { "no newline ends this line" };
            return Err(self.here(format!("expected {what}, but {problem}")));
        };
        self.rest = rest;
        Ok(line)
    }

    fn here(&self, message: impl Display) -> String {
        format!("line {}: {message}", self.number)
    }
}

/// A number as the statement prints it: digits only, no sign, no leading zero, in its range.
fn integer(token: &str, name: &str, low: usize, high: usize) -> Result<usize, String> {
    let plain = !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit());
    if !plain || (token.len() > 1 && token.starts_with('0')) {
        return Err(format!("{name}: {token:?} is not a plain number"));
    }
    match token.parse() {
        Ok(value) if (low..=high).contains(&value) => Ok(value),
        _ => Err(format!("{name} = {token}, expected {low} to {high}")),
    }
}

/// The letter that has `k` in a line, with the cell and the direction where the line begins.
fn winner(board: &[&[u8]], k: usize) -> Option<(char, usize, usize, (isize, isize))> {
    let n = board.len();
    let cell = |x: isize, y: isize| {
        let inside = x >= 0 && y >= 0 && x < n as isize && y < n as isize;
        inside.then(|| board[x as usize][y as usize])
    };
    for x in 0..n {
        for y in 0..n {
            let letter = board[x][y];
            if letter == b'.' {
                continue;
            }
            for (dx, dy) in DIRECTIONS {
                let same = |i: usize| cell(x as isize + dx * i as isize, y as isize + dy * i as isize) == Some(letter);
                if (0..k).all(same) {
                    return Some((letter as char, x, y, (dx, dy)));
                }
            }
        }
    }
    None
}

fn check_case(lines: &mut Lines) -> Result<(), String> {
    let line = lines.next("n and K")?;
    let (n, k) = line.split_once(' ').ok_or_else(|| lines.here("expected two numbers, n and K, with one space between them"))?;
    let n = integer(n, "n", 3, 20).map_err(|e| lines.here(e))?;
    let k = integer(k, "K", 1, n).map_err(|e| lines.here(e))?;

    let mut board = Vec::new();
    for _ in 0..n {
        let row = lines.next("a row of the board")?.as_bytes();
        if row.len() != n {
            return Err(lines.here(format!("a row of {} characters, expected {n}", row.len())));
        }
        if let Some(b) = row.iter().find(|b| !b"XO.".contains(b)) {
            return Err(lines.here(format!("{:?} on the board, expected X, O or .", *b as char)));
        }
        board.push(row);
    }

    let count = |letter: u8| board.iter().flat_map(|row| row.iter()).filter(|&&b| b == letter).count();
    let (xs, os) = (count(b'X'), count(b'O'));
    if xs != os {
        return Err(format!("{xs} X and {os} O: it is not the first player's turn"));
    }
    if count(b'.') == 0 {
        return Err("no cell is empty".to_string());
    }
    if let Some((letter, x, y, (dx, dy))) = winner(&board, k) {
        return Err(format!(
            "{letter} has already won: {k} in a line from row {}, column {}, in steps of ({dx}, {dy})",
            x + 1,
            y + 1
        ));
    }
    Ok(())
}

fn check(text: &str) -> Result<(), String> {
    let mut lines = Lines { rest: text, number: 0 };
    let line = lines.next("T")?;
    let cases = integer(line, "T", 1, 100).map_err(|e| lines.here(e))?;
    for case in 1..=cases {
        check_case(&mut lines).map_err(|e| format!("case {case}: {e}"))?;
    }
    if !lines.rest.is_empty() {
        lines.number += 1;
        return Err(lines.here(format!("text after the last of {cases} cases")));
    }
    Ok(())
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
