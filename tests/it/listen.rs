//! `rebut listen`, with messages as the browser extension sends them.

use crate::environment::{Folder, installed};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A problem in the form that the documentation of the extension describes, with all of its fields.
const CASTLES: &str = r#"{
    "name": "G. Castle Sums", "group": "Codeforces - Example Round 40 (Rated for Div. 2)",
    "url": "https://codeforces.example/problemset/problem/954/G", "interactive": false,
    "memoryLimit": 256, "timeLimit": 1500,
    "tests": [{"input": "5\n1 4 3 4 9\n", "output": "9\n"}, {"input": "3\n2 2 8\n", "output": "8\n"}],
    "testType": "single", "input": {"type": "stdin"}, "output": {"type": "stdout"},
    "languages": {"java": {"mainClass": "Main", "taskClass": "GCastleSums"}},
    "batch": {"id": "123e67c8-03c6-44a4-a3f9-5918533f9fb2", "size": 1}
}"#;

/// A submission that takes the largest number to be the last one.
const LAST: &str = "print(input() and input().split()[-1])\n";

/// A running listener.
struct Listener {
    process: Child,
    output: BufReader<ChildStdout>,
    address: String,
}

impl Listener {
    fn start(folder: &Folder, arguments: &[&str]) -> Listener {
        let mut process = Command::new(env!("CARGO_BIN_EXE_rebut"))
            .args(["listen", "--port", "0", "--once"])
            .args(arguments)
            .current_dir(folder.path(""))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on ").unwrap().split(": ").next().unwrap().to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{line}");
        Listener { process, output, address }
    }

    /// Sends a request with these headers, and returns the status.
    fn send(&self, headers: &[&str], body: &str) -> u16 {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let length = body.len();
        let request = format!("POST / HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(!answer.contains("Access-Control"), "{answer}");
        answer.split(' ').nth(1).unwrap().parse().unwrap()
    }

    /// Sends a problem as the extension in Chromium does.
    fn click(&self, problem: &str) -> u16 {
        let host = format!("Host: localhost:{}", self.address.rsplit(':').next().unwrap());
        let headers = [
            &host,
            "Connection: keep-alive",
            "Content-Type: application/json",
            "Accept: */*",
            "Origin: chrome-extension://cjnmckjndlpiamhfimnnjmnckgghkjbl",
            "Sec-Fetch-Site: none",
        ];
        self.send(&headers, problem)
    }

    /// Waits for the end, and returns the rest of the output.
    fn finish(mut self) -> String {
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert_eq!(self.process.wait().unwrap().code(), Some(0), "{rest}");
        rest
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // A process that has ended cannot be killed.
        let _ = self.process.kill();
    }
}

#[test]
fn click_makes_a_folder_in_which_test_and_stress_run() {
    let folder = Folder::new();
    let listener = Listener::start(&folder, &[]);
    assert_eq!(listener.click(CASTLES), 200);
    let shown = listener.finish();
    for part in ["made ./g-castle-sums: G. Castle Sums (2 samples, 1.5 s, 256 MiB)", "n; a[n]", "rebut test sol.cpp"] {
        assert!(shown.contains(part), "no {part} in {shown}");
    }
    let names = ["1.ans", "1.in", "2.ans", "2.in", "input.format", "problem.json"];
    assert_eq!(folder.names("g-castle-sums"), names);
    assert_eq!(folder.read("g-castle-sums/1.in"), "5\n1 4 3 4 9\n");
    folder.rebut("validate g-castle-sums/input.format g-castle-sums/1.in g-castle-sums/2.in").exits(0);
    if installed(&["python3"]) {
        let folder = folder
            .file("g-castle-sums/sol.py", LAST)
            .file("g-castle-sums/brute.py", "input(); print(max(map(int, input().split())))\n");
        folder.rebut("test g-castle-sums/sol.py --json -").exits(0).shows("\"cpu_time_limit_ms\":1500");
        let search = "stress g-castle-sums/sol.py g-castle-sums/brute.py --seed 1 --cases 40 --certify 0s --json -";
        folder.rebut(search).exits(1);
        assert!(folder.finding().read("finding.json").contains("\"memory_limit_bytes\": 268435456"));
    }
}

/// Neither silent connections nor a problem with a long sample keep others waiting.
#[test]
fn requests_are_answered_while_others_are_slow() {
    let folder = Folder::new();
    let listener = Listener::start(&folder, &[]);
    let idle: Vec<TcpStream> = (0..20).map(|_| TcpStream::connect(&listener.address).unwrap()).collect();
    let began = std::time::Instant::now();
    assert_eq!(listener.click(CASTLES), 200);
    // One after another they would take 100 s.
    assert!(began.elapsed() < std::time::Duration::from_secs(60));
    assert!(listener.finish().contains("made ./g-castle-sums: "));
    drop(idle);
}

#[test]
fn nothing_that_exists_is_overwritten() {
    let folder = Folder::new().file("g-castle-sums/1.in", "mine\n");
    let listener = Listener::start(&folder, &[]);
    assert_eq!(listener.click(CASTLES), 200);
    assert!(listener.finish().contains("made ./g-castle-sums-2: "));
    assert_eq!(folder.names("g-castle-sums"), ["1.in"]);
    // A second click on the same problem changes nothing either.
    folder.write("g-castle-sums-2/1.in", "changed\n");
    let listener = Listener::start(&folder, &["."]);
    assert_eq!(listener.click(CASTLES), 200);
    assert!(listener.finish().contains("kept ./g-castle-sums-2 as it is: "));
    assert_eq!(
        (folder.names(""), folder.read("g-castle-sums-2/1.in")),
        (vec!["g-castle-sums".to_owned(), "g-castle-sums-2".to_owned()], "changed\n".to_owned(),)
    );
}

#[test]
fn problems_of_a_contest_are_received_before_the_end() {
    let folder = Folder::new();
    let listener = Listener::start(&folder, &[]);
    let problem = |name: &str| {
        let batch = r#""batch": {"id": "b", "size": 2}"#;
        format!(r#"{{"name": "{name}", "group": "AtCoder - ABC 400", {batch}, "tests": [{{"input": "1"}}]}}"#)
    };
    assert_eq!(listener.click(&problem("A - \\u001b[2J../Sum")), 200);
    assert_eq!(listener.click(&problem("B - Product")), 200);
    let shown = listener.finish();
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    assert_eq!(folder.names("abc-400"), ["a-u-1b-2j-sum", "b-product"]);
    assert_eq!(folder.names("abc-400/b-product"), ["1.in", "input.format", "problem.json"]);
}

#[test]
fn requests_of_pages_make_nothing() {
    let folder = Folder::new();
    let listener = Listener::start(&folder, &[]);
    let json = "Content-Type: application/json";
    assert_eq!(listener.send(&["Host: localhost", json, "Origin: https://page.example"], CASTLES), 403);
    assert_eq!(listener.send(&["Host: page.example", json], CASTLES), 403);
    assert_eq!(listener.send(&["Host: localhost", "Content-Type: text/plain"], CASTLES), 415);
    assert_eq!(listener.click("{\"name\": 1}"), 400);
    // A connection that is closed at once.
    drop(TcpStream::connect(&listener.address).unwrap());
    assert!(folder.names("").is_empty());
    assert_eq!(listener.click(r#"{"name": "Sum", "interactive": true}"#), 200);
    assert!(listener.finish().contains("--interactor"));
    assert_eq!(folder.names("sum"), ["problem.json"]);
}

#[test]
fn port_in_use_and_missing_folder_are_errors() {
    let folder = Folder::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    folder.rebut(&format!("listen --port {port}")).exits(4).shows("choose a `--port`");
    folder.rebut("listen nowhere").exits(2).shows("there is no folder `nowhere`");
}
