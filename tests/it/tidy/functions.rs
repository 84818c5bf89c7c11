//! The length of functions.

use super::require_none;
use super::source::{Source, closing_brace, line_of, occurrences, sources};

/// Maximum number of lines of a function, from `fn` to its closing brace.
const MAX_LINES: usize = 70;

/// Returns the functions of a file that are too long.
fn too_long(source: &Source) -> Vec<String> {
    let code = &source.code;
    let mut found = Vec::new();
    for start in occurrences(code, "fn ") {
        let Some(open) = body(code, start) else { continue };
        let lines = line_of(code, closing_brace(code, open)) - line_of(code, start) + 1;
        if lines > MAX_LINES {
            let name: String = code[start + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.push(format!("{} {name} has {lines} lines", source.place(start)));
        }
    }
    found
}

/// Returns the offset of a function's opening brace, or `None` for function types and required methods of traits.
fn body(code: &str, start: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in code[start..].char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return None,
            ')' | ']' => depth -= 1,
            '{' if depth == 0 => return Some(start + at),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[test]
fn functions_fit_on_a_screen() {
    let breaches: Vec<String> = sources().iter().flat_map(too_long).collect();
    require_none(&format!("a function has at most {MAX_LINES} lines:"), &breaches);
}
