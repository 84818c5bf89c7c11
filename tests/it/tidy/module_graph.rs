//! The files of a crate, and which of them name items of which others.

use super::source::{Source, sources};
use std::collections::{BTreeMap, BTreeSet};

/// Names of modules from the root of a crate, or of an item in it.
pub(super) type ModulePath = Vec<String>;

/// The files of a crate by their modules, without tests.
pub(super) struct ModuleGraph {
    modules: BTreeMap<ModulePath, NamedPaths>,
}

/// The paths that a file names.
#[derive(Default)]
struct NamedPaths {
    /// The items that it imports, by the names that it gives them.
    imported: Vec<(String, ModulePath)>,
    /// Paths elsewhere in its code.
    inline: Vec<ModulePath>,
}

impl ModuleGraph {
    /// Reads the files of a crate, given the folder of its sources.
    pub(super) fn of_crate(folder: &str) -> ModuleGraph {
        let files = sources().iter().filter(|source| source.path.starts_with(folder) && !source.is_test());
        ModuleGraph { modules: files.map(|source| (module_path(source, folder), named_paths(source))).collect() }
    }

    /// Returns the modules, each with those whose items it names. Items are looked up where they are defined, not where
    /// they are exported again.
    pub(super) fn imports(&self) -> BTreeMap<ModulePath, BTreeSet<ModulePath>> {
        let imports_of = |own: &ModulePath, named: &NamedPaths| {
            let paths = named.imported.iter().map(|(_, path)| path).chain(&named.inline);
            paths.filter_map(|path| self.find_definition(own, path, 0)).filter(|other| other != own).collect()
        };
        self.modules.iter().map(|(own, named)| (own.clone(), imports_of(own, named))).collect()
    }

    /// Returns the module that defines the item of a path in a module, or `None` if it is of another crate.
    fn find_definition(&self, own: &[String], path: &[String], depth: usize) -> Option<ModulePath> {
        /// Maximum number of exports of exports.
        const MAX_DEPTH: usize = 8;
        if depth == MAX_DEPTH {
            return None;
        }
        let Some(absolute) = self.absolute_path(own, path) else {
            let (_, imported) = self.modules[own].imported.iter().find(|(name, _)| *name == path[0])?;
            let is_of_itself = imported[0] == path[0];
            let full = [imported, &path[1..]].concat();
            return (!is_of_itself).then(|| self.find_definition(own, &full, depth + 1)).flatten();
        };
        let length = (0..=absolute.len()).rev().find(|n| self.modules.contains_key(&absolute[..*n]))?;
        let (module, rest) = absolute.split_at(length);
        let export = rest.first().and_then(|item| self.modules[module].imported.iter().find(|(name, _)| name == item));
        let defined = export.and_then(|(_, path)| {
            let is_itself = self.absolute_path(module, path)? == absolute[..=length];
            let full = [path, &rest[1..]].concat();
            (!is_itself).then(|| self.find_definition(module, &full, depth + 1)).flatten()
        });
        Some(defined.unwrap_or_else(|| module.to_vec()))
    }

    /// Returns a path from the root of the crate, or `None` if it begins with something else than a module.
    fn absolute_path(&self, own: &[String], path: &[String]) -> Option<ModulePath> {
        let parents = path.iter().take_while(|name| *name == "super").count();
        match path[0].as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([own, &path[1..]].concat()),
            "super" => Some([&own[..own.len().saturating_sub(parents)], &path[parents..]].concat()),
            first => {
                let child = [own, &[first.to_owned()]].concat();
                self.modules.contains_key(&child).then(|| [own, path].concat())
            }
        }
    }
}

/// Returns the module of a file.
fn module_path(source: &Source, folder: &str) -> ModulePath {
    let mut path: ModulePath =
        source.path[folder.len()..].trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    path.pop_if(|last| matches!(last.as_str(), "mod" | "lib"));
    path
}

/// Returns the paths that a file names outside its tests.
fn named_paths(source: &Source) -> NamedPaths {
    let code = source.code_outside_tests();
    let words = words(code);
    let mut named = NamedPaths::default();
    let mut at = 0;
    while at < words.len() {
        if words[at] == "use" && words.get(at + 1).is_some_and(|next| *next != "<") {
            at += 1;
            read_use_tree(&words, &mut at, &[], &mut named.imported);
        } else if is_name(words[at]) {
            named.inline.extend(read_path(&words, &mut at));
        } else {
            at += 1;
        }
    }
    named
}

/// Reads names that are joined by `::`, if there are at least two.
fn read_path(words: &[&str], at: &mut usize) -> Option<ModulePath> {
    let mut path = vec![words[*at].to_owned()];
    *at += 1;
    while words.get(*at) == Some(&"::") && words.get(*at + 1).is_some_and(|next| is_name(next)) {
        path.push(words[*at + 1].to_owned());
        *at += 2;
    }
    (path.len() > 1).then_some(path)
}

/// Reads what `use` imports below a prefix.
fn read_use_tree(words: &[&str], at: &mut usize, prefix: &[String], imported: &mut Vec<(String, ModulePath)>) {
    let mut path = prefix.to_vec();
    while let Some(word) = words.get(*at) {
        match *word {
            "{" => {
                while *words.get(*at).unwrap_or(&"}") != "}" {
                    *at += 1;
                    read_use_tree(words, at, &path, imported);
                }
                *at += 1;
                return;
            }
            ";" | "," | "}" | "as" => break,
            "::" => {}
            "self" if !path.is_empty() => {}
            name => path.push(name.to_owned()),
        }
        *at += 1;
    }
    if words.get(*at) == Some(&"as") {
        imported.push((words[*at + 1].to_owned(), path));
        *at += 2;
    } else if path.len() > prefix.len() || words[*at - 1] == "self" {
        imported.extend(path.last().cloned().map(|name| (name, path)));
    }
}

/// Returns the names of a text, and its other characters but blanks; `::` is one word.
fn words(code: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let name = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let length = if rest.starts_with("::") { 2 } else { name.max(first.len_utf8()) };
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    words
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

#[test]
fn named_paths_are_found() {
    let code = "pub use a::{b::{self, C}, d as e}; use super::f::*; fn g() -> h::I { self::j::<k>(crate::l::M) }";
    let named = named_paths(&Source::new("src/x.rs".to_owned(), code));
    let shown: Vec<String> = named.imported.iter().map(|(name, path)| format!("{name}={}", path.join("::"))).collect();
    assert_eq!(shown, ["b=a::b", "C=a::b::C", "e=a::d", "*=super::f::*"]);
    assert_eq!(named.inline.iter().map(|path| path.join("::")).collect::<Vec<_>>(), ["h::I", "self::j", "crate::l::M"]);
}
