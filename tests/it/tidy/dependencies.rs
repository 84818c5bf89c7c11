//! One place for each dependency, so that a library can be replaced easily.

use super::require_none;
use super::source::{occurrences, read, sources};

/// Crates, and prefixes of the paths of the only files that use them.
const PLACES: &[(&[&str], &[&str])] = &[
    (&["rand", "rand_chacha", "rand_core"], &["generators/src/choices.rs"]),
    (&["similar"], &["checkers/src/diff.rs", "checkers/src/diff/"]),
    (&["walkdir"], &["src/packages/"]),
    (&["clap"], &["src/cli/"]),
    (&["indicatif", "anstyle", "anstream"], &["src/report/"]),
    (&["unicode_width"], &["src/report/", "src/diagnostic/source.rs"]),
    (&["tempfile"], &["src/run/", "src/packages/"]),
    (&["libc"], &["src/run/"]),
    (&["landlock"], &["src/run/sandbox/"]),
    (&["rustix"], &["src/run/", "src/report/terminal_size.rs", "src/packages/finding_files.rs"]),
    (&["smallvec"], &["src/value/mod.rs", "src/enumerate/future_ranges.rs"]),
    (&["libm"], &["src/generate/growth_curve.rs", "src/campaign/profile.rs"]),
    (&["regex_automata", "regex_syntax"], &["src/format/token_pattern.rs", "src/format/regex_branches.rs"]),
    (&["sha2"], &["src/run/", "src/packages/test_set_lock.rs", "src/packages/result_cache.rs"]),
    (&["serde_saphyr"], &["src/packages/"]),
    (&["quick_xml"], &["src/report/junit.rs"]),
    (&["signal_hook"], &["src/cli/"]),
    (&["toml"], &["src/packages/", "src/interop/library_checker/"]),
    (&["roxmltree"], &["src/interop/polygon/"]),
    (&["zip"], &["src/interop/zip_archive.rs"]),
];

/// Dependencies that every module can use: they only read and write data, and have no effects.
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
    require_none("a dependency is missing in `PLACES`:", &breaches);
}

#[test]
fn leaf_crates_do_not_depend_on_the_tool() {
    let mut breaches = Vec::new();
    for leaf in ["generators", "checkers"] {
        let names = dependencies(&read(&format!("{leaf}/Cargo.toml")));
        breaches.extend(names.iter().filter(|n| n.starts_with("rebut")).map(|n| format!("{leaf} depends on {n}")));
    }
    for source in sources().iter().filter(|s| s.path.starts_with("generators/") || s.path.starts_with("checkers/")) {
        breaches.extend(occurrences(&source.code, "rebut::").map(|at| source.place(at)));
    }
    require_none("a leaf crate depends on no crate of this repository:", &breaches);
}

/// Returns the dependencies of a manifest except for those of tests, spelled as in code.
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
