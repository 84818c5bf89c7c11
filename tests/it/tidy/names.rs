//! Names of functions and types.

use super::require_none;
use super::source::{CRATES, Source, line_of, occurrences, sources};
use std::collections::BTreeMap;

/// Maximum percentage of functions with a name of one word. ripgrep, nextest and similar projects have 30 to 39.
const MAX_ONE_WORD_PERCENT: usize = 40;

/// Verbs that are a name by themselves because the type or module of the function says the rest: `Package::load`.
const VERBS: &[&str] = &[
    "adopt",
    "cancel",
    "check",
    "combine",
    "compare",
    "compile",
    "contains",
    "create",
    "finish",
    "get",
    "insert",
    "intersect",
    "load",
    "open",
    "parse",
    "push",
    "read",
    "reap",
    "retain",
    "run",
    "shuffle",
    "start",
    "wait",
];

/// Other names of one word, each with its reason.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("block", "looks up by id, as the method of a map would"),
    ("children", "looks up by path"),
    ("error", "constructs a diagnostic of this severity"),
    ("field", "looks up by id"),
    ("intersection", "a set operation, as in std"),
    ("to", "a span from one position to another"),
    ("union", "a set operation, as in std"),
    ("warning", "constructs a diagnostic of this severity"),
];

/// Types with an implementation for each system under the same name.
const ONE_PER_SYSTEM: &[&str] = &["ChildProcess", "RlimitResource", "WorkFolder"];

/// The declaration of a function.
struct Function<'c> {
    name: &'c str,
    start: usize,
    is_public: bool,
    parameters: &'c str,
    returns_value: bool,
}

impl Function<'_> {
    fn is_one_word(&self) -> bool {
        !self.name.contains('_')
    }

    /// Returns true for functions that return a part of their object or a constant: they have no further parameters.
    fn is_getter(&self) -> bool {
        self.returns_value && matches!(self.parameters.trim(), "" | "self" | "&self")
    }

    fn is_allowed(&self) -> bool {
        let is_listed = VERBS.contains(&self.name) || OTHER_NAMES.iter().any(|(name, _)| *name == self.name);
        self.name == "new" || self.is_getter() || is_listed
    }
}

/// Returns the functions that are declared in a text.
fn functions(code: &str) -> Vec<Function<'_>> {
    occurrences(code, "fn ").filter_map(|start| function(code, start)).collect()
}

fn function(code: &str, start: usize) -> Option<Function<'_>> {
    let name = word(&code[start + "fn ".len()..]);
    let open = start + code[start..].find('(')?;
    let close = open + matching_parenthesis(&code[open..])?;
    let line = code[..start].rsplit(['\n', '{', '}', ';']).next().unwrap_or_default();
    (!name.is_empty()).then(|| Function {
        name,
        start,
        is_public: occurrences(line, "pub").next().is_some(),
        parameters: &code[open + 1..close],
        returns_value: code[close + 1..].trim_start().starts_with("->"),
    })
}

/// Returns the word at the beginning of a text.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// Returns the offset of the parenthesis that closes the one at the beginning of a text.
fn matching_parenthesis(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(at)
    })
}

/// Returns the sources of a crate by the prefix of their paths, without test modules.
fn crate_sources(prefix: &str) -> impl Iterator<Item = &'static Source> {
    sources().iter().filter(move |source| source.path.starts_with(prefix) && !source.is_test())
}

#[test]
fn public_functions_of_one_word_are_verbs() {
    let mut breaches = Vec::new();
    for source in CRATES.iter().flat_map(|prefix| crate_sources(prefix)) {
        let code = source.code_outside_tests();
        let found = functions(code).into_iter().filter(|f| f.is_public && f.is_one_word() && !f.is_allowed());
        breaches.extend(found.map(|f| format!("{} fn {}", source.place(f.start), f.name)));
    }
    require_none("a public function has a verb, or is a constructor or a getter:", &breaches);
}

#[test]
fn few_functions_have_names_of_one_word() {
    for prefix in CRATES {
        let (mut all, mut short) = (0, 0);
        for source in crate_sources(prefix) {
            let code = source.code_outside_tests();
            let functions = functions(code);
            all += functions.len();
            short += functions.iter().filter(|f| f.is_one_word()).count();
        }
        assert!(all > 0 && 100 * short < MAX_ONE_WORD_PERCENT * all, "{prefix}: {short} of {all} functions");
    }
}

#[test]
fn type_names_are_unique_in_a_crate() {
    let mut breaches = Vec::new();
    for prefix in CRATES {
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for source in crate_sources(prefix) {
            let code = source.code_outside_tests();
            for (name, at) in type_names(code) {
                let place = format!("{}:{}", source.path, line_of(code, at));
                places.entry(name.to_owned()).or_default().push(place);
            }
        }
        let several = places.into_iter().filter(|(name, at)| at.len() > 1 && !ONE_PER_SYSTEM.contains(&name.as_str()));
        breaches.extend(several.map(|(name, at)| format!("{name}: {}", at.join(", "))));
    }
    require_none("a type name is defined twice in a crate:", &breaches);
}

/// Returns the names of types that a text defines, with their offsets. Associated types belong to their traits, and are
/// indented.
fn type_names(code: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    for keyword in ["struct ", "enum ", "trait ", "union "] {
        found.extend(occurrences(code, keyword).map(|at| (word(&code[at + keyword.len()..]), at)));
    }
    let is_indented = |at: usize| code[..at].rsplit('\n').next().is_some_and(|line| line.starts_with(' '));
    let aliases = occurrences(code, "type ").filter(|at| !is_indented(*at));
    found.extend(aliases.map(|at| (word(&code[at + "type ".len()..]), at)));
    found.retain(|(name, _)| name.starts_with(char::is_uppercase));
    found
}

#[test]
fn declarations_are_recognized() {
    let code = "impl A {\n    pub(crate) fn of(&self) -> B {}\n    fn note(mut self, x: fn(u8) -> u8) {}\n}\ntype C = fn(D);\n";
    let found = functions(code);
    let names: Vec<(&str, bool, bool)> = found.iter().map(|f| (f.name, f.is_public, f.is_getter())).collect();
    assert_eq!(names, [("of", true, true), ("note", false, false)]);
    assert_eq!(type_names(code), [("C", code.find("type").unwrap())]);
}
