//! The modules of a crate are layers: each imports only from lower ones. Between crates, Cargo enforces that.

use super::require_none;
use super::source::{Source, occurrences, sources};

/// The top-level modules of the crates that have several layers, lowest first. A module can import those before it.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "format/src/",
        &[
            "model",
            "value",
            "constraints",
            "language",
            "print",
            "validate",
            "read",
            "generate",
            "enumerate",
            "shrink",
            "explain",
            "coverage",
            "describe",
            "invalid",
            "inputs",
        ],
    ),
    (
        "packages/src/",
        &[
            "verdict",
            "score",
            "checktestdata",
            "bundle",
            "result_cache",
            "package",
            "finding_files",
            "test_set_lock",
            "test_set",
            "recipe",
            "interop",
        ],
    ),
    ("src/", &["diagnostic_index", "judge", "campaign", "report", "cli"]),
];

/// Returns the layers of the crate of a file, and the top-level module of the file. The roots of crates have none.
fn place_in_layers(path: &str) -> Option<(&'static [&'static str], &str)> {
    let (folder, layers) = LAYERS.iter().find(|(folder, _)| path.starts_with(folder))?;
    let name = path[folder.len()..].split('/').next()?.trim_end_matches(".rs");
    (!matches!(name, "lib" | "main")).then_some((*layers, name))
}

/// Returns the position of a module in the order of all.
fn rank(layers: &[&str], module: &str) -> Option<usize> {
    layers.iter().position(|name| *name == module)
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
    let placed = sources.iter().filter_map(|source| place_in_layers(&source.path));
    let mut missing: Vec<&str> =
        placed.filter(|(layers, own)| rank(layers, own).is_none()).map(|(_, own)| own).collect();
    missing.dedup();
    assert!(missing.is_empty(), "no layer: {missing:?}");
}

#[test]
fn modules_import_only_from_lower_layers() {
    let mut breaches = Vec::new();
    for source in sources() {
        let Some((layers, own)) = place_in_layers(&source.path) else { continue };
        for (at, name) in imports(&source) {
            if rank(layers, &name) > rank(layers, own) {
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
