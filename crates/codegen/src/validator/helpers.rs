//! The functions of a generated validator: only those that it calls.

use std::collections::BTreeSet;

/// All of them, each below a line with its name and the names of those that it needs.
const HELPERS: &str = include_str!("helpers.cpp");

/// Marks these lines.
const MARK: &str = "//: ";

/// Returns the sources of some helpers and of those that they need, in the order of the file.
pub(super) fn helper_sources(wanted: &BTreeSet<&'static str>) -> String {
    let mut needed: BTreeSet<&str> = wanted.iter().copied().collect();
    let mut found = Vec::new();
    for section in HELPERS.rsplit(MARK) {
        let Some((header, body)) = section.split_once('\n') else { continue };
        let mut names = header.split(' ');
        if names.next().is_some_and(|name| needed.contains(name)) {
            needed.extend(names);
            found.push(body);
        }
    }
    found.reverse();
    found.concat()
}

/// Returns the names of all helpers, which no variable may have.
pub(super) fn helper_names() -> impl Iterator<Item = &'static str> {
    HELPERS.split(MARK).filter_map(|section| section.split([' ', '\n']).next())
}
