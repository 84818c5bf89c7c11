//! `tests.lock`: what every file of a built test set was made from, and what came of it.

use crate::diagnostic::{Error, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// The present form of the file.
const VERSION: i64 = 1;

/// What a test set was built from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// Its files, by path.
    pub files: Vec<Locked>,
}

/// A file of a test set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locked {
    /// Its path below `data/`, with `/`.
    pub path: String,
    /// The digest of everything that decides its bytes.
    pub key: String,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// The largest lock that is read, in bytes: a few hundred for each test.
const LARGEST_LOCK: u64 = 64 << 20;

/// The SHA-256 of some bytes, in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Lock {
    /// Reads a lock; an empty one if there is none.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is of a newer form.
    pub fn load(path: &Path) -> Result<Lock> {
        if !path.exists() {
            return Ok(Lock::default());
        }
        let damaged = |what: &str| {
            Error::usage(format!("`{}` is damaged: {what}", path.display()))
                .with_help("`rebut build --force` builds everything anew, and writes it again")
        };
        if std::fs::metadata(path).is_ok_and(|data| data.len() > LARGEST_LOCK) {
            return Err(damaged("it is far too large"));
        }
        let bytes = super::read_file(path)?;
        let text = String::from_utf8(bytes).map_err(|_| damaged("it is not UTF-8"))?;
        let table = DeTable::parse(&text).map_err(|e| damaged(e.message()))?;
        let table = table.get_ref();
        let version = table.get("version").and_then(|v| v.get_ref().as_integer()?.as_str().parse::<i64>().ok());
        match version {
            Some(VERSION) => {}
            Some(newer) if newer > VERSION => {
                return Err(Error::usage(format!("`{}` was written by a newer rebut", path.display())));
            }
            _ => return Err(damaged("it has no version")),
        }
        let files = table.get("file").and_then(|files| files.get_ref().as_array());
        let rows = files.ok_or_else(|| damaged("it has no files"))?.iter();
        let files =
            rows.map(|row| row_of(row.get_ref()).ok_or_else(|| damaged("a file lacks its path, key or sha256")));
        Ok(Lock { files: files.collect::<Result<_>>()? })
    }

    /// As the file has it.
    pub fn text(&self) -> String {
        let mut text =
            "# Written by `rebut build`: what each file of data/ was made from, and what came of it.\n".to_owned();
        let _ = write!(text, "version = {VERSION}\nfile = [\n");
        for Locked { path, key, sha256 } in &self.files {
            let _ = writeln!(text, "    {{ path = \"{path}\", key = \"{key}\", sha256 = \"{sha256}\" }},");
        }
        text + "]\n"
    }

    /// What it says of a file.
    pub fn find(&self, path: &str) -> Option<&Locked> {
        self.files.iter().find(|file| file.path == path)
    }
}

fn row_of(row: &DeValue<'_>) -> Option<Locked> {
    let row = row.as_table()?;
    let text = |key: &str| Some(row.get(key)?.get_ref().as_str()?.to_owned());
    let (path, key, sha256) = (text("path")?, text("key")?, text("sha256")?);
    // Such a path is made by hand: nothing outside of the test set is touched.
    let is_inside = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.')) && !path.contains('\\');
    is_inside.then_some(Locked { path, key, sha256 })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tests.lock");
        assert_eq!(Lock::load(&path), Ok(Lock::default()));
        let row = |path: &str| Locked { path: path.to_owned(), key: hash(b"k"), sha256: hash(path.as_bytes()) };
        let lock = Lock { files: vec![row("sample/1.in"), row("secret/1_a.in")] };
        std::fs::write(&path, lock.text()).unwrap();
        assert_eq!(Lock::load(&path), Ok(lock));
        for damage in
            ["", "version = 1", "version = 2", "version = 1\nfile = [1]", "x = = 1", "version = 1\nfile = [{}]"]
        {
            std::fs::write(&path, damage).unwrap();
            assert!(Lock::load(&path).is_err(), "{damage}");
        }
        let outside = row("../../etc/passwd");
        std::fs::write(&path, Lock { files: vec![outside] }.text()).unwrap();
        assert!(Lock::load(&path).is_err());
    }
}
