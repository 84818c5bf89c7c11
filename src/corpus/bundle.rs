//! A folder's files in memory, by their paths: how packages of others come in, and ours go out. A path in it never leaves
//! the folder, whoever named it.

use super::LinkScope;
use crate::diagnostic::{Error, Result, numbered, shorten};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use walkdir::WalkDir;

/// All files of a bundle together have at most so many bytes.
pub const MOST_BYTES: u64 = 1 << 30;

/// A bundle has at most so many files.
pub const MOST_FILES: usize = 100_000;

/// The longest path, in bytes.
const LONGEST_PATH: usize = 1000;

/// Folders of version control and of editors: nothing of a package's.
const PASSED_OVER: [&str; 4] = [".git", ".hg", ".svn", ".idea"];

/// Files by their paths, with `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    files: BTreeMap<String, Vec<u8>>,
    bytes: u64,
}

impl Bundle {
    /// Reads all files below a folder. A link to something in the folder, or in the repository around it, counts as what it leads
    /// to.
    ///
    /// # Errors
    /// If a file cannot be read, is a link that leaves the folder or leads nowhere, or has a name that no path can have; or
    /// if there is too much of it.
    pub fn read(folder: &Path) -> Result<Bundle> {
        let mut bundle = Bundle::default();
        let scope = LinkScope::of(folder).map_err(|e| Error::io("list", folder, &e))?;
        let walk = WalkDir::new(folder).min_depth(1).follow_links(true).sort_by_file_name().into_iter();
        let kept = walk.filter_entry(|entry| !PASSED_OVER.iter().any(|name| entry.file_name() == *name));
        for entry in kept {
            let entry = entry.map_err(|e| unlisted(folder, e))?;
            let place = entry.path();
            let refused = |words: &str| Error::usage(format!("`{}` {words}", shown(place)));
            // Looked at before anything below a linked folder is.
            if entry.path_is_symlink() && !scope.allows(place) {
                return Err(refused("is a link that leaves the folder").with_help("put the file itself there"));
            }
            if entry.file_type().is_dir() {
                continue;
            }
            if !entry.file_type().is_file() {
                return Err(refused("is neither a file nor a folder"));
            }
            let below = place.strip_prefix(folder).unwrap_or(place);
            let name = below.to_str().ok_or_else(|| refused("has a name that is not UTF-8"))?;
            let length = entry.metadata().map_err(|e| Error::io("read", place, &e.into()))?.len();
            bundle.room_for(length).map_err(|words| Error::usage(format!("`{}`: {words}", folder.display())))?;
            let bytes = super::read_file(place)?;
            bundle.insert(name, bytes).map_err(|words| Error::usage(format!("`{}`: {words}", shown(place))))?;
        }
        Ok(bundle)
    }

    /// Adds a file.
    ///
    /// # Errors
    /// In words: the path leaves the folder or is no path, it is there already, or there is too much.
    pub fn insert(&mut self, path: &str, bytes: Vec<u8>) -> std::result::Result<(), String> {
        safe(path)?;
        self.room_for(bytes.len() as u64)?;
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

    /// Whether so many bytes more are still a bundle.
    ///
    /// # Errors
    /// In words, if not.
    pub fn room_for(&self, bytes: u64) -> std::result::Result<(), String> {
        if self.bytes.saturating_add(bytes) > MOST_BYTES {
            return Err(format!("all files together have more than {} MiB", MOST_BYTES >> 20));
        }
        if self.files.len() >= MOST_FILES {
            return Err(format!("there are more than {}", numbered(MOST_FILES, "file")));
        }
        Ok(())
    }

    /// The bytes of a file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// All files, sorted by their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// The files below a folder, by their paths in it.
    pub fn below<'b>(&'b self, folder: &str) -> impl Iterator<Item = (&'b str, &'b [u8])> {
        let prefix = format!("{folder}/");
        self.iter().filter_map(move |(path, bytes)| Some((path.strip_prefix(&prefix)?, bytes)))
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Makes a folder of it, whole or not at all: everything is written beside it first.
    ///
    /// # Errors
    /// If there is something already but an empty folder, or it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        refuse_taken(folder)?;
        let around = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !around.is_dir() {
            return Err(Error::usage(format!("there is no folder `{}`", around.display()))
                .with_help("make the folder that the new one is to lie in"));
        }
        let mut stage = tempfile::Builder::new();
        let stage = stage.prefix(".rebut-").tempdir_in(around).map_err(|e| Error::io("write into", around, &e))?;
        let whole = stage.path().join("whole");
        fs::create_dir(&whole).map_err(|e| Error::io("create", &whole, &e))?;
        for (path, bytes) in self.iter() {
            super::write_file(&whole.join(path), bytes)?;
        }
        fs::rename(&whole, folder).map_err(|e| Error::io("create", folder, &e))
    }
}

/// Why an entry could not be looked at: mostly a link that leads nowhere, or back to a folder around it.
fn unlisted(folder: &Path, error: walkdir::Error) -> Error {
    let place = error.path().unwrap_or(folder).to_path_buf();
    let is_link = fs::symlink_metadata(&place).is_ok_and(|data| data.is_symlink());
    let is_loop = error.loop_ancestor().is_some();
    let words = match is_link {
        true if is_loop => "is a link back to a folder around it",
        true => "is a link to nothing, or to itself",
        false => return Error::io("list", &place, &error.into()),
    };
    Error::usage(format!("`{}` {words}", shown(&place))).with_help("put the file itself there")
}

/// A path for a message.
fn shown(place: &Path) -> String {
    shorten(place.to_string_lossy().as_bytes(), 200)
}

/// A target is a new folder, or an empty one.
fn refuse_taken(folder: &Path) -> Result<()> {
    let help = "name a folder that is not there yet";
    match fs::symlink_metadata(folder) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io("look at", folder, &e)),
        Ok(data) if !data.is_dir() => {
            Err(Error::usage(format!("`{}` is there already, and no folder", folder.display())).with_help(help))
        }
        Ok(_) => match fs::read_dir(folder).map_err(|e| Error::io("list", folder, &e))?.next() {
            None => Ok(()),
            Some(_) => Err(Error::usage(format!("`{}` is not empty", folder.display())).with_help(help)),
        },
    }
}

/// Whether a path stays in its folder.
///
/// # Errors
/// In words, if not, or if it is no path that every system has.
pub fn safe(path: &str) -> std::result::Result<(), String> {
    if path.is_empty() || path.len() > LONGEST_PATH {
        return Err(format!("a path has 1 to {LONGEST_PATH} bytes"));
    }
    if path.starts_with('/') || path.as_bytes().get(1) == Some(&b':') {
        return Err("the path is absolute".to_owned());
    }
    if path.contains('\\') || path.chars().any(char::is_control) {
        return Err("the path has a backslash or a control character in it".to_owned());
    }
    let mut parts = path.split('/');
    match parts.find(|part| matches!(*part, "" | "." | "..")) {
        Some("..") => Err("the path leaves the folder".to_owned()),
        Some(_) => Err("the path has an empty part in it".to_owned()),
        None => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_in_its_folder() {
        for path in ["a", "a/b.c", "..a/b..", "a b/c"] {
            assert_eq!(safe(path), Ok(()), "{path}");
        }
        for path in ["", "/a", "../a", "a/../b", "a//b", "a/", "./a", "a\\b", "C:/a", "a\nb", &"a".repeat(1001)] {
            assert!(safe(path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_file_is_no_folder() {
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
    fn links_count_as_what_they_lead_to_if_that_is_in_the_folder() {
        let around = tempfile::tempdir().unwrap();
        let folder = around.path().join("p");
        let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
        fs::create_dir_all(folder.join("a")).unwrap();
        fs::write(folder.join("a/1.in"), "x").unwrap();
        fs::write(around.path().join("secret"), "y").unwrap();
        link("a", "b");
        link("a/1.in", "c.in");
        let found = Bundle::read(&folder).unwrap();
        let paths: Vec<(&str, &[u8])> = found.iter().collect();
        assert_eq!(paths, [("a/1.in", &b"x"[..]), ("b/1.in", b"x"), ("c.in", b"x")]);
        for (target, words) in [
            ("../secret", "is a link that leaves the folder"),
            ("..", "is a link that leaves the folder"),
            ("/", "is a link that leaves the folder"),
            ("none", "is a link to nothing, or to itself"),
            ("d", "is a link to nothing, or to itself"),
            (".", "is a link back to a folder around it"),
        ] {
            link(target, "d");
            let error = Bundle::read(&folder).unwrap_err();
            assert!(error.message().ends_with(&format!("p/d` {words}")), "{target}: {}", error.message());
            fs::remove_file(folder.join("d")).unwrap();
        }
    }

    #[test]
    fn a_folder_is_made_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let mut bundle = Bundle::default();
        bundle.insert("x/y", b"z".to_vec()).unwrap();
        let target = folder.path().join("new");
        bundle.write(&target).unwrap();
        assert_eq!(Bundle::read(&target).unwrap(), bundle);
        assert!(bundle.write(&target).unwrap_err().message().ends_with("is not empty"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
