//! Problem packages, read whatever their dialect: one walk finds the files ([`tree`]), each part is understood by a file
//! of its own, and what is wrong is collected ([`log`]) and told at once. Nothing outside the package is read, and no
//! test data is: of an input and an answer only the place is kept.

mod constants;
mod data;
mod find;
mod flags;
mod folders;
mod glob;
mod group;
mod log;
mod model;
mod older;
mod probes;
mod programs;
mod rules;
mod settings;
mod sheet;
mod submissions;
mod tags;
mod tree;
mod yaml;

pub use constants::Constants;
pub use find::find_submission;
pub use model::{
    Bound, Dialect, Group, Judging, OutputValidator, Package, PackageLimits, Probe, Rule, Submission, TestCase,
};

use crate::diagnostic::{Error, Result};
use log::Log;
use std::path::Path;
use tree::Tree;

impl Package {
    /// Reads a package.
    ///
    /// # Errors
    /// If the folder is none, or the package is broken: all that is wrong with it is in one message. Also if a file
    /// cannot be read.
    pub fn load(folder: &Path) -> Result<Package> {
        if !folder.is_dir() {
            return Err(Error::usage(format!("`{}` is not a folder", folder.display()))
                .with_help("a problem is a folder with `problem.yaml` or `input.format`"));
        }
        let mut log = Log::default();
        let tree = Tree::walk(folder, &mut log)?;
        let mut package = read(folder, &tree, &mut log)?;
        package.notes = log.finish(&folder.display().to_string())?;
        Ok(package)
    }
}

fn read(folder: &Path, tree: &Tree, log: &mut Log) -> Result<Package> {
    let mut settings = settings::read(tree, log)?;
    older::read(tree, &mut settings, log)?;
    let file = |name: &str| tree.file(name).map(|item| tree.path(&item.path));
    let data = data::read(tree, &settings, log)?;
    let max_score = data.groups.iter().find(|g| g.max_score.is_some()).and_then(|g| g.max_score);
    let submissions = submissions::read(tree, &settings, max_score, log)?;
    let output_validator = programs::output_validator(tree, &settings, log);
    if !output_validator.is_custom
        && let Err(text) = flags::checker(&output_validator.arguments)
    {
        log.error(settings::FILE, text);
    }
    Ok(Package {
        id: name_of(folder),
        dialect: settings.dialect,
        format: file("input.format"),
        recipe: file("tests.toml"),
        output_validator,
        input_validators: programs::input_validators(tree, log),
        include: programs::include(tree),
        submissions,
        groups: data.groups,
        test_cases: data.test_cases,
        probes: probes::read(tree, &settings, log)?,
        titles: settings.titles,
        about: settings.about,
        limits: settings.limits,
        judging: settings.judging,
        constants: settings.constants,
        notes: Vec::new(),
        folder: folder.to_owned(),
    })
}

/// The folder's own name, also for `.`.
fn name_of(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole.file_name().map_or_else(|| "problem".to_owned(), |n| n.to_string_lossy().into_owned())
}
