//! The files next to a submission, by their names.

use rebut_toolchain::LANGUAGES;
use std::path::{Path, PathBuf};

/// File stems of submissions.
pub(super) const SUBMISSION_STEMS: [&str; 2] = ["sol", "solution"];
/// File stems of references, in order of preference.
pub(super) const REFERENCE_STEMS: [&str; 6] = ["reference", "brute", "bruteforce", "brute_force", "naive", "slow"];
/// The file with the format of a problem, in its package or next to a submission.
pub(super) const FORMAT_FILE: &str = "input.format";
/// Error message if the origin of inputs is unknown.
pub(super) const NO_INPUTS: &str = "no input format or generator was given or found";
/// Error message if nothing provides the answers.
pub(super) const NO_REFERENCE: &str = "no reference solution was given or found";

/// Returns the files next to a submission that are named like references.
pub(super) fn find_references(submission: &Path) -> Vec<PathBuf> {
    let mut found = find_sources(parent_folder(submission), &REFERENCE_STEMS);
    found.retain(|path| path != submission);
    found
}

/// Returns the folder of a file.
pub(super) fn parent_folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Returns the sources in a folder with one of these stems, ordered by stem and then by language.
pub(super) fn find_sources(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let extensions = || LANGUAGES.iter().flat_map(|language| language.extensions);
    let paths = names.iter().flat_map(|name| extensions().map(move |end| folder.join(format!("{name}.{end}"))));
    paths.filter(|path| path.is_file()).collect()
}
