//! From a package to programs that can run: its submissions, and who judges them.

use super::desk::Desk;
use super::setup::{self, Problem};
use crate::campaign::Role;
use crate::corpus::{Package, Submission, read_file};
use crate::diagnostic::{Error, Result, list_or};
use crate::run::{CompileError, LANGUAGES, Language, Program, Variant};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A compiled source, and what decides how it behaves.
pub(super) type Made = (std::result::Result<Program, CompileError>, Option<String>);

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

/// Why a submission is in a language that is not spoken here, whether it may be executed or not: it is a text, and names
/// nobody to execute it.
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

/// Compiles the submissions, several at a time, and tells of them in their order.
pub(super) fn compile_all(package: &Package, submissions: &[&Submission], role: Role, desk: &mut Desk) -> Vec<Made> {
    let (builder, cancel) = (desk.builder.clone(), desk.cancel.clone());
    let includes: Vec<&Path> = package.include.iter().map(PathBuf::as_path).collect();
    let next = AtomicUsize::new(0);
    let made: Mutex<Vec<Option<_>>> = Mutex::new(submissions.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..desk.jobs.clamp(1, submissions.len().max(1)) {
            scope.spawn(|| {
                while let Some((i, submission)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    submissions.get(i).map(|s| (i, s))
                } {
                    let path = &submission.path;
                    let compiled = match foreign(path) {
                        Some(error) => Err(error.into()),
                        None => builder.compile_including(path, &includes, Variant::Judged, &cancel),
                    };
                    made.lock().unwrap_or_else(PoisonError::into_inner)[i] = Some(compiled);
                }
            });
        }
    });
    let made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    let told = made.into_iter().flatten().zip(submissions).map(|(compiled, submission)| {
        let compiled = compiled?;
        setup::tell(&compiled, &submission.name, role, desk);
        Ok(compiled)
    });
    told.map(|compiled| match compiled {
        Ok(compiled) => (Ok(compiled.program), compiled.identity),
        Err(error) => (Err(error), None),
    })
    .collect()
}
