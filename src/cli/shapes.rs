//! `rebut shapes`: the shapes that inputs are made by.

use super::desk::Desk;
use super::exit::Status;
use crate::diagnostic::Result;
use rebut_generators::all_shapes;
use std::fmt::Write as _;

pub(super) fn run(desk: &mut Desk) -> Result<Status> {
    let widest = all_shapes().map(|s| s.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut family = None;
    for shape in all_shapes() {
        if family != Some(shape.family) {
            let gap = if family.is_some() { "\n" } else { "" };
            family = Some(shape.family);
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{gap}{}", shape.family.name());
        }
        let mut name = shape.name;
        for line in broken(shape.doc, desk.options.width.saturating_sub(widest + 4)) {
            let _ = writeln!(text, "  {name:widest$}  {line}");
            name = "";
        }
    }
    desk.data(text.as_bytes())?;
    Ok(Status::Fine)
}

/// A sentence in lines of at most that many columns, as far as its words allow.
fn broken(sentence: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
