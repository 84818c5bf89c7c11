//! `info.toml`, as plain data.

use crate::exchange::flaw::{Flaw, shown};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What the file says. Keys that are not here are about the site that shows the problem.
#[derive(Debug, Deserialize)]
pub(super) struct Info {
    pub(super) title: String,
    /// In seconds.
    pub(super) timelimit: f64,
    #[serde(default)]
    pub(super) tests: Vec<Tests>,
    #[serde(default)]
    pub(super) solutions: Vec<Solution>,
    #[serde(default)]
    pub(super) params: BTreeMap<String, Param>,
    #[serde(default = "checker")]
    pub(super) checker: String,
    #[serde(default = "verifier")]
    pub(super) verifier: String,
}

/// Several tests of one origin.
#[derive(Debug, Deserialize)]
pub(super) struct Tests {
    /// A generator's source, or `NAME.in` for files.
    pub(super) name: String,
    pub(super) number: u32,
}

/// What is said of a solution.
#[derive(Debug, Deserialize)]
pub(super) struct Solution {
    pub(super) name: String,
    /// It is wrong somewhere; nothing says how.
    #[serde(default)]
    pub(super) wrong: bool,
    /// A status that some test has to end with.
    pub(super) expect: Option<String>,
    #[serde(default)]
    pub(super) allow_tle: bool,
    #[serde(default)]
    pub(super) allow_re: bool,
    /// It is a function, which a grader calls.
    #[serde(default)]
    pub(super) function: bool,
}

/// A constant of all programs of the problem.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Param {
    Whole(i64),
    Real(f64),
    Text(String),
}

fn checker() -> String {
    "checker.cpp".to_owned()
}

fn verifier() -> String {
    "verifier.cpp".to_owned()
}

/// As many tests as one problem can have.
const MOST_TESTS: u32 = 10_000;

/// Reads the file.
pub(super) fn read(text: &str) -> Result<Info, Flaw> {
    let info: Info = toml::from_str(text).map_err(|error| {
        let place = error.span().map_or(String::new(), |span| place(text, span.start));
        let words = error.message().lines().collect::<Vec<_>>().join(": ");
        Flaw::at(format!("{}{place}", super::FILE), shown(&words))
    })?;
    let wrong = |words: &str| Err(Flaw::at(super::FILE, words));
    if !(info.timelimit > 0.0 && info.timelimit < 1e6) {
        return wrong("`timelimit` should be a number of seconds above 0");
    }
    if info.tests.is_empty() {
        return wrong("there are no `[[tests]]`");
    }
    if info.tests.iter().map(|tests| u64::from(tests.number)).sum::<u64>() > u64::from(MOST_TESTS) {
        return wrong("there are more than 10000 tests");
    }
    let files = info.tests.iter().map(|t| &t.name).chain(info.solutions.iter().map(|s| &s.name));
    for path in files.chain([&info.checker, &info.verifier]) {
        if let Err(words) = crate::corpus::safe(path) {
            return wrong(&format!("`{}`: {words}", shown(path)));
        }
    }
    Ok(info)
}

/// The line and the column of a byte.
fn place(text: &str, at: usize) -> String {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|b| **b != b'\n').count() + 1;
    format!(":{line}:{column}")
}
