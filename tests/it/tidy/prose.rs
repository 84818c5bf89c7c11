//! The language of comments and messages: plain English in the words of the field.

use super::require_none;
use super::source::{CRATES, files, line_of, literals, read};
use crate::environment::{home, installed};
use std::path::Path;
use std::process::Command;

/// Words and phrases that no message has. They were used for concepts with a name in the field.
const BANNED: &[&str] = &[
    "at home",
    "brings along",
    "everybody",
    "hunter",
    "in vain",
    "jury's",
    "kitchen",
    "let live",
    "lets go",
    "lets live",
    "luggage",
    "nobody",
    "puts up",
    "quarry",
    "says nothing",
    "somebody",
    "speak of",
    "speak with",
    "speaks of",
    "speaks with",
    "stands behind",
    "takes along",
    "told apart",
    "told from",
    "walls",
    "whoever",
];

/// Files that can contain a phrase.
const EXEMPT: &[(&str, &str)] = &[
    // The two players of a board game.
    ("generators/src/problems/mod.rs", "nobody"),
];

/// Runs `scripts/prose`, which counts phrases in comments and has a limit for each class of them.
#[track_caller]
fn check_comments(paths: &[&str]) {
    if !installed(&["python3"]) {
        return;
    }
    let output = Command::new("python3").arg("scripts/prose").args(paths).current_dir(home()).output().unwrap();
    assert!(
        output.status.success(),
        "`scripts/prose --list CLASS {}` prints the places\n{}{}",
        paths.join(" "),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn comments_of_sources_are_plain_english() {
    check_comments(&[]);
}

#[test]
fn comments_of_tests_are_plain_english() {
    check_comments(&["tests"]);
}

#[test]
fn messages_have_no_banned_phrases() {
    let is_source = |path: &String| {
        Path::new(path).extension().is_some_and(|extension| extension == "rs")
            && CRATES.iter().chain(&["tests/"]).any(|folder| path.starts_with(folder))
            && path != "tests/it/tidy/prose.rs"
    };
    let mut breaches = Vec::new();
    for path in files().into_iter().filter(is_source) {
        let text = read(&path);
        for (at, literal) in literals(&text) {
            let is_exempt = |phrase: &str| EXEMPT.contains(&(path.as_str(), phrase));
            let phrases = BANNED.iter().filter(|phrase| has_phrase(literal, phrase) && !is_exempt(phrase));
            breaches.extend(phrases.map(|phrase| format!("{path}:{} {phrase}", line_of(&text, at))));
        }
    }
    require_none("a message has a banned phrase:", &breaches);
}

/// Returns true if a text contains a phrase as whole words in lower case, as messages are written.
fn has_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

#[test]
fn phrases_are_found_as_whole_words() {
    assert!(has_phrase("it has walls", "walls"));
    assert!(!has_phrase("firewalls", "walls"));
    assert!(!has_phrase("credits: Somebody", "somebody"));
}
