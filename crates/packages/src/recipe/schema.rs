//! The JSON Schema of recipes, with which editors complete and check `tests.toml`.
//!
//! The types have the shape of the file. They are read by the generator of the schema only: a recipe itself is read
//! key by key, with located messages.

use super::test_entry::{MAX_CANDIDATES, MAX_CASES, MAX_INPUTS};
use super::{MAX_DEPTH, MAX_TESTS};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The recipe of a test set, `tests.toml`.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, title = "Recipe of a test set of rebut")]
struct RecipeFile {
    /// Part of every derived seed: another number makes another test set.
    seed: Option<u64>,
    /// The submission that answers are taken from; by default the package's first.
    reference: Option<String>,
    /// How tests are selected among `candidates`.
    select: Option<SelectTable>,
    /// Restrictions and points of groups, by their names.
    group: Option<BTreeMap<String, GroupTable>>,
    /// The tests, in the order of the test set.
    #[schemars(length(min = 1))]
    test: Vec<TestTable>,
}

/// How tests are selected among candidates.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct SelectTable {
    /// Number of tests that kill each wrong program, if so many candidates do.
    #[schemars(range(min = 1, max = MAX_DEPTH))]
    depth: Option<u32>,
    /// Maximum number of tests.
    #[schemars(range(min = 1, max = MAX_TESTS))]
    tests: Option<u32>,
}

/// Restrictions on all inputs of a group, and its points.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct GroupTable {
    /// Further constraints on all inputs of the group.
    r#where: Option<TextOrList>,
    /// Values of fields and of named constants in all inputs of the group.
    r#let: Option<BTreeMap<String, AssignedValue>>,
    /// A subtask of the format, whose constraints hold in all inputs of the group.
    subtask: Option<String>,
    /// Points of the group.
    #[schemars(range(min = 0, max = 1_000_000))]
    score: Option<u32>,
}

/// A test: one input or several. At most one of `shape`, `exhaustive`, `generator`, `file`, `text`, `copy` and `slow`
/// selects where they come from; without any, shapes and sizes are mixed as in a search.
#[derive(Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct TestTable {
    /// The name of the files, after their number. Random choices are derived from it.
    name: Option<String>,
    /// `sample`, `secret` (the default), or a group of your own, a folder in `data/secret/`.
    group: Option<String>,
    /// Inputs of this shape; the shapes in a list take turns. `rebut shapes` lists them.
    shape: Option<TextOrList>,
    /// Every valid input that satisfies these constraints, in as few files as possible.
    exhaustive: Option<TextOrList>,
    /// The output of a program in `generators/`, or of a command. `{seed}` and `{name}` are replaced.
    generator: Option<String>,
    /// A file of the package.
    file: Option<String>,
    /// This text.
    text: Option<String>,
    /// The input of another test, named by group and name, or by group and number.
    copy: Option<String>,
    /// The inputs on which the submissions that must exceed the time limit do the most work.
    slow: Option<bool>,
    /// Number of inputs.
    #[schemars(range(min = 1, max = MAX_INPUTS))]
    count: Option<u32>,
    /// Number of inputs from which tests are selected: those that kill wrong programs are kept.
    #[schemars(range(min = 1, max = MAX_CANDIDATES))]
    candidates: Option<u32>,
    /// Seed of the test. By default it is derived from the names of group and test.
    seed: Option<u64>,
    /// Further constraints: drawn inputs satisfy them, and given ones are checked.
    r#where: Option<TextOrList>,
    /// Values of fields and of named constants.
    r#let: Option<BTreeMap<String, AssignedValue>>,
    /// A subtask of the format, whose constraints hold as well.
    subtask: Option<String>,
    /// Number of cases in each input, if the format has `cases`.
    #[schemars(range(min = 1, max = MAX_CASES))]
    cases: Option<u32>,
    /// Size in percent: 0 is tiny, 100 reaches every bound. `[100, 0]` decreases from the first case to the last.
    growth: Option<Growth>,
    /// Every size at its maximum.
    max: Option<bool>,
    /// Every size at its minimum.
    min: Option<bool>,
    /// The output that the reference must print; drawn inputs are those that it answers like this.
    answer: Option<String>,
    /// A condition on what submissions do: only inputs on which it holds are drawn, as by `rebut stress --find`.
    find: Option<String>,
}

/// A string, or a list of strings.
#[derive(Serialize, JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "read by the generator of the schema only")]
enum TextOrList {
    Text(String),
    List(#[schemars(length(min = 1))] Vec<String>),
}

/// A number, or an expression such as `"10^9"`.
#[derive(Serialize, JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "read by the generator of the schema only")]
enum AssignedValue {
    Number(f64),
    Text(String),
}

/// A size in percent, or those of the first and the last case.
#[derive(Serialize, JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "read by the generator of the schema only")]
enum Growth {
    Every(#[schemars(range(min = 0, max = 100))] u32),
    FirstAndLast(#[schemars(inner(range(min = 0, max = 100)))] [u32; 2]),
}

/// Returns the JSON Schema of a recipe.
pub fn recipe_schema() -> Schema {
    let settings = SchemaSettings::draft07().with_transform(RecursiveTransform(remove_null));
    settings.into_generator().into_root_schema_for::<RecipeFile>()
}

/// Removes the null that an optional key could have in JSON: TOML has none.
fn remove_null(schema: &mut Schema) {
    if let Some(types) = schema.get_mut("type").and_then(Value::as_array_mut) {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(forms) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        forms.retain(|form| form["type"] != "null");
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_entry::TEST_KEYS;
    use super::*;

    #[test]
    fn schema_has_the_keys_of_the_reader() {
        let schema = recipe_schema().to_value();
        let keys = |table: &str| {
            let properties = &schema["definitions"][table]["properties"];
            properties.as_object().map(|keys| keys.keys().cloned().collect::<Vec<_>>()).unwrap_or_default()
        };
        let mut of_tests = TEST_KEYS.map(str::to_owned);
        of_tests.sort();
        let mut found = keys("TestTable");
        found.sort();
        assert_eq!(found, of_tests);
    }
}
