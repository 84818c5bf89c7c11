//! One `[[test]]`.

use super::table::Table;
use super::{Demands, Maker, Test, Words};
use crate::diagnostic::{Diagnostic, list_or};
use crate::generate::Extreme;

/// The keys that say how inputs are made, of which a test has at most one.
const MAKERS: [&str; 6] = ["shape", "exhaustive", "generator", "file", "text", "copy"];

/// All keys of a test.
const KEYS: [&str; 18] = [
    "name",
    "group",
    "shape",
    "exhaustive",
    "generator",
    "file",
    "text",
    "copy",
    "count",
    "seed",
    "where",
    "let",
    "subtask",
    "cases",
    "growth",
    "max",
    "min",
    "answer",
];

/// What says something only beside these makers; "" is the mixture.
const BESIDE: [(&str, &[&str]); 7] = [
    ("count", &["", "shape", "generator"]),
    ("seed", &["", "shape", "generator"]),
    ("cases", &["", "shape"]),
    ("growth", &["", "shape"]),
    ("max", &["", "shape"]),
    ("min", &["", "shape"]),
    ("answer", &["file", "text"]),
];

/// As many inputs as one test can have.
const MOST_INPUTS: u32 = 1000;
/// As many cases as one input can have.
const MOST_CASES: u32 = 1_000_000;

/// Reads a test.
pub(super) fn test(table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Test {
    table.only(&KEYS, "a test", problems);
    let name = table.words("name", problems);
    if let Some(name) = &name {
        check_name(name, "test", problems);
    }
    let key = maker_key(table, problems);
    for (option, makers) in BESIDE {
        if table.has(option) && !makers.contains(&key) {
            let message = format!("`{option}` says nothing beside `{key}`");
            problems.push(Diagnostic::error("useless", table.key_span(option), message).caret("leave it out"));
        }
    }
    Test {
        span: table.span,
        name: name.map(|name| name.text),
        maker: maker(key, table, problems),
        demands: demands(table, problems),
        count: table.number("count", 1, MOST_INPUTS, problems).unwrap_or(1),
        seed: table.seed("seed", problems),
        cases: table.number("cases", 1, MOST_CASES, problems),
        growth: table.percentages("growth", problems).unwrap_or((100, 100)),
        extreme: extreme(table, problems),
        answer: table.words("answer", problems),
    }
}

/// The key that says how the inputs are made; "" for none.
fn maker_key(table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> &'static str {
    let mut found = MAKERS.into_iter().filter(|key| table.has(key));
    let first = found.next().unwrap_or("");
    for second in found {
        let message = format!("a test is made in one way, not by `{first}` and by `{second}`");
        let problem = Diagnostic::error("two-makers", table.key_span(second), message).caret("the second way");
        problems.push(problem.label(table.key_span(first), "the first").help("write two tests"));
    }
    first
}

fn maker(key: &str, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Maker {
    let made = match key {
        "shape" => table.list(key, problems).map(Maker::Shapes),
        "exhaustive" => table.list(key, problems).map(Maker::Exhaustive),
        "generator" => table.words(key, problems).map(Maker::Generator),
        "file" => table.words(key, problems).map(Maker::File),
        "text" => table.words(key, problems).map(Maker::Text),
        "copy" => table.words(key, problems).map(Maker::Copy),
        _ => None,
    };
    if let Some(Maker::Generator(words) | Maker::File(words) | Maker::Copy(words)) = &made
        && words.text.trim().is_empty()
    {
        problems.push(Diagnostic::error("empty", words.span, format!("`{key}` is empty")));
    }
    made.unwrap_or(Maker::Mixture)
}

/// What is demanded beyond the format.
pub(super) fn demands(table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Demands {
    Demands {
        constraints: table.list("where", problems).unwrap_or_default(),
        lets: table.assignments("let", problems),
        subtask: table.words("subtask", problems),
    }
}

fn extreme(table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Option<Extreme> {
    let (max, min) = (table.switch("max", problems), table.switch("min", problems));
    if max && min {
        let message = "no input is the largest and the smallest";
        problems.push(Diagnostic::error("two-extremes", table.key_span("min"), message).caret("beside `max`"));
    }
    if (max || min) && table.has("growth") {
        let message = "`growth` says nothing beside `max` and `min`";
        problems.push(Diagnostic::error("useless", table.key_span("growth"), message).caret("leave it out"));
    }
    match (max, min) {
        (true, _) => Some(Extreme::Max),
        (_, true) => Some(Extreme::Min),
        _ => None,
    }
}

/// Names become names of files, on every machine and in every judge.
pub(super) fn check_name(name: &Words, of: &str, problems: &mut Vec<Diagnostic>) {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let text = &name.text;
    let is_name =
        text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.len() <= 100 && text.chars().all(is_fine);
    if !is_name {
        let kinds = ["letters", "digits", "`_`", "`-`"];
        let message = format!("the name of a {of} has {} only", list_or(&kinds).replace(" or ", " and "));
        problems.push(Diagnostic::error("name", name.span, message).caret("it becomes the name of a file"));
    }
}
