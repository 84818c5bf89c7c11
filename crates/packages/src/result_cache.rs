//! Results of earlier runs, kept in one file of the cache. Losing it costs time only.

use crate::shared_store::SharedStore;
use crate::stored_files::{read_stored_file, write_atomically};
use rebut_diagnostics::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Maximum number of entries. The least recently used ones are evicted.
const MAX_CACHE_ENTRIES: usize = 50_000;

/// A persistent map of results. Several processes can use the same file: each adds its results to those in the file
/// when it saves.
pub struct ResultCache {
    path: PathBuf,
    entries: Mutex<ResultCacheFile>,
    /// Results of other machines.
    shared: Option<SharedStore>,
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

impl ResultCache {
    /// Opens the cache with this name in a folder. An unreadable cache is empty.
    pub fn open(folder: &Path, name: &str) -> ResultCache {
        let path = folder.join(format!("{name}.json"));
        let entries = read_cache_file(&path);
        ResultCache { path, entries: Mutex::new(entries), shared: None }
    }

    /// Also takes results from a store, and adds new ones to it.
    #[must_use]
    pub fn with_shared_store(self, shared: Option<SharedStore>) -> Self {
        ResultCache { shared, ..self }
    }

    /// Returns why the store of other machines is not used any more, if there is a reason.
    pub fn store_problem(&self) -> Option<String> {
        self.shared.as_ref()?.problem()
    }

    /// Returns the value of a key and marks it as used.
    pub fn get(&self, key: &str) -> Option<serde_json::Value> {
        if let Some(value) = self.find_own_value(key) {
            return Some(value);
        }
        let value = self.shared.as_ref()?.find_value(key)?;
        self.insert_own_value(key, value.clone());
        Some(value)
    }

    fn find_own_value(&self, key: &str) -> Option<serde_json::Value> {
        let mut all = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let now = all.saves + 1;
        let entry = all.entries.get_mut(key)?;
        entry.used = now;
        Some(entry.value.clone())
    }

    /// Inserts a value.
    pub fn insert(&self, key: &str, value: serde_json::Value) {
        if let Some(shared) = &self.shared {
            shared.store_value(key, &value);
        }
        self.insert_own_value(key, value);
    }

    fn insert_own_value(&self, key: &str, value: serde_json::Value) {
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
        // Of two processes that read before either writes, one would lose its entries. This happens where there are no locks.
        let folder = self.path.parent().filter(|folder| fs::create_dir_all(folder).is_ok());
        let folder = folder.and_then(|folder| File::open(folder).ok());
        let _lock = folder.filter(|folder| folder.lock().is_ok());
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
    let text = read_stored_file(path).unwrap_or_default();
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use serde_json::json;

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

    #[cfg(unix)]
    #[test]
    fn saves_at_the_same_time_lose_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let save = |number: u8| {
            let cache = ResultCache::open(folder.path(), "cells");
            cache.insert(&number.to_string(), json!(vec![number; 10_000]));
            cache.save().unwrap();
        };
        std::thread::scope(|scope| (0..16).for_each(|number| drop(scope.spawn(move || save(number)))));
        let all = ResultCache::open(folder.path(), "cells");
        assert!((0..16).all(|number: u8| all.get(&number.to_string()).is_some()));
    }

    #[test]
    fn unreadable_cache_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cells.json"), b"{\"saves\": 1, \"entr").unwrap();
        let store = ResultCache::open(folder.path(), "cells");
        assert_eq!(store.get("a"), None);
        store.save().unwrap();
    }
}
