//! ^C ends everything soon, keeps what was found, and leaves no process behind.

use crate::environment::{Folder, Running, eventually, installed};
use crate::programs::{FORMAT, RIGHT_C, WRONG_C};
use rustix::process::Signal;
use std::fs;
use std::time::{Duration, Instant};

/// Stopping takes no longer than this, even on a busy machine.
const SOON: Duration = Duration::from_secs(30);

/// Processes whose command line names a file in this folder: those of its interpreted programs.
fn processes(folder: &Folder) -> Vec<String> {
    let place = folder.path("").display().to_string();
    let is_process = |name: &String| name.bytes().all(|b| b.is_ascii_digit());
    let entries = fs::read_dir("/proc").into_iter().flatten();
    let pids = entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).filter(is_process);
    let names_it = |pid: &String| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&place)
    };
    pids.filter(names_it).collect()
}

/// Asks it to stop, and requires that it does.
fn interrupt(running: Running) -> crate::environment::Ran {
    let asked = Instant::now();
    running.signal(Signal::INT);
    let ran = running.finish().exits(130);
    assert!(asked.elapsed() < SOON, "it took {:?}", asked.elapsed());
    ran
}

#[test]
fn an_endless_search_stops_and_says_how_far_it_came() {
    let folder = Folder::new().file("sol.c", RIGHT_C).file("brute.c", RIGHT_C);
    let running = folder.typed(&format!("stress sol.c --input '{FORMAT}' --time 1h --json events")).start();
    eventually("progress", || folder_has(&folder, "events", "\"progress\""));
    interrupt(running).shows_all(&["INTERRUPTED", "seed "]);
    let last = folder.read("events").lines().last().unwrap().to_owned();
    assert!(last.contains("\"summary\"") && last.contains("\"exit_status\":130"), "{last}");
}

/// Whether a text has come to be in a file.
fn folder_has(folder: &Folder, name: &str, text: &str) -> bool {
    fs::read_to_string(folder.path(name)).is_ok_and(|all| all.contains(text))
}

/// A submission that sleeps, and starts another process that sleeps. An executable: a source would have walls, and
/// start none.
const SLEEPER: &str = "#!/usr/bin/env python3\nimport os, time\nos.fork()\ntime.sleep(1000)\n";

fn sleeping() -> Option<(Folder, Running)> {
    if !installed(&["python3"]) || !fs::exists("/proc/self/cmdline").is_ok_and(|there| there) {
        return None;
    }
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new().file("sol", SLEEPER).file("brute.c", RIGHT_C);
    fs::set_permissions(folder.path("sol"), fs::Permissions::from_mode(0o755)).unwrap();
    let stress = format!("stress {} --input '{FORMAT}' --time-limit 500s", folder.path("sol").display());
    // The path is given whole so that processes can be told by it; rebut's own command line names it, too.
    fs::create_dir(folder.path("tmp")).unwrap();
    let temporary = folder.path("tmp").display().to_string();
    let running = folder.typed(&stress).argument("--jobs").argument("1").variable("TMPDIR", temporary).start();
    eventually("a sleeping submission and its child", || processes(&folder).len() >= 3);
    Some((folder, running))
}

#[test]
fn a_sleeping_submission_and_its_children_are_stopped() {
    let Some((folder, running)) = sleeping() else { return };
    interrupt(running);
    assert_eq!(processes(&folder), Vec::<String>::new());
    assert_eq!(folder.names("tmp"), Vec::<String>::new());
}

#[test]
fn nothing_outlives_a_rebut_that_is_killed() {
    let Some((folder, running)) = sleeping() else { return };
    running.signal(Signal::KILL);
    assert_eq!(running.finish().status, None);
    eventually("the end of the submission", || processes(&folder).is_empty());
    eventually("the end of temporary folders", || folder.names("tmp").is_empty());
}

#[test]
fn what_was_found_before_is_kept() {
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C);
    let stress = format!("stress sol.c --input '{FORMAT}' --time 1h --keep-going --json events");
    let running = folder.typed(&stress).start();
    eventually("a failure", || folder_has(&folder, "events", "\"failed\""));
    interrupt(running).shows_all(&["FAIL  sol.c: wrong answer", "INTERRUPTED"]);
    folder.finding().replay().exits(1);
}

#[test]
fn a_shrink_that_is_interrupted_keeps_its_smallest() {
    if !installed(&["python3"]) {
        return;
    }
    let text =
        "import time\nn = int(input())\na = list(map(int, input().split()))\ntime.sleep(0.3)\nprint(max(0, *a))\n";
    let folder = Folder::new().file("sol.py", text).file("brute.c", RIGHT_C);
    let many = vec!["-9"; 400].join(" ");
    folder.write("in", format!("400\n{many}\n"));
    let shrink =
        "shrink in sol.py --reference brute.c --input 'n; a[n] where 1<=n<=400; -9<=a<=9' --jobs 1 --json events";
    let running = folder.typed(&format!("{shrink} --shrink-time 1h")).start();
    eventually("a first step", || folder_has(&folder, "events", "\"shrinking\""));
    interrupt(running).shows("FAIL  sol.py: wrong answer");
    let smaller = folder.finding().read("input.txt");
    assert!(smaller.len() < many.len(), "{smaller}");
}

#[test]
fn a_request_to_end_is_the_same() {
    let folder = Folder::new().file("sol.c", RIGHT_C).file("brute.c", RIGHT_C);
    let running = folder.typed(&format!("stress sol.c --input '{FORMAT}' --time 1h --json events")).start();
    eventually("the start", || folder_has(&folder, "events", "\"started\""));
    running.signal(Signal::TERM);
    running.finish().exits(130);
}
