//! Lookup of submissions by the names that users give, and choice of the reference.

use super::include_files::language_code;
use super::model::{Package, PackageSubmission};
use rebut_checkers::Checker;
use rebut_diagnostics::{Error, Result, suggest_name, suggestion_text};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

impl Package {
    /// Returns the submissions that answers can be taken from, best first. Of the accepted ones these are
    /// `reference`, then `fast`, then the others by the usual speed of their language, and by name.
    pub fn reference_candidates(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.accepted_submissions().map(|s| s.path.clone()).collect();
        paths.sort_by_key(|path| reference_rank(path));
        paths
    }

    /// Returns the entry points that the package states, by the paths of the submissions. A single file has one in Java
    /// only: it can have several classes.
    pub fn entry_points(&self) -> BTreeMap<PathBuf, String> {
        let is_choice = |submission: &&PackageSubmission| {
            let own = self.folder.join("submissions").join(&submission.name);
            own.is_dir() || language_code(&own) == Some("java")
        };
        let choices = self.submissions.iter().filter(is_choice);
        choices.filter_map(|submission| Some((submission.path.clone(), submission.entry_point.clone()?))).collect()
    }

    /// Returns the checker that the package selects.
    ///
    /// # Errors
    ///
    /// Returns an error if the package has a custom output validator or unknown flags.
    pub fn default_checker(&self) -> Result<Checker> {
        self.checker_for_arguments(&self.output_validator.arguments)
    }

    /// Returns the checker for other arguments: test groups and test cases can have their own.
    ///
    /// # Errors
    ///
    /// As [`default_checker`](Package::default_checker).
    pub fn checker_for_arguments(&self, arguments: &[String]) -> Result<Checker> {
        let folder = self.folder.display();
        if self.output_validator.is_custom {
            return Err(Error::usage_error(format!("`{folder}` has a custom output validator"))
                .with_help("choose a checker with `--checker`"));
        }
        super::validator_flags::checker_from_arguments(arguments)
            .map_err(|text| Error::usage_error(format!("`{folder}`: {text}")))
    }
}

/// Ranks a submission as the reference, by its name and language alone; lower is better.
pub fn reference_rank(path: &Path) -> usize {
    /// Language codes, usually faster ones first.
    const LANGUAGES_BY_SPEED: [&[&str]; 4] =
        [&["c", "cpp", "rust", "go"], &["java", "kotlin"], &["javascript"], &["python3"]];
    match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("reference") => return 0,
        Some("fast") => return 1,
        _ => {}
    }
    let files = if path.is_dir() { crate::list_files(path) } else { vec![path.to_owned()] };
    let code = files.iter().find_map(|file| language_code(file));
    let speed = code.and_then(|code| LANGUAGES_BY_SPEED.iter().position(|codes| codes.contains(&code)));
    2 + speed.unwrap_or(LANGUAGES_BY_SPEED.len())
}

/// Returns the submission that a user means: a path, a name in the package, or an unambiguous prefix of one.
///
/// # Errors
///
/// Returns an error if nothing matches, with a suggestion: the nearest name, or the names that start with the prefix.
pub fn find_submission(name: &Path, package: Option<&Package>) -> Result<PathBuf> {
    let known = package.map_or(&[][..], |p| &p.submissions);
    if name.exists() {
        // The named file may have been copied to substitute constants; the copy is what is run.
        let own = |s: &&PackageSubmission| {
            package.is_some_and(|p| is_same_file(&p.folder.join("submissions").join(&s.name), name))
        };
        return Ok(known.iter().find(own).map_or_else(|| name.to_owned(), |found| found.path.clone()));
    }
    let file_name = |p: &Path| p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let wanted = name.to_string_lossy();
    let matches = |s: &&PackageSubmission| {
        s.path.ends_with(name) || s.path.file_stem().is_some_and(|s| s.to_string_lossy() == wanted)
    };
    if let Some(found) = known.iter().find(matches) {
        return Ok(found.path.clone());
    }
    let names: Vec<String> = known.iter().map(|s| file_name(&s.path)).collect();
    let with_prefix: Vec<usize> =
        (0..names.len()).filter(|at| !wanted.is_empty() && names[*at].starts_with(&*wanted)).collect();
    if let [only] = with_prefix[..] {
        return Ok(known[only].path.clone());
    }
    let error = Error::usage_error(format!("there is no file `{}`", name.display()));
    if !with_prefix.is_empty() {
        let shown: Vec<String> =
            with_prefix.iter().take(MAX_SUGGESTIONS).map(|at| format!("`{}`", names[*at])).collect();
        let more = if with_prefix.len() > MAX_SUGGESTIONS { ", ..." } else { "" };
        return Err(error.with_help(format!(
            "{} submissions start with this name: {}{more}",
            with_prefix.len(),
            shown.join(", ")
        )));
    }
    Err(match suggest_submission(name, &names) {
        Some(near) => error.with_help(suggestion_text(&near)),
        None => error,
    })
}

/// Suggests a file for an unknown name: the file of a command such as `python3 a.py`, or the nearest of the known
/// names and the files in the same folder.
fn suggest_submission(name: &Path, known: &[String]) -> Option<String> {
    let wanted = name.to_string_lossy();
    let file = wanted.split_whitespace().last().filter(|word| *word != wanted && Path::new(word).is_file());
    if let Some(file) = file {
        return Some(file.to_owned());
    }
    let folder = name.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let siblings = std::fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| entry.path().is_file());
    let siblings: Vec<String> =
        siblings.map(|entry| name.with_file_name(entry.file_name()).to_string_lossy().into_owned()).collect();
    suggest_name(&wanted, known.iter().chain(&siblings).map(String::as_str)).map(str::to_owned)
}

/// Maximum number of names listed in a message.
const MAX_SUGGESTIONS: usize = 5;

fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other || one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_misspelt_names_suggest_a_file() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("brute.py");
        std::fs::write(&file, "")?;
        let file = file.display().to_string();
        let meant = |name: String| suggest_submission(Path::new(&name), &["sol.cpp".to_owned()]);
        assert_eq!(meant(format!("python3 {file}")).as_ref(), Some(&file));
        assert_eq!(meant(file.replace("brute", "brut")).as_ref(), Some(&file));
        assert_eq!(meant("sol.pp".to_owned()).as_deref(), Some("sol.cpp"));
        assert_eq!(meant(format!("{}/other/quite", folder.path().display())), None);
        Ok(())
    }
}
