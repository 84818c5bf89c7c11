//! The test set of a package as it lies on the disk, and how a built one takes its place.
//!
//! Everything is first written into a hidden folder beside `data/`; only then the files are moved to where they belong, and
//! the lock last. So a build that is interrupted, or finds the disk full, has changed nothing; and one that is killed while
//! it moves files is finished by the next, which makes the same bytes.

use super::lock::{Lock, Locked, hash};
use crate::diagnostic::{Error, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The folders that a recipe makes; all others of `data/` are left alone.
const OWN: [&str; 2] = ["sample", "secret"];

/// A file that a test set is to have.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its path below `data/`, with `/`.
    pub path: String,
    /// The digest of everything that decides its bytes.
    pub key: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What is on the disk.
#[derive(Debug)]
pub struct TestSet {
    package: PathBuf,
    lock: Lock,
    /// The hashes of the files in `data/sample` and `data/secret` by path.
    present: BTreeMap<String, String>,
}

/// How a built test set differs from what is there. Paths are below `data/`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Changes {
    /// Files that are missing.
    pub new: Vec<String>,
    /// Files with other bytes.
    pub changed: Vec<String>,
    /// Files that an earlier recipe made, and this one does not.
    pub stale: Vec<String>,
    /// Files that were built, and changed by somebody since.
    pub edited: Vec<String>,
    /// Inputs and answers that no recipe made.
    pub foreign: Vec<String>,
    /// How many files are there already.
    pub unchanged: usize,
    /// Whether all files are there, and only `tests.lock` says otherwise.
    #[serde(rename = "lock_differs")]
    pub lock: bool,
}

impl Changes {
    /// What is not as it should be, a line for each file: `changed secret/1.in`.
    pub fn lines(&self) -> Vec<String> {
        let lists = [
            ("missing", &self.new),
            ("changed", &self.changed),
            ("stale", &self.stale),
            ("edited", &self.edited),
            ("foreign", &self.foreign),
        ];
        let of_files =
            lists.into_iter().flat_map(|(word, paths)| paths.iter().map(move |path| format!("{word} {path}")));
        of_files.chain(self.lock.then(|| "changed tests.lock".to_owned())).collect()
    }

    /// Whether there is nothing to do.
    pub fn is_none(&self) -> bool {
        let lists = [&self.new, &self.changed, &self.stale, &self.edited, &self.foreign];
        lists.iter().all(|list| list.is_empty()) && !self.lock
    }
}

impl TestSet {
    /// Reads what is there.
    ///
    /// # Errors
    /// If the lock is damaged, or files cannot be read. `anew`: a damaged lock is no lock.
    pub fn open(package: &Path, anew: bool) -> Result<TestSet> {
        let lock = match Lock::load(&package.join("tests.lock")) {
            Err(_) if anew => Lock::default(),
            lock => lock?,
        };
        let mut set = TestSet { package: package.to_owned(), lock, present: BTreeMap::new() };
        for own in OWN {
            set.take_in(&package.join("data").join(own))?;
        }
        Ok(set)
    }

    fn take_in(&mut self, folder: &Path) -> Result<()> {
        refuse_links(&self.package, folder)?;
        if !folder.exists() {
            return Ok(());
        }
        for entry in WalkDir::new(folder).sort_by_file_name() {
            let entry = entry.map_err(|e| Error::operating(format!("failed to read `{}`: {e}", folder.display())))?;
            if entry.file_type().is_dir() {
                continue;
            }
            let path = entry.path();
            let Some(name) = self.relative(path) else {
                return Err(Error::usage(format!("`{}` has a name that is no UTF-8", path.display())));
            };
            // What is neither a file nor a folder is nobody's test, and not opened.
            let hash = if entry.file_type().is_file() { hash(&super::read_file(path)?) } else { String::new() };
            self.present.insert(name, hash);
        }
        Ok(())
    }

    fn relative(&self, path: &Path) -> Option<String> {
        let below = path.strip_prefix(self.package.join("data")).ok()?;
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.package.join("data").join(name)
    }

    /// The bytes that were made under this key, if they are still there; whatever their file is called.
    pub fn kept(&self, key: &str) -> Option<Vec<u8>> {
        let made = self.lock.files.iter().filter(|file| file.key == key);
        made.filter(|file| self.present.get(&file.path) == Some(&file.sha256))
            .find_map(|file| super::read_file(&self.path(&file.path)).ok().filter(|bytes| hash(bytes) == file.sha256))
    }

    /// Returns true if a file is there as an earlier build made it.
    pub fn is_as_built(&self, path: &str) -> bool {
        self.lock.find(path).is_some_and(|locked| self.present.get(path) == Some(&locked.sha256))
    }

    /// Whether a file is there that no recipe made.
    pub fn is_handmade(&self, path: &str) -> bool {
        self.present.contains_key(path) && self.lock.find(path).is_none()
    }

    /// How these files differ from what is there.
    pub fn changes(&self, wanted: &[Wanted]) -> Changes {
        let mut changes = Changes::default();
        let lock = lock_of(wanted);
        for file in &lock.files {
            let Some(present) = self.present.get(&file.path) else {
                changes.new.push(file.path.clone());
                continue;
            };
            let is_ours = self.lock.find(&file.path).is_some_and(|locked| locked.sha256 == *present);
            let known = self.lock.find(&file.path).is_some();
            match () {
                () if *present == file.sha256 => changes.unchanged += 1,
                () if is_ours => changes.changed.push(file.path.clone()),
                () if known => changes.edited.push(file.path.clone()),
                () => changes.foreign.push(file.path.clone()),
            }
        }
        for (path, present) in self.present.iter().filter(|(path, _)| lock.find(path).is_none()) {
            match self.lock.find(path) {
                Some(locked) if locked.sha256 == *present => changes.stale.push(path.clone()),
                Some(_) => changes.edited.push(path.clone()),
                None if path.ends_with(".in") || path.ends_with(".ans") => changes.foreign.push(path.clone()),
                None => {}
            }
        }
        changes.lock = changes.is_none() && lock != self.lock;
        changes
    }

    /// Puts these files there, removes the stale ones, and writes the lock.
    ///
    /// # Errors
    /// If anything cannot be written: then, but for the moving of finished files, nothing was changed.
    pub fn write(&self, wanted: &[Wanted], changes: &Changes) -> Result<()> {
        if changes.is_none() {
            return Ok(());
        }
        let stage = tempfile::Builder::new().prefix(".rebut-build-").tempdir_in(&self.package);
        let stage = stage.map_err(|e| Error::io("make a folder in", &self.package, &e))?;
        let moved = wanted.iter().filter(|file| self.present.get(&file.path) != Some(&hash(&file.bytes)));
        let moved: Vec<&Wanted> = moved.collect();
        for (i, file) in moved.iter().enumerate() {
            write_down(&stage.path().join(i.to_string()), &file.bytes)?;
        }
        let lock = stage.path().join("tests.lock");
        write_down(&lock, lock_of(wanted).text().as_bytes())?;
        for (i, file) in moved.iter().enumerate() {
            self.move_to(&stage.path().join(i.to_string()), &self.path(&file.path))?;
        }
        for stale in &changes.stale {
            let path = self.path(stale);
            fs::remove_file(&path).map_err(|e| Error::io("remove", &path, &e))?;
        }
        let place = self.package.join("tests.lock");
        fs::rename(&lock, &place).map_err(|e| Error::io("write", &place, &e))?;
        self.drop_empty_folders(&changes.stale);
        Ok(())
    }

    fn move_to(&self, from: &Path, to: &Path) -> Result<()> {
        let folder = to.parent().unwrap_or(&self.package);
        refuse_links(&self.package, folder)?;
        fs::create_dir_all(folder).map_err(|e| Error::io("create", folder, &e))?;
        fs::rename(from, to).map_err(|e| Error::io("write", to, &e))
    }

    /// Folders in which nothing is left; those in which something is cannot be removed that way.
    fn drop_empty_folders(&self, stale: &[String]) {
        for path in stale {
            for folder in Path::new(path).ancestors().skip(1).filter(|f| f.iter().count() > 1) {
                let _ = fs::remove_dir(self.package.join("data").join(folder));
            }
        }
    }
}

/// The lock that goes with these files.
fn lock_of(wanted: &[Wanted]) -> Lock {
    let row = |file: &Wanted| Locked { path: file.path.clone(), key: file.key.clone(), sha256: hash(&file.bytes) };
    Lock { files: wanted.iter().map(row).collect() }
}

/// Links could lead out of the package: nothing is read or written through them.
fn refuse_links(package: &Path, folder: &Path) -> Result<()> {
    let below = folder.strip_prefix(package).unwrap_or(folder);
    let mut path = package.to_owned();
    for part in below.iter() {
        path.push(part);
        if fs::symlink_metadata(&path).is_ok_and(|data| data.is_symlink()) {
            return Err(Error::usage(format!("`{}` is a link, and a test set is built into folders", path.display())));
        }
    }
    Ok(())
}

/// Writes a file, and has it on the disk before it is given its name.
fn write_down(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = File::create(path).map_err(|e| Error::io("create", path, &e))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|e| Error::io("write", path, &e))
}
