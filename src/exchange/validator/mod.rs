//! A format as a validator in Python that needs nothing else: the model as data, and one text that reads by it.

mod model;

use crate::format::{Format, Rule};
use std::fmt::Write as _;

/// What is the same for every format.
const RUNTIME: &str = include_str!("runtime.py");

/// A validator, and what the format asks for that it cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonValidator {
    /// The program: it reads the standard input, and exits with 42 for a valid input and 43 for any other.
    pub text: String,
    /// Constraints and programs that it leaves to other validators.
    pub left_out: Vec<String>,
}

/// The validator of a format; none for a layout with groups that are repeated on one line, which it could not read.
pub fn python_validator(format: &Format) -> Option<PythonValidator> {
    if format.blocks.iter().any(|block| block.inline.is_some()) {
        return None;
    }
    let said = |rule: &Rule| match rule {
        Rule::Matches(_, pattern) => is_common(&pattern.text),
        _ => true,
    };
    let constraints: Vec<_> = format.constraints.iter().filter(|constraint| said(&constraint.rule)).collect();
    let unsaid = format.constraints.iter().filter(|constraint| !said(&constraint.rule));
    let unsaid = unsaid.map(|constraint| match &constraint.rule {
        Rule::Matches(field, pattern) => format!("{} matches \"{}\"", format.field(*field).name, pattern.text),
        _ => format.text(constraint.span),
    });
    let mut left_out: Vec<String> = unsaid.collect();
    left_out.extend(format.validators.iter().map(|external| format!("validator {}", external.command)));
    // Not the folder: wherever a package lies, it exports to the same bytes.
    let name = super::names::file_name(&format.source.name);
    let mut text = String::from("#!/usr/bin/env python3\n");
    let _ = writeln!(text, "# Whether an input has the format of `{}`: exits with 42 if so, else with 43.", name);
    text.push_str("# Made by rebut from this description; change that, not this file.\n#\n");
    for line in String::from_utf8_lossy(&format.source.text).lines() {
        let _ = writeln!(text, "{}", format!("#     {line}").trim_end());
    }
    if !left_out.is_empty() {
        text.push_str("#\n# Not looked at here, but left to other validators:\n");
        left_out.iter().for_each(|left| text.push_str(&format!("#     {}\n", left.replace('\n', " "))));
    }
    let model = model::model(format, &constraints).to_string();
    // In a raw text nothing has a meaning but its end.
    let _ = write!(text, "\nMODEL = r'''{}'''\n\n{RUNTIME}", model.replace('\'', "\\u0027"));
    Some(PythonValidator { text, left_out })
}

/// Whether both engines understand a regular expression alike: what only one knows, or reads otherwise, is not used.
fn is_common(pattern: &str) -> bool {
    const SPECIAL: [&str; 16] =
        ["&&", "--", "~~", "||", "[[", "\\p", "\\P", "\\x", "\\u", "\\U", "\\z", "\\A", "\\Z", "++", "*+", "?+"];
    let flags = pattern.match_indices("(?").any(|(at, _)| !pattern[at..].starts_with("(?:"));
    !flags && pattern.is_ascii() && !pattern.contains("}+") && !SPECIAL.iter().any(|special| pattern.contains(special))
}
