//! Submissions by the names that users give them, and the ones that answers are taken from.

use super::model::{Package, Submission};
use crate::diagnostic::{Error, Result, nearest};
use rebut_checkers::Checker;
use std::path::{Path, PathBuf};

impl Package {
    /// The submissions that answers can be taken from, best first: of the accepted ones the one called `reference`, then
    /// those called `fast`, then the others by name, folders of sources last.
    pub fn references(&self) -> Vec<PathBuf> {
        let rank = |path: &PathBuf| match path.file_stem().and_then(|s| s.to_str()) {
            Some("reference") => 0,
            Some("fast") => 1,
            _ if path.is_dir() => 3,
            _ => 2,
        };
        let mut paths: Vec<PathBuf> = self.accepted().map(|s| s.path.clone()).collect();
        paths.sort_by_key(rank);
        paths
    }

    /// The checker that the package asks for.
    ///
    /// # Errors
    /// If it has a checker of its own, or flags that nobody knows.
    pub fn checker(&self) -> Result<Checker> {
        self.checker_with(&self.output_validator.arguments)
    }

    /// The same with other arguments: test groups and test cases may have their own.
    ///
    /// # Errors
    /// As [`checker`](Package::checker).
    pub fn checker_with(&self, arguments: &[String]) -> Result<Checker> {
        let folder = self.folder.display();
        if self.output_validator.is_custom {
            return Err(Error::usage(format!("`{folder}` has a custom output validator"))
                .with_help("name a checker with `--checker`"));
        }
        super::flags::checker(arguments).map_err(|text| Error::usage(format!("`{folder}`: {text}")))
    }
}

/// The file that a user means by the name of a submission: a path, a name within the package, or how one alone begins.
///
/// # Errors
/// If there is no such file; the nearest name is proposed, or those that begin so.
pub fn find_submission(name: &Path, package: Option<&Package>) -> Result<PathBuf> {
    let known = package.map_or(&[][..], |p| &p.submissions);
    if name.exists() {
        // With constants filled in, what is run is a copy of the file that is named.
        let own = |s: &&Submission| package.is_some_and(|p| is_same(&p.folder.join("submissions").join(&s.name), name));
        return Ok(known.iter().find(own).map_or_else(|| name.to_owned(), |found| found.path.clone()));
    }
    let file_name = |p: &Path| p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let wanted = name.to_string_lossy();
    let matches =
        |s: &&Submission| s.path.ends_with(name) || s.path.file_stem().is_some_and(|s| s.to_string_lossy() == wanted);
    if let Some(found) = known.iter().find(matches) {
        return Ok(found.path.clone());
    }
    let names: Vec<String> = known.iter().map(|s| file_name(&s.path)).collect();
    let begin: Vec<usize> =
        (0..names.len()).filter(|at| !wanted.is_empty() && names[*at].starts_with(&*wanted)).collect();
    if let [only] = begin[..] {
        return Ok(known[only].path.clone());
    }
    let error = Error::usage(format!("there is no file `{}`", name.display()));
    if !begin.is_empty() {
        let shown: Vec<String> = begin.iter().take(MOST_SHOWN).map(|at| format!("`{}`", names[*at])).collect();
        let more = if begin.len() > MOST_SHOWN { ", ..." } else { "" };
        return Err(error.with_help(format!("{} submissions begin so: {}{more}", begin.len(), shown.join(", "))));
    }
    Err(match nearest(&wanted, names.iter().map(String::as_str)) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error,
    })
}

/// So many names are listed in a message.
const MOST_SHOWN: usize = 5;

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}
