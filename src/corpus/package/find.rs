//! Submissions by the names that users give them, and the ones that answers are taken from.

use super::included::language_code;
use super::model::{Package, Submission};
use crate::diagnostic::{Error, Result, nearest};
use rebut_checkers::Checker;
use std::path::{Path, PathBuf};

impl Package {
    /// Returns the submissions that answers can be taken from, best first: of the accepted ones the one called `reference`,
    /// then those called `fast`, then the others by how fast programs in their language usually are, and by name.
    pub fn references(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.accepted().map(|s| s.path.clone()).collect();
        paths.sort_by_key(|path| reference_rank(path));
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

/// Returns how well a submission serves as the reference, by its name and its language alone; less is better.
pub fn reference_rank(path: &Path) -> usize {
    /// Codes of languages, the usually faster ones first.
    const SPEEDS: [&[&str]; 4] = [&["c", "cpp", "rust", "go"], &["java", "kotlin"], &["javascript"], &["python3"]];
    match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("reference") => return 0,
        Some("fast") => return 1,
        _ => {}
    }
    let files = if path.is_dir() { crate::corpus::files_in(path) } else { vec![path.to_owned()] };
    let code = files.iter().find_map(|file| language_code(file));
    let speed = code.and_then(|code| SPEEDS.iter().position(|codes| codes.contains(&code)));
    2 + speed.unwrap_or(SPEEDS.len())
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
    Err(match meant(name, &names) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error,
    })
}

/// What was probably meant by a name that nothing has: the file alone where a command was typed, or else the nearest of the
/// known names and of those beside it.
fn meant(name: &Path, known: &[String]) -> Option<String> {
    let wanted = name.to_string_lossy();
    let file = wanted.split_whitespace().last().filter(|word| *word != wanted && Path::new(word).is_file());
    if let Some(file) = file {
        return Some(file.to_owned());
    }
    let folder = name.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let beside = std::fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| entry.path().is_file());
    let beside: Vec<String> =
        beside.map(|entry| name.with_file_name(entry.file_name()).to_string_lossy().into_owned()).collect();
    nearest(&wanted, known.iter().chain(&beside).map(String::as_str)).map(str::to_owned)
}

/// So many names are listed in a message.
const MOST_SHOWN: usize = 5;

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_means_its_file_and_a_misspelt_name_what_is_beside_it() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("brute.py");
        std::fs::write(&file, "")?;
        let file = file.display().to_string();
        let meant = |name: String| meant(Path::new(&name), &["sol.cpp".to_owned()]);
        assert_eq!(meant(format!("python3 {file}")).as_ref(), Some(&file));
        assert_eq!(meant(file.replace("brute", "brut")).as_ref(), Some(&file));
        assert_eq!(meant("sol.pp".to_owned()).as_deref(), Some("sol.cpp"));
        assert_eq!(meant(format!("{}/other/quite", folder.path().display())), None);
        Ok(())
    }
}
