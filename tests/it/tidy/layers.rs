//! The modules of `src/` are layers: each imports only from lower ones.

use super::require_none;
use super::source::{Source, occurrences, sources};

/// The top-level modules by layer, lowest first. A module can also use those before it in its layer.
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
        "checktestdata",
        "explain",
        "coverage",
        "describe",
        "invalid",
    ],
    &["run", "packages"],
    &["judge", "interop"],
    &["campaign"],
    &["report"],
    &["cli"],
];

/// Returns the position of a module in the order of all.
fn rank(module: &str) -> Option<usize> {
    LAYERS.iter().copied().flatten().position(|name| *name == module)
}

/// Returns the top-level module of a file, or `None` for the roots of the library and the program.
fn top_module(path: &str) -> Option<&str> {
    let name = path.strip_prefix("src/")?.split('/').next()?.trim_end_matches(".rs");
    (!matches!(name, "lib" | "main")).then_some(name)
}

/// Returns the modules that a file imports, with their offsets.
fn imports(source: &Source) -> Vec<(usize, String)> {
    let code = source.code_outside_tests();
    let mut found = Vec::new();
    for at in occurrences(&code, "crate::") {
        let path = &code[at + "crate::".len()..];
        found.extend(first_names(path).into_iter().map(|name| (at, name)));
    }
    found
}

/// Returns the first names of a path: one, or several in braces.
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
fn modules_have_a_layer() {
    let sources = sources();
    let mut missing: Vec<&str> =
        sources.iter().filter_map(|s| top_module(&s.path)).filter(|r| rank(r).is_none()).collect();
    missing.dedup();
    assert!(missing.is_empty(), "no layer: {missing:?}");
}

#[test]
fn modules_import_only_from_lower_layers() {
    let mut breaches = Vec::new();
    for source in sources() {
        let Some(own) = top_module(&source.path) else { continue };
        for (at, name) in imports(&source) {
            if rank(&name) > rank(own) {
                breaches.push(format!("{} {own} imports {name}", source.place(at)));
            }
        }
    }
    require_none("a module may import only from lower layers:", &breaches);
}

#[test]
fn imports_in_braces_are_found() {
    assert_eq!(first_names("run::{a, b};"), ["run"]);
    assert_eq!(first_names("{read, run::{A, B}, judge as j};"), ["read", "run", "judge"]);
}
