//! From a package to programs that can run: its submissions, and who judges them.

use super::desk::Desk;
use super::setup::{self, Problem};
use crate::campaign::Role;
use crate::corpus::{Package, read_file};
use crate::diagnostic::{Error, Result, list_or};
use crate::run::{CompileError, LANGUAGES, Language, Program};
use std::path::{Path, PathBuf};

/// A compiled source, and what decides how it behaves.
pub(super) type Made = std::result::Result<(Program, Option<String>), CompileError>;

impl Problem {
    /// The problem of a package's folder.
    pub(super) fn of_package(folder: &Path, desk: &mut Desk) -> Result<Problem> {
        Problem::load(&setup::target(folder), None, desk)
    }

    /// Its package.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn package(&self) -> Result<&Package> {
        self.package.as_ref().ok_or_else(|| {
            Error::usage(format!("`{}` is no problem package", self.folder.display()))
                .with_help("a package is a folder with `problem.yaml`, `data/` and `submissions/`")
        })
    }
}

/// Why a source is in a language that is not spoken here, whether it may be executed or not: it is a text, and names nobody
/// to execute it.
fn foreign(path: &Path) -> Option<Error> {
    if Language::of(path).is_some() || !path.is_file() {
        return None;
    }
    let text = read_file(path).ok().filter(|text| !text.starts_with(b"#!") && !text.contains(&0))?;
    let what = if text.is_empty() { "is empty" } else { "is no script that begins with `#!`" };
    let extensions: Vec<String> = LANGUAGES.iter().map(|language| format!("`.{}`", language.extensions[0])).collect();
    Some(
        Error::usage(format!("cannot tell the language of `{}`, which {what}", path.display()))
            .with_help(format!("name it {}", list_or(&extensions))),
    )
}

/// Compiles sources for a package, several at a time, and tells of them by these names in their order.
pub(super) fn compile_all(
    package: Option<&Package>,
    sources: &[(PathBuf, String)],
    role: Role,
    desk: &mut Desk,
) -> Vec<Made> {
    let foreign: Vec<Option<Error>> = sources.iter().map(|(path, _)| foreign(path)).collect();
    let spoken = sources.iter().zip(&foreign).filter(|(_, foreign)| foreign.is_none());
    let paths: Vec<&Path> = spoken.map(|((path, _), _)| path.as_path()).collect();
    let made = desk.builder.compile_all(&paths, &setup::includes(package), desk.jobs, &desk.cancel);
    let mut made = made.into_iter();
    let told = foreign.into_iter().zip(sources).map(|(foreign, (_, name))| {
        let compiled = match foreign {
            Some(error) => Err(error.into()),
            None => made.next().unwrap_or_else(|| Err(Error::interrupted().into())),
        };
        let compiled = compiled?;
        setup::tell(&compiled, name, role, desk);
        Ok((compiled.program, compiled.identity))
    });
    told.collect()
}
