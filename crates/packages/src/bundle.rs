//! Bundles: the files of a folder in memory, keyed by relative path. Imports and exports build one and write it to
//! disk in one step. A path in a bundle can never lead out of the folder.

use super::LinkScope;
use rebut_diagnostics::{Error, Result, count_with_noun, shorten_text};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use walkdir::WalkDir;

/// Maximum total size of a bundle, in bytes.
pub const MAX_BUNDLE_BYTES: u64 = 1 << 30;

/// Maximum number of files in a bundle.
pub const MAX_BUNDLE_FILES: usize = 100_000;

/// Maximum length of a path, in bytes.
const MAX_PATH_BYTES: usize = 1000;

/// Folders of version control systems and editors, which are not part of a package.
const SKIPPED_FOLDERS: [&str; 4] = [".git", ".hg", ".svn", ".idea"];

/// Files keyed by path, with `/` as the separator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    files: BTreeMap<String, Vec<u8>>,
    bytes: u64,
}

impl Bundle {
    /// Reads all files below a folder. Links that stay within the folder, or within the repository around it, are
    /// followed.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or has a name that is not portable, if a link is broken or leaves
    /// the folder, or if the bundle becomes too large.
    pub fn read_folder(folder: &Path) -> Result<Bundle> {
        let mut bundle = Bundle::default();
        let scope = LinkScope::for_folder(folder).map_err(|e| Error::io_error("list", folder, &e))?;
        let walk = WalkDir::new(folder).min_depth(1).follow_links(true).sort_by_file_name().into_iter();
        let kept = walk.filter_entry(|entry| !SKIPPED_FOLDERS.iter().any(|name| entry.file_name() == *name));
        for entry in kept {
            let entry = entry.map_err(|e| listing_error(folder, e))?;
            let path = entry.path();
            let refuse = |problem: &str| Error::usage_error(format!("`{}` {problem}", display_path(path)));
            // Check the link before the walk descends into the folder that it leads to.
            if entry.path_is_symlink() && !scope.allows_link(path) {
                return Err(
                    refuse("is a link that leaves the folder").with_help("replace the link by a copy of the file")
                );
            }
            if entry.file_type().is_dir() {
                continue;
            }
            if !entry.file_type().is_file() {
                return Err(refuse("is neither a file nor a folder"));
            }
            let below = path.strip_prefix(folder).unwrap_or(path);
            let name = below.to_str().ok_or_else(|| refuse("has a name that is not UTF-8"))?;
            let length = entry.metadata().map_err(|e| Error::io_error("read", path, &e.into()))?.len();
            bundle
                .check_capacity(length)
                .map_err(|problem| Error::usage_error(format!("`{}`: {problem}", folder.display())))?;
            let bytes = super::read_file(path)?;
            bundle
                .insert(name, bytes)
                .map_err(|problem| Error::usage_error(format!("`{}`: {problem}", display_path(path))))?;
        }
        Ok(bundle)
    }

    /// Adds a file.
    ///
    /// # Errors
    ///
    /// Returns a message if the path is not a relative path within the folder, if the file exists already, or if the
    /// bundle becomes too large.
    pub fn insert(&mut self, path: &str, bytes: Vec<u8>) -> std::result::Result<(), String> {
        check_relative_path(path)?;
        self.check_capacity(bytes.len() as u64)?;
        if self.files.contains_key(path) {
            return Err("there are two files of that name".to_owned());
        }
        let below = format!("{path}/");
        let is_folder = self.files.range(below.clone()..).next().is_some_and(|(other, _)| other.starts_with(&below));
        let mut above = path.match_indices('/').map(|(at, _)| &path[..at]);
        if is_folder || above.any(|folder| self.files.contains_key(folder)) {
            return Err("a file and a folder have the same name".to_owned());
        }
        self.bytes += bytes.len() as u64;
        self.files.insert(path.to_owned(), bytes);
        Ok(())
    }

    /// Checks that `bytes` more bytes fit into the bundle.
    ///
    /// # Errors
    ///
    /// Returns a message if they do not.
    pub fn check_capacity(&self, bytes: u64) -> std::result::Result<(), String> {
        if self.bytes.saturating_add(bytes) > MAX_BUNDLE_BYTES {
            return Err(format!("all files together have more than {} MiB", MAX_BUNDLE_BYTES >> 20));
        }
        if self.files.len() >= MAX_BUNDLE_FILES {
            return Err(format!("a package has at most {}", count_with_noun(MAX_BUNDLE_FILES, "file")));
        }
        Ok(())
    }

    /// Returns the contents of a file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// Iterates over all files, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// Iterates over the files below a folder, by their paths relative to it.
    pub fn files_below<'b>(&'b self, folder: &str) -> impl Iterator<Item = (&'b str, &'b [u8])> {
        let prefix = format!("{folder}/");
        self.iter().filter_map(move |(path, bytes)| Some((path.strip_prefix(&prefix)?, bytes)))
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns true if the bundle has no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes the bundle to a new folder, atomically: the files are written to a temporary folder next to it first.
    ///
    /// # Errors
    ///
    /// Returns an error if `folder` exists and is not empty, or if it cannot be written.
    pub fn write_folder(&self, folder: &Path) -> Result<()> {
        check_target_is_free(folder)?;
        let parent = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !parent.is_dir() {
            return Err(Error::usage_error(format!("there is no folder `{}`", parent.display()))
                .with_help("create the parent folder first"));
        }
        let mut stage = tempfile::Builder::new();
        let stage =
            stage.prefix(".rebut-").tempdir_in(parent).map_err(|e| Error::io_error("write into", parent, &e))?;
        let complete = stage.path().join("whole");
        fs::create_dir(&complete).map_err(|e| Error::io_error("create", &complete, &e))?;
        for (path, bytes) in self.iter() {
            super::write_file(&complete.join(path), bytes)?;
        }
        fs::rename(&complete, folder).map_err(|e| Error::io_error("create", folder, &e))
    }
}

/// Describes why an entry could not be read: usually a broken link, or a link to one of its own parent folders.
fn listing_error(folder: &Path, error: walkdir::Error) -> Error {
    let path = error.path().unwrap_or(folder).to_path_buf();
    let is_link = fs::symlink_metadata(&path).is_ok_and(|data| data.is_symlink());
    let is_loop = error.loop_ancestor().is_some();
    let problem = match is_link {
        true if is_loop => "is a link to one of its parent folders",
        true => "is a broken link",
        false => return Error::io_error("list", &path, &error.into()),
    };
    Error::usage_error(format!("`{}` {problem}", display_path(&path)))
        .with_help("replace the link by a copy of the file")
}

/// Formats a path for a message.
fn display_path(path: &Path) -> String {
    shorten_text(path.to_string_lossy().as_bytes(), 200)
}

/// Checks that a target does not exist yet, or is an empty folder.
fn check_target_is_free(folder: &Path) -> Result<()> {
    let help = "choose a folder that does not exist yet";
    match fs::symlink_metadata(folder) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io_error("read", folder, &e)),
        Ok(data) if !data.is_dir() => {
            Err(Error::usage_error(format!("`{}` exists and is not a folder", folder.display())).with_help(help))
        }
        Ok(_) => match fs::read_dir(folder).map_err(|e| Error::io_error("list", folder, &e))?.next() {
            None => Ok(()),
            Some(_) => Err(Error::usage_error(format!("`{}` is not empty", folder.display())).with_help(help)),
        },
    }
}

/// Checks that a path is relative, portable and stays in its folder.
///
/// # Errors
///
/// Returns a message that describes the problem with the path.
pub fn check_relative_path(path: &str) -> std::result::Result<(), String> {
    if path.is_empty() || path.len() > MAX_PATH_BYTES {
        return Err(format!("a path has 1 to {MAX_PATH_BYTES} bytes"));
    }
    if path.starts_with('/') || path.as_bytes().get(1) == Some(&b':') {
        return Err("the path is absolute".to_owned());
    }
    if path.contains('\\') || path.chars().any(char::is_control) {
        return Err("the path contains a backslash or a control character".to_owned());
    }
    let mut parts = path.split('/');
    match parts.find(|part| matches!(*part, "" | "." | "..")) {
        Some("..") => Err("the path leaves the folder".to_owned()),
        Some(_) => Err("the path contains an empty component".to_owned()),
        None => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_folder_are_refused() {
        for path in ["a", "a/b.c", "..a/b..", "a b/c"] {
            assert_eq!(check_relative_path(path), Ok(()), "{path}");
        }
        for path in ["", "/a", "../a", "a/../b", "a//b", "a/", "./a", "a\\b", "C:/a", "a\nb", &"a".repeat(1001)] {
            assert!(check_relative_path(path).is_err(), "{path}");
        }
    }

    #[test]
    fn file_and_folder_of_one_name_are_refused() {
        let mut bundle = Bundle::default();
        bundle.insert("a/b", Vec::new()).unwrap();
        bundle.insert("a-b", Vec::new()).unwrap();
        assert!(bundle.insert("a", Vec::new()).is_err());
        assert!(bundle.insert("a/b/c", Vec::new()).is_err());
        assert!(bundle.insert("a/b", Vec::new()).is_err());
        assert_eq!(bundle.len(), 2);
    }

    #[test]
    #[cfg(unix)]
    fn links_within_the_folder_are_followed() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("p");
        let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
        fs::create_dir_all(folder.join("a")).unwrap();
        fs::write(folder.join("a/1.in"), "x").unwrap();
        fs::write(around.path().join("secret"), "y").unwrap();
        link("a", "b");
        link("a/1.in", "c.in");
        let found = Bundle::read_folder(&folder).unwrap();
        let paths: Vec<(&str, &[u8])> = found.iter().collect();
        assert_eq!(paths, [("a/1.in", &b"x"[..]), ("b/1.in", b"x"), ("c.in", b"x")]);
        for (target, problem) in [
            ("../secret", "is a link that leaves the folder"),
            ("..", "is a link that leaves the folder"),
            ("/", "is a link that leaves the folder"),
            ("none", "is a broken link"),
            ("d", "is a broken link"),
            (".", "is a link to one of its parent folders"),
        ] {
            link(target, "d");
            let error = Bundle::read_folder(&folder).unwrap_err();
            assert!(error.message().ends_with(&format!("p/d` {problem}")), "{target}: {}", error.message());
            fs::remove_file(folder.join("d")).unwrap();
        }
    }

    #[test]
    fn folder_is_written_atomically() {
        let folder = tempfile::tempdir().unwrap();
        let mut bundle = Bundle::default();
        bundle.insert("x/y", b"z".to_vec()).unwrap();
        let target = folder.path().join("new");
        bundle.write_folder(&target).unwrap();
        assert_eq!(Bundle::read_folder(&target).unwrap(), bundle);
        assert!(bundle.write_folder(&target).unwrap_err().message().ends_with("is not empty"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
