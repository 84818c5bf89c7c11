//! The files and folders of a package, found in one walk. Links are followed within the package and the repository that it lies
//! in, and never out of it. Nothing is opened: what is no file and no folder is only told of.

use super::log::{Log, shown};
use crate::corpus::LinkScope;
use crate::diagnostic::{Error, Result};
use std::collections::BTreeMap;
use std::fs::FileType;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// The folders that are looked into, with all that is below them.
const FOLDERS: [&str; 14] = [
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
    "problem_statement",
    "statement",
    "static_validator",
    "submissions",
];

/// The files in the package's own folder that are read.
const FILES: [&str; 6] =
    ["problem.yaml", "domjudge-problem.ini", ".timelimit", "input.format", "tests.toml", "testlib.h"];

/// How many folders may lie in each other.
const DEEPEST: usize = 24;

/// How many files and folders a package may have.
const MOST_ENTRIES: usize = 200_000;

/// What was found in a package.
#[derive(Debug)]
pub(super) struct Tree {
    folder: PathBuf,
    /// By a folder's path what lies in it, sorted by name.
    folders: BTreeMap<String, Vec<Item>>,
}

/// A file or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Its name.
    pub(super) name: String,
    /// Its path in the package, with `/`.
    pub(super) path: String,
    /// Whether it is a folder.
    pub(super) is_folder: bool,
    /// How large it is, in bytes.
    pub(super) bytes: u64,
}

impl Item {
    /// What stands behind the last point of the name.
    pub(super) fn extension(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }
}

impl Tree {
    /// Walks a package, but for what is left out by its path.
    ///
    /// # Errors
    /// If a folder cannot be listed. What is wrong with the package goes into the log.
    pub(super) fn walk(folder: &Path, is_left_out: &dyn Fn(&str) -> bool, log: &mut Log) -> Result<Tree> {
        let root = folder.canonicalize().map_err(|e| Error::unreadable(folder, &e))?;
        let tree = Tree { folder: folder.to_owned(), folders: BTreeMap::new() };
        let scope = LinkScope::of(folder).map_err(|e| Error::unreadable(folder, &e))?;
        let mut walk = Walk { scope, tree, entries: 0, is_left_out, log };
        walk.folder("", &mut vec![root])?;
        Ok(walk.tree)
    }

    /// Where something of the package is.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.folder.clone() } else { self.folder.join(path) }
    }

    /// What lies in a folder, sorted by name; nothing if there is no such folder.
    pub(super) fn children(&self, path: &str) -> &[Item] {
        self.folders.get(path).map_or(&[], Vec::as_slice)
    }

    /// Whether there is such a folder.
    pub(super) fn has_folder(&self, path: &str) -> bool {
        self.folders.contains_key(path)
    }

    /// The file of this path, if there is one.
    pub(super) fn file(&self, path: &str) -> Option<&Item> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.children(folder).iter().find(|item| item.name == name && !item.is_folder)
    }

    /// All files below a folder, depth first.
    pub(super) fn files_below(&self, path: &str) -> Vec<&Item> {
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

    /// The text of a file that describes something, if it is there. What cannot be text goes into the log.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn text(&self, path: &str, log: &mut Log) -> Result<Option<String>> {
        let Some(item) = self.file(path) else { return Ok(None) };
        if is_too_large(path, item.bytes, log) {
            return Ok(None);
        }
        match String::from_utf8(crate::corpus::read_file(&self.path(path))?) {
            Ok(text) => Ok(Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))),
            Err(_) => {
                log.error(path, "is not UTF-8");
                Ok(None)
            }
        }
    }
}

/// A walk under way.
struct Walk<'a> {
    scope: LinkScope,
    tree: Tree,
    entries: usize,
    is_left_out: &'a dyn Fn(&str) -> bool,
    log: &'a mut Log,
}

impl Walk<'_> {
    /// Lists a folder and all below it. `around` are the real paths of the folders that it lies in, its own the last.
    fn folder(&mut self, path: &str, around: &mut Vec<PathBuf>) -> Result<()> {
        let mut items = Vec::new();
        let real = around.last().cloned().unwrap_or_default();
        for entry in WalkDir::new(&real).min_depth(1).max_depth(1).sort_by_file_name() {
            let entry = entry.map_err(|e| unlisted(&self.tree.path(path), e))?;
            let Some((item, target)) = self.item(path, &entry, around) else { continue };
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                self.log.error(path, format!("the package has more than {MOST_ENTRIES} files"));
                return Ok(());
            }
            if item.is_folder {
                around.push(target);
                self.folder(&item.path, around)?;
                around.pop();
            }
            items.push(item);
        }
        self.check_names(path, &items);
        self.tree.folders.insert(path.to_owned(), items);
        Ok(())
    }

    /// Two names that are one where the case of letters counts for nothing. Of test data, each test case is one name.
    fn check_names(&mut self, folder: &str, items: &[Item]) {
        if folder.is_empty() || folder.starts_with("data") {
            return;
        }
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for item in items {
            if let Some(other) = seen.insert(item.name.to_lowercase(), &item.name) {
                self.log.error(item.path.as_str(), format!("is told from `{other}` by the case of letters alone"));
            }
        }
    }

    /// An entry of a folder with its real path; none if it is not looked at, or a mistake.
    fn item(&mut self, folder: &str, entry: &DirEntry, around: &[PathBuf]) -> Option<(Item, PathBuf)> {
        let Some(name) = entry.file_name().to_str() else {
            let name = entry.file_name().to_string_lossy();
            if !folder.is_empty() && !name.starts_with('.') {
                self.log.error(join(folder, &name), "the name is not UTF-8");
            }
            return None;
        };
        if !is_looked_at(folder, name) {
            return None;
        }
        let path = join(folder, name);
        if (self.is_left_out)(&path) {
            return None;
        }
        if name.chars().any(char::is_control) {
            self.log.error(path, "the name has control characters in it");
            return None;
        }
        let (kind, target) = self.target(&path, entry)?;
        let is_folder = kind.is_dir();
        let is_around = around.iter().any(|folder| folder.starts_with(&target));
        if is_folder && (is_around || around.len() > DEEPEST) {
            let text = if is_around { "a link back to a folder around it" } else { "lies too deep" };
            self.log.error(path, text);
            return None;
        }
        if !is_folder && !kind.is_file() {
            self.log.error(path, "is neither a file nor a folder");
            return None;
        }
        let bytes = std::fs::metadata(&target).map_or(0, |data| data.len());
        let is_wanted = !folder.is_empty() || is_folder == FOLDERS.contains(&name);
        if !is_wanted {
            self.log.mistaken(&path, is_folder);
            return None;
        }
        // Whether or not this command looks at it: what is in the package's own folder describes the package.
        if folder.is_empty() && !is_folder && is_too_large(&path, bytes, self.log) {
            return None;
        }
        Some((Item { name: name.to_owned(), path, is_folder, bytes }, target))
    }

    /// What an entry is, and where it really is; none if it is a link that cannot be followed.
    fn target(&mut self, path: &str, entry: &DirEntry) -> Option<(FileType, PathBuf)> {
        if !entry.path_is_symlink() {
            return Some((entry.file_type(), entry.path().to_owned()));
        }
        let Ok(target) = entry.path().canonicalize() else {
            self.log.error(path, "a link to nothing, or to itself");
            return None;
        };
        if !self.scope.contains(&target) {
            let place = std::fs::read_link(entry.path()).unwrap_or_default();
            let place = shown(&place.to_string_lossy());
            self.log.error(path, format!("a link that leaves the {}: `{place}`", self.scope.name()));
            self.log.help("copy the file into the package");
            return None;
        }
        let kind = std::fs::symlink_metadata(&target).ok()?.file_type();
        Some((kind, target))
    }
}

/// Whether a file is larger than descriptions are; it goes into the log. Test data may be as large as it is.
fn is_too_large(path: &str, bytes: u64, log: &mut Log) -> bool {
    let is_too_large = bytes > crate::corpus::LARGEST_DESCRIPTION;
    if is_too_large {
        log.error(path, format!("{bytes} bytes are too many for a description"));
    }
    is_too_large
}

/// Hidden files and those of other tools are nothing of the package's.
fn is_looked_at(folder: &str, name: &str) -> bool {
    if folder.is_empty() {
        return FOLDERS.contains(&name) || FILES.contains(&name);
    }
    !name.starts_with('.') && name != "__pycache__"
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn unlisted(path: &Path, error: walkdir::Error) -> Error {
    Error::io("list", path, &error.into())
}
