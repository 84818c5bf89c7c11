//! Whether files have changed since they were looked at.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use walkdir::{DirEntry, WalkDir};

/// Folders of a package that rebut writes itself, or that are made from other files.
const GENERATED_FOLDERS: [&str; 2] = ["data", "findings"];

/// The times and sizes of files, by which a change is recognised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileStamps {
    stamps: BTreeMap<PathBuf, FileStamp>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct FileStamp {
    /// `None` if the file system has no times.
    modified: Option<SystemTime>,
    bytes: u64,
}

impl FileStamps {
    /// Adds a file. A missing one has no stamp, so that its creation is a change.
    pub fn add_file(&mut self, path: &Path) {
        if let Ok(metadata) = std::fs::metadata(path) {
            self.add_stamp(path, &metadata);
        }
    }

    /// Adds the files directly in a folder for which `is_watched` returns true.
    pub fn add_files_in(&mut self, folder: &Path, is_watched: impl Fn(&Path) -> bool) {
        for entry in WalkDir::new(folder).min_depth(1).max_depth(1).into_iter().filter_map(Result::ok) {
            if entry.file_type().is_file() && is_watched(entry.path()) {
                self.add_entry(&entry);
            }
        }
    }

    /// Adds all files of a package but its test data, its findings and hidden files.
    pub fn add_package(&mut self, folder: &Path) {
        let is_source = |entry: &DirEntry| {
            let name = entry.file_name();
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            let is_generated = entry.depth() == 1 && GENERATED_FOLDERS.iter().any(|generated| name == *generated);
            entry.depth() == 0 || !is_hidden && !is_generated
        };
        for entry in WalkDir::new(folder).into_iter().filter_entry(is_source).filter_map(Result::ok) {
            if entry.file_type().is_file() {
                self.add_entry(&entry);
            }
        }
    }

    /// Returns the number of files.
    pub fn file_count(&self) -> usize {
        self.stamps.len()
    }

    /// Returns a file that was changed, added or removed between two looks.
    pub fn first_change<'a>(&'a self, later: &'a FileStamps) -> Option<&'a Path> {
        let removed = self.stamps.keys().find(|path| !later.stamps.contains_key(*path));
        let changed = later.stamps.iter().find(|(path, stamp)| self.stamps.get(*path) != Some(stamp));
        changed.map(|(path, _)| path).or(removed).map(PathBuf::as_path)
    }

    /// Adds a file that was found in a folder. One that has just been removed has no stamp.
    fn add_entry(&mut self, entry: &DirEntry) {
        if let Ok(metadata) = entry.metadata() {
            self.add_stamp(entry.path(), &metadata);
        }
    }

    fn add_stamp(&mut self, path: &Path, metadata: &Metadata) {
        let stamp = FileStamp { modified: metadata.modified().ok(), bytes: metadata.len() };
        self.stamps.insert(path.to_owned(), stamp);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use std::fs;

    #[test]
    fn changes_additions_and_removals_are_recognised() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("sol.cpp");
        let look = || {
            let mut stamps = FileStamps::default();
            stamps.add_file(&source);
            stamps.add_files_in(folder.path(), |path| path.extension().is_some_and(|extension| extension == "py"));
            stamps
        };
        let missing = look();
        assert_eq!(missing.file_count(), 0);
        fs::write(&source, "1").unwrap();
        let written = look();
        assert_eq!(missing.first_change(&written), Some(source.as_path()));
        assert_eq!(written.first_change(&missing), Some(source.as_path()));
        fs::write(&source, "12").unwrap();
        assert_eq!(written.first_change(&look()), Some(source.as_path()));
        let changed = look();
        fs::write(folder.path().join("notes.txt"), "").unwrap();
        assert_eq!(changed.first_change(&look()), None);
        fs::write(folder.path().join("brute.py"), "").unwrap();
        assert_eq!(changed.first_change(&look()), Some(folder.path().join("brute.py").as_path()));
    }

    #[test]
    fn files_that_are_made_from_others_do_not_count() {
        let folder = tempfile::tempdir().unwrap();
        for name in
            ["input.format", "submissions/accepted/a.cpp", "data/secret/1.in", "findings/x/input.txt", ".git/HEAD"]
        {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut stamps = FileStamps::default();
        stamps.add_package(folder.path());
        assert_eq!(stamps.file_count(), 2);
    }
}
