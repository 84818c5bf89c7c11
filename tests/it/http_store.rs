//! Machines share results by a server, which is a small one in these tests.

use crate::environment::{Folder, Ran};
use crate::table_shards::package;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The entries of a server, by path, and the requests that it refused.
#[derive(Default)]
struct Kept {
    entries: BTreeMap<String, Vec<u8>>,
    refused: usize,
}

/// A server that keeps the files that it gets. One token may write and read, another may read; without one, it refuses.
struct Server {
    address: String,
    kept: Arc<Mutex<Kept>>,
}

impl Server {
    fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/cache/", listener.local_addr().unwrap());
        let kept = Arc::new(Mutex::new(Kept::default()));
        let own = Arc::clone(&kept);
        // It ends with the process of the tests.
        std::thread::spawn(move || listener.incoming().for_each(|stream| answer_requests(&stream.unwrap(), &own)));
        Server { address, kept }
    }

    fn count_entries(&self) -> usize {
        self.kept.lock().unwrap().entries.len()
    }
}

/// Answers one request of a connection.
fn answer_requests(stream: &TcpStream, kept: &Mutex<Kept>) {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        head.push(line.trim().to_owned());
    }
    let Some(request) = head.first() else { return };
    let header = |name: &str| {
        let mut found = head.iter().filter_map(|line| line.split_once(": "));
        found.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
    };
    let length = header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let (method, path) = request.split_once(' ').map(|(m, rest)| (m, rest.split(' ').next().unwrap())).unwrap();
    let mut kept = kept.lock().unwrap();
    let (status, body) = match (method, header("authorization").as_deref()) {
        ("GET", Some("Bearer write" | "Bearer read")) => match kept.entries.get(path) {
            Some(entry) => ("200 OK", entry.clone()),
            None => ("404 Not Found", Vec::new()),
        },
        ("PUT", Some("Bearer write")) => {
            kept.entries.insert(path.to_owned(), body);
            ("201 Created", Vec::new())
        }
        _ => {
            kept.refused += 1;
            ("403 Forbidden", Vec::new())
        }
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = (&*stream).write_all(&[head.as_bytes(), &body].concat());
}

/// Verifies the package on a machine that has nothing in its cache.
fn verify(folder: &Folder, machine: &str, store: &str, token: &str) -> Ran {
    let cache = folder.path(machine).display().to_string();
    let typed = folder.typed("verify p --no-probes --lazy").variable("REBUT_CACHE", cache);
    typed.variable("REBUT_STORE", store).variable("REBUT_STORE_TOKEN", token).run().exits(1)
}

#[test]
fn machines_share_the_results_of_a_server() {
    let (folder, server) = (package(), Server::start());
    verify(&folder, "machine-1", &server.address, "write").shows("6 runs").hides("cached)");
    let entries = server.count_entries();
    assert!(entries >= 6, "{entries}");
    verify(&folder, "machine-2", &server.address, "read").shows("6 runs (6 cached)").hides("warning: the store");
    // An entry that is not whole is made again, but a machine that may only read cannot keep it.
    {
        let mut kept = server.kept.lock().unwrap();
        let entry = kept.entries.values_mut().find(|entry| String::from_utf8_lossy(entry).contains("verdict")).unwrap();
        *entry = String::from_utf8_lossy(entry).replace("\"verdict\":\"", "\"verdict\":\"X").into_bytes();
    }
    verify(&folder, "machine-3", &server.address, "read").shows("6 runs (5 cached)").hides("warning: the store");
    assert_eq!(server.kept.lock().unwrap().refused, 1, "it does not try again");
    verify(&folder, "machine-4", &server.address, "write").shows("6 runs (5 cached)");
    verify(&folder, "machine-4", &server.address, "wrong").shows("6 runs (6 cached)");
    let ran = verify(&folder, "machine-5", &server.address, "wrong").shows("6 runs").hides("cached)");
    let ran = ran.shows("refuses access with status 403").hides("wrong`");
    assert_eq!(ran.stderr.matches("warning: the store").count(), 1, "{}", ran.stderr);
}

#[test]
fn server_that_is_down_fails_no_run() {
    let folder = package();
    let address = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let ran = verify(&folder, "machine", &address, "").shows("6 runs").shows("does not answer");
    assert_eq!(ran.stderr.matches("warning: the store").count(), 1, "{}", ran.stderr);
    // If all results are in the cache, it gets no request.
    verify(&folder, "machine", &address, "").shows("6 runs (6 cached)").hides("warning: the store");
    let ran = verify(&folder, "machine", &address.replace("http:", "https:"), "").shows("6 runs (6 cached)");
    assert_eq!(ran.stderr.contains("built with `--features"), !cfg!(feature = "https"), "{}", ran.stderr);
}
