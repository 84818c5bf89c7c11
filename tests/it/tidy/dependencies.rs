//! One place for each dependency: what knows of a library can be read in one sitting, and replaced.

use super::require_none;
use super::source::{occurrences, read, sources};

/// Crates, and the only files that may name them, by the beginnings of their paths.
const PLACES: &[(&[&str], &[&str])] = &[
    (&["rand", "rand_chacha", "rand_core"], &["generators/src/choices.rs"]),
    (&["similar"], &["checkers/src/diff.rs", "checkers/src/diff/"]),
    (&["walkdir"], &["src/corpus/"]),
    (&["clap"], &["src/cli/"]),
    (&["indicatif", "anstyle", "anstream"], &["src/report/"]),
    (&["unicode_width"], &["src/report/", "src/diagnostic/source.rs"]),
    (&["tempfile"], &["src/run/", "src/corpus/"]),
    (&["libc"], &["src/run/"]),
    (&["landlock"], &["src/run/isolation/files.rs"]),
    (&["rustix"], &["src/run/", "src/report/window.rs", "src/corpus/finding.rs"]),
    (&["smallvec"], &["src/value/mod.rs", "src/enumerate/outlook.rs"]),
    (&["libm"], &["src/generate/growth.rs", "src/campaign/profile.rs"]),
    (&["regex_automata", "regex_syntax"], &["src/format/pattern.rs", "src/format/branches.rs"]),
    (&["sha2"], &["src/run/", "src/corpus/lock.rs", "src/corpus/store.rs"]),
    (&["serde_saphyr"], &["src/corpus/"]),
    (&["quick_xml"], &["src/report/junit.rs"]),
    (&["signal_hook"], &["src/cli/"]),
    (&["toml"], &["src/corpus/", "src/exchange/library_checker/"]),
    (&["roxmltree"], &["src/exchange/polygon/"]),
    (&["zip"], &["src/exchange/archive.rs"]),
];

/// Dependencies that any room above the formats may use: they bring a notation, not a power.
const EVERYWHERE: &[&str] = &["serde", "serde_json", "rebut_checkers", "rebut_generators"];

#[test]
fn each_dependency_has_one_place() {
    let mut breaches = Vec::new();
    for source in sources().iter().filter(|s| s.path.contains("src/")) {
        let code = source.code_outside_tests();
        for (names, places) in PLACES {
            if places.iter().any(|place| source.path.starts_with(place)) {
                continue;
            }
            for name in *names {
                let path = format!("{name}::");
                breaches.extend(occurrences(&code, &path).map(|at| format!("{} {name}", source.place(at))));
            }
        }
    }
    require_none("a dependency is used outside its place:", &breaches);
}

#[test]
fn each_dependency_is_in_the_table() {
    let known: Vec<&str> = PLACES.iter().flat_map(|(names, _)| *names).chain(EVERYWHERE).copied().collect();
    let mut breaches = Vec::new();
    for manifest in ["Cargo.toml", "generators/Cargo.toml", "checkers/Cargo.toml"] {
        let unknown = dependencies(&read(manifest)).into_iter().filter(|name| !known.contains(&name.as_str()));
        breaches.extend(unknown.map(|name| format!("{manifest} {name}")));
    }
    require_none("a dependency has no place yet:", &breaches);
}

#[test]
fn the_leaves_know_nothing_of_the_tool() {
    let mut breaches = Vec::new();
    for leaf in ["generators", "checkers"] {
        let names = dependencies(&read(&format!("{leaf}/Cargo.toml")));
        breaches.extend(names.iter().filter(|n| n.starts_with("rebut")).map(|n| format!("{leaf} depends on {n}")));
    }
    for source in sources().iter().filter(|s| s.path.starts_with("generators/") || s.path.starts_with("checkers/")) {
        breaches.extend(occurrences(&source.code, "rebut::").map(|at| source.place(at)));
    }
    require_none("a leaf package depends on nothing of ours:", &breaches);
}

/// The names in a manifest's tables of dependencies that its library is built from, spelt as in code.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut table = "";
    for line in manifest.lines() {
        if let Some(name) = line.strip_prefix('[') {
            table = name.trim_end_matches(']');
        } else if table.ends_with("dependencies") && !table.starts_with("dev-") {
            names.extend(line.split_once('=').map(|(name, _)| name.trim()).filter(|name| !name.starts_with('#')));
        }
    }
    names.iter().map(|name| name.trim_end_matches(".workspace").replace('-', "_")).collect()
}
