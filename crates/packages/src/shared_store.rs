//! Results that several machines share, in a folder of a file system that all of them see, or on a server.
//!
//! An entry is a file, named by a digest of what the result depends on. So entries never change, and machines need not
//! agree on anything to read and write them at the same time. An entry that is damaged, or that is not the one of its
//! name, counts as missing. A complete entry with a wrong verdict is not detected: everyone with write access to the
//! folder or the server is trusted.

use crate::http_store::{HttpStore, is_server_address};
use crate::stored_files::{digest_parts, read_stored_file, write_atomically};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Part of the names and the contents of all entries.
const STORE_VERSION: &str = "rebut store 1";

/// Maximum size of an entry that is read, in bytes.
const MAX_ENTRY_BYTES: u64 = 1 << 20;

/// The results of several machines.
#[derive(Clone, Debug)]
pub struct SharedStore {
    place: StorePlace,
    scope: String,
}

/// Where entries are.
#[derive(Clone, Debug)]
enum StorePlace {
    Folder(PathBuf),
    Server(Arc<HttpStore>),
}

/// The contents of the file of an entry.
#[derive(Serialize, Deserialize)]
struct StoreEntry {
    /// The name of the file.
    address: String,
    /// Digest of the name and the value.
    digest: String,
    value: Value,
}

impl SharedStore {
    /// Opens the store in a folder, which need not exist. `scope` describes all conditions of results that their keys do
    /// not contain, such as the compilers: only machines with the same scope share results.
    pub fn open(folder: &Path, scope: &str) -> SharedStore {
        SharedStore { place: StorePlace::Folder(folder.to_owned()), scope: scope.to_owned() }
    }

    /// Opens the store at an address, `http://` or `https://`, or in a folder. A server is sent the token, if there is one.
    pub fn open_place(place: &OsStr, token: Option<&str>, scope: &str) -> SharedStore {
        match place.to_str().filter(|text| is_server_address(text)) {
            None => SharedStore::open(Path::new(place), scope),
            Some(base) => {
                let place = StorePlace::Server(Arc::new(HttpStore::new(base, token)));
                SharedStore { place, scope: scope.to_owned() }
            }
        }
    }

    /// Returns why the store is not used any more, if there is a reason. A folder that cannot be read is empty.
    pub fn problem(&self) -> Option<String> {
        match &self.place {
            StorePlace::Folder(_) => None,
            StorePlace::Server(server) => server.problem(),
        }
    }

    /// Returns the value of a key, if there is a whole entry for it.
    pub fn find_value(&self, key: &str) -> Option<Value> {
        let address = self.address(key);
        let bytes = match &self.place {
            StorePlace::Folder(folder) => read_entry(&entry_path(folder, &address))?,
            StorePlace::Server(server) => server.get_entry(&address, MAX_ENTRY_BYTES)?,
        };
        let entry: StoreEntry = serde_json::from_slice(&bytes).ok()?;
        (entry.address == address && entry.digest == digest_value(&address, &entry.value)).then_some(entry.value)
    }

    /// Stores a value, unless there is a whole entry in the folder already. A failure costs only time, so it is ignored:
    /// the store may be read only.
    pub fn store_value(&self, key: &str, value: &Value) {
        if matches!(self.place, StorePlace::Folder(_)) && self.find_value(key).is_some() {
            return;
        }
        let address = self.address(key);
        let entry =
            StoreEntry { address: address.clone(), digest: digest_value(&address, value), value: value.clone() };
        let Ok(text) = serde_json::to_vec(&entry) else { return };
        match &self.place {
            StorePlace::Folder(folder) => {
                let _ = write_atomically(&entry_path(folder, &address), &text);
            }
            StorePlace::Server(server) => server.put_entry(&address, &text),
        }
    }

    fn address(&self, key: &str) -> String {
        digest_parts(&[STORE_VERSION, &self.scope, key])
    }
}

/// Returns the path of an entry. Folders of 256 parts keep listings short.
fn entry_path(folder: &Path, address: &str) -> PathBuf {
    folder.join(&address[..2]).join(format!("{address}.json"))
}

/// Reads the file of an entry, unless it is too large.
fn read_entry(path: &Path) -> Option<Vec<u8>> {
    let is_small = std::fs::metadata(path).is_ok_and(|about| about.len() <= MAX_ENTRY_BYTES);
    is_small.then(|| read_stored_file(path).ok()).flatten()
}

fn digest_value(address: &str, value: &Value) -> String {
    digest_parts(&[STORE_VERSION, address, &value.to_string()])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use serde_json::json;

    #[test]
    fn machines_with_the_same_scope_share_values() {
        let folder = tempfile::tempdir().unwrap();
        let open = |scope| SharedStore::open(folder.path(), scope);
        open("gcc 12").store_value("a", &json!({"verdict": "AC"}));
        assert_eq!(open("gcc 12").find_value("a"), Some(json!({"verdict": "AC"})));
        assert_eq!(open("gcc 13").find_value("a"), None);
        assert_eq!(open("gcc 12").find_value("b"), None);
    }

    #[test]
    fn damaged_and_moved_entries_are_missing_and_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = SharedStore::open(folder.path(), "");
        store.store_value("a", &json!(1));
        store.store_value("b", &json!(2));
        let [first, second] = ["a", "b"].map(|key| entry_path(folder.path(), &store.address(key)));
        // An entry under the name of another.
        std::fs::copy(&second, &first).unwrap();
        assert_eq!(store.find_value("a"), None);
        let whole = std::fs::read_to_string(&second).unwrap();
        for damaged in [&whole[..whole.len() / 2], &whole.replace("\"value\":2", "\"value\":3"), ""] {
            std::fs::write(&second, damaged).unwrap();
            assert_eq!(store.find_value("b"), None, "{damaged}");
        }
        store.store_value("a", &json!(1));
        store.store_value("b", &json!(2));
        assert_eq!(["a", "b"].map(|key| store.find_value(key)), [Some(json!(1)), Some(json!(2))]);
    }

    #[cfg(unix)]
    #[test]
    fn pipe_in_place_of_an_entry_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let store = SharedStore::open(folder.path(), "");
        let path = entry_path(folder.path(), &store.address("a"));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert_eq!(store.find_value("a"), None);
        store.store_value("a", &json!(1));
        assert_eq!(store.find_value("a"), Some(json!(1)));
    }

    #[test]
    fn folder_that_cannot_be_written_is_no_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let store = SharedStore::open(&file, "");
        store.store_value("a", &json!(1));
        assert_eq!(store.find_value("a"), None);
    }
}
