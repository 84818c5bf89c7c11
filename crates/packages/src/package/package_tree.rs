//! The files and folders of a package, found in one walk. Links are followed within the package and the repository
//! that contains it, never out of it. No file is opened; entries that are neither a file nor a folder are reported.

use super::package_log::{PackageLog, shorten_for_message};
use crate::LinkScope;
use rebut_diagnostics::{Error, Result};
use std::collections::BTreeMap;
use std::fs::FileType;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Folders that are read with all of their contents.
const PACKAGE_FOLDERS: [&str; 16] = [
    "data",
    "graders",
    "include",
    "input_format_validators",
    "input_validator",
    "input_validators",
    "answer_format_validators",
    "answer_validators",
    "output_validator",
    "output_validators",
    "input_visualizer",
    "output_visualizer",
    "problem_statement",
    "statement",
    "static_validator",
    "submissions",
];

/// Files at the top of a package that are read.
const PACKAGE_FILES: [&str; 6] =
    ["problem.yaml", "domjudge-problem.ini", ".timelimit", "input.format", "tests.toml", "testlib.h"];

/// Maximum nesting of folders.
const MAX_FOLDER_DEPTH: usize = 24;

/// Maximum number of files and folders in a package.
const MAX_PACKAGE_ENTRIES: usize = 200_000;

/// The entries of a package.
#[derive(Debug)]
pub(super) struct PackageTree {
    folder: PathBuf,
    /// Entries of each folder by the folder's path, sorted by name.
    folders: BTreeMap<String, Vec<PackageEntry>>,
}

/// A file or folder of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PackageEntry {
    pub(super) name: String,
    /// Path in the package, with `/`.
    pub(super) path: String,
    pub(super) is_folder: bool,
    /// Size in bytes.
    pub(super) bytes: u64,
}

impl PackageEntry {
    /// Returns the part of the name after the last dot.
    pub(super) fn extension(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

impl PackageTree {
    /// Walks a package, without the paths for which `is_left_out` returns true.
    ///
    /// # Errors
    ///
    /// Returns an error if a folder cannot be listed. Errors in the package are added to the log.
    pub(super) fn from_folder(
        folder: &Path,
        is_left_out: &dyn Fn(&str) -> bool,
        log: &mut PackageLog,
    ) -> Result<PackageTree> {
        let root = folder.canonicalize().map_err(|e| Error::unreadable_file(folder, &e))?;
        let tree = PackageTree { folder: folder.to_owned(), folders: BTreeMap::new() };
        let scope = LinkScope::for_folder(folder).map_err(|e| Error::unreadable_file(folder, &e))?;
        let mut walk = PackageWalker { scope, tree, entries: 0, is_left_out, log };
        walk.visit_folder("", &mut vec![root])?;
        Ok(walk.tree)
    }

    /// Returns the path of an entry on disk.
    pub(super) fn absolute_path(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.folder.clone() } else { self.folder.join(path) }
    }

    /// Returns the entries of a folder, sorted by name. Empty if the folder does not exist.
    pub(super) fn children(&self, path: &str) -> &[PackageEntry] {
        self.folders.get(path).map_or(&[], Vec::as_slice)
    }

    pub(super) fn has_folder(&self, path: &str) -> bool {
        self.folders.contains_key(path)
    }

    pub(super) fn find_file(&self, path: &str) -> Option<&PackageEntry> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.children(folder).iter().find(|item| item.name == name && !item.is_folder)
    }

    /// Returns all files below a folder, depth first.
    pub(super) fn files_below(&self, path: &str) -> Vec<&PackageEntry> {
        let mut files = Vec::new();
        for item in self.children(path) {
            if item.is_folder {
                files.extend(self.files_below(&item.path));
            } else {
                files.push(item);
            }
        }
        files
    }

    /// Reads the text of a description, if it exists. Text that is not UTF-8 is reported to the log.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub(super) fn read_text(&self, path: &str, log: &mut PackageLog) -> Result<Option<String>> {
        let Some(item) = self.find_file(path) else { return Ok(None) };
        if is_too_large(path, item.bytes, log) {
            return Ok(None);
        }
        match String::from_utf8(crate::read_file(&self.absolute_path(path))?) {
            Ok(text) => Ok(Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))),
            Err(_) => {
                log.report_error(path, "is not UTF-8");
                Ok(None)
            }
        }
    }
}

/// A walk in progress.
struct PackageWalker<'a> {
    scope: LinkScope,
    tree: PackageTree,
    entries: usize,
    is_left_out: &'a dyn Fn(&str) -> bool,
    log: &'a mut PackageLog,
}

impl PackageWalker<'_> {
    /// Lists a folder recursively. `around` holds the canonical paths of its parents, and its own as the last.
    fn visit_folder(&mut self, path: &str, ancestors: &mut Vec<PathBuf>) -> Result<()> {
        let mut items = Vec::new();
        let real = ancestors.last().cloned().unwrap_or_default();
        for entry in WalkDir::new(&real).min_depth(1).max_depth(1).sort_by_file_name() {
            let entry = entry.map_err(|e| listing_error(&self.tree.absolute_path(path), e))?;
            let Some((item, target)) = self.inspect_entry(path, &entry, ancestors) else { continue };
            self.entries += 1;
            if self.entries > MAX_PACKAGE_ENTRIES {
                self.log.report_error(path, format!("the package has more than {MAX_PACKAGE_ENTRIES} files"));
                return Ok(());
            }
            if item.is_folder {
                ancestors.push(target);
                self.visit_folder(&item.path, ancestors)?;
                ancestors.pop();
            }
            items.push(item);
        }
        self.check_case_collisions(path, &items);
        self.tree.folders.insert(path.to_owned(), items);
        Ok(())
    }

    /// Reports names that differ only by case. Test data is exempt.
    fn check_case_collisions(&mut self, folder: &str, items: &[PackageEntry]) {
        if folder.is_empty() || folder.starts_with("data") {
            return;
        }
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for item in items {
            if let Some(other) = seen.insert(item.name.to_lowercase(), &item.name) {
                self.log.report_error(item.path.as_str(), format!("differs from `{other}` only by case"));
            }
        }
    }

    /// Returns an entry and its canonical path, or `None` if it is skipped or reported as an error.
    fn inspect_entry(
        &mut self,
        folder: &str,
        entry: &DirEntry,
        ancestors: &[PathBuf],
    ) -> Option<(PackageEntry, PathBuf)> {
        let Some(name) = entry.file_name().to_str() else {
            let name = entry.file_name().to_string_lossy();
            if !folder.is_empty() && !name.starts_with('.') {
                self.log.report_error(join_path(folder, &name), "the name is not valid UTF-8");
            }
            return None;
        };
        if !is_package_entry(folder, name) {
            return None;
        }
        let path = join_path(folder, name);
        if (self.is_left_out)(&path) {
            return None;
        }
        if name.chars().any(char::is_control) {
            self.log.report_error(path, "the name contains control characters");
            return None;
        }
        let (kind, target) = self.resolve_target(&path, entry)?;
        let is_folder = kind.is_dir();
        let is_ancestor = ancestors.iter().any(|folder| folder.starts_with(&target));
        if is_folder && (is_ancestor || ancestors.len() > MAX_FOLDER_DEPTH) {
            let text = if is_ancestor { "a link to one of its parent folders" } else { "is nested too deeply" };
            self.log.report_error(path, text);
            return None;
        }
        if !is_folder && !kind.is_file() {
            self.log.report_error(path, "is neither a file nor a folder");
            return None;
        }
        let bytes = std::fs::metadata(&target).map_or(0, |data| data.len());
        let is_wanted = !folder.is_empty() || is_folder == PACKAGE_FOLDERS.contains(&name);
        if !is_wanted {
            self.log.report_wrong_file_type(&path, is_folder);
            return None;
        }
        // Checked even if this command does not read the file: files at the top describe the package.
        if folder.is_empty() && !is_folder && is_too_large(&path, bytes, self.log) {
            return None;
        }
        Some((PackageEntry { name: name.to_owned(), path, is_folder, bytes }, target))
    }

    /// Returns the type and the canonical path of an entry, or `None` if it is a link that cannot be followed.
    fn resolve_target(&mut self, path: &str, entry: &DirEntry) -> Option<(FileType, PathBuf)> {
        if !entry.path_is_symlink() {
            return Some((entry.file_type(), entry.path().to_owned()));
        }
        let Ok(target) = entry.path().canonicalize() else {
            self.log.report_error(path, "a broken link");
            return None;
        };
        if !self.scope.contains_target(&target) {
            let destination = std::fs::read_link(entry.path()).unwrap_or_default();
            let destination = shorten_for_message(&destination.to_string_lossy());
            self.log.report_error(path, format!("a link that leaves the {}: `{destination}`", self.scope.root_kind()));
            self.log.add_help("copy the file into the package");
            return None;
        }
        let kind = std::fs::symlink_metadata(&target).ok()?.file_type();
        Some((kind, target))
    }
}

/// Returns true if a file is too large for a description, and reports it. The size of test data is not limited.
fn is_too_large(path: &str, bytes: u64, log: &mut PackageLog) -> bool {
    let is_too_large = bytes > crate::MAX_DESCRIPTION_BYTES;
    if is_too_large {
        log.report_error(path, format!("{bytes} bytes is too large for a description"));
    }
    is_too_large
}

/// Returns false for hidden files and files of other tools.
fn is_package_entry(folder: &str, name: &str) -> bool {
    if folder.is_empty() {
        return PACKAGE_FOLDERS.contains(&name) || PACKAGE_FILES.contains(&name);
    }
    !name.starts_with('.') && name != "__pycache__"
}

fn join_path(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn listing_error(path: &Path, error: walkdir::Error) -> Error {
    Error::io_error("list", path, &error.into())
}
