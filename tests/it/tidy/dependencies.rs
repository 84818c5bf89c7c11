//! One place for each dependency, so that a library can be replaced easily.

use super::require_none;
use super::source::{occurrences, read, sources};

/// Crates, and prefixes of the paths of the only files that use them.
const PLACES: &[(&[&str], &[&str])] = &[
    (&["rand", "rand_chacha", "rand_core"], &["generators/src/choices.rs"]),
    (&["similar"], &["checkers/src/diff.rs", "checkers/src/diff/"]),
    (&["walkdir"], &["crates/packages/src/"]),
    (&["clap"], &["src/cli/"]),
    (&["clap_complete"], &["src/cli/completions.rs", "src/cli/args.rs"]),
    (&["clap_mangen"], &["src/cli/completions.rs"]),
    (&["httparse"], &["src/cli/listen/http_request.rs"]),
    (&["lsp_server", "lsp_types"], &["crates/lsp/src/"]),
    (&["indicatif", "anstyle", "anstream"], &["src/report/"]),
    (&["unicode_width"], &["src/report/", "crates/diagnostics/src/source.rs"]),
    (
        &["tempfile"],
        &[
            "crates/sandbox/src/",
            "crates/toolchain/src/",
            "crates/packages/src/",
            "src/cli/strength/mutant_compiler.rs",
            "src/cli/build/selection.rs",
            "src/cli/packages.rs",
        ],
    ),
    (&["strsim"], &["crates/diagnostics/src/suggestion.rs"]),
    (&["terminal_size"], &["src/report/options.rs"]),
    (&["libc"], &["crates/sandbox/src/"]),
    (&["landlock"], &["crates/sandbox/src/isolation/"]),
    (&["rustix"], &["crates/sandbox/src/", "crates/toolchain/src/", "crates/packages/src/finding_files.rs"]),
    (&["smallvec"], &["crates/format/src/value/mod.rs", "crates/format/src/enumerate/future_ranges.rs"]),
    (
        &["libm"],
        &[
            "crates/format/src/generate/sizes.rs",
            "crates/engine/src/growth/fit.rs",
            "crates/engine/src/slow/",
            "crates/engine/src/profile.rs",
            "src/report/lines.rs",
            "src/report/html/chart.rs",
        ],
    ),
    (
        &["regex_automata", "regex_syntax"],
        &["crates/format/src/model/token_pattern.rs", "crates/format/src/model/token_pattern.rs", "crates/import/src/"],
    ),
    (
        &["sha2"],
        &["crates/toolchain/src/", "crates/packages/src/test_set_lock.rs", "crates/packages/src/stored_files.rs"],
    ),
    (&["serde_saphyr"], &["crates/packages/src/"]),
    (&["maud", "data_encoding"], &["src/report/html/"]),
    (&["signal_hook"], &["src/cli/"]),
    (
        &["tree_sitter", "tree_sitter_cpp", "tree_sitter_java", "tree_sitter_python", "tree_sitter_rust"],
        &["crates/import/src/testlib/syntax.rs", "crates/mutants/src/"],
    ),
    (&["toml"], &["crates/packages/src/"]),
    (&["ureq"], &["crates/packages/src/shared_store.rs"]),
    (&["roxmltree"], &["crates/packages/src/interop/polygon/"]),
    (&["wasm_bindgen"], &["crates/web/src/bindings.rs"]),
    (&["zip"], &["crates/packages/src/interop/zip_archive.rs", "crates/packages/src/journal/reader.rs"]),
];

/// Dependencies that every module can use: they only read and write data, and have no effects.
const EVERYWHERE: &[&str] = &["serde", "serde_json", "schemars"];

/// The crates of this repository, and those of them that they may depend on: the lower layers.
const CRATE_DEPENDENCIES: &[(&str, &[&str])] = &[
    ("generators", &[]),
    ("diagnostics", &[]),
    ("checkers", &["diagnostics"]),
    ("mutants", &[]),
    ("format", &["diagnostics", "generators"]),
    ("import", &["diagnostics", "format"]),
    ("infer", &["diagnostics", "format"]),
    ("sandbox", &["diagnostics"]),
    ("toolchain", &["diagnostics", "sandbox"]),
    ("packages", &["checkers", "diagnostics", "format", "generators", "sandbox", "toolchain"]),
    ("engine", &["checkers", "diagnostics", "format", "generators", "mutants", "packages", "sandbox", "toolchain"]),
    ("lsp", &["diagnostics", "format", "generators", "packages"]),
    ("web", &["diagnostics", "format", "generators", "infer"]),
];

/// Crates that are not below `crates/`.
const AT_THE_TOP: [&str; 2] = ["checkers", "generators"];

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
                breaches.extend(occurrences(code, &path).map(|at| format!("{} {name}", source.place(at))));
            }
        }
    }
    require_none("a dependency is used outside its place:", &breaches);
}

#[test]
fn each_dependency_is_in_the_table() {
    let known: Vec<&str> = PLACES.iter().flat_map(|(names, _)| *names).chain(EVERYWHERE).copied().collect();
    let mut breaches = Vec::new();
    let manifests = CRATE_DEPENDENCIES.iter().map(|(name, _)| manifest(name));
    for manifest in manifests.chain(["Cargo.toml".to_owned()]) {
        let unknown = dependencies(&read(&manifest)).into_iter();
        let unknown = unknown.filter(|name| !name.starts_with("rebut_") && !known.contains(&name.as_str()));
        breaches.extend(unknown.map(|name| format!("{manifest} {name}")));
    }
    require_none("a dependency is missing in `PLACES`:", &breaches);
}

#[test]
fn crates_depend_only_on_lower_crates() {
    let mut breaches = Vec::new();
    for (name, lower) in CRATE_DEPENDENCIES {
        let ours = dependencies(&read(&manifest(name)));
        let ours = ours.iter().filter_map(|dependency| dependency.strip_prefix("rebut_"));
        breaches.extend(ours.filter(|other| !lower.contains(other)).map(|other| format!("{name} depends on {other}")));
    }
    require_none("a crate depends only on those of `CRATE_DEPENDENCIES`:", &breaches);
}

/// Returns the path of the manifest of a crate.
fn manifest(name: &str) -> String {
    let folder = if AT_THE_TOP.contains(&name) { "" } else { "crates/" };
    format!("{folder}{name}/Cargo.toml")
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
