//! The rooms are layers: a module imports only from lower ones, or from its own room.

use super::require_none;
use super::source::{Source, occurrences, sources};

/// The rooms of `src/`, lowest layer first; within a layer a room may use those that stand before it.
const LAYERS: &[&[&str]] = &[
    &["diagnostic", "verdict"],
    &["format", "value", "score"],
    &[
        "print",
        "validate",
        "read",
        "generate",
        "enumerate",
        "shrink",
        "ctd",
        "explain",
        "coverage",
        "describe",
        "invalid",
    ],
    &["run", "corpus"],
    &["judge", "exchange"],
    &["campaign"],
    &["report"],
    &["cli"],
];

/// Where a room stands among all.
fn rank(room: &str) -> Option<usize> {
    LAYERS.iter().copied().flatten().position(|name| *name == room)
}

/// The room that a file of `src/` belongs to; none for the roots of the library and the program.
fn room(path: &str) -> Option<&str> {
    let name = path.strip_prefix("src/")?.split('/').next()?.trim_end_matches(".rs");
    (!matches!(name, "lib" | "main")).then_some(name)
}

/// The rooms that a file names, each with its place.
fn imports(source: &Source) -> Vec<(usize, String)> {
    let code = source.code_outside_tests();
    let mut found = Vec::new();
    for at in occurrences(&code, "crate::") {
        let path = &code[at + "crate::".len()..];
        found.extend(first_names(path).into_iter().map(|name| (at, name)));
    }
    found
}

/// The first names of a path: one, or several in braces.
fn first_names(path: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = path.strip_prefix('{') else { return vec![word(path)] };
    let mut depth = 0;
    let parts = group[..group.find(';').unwrap_or(group.len())].split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    parts.map(|part| word(part.trim())).filter(|name| !name.is_empty()).collect()
}

#[test]
fn every_room_has_a_layer() {
    let sources = sources();
    let mut homeless: Vec<&str> = sources.iter().filter_map(|s| room(&s.path)).filter(|r| rank(r).is_none()).collect();
    homeless.dedup();
    assert!(homeless.is_empty(), "no layer: {homeless:?}");
}

#[test]
fn modules_import_only_from_lower_layers() {
    let mut breaches = Vec::new();
    for source in sources() {
        let Some(own) = room(&source.path) else { continue };
        for (at, name) in imports(&source) {
            if rank(&name) > rank(own) {
                breaches.push(format!("{} {own} imports {name}", source.place(at)));
            }
        }
    }
    require_none("a module may import only from lower layers:", &breaches);
}

#[test]
fn all_ways_to_import_are_seen() {
    assert_eq!(first_names("run::{a, b};"), ["run"]);
    assert_eq!(first_names("{read, run::{A, B}, judge as j};"), ["read", "run", "judge"]);
}
