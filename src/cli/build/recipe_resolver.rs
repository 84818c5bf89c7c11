//! Resolves a test set recipe into test jobs: looks up names, compiles programs and reads files.

use super::super::compile_programs::{self, digest_command, program_parts};
use super::super::session::Session;
use rebut_diagnostics::{Diagnostic, Error, ErrorKind, Result};
use rebut_engine::event::ProgramRole;
use rebut_engine::{DrawSettings, InputMethod, InputValidator, StatedAnswer, TestJob};
use rebut_format::language::Format;
use rebut_generators::{STREAM_VERSION, find_budget_shape, split_shape_names};
use rebut_packages::recipe::{
    RecipeGroup, RecipeRestrictions, RecipeTest, SpannedText, TestInputSource, TestSetRecipe, narrow_format,
};
use rebut_packages::{digest_parts, read_file};
use rebut_sandbox::Program;
use rebut_toolchain::split_words;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file with the recipe of a test set.
const RECIPE_FILE: &str = "tests.toml";

/// Loads the recipe of a problem.
pub(super) fn load_recipe(folder: &Path) -> Result<TestSetRecipe> {
    let path = folder.join(RECIPE_FILE);
    if !path.is_file() {
        return Err(Error::usage_error(format!("no recipe `{}`", path.display()))
            .with_help("a recipe begins with `[[test]]`, and `name = \"small\"` below it"));
    }
    TestSetRecipe::load(&path)
}

/// Creates the test jobs of a recipe.
pub(super) struct RecipeResolver<'k> {
    recipe: &'k TestSetRecipe,
    folder: &'k Path,
    format: Option<&'k Format>,
    validators: Vec<InputValidator>,
    session: &'k mut Session,
    /// Compiled generators by the first word of their command, with the digests of their sources.
    generators: BTreeMap<String, (Program, Option<String>)>,
    problems: Vec<Diagnostic>,
}

impl<'k> RecipeResolver<'k> {
    /// Creates a resolver for the recipe of the package in `folder`. `validators` are those that the format names.
    pub(super) fn new(
        recipe: &'k TestSetRecipe,
        folder: &'k Path,
        format: Option<&'k Format>,
        validators: Vec<InputValidator>,
        session: &'k mut Session,
    ) -> Self {
        RecipeResolver {
            recipe,
            folder,
            format,
            validators,
            session,
            generators: BTreeMap::new(),
            problems: Vec::new(),
        }
    }

    /// Returns the validators.
    pub(super) fn into_validators(self) -> Vec<InputValidator> {
        self.validators
    }

    /// Returns a job for each test.
    ///
    /// # Errors
    /// Returns an error if the recipe is wrong (with its diagnostics), or if a file cannot be read or
    /// compiled.
    pub(super) fn resolve_tests(&mut self) -> Result<Vec<TestJob>> {
        let mut jobs: Vec<TestJob> = Vec::new();
        let recipe = self.recipe;
        for group in &recipe.groups {
            for (number, test) in group.tests.iter().enumerate() {
                let job = self.resolve_test(group, number, test)?;
                jobs.push(job);
            }
        }
        if self.problems.is_empty() {
            return Ok(jobs);
        }
        self.problems.sort_by_key(|problem| problem.span);
        self.problems.dedup();
        Err(Error::from_diagnostics(recipe.source.clone(), std::mem::take(&mut self.problems)))
    }

    fn report_problem(&mut self, words: &SpannedText, code: &'static str, message: String) {
        self.problems.push(Diagnostic::error(code, words.span, message));
    }

    fn resolve_test(&mut self, group: &RecipeGroup, number: usize, test: &RecipeTest) -> Result<TestJob> {
        let format = self.narrow_format(group, test);
        let words = describe_input_source(test, format.as_ref());
        let name = test.name.clone().unwrap_or_else(|| words.clone());
        let seed = test.seed.unwrap_or_else(|| {
            let whole = digest_parts(&[self.recipe.seed.to_string(), group.name.clone(), name]);
            u64::from_str_radix(&whole[..16], 16).unwrap_or(0)
        });
        let (method, key) = self.resolve_input_method(group, test)?;
        let text = format.as_ref().map_or(Vec::new(), |format| format.source.text.clone());
        let own = self.format_validators_digest()?;
        let parts: Vec<Vec<u8>> = match method {
            InputMethod::Bytes(_) => vec![b"given 1".to_vec(), key.into_bytes()],
            InputMethod::Program { .. } => {
                vec![b"made 1".to_vec(), seed.to_le_bytes().into(), words.into_bytes(), key.into_bytes()]
            }
            InputMethod::Copy(_) => vec![b"copy 1".to_vec(), key.into_bytes()],
            InputMethod::Draw(_) | InputMethod::Exhaustive | InputMethod::Slow => vec![
                b"drawn 1".to_vec(),
                STREAM_VERSION.to_le_bytes().into(),
                seed.to_le_bytes().into(),
                words.into_bytes(),
                text,
                own.into_bytes(),
            ],
        };
        Ok(TestJob {
            folder: group.data_folder(),
            count: test.count,
            is_candidate: test.is_candidate,
            stem: group.test_file_stem(number),
            answer: self.find_stated_answer(test)?,
            method,
            format,
            validators: self.validators.clone(),
            seed,
            has_own_seed: test.seed.is_some(),
            key: digest_parts(&parts),
            finder: None,
        })
    }

    /// Returns the format that the test's inputs follow. Errors in its restrictions are recorded.
    fn narrow_format(&mut self, group: &RecipeGroup, test: &RecipeTest) -> Option<Format> {
        let mut demands = test.restrictions.clone();
        if let TestInputSource::Exhaustive(scope) = &test.input_source {
            demands.constraints.extend(scope.iter().cloned());
        }
        let Some(format) = self.format else {
            let all = [&group.restrictions, &demands].into_iter().flat_map(|d| d.constraints.iter().chain(&d.lets));
            let all: Vec<SpannedText> =
                all.chain(&demands.subtask).chain(&group.restrictions.subtask).cloned().collect();
            let message = "this requires an `input.format`, and the problem has none";
            all.iter().for_each(|words| self.report_problem(words, "no-format", message.to_owned()));
            return None;
        };
        if let Some(cases) = test.cases {
            let Some(count) = format.case_count() else {
                let problem = Diagnostic::error("cases", test.span, "the format has no `cases` with a count");
                self.problems.push(problem.with_caret("the number of cases is set here"));
                return None;
            };
            if is_drawn_at_once(test) {
                let text = format!("{} = {cases}", format.field(count).name);
                demands.lets.push(SpannedText { text, span: test.span });
            }
        }
        let source = &format.source;
        match narrow_format(source, self.recipe, &[&group.restrictions, &demands]) {
            Ok(narrowed) => Some(Format { stop_token: format.stop_token.clone(), ..narrowed.format }),
            Err(problems) => {
                self.problems.extend(problems);
                None
            }
        }
    }

    /// Returns how the test's inputs are made, and a digest of everything they depend on outside the recipe.
    fn resolve_input_method(&mut self, group: &RecipeGroup, test: &RecipeTest) -> Result<(InputMethod, String)> {
        Ok(match &test.input_source {
            TestInputSource::Mixture => (Self::resolve_drawn(test, &[]), String::new()),
            TestInputSource::Shapes(shapes) => (Self::resolve_drawn(test, shapes), String::new()),
            TestInputSource::Exhaustive(_) => (InputMethod::Exhaustive, String::new()),
            TestInputSource::Text(words) => bytes_method(words.text.as_bytes().to_vec()),
            TestInputSource::File(words) => match self.path_in_package(words) {
                Some(path) => bytes_method(read_file(&path)?),
                None => bytes_method(Vec::new()),
            },
            TestInputSource::Copy(words) => {
                let copied = self.recipe.find_copied_test(group, test, words);
                let wrong = |problem| Error::from_diagnostics(self.recipe.source.clone(), vec![problem]);
                (InputMethod::Copy(copied.map_err(wrong)?), words.text.clone())
            }
            TestInputSource::Slow => (InputMethod::Slow, String::new()),
            TestInputSource::Generator(words) => {
                let split = split_words(&words.text)?;
                let compiled = self.compile_generator(&split[0]);
                let (program, sources) = compiled.map_err(|error| self.locate_error(&error, words))?;
                let key = sources.map_or_else(|| digest_command(&words.text, self.folder), Ok)?;
                (InputMethod::Program { program, arguments: split[1..].to_vec() }, key)
            }
        })
    }

    fn resolve_drawn(test: &RecipeTest, shapes: &[SpannedText]) -> InputMethod {
        let cases = test.cases.filter(|_| !is_drawn_at_once(test));
        let shapes = shapes.iter().map(|shape| shape.text.clone()).collect();
        let answer = test.answer.as_ref().map(|answer| answer.text.split_whitespace().map(str::to_owned).collect());
        InputMethod::Draw(DrawSettings { shapes, cases, growth: test.growth, extreme: test.extreme, answer })
    }

    /// Compiles a generator: a source or a folder of sources in the package's `generators/` folder, with a digest of that
    /// folder, or a command.
    fn compile_generator(&mut self, head: &str) -> Result<(Program, Option<String>)> {
        if let Some(known) = self.generators.get(head) {
            return Ok(known.clone());
        }
        let folder = self.folder.join("generators");
        let named = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name == head) || path.file_stem().is_some_and(|stem| stem == head)
        };
        let own_folder = Some(folder.join(head)).filter(|path| path.is_dir());
        let compiled = match rebut_packages::list_files(&folder).into_iter().find(named).or(own_folder) {
            Some(path) => {
                let program = compile_programs::compile_for(None, &path, ProgramRole::Generator, self.session)
                    .map_err(|e| compile_programs::to_judge_error(e, head))?;
                let sources = rebut_packages::list_files_below(&folder);
                let texts: Vec<Vec<u8>> = sources.iter().map(|path| read_file(path)).collect::<Result<_>>()?;
                (program, Some(digest_parts(&texts)))
            }
            None => {
                let role = ProgramRole::Generator;
                (compile_programs::compile_command_of(self.folder, head, role, self.session)?, None)
            }
        };
        self.generators.insert(head.to_owned(), compiled.clone());
        Ok(compiled)
    }

    /// Returns the error about a generator with its place in the recipe.
    fn locate_error(&self, error: &Error, words: &SpannedText) -> Error {
        let source = &self.recipe.source;
        if error.kind() == ErrorKind::Usage {
            let problem = Diagnostic::error("generator", words.span, error.message()).with_help(
                "a generator is a source in `generators/`, or a command, which runs in the folder of the package: \
                 `./name` is a program there",
            );
            return Error::from_diagnostics(source.clone(), vec![problem]);
        }
        if error.kind() != ErrorKind::Judge {
            return error.clone();
        }
        let place = source.describe_line(words.span.start);
        let located = Error::judge_error(format!("{place}: {}", error.message()));
        let located = located.with_note(error.note().unwrap_or_default());
        error.help().map_or(located.clone(), |help| located.with_help(help))
    }

    /// Returns the answer stated in the recipe or next to the input file.
    fn find_stated_answer(&mut self, test: &RecipeTest) -> Result<Option<StatedAnswer>> {
        if matches!(test.input_source, TestInputSource::Mixture | TestInputSource::Shapes(_)) {
            // It decides which inputs are taken.
            return Ok(None);
        }
        if let Some(answer) = &test.answer {
            return Ok(Some(StatedAnswer { origin: RECIPE_FILE.to_owned(), bytes: answer.text.as_bytes().to_vec() }));
        }
        let TestInputSource::File(words) = &test.input_source else { return Ok(None) };
        let beside = Path::new(&words.text).with_extension("ans");
        if !self.folder.join(&beside).is_file() {
            return Ok(None);
        }
        let origin = beside.display().to_string();
        let words = SpannedText { text: origin.clone(), span: words.span };
        let Some(path) = self.path_in_package(&words) else { return Ok(None) };
        Ok(Some(StatedAnswer { origin, bytes: read_file(&path)? }))
    }

    /// Returns the path of a file in the package. Paths outside the package are rejected.
    fn path_in_package(&mut self, words: &SpannedText) -> Option<PathBuf> {
        let path = self.folder.join(&words.text);
        let (whole, package) = (path.canonicalize(), self.folder.canonicalize());
        let message = match (whole, package) {
            (Ok(whole), Ok(package)) if whole.starts_with(&package) && whole.is_file() => return Some(path),
            (Ok(whole), _) if whole.is_file() => format!("`{}` is outside the package", words.text),
            _ => format!("no file `{}` in the package", words.text),
        };
        self.report_problem(words, "file", message);
        None
    }

    /// Returns the digest of the validators that the format names, since they influence which inputs are drawn.
    fn format_validators_digest(&self) -> Result<String> {
        let commands = self.format.iter().flat_map(|format| &format.validators);
        let mut parts = Vec::new();
        for external in commands {
            let head = external.command.split(' ').next().unwrap_or_default();
            let path = self.folder.join(head);
            match path.is_file() {
                true => parts.extend(program_parts(&path)?),
                false => parts.push(external.command.clone().into_bytes()),
            }
        }
        Ok(digest_parts(&parts))
    }
}

/// Returns true if the cases of a test are drawn together. With sizes at an extreme they share the limits as the format
/// says; otherwise they are drawn together if a shape splits size budgets.
fn is_drawn_at_once(test: &RecipeTest) -> bool {
    let splits = |shapes: &[SpannedText]| {
        let mut names = shapes.iter().flat_map(|shape| split_shape_names(&shape.text));
        names.any(|name| find_budget_shape(name).is_some())
    };
    test.extreme.is_some() || matches!(&test.input_source, TestInputSource::Shapes(shapes) if splits(shapes))
}

fn bytes_method(bytes: Vec<u8>) -> (InputMethod, String) {
    let key = digest_parts(&[&bytes]);
    (InputMethod::Bytes(bytes), key)
}

/// Describes the input source of a test in one line. It is part of the test's key and replaces a missing name.
fn describe_input_source(test: &RecipeTest, format: Option<&Format>) -> String {
    let list = |words: &[SpannedText]| words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join("\n");
    let maker = match &test.input_source {
        TestInputSource::Mixture => "mixture".to_owned(),
        TestInputSource::Shapes(shapes) => format!("shape {}", list(shapes)),
        TestInputSource::Exhaustive(_) => "exhaustive".to_owned(),
        TestInputSource::Generator(words) => format!("generator {}", words.text),
        TestInputSource::File(words) => format!("file {}", words.text),
        TestInputSource::Text(words) => format!("text {}", words.text),
        TestInputSource::Copy(words) => format!("copy {}", words.text),
        TestInputSource::Slow => "slow".to_owned(),
    };
    let RecipeRestrictions { constraints, lets, subtask } = &test.restrictions;
    let subtask = subtask.as_ref().map_or("", |subtask| &subtask.text);
    let demands = format!("{}\n{}\n{subtask}", list(constraints), list(lets));
    let has_format = format.is_some();
    // The answer of a given input is checked, and changes nothing about the input.
    let is_drawn = matches!(test.input_source, TestInputSource::Mixture | TestInputSource::Shapes(_));
    let answer =
        test.answer.as_ref().filter(|_| is_drawn).map_or(String::new(), |answer| format!("\nanswer {}", answer.text));
    let find = test.find.as_ref().map_or(String::new(), |find| format!("\nfind {}", find.text));
    format!("{maker}\n{demands}\n{:?} {:?} {:?} {has_format}{answer}{find}", test.cases, test.growth, test.extreme)
}
