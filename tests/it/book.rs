//! The book in `docs/` and the README: their commands print what the page shows, and their links resolve.
//!
//! On a page, a fenced block with a file name in its first line (`cpp sol.cpp`) is that file. A block `console` holds
//! commands after `$ `, each followed by what it prints; `console exit=1` states the exit status of its last command. A
//! last line `...` stands for all further lines. `REBUT_UPDATE_GOLDEN=1` writes the outputs anew, to be reviewed in the
//! change.

mod console;
mod links;

use crate::environment::{home, installed};
use console::Page;

/// Pages with commands, and the tools that these need.
const PAGES: &[(&str, &[&str])] = &[
    ("README.md", &["g++"]),
    ("docs/tutorial/contestant.md", &["g++"]),
    ("docs/tutorial/setter.md", &["g++"]),
    ("docs/tutorial/ci.md", &["g++", "python3"]),
    ("docs/how-to/several-answers.md", &["python3"]),
    ("docs/how-to/agents.md", &["python3"]),
    ("docs/how-to/time-limit.md", &["g++"]),
    ("docs/how-to/other-tools.md", &[]),
    ("docs/how-to/strength.md", &["g++"]),
    ("docs/how-to/shards.md", &["gcc"]),
    ("docs/how-to/scoring.md", &["g++"]),
    ("docs/how-to/report.md", &[]),
    ("docs/reference/json.md", &["python3"]),
    ("docs/reference/shapes.md", &[]),
    ("docs/slow.md", &["g++"]),
];

/// Runs all commands of a page of [`PAGES`].
#[track_caller]
fn check(name: &str) {
    let (_, tools) = PAGES.iter().find(|(page, _)| *page == name).unwrap();
    if tools.iter().all(|tool| installed(&[tool])) {
        Page::read(name).check();
    }
}

#[test]
fn commands_of_the_readme_print_what_it_shows() {
    check("README.md");
}

#[test]
fn readme_in_chinese_has_the_commands_and_files_of_the_english_one() {
    let [english, chinese] = ["README.md", "README.zh-CN.md"].map(|name| Page::read(name).commands_and_files());
    assert_eq!(english, chinese);
}

#[test]
fn commands_of_the_tutorial_for_contestants_print_what_it_shows() {
    check("docs/tutorial/contestant.md");
}

#[test]
fn commands_of_the_tutorial_for_setters_print_what_it_shows() {
    check("docs/tutorial/setter.md");
}

#[test]
fn commands_of_the_tutorial_on_continuous_integration_print_what_it_shows() {
    check("docs/tutorial/ci.md");
}

#[test]
fn commands_of_the_page_on_slow_submissions_print_what_it_shows() {
    check("docs/slow.md");
}

#[test]
fn commands_of_the_how_to_pages_print_what_they_show() {
    for (page, _) in PAGES.iter().filter(|(page, _)| page.starts_with("docs/how-to/")) {
        check(page);
    }
}

#[test]
fn commands_of_the_reference_print_what_it_shows() {
    for (page, _) in PAGES.iter().filter(|(page, _)| page.starts_with("docs/reference/")) {
        check(page);
    }
}

#[test]
fn every_page_with_commands_is_tested() {
    // Another test compares the commands of the Chinese page with those of the English one.
    let documents = links::documents().into_iter().filter(|page| page != "README.zh-CN.md");
    let with_commands = documents.filter(|page| Page::read(page).has_commands());
    let missing: Vec<String> = with_commands.filter(|page| PAGES.iter().all(|(known, _)| known != page)).collect();
    assert!(missing.is_empty(), "add to PAGES: {missing:?}");
}

#[test]
fn every_page_is_in_the_summary_and_every_entry_is_a_page() {
    let summary = std::fs::read_to_string(home().join("docs/SUMMARY.md")).unwrap();
    let mut entries: Vec<String> =
        links::destinations(&summary).into_iter().map(|entry| format!("docs/{entry}")).collect();
    entries.sort();
    let mut pages: Vec<String> = links::documents();
    pages.retain(|page| page.starts_with("docs/") && page != "docs/SUMMARY.md");
    assert_eq!(entries, pages);
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    let broken: Vec<String> = links::documents().iter().flat_map(|page| links::broken(page)).collect();
    assert!(broken.is_empty(), "broken links:\n  {}", broken.join("\n  "));
}
