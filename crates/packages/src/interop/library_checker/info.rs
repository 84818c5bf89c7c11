//! `info.toml` as plain data.

use crate::interop::interop_error::{InteropError, shorten_for_message};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The contents of the file. Keys that are missing here only concern the site that shows the problem.
#[derive(Debug, Deserialize)]
pub(super) struct LibraryCheckerInfo {
    pub(super) title: String,
    /// In seconds.
    pub(super) timelimit: f64,
    #[serde(default)]
    pub(super) tests: Vec<LibraryCheckerTests>,
    #[serde(default)]
    pub(super) solutions: Vec<LibraryCheckerSolution>,
    #[serde(default)]
    pub(super) params: BTreeMap<String, LibraryCheckerParam>,
    #[serde(default = "checker")]
    pub(super) checker: String,
    #[serde(default = "verifier")]
    pub(super) verifier: String,
}

/// Several tests from one source.
#[derive(Debug, Deserialize)]
pub(super) struct LibraryCheckerTests {
    /// Source of a generator, or `NAME.in` for files.
    pub(super) name: String,
    pub(super) number: u32,
}

/// A solution and its expectations.
#[derive(Debug, Deserialize)]
pub(super) struct LibraryCheckerSolution {
    pub(super) name: String,
    /// It is wrong, in an unspecified way.
    #[serde(default)]
    pub(super) wrong: bool,
    /// A status that some test must end with.
    pub(super) expect: Option<String>,
    #[serde(default)]
    pub(super) allow_tle: bool,
    #[serde(default)]
    pub(super) allow_re: bool,
    /// It is a function that a grader calls.
    #[serde(default)]
    pub(super) function: bool,
}

/// A constant of all programs of the problem.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum LibraryCheckerParam {
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

/// Maximum number of tests of a problem.
const MAX_TESTS: u32 = 10_000;

/// Parses the file.
pub(super) fn parse_info(text: &str) -> Result<LibraryCheckerInfo, InteropError> {
    let info: LibraryCheckerInfo = toml::from_str(text).map_err(|error| {
        let position = error.span().map_or(String::new(), |span| format_line_column(text, span.start));
        let problem = error.message().lines().collect::<Vec<_>>().join(": ");
        InteropError::at_location(format!("{}{position}", super::INFO_FILE), shorten_for_message(&problem))
    })?;
    let invalid = |problem: &str| Err(InteropError::at_location(super::INFO_FILE, problem));
    if !(info.timelimit > 0.0 && info.timelimit < 1e6) {
        return invalid("`timelimit` must be a positive number of seconds");
    }
    if info.tests.is_empty() {
        return invalid("there are no `[[tests]]`");
    }
    if info.tests.iter().map(|tests| u64::from(tests.number)).sum::<u64>() > u64::from(MAX_TESTS) {
        return invalid("there are more than 10000 tests");
    }
    let files = info.tests.iter().map(|t| &t.name).chain(info.solutions.iter().map(|s| &s.name));
    for path in files.chain([&info.checker, &info.verifier]) {
        if let Err(problem) = crate::check_relative_path(path) {
            return invalid(&format!("`{}`: {problem}", shorten_for_message(path)));
        }
    }
    Ok(info)
}

/// Formats the line and column of a byte offset.
fn format_line_column(text: &str, at: usize) -> String {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|b| **b != b'\n').count() + 1;
    format!(":{line}:{column}")
}
