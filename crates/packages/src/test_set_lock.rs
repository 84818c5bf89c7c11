//! `tests.lock`: the files of a built test set, each with a digest of its inputs and the hash of its contents.

use rebut_diagnostics::{Error, Result};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// Current version of the file.
const LOCK_VERSION: i64 = 1;

/// The inputs and hashes of a built test set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestSetLock {
    /// Files of the test set, by path.
    pub files: Vec<LockedFile>,
}

/// A file of a test set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedFile {
    /// Path below `data/`, with `/`.
    pub path: String,
    /// Digest of the inputs that its contents depend on.
    pub key: String,
    /// SHA-256 of its contents, in hexadecimal.
    pub sha256: String,
}

/// Maximum size of a lock, in bytes; each test takes a few hundred.
const MAX_LOCK_BYTES: u64 = 64 << 20;

/// Returns the SHA-256 of some bytes, in hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl TestSetLock {
    /// Reads a lock; empty if the file does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read, is damaged, or was written by a newer version.
    pub fn load(path: &Path) -> Result<TestSetLock> {
        if !path.exists() {
            return Ok(TestSetLock::default());
        }
        let damaged = |problem: &str| {
            Error::usage_error(format!("`{}` is damaged: {problem}", path.display()))
                .with_help("run `rebut build --force` to rebuild everything")
        };
        if std::fs::metadata(path).is_ok_and(|data| data.len() > MAX_LOCK_BYTES) {
            return Err(damaged("it is too large"));
        }
        let bytes = super::read_file(path)?;
        let text = String::from_utf8(bytes).map_err(|_| damaged("it is not valid UTF-8"))?;
        let table = DeTable::parse(&text).map_err(|e| damaged(e.message()))?;
        let table = table.get_ref();
        let version = table.get("version").and_then(|v| v.get_ref().as_integer()?.as_str().parse::<i64>().ok());
        match version {
            Some(LOCK_VERSION) => {}
            Some(newer) if newer > LOCK_VERSION => {
                return Err(Error::usage_error(format!("`{}` was written by a newer rebut", path.display())));
            }
            _ => return Err(damaged("it has no version")),
        }
        let files = table.get("file").and_then(|files| files.get_ref().as_array());
        let rows = files.ok_or_else(|| damaged("it has no files"))?.iter();
        let files = rows
            .map(|row| parse_locked_file(row.get_ref()).ok_or_else(|| damaged("a file lacks its path, key or sha256")));
        Ok(TestSetLock { files: files.collect::<Result<_>>()? })
    }

    /// Formats the lock as TOML.
    pub fn to_toml(&self) -> String {
        let mut text =
            "# Written by `rebut build`: what each file of data/ was made from, and what came of it.\n".to_owned();
        let _ = write!(text, "version = {LOCK_VERSION}\nfile = [\n");
        for LockedFile { path, key, sha256 } in &self.files {
            let _ = writeln!(text, "    {{ path = \"{path}\", key = \"{key}\", sha256 = \"{sha256}\" }},");
        }
        text + "]\n"
    }

    /// Returns the entry of a file.
    pub fn find_file(&self, path: &str) -> Option<&LockedFile> {
        self.files.iter().find(|file| file.path == path)
    }
}

fn parse_locked_file(row: &DeValue<'_>) -> Option<LockedFile> {
    let row = row.as_table()?;
    let text = |key: &str| Some(row.get(key)?.get_ref().as_str()?.to_owned());
    let (path, key, sha256) = (text("path")?, text("key")?, text("sha256")?);
    // Reject paths outside the test set, which a build never writes.
    let is_inside = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.')) && !path.contains('\\');
    is_inside.then_some(LockedFile { path, key, sha256 })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn written_lock_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tests.lock");
        assert_eq!(TestSetLock::load(&path), Ok(TestSetLock::default()));
        let row = |path: &str| LockedFile {
            path: path.to_owned(),
            key: sha256_hex(b"k"),
            sha256: sha256_hex(path.as_bytes()),
        };
        let lock = TestSetLock { files: vec![row("sample/1.in"), row("secret/1_a.in")] };
        std::fs::write(&path, lock.to_toml()).unwrap();
        assert_eq!(TestSetLock::load(&path), Ok(lock));
        for damage in
            ["", "version = 1", "version = 2", "version = 1\nfile = [1]", "x = = 1", "version = 1\nfile = [{}]"]
        {
            std::fs::write(&path, damage).unwrap();
            assert!(TestSetLock::load(&path).is_err(), "{damage}");
        }
        let outside = row("../../etc/passwd");
        std::fs::write(&path, TestSetLock { files: vec![outside] }.to_toml()).unwrap();
        assert!(TestSetLock::load(&path).is_err());
    }
}
