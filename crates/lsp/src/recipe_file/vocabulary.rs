//! The keys of recipes, with their meaning.

/// A key of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecipeKey {
    pub(super) name: &'static str,
    pub(super) usage: &'static str,
    /// Its meaning, in Markdown.
    pub(super) meaning: &'static str,
}

const fn key(name: &'static str, usage: &'static str, meaning: &'static str) -> RecipeKey {
    RecipeKey { name, usage, meaning }
}

const DOCUMENT_KEYS: &[RecipeKey] = &[
    key("seed", "seed = 1", "Part of every derived seed: another number makes another test set."),
    key(
        "reference",
        "reference = \"brute.rs\"",
        "The submission that answers are taken from; by default the package's first.",
    ),
    key("select", "[select]", "How tests are selected among `candidates`."),
    key("group", "[group.small]", "Restrictions and the points of a group."),
    key("test", "[[test]]", "A test."),
];

const TEST_KEYS: &[RecipeKey] = &[
    key("name", "name = \"ties\"", "The name of the files, after their number. Random choices are derived from it."),
    key(
        "group",
        "group = \"sample\"",
        "`sample`, `secret` (the default), or a group of your own, a folder in `data/secret/`.",
    ),
    key(
        "shape",
        "shape = \"few-distinct\"",
        "Inputs of this shape; `rebut shapes` lists them. The shapes in a list take turns.",
    ),
    key(
        "exhaustive",
        "exhaustive = [\"n <= 2\"]",
        "Every valid input that satisfies these constraints, in as few files as possible.",
    ),
    key(
        "generator",
        "generator = \"gen 5 {seed}\"",
        "The output of a program in `generators/`, or of a command. `{seed}` and `{name}` are replaced.",
    ),
    key("file", "file = \"handmade/tricky.in\"", "A file of the package."),
    key("text", "text = \"\"\"...\"\"\"", "This text."),
    key("copy", "copy = \"sample/1\"", "The input of another test, named by group and name, or by group and number."),
    key("slow", "slow = true", "The inputs on which the submissions that must exceed the time limit do the most work."),
    key("count", "count = 3", "Number of inputs."),
    key(
        "candidates",
        "candidates = 1000",
        "Number of inputs from which tests are selected: those that kill wrong programs are kept.",
    ),
    key("seed", "seed = 7", "Seed of the test. By default it is derived from the names of group and test."),
    key("where", "where = \"n >= 50\"", "Further constraints: drawn inputs satisfy them, and given ones are checked."),
    key("let", "let = { K = 1 }", "Values of fields and of named constants."),
    key("subtask", "subtask = \"small\"", "A subtask of the format, whose constraints hold as well."),
    key("cases", "cases = 10", "Number of cases in each input, if the format has `cases`."),
    key(
        "growth",
        "growth = 40",
        "Size in percent: 0 is tiny, 100 reaches every bound. `[100, 0]` decreases from the first case to the \
         last.",
    ),
    key("max", "max = true", "Every size at its maximum."),
    key("min", "min = true", "Every size at its minimum."),
    key(
        "answer",
        "answer = \"0\"",
        "For a `text` or `file`, the output that the reference must print; drawn inputs are those that it \
         answers like this.",
    ),
    key(
        "find",
        "find = \"greedy fails and brute passes\"",
        "A condition on what submissions do: only inputs on which it holds are drawn, as by `rebut stress --find`.",
    ),
];

const SELECT_KEYS: &[RecipeKey] = &[
    key("depth", "depth = 5", "Number of tests that kill each wrong program, if so many candidates do."),
    key("tests", "tests = 30", "Maximum number of tests."),
];

const GROUP_KEYS: &[RecipeKey] = &[
    key("where", "where = \"n <= 10\"", "Further constraints on all inputs of the group."),
    key("let", "let = { K = 1 }", "Values of fields and of named constants in all inputs of the group."),
    key(
        "subtask",
        "subtask = \"small\"",
        "A subtask of the format, whose constraints hold in all inputs of the group.",
    ),
    key("score", "score = 20", "Points of the group."),
];

/// Returns the keys of a table: `test`, `select`, `group.NAME`, or the empty name of the document.
pub(super) fn keys_of(table: &str) -> impl Iterator<Item = &'static RecipeKey> {
    let keys = match table {
        "" => DOCUMENT_KEYS,
        "test" => TEST_KEYS,
        "select" => SELECT_KEYS,
        name if name.starts_with("group.") => GROUP_KEYS,
        _ => &[],
    };
    keys.iter()
}

/// Returns the names and meanings of the tables.
pub(super) fn tables() -> impl Iterator<Item = (&'static str, &'static str)> {
    DOCUMENT_KEYS.iter().filter(|key| key.usage.starts_with('[')).map(|key| (key.name, key.meaning))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used, reason = "tests")]

    use super::*;
    use rebut_diagnostics::SourceText;
    use rebut_packages::recipe::TestSetRecipe;

    /// Returns the help of the reader for a key that no table has, which lists the keys of the table.
    fn help_for(text: &str) -> String {
        let problems = TestSetRecipe::parse(&SourceText::new("tests.toml", text)).expect_err("a wrong key");
        problems.iter().filter(|problem| problem.code == "unknown-key").filter_map(|p| p.help.clone()).collect()
    }

    #[test]
    fn keys_are_those_of_the_reader() {
        for (table, header) in [("test", "[[test]]"), ("select", "[select]"), ("group.a", "[group.a]"), ("", "")] {
            let help = help_for(&format!("{header}\nno_such_key_at_all = 1\n"));
            for key in keys_of(table) {
                assert!(help.contains(&format!("`{}`", key.name)), "{table} {}: {help}", key.name);
            }
            assert_eq!(help.matches('`').count() / 2, keys_of(table).count(), "{table}: {help}");
        }
    }
}
