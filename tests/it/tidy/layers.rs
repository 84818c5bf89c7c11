//! The modules of a folder are layers: each imports only from lower ones. Between crates, Cargo enforces that.

use super::module_graph::{ModuleGraph, ModulePath};
use super::require_none;
use super::source::{CRATES, sources};

/// The modules of the folders that have several layers, lowest first. A module can import those before it. Modules that
/// share a layer are siblings and import none of each other.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "crates/format/src/",
        &[
            "tuning",
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
            "picture",
            "inputs",
        ],
    ),
    (
        "crates/packages/src/",
        &[
            "verdict",
            "finder_syntax",
            "score",
            "bundle",
            "stored_files",
            "shared_store",
            "shown_samples",
            "result_cache",
            "journal",
            "package",
            "file_stamps",
            "finding_files",
            "test_set_lock",
            "test_set",
            "recipe",
            "settings",
            "interop",
        ],
    ),
    ("src/", &["diagnostic_index", "report", "cli"]),
    (
        "crates/engine/src/",
        &[
            "judge event parallel tuning",
            "sharding",
            "inputs",
            "judging",
            "input_reading",
            "predicate",
            "build compare_reports growth minimize probes profile replay stress verify visualizer",
            "slow strength",
        ],
    ),
];

/// Returns the position of a module in the order of all.
fn rank(layers: &[&str], module: &str) -> Option<usize> {
    layers.iter().position(|layer| layer.split(' ').any(|name| name == module))
}

/// Returns the imports in a folder that lead to the same layer or to a higher one.
fn upward_imports(folder: &str, layers: &[&str]) -> Vec<String> {
    let root = CRATES.iter().find(|root| folder.starts_with(*root)).expect("a folder of a crate");
    let parent: ModulePath = folder[root.len()..].split_terminator('/').map(str::to_owned).collect();
    let name_inside = |module: &ModulePath| module.strip_prefix(parent.as_slice())?.first().cloned();
    let mut breaches = Vec::new();
    for (own, others) in ModuleGraph::of_crate(root).imports() {
        let Some(name) = name_inside(&own) else { continue };
        let is_breach = |other: &&ModulePath| {
            name_inside(other).is_some_and(|other| other != name && rank(layers, &other) >= rank(layers, &name))
        };
        let described = |other: &ModulePath| format!("{} imports {}", own.join("::"), other.join("::"));
        breaches.extend(others.iter().filter(is_breach).map(described));
    }
    breaches
}

#[test]
fn modules_have_a_layer() {
    let mut missing = Vec::new();
    for (folder, layers) in LAYERS {
        let inside = sources().iter().filter_map(|source| source.path.strip_prefix(folder)?.split('/').next());
        let modules =
            inside.map(|name| name.trim_end_matches(".rs")).filter(|name| !matches!(*name, "lib" | "main" | "mod"));
        missing.extend(modules.filter(|name| rank(layers, name).is_none()).map(|name| format!("{folder}{name}")));
    }
    require_none("no layer:", &missing);
}

#[test]
fn modules_import_only_from_lower_layers() {
    let breaches: Vec<String> = LAYERS.iter().flat_map(|(folder, layers)| upward_imports(folder, layers)).collect();
    require_none("a module may import only from lower layers:", &breaches);
}
