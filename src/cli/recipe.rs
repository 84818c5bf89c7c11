//! From what a recipe says to what can be made: names are looked up, programs compiled, files read.

use super::desk::Desk;
use super::programs;
use crate::campaign::{Drawn, Making, Order, Role, Stated, Validator};
use crate::corpus::recipe::{Demands, Group, Maker, Recipe, Test, Words, narrow};
use crate::corpus::{self, digest, read_file};
use crate::diagnostic::{Diagnostic, Error, Result, nearest};
use crate::format::Format;
use crate::run::{Program, split_words};
use rebut_generators::{BESPOKE, STREAM_VERSION, all_shapes, find_budget_shape, find_shape};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Reads the recipe of a problem; what is wrong with it is shown.
pub(super) fn load(folder: &Path, desk: &mut Desk) -> Result<Recipe> {
    let path = folder.join("tests.toml");
    if !path.is_file() {
        return Err(Error::usage(format!("there is no recipe `{}`", path.display()))
            .with_help("a recipe begins with `[[test]]`, and `name = \"small\"` below it"));
    }
    Recipe::load(&path)?.map_err(|(source, problems)| {
        desk.show(&problems, &source);
        // The diagnostics have said it all.
        Error::usage("")
    })
}

/// Makes orders of a recipe's tests.
pub(super) struct Kitchen<'k> {
    recipe: &'k Recipe,
    folder: &'k Path,
    format: Option<&'k Format>,
    validators: Vec<Validator>,
    desk: &'k mut Desk,
    /// Generators by the first word of their commands, with the digests of their sources.
    generators: BTreeMap<String, (Program, String)>,
    problems: Vec<Diagnostic>,
}

impl<'k> Kitchen<'k> {
    /// For the recipe of the package in `folder`; `validators` are those that the format names.
    pub(super) fn new(
        recipe: &'k Recipe,
        folder: &'k Path,
        format: Option<&'k Format>,
        validators: Vec<Validator>,
        desk: &'k mut Desk,
    ) -> Self {
        Kitchen { recipe, folder, format, validators, desk, generators: BTreeMap::new(), problems: Vec::new() }
    }

    /// The validators again.
    pub(super) fn into_validators(self) -> Vec<Validator> {
        self.validators
    }

    /// An order for each test.
    ///
    /// # Errors
    /// What is wrong with the recipe, after it was shown; or what cannot be read or compiled.
    pub(super) fn orders(&mut self) -> Result<Vec<Order>> {
        let mut orders: Vec<Order> = Vec::new();
        let recipe = self.recipe;
        for group in &recipe.groups {
            for (number, test) in group.tests.iter().enumerate() {
                let order = self.order(group, number, test)?;
                orders.push(order);
            }
        }
        if self.problems.is_empty() {
            return Ok(orders);
        }
        self.problems.sort_by_key(|problem| problem.span);
        self.problems.dedup();
        self.desk.show(&self.problems, &recipe.source);
        Err(Error::usage(""))
    }

    fn complain(&mut self, words: &Words, code: &'static str, message: String) {
        self.problems.push(Diagnostic::error(code, words.span, message));
    }

    fn order(&mut self, group: &Group, number: usize, test: &Test) -> Result<Order> {
        let format = self.narrowed(group, test);
        let words = maker_words(test, format.as_ref());
        let name = test.name.clone().unwrap_or_else(|| words.clone());
        let seed = test.seed.unwrap_or_else(|| {
            let whole = digest(&[self.recipe.seed.to_string(), group.name.clone(), name]);
            u64::from_str_radix(&whole[..16], 16).unwrap_or(0)
        });
        let (making, key) = self.making(group, test)?;
        let text = format.as_ref().map_or(Vec::new(), |format| format.source.text.clone());
        let own = self.own_digest()?;
        let parts: Vec<Vec<u8>> = match making {
            Making::Bytes(_) => vec![b"given 1".to_vec(), key.into_bytes()],
            Making::Program { .. } => {
                vec![b"made 1".to_vec(), seed.to_le_bytes().into(), words.into_bytes(), key.into_bytes()]
            }
            Making::Copy(_) => vec![b"copy 1".to_vec(), key.into_bytes()],
            Making::Drawn(_) | Making::Every => vec![
                b"drawn 1".to_vec(),
                STREAM_VERSION.to_le_bytes().into(),
                seed.to_le_bytes().into(),
                words.into_bytes(),
                text,
                own.into_bytes(),
            ],
        };
        Ok(Order {
            folder: group.folder(),
            count: test.count,
            stem: group.stem(number),
            answer: self.stated(test)?,
            making,
            format,
            validators: self.validators.clone(),
            seed,
            has_own_seed: test.seed.is_some(),
            key: digest(&parts),
        })
    }

    /// The format that the test's inputs follow; what is wrong with the demands is noted.
    fn narrowed(&mut self, group: &Group, test: &Test) -> Option<Format> {
        let mut demands = test.demands.clone();
        if let Maker::Exhaustive(scope) = &test.maker {
            demands.constraints.extend(scope.iter().cloned());
        }
        let Some(format) = self.format else {
            let all = [&group.demands, &demands].into_iter().flat_map(|d| d.constraints.iter().chain(&d.lets));
            let all: Vec<Words> = all.chain(&demands.subtask).chain(&group.demands.subtask).cloned().collect();
            let message = "the problem has no `input.format`, so nobody knows what this means";
            all.iter().for_each(|words| self.complain(words, "no-format", message.to_owned()));
            return None;
        };
        if let Some(cases) = test.cases {
            let Some(count) = format.case_count() else {
                let problem = Diagnostic::error("cases", test.span, "the format has no `cases` that a number counts");
                self.problems.push(problem.caret("this test says how many"));
                return None;
            };
            if is_drawn_whole(test) {
                let text = format!("{} = {cases}", format.field(count).name);
                demands.lets.push(Words { text, span: test.span });
            }
        }
        let source = &format.source;
        match narrow(source, self.recipe, &[&group.demands, &demands]) {
            Ok(narrowed) => Some(Format { stop: format.stop.clone(), ..narrowed.format }),
            Err(problems) => {
                self.problems.extend(problems);
                None
            }
        }
    }

    /// How the test's inputs are made, and the digest of what is not in the recipe.
    fn making(&mut self, group: &Group, test: &Test) -> Result<(Making, String)> {
        Ok(match &test.maker {
            Maker::Mixture => (self.drawn(test, &[]), String::new()),
            Maker::Shapes(shapes) => (self.drawn(test, shapes), String::new()),
            Maker::Exhaustive(_) => (Making::Every, String::new()),
            Maker::Text(words) => bytes(words.text.as_bytes().to_vec()),
            Maker::File(words) => match self.inside(words) {
                Some(path) => bytes(read_file(&path)?),
                None => bytes(Vec::new()),
            },
            Maker::Copy(words) => self.copy(group, test, words),
            Maker::Generator(words) => {
                let split = split_words(&words.text)?;
                let (program, key) = self.generator(&split[0])?;
                (Making::Program { program, arguments: split[1..].to_vec() }, key)
            }
        })
    }

    fn drawn(&mut self, test: &Test, shapes: &[Words]) -> Making {
        for shape in shapes {
            if find_shape(&shape.text).is_none() {
                let message = format!("there is no shape `{}`", shape.text);
                let problem = Diagnostic::error("unknown-shape", shape.span, message).caret("not known");
                self.problems.push(match nearest(&shape.text, all_shapes().map(|s| s.name)) {
                    Some(near) => problem.help(format!("did you mean `{near}`?")),
                    None => problem.help("`rebut shapes` lists them"),
                });
            } else if test.extreme.is_some() && BESPOKE.iter().any(|b| b.name == shape.text) {
                let message = format!("`{}` has sizes of its own: `max` and `min` say nothing to it", shape.text);
                let problem = Diagnostic::error("useless", shape.span, message).caret("made for this problem");
                self.problems.push(problem.help("`growth` and `where` do"));
            }
        }
        let cases = test.cases.filter(|_| !is_drawn_whole(test));
        let shapes = shapes.iter().map(|shape| shape.text.clone()).collect();
        Making::Drawn(Drawn { shapes, cases, growth: test.growth, extreme: test.extreme })
    }

    /// The order that a test copies: named by group and name, or by group and number.
    fn copy(&mut self, group: &Group, test: &Test, words: &Words) -> (Making, String) {
        let names = |g: &Group, number: usize| -> Vec<String> {
            let name = g.tests[number].name.iter().map(|name| format!("{}/{name}", g.name));
            let own = g.tests[number].name.iter().filter(|_| g.name == group.name).cloned();
            name.chain([format!("{}/{}", g.name, number + 1)]).chain(own).collect()
        };
        let (mut at, mut known) = (0, Vec::new());
        for g in &self.recipe.groups {
            for number in 0..g.tests.len() {
                if names(g, number).contains(&words.text) && !std::ptr::eq(&raw const g.tests[number], test) {
                    if matches!(g.tests[number].maker, Maker::Copy(_)) {
                        self.complain(words, "copy", format!("`{}` is a copy itself", words.text));
                    }
                    return (Making::Copy(at), words.text.clone());
                }
                known.extend(names(g, number).into_iter().next());
                at += 1;
            }
        }
        let problem = Diagnostic::error("copy", words.span, format!("there is no test `{}`", words.text));
        self.problems.push(match nearest(&words.text, known.iter().map(String::as_str)) {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None => problem.help("a test is named by its group and its name: `sample/1`"),
        });
        (Making::Copy(usize::MAX), String::new())
    }

    /// A generator: a source in the package's `generators/`, or a command.
    fn generator(&mut self, head: &str) -> Result<(Program, String)> {
        if let Some(known) = self.generators.get(head) {
            return Ok(known.clone());
        }
        let folder = self.folder.join("generators");
        let sources = corpus::files_in(&folder);
        let named = |path: &&PathBuf| {
            path.file_name().is_some_and(|name| name == head) || path.file_stem().is_some_and(|stem| stem == head)
        };
        let made = match sources.iter().find(named) {
            Some(path) => {
                let program = programs::compile_for(None, path, Role::Generator, self.desk)
                    .map_err(|e| programs::jury_failure(e, head))?;
                let texts: Vec<Vec<u8>> = sources.iter().map(|path| read_file(path)).collect::<Result<_>>()?;
                (program, digest(&texts))
            }
            None => (programs::command(head, Role::Generator, self.desk)?, "command".to_owned()),
        };
        self.generators.insert(head.to_owned(), made.clone());
        Ok(made)
    }

    /// The answer that is stated: in the recipe, or beside the input's file.
    fn stated(&mut self, test: &Test) -> Result<Option<Stated>> {
        if let Some(answer) = &test.answer {
            return Ok(Some(Stated { origin: "tests.toml".to_owned(), bytes: answer.text.as_bytes().to_vec() }));
        }
        let Maker::File(words) = &test.maker else { return Ok(None) };
        let beside = Path::new(&words.text).with_extension("ans");
        if !self.folder.join(&beside).is_file() {
            return Ok(None);
        }
        let origin = beside.display().to_string();
        let words = Words { text: origin.clone(), span: words.span };
        let Some(path) = self.inside(&words) else { return Ok(None) };
        Ok(Some(Stated { origin, bytes: read_file(&path)? }))
    }

    /// The path of a file of the package; one outside is refused.
    fn inside(&mut self, words: &Words) -> Option<PathBuf> {
        let path = self.folder.join(&words.text);
        let (whole, package) = (path.canonicalize(), self.folder.canonicalize());
        let message = match (whole, package) {
            (Ok(whole), Ok(package)) if whole.starts_with(&package) && whole.is_file() => return Some(path),
            (Ok(whole), _) if whole.is_file() => format!("`{}` leaves the package", words.text),
            _ => format!("there is no file `{}` in the package", words.text),
        };
        self.complain(words, "file", message);
        None
    }

    /// The digest of the validators that the format names: they decide what is drawn.
    fn own_digest(&self) -> Result<String> {
        let commands = self.format.iter().flat_map(|format| &format.validators);
        let mut parts = Vec::new();
        for external in commands {
            let head = external.command.split(' ').next().unwrap_or_default();
            let path = self.folder.join(head);
            parts.push(if path.is_file() { read_file(&path)? } else { external.command.clone().into_bytes() });
        }
        Ok(digest(&parts))
    }
}

/// Returns true if the cases of a test are not drawn one by one: where sizes are at one end they share the limits as the format
/// says, and otherwise as a shape does that splits budgets.
fn is_drawn_whole(test: &Test) -> bool {
    let splits = |shapes: &[Words]| shapes.iter().any(|shape| find_budget_shape(&shape.text).is_some());
    test.extreme.is_some() || matches!(&test.maker, Maker::Shapes(shapes) if splits(shapes))
}

fn bytes(bytes: Vec<u8>) -> (Making, String) {
    let key = digest(&[&bytes]);
    (Making::Bytes(bytes), key)
}

/// What an entry says about how its inputs are made, in one line: part of its key, and in place of a missing name.
fn maker_words(test: &Test, format: Option<&Format>) -> String {
    let list = |words: &[Words]| words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join("\n");
    let maker = match &test.maker {
        Maker::Mixture => "mixture".to_owned(),
        Maker::Shapes(shapes) => format!("shape {}", list(shapes)),
        Maker::Exhaustive(_) => "exhaustive".to_owned(),
        Maker::Generator(words) => format!("generator {}", words.text),
        Maker::File(words) => format!("file {}", words.text),
        Maker::Text(words) => format!("text {}", words.text),
        Maker::Copy(words) => format!("copy {}", words.text),
    };
    let Demands { constraints, lets, subtask } = &test.demands;
    let subtask = subtask.as_ref().map_or("", |subtask| &subtask.text);
    let demands = format!("{}\n{}\n{subtask}", list(constraints), list(lets));
    let has_format = format.is_some();
    format!("{maker}\n{demands}\n{:?} {:?} {:?} {has_format}", test.cases, test.growth, test.extreme)
}
