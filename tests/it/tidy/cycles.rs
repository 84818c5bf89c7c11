//! Files that import each other, directly or through others: none of them can be understood alone.
//!
//! A module and the modules inside it may name each other. Everything else is ordered.

use super::module_graph::{ModuleGraph, ModulePath};
use super::source::CRATES;
use std::collections::{BTreeMap, BTreeSet};

/// Imports between modules.
type Imports = BTreeMap<ModulePath, BTreeSet<ModulePath>>;

/// Returns the imports without those between a module and the modules inside it.
fn imports_across(imports: Imports) -> Imports {
    let is_across = |own: &ModulePath, other: &ModulePath| !own.starts_with(other) && !other.starts_with(own);
    let kept = |(own, mut others): (ModulePath, BTreeSet<ModulePath>)| {
        others.retain(|other| is_across(&own, other));
        (own, others)
    };
    imports.into_iter().map(kept).collect()
}

/// Returns all modules that a module imports, directly or through others.
fn reachable(imports: &Imports, start: &ModulePath) -> BTreeSet<ModulePath> {
    let mut seen = BTreeSet::new();
    let mut left = vec![start];
    while let Some(module) = left.pop() {
        left.extend(imports[module].iter().filter(|other| seen.insert((*other).clone())));
    }
    seen
}

/// Returns the sets of modules that import each other, the largest first.
fn find_cycles(imports: &Imports) -> Vec<Vec<&ModulePath>> {
    let reached: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
        imports.keys().map(|module| (module, reachable(imports, module))).collect();
    let in_cycle_of = |module: &&ModulePath| -> Vec<&ModulePath> {
        let others = imports.keys().filter(|other| reached[module].contains(*other));
        others.filter(|other| reached[other].contains(*module)).collect()
    };
    let mut cycles: Vec<Vec<&ModulePath>> = imports.keys().collect::<Vec<_>>().iter().map(in_cycle_of).collect();
    cycles.retain(|cycle| !cycle.is_empty());
    cycles.sort_by_key(|cycle| (std::cmp::Reverse(cycle.len()), cycle[0]));
    cycles.dedup();
    cycles
}

/// Returns a cycle as text: a line for each module, with those of the cycle that it imports.
fn describe_cycle(imports: &Imports, cycle: &[&ModulePath]) -> String {
    let line = |module: &&ModulePath| {
        let inside = imports[*module].iter().filter(|other| cycle.contains(other));
        let names: Vec<String> = inside.map(|other| other.join("::")).collect();
        format!("    {} imports {}\n", module.join("::"), names.join(", "))
    };
    format!("  {} files:\n{}", cycle.len(), cycle.iter().map(line).collect::<String>())
}

#[test]
fn files_do_not_import_each_other() {
    for folder in CRATES {
        let imports = imports_across(ModuleGraph::of_crate(folder).imports());
        let cycles = find_cycles(&imports);
        let listed: String = cycles.iter().map(|cycle| describe_cycle(&imports, cycle)).collect();
        assert!(cycles.is_empty(), "cycles of {folder}:\n{listed}");
    }
}

#[test]
fn cycles_are_found() {
    let module = |name: &str| vec![name.to_owned()];
    let edges = [("a", "b"), ("b", "c"), ("c", "b"), ("d", "a")];
    let mut imports: Imports = ["a", "b", "c", "d"].map(|name| (module(name), BTreeSet::new())).into();
    for (from, to) in edges {
        imports.get_mut(&module(from)).unwrap().insert(module(to));
    }
    assert_eq!(find_cycles(&imports), [[&module("b"), &module("c")]]);
}
