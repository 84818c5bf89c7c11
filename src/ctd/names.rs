//! Names for the fields of a format: those of the variables, as far as possible.

use std::collections::BTreeSet;

/// Words that mean something in the format language.
const TAKEN: &[&str] = &[
    "abs",
    "and",
    "cases",
    "count",
    "decimals",
    "decreasing",
    "distinct",
    "edges",
    "either",
    "eof",
    "exists",
    "forall",
    "generator",
    "if",
    "in",
    "increasing",
    "len",
    "let",
    "matches",
    "max",
    "min",
    "nonincreasing",
    "not",
    "of",
    "on",
    "one",
    "or",
    "over",
    "parents",
    "permutation",
    "real",
    "repeat",
    "shape",
    "sorted",
    "subtask",
    "sum",
    "symmetric",
    "until",
    "validator",
    "where",
];

/// The names in use.
pub(super) struct Names<'s> {
    used: BTreeSet<String>,
    /// The names of the script's variables: those without a variable take others.
    variables: &'s BTreeSet<String>,
}

impl<'s> Names<'s> {
    pub(super) fn new(variables: &'s BTreeSet<String>) -> Self {
        Names { used: BTreeSet::new(), variables }
    }

    /// The name of a constant: the script's own.
    pub(super) fn constant(&self, name: &str) -> String {
        if TAKEN.contains(&name) { format!("{name}_") } else { name.to_owned() }
    }

    /// Keeps a name from being used for anything else.
    pub(super) fn reserve(&mut self, name: String) {
        self.used.insert(name);
    }

    /// A name for a field: its variable's, or one that begins so.
    pub(super) fn field(&mut self, variable: Option<&str>, prefix: &str) -> String {
        let base = variable.map_or_else(|| prefix.to_owned(), |name| self.constant(name));
        let mut name = base.clone();
        let mut number = 1;
        while self.used.contains(&name) || variable.is_none() && self.variables.contains(&name) {
            // Alphabetical neighbours read better than numbers, as far as they go.
            name = match (variable, base.as_str(), number) {
                (None, "x", 1) => "y".to_owned(),
                (None, "x", 2) => "z".to_owned(),
                (None, "s", 1) => "t".to_owned(),
                (None, "a", 1) => "b".to_owned(),
                (None, "a", 2) => "c".to_owned(),
                _ if base.ends_with(|c: char| c.is_ascii_digit()) => format!("{base}_{}", number + 1),
                _ => format!("{base}{}", number + 1),
            };
            number += 1;
        }
        self.used.insert(name.clone());
        name
    }

    /// A name for a variable of a quantifier: no field's.
    pub(super) fn quantified(&self, wanted: Option<&str>, others: &[String]) -> String {
        let free =
            |name: &&str| !self.used.contains(*name) && !others.iter().any(|o| o == name) && !TAKEN.contains(name);
        let found = wanted.into_iter().chain(["i", "j", "k", "l"]).find(free);
        found.map_or_else(|| format!("i_{}", others.len()), str::to_owned)
    }
}
