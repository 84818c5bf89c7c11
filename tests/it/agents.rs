//! Promises to agents: no command asks, and output is bounded.

use crate::environment::Folder;
use crate::programs::{ECHO_C, c_about_n};
use std::process::{Command, Stdio};

/// A submission that prints a hundred times as much as is shown anywhere, and the reference.
fn folder() -> Folder {
    Folder::new()
        .file("sol.c", c_about_n("for (int i = 0; n > 5 && i < 400000; i++) printf(\"word \");"))
        .file("brute.c", ECHO_C)
        .file("1.in", "1\n")
        .file("1.ans", "1\n")
        .file("input.format", "n\nwhere:\n    1 <= n <= 9\n")
}

const SEARCH: &str = "stress sol.c -r brute.c -f input.format --seed 1 --cases 10 --no-save --certify 0s";

#[test]
fn output_is_bounded_whatever_submissions_print() {
    let folder = folder();
    let shown = folder.rebut(SEARCH).exits(1).stdout.len();
    assert!(shown < 8 << 10, "{shown} bytes");
    let events = folder.rebut(&format!("{SEARCH} --json -")).exits(1).stdout;
    let longest = events.lines().map(str::len).max().unwrap_or_default();
    assert!(longest < 256 << 10, "{longest} bytes");
    let summary: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    assert_eq!((&summary["event"], &summary["exit_status"]), (&"summary".into(), &1.into()));
}

#[test]
fn no_command_waits_for_an_answer() {
    let folder = folder();
    for arguments in [
        "new sums",
        "test sol.c",
        "infer 1.in",
        "stress sol.c brute.c --seed 1 --cases 5 --no-save --certify 0s",
        "build sums",
        "format explain input.format",
    ] {
        // The stream stays open and empty: a question would wait for ever.
        let mut process = Command::new(env!("CARGO_BIN_EXE_rebut"))
            .args(arguments.split(' '))
            .current_dir(folder.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let status = process.wait().unwrap().code();
        drop(input);
        assert!(status.is_some_and(|status| status < 4), "{arguments}: {status:?}");
    }
}
