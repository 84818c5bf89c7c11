//! Parser of a single `[[test]]`.

use super::toml_table::TomlTable;
use super::{RecipeRestrictions, RecipeTest, SpannedText, TestInputSource};
use rebut_diagnostics::{Diagnostic, list_or};
use rebut_format::generate::Extreme;

/// Keys that select the source of inputs. A test has at most one.
const INPUT_SOURCE_KEYS: [&str; 7] = ["shape", "exhaustive", "generator", "file", "text", "copy", "slow"];

pub(super) const TEST_KEYS: [&str; 21] = [
    "name",
    "group",
    "shape",
    "exhaustive",
    "generator",
    "file",
    "text",
    "copy",
    "slow",
    "count",
    "candidates",
    "seed",
    "where",
    "let",
    "subtask",
    "cases",
    "growth",
    "max",
    "min",
    "answer",
    "find",
];

/// Options with the sources that they apply to; "" is the mixture.
const APPLICABLE_OPTIONS: [(&str, &[&str]); 9] = [
    ("count", &["", "shape", "generator"]),
    ("candidates", &["", "shape", "generator"]),
    ("seed", &["", "shape", "generator", "slow"]),
    ("cases", &["", "shape"]),
    ("growth", &["", "shape"]),
    ("max", &["", "shape"]),
    ("min", &["", "shape"]),
    ("answer", &["", "shape", "file", "text"]),
    ("find", &["", "shape"]),
];

/// Maximum number of inputs of a test.
pub(super) const MAX_INPUTS: u32 = 1000;
/// Maximum number of candidates of a test.
pub(super) const MAX_CANDIDATES: u32 = 5000;
/// Maximum number of cases of an input.
pub(super) const MAX_CASES: u32 = 1_000_000;

pub(super) fn read_test(table: &TomlTable<'_>, problems: &mut Vec<Diagnostic>) -> RecipeTest {
    table.check_known_keys(&TEST_KEYS, "a test", problems);
    let name = table.read_text("name", problems);
    if let Some(name) = &name {
        check_file_name(name, "test", problems);
    }
    let key = find_input_source_key(table, problems);
    for (option, sources) in APPLICABLE_OPTIONS {
        if table.has_key(option) && !sources.contains(&key) {
            let message = format!("`{option}` has no effect together with `{key}`");
            problems.push(Diagnostic::error("useless", table.key_span(option), message).with_caret("remove this key"));
        }
    }
    if table.has_key("candidates") && table.has_key("count") {
        let problem =
            Diagnostic::error("useless", table.key_span("count"), "`count` has no effect together with `candidates`");
        problems.push(problem.with_caret("remove this key").with_help("how many are selected depends on `[select]`"));
    }
    let candidates = table.read_number("candidates", 1, MAX_CANDIDATES, problems);
    RecipeTest {
        span: table.span,
        name: name.map(|name| name.text),
        input_source: read_input_source(key, table, problems),
        restrictions: read_restrictions(table, problems),
        count: candidates.or_else(|| table.read_number("count", 1, MAX_INPUTS, problems)).unwrap_or(1),
        is_candidate: candidates.is_some(),
        seed: table.read_seed("seed", problems),
        cases: table.read_number("cases", 1, MAX_CASES, problems),
        growth: table.read_percentages("growth", problems).unwrap_or((100, 100)),
        extreme: read_extreme(table, problems),
        answer: table.read_text("answer", problems),
        find: table.read_text("find", problems),
    }
}

/// Returns the key that selects the source of inputs; "" if there is none.
fn find_input_source_key(table: &TomlTable<'_>, problems: &mut Vec<Diagnostic>) -> &'static str {
    let mut found = INPUT_SOURCE_KEYS.into_iter().filter(|key| table.has_key(key));
    let first = found.next().unwrap_or("");
    for second in found {
        let message = format!("a test has one source of inputs, not both `{first}` and `{second}`");
        let problem = Diagnostic::error("two-makers", table.key_span(second), message).with_caret("second source");
        problems.push(problem.with_label(table.key_span(first), "first source").with_help("write two tests"));
    }
    first
}

fn read_input_source(key: &str, table: &TomlTable<'_>, problems: &mut Vec<Diagnostic>) -> TestInputSource {
    let source = match key {
        "shape" => table.read_text_list(key, problems).map(TestInputSource::Shapes),
        "exhaustive" => table.read_text_list(key, problems).map(TestInputSource::Exhaustive),
        "generator" => table.read_text(key, problems).map(TestInputSource::Generator),
        "file" => table.read_text(key, problems).map(TestInputSource::File),
        "text" => table.read_text(key, problems).map(TestInputSource::Text),
        "copy" => table.read_text(key, problems).map(TestInputSource::Copy),
        "slow" => table.read_switch(key, problems).then_some(TestInputSource::Slow),
        _ => None,
    };
    if let Some(
        TestInputSource::Generator(argument) | TestInputSource::File(argument) | TestInputSource::Copy(argument),
    ) = &source
        && argument.text.trim().is_empty()
    {
        problems.push(Diagnostic::error("empty", argument.span, format!("`{key}` is empty")));
    }
    source.unwrap_or(TestInputSource::Mixture)
}

/// Reads the restrictions of a test or a group.
pub(super) fn read_restrictions(table: &TomlTable<'_>, problems: &mut Vec<Diagnostic>) -> RecipeRestrictions {
    RecipeRestrictions {
        constraints: table.read_text_list("where", problems).unwrap_or_default(),
        lets: table.read_assignments("let", problems),
        subtask: table.read_text("subtask", problems),
    }
}

fn read_extreme(table: &TomlTable<'_>, problems: &mut Vec<Diagnostic>) -> Option<Extreme> {
    let (max, min) = (table.read_switch("max", problems), table.read_switch("min", problems));
    if max && min {
        let message = "an input cannot be both the largest and the smallest";
        problems
            .push(Diagnostic::error("two-extremes", table.key_span("min"), message).with_caret("conflicts with `max`"));
    }
    if (max || min) && table.has_key("growth") {
        let message = "`growth` has no effect together with `max` or `min`";
        problems.push(Diagnostic::error("useless", table.key_span("growth"), message).with_caret("remove this key"));
    }
    match (max, min) {
        (true, _) => Some(Extreme::Max),
        (_, true) => Some(Extreme::Min),
        _ => None,
    }
}

/// Checks a name, which becomes a file name on every system and in every judge.
pub(super) fn check_file_name(name: &SpannedText, kind: &str, problems: &mut Vec<Diagnostic>) {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let text = &name.text;
    let is_name =
        text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.len() <= 100 && text.chars().all(is_allowed);
    if !is_name {
        let allowed = ["letters", "digits", "`_`", "`-`"];
        let message = format!("the name of a {kind} can only contain {}", list_or(&allowed).replace(" or ", " and "));
        problems.push(Diagnostic::error("name", name.span, message).with_caret("it becomes the name of a file"));
    }
}
