//! Names of a format's fields, based on the names of variables.

use std::collections::BTreeSet;

/// Reserved words of the format language.
const RESERVED_WORDS: &str = "\
    abs and cases count decimals decreasing distinct edges either eof exists forall generator if in \
    increasing len let matches max min nonincreasing not of on one or over parents permutation real repeat \
    sorted subtask sum symmetric until validator where";

fn is_reserved(name: &str) -> bool {
    RESERVED_WORDS.split_whitespace().any(|word| word == name)
}

/// The names in use.
#[derive(Default)]
pub(super) struct FieldNames {
    used: BTreeSet<String>,
    /// Names of the script's variables, which fields without a variable avoid.
    variables: BTreeSet<String>,
}

impl FieldNames {
    pub(super) fn new(variables: BTreeSet<String>) -> Self {
        FieldNames { used: BTreeSet::new(), variables }
    }

    /// Returns the name of a constant: that of the script, unless it is reserved.
    pub(super) fn constant_name(&self, name: &str) -> String {
        if is_reserved(name) { format!("{name}_") } else { name.to_owned() }
    }

    /// Reserves the name of a constant, and returns it.
    pub(super) fn reserve_constant(&mut self, name: &str) -> String {
        let name = self.constant_name(name);
        self.used.insert(name.clone());
        name
    }

    /// Returns an unused name for a field, based on its variable or on `prefix`.
    pub(super) fn unique_field_name(&mut self, variable: Option<&str>, prefix: &str) -> String {
        let base = variable.map_or_else(|| prefix.to_owned(), |name| self.constant_name(name));
        let mut name = base.clone();
        let mut number = 1;
        while self.used.contains(&name) || variable.is_none() && self.variables.contains(&name) {
            // Prefer neighbors in the alphabet to numbers.
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

    /// Returns a name for a quantifier's variable that is not in use.
    pub(super) fn quantifier_name(&self, wanted: Option<&str>, others: &[String]) -> String {
        let free = |name: &&str| !self.used.contains(*name) && !others.iter().any(|o| o == name) && !is_reserved(name);
        let found = wanted.into_iter().chain(["i", "j", "k", "l"]).find(free);
        found.map_or_else(|| format!("i_{}", others.len()), str::to_owned)
    }
}
