//! `rebut shapes`: lists the shapes of generated inputs.

use super::exit_status::ExitStatus;
use super::session::Session;
use rebut_diagnostics::Result;
use rebut_generators::all_shapes;
use std::fmt::Write as _;

pub(super) fn run_shapes(session: &mut Session) -> Result<ExitStatus> {
    let widest = all_shapes().map(|s| s.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut family = None;
    for shape in all_shapes() {
        if family != Some(shape.family) {
            let gap = if family.is_some() { "\n" } else { "" };
            family = Some(shape.family);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{gap}{}", shape.family.name());
        }
        let mut name = shape.name;
        for line in wrap_sentence(shape.doc, session.options.width.saturating_sub(widest + 4)) {
            let _ = writeln!(text, "  {name:widest$}  {line}");
            name = "";
        }
    }
    session.write_stdout(text.as_bytes())?;
    Ok(ExitStatus::Success)
}

/// Wraps a sentence into lines of at most `width` columns, unless a word is longer.
pub(super) fn wrap_sentence(sentence: &str, width: usize) -> Vec<String> {
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
