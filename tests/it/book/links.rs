//! Links between documents.

use crate::environment::home;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Returns all Markdown files of the root, of `.github/` and of `docs/`, sorted.
pub(super) fn documents() -> Vec<String> {
    let folders = [home().to_owned(), home().join(".github")];
    let root = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let book = walkdir::WalkDir::new(home().join("docs")).into_iter().map(|entry| entry.unwrap().into_path());
    let is_markdown = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md");
    let mut names: Vec<String> = root
        .chain(book)
        .filter(is_markdown)
        .map(|path| path.strip_prefix(home()).unwrap().display().to_string())
        .collect();
    names.sort();
    names
}

/// Returns where the links and pictures of a text lead, in their order.
pub(super) fn destinations(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
            found.push(dest_url.into_string());
        }
    }
    found
}

/// Returns the links of a document that lead nowhere. Addresses on other machines are not requested.
pub(super) fn broken(document: &str) -> Vec<String> {
    let text = std::fs::read_to_string(home().join(document)).unwrap();
    let is_local = |link: &String| !link.contains("://") && !link.starts_with("mailto:");
    let local = destinations(&text).into_iter().filter(is_local);
    local.filter(|link| !leads_somewhere(document, link)).map(|link| format!("{document}: {link}")).collect()
}

fn leads_somewhere(document: &str, link: &str) -> bool {
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let folder = Path::new(document).parent().unwrap();
    let target = if path.is_empty() { PathBuf::from(document) } else { resolve(&folder.join(path)) };
    let file = home().join(&target);
    if !file.exists() {
        return false;
    }
    anchor.is_none_or(|anchor| anchors(&std::fs::read_to_string(file).unwrap()).contains(&anchor.to_owned()))
}

/// Resolves `..` in a path without looking at the disk.
fn resolve(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => assert!(resolved.pop(), "{} leaves the repository", path.display()),
            other => resolved.push(other),
        }
    }
    resolved
}

/// Returns the anchors of all headings, as GitHub and mdBook derive them from the text.
fn anchors(text: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(part) | Event::Code(part) => {
                if let Some(words) = &mut heading {
                    words.push_str(&part);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let anchor = slug(&heading.take().unwrap_or_default());
                let earlier = seen.entry(anchor.clone()).or_default();
                found.push(if *earlier == 0 { anchor } else { format!("{anchor}-{earlier}") });
                *earlier += 1;
            }
            _ => {}
        }
    }
    found
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[test]
fn links_to_missing_headings_and_files_are_found() {
    assert_eq!(anchors("# A `b`, c\n## A `b`, c\n"), ["a-b-c", "a-b-c-1"]);
    assert!(leads_somewhere("docs/format.md", "checkers.md#lines"));
    assert!(leads_somewhere("docs/tutorial/setter.md", "../format.md#external-programs"));
    assert!(!leads_somewhere("docs/format.md", "checkers.md#no-such-heading"));
    assert!(!leads_somewhere("docs/format.md", "no-such-page.md"));
}
