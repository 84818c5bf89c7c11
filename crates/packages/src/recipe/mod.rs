//! Recipes of test sets: `tests.toml` as plain data.
//!
//! A recipe lists tests in the order of the test set. Each test has at most one key that selects the source of its
//! inputs: a `shape`, everything in an `exhaustive` scope, a `generator`, a `file`, a `text`, or a `copy`. Without
//! one, inputs are drawn from the format with the whole mixture of shapes. Errors are collected and reported with
//! their location in the recipe.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_packages::recipe::{TestInputSource, TestSetRecipe};
//!
//! let text = "[[test]]\nname = 'max'\nmax = true\n\n[[test]]\nshape = 'sorted'\ncount = 3\n";
//! let recipe = TestSetRecipe::parse(&SourceText::new("tests.toml", text)).expect("a valid recipe");
//! let tests: Vec<_> = recipe.all_tests().map(|(_, test)| test).collect();
//! assert_eq!(tests[0].name.as_deref(), Some("max"));
//! assert!(matches!(tests[1].input_source, TestInputSource::Shapes(_)));
//! assert_eq!(tests[1].count, 3);
//! ```

mod names;
mod narrowed_format;
#[cfg(feature = "schema")]
mod schema;
mod test_entry;
mod toml_table;

pub(crate) use toml_table::syntax_diagnostic;

pub use narrowed_format::{NarrowedFormat, narrow_format};
#[cfg(feature = "schema")]
pub use schema::recipe_schema;

use rebut_diagnostics::{Diagnostic, Error, Result, SourceText, Span};
use rebut_format::generate::Extreme;
use std::path::Path;
use toml_table::TomlTable;

/// Default group of a test.
pub const SECRET_GROUP: &str = "secret";
/// Group of the samples in the statement.
pub const SAMPLE_GROUP: &str = "sample";

/// Maximum number of tests that have to kill each program.
const MAX_DEPTH: u32 = 50;
/// Maximum number of tests of a selection.
const MAX_TESTS: u32 = 1000;

/// A recipe of a test set.
#[derive(Clone, Debug)]
pub struct TestSetRecipe {
    /// Text of the recipe.
    pub source: SourceText,
    /// Part of every derived seed: another number makes another test set.
    pub seed: u64,
    /// Submission that answers are taken from; `None` for the package's first.
    pub reference: Option<SpannedText>,
    /// How tests are selected among candidates.
    pub selection: SelectionSettings,
    /// Groups in the order in which tests first mention them.
    pub groups: Vec<RecipeGroup>,
}

/// How tests are selected among candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectionSettings {
    /// Number of tests that kill each wrong program, if so many candidates do.
    pub depth: u32,
    /// Number of tests, including those that are no candidates.
    pub tests: u32,
}

impl Default for SelectionSettings {
    fn default() -> Self {
        SelectionSettings { depth: 5, tests: 30 }
    }
}

/// A group of tests: a folder below `data/`.
#[derive(Clone, Debug)]
pub struct RecipeGroup {
    /// `sample`, `secret`, or the name of a folder in `data/secret/`.
    pub name: String,
    /// Restrictions on all inputs of the group.
    pub restrictions: RecipeRestrictions,
    /// Points of the group, if stated.
    pub score: Option<u32>,
    /// Tests in order.
    pub tests: Vec<RecipeTest>,
}

/// An entry of a recipe: one input, or several of the same kind.
#[derive(Clone, Debug)]
pub struct RecipeTest {
    /// Location in the recipe.
    pub span: Span,
    /// Name in addition to its number, if any.
    pub name: Option<String>,
    /// Source of its inputs.
    pub input_source: TestInputSource,
    /// Restrictions beyond the format.
    pub restrictions: RecipeRestrictions,
    /// Number of inputs.
    pub count: u32,
    /// Whether its inputs are candidates, of which only some become tests.
    pub is_candidate: bool,
    /// Seed of its inputs; `None` to derive it from the names.
    pub seed: Option<u64>,
    /// Number of cases in each input, in a format with `cases`; `None` for any number.
    pub cases: Option<u32>,
    /// Sizes of the first and the last case, in percent.
    pub growth: (u32, u32),
    /// Whether sizes are the largest or smallest that are allowed.
    pub extreme: Option<Extreme>,
    /// Expected answer of the reference. Of drawn inputs, only those with this answer are taken.
    pub answer: Option<SpannedText>,
    /// A finder expression: only drawn inputs on which it holds are taken.
    pub find: Option<SpannedText>,
}

/// The source of a test's inputs.
#[derive(Clone, Debug)]
pub enum TestInputSource {
    /// Any shape of the format.
    Mixture,
    /// These shapes in turn, one for each case.
    Shapes(Vec<SpannedText>),
    /// Every input that satisfies these constraints, in as few files as possible.
    Exhaustive(Vec<SpannedText>),
    /// A program, with `{seed}` and `{name}` in its arguments.
    Generator(SpannedText),
    /// A file of the package.
    File(SpannedText),
    /// Text in the recipe.
    Text(SpannedText),
    /// The input of another test: `sample/1`.
    Copy(SpannedText),
    /// The patterns on which the submissions that must be too slow do the most work.
    Slow,
}

/// Restrictions on inputs beyond the format.
#[derive(Clone, Debug, Default)]
pub struct RecipeRestrictions {
    /// Constraints: `N <= 10`.
    pub constraints: Vec<SpannedText>,
    /// Values of fields and constants: `N = 10`.
    pub lets: Vec<SpannedText>,
    /// A subtask of the format.
    pub subtask: Option<SpannedText>,
}

/// A text with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpannedText {
    /// The text.
    pub text: String,
    /// Location, including the quotes.
    pub span: Span,
}

impl SpannedText {
    /// Returns its location without the quotes, if it is written without escapes.
    pub(crate) fn inner_span(&self, source: &SourceText) -> Span {
        self.part_span(source, Span::new(0, self.text.len()))
    }

    /// Returns the location of a part of the text in the file: that of the whole text if it is written with escapes.
    pub fn part_span(&self, source: &SourceText, part: Span) -> Span {
        let (first, last) = (self.span.start + 1, self.span.end.saturating_sub(1));
        if source.text.get(first..last) != Some(self.text.as_bytes()) {
            return self.span;
        }
        let place = |at: usize| (first + at).min(last);
        Span::new(place(part.start), place(part.end).max(place(part.start)))
    }
}

impl TestSetRecipe {
    /// Reads the file of a recipe.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or one with the diagnostics of its text.
    pub fn load(path: &Path) -> Result<TestSetRecipe> {
        let source = SourceText::new(path.display().to_string(), super::read_description(path)?);
        TestSetRecipe::parse(&source).map_err(|problems| Error::from_diagnostics(source, problems))
    }

    /// Parses a recipe.
    ///
    /// # Errors
    ///
    /// Returns all problems, in the order of the text.
    pub fn parse(source: &SourceText) -> std::result::Result<TestSetRecipe, Vec<Diagnostic>> {
        let text = match std::str::from_utf8(&source.text) {
            Ok(text) => text,
            Err(e) => {
                let at = e.valid_up_to();
                return Err(vec![Diagnostic::error("encoding", Span::new(at, at + 1), "a recipe must be valid UTF-8")]);
            }
        };
        let mut problems = Vec::new();
        let recipe = toml::de::DeTable::parse_recoverable(text);
        problems.extend(recipe.1.iter().map(toml_table::syntax_diagnostic));
        if problems.is_empty() {
            let found =
                read_recipe(&TomlTable::new(recipe.0.get_ref(), toml_span(&recipe.0), text), source, &mut problems);
            names::check_texts(&found, &mut problems);
            if problems.is_empty() {
                return Ok(found);
            }
        }
        problems.sort_by_key(|p| p.span);
        Err(problems)
    }

    /// Iterates over all tests with their groups, in the order of the test set.
    pub fn all_tests(&self) -> impl Iterator<Item = (&RecipeGroup, &RecipeTest)> {
        self.groups.iter().flat_map(|group| group.tests.iter().map(move |test| (group, test)))
    }
}

impl RecipeGroup {
    /// Returns the folder of its tests below `data/`.
    pub fn data_folder(&self) -> String {
        match self.name.as_str() {
            SAMPLE_GROUP | SECRET_GROUP => self.name.clone(),
            other => format!("{SECRET_GROUP}/{other}"),
        }
    }

    /// Returns the stem of the file names of a test: its number and its name.
    pub fn test_file_stem(&self, number: usize) -> String {
        let width = self.tests.len().to_string().len();
        let name = self.tests[number].name.as_ref().map_or_else(String::new, |name| format!("_{name}"));
        format!("{:0width$}{name}", number + 1)
    }
}

/// Returns the names of a test's inputs without extension: the stem, followed by a number if there are several.
pub fn input_file_names(stem: &str, inputs: usize) -> Vec<String> {
    if inputs == 1 {
        return vec![stem.to_owned()];
    }
    let width = inputs.to_string().len();
    (1..=inputs).map(|i| format!("{stem}_{i:0width$}")).collect()
}

impl RecipeRestrictions {
    /// Returns true if there are no restrictions.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty() && self.lets.is_empty() && self.subtask.is_none()
    }
}

fn toml_span<T>(spanned: &toml::Spanned<T>) -> Span {
    Span::new(spanned.span().start, spanned.span().end)
}

/// Reads the whole document.
fn read_recipe(table: &TomlTable<'_>, source: &SourceText, problems: &mut Vec<Diagnostic>) -> TestSetRecipe {
    table.check_known_keys(&["seed", "reference", "select", "group", "test"], "a recipe", problems);
    let mut recipe = TestSetRecipe {
        source: source.clone(),
        seed: table.read_seed("seed", problems).unwrap_or(0),
        reference: table.read_text("reference", problems),
        selection: read_selection(table, problems),
        groups: Vec::new(),
    };
    let mut settings = read_group_tables(table, problems);
    for test in table.read_table_list("test", problems) {
        let group = test.read_text("group", problems);
        let name = group.as_ref().map_or(SECRET_GROUP, |g| g.text.as_str());
        if let Some(group) = &group {
            test_entry::check_file_name(group, "group", problems);
        }
        let entry = test_entry::read_test(&test, problems);
        if !recipe.groups.iter().any(|g| g.name == name) {
            let at = settings.iter().position(|g| g.name == name);
            recipe.groups.push(at.map_or_else(|| new_group(name), |at| settings.swap_remove(at)));
        }
        if let Some(group) = recipe.groups.iter_mut().find(|g| g.name == name) {
            if let Some(name) = entry.name.as_ref().filter(|n| group.tests.iter().any(|t| t.name.as_ref() == Some(*n)))
            {
                let message = format!("two tests in the group `{}` are named `{name}`", group.name);
                problems
                    .push(Diagnostic::error("duplicate", entry.span, message).with_caret("second test with this name"));
            }
            group.tests.push(entry);
        }
    }
    report_unused_groups(table, &settings, problems);
    if recipe.groups.is_empty() && problems.is_empty() {
        let help = "add one: `[[test]]`, and below it `name = \"small\"` and `where = \"n <= 10\"`";
        problems.push(Diagnostic::error("empty", Span::new(0, 0), "the recipe has no tests").with_help(help));
    }
    recipe
}

/// Reads the `[select]` table. Without candidates it has no effect, which is an error.
fn read_selection(table: &TomlTable<'_>, problems: &mut Vec<Diagnostic>) -> SelectionSettings {
    let default = SelectionSettings::default();
    let Some(settings) = table.read_table("select", problems) else { return default };
    settings.check_known_keys(&["depth", "tests"], "a selection", problems);
    let has_candidates = table.read_table_list("test", &mut Vec::new()).iter().any(|test| test.has_key("candidates"));
    if !has_candidates {
        let problem =
            Diagnostic::error("useless", table.key_span("select"), "`select` has no effect without candidates");
        problems.push(problem.with_caret("nothing to select from").with_help("write `candidates = 1000` in a test"));
    }
    SelectionSettings {
        depth: settings.read_number("depth", 1, MAX_DEPTH, problems).unwrap_or(default.depth),
        tests: settings.read_number("tests", 1, MAX_TESTS, problems).unwrap_or(default.tests),
    }
}

fn new_group(name: &str) -> RecipeGroup {
    RecipeGroup { name: name.to_owned(), restrictions: RecipeRestrictions::default(), score: None, tests: Vec::new() }
}

/// Reads the `[group.NAME]` tables.
fn read_group_tables(table: &TomlTable<'_>, problems: &mut Vec<Diagnostic>) -> Vec<RecipeGroup> {
    let Some(groups) = table.read_table("group", problems) else { return Vec::new() };
    let mut found = Vec::new();
    for name in groups.key_names() {
        let Some(settings) = groups.read_table(&name, problems) else { continue };
        settings.check_known_keys(&["where", "let", "subtask", "score"], "a group", problems);
        let score = settings.read_number("score", 0, 1_000_000, problems);
        found.push(RecipeGroup {
            restrictions: test_entry::read_restrictions(&settings, problems),
            score,
            ..new_group(&name)
        });
    }
    found
}

/// Reports groups without tests, usually misspelled names.
fn report_unused_groups(table: &TomlTable<'_>, unused: &[RecipeGroup], problems: &mut Vec<Diagnostic>) {
    let mut nothing = Vec::new();
    let Some(groups) = table.read_table("group", &mut nothing) else { return };
    for group in unused {
        let span = groups.key_span(&group.name);
        let message = format!("the group `{}` has no tests", group.name);
        problems.push(Diagnostic::error("unused", span, message).with_caret("not used by any test"));
    }
}

#[cfg(test)]
mod tests;
