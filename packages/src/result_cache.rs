//! Results of earlier runs, kept in one file of the cache. Losing it costs time only.

use rebut_diagnostics::{Error, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Maximum number of entries. The least recently used ones are evicted.
const MAX_CACHE_ENTRIES: usize = 50_000;

/// A persistent map of results. Several processes can use the same file: each adds its results to those in the file
/// when it saves.
pub struct ResultCache {
    path: PathBuf,
    entries: Mutex<ResultCacheFile>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct ResultCacheFile {
    /// Number of saves so far, which the ages of entries are measured in.
    saves: u64,
    entries: BTreeMap<String, ResultCacheEntry>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct ResultCacheEntry {
    used: u64,
    value: serde_json::Value,
}

/// Returns the SHA-256 of `parts` in hexadecimal. Each part is hashed with its length, so that different lists of
/// parts have different digests.
pub fn digest_parts<P: AsRef<[u8]>>(parts: &[P]) -> String {
    let mut hash = Sha256::new();
    for part in parts.iter().map(AsRef::as_ref) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl ResultCache {
    /// Opens the cache with this name in a folder. An unreadable cache is empty.
    pub fn open(folder: &Path, name: &str) -> ResultCache {
        let path = folder.join(format!("{name}.json"));
        let entries = read_cache_file(&path);
        ResultCache { path, entries: Mutex::new(entries) }
    }

    /// Returns the value of a key and marks it as used.
    pub fn get(&self, key: &str) -> Option<serde_json::Value> {
        let mut all = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let now = all.saves + 1;
        let entry = all.entries.get_mut(key)?;
        entry.used = now;
        Some(entry.value.clone())
    }

    /// Inserts a value.
    pub fn insert(&self, key: &str, value: serde_json::Value) {
        let mut all = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let used = all.saves + 1;
        all.entries.insert(key.to_owned(), ResultCacheEntry { used, value });
    }

    /// Saves all entries atomically.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be written.
    pub fn save(&self) -> Result<()> {
        let mut all = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, entry) in read_cache_file(&self.path).entries {
            all.entries.entry(key).or_insert(entry);
        }
        all.saves += 1;
        evict_oldest_entries(&mut all.entries);
        let text =
            serde_json::to_vec(&*all).map_err(|e| Error::operating_error(format!("failed to save results: {e}")))?;
        write_atomically(&self.path, &text)
    }
}

fn read_cache_file(path: &Path) -> ResultCacheFile {
    let text = std::fs::read(path).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Evicts the least recently used entries if there are too many.
fn evict_oldest_entries(entries: &mut BTreeMap<String, ResultCacheEntry>) {
    if entries.len() <= MAX_CACHE_ENTRIES {
        return;
    }
    let mut ages: Vec<u64> = entries.values().map(|entry| entry.used).collect();
    ages.sort_unstable();
    let oldest_kept = ages[ages.len() - MAX_CACHE_ENTRIES];
    entries.retain(|_, entry| entry.used >= oldest_kept);
}

/// Writes a file atomically, by way of a temporary file in the same folder.
///
/// # Errors
///
/// Returns an error if it cannot be written. The earlier contents are kept in that case.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|e| Error::io_error("create", folder, &e))?;
    let mut file =
        shared_file_builder().tempfile_in(folder).map_err(|e| Error::io_error("create a file in", folder, &e))?;
    file.write_all(bytes).map_err(|e| Error::io_error("write", path, &e))?;
    file.persist(path).map(drop).map_err(|e| Error::io_error("write", path, &e.error))
}

/// Returns a builder of files that others may read, as far as the umask permits: like all files but temporary ones.
fn shared_file_builder() -> tempfile::Builder<'static, 'static> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has such permissions"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use serde_json::json;

    #[cfg(unix)]
    #[test]
    fn file_has_the_permissions_that_the_umask_leaves() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let [atomic, plain] = ["atomic", "plain"].map(|name| folder.path().join(name));
        write_atomically(&atomic, b"a").unwrap();
        std::fs::write(&plain, b"b").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&atomic), mode(&plain));
    }

    #[test]
    fn two_processes_that_save_lose_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (ResultCache::open(folder.path(), "cells"), ResultCache::open(folder.path(), "cells"));
        one.insert("a", json!(1));
        two.insert("b", json!(2));
        one.save().unwrap();
        two.save().unwrap();
        let both = ResultCache::open(folder.path(), "cells");
        assert_eq!((both.get("a"), both.get("b"), both.get("c")), (Some(json!(1)), Some(json!(2)), None));
    }

    #[test]
    fn unreadable_cache_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cells.json"), b"{\"saves\": 1, \"entr").unwrap();
        let store = ResultCache::open(folder.path(), "cells");
        assert_eq!(store.get("a"), None);
        store.save().unwrap();
    }

    #[test]
    fn digests_separate_their_parts() {
        assert_ne!(digest_parts(&["ab", "c"]), digest_parts(&["a", "bc"]));
        assert_eq!(digest_parts::<&str>(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
