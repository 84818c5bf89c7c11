// Input validator: reads the whole file on stdin, byte for byte. Exit status 42: valid; 43: not, and stderr says why.

use std::io::Read;
use std::process::exit;

const NAMES: [&str; 6] = ["h", "w", "xa", "ya", "xb", "yb"];

/// A number as the statement prints it: digits only, no sign, no leading zero, in its range.
fn integer(token: &str, name: &str, high: u64) -> Result<u64, String> {
    let plain = !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit());
    if !plain || token.starts_with('0') {
        return Err(format!("{name}: {token:?} is not a plain positive number"));
    }
    match token.parse() {
        Ok(value) if value <= high => Ok(value),
        _ => Err(format!("{name} = {token}, expected at most {high}")),
    }
}

/// Checks one game and gives its h.
fn game(line: &str) -> Result<u64, String> {
    let tokens: Vec<&str> = line.split(' ').collect();
    if tokens.len() != NAMES.len() {
        return Err(format!("expected 6 numbers with single spaces between them, got {line:?}"));
    }
    let h = integer(tokens[0], "h", 1_000_000)?;
    let w = integer(tokens[1], "w", 1_000_000_000)?;
    let mut position = [0; 4];
    for (i, high) in [h, w, h, w].into_iter().enumerate() {
        position[i] = integer(tokens[i + 2], NAMES[i + 2], high)?;
    }
    if position[..2] == position[2..] {
        return Err(format!("both chips are in row {}, column {}", position[0], position[1]));
    }
    Ok(h)
}

fn check(text: &str) -> Result<(), String> {
    let body = text.strip_suffix('\n').ok_or("the last line has no newline")?;
    let mut lines = body.split('\n');
    let cases = integer(lines.next().unwrap_or(""), "t", 10_000).map_err(|e| format!("line 1: {e}"))?;
    let mut rows = 0;
    for case in 1..=cases {
        let line = lines.next().ok_or_else(|| format!("case {case}: the file ends, {cases} cases were announced"))?;
        rows += game(line).map_err(|e| format!("case {case}: {e}"))?;
    }
    if lines.next().is_some() {
        return Err(format!("text after the last of {cases} cases"));
    }
    if rows > 1_000_000 {
        return Err(format!("the sum of h is {rows}, expected at most 1000000"));
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
