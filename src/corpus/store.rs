//! What was learnt in earlier runs, kept in one file of the cache: losing it costs time and nothing else.

use crate::diagnostic::{Error, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// So many entries are kept; of more, those that were used longest ago go.
const MOST_ENTRIES: usize = 50_000;

/// Entries by their keys. Several processes may use one file: each adds what it learnt to what is there by then.
pub struct Store {
    path: PathBuf,
    entries: Mutex<Entries>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Entries {
    /// How many times the store was saved: the age of an entry is counted in these.
    saves: u64,
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    used: u64,
    value: serde_json::Value,
}

/// The SHA-256 of these parts in hexadecimal; each goes in with its length, so that no two lists of parts look the same.
pub fn digest<P: AsRef<[u8]>>(parts: &[P]) -> String {
    let mut hash = Sha256::new();
    for part in parts.iter().map(AsRef::as_ref) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Store {
    /// Opens the store of that name in a folder. One that cannot be read is empty.
    pub fn open(folder: &Path, name: &str) -> Store {
        let path = folder.join(format!("{name}.json"));
        let entries = read(&path);
        Store { path, entries: Mutex::new(entries) }
    }

    /// What is known under a key; it counts as used.
    pub fn get(&self, key: &str) -> Option<serde_json::Value> {
        let mut all = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let now = all.saves + 1;
        let entry = all.entries.get_mut(key)?;
        entry.used = now;
        Some(entry.value.clone())
    }

    /// Keeps something under a key.
    pub fn put(&self, key: &str, value: serde_json::Value) {
        let mut all = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let used = all.saves + 1;
        all.entries.insert(key.to_owned(), Entry { used, value });
    }

    /// Writes everything, whole or not at all.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn save(&self) -> Result<()> {
        let mut all = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, entry) in read(&self.path).entries {
            all.entries.entry(key).or_insert(entry);
        }
        all.saves += 1;
        forget(&mut all.entries);
        let text = serde_json::to_vec(&*all).map_err(|e| Error::operating(format!("cannot keep results: {e}")))?;
        write_whole(&self.path, &text)
    }
}

fn read(path: &Path) -> Entries {
    let text = std::fs::read(path).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Lets the oldest entries go where there are too many.
fn forget(entries: &mut BTreeMap<String, Entry>) {
    if entries.len() <= MOST_ENTRIES {
        return;
    }
    let mut ages: Vec<u64> = entries.values().map(|entry| entry.used).collect();
    ages.sort_unstable();
    let oldest_kept = ages[ages.len() - MOST_ENTRIES];
    entries.retain(|_, entry| entry.used >= oldest_kept);
}

/// Writes a file by way of another one beside it, so that nobody ever sees half of it.
///
/// # Errors
/// If it cannot be written; what was there before stays.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|e| Error::io("create", folder, &e))?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|e| Error::io("make a file in", folder, &e))?;
    file.write_all(bytes).map_err(|e| Error::io("write", path, &e))?;
    file.persist(path).map(drop).map_err(|e| Error::io("write", path, &e.error))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn two_that_save_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (Store::open(folder.path(), "cells"), Store::open(folder.path(), "cells"));
        one.put("a", json!(1));
        two.put("b", json!(2));
        one.save().unwrap();
        two.save().unwrap();
        let both = Store::open(folder.path(), "cells");
        assert_eq!((both.get("a"), both.get("b"), both.get("c")), (Some(json!(1)), Some(json!(2)), None));
    }

    #[test]
    fn what_cannot_be_read_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cells.json"), b"{\"saves\": 1, \"entr").unwrap();
        let store = Store::open(folder.path(), "cells");
        assert_eq!(store.get("a"), None);
        store.save().unwrap();
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]));
        assert_eq!(digest(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
