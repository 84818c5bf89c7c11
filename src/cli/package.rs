//! From a package to programs that can run: its submissions, and who judges them.

use super::desk::Desk;
use super::setup::{self, Problem};
use crate::campaign::Role;
use crate::corpus::Package;
use crate::diagnostic::{Error, Result};
use crate::run::{CompileError, Program};
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

/// Compiles sources for a package, several at a time, and tells of them by these names in their order.
pub(super) fn compile_all(
    package: Option<&Package>,
    sources: &[(PathBuf, String)],
    role: Role,
    desk: &mut Desk,
) -> Vec<Made> {
    let paths: Vec<&Path> = sources.iter().map(|(path, _)| path.as_path()).collect();
    let made = desk.builder.compile_all(&paths, &setup::includes(package), desk.jobs, &desk.cancel);
    let told = made.into_iter().zip(sources).map(|(compiled, (_, name))| {
        let compiled = compiled?;
        setup::tell(&compiled, name, role, desk);
        Ok((compiled.program, compiled.identity))
    });
    told.collect()
}
