//! Rules for all text files: a newline at the end, no trailing white space, no paths of a particular machine.

use super::require_none;
use super::source::{files, read};

/// Files with bytes that matter: damaged on purpose, or pictures of screens.
const EXEMPT: &[&str] =
    &["testdata/screens/", "testdata/formats/invalid/", "testdata/inputs/invalid/", "testdata/damaged/"];

fn texts() -> impl Iterator<Item = (String, String)> {
    let kept = |path: &String| !EXEMPT.iter().any(|place| path.starts_with(place));
    files().into_iter().filter(kept).map(|path| (path.clone(), read(&path)))
}

/// Returns the places of all lines that break a rule.
fn lines(is_wrong: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in texts() {
        let wrong = text.split('\n').enumerate().filter(|(_, line)| is_wrong(&path, line));
        found.extend(wrong.map(|(at, _)| format!("{path}:{}", at + 1)));
    }
    found
}

#[test]
fn files_end_with_a_newline() {
    let broken = texts().filter(|(_, text)| !text.is_empty() && !text.ends_with('\n'));
    require_none("a file ends with a newline:", &broken.map(|(path, _)| path).collect::<Vec<_>>());
}

#[test]
fn lines_have_no_trailing_white_space() {
    require_none("white space at the end of a line:", &lines(|_, line| line.ends_with([' ', '\t', '\r'])));
}

#[test]
fn rust_is_indented_by_spaces() {
    require_none("a tab:", &lines(|path, line| path.ends_with(".rs") && line.contains('\t')));
}

#[test]
fn files_name_no_folder_of_their_author() {
    // Assembled here, so that this file does not break its own rule.
    let homes = ["home", "root", "work", "Users"].map(|name| format!("/{name}/"));
    let example = format!("{}me/", homes[0]);
    let names_home = |line: &str| {
        let line = line.replace(&example, "");
        homes.iter().any(|home| line.match_indices(home.as_str()).any(|(at, _)| !follows_a_name(&line[..at])))
    };
    require_none("a folder of a particular machine:", &lines(|_, line| names_home(line)));
}

/// Returns true if a slash after this text continues a path.
fn follows_a_name(before: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric() || "._-~*}".contains(c))
}
