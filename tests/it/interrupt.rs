//! ^C stops every command promptly, keeps what was found, and leaves no process behind.

use crate::environment::{Folder, Ran, Running, eventually, installed};
use crate::programs::{FORMAT, RIGHT_C, WRONG_C};
use rustix::process::Signal;
use std::fs;
use std::time::{Duration, Instant};

/// Maximum time to stop, on a busy machine too.
const SOON: Duration = Duration::from_secs(30);

/// Returns the processes with a file of this folder on their command line: those of its interpreted programs.
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

/// Interrupts rebut and asserts that it stops.
fn interrupt(running: Running) -> Ran {
    let started = Instant::now();
    running.signal(Signal::INT);
    let ran = running.finish().exits(130);
    assert!(started.elapsed() < SOON, "it took {:?}", started.elapsed());
    ran
}

#[test]
fn interrupted_search_reports_its_progress() {
    let folder = Folder::new().file("sol.c", RIGHT_C).file("brute.c", RIGHT_C);
    let running = folder.typed(&format!("stress sol.c --input '{FORMAT}' --time 1h --json events")).start();
    eventually("progress", || folder_has(&folder, "events", "\"progress\""));
    interrupt(running).shows_all(&["INTERRUPTED", "seed "]);
    let last = folder.read("events").lines().last().unwrap().to_owned();
    assert!(last.contains("\"summary\"") && last.contains("\"exit_status\":130"), "{last}");
}

/// Returns true if a file contains a text.
fn folder_has(folder: &Folder, name: &str, text: &str) -> bool {
    fs::read_to_string(folder.path(name)).is_ok_and(|all| all.contains(text))
}

/// A submission that sleeps and starts another process that sleeps. It is an executable because the sandbox of a source
/// would not let it start one.
const SLEEPER: &str = "#!/usr/bin/env python3\nimport os, time\nos.fork()\ntime.sleep(1000)\n";

fn start_sleeper() -> Option<(Folder, Running)> {
    if !installed(&["python3"]) || !fs::exists("/proc/self/cmdline").is_ok_and(|there| there) {
        return None;
    }
    let folder = Folder::new().script("sol", SLEEPER).file("brute.c", RIGHT_C);
    let stress = format!("stress {} --input '{FORMAT}' --time-limit 500s", folder.path("sol").display());
    // The absolute path identifies its processes; rebut's own command line contains it, too.
    fs::create_dir(folder.path("tmp")).unwrap();
    let temporary = folder.path("tmp").display().to_string();
    let running = folder.typed(&stress).argument("--jobs").argument("1").variable("TMPDIR", temporary).start();
    eventually("a sleeping submission and its child", || sleeper_count(&folder) == 2);
    Some((folder, running))
}

/// Returns the number of processes that run the sleeping submission. Rebut and the processes that it is about to start
/// have its path on their command lines, too, but not as their program.
fn sleeper_count(folder: &Folder) -> usize {
    let program = folder.path("sol").display().to_string();
    let runs_it = |pid: &String| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0).nth(1) == Some(program.as_bytes())
    };
    processes(folder).iter().filter(|pid| runs_it(pid)).count()
}

#[test]
fn sleeping_submission_and_its_children_are_killed() {
    let Some((folder, running)) = start_sleeper() else { return };
    interrupt(running);
    assert_eq!(processes(&folder), Vec::<String>::new());
    assert_eq!(folder.names("tmp"), Vec::<String>::new());
}

#[test]
fn no_process_outlives_a_killed_rebut() {
    let Some((folder, running)) = start_sleeper() else { return };
    running.signal(Signal::KILL);
    assert_eq!(running.finish().status, None);
    eventually("the end of the submission", || processes(&folder).is_empty());
    eventually("the end of temporary folders", || folder.names("tmp").is_empty());
}

#[test]
fn earlier_findings_are_kept() {
    let folder = Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C);
    let stress = format!("stress sol.c --input '{FORMAT}' --time 1h --keep-going --json events");
    let running = folder.typed(&stress).start();
    eventually("a failure", || folder_has(&folder, "events", "\"failed\""));
    interrupt(running).shows_all(&["FAIL  sol.c: wrong answer", "INTERRUPTED"]);
    folder.finding().replay().exits(1);
}

#[test]
fn interrupted_shrink_keeps_its_smallest_input() {
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
fn sigterm_has_the_same_effect() {
    let folder = Folder::new().file("sol.c", RIGHT_C).file("brute.c", RIGHT_C);
    let running = folder.typed(&format!("stress sol.c --input '{FORMAT}' --time 1h --json events")).start();
    eventually("the start", || folder_has(&folder, "events", "\"started\""));
    running.signal(Signal::TERM);
    running.finish().exits(130);
}

/// A format that can check hardly any input: each has eight million triples, and nearly all inputs break one of them.
const HEAVY: &str = "n; a[n] where 200<=n<=300; 1<=a<=10^9; forall i in 1..n: forall j in 1..n: forall k in 1..n: \
                     a[i]+a[j]>=a[k]";

/// Maximum time to stop in the middle of work, on a machine that is busy with other tests. On an idle one it is less
/// than a second; an uninterrupted command takes far longer.
const IN_THE_MIDST: Duration = Duration::from_secs(10);

/// Starts a command, interrupts it when its stream shows a text, and asserts that it ends soon.
#[track_caller]
fn interrupt_when(folder: &Folder, command: &str, signal: Signal, shown: &str) -> Ran {
    let running = folder.typed(command).start();
    eventually(shown, || running.stream("stderr").contains(shown));
    let started = Instant::now();
    running.signal(signal);
    let ran = running.finish().exits(130);
    assert!(started.elapsed() < IN_THE_MIDST, "it took {:?}: {ran}", started.elapsed());
    ran.shows("interrupted")
}

#[test]
fn computation_ends_at_the_first_signal() {
    let folder = Folder::new();
    let commands = [
        (format!("generate --input '{HEAVY}' --count 1000000 --out made"), Signal::INT, "Generating"),
        (format!("generate --input '{HEAVY}' --invalid"), Signal::INT, "Searching"),
        (format!("generate --input '{HEAVY}' --invalid"), Signal::TERM, "Searching"),
        (format!("generate --input '{HEAVY}' --profile"), Signal::TERM, "Generating"),
        (format!("enumerate --input '{HEAVY}' --count"), Signal::INT, "Counting"),
        (format!("enumerate --input '{HEAVY}' --count"), Signal::TERM, "Counting"),
    ];
    interrupt_all(&folder, &commands);
}

/// Runs commands at the same time and interrupts each when its stream shows its text.
fn interrupt_all(folder: &Folder, commands: &[(String, Signal, &str)]) {
    std::thread::scope(|scope| {
        for (command, signal, shown) in commands {
            scope.spawn(move || interrupt_when(folder, command, *signal, shown));
        }
    });
}

#[test]
fn enumeration_ends_at_the_first_signal() {
    let folder = Folder::new();
    let endless =
        "enumerate --input 'n; a[n] where n=30; 0<=a<=10^9; forall i in 1..n: a[i]*a[i] % 1000003 = 17' --limit 3";
    interrupt_when(&folder, endless, Signal::INT, "Counting");
}

#[test]
fn validation_ends_at_the_first_signal_without_a_judgement() {
    let numbers: Vec<String> = (0..3000).map(|i| (10_000 + i).to_string()).collect();
    let folder = Folder::new().file("big.in", format!("3000\n{}\n", numbers.join(" ")));
    let format = HEAVY.replace("200<=n<=300", "1<=n<=3000");
    let ran = interrupt_when(&folder, &format!("validate --input '{format}' big.in"), Signal::INT, "Validating");
    ran.hides("valid  ");
}

/// Creates a named pipe without a writer, so that its reader blocks.
fn endless_file(folder: &Folder, name: &str) -> bool {
    let made = std::process::Command::new("mkfifo").arg(folder.path(name)).status();
    made.is_ok_and(|status| status.success())
}

#[test]
fn uninterruptible_work_ends_at_the_first_signal() {
    let folder = Folder::new().file("n.format", "n where 1<=n<=9\n");
    if !endless_file(&folder, "endless") {
        return;
    }
    let commands = [
        "import endless made",
        "validate n.format endless",
        "check tokens endless endless endless",
        "format describe endless",
        "format explain endless",
        "format fmt endless",
        "format from-ctd endless",
        "generate endless",
        "enumerate endless",
        "shrink endless n.format --reference n.format --input 'n where 1<=n<=9'",
    ];
    interrupt_all(&folder, &commands.map(|command| (command.to_owned(), Signal::TERM, " s\n")));
    assert_eq!(folder.names("made"), Vec::<String>::new());
}

#[test]
fn export_ends_at_the_first_signal_without_files() {
    let folder = Folder::new().file("p/problem.yaml", "name: Large\n").file("p/data/secret/1.ans", "1\n");
    // Compressing it takes far longer than sending a signal.
    fs::File::create(folder.path("p/data/secret/1.in")).unwrap().set_len(600 << 20).unwrap();
    interrupt(folder.typed("export p --as domjudge -o made.zip").start());
    assert_eq!(folder.names(""), ["p"]);
}

#[test]
fn doctor_ends_at_the_first_signal() {
    let folder = Folder::new().script("bin/g++", "#!/bin/sh\nexec sleep 1000\n");
    let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").unwrap_or_default());
    let running = folder.typed("doctor").variable("PATH", path).start();
    eventually("a sign of life", || running.stream("stderr").contains(" s\n"));
    interrupt(running);
}

#[test]
fn search_without_valid_inputs_ends_at_the_first_signal() {
    let folder = Folder::new().file("sol.c", RIGHT_C).file("brute.c", RIGHT_C);
    let running = folder.typed(&format!("stress sol.c --input '{HEAVY}' --time 1h --json events")).start();
    eventually("a search", || folder_has(&folder, "events", "\"started\""));
    interrupt(running).shows("INTERRUPTED");
}

/// Answers correctly, but sleeps first if `condition` holds for the numbers.
fn right_after_sleeping(condition: &str, seconds: u32, answer: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <unistd.h>\nint main() {{\n    int n, x, m = -100;\n    scanf(\"%d\", &n);\n    \
         for (int i = 0; i < n; i++) {{ scanf(\"%d\", &x); if (x > m) m = x; }}\n    \
         if ({condition}) sleep({seconds});\n    printf(\"%d\\n\", {answer});\n}}\n"
    )
}

/// Sleeping time of programs in seconds: longer than any test waits.
const LONG: u32 = 1000;

#[test]
fn interrupted_verify_shows_partial_results_and_resumes() {
    let case = |folder: Folder, name: &str, n: usize| {
        let numbers = vec!["1"; n].join(" ");
        folder
            .file(&format!("p/data/secret/{name}.in"), format!("{n}\n{numbers}\n"))
            .file(&format!("p/data/secret/{name}.ans"), "1\n")
    };
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 2000\n")
        .file("p/input.format", FORMAT)
        .file("p/submissions/accepted/right.c", RIGHT_C)
        .file("p/submissions/accepted/sleeps.c", right_after_sleeping("n == 3", LONG, "m"));
    let folder = case(case(case(case(folder, "1", 1), "2", 2), "3", 3), "4", 4);
    let verify = |events: &str, runs: usize| {
        let running = folder.typed(&format!("verify p --jobs 2 --json {events}")).start();
        let judged = || fs::read_to_string(folder.path(events)).unwrap_or_default().matches("\"judged\"").count();
        eventually("runs", || judged() >= runs);
        interrupt(running)
    };
    let ran = verify("first", 5).shows_all(&[
        "INTERRUPTED",
        "of 8 runs known",
        "right.c",
        "sleeps.c",
        "continues from there",
    ]);
    assert!(ran.stdout.lines().any(|line| line.contains("right.c") && line.contains("...")), "{ran}");
    verify("second", 5);
    assert!(folder.read("second").matches("\"remembered\":true").count() >= 5);
}

#[test]
fn search_interrupted_while_shrinking_saves_its_smallest_input() {
    let sol = right_after_sleeping("n > 12", 0, "m + (n > 12)").replace("sleep(0)", "usleep(200000)");
    let folder = Folder::new().file("sol.c", sol).file("brute.c", RIGHT_C);
    let stress = "stress sol.c --input 'n; a[n] where 1<=n<=400; -9<=a<=9' --shrink-time 1h --jobs 1 --json events";
    let running = folder.typed(stress).start();
    eventually("a first step", || folder_has(&folder, "events", "\"shrinking\""));
    interrupt(running).shows("FAIL  sol.c: wrong answer");
    assert!(!folder.finding().read("input.txt").is_empty());
}

#[test]
fn search_of_a_sleeping_submission_ends_in_time() {
    let folder = Folder::new().file("sol.c", right_after_sleeping("1", LONG, "m")).file("brute.c", RIGHT_C);
    let ran = folder.rebut(&format!("stress sol.c --input '{FORMAT}' --time 2s --time-limit 800s"));
    // An interrupted run is no verdict.
    ran.hides("FAIL").shows("0 cases");
}

#[test]
fn shrinking_and_proof_end_in_time_if_smaller_inputs_sleep() {
    let folder = Folder::new()
        .file("sol.c", right_after_sleeping("n < 6", LONG, "m + (n >= 6)"))
        .file("brute.c", RIGHT_C)
        .file("in", "8\n1 2 3 4 5 6 7 8\n");
    let shrink = "shrink in sol.c --reference brute.c --input 'n; a[n] where 1<=n<=8; -9<=a<=9' --time-limit 800s \
                  --shrink-time 2s --certify 2s --json events";
    folder.rebut(shrink).exits(1).shows("FAIL  sol.c: wrong answer").hides("smallest possible");
    folder.finding();
}

#[test]
fn long_silence_shows_a_heartbeat() {
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 2000\n")
        .file("p/input.format", FORMAT)
        .file("p/data/secret/1.in", "1\n1\n")
        .file("p/data/secret/1.ans", "1\n")
        .file("p/data/secret/2.in", "1\n2\n")
        .file("p/data/secret/2.ans", "2\n")
        .file("p/submissions/accepted/right.c", RIGHT_C)
        .file("p/submissions/wrong_answer/slow.c", right_after_sleeping("1", LONG, "m"));
    // The silence lasts until it is broken, and an interrupted run is not cached.
    let running = folder.typed("stress --problem p --time 1s --cases 1 --jobs 1").start();
    let is_alive = |line: &str| line.contains("Verifying") && line.contains("of 2 runs");
    eventually("a sign of life", || running.stream("stderr").lines().any(is_alive));
    interrupt(running);
}

#[test]
fn explanation_is_bounded_and_names_what_it_skipped() {
    // A single check takes more steps than there are.
    let heavier = HEAVY.replace("200<=n<=300", "300<=n<=400");
    let ran = Folder::new().rebut(&format!("format explain --input '{heavier}'")).exits(0);
    ran.shows("not measured: 20,000,000 steps were not enough").shows("none was found in 20,000,000 steps");
}

#[test]
fn build_ends_at_the_first_signal_and_writes_nothing() {
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Largest\n")
        .file("p/input.format", HEAVY)
        .file("p/submissions/accepted/right.c", RIGHT_C)
        .file("p/tests.toml", "[[test]]\nname = 'any'\ncount = 100\n");
    interrupt_when(&folder, "build p --no-verify", Signal::TERM, "Building");
    assert_eq!(folder.names("p/data"), Vec::<String>::new());
}

#[test]
fn run_of_one_submission_ends_at_the_first_signal() {
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 2000\n")
        .file("p/input.format", FORMAT)
        .file("p/data/secret/1.in", "1\n1\n")
        .file("p/data/secret/1.ans", "1\n")
        .file("sleeps.c", right_after_sleeping("1", LONG, "m"));
    interrupt_when(&folder, "run sleeps.c p", Signal::INT, "Verifying").shows("0 of 1 run known");
}

#[test]
fn repeated_proof_ends_at_the_first_signal() {
    // The finding fails at once; all smaller inputs sleep.
    let sol = right_after_sleeping("n < 6", LONG, "m + (n >= 6)");
    let folder = Folder::new().file("sol.c", sol).file("brute.c", RIGHT_C).file("in", "6\n1 2 3 4 5 6\n");
    let shrink = "shrink in sol.c --reference brute.c --input 'n; a[n] where 1<=n<=8; -9<=a<=9' --time-limit 800s \
                  --shrink-time 1s --certify 0s";
    folder.rebut(shrink).exits(1);
    let name = folder.finding().name;
    let running = folder.typed(&format!("replay {name} --certify 1h")).start();
    eventually("a proof", || running.stream("stderr").contains("Proving"));
    interrupt(running);
}
