//! Results that several machines share, in a folder of a file system that all of them see, or on a server.
//!
//! An entry is a file, named by a digest of what the result depends on. So entries never change, and machines need not
//! agree on anything to read and write them at the same time. An entry that is damaged, or that is not the one of its
//! name, counts as missing. A complete entry with a wrong verdict is not detected: everyone with write access to the
//! folder or the server is trusted.

use crate::stored_files::{digest_parts, read_stored_file, write_atomically};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ffi::OsStr;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use ureq::Agent;
use ureq::http::{Response, StatusCode};

/// Part of the names and the contents of all entries.
const STORE_VERSION: &str = "rebut store 1";

/// Maximum size of an entry that is read, in bytes.
const MAX_ENTRY_BYTES: u64 = 1 << 20;

/// The results of several machines.
#[derive(Clone, Debug)]
pub struct SharedStore {
    entries: Arc<dyn EntryStore>,
    scope: String,
}

/// Keeps the bytes of entries by their names.
trait EntryStore: Debug + Send + Sync {
    /// Returns an entry, if there is one that is not too large.
    fn get_entry(&self, name: &str) -> Option<Vec<u8>>;

    /// Keeps an entry. A failure costs only time, so it is ignored: the store may be read-only.
    fn put_entry(&self, name: &str, bytes: &[u8]);

    /// Returns why the store is not used any more, if there is a reason.
    fn problem(&self) -> Option<String>;

    /// Returns true if an entry is not kept where there is a whole one already. To ask a server costs as much as to send it.
    fn keeps_first(&self) -> bool;
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
        SharedStore { entries: Arc::new(FolderStore(folder.to_owned())), scope: scope.to_owned() }
    }

    /// Opens the store at an address, `http://` or `https://`, or in a folder. A server is sent the token, if there is one.
    pub fn open_place(place: &OsStr, token: Option<&str>, scope: &str) -> SharedStore {
        match place.to_str().filter(|text| is_server_address(text)) {
            None => SharedStore::open(Path::new(place), scope),
            Some(base) => SharedStore { entries: Arc::new(HttpStore::new(base, token)), scope: scope.to_owned() },
        }
    }

    /// Returns why the store is not used any more, if there is a reason. A folder that cannot be read is empty.
    pub fn problem(&self) -> Option<String> {
        self.entries.problem()
    }

    /// Returns the value of a key, if there is a whole entry for it.
    pub fn find_value(&self, key: &str) -> Option<Value> {
        let address = self.address(key);
        let entry: StoreEntry = serde_json::from_slice(&self.entries.get_entry(&address)?).ok()?;
        (entry.address == address && entry.digest == digest_value(&address, &entry.value)).then_some(entry.value)
    }

    /// Stores a value.
    pub fn store_value(&self, key: &str, value: &Value) {
        if self.entries.keeps_first() && self.find_value(key).is_some() {
            return;
        }
        let address = self.address(key);
        let entry =
            StoreEntry { address: address.clone(), digest: digest_value(&address, value), value: value.clone() };
        if let Ok(text) = serde_json::to_vec(&entry) {
            self.entries.put_entry(&address, &text);
        }
    }

    fn address(&self, key: &str) -> String {
        digest_parts(&[STORE_VERSION, &self.scope, key])
    }
}

fn digest_value(address: &str, value: &Value) -> String {
    digest_parts(&[STORE_VERSION, address, &value.to_string()])
}

/// A folder with the entries of several machines.
#[derive(Debug)]
struct FolderStore(PathBuf);

impl EntryStore for FolderStore {
    fn get_entry(&self, name: &str) -> Option<Vec<u8>> {
        let path = entry_path(&self.0, name);
        let is_small = std::fs::metadata(&path).is_ok_and(|about| about.len() <= MAX_ENTRY_BYTES);
        is_small.then(|| read_stored_file(&path).ok()).flatten()
    }

    fn put_entry(&self, name: &str, bytes: &[u8]) {
        let _ = write_atomically(&entry_path(&self.0, name), bytes);
    }

    fn problem(&self) -> Option<String> {
        None
    }

    fn keeps_first(&self) -> bool {
        true
    }
}

/// Returns the path of an entry. Folders of 256 parts keep listings short.
fn entry_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(&name[..2]).join(format!("{name}.json"))
}

/// Maximum time of connecting, which a server that is down costs once.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum time of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// A server with the entries of several machines, as build caches have: `GET` and `PUT` of small files by their names.
///
/// A server that does not answer must never fail a run, nor slow it down much: after the first problem it gets no more
/// requests. Redirects are not followed, so the token is sent to no other server.
#[derive(Debug)]
struct HttpStore {
    /// Address of the entries, without a slash at its end.
    base: String,
    /// Value of the header `Authorization`.
    authorization: Option<String>,
    agent: Agent,
    /// Why the server gets no more requests.
    problem: Mutex<Option<String>>,
    /// Whether it has refused an entry.
    is_read_only: AtomicBool,
}

fn is_server_address(place: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| place.get(..scheme.len()).is_some_and(|s| s.eq_ignore_ascii_case(scheme)))
}

impl HttpStore {
    /// Creates a store on a server. Nothing is sent yet.
    fn new(base: &str, token: Option<&str>) -> HttpStore {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent(concat!("rebut/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_global(Some(REQUEST_TIMEOUT))
            .build();
        HttpStore {
            base: base.trim_end_matches('/').to_owned(),
            authorization: token.filter(|token| !token.is_empty()).map(|token| format!("Bearer {token}")),
            agent: Agent::new_with_config(config),
            problem: Mutex::new(find_address_problem(base)),
            is_read_only: AtomicBool::new(false),
        }
    }

    /// Returns the response, or records why there is none.
    fn keep_response<T>(&self, result: Result<Response<T>, ureq::Error>) -> Option<Response<T>> {
        result.map_err(|error| self.record_problem(format!("does not answer: {error}"))).ok()
    }

    fn record_status<T>(&self, status: StatusCode) -> Option<T> {
        let code = status.as_u16();
        self.record_problem(match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => format!("refuses access with status {code}"),
            _ => format!("answers with status {code}"),
        });
        None
    }

    fn record_problem(&self, problem: String) {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(problem);
    }
}

impl EntryStore for HttpStore {
    fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn get_entry(&self, name: &str) -> Option<Vec<u8>> {
        if self.problem().is_some() {
            return None;
        }
        let mut request = self.agent.get(format!("{}/{name}", self.base));
        if let Some(authorization) = &self.authorization {
            request = request.header("Authorization", authorization);
        }
        let mut response = self.keep_response(request.call())?;
        match response.status() {
            StatusCode::OK => response.body_mut().with_config().limit(MAX_ENTRY_BYTES).read_to_vec().ok(),
            StatusCode::NOT_FOUND | StatusCode::GONE => None,
            status => self.record_status(status),
        }
    }

    /// Sends the entry, unless the server has refused one before: it may be read-only for this machine.
    fn put_entry(&self, name: &str, bytes: &[u8]) {
        if self.problem().is_some() || self.is_read_only.load(Ordering::Relaxed) {
            return;
        }
        let mut request = self.agent.put(format!("{}/{name}", self.base)).header("Content-Type", "application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header("Authorization", authorization);
        }
        let Some(response) = self.keep_response(request.send(bytes)) else { return };
        match response.status() {
            // That it has the entry already, or that it is too large.
            status if status.is_success() => {}
            StatusCode::CONFLICT | StatusCode::PRECONDITION_FAILED | StatusCode::PAYLOAD_TOO_LARGE => {}
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::METHOD_NOT_ALLOWED => {
                self.is_read_only.store(true, Ordering::Relaxed);
            }
            status => {
                self.record_status::<()>(status);
            }
        }
    }

    fn keeps_first(&self) -> bool {
        false
    }
}

/// Returns what is wrong with the address of a server.
fn find_address_problem(base: &str) -> Option<String> {
    let authority = base.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
    if authority.is_empty() {
        return Some("names no server".to_owned());
    }
    if authority.contains('@') {
        return Some("must not contain a password, which could be printed; use a token".to_owned());
    }
    let is_encrypted = base.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"));
    (is_encrypted && !cfg!(feature = "https")).then(|| "needs a rebut that is built with `--features https`".to_owned())
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

    #[test]
    fn servers_are_told_from_folders() {
        assert!(is_server_address("http://cache:8080/rebut") && is_server_address("HTTPS://cache"));
        assert!(!is_server_address("/http://") && !is_server_address("http") && !is_server_address("cache/http"));
    }

    #[test]
    fn server_that_is_down_gets_one_request() {
        // Nothing listens on the first port.
        let store = HttpStore::new("http://127.0.0.1:1/", Some("secret"));
        assert_eq!(store.problem(), None);
        assert_eq!(store.get_entry("a"), None);
        let problem = store.problem().unwrap();
        assert!(problem.starts_with("does not answer: ") && !problem.contains("secret"), "{problem}");
        store.put_entry("a", b"1");
        assert_eq!(store.problem(), Some(problem), "the first problem is kept");
    }

    #[test]
    fn addresses_that_cannot_be_used_are_said() {
        for (base, problem) in [("http://", "names no server"), ("http://me:pw@cache/x", "must not contain a password")]
        {
            assert!(HttpStore::new(base, None).problem().is_some_and(|found| found.starts_with(problem)), "{base}");
        }
        assert_eq!(HttpStore::new("https://cache", None).problem().is_some(), !cfg!(feature = "https"));
    }
}
