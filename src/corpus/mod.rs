//! Files on disk as the tool knows them: problem packages and findings. The only room that walks folders.

mod bundle;
mod finding;
mod lock;
mod package;
pub mod recipe;
mod store;
mod test_set;

pub use bundle::{Bundle, MOST_BYTES, MOST_FILES, safe};
pub use finding::{
    Certificate, Finding, ProofKind, RECORD_VERSION, Record, SameSize, load, replace, save, spare_folder,
};
pub use lock::{Lock, Locked, hash};
pub use package::{
    Bound, ByValidator, Constants, Dialect, Group, Judging, OutputValidator, Package, PackageLimits, Probe, Rule,
    StaticCase, Submission, TestCase, find_submission, language_code, reference_rank, speaks_testlib,
};
pub use store::{Store, digest, write_whole};
pub use test_set::{Changes, TestSet, Wanted};

use crate::diagnostic::{Error, Result};
use std::path::{Path, PathBuf};

/// The largest file that is read into memory, in bytes.
const LARGEST_FILE: u64 = 1 << 30;

/// Reads a file that the user named; `-` is the standard input.
///
/// # Errors
/// If it is not there, is a folder, is too large, or cannot be read.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let input = std::io::stdin().lock().take(LARGEST_FILE).read_to_end(&mut bytes);
        return input.map(|_| bytes).map_err(|e| Error::io("read", path, &e));
    }
    let file = std::fs::File::open(path).map_err(|e| Error::unreadable(path, &e))?;
    let length = file.metadata().map_err(|e| Error::unreadable(path, &e))?.len();
    if length > LARGEST_FILE {
        return Err(Error::usage(format!("`{}` is too large to read: {length} bytes", path.display())));
    }
    file.take(LARGEST_FILE).read_to_end(&mut bytes).map_err(|e| Error::unreadable(path, &e))?;
    Ok(bytes)
}

/// The largest file that describes something, in bytes: formats, recipes, scripts.
const LARGEST_DESCRIPTION: u64 = 4 << 20;

/// Reads a file that describes something. What is taken apart needs many times its own size, so there is less of it.
///
/// # Errors
/// As [`read_file`].
pub fn read_description(path: &Path) -> Result<Vec<u8>> {
    let bytes = std::fs::metadata(path).map_or(0, |data| data.len());
    if bytes > LARGEST_DESCRIPTION {
        return Err(Error::usage(format!("`{}`: {bytes} bytes are too many for a description", path.display())));
    }
    read_file(path)
}

/// Writes a file that the user asked for.
///
/// # Errors
/// If it cannot be written; the folder is made if it is missing.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent).map_err(|e| Error::io("create", parent, &e))?;
    }
    std::fs::write(path, bytes).map_err(|e| Error::io("write", path, &e))
}

/// What the links of a package may lead to: everything below one folder that is not hidden.
#[derive(Clone, Debug)]
struct LinkScope {
    /// The folder, without links.
    root: PathBuf,
    /// Whether it is a repository around the package.
    is_repository: bool,
}

impl LinkScope {
    /// Returns the scope of a folder: the repository that it lies in, or else the folder itself. A repository with the
    /// user's home folder in it does not count: most of what is in there belongs to other things.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    fn of(folder: &Path) -> std::io::Result<LinkScope> {
        let own = folder.canonicalize()?;
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        let is_repository = |folder: &&Path| folder.join(".git").exists();
        let repository =
            own.ancestors().find(is_repository).filter(|root| home.is_none_or(|home| !home.starts_with(root)));
        let is_repository = repository.is_some_and(|root| root != own);
        Ok(LinkScope { root: repository.unwrap_or(&own).to_owned(), is_repository })
    }

    /// Returns true if a target, which is given by its canonical path, may be read.
    fn contains(&self, target: &Path) -> bool {
        let is_hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
        target.strip_prefix(&self.root).is_ok_and(|below| !below.iter().any(is_hidden))
    }

    /// Returns true if a link leads to something that may be read.
    fn allows(&self, link: &Path) -> bool {
        link.canonicalize().is_ok_and(|target| self.contains(&target))
    }

    /// What a link leaves that leads elsewhere.
    fn name(&self) -> &'static str {
        if self.is_repository { "repository" } else { "package" }
    }
}

/// The files of a folder, sorted by name; none if it is not there.
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name();
    let files = entries.into_iter().filter_map(std::result::Result::ok).filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).collect()
}
