//! Recipes of test sets: what `tests.toml` says, as plain data.
//!
//! A recipe lists the tests in the order of the test set; each says in one key how its inputs are made: by a `shape`, by
//! everything in an `exhaustive` scope, by a `generator`, from a `file` or a `text`, as a `copy`, or, if it says nothing, by
//! the format's whole mixture. What a recipe says wrong is collected and shown with its place.

mod entry;
mod narrow;
mod table;

pub use narrow::{Narrowed, narrow};

use crate::diagnostic::{Diagnostic, Result, Source, Span};
use crate::generate::Extreme;
use std::path::Path;
use table::Table;

/// The group of tests that a test belongs to if it names none.
pub const SECRET: &str = "secret";
/// The group of the statement's samples.
pub const SAMPLE: &str = "sample";

/// A recipe.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Its text.
    pub source: Source,
    /// Part of every derived seed: another number makes another test set.
    pub seed: u64,
    /// The submission that answers are taken from; none for the package's first.
    pub reference: Option<Words>,
    /// Groups in the order in which they are first mentioned by a test.
    pub groups: Vec<Group>,
}

/// A group of tests: a folder of `data/`.
#[derive(Clone, Debug)]
pub struct Group {
    /// `sample`, `secret`, or the name of a folder in `data/secret/`.
    pub name: String,
    /// What all its inputs satisfy.
    pub demands: Demands,
    /// The points that it is worth, if it says so.
    pub score: Option<u32>,
    /// Its tests, in their order.
    pub tests: Vec<Test>,
}

/// One entry of a recipe: one input, or several of one kind.
#[derive(Clone, Debug)]
pub struct Test {
    /// Where it begins.
    pub span: Span,
    /// Its name, if it has one besides its number.
    pub name: Option<String>,
    /// How its inputs are made.
    pub maker: Maker,
    /// What they satisfy besides the format.
    pub demands: Demands,
    /// How many there are.
    pub count: u32,
    /// Where their random choices begin; none to derive it from the names.
    pub seed: Option<u64>,
    /// How many cases each has, in a format with `cases`; none for any number.
    pub cases: Option<u32>,
    /// How large the first case and the last one are, in percent.
    pub growth: (u32, u32),
    /// Sizes at one end of what is allowed.
    pub extreme: Option<Extreme>,
    /// The answer that the reference has to give.
    pub answer: Option<Words>,
}

/// How inputs are made.
#[derive(Clone, Debug)]
pub enum Maker {
    /// By whatever the format can do.
    Mixture,
    /// By these shapes in turn, one case each.
    Shapes(Vec<Words>),
    /// Every input that satisfies these, in as few files as possible.
    Exhaustive(Vec<Words>),
    /// By a program, with `{seed}` and `{name}` in its arguments.
    Generator(Words),
    /// As it stands in a file of the package.
    File(Words),
    /// As it stands in the recipe.
    Text(Words),
    /// As another test's input: `sample/1`.
    Copy(Words),
}

/// What is demanded of inputs beyond the format.
#[derive(Clone, Debug, Default)]
pub struct Demands {
    /// Constraints: `N <= 10`.
    pub constraints: Vec<Words>,
    /// Fields and constants with their values: `N = 10`.
    pub lets: Vec<Words>,
    /// A subtask of the format.
    pub subtask: Option<Words>,
}

/// A text and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The text.
    pub text: String,
    /// Where it stands, with its quotes.
    pub span: Span,
}

impl Recipe {
    /// Reads a recipe's file.
    ///
    /// # Errors
    /// If the file cannot be read. What is wrong with its text is returned inside.
    pub fn load(path: &Path) -> Result<std::result::Result<Recipe, (Source, Vec<Diagnostic>)>> {
        let source = Source::new(path.display().to_string(), super::read_description(path)?);
        Ok(Recipe::parse(&source).map_err(|problems| (source, problems)))
    }

    /// Reads a recipe.
    ///
    /// # Errors
    /// All problems found, in the order of the text.
    pub fn parse(source: &Source) -> std::result::Result<Recipe, Vec<Diagnostic>> {
        let text = match std::str::from_utf8(&source.text) {
            Ok(text) => text,
            Err(e) => {
                let at = e.valid_up_to();
                return Err(vec![Diagnostic::error("encoding", Span::new(at, at + 1), "a recipe is UTF-8 text")]);
            }
        };
        let mut problems = Vec::new();
        let recipe = toml::de::DeTable::parse_recoverable(text);
        problems.extend(recipe.1.iter().map(table::syntax_problem));
        if problems.is_empty() {
            let found = whole(&Table::new(recipe.0.get_ref(), span(&recipe.0), text), source, &mut problems);
            if problems.is_empty() {
                return Ok(found);
            }
        }
        problems.sort_by_key(|p| p.span);
        Err(problems)
    }

    /// All tests with their groups, in the order of the test set.
    pub fn tests(&self) -> impl Iterator<Item = (&Group, &Test)> {
        self.groups.iter().flat_map(|group| group.tests.iter().map(move |test| (group, test)))
    }
}

impl Group {
    /// The folder of its tests below `data/`.
    pub fn folder(&self) -> String {
        match self.name.as_str() {
            SAMPLE | SECRET => self.name.clone(),
            other => format!("{SECRET}/{other}"),
        }
    }

    /// What the files of the test of that number are called: its number and its name.
    pub fn stem(&self, number: usize) -> String {
        let width = self.tests.len().to_string().len();
        let name = self.tests[number].name.as_ref().map_or_else(String::new, |name| format!("_{name}"));
        format!("{:0width$}{name}", number + 1)
    }
}

/// The names of the inputs of a test, without extension: its stem, and a number where there are several.
pub fn file_names(stem: &str, inputs: usize) -> Vec<String> {
    if inputs == 1 {
        return vec![stem.to_owned()];
    }
    let width = inputs.to_string().len();
    (1..=inputs).map(|i| format!("{stem}_{i:0width$}")).collect()
}

impl Demands {
    /// Whether nothing is demanded.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty() && self.lets.is_empty() && self.subtask.is_none()
    }
}

fn span<T>(of: &toml::Spanned<T>) -> Span {
    Span::new(of.span().start, of.span().end)
}

/// The whole document.
fn whole(table: &Table<'_>, source: &Source, problems: &mut Vec<Diagnostic>) -> Recipe {
    table.only(&["seed", "reference", "group", "test"], "a recipe", problems);
    let mut recipe = Recipe {
        source: source.clone(),
        seed: table.seed("seed", problems).unwrap_or(0),
        reference: table.words("reference", problems),
        groups: Vec::new(),
    };
    let mut settings = settings(table, problems);
    for test in table.tables("test", problems) {
        let group = test.words("group", problems);
        let name = group.as_ref().map_or(SECRET, |g| g.text.as_str());
        if let Some(group) = &group {
            entry::check_name(group, "group", problems);
        }
        let made = entry::test(&test, problems);
        if !recipe.groups.iter().any(|g| g.name == name) {
            let at = settings.iter().position(|g| g.name == name);
            recipe.groups.push(at.map_or_else(|| empty_group(name), |at| settings.swap_remove(at)));
        }
        if let Some(group) = recipe.groups.iter_mut().find(|g| g.name == name) {
            if let Some(name) = made.name.as_ref().filter(|n| group.tests.iter().any(|t| t.name.as_ref() == Some(*n))) {
                let message = format!("two tests of the group `{}` are called `{name}`", group.name);
                problems.push(Diagnostic::error("duplicate", made.span, message).caret("the second one"));
            }
            group.tests.push(made);
        }
    }
    unused_groups(table, &settings, problems);
    if recipe.groups.is_empty() && problems.is_empty() {
        let help = "add one: `[[test]]`, and below it `name = \"small\"` and `where = \"n <= 10\"`";
        problems.push(Diagnostic::error("empty", Span::new(0, 0), "the recipe has no test").help(help));
    }
    recipe
}

fn empty_group(name: &str) -> Group {
    Group { name: name.to_owned(), demands: Demands::default(), score: None, tests: Vec::new() }
}

/// What `[group.NAME]` says of each group.
fn settings(table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Vec<Group> {
    let Some(groups) = table.table("group", problems) else { return Vec::new() };
    let mut found = Vec::new();
    for name in groups.keys() {
        let Some(own) = groups.table(&name, problems) else { continue };
        own.only(&["where", "let", "subtask", "score"], "a group", problems);
        let score = own.number("score", 0, 1_000_000, problems);
        found.push(Group { demands: entry::demands(&own, problems), score, ..empty_group(&name) });
    }
    found
}

/// A group without a test is most often a misspelt one.
fn unused_groups(table: &Table<'_>, unused: &[Group], problems: &mut Vec<Diagnostic>) {
    let mut nothing = Vec::new();
    let Some(groups) = table.table("group", &mut nothing) else { return };
    for group in unused {
        let span = groups.key_span(&group.name);
        let message = format!("no test is in the group `{}`", group.name);
        problems.push(Diagnostic::error("unused", span, message).caret("nothing is in it"));
    }
}

#[cfg(test)]
mod tests;
