//! Problem packages, read whatever their dialect: one walk finds the files ([`tree`]), each part is understood by a file
//! of its own, and what is wrong is collected ([`log`]) and told at once. Nothing outside the package is read, and no
//! test data is: of an input and an answer only the place is kept.

mod constants;
mod data;
mod filled;
mod find;
mod flags;
mod folders;
mod glob;
mod grading;
mod group;
mod included;
mod log;
mod model;
mod older;
mod probes;
mod programs;
mod rules;
mod settings;
mod sheet;
mod statics;
mod submissions;
mod tags;
mod testlib;
mod titles;
mod tree;
mod yaml;

pub use constants::Constants;
pub use find::{find_submission, reference_rank};
pub use included::language_code;
pub use model::{
    Bound, ByValidator, Dialect, Group, Judging, OutputValidator, Package, PackageLimits, Probe, Rule, StaticCase,
    Submission, TestCase,
};
pub use testlib::speaks_testlib;

use crate::diagnostic::{Error, Result};
use log::Log;
use std::path::Path;
use tree::Tree;

/// By these files a package is known.
const DESCRIPTIONS: [&str; 4] = [settings::FILE, "domjudge-problem.ini", "input.format", "tests.toml"];

impl Package {
    /// Reads a package.
    ///
    /// # Errors
    /// If the folder is none, or the package is broken: all that is wrong with it is in one message. Also if a file
    /// cannot be read.
    pub fn load(folder: &Path) -> Result<Package> {
        Package::load_without(folder, &|_| false)
    }

    /// Reads a package as if some files were not there: what a build is about to replace must not refuse it. `is_left_out` is
    /// given paths in the package, with `/`.
    ///
    /// # Errors
    /// As [`load`](Package::load).
    pub fn load_without(folder: &Path, is_left_out: &dyn Fn(&str) -> bool) -> Result<Package> {
        if !folder.is_dir() {
            return Err(Error::usage(format!("`{}` is not a folder", folder.display()))
                .with_help("a problem is a folder with `problem.yaml` or `input.format`"));
        }
        let mut log = Log::default();
        let tree = Tree::walk(folder, is_left_out, &mut log)?;
        let mut package = read(folder, &tree, &mut log)?;
        package.notes = log.finish(&folder.display().to_string())?;
        Ok(package)
    }
}

fn read(folder: &Path, tree: &Tree, log: &mut Log) -> Result<Package> {
    let mut settings = settings::read(tree, log)?;
    older::read(tree, &mut settings, log)?;
    titles::read(tree, &mut settings, log)?;
    if log.is_empty() && !DESCRIPTIONS.iter().any(|name| tree.file(name).is_some()) {
        log.error("", "is no problem package: it has no `problem.yaml`");
        log.help("a problem is a folder with `problem.yaml` or `input.format`");
    }
    let file = |name: &str| tree.file(name).map(|item| tree.path(&item.path));
    let data = data::read(tree, &settings, log)?;
    let static_validator = programs::static_validator(tree, log);
    let static_cases = statics::read(&settings, static_validator.is_some(), &data.markings, log);
    let scale = grading::scale(&settings, &data.markings, &data.test_cases, &static_cases, log);
    let grader = programs::grader(tree, scale.as_ref(), log);
    let submissions = submissions::read(tree, &settings, scale.as_ref(), log)?;
    let output_validator = programs::output_validator(tree, &settings, log);
    let probes = probes::read(tree, &settings, log)?;
    if !output_validator.is_custom {
        check_flags(&output_validator.arguments, &data, &probes, log);
    }
    Ok(Package {
        id: name_of(folder),
        dialect: settings.dialect,
        format: file("input.format"),
        recipe: file("tests.toml"),
        output_validator,
        input_validators: programs::input_validators(tree, log),
        answer_validators: programs::answer_validators(tree, log),
        static_validator,
        static_cases,
        include: programs::include(tree),
        submissions,
        groups: data.groups,
        test_cases: data.test_cases,
        scale,
        grader,
        probes,
        titles: settings.titles,
        about: settings.about,
        limits: settings.limits,
        judging: settings.judging,
        constants: settings.constants,
        standards: settings.standards,
        notes: Vec::new(),
        folder: folder.to_owned(),
    })
}

/// Tells of arguments that the default output validator does not know, each once.
fn check_flags(of_all: &[String], data: &data::Data, probes: &[Probe], log: &mut Log) {
    if let Err(text) = flags::checker(of_all) {
        log.error(settings::FILE, text);
        return;
    }
    let mut told: Vec<String> = Vec::new();
    let groups = data.groups.iter().map(|group| (&group.name, &group.output_validator_arguments));
    let cases = data.test_cases.iter().map(|case| (&case.name, &case.output_validator_arguments));
    let outputs = probes.iter().filter(|probe| probe.output.is_some());
    let outputs = outputs.map(|probe| (&probe.name, &probe.arguments.of_all));
    for (name, arguments) in groups.chain(cases).chain(outputs) {
        let Err(text) = flags::checker(arguments) else { continue };
        if !told.contains(&text) {
            log.error(format!("data/{name}"), text.clone());
            told.push(text);
        }
    }
}

/// The folder's own name, also for `.`.
fn name_of(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole.file_name().map_or_else(|| "problem".to_owned(), |n| n.to_string_lossy().into_owned())
}
