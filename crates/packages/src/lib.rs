//! Files on disk: problem packages, recipes of test sets, findings and cached results. This is the only crate that
//! walks folders.
//!
//! [`Package`] is a problem package, read from any dialect of the format; [`Bundle`] holds the files of a folder in
//! memory; [`TestSet`] and [`TestSetLock`] are the generated tests of a package; [`FindingFiles`] is a saved finding;
//! [`JournalSet`] holds the finished blocks of a search on several machines.
//!
//! # Examples
//!
//! ```
//! use rebut_packages::Bundle;
//!
//! let mut bundle = Bundle::default();
//! bundle.insert("data/sample/1.in", b"3\n".to_vec()).unwrap();
//! assert_eq!(bundle.get("data/sample/1.in"), Some(&b"3\n"[..]));
//! assert!(bundle.insert("../escape", Vec::new()).is_err());
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "the only crate that walks folders, and reads and writes the user's files"
)]

mod bundle;
mod file_stamps;
pub mod finder_syntax;
mod finding_files;
pub mod interop;
mod journal;
mod package;
pub mod recipe;
mod result_cache;
pub mod score;
mod settings;
mod shared_store;
mod shown_samples;
mod stored_files;
mod test_set;
mod test_set_lock;
pub mod verdict;

pub use bundle::{Bundle, MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES, check_relative_path};
pub use file_stamps::FileStamps;
pub use finding_files::{
    Certificate, FINDING_FILE, FINDING_RECORD_VERSION, FinderRecord, FindingFiles, FindingPages, FindingRecord,
    GeneratorRecord, ProofKind, SameSizeProof, create_spare_folder, load_finding, replace_finding, save_finding,
};
pub use journal::{BlockData, BlockReading, JOURNAL_VERSION, JournalManifest, JournalSet, JournalWriter};
pub use package::{
    Constants, Contest, ContestProblem, Dialect, OutputValidator, Package, PackageLimits, PackageSubmission,
    ProblemType, SHOWN_OUTPUT_SUFFIX, STATEMENT_FOLDERS, StaticCase, SubmissionRule, TestCase, TestGroup, TimeBound,
    ValidatorArguments, ValidatorProbe, VisualizerArguments, find_submission, find_testlib_validator,
    follows_testlib_conventions, language_code, reference_rank, validates_like_testlib, write_time_limit,
};
pub use result_cache::ResultCache;
pub use settings::{JUDGE_NAMES, SETTINGS_FILE, Settings, SettingsOption, judge_options};
pub use shared_store::SharedStore;
pub use shown_samples::{ShownSample, find_shown_samples};
pub use stored_files::{digest_folder, digest_parts, read_run_files, write_atomically};
pub use test_set::{TestSet, TestSetChanges, TestSetFile};
pub use test_set_lock::{LockedFile, TestSetLock, sha256_hex};

use rebut_diagnostics::{Error, Result};
use std::path::{Path, PathBuf};

/// Maximum size of a file that is read into memory, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// Reads a file named by the user; `-` is standard input.
///
/// # Errors
///
/// Returns an error if the path does not exist, is a folder, is too large, or cannot be read.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let input = std::io::stdin().lock().take(MAX_FILE_BYTES).read_to_end(&mut bytes);
        return input.map(|_| bytes).map_err(|e| Error::io_error("read", path, &e));
    }
    let file = std::fs::File::open(path).map_err(|e| Error::unreadable_file(path, &e))?;
    let length = file.metadata().map_err(|e| Error::unreadable_file(path, &e))?.len();
    if length > MAX_FILE_BYTES {
        return Err(Error::usage_error(format!("`{}` is too large to read: {length} bytes", path.display())));
    }
    file.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(|e| Error::unreadable_file(path, &e))?;
    Ok(bytes)
}

/// Maximum size of a description (format, recipe, script), in bytes.
const MAX_DESCRIPTION_BYTES: u64 = 4 << 20;

/// Reads a description. Its limit is lower than that of [`read_file`] because parsing needs many times the size of
/// the text.
///
/// # Errors
///
/// As [`read_file`].
pub fn read_description(path: &Path) -> Result<Vec<u8>> {
    let bytes = std::fs::metadata(path).map_or(0, |data| data.len());
    if bytes > MAX_DESCRIPTION_BYTES {
        return Err(Error::usage_error(format!("`{}`: {bytes} bytes is too large for a description", path.display())));
    }
    read_file(path)
}

/// Writes a file, and creates its parent folders if they are missing.
///
/// # Errors
///
/// Returns an error if the file or a folder cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent).map_err(|e| Error::io_error("create", parent, &e))?;
    }
    std::fs::write(path, bytes).map_err(|e| Error::io_error("write", path, &e))
}

/// Writes new files, and then does the rest of a change. If anything fails, none of the files stays.
///
/// # Errors
///
/// Returns an error if a file cannot be written, or that of the rest.
pub fn write_new_files(files: &[(PathBuf, &[u8])], rest: impl FnOnce() -> Result<()>) -> Result<()> {
    let written = files.iter().try_for_each(|(path, bytes)| write_file(path, bytes)).and_then(|()| rest());
    if written.is_err() {
        for (path, _) in files {
            // A file that was not written cannot be removed, and a folder with other files stays.
            let _ = std::fs::remove_file(path);
            let _ = path.parent().map(std::fs::remove_dir);
        }
    }
    written
}

/// The files that the links of a package may lead to: everything below one folder that is not hidden.
#[derive(Clone, Debug)]
struct LinkScope {
    /// Canonical path of the folder.
    root: PathBuf,
    /// Whether the folder is a repository around the package.
    is_repository: bool,
}

impl LinkScope {
    /// Returns the scope of a folder: the repository that contains it, or else the folder itself. A repository that
    /// contains the user's home folder is ignored, because most of its contents are unrelated.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be read.
    fn for_folder(folder: &Path) -> std::io::Result<LinkScope> {
        let own = folder.canonicalize()?;
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        let is_repository = |folder: &&Path| folder.join(".git").exists();
        let repository =
            own.ancestors().find(is_repository).filter(|root| home.is_none_or(|home| !home.starts_with(root)));
        let is_repository = repository.is_some_and(|root| root != own);
        Ok(LinkScope { root: repository.unwrap_or(&own).to_owned(), is_repository })
    }

    /// Returns true if a target, given by its canonical path, may be read.
    fn contains_target(&self, target: &Path) -> bool {
        let is_hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
        target.strip_prefix(&self.root).is_ok_and(|below| !below.iter().any(is_hidden))
    }

    /// Returns true if the target of a link may be read.
    fn allows_link(&self, link: &Path) -> bool {
        link.canonicalize().is_ok_and(|target| self.contains_target(&target))
    }

    /// Returns what a link that leads outside leaves, for messages.
    fn root_kind(&self) -> &'static str {
        if self.is_repository { "repository" } else { "package" }
    }
}

/// Returns the files of a folder, sorted by name. Empty if the folder does not exist.
pub fn list_files(folder: &Path) -> Vec<PathBuf> {
    list_files_to_depth(folder, 1)
}

/// Returns the files of a folder and of the folders in it, sorted by name. Empty if the folder does not exist.
pub fn list_files_below(folder: &Path) -> Vec<PathBuf> {
    list_files_to_depth(folder, usize::MAX)
}

fn list_files_to_depth(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).min_depth(1).max_depth(depth).sort_by_file_name();
    let files = entries.into_iter().filter_map(std::result::Result::ok).filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_change_that_fails_stays() {
        let folder = tempfile::tempdir().unwrap();
        let new = [(folder.path().join("made/1.in"), &b"1\n"[..])];
        assert!(write_new_files(&new, || Err(Error::usage_error("the disk is full".to_owned()))).is_err());
        assert!(!folder.path().join("made").exists());
        write_new_files(&new, || Ok(())).unwrap();
        assert_eq!(read_file(&new[0].0).unwrap(), b"1\n");
    }
}
