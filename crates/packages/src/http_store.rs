//! A server that keeps entries of several machines, as build caches do: `GET` and `PUT` of small files by their names.
//!
//! A server that does not answer must never fail a run, nor slow it down much: after the first problem it gets no more
//! requests. Redirects are not followed, so the token is sent to no other server.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use ureq::Agent;
use ureq::http::{Response, StatusCode};

/// Maximum time of connecting, which a server that is down costs once.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum time of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// A server with the entries of several machines.
#[derive(Debug)]
pub(crate) struct HttpStore {
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

/// Returns true if this is the address of a server, and not a folder.
pub(crate) fn is_server_address(place: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| place.get(..scheme.len()).is_some_and(|s| s.eq_ignore_ascii_case(scheme)))
}

impl HttpStore {
    /// Creates a store on a server. Nothing is sent yet.
    pub(crate) fn new(base: &str, token: Option<&str>) -> HttpStore {
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

    /// Returns why the server gets no more requests, if there is a reason.
    pub(crate) fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the entry with a name, if the server has one of at most so many bytes.
    pub(crate) fn get_entry(&self, name: &str, max_bytes: u64) -> Option<Vec<u8>> {
        if self.problem().is_some() {
            return None;
        }
        let mut request = self.agent.get(format!("{}/{name}", self.base));
        if let Some(authorization) = &self.authorization {
            request = request.header("Authorization", authorization);
        }
        let mut response = self.keep_response(request.call())?;
        match response.status() {
            StatusCode::OK => response.body_mut().with_config().limit(max_bytes).read_to_vec().ok(),
            StatusCode::NOT_FOUND | StatusCode::GONE => None,
            status => self.record_status(status),
        }
    }

    /// Sends an entry, unless the server has refused one before: it may be read-only for this machine.
    pub(crate) fn put_entry(&self, name: &str, bytes: &[u8]) {
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

    /// Records the first problem.
    fn record_problem(&self, problem: String) {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(problem);
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
        assert_eq!(store.get_entry("a", 100), None);
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
