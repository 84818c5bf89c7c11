//! Each kind of failure has its verdict, its message, its smallest input, and a finding that replays.

use crate::environment::{Folder, Ran, installed};
use crate::programs::{ECHO_C, c_about_n};

const INPUT: &str = "--reference brute.c --input 'n where 1<=n<=8' --seed 1 --cases 200";

/// Stresses a C program that fails from 3 on, and replays the finding.
#[track_caller]
fn check_failure_at_3(what: &str, options: &str, verdict: &str, shown: &[&str]) -> Ran {
    check_stress("sol.c", &c_about_n(what), options, verdict, shown)
}

#[track_caller]
fn check_stress(name: &str, text: &str, options: &str, verdict: &str, shown: &[&str]) -> Ran {
    let folder = Folder::new().file(name, text).file("brute.c", ECHO_C);
    let head = format!("FAIL  {name}: {verdict}");
    let ran = folder.rebut(&format!("stress {name} {INPUT} {options}")).exits(1).shows(&head).shows_all(shown);
    let finding = folder.finding();
    assert_eq!(finding.read("input.txt"), "3\n", "{ran}");
    assert!(finding.name.ends_with(&verdict.replace(' ', "-")), "{}", finding.name);
    finding.replay().exits(1).shows(&head);
    ran
}

#[test]
fn wrong_answer_is_found() {
    check_failure_at_3("if (n >= 3) n = 7 - n;", "", "wrong answer", &["1 ! 3", "| 4"]);
}

#[test]
fn exceeded_time_limit_is_found() {
    let loops = "volatile int i = 0; while (n >= 3) i++;";
    check_failure_at_3(loops, "--time-limit 100ms", "time limit exceeded", &["processor time", "0.1 s"]);
}

/// Each run of a program that never ends takes as long as a run can, and a second one leaves no doubt.
#[test]
fn program_that_never_ends_is_confirmed_once() {
    let loops = "#include <stdio.h>\nint main() { volatile int i = 0; while (1) i++; }\n";
    let folder = Folder::new().file("sol.c", loops).file("brute.c", ECHO_C);
    let typed = "stress sol.c --reference brute.c --time-limit 100ms --certify 0s --seed 1 --json events.jsonl";
    folder.typed(typed).argument("--input").argument("n where 1<=n<=8").run().exits(1);
    assert!(folder.read("events.jsonl").contains("time limit exceeded, in 1 run\""));
}

/// Two milliseconds a number: the limit is reached at 50, and the tolerance of one measurement is exceeded at 62.
#[test]
fn shrunk_input_is_too_slow_beyond_doubt() {
    let burns = "#include <stdio.h>\n#include <time.h>\nint main() { int n; scanf(\"%d\", &n); \
                 while (clock() < n * (CLOCKS_PER_SEC / 500)); printf(\"%d\\n\", n); }\n";
    let folder = Folder::new().file("sol.c", burns).file("brute.c", ECHO_C).file("large.in", "100\n");
    let typed = "shrink large.in sol.c --reference brute.c --time-limit 100ms --certify 0s";
    let ran = folder.typed(typed).argument("--input").argument("n where 1<=n<=100").run().exits(1);
    ran.shows("time limit exceeded");
    let shrunk: u32 = folder.finding().read("input.txt").trim().parse().unwrap();
    assert!((57..=63).contains(&shrunk), "{shrunk}");
}

#[test]
fn idle_program_is_found() {
    check_failure_at_3("if (n >= 3) pause();", "--time-limit 100ms --certify 0s", "time limit exceeded", &["idle"]);
}

#[test]
fn exceeded_memory_limit_is_found() {
    let hoards = "while (n >= 3) { char *p = malloc(1 << 22); if (p) memset(p, 1, 1 << 22); }";
    check_failure_at_3(hoards, "--memory-limit 64", "memory limit exceeded", &["used more memory", "MiB"]);
}

#[test]
fn exceeded_output_limit_is_found() {
    let floods = "static char line[1 << 16]; memset(line, 'x', sizeof line - 1); while (n >= 3) puts(line);";
    check_failure_at_3(floods, "", "output limit exceeded", &["wrote more"]);
}

#[test]
fn signal_and_faulty_line_are_shown() {
    if !installed(&["gcc"]) {
        return;
    }
    let fault = "int *a = malloc(8); a[n >= 3 ? 1 << 28 : 0] = n; n = a[0] == n ? n : 3;";
    check_failure_at_3(fault, "", "runtime error", &["SIGSEGV", "sol.c:7", "a[n >= 3 ?"]);
}

#[test]
fn abort_is_named() {
    check_failure_at_3("if (n >= 3) abort();", "", "runtime error", &["SIGABRT"]);
}

#[test]
fn exit_status_is_shown() {
    check_failure_at_3(
        "if (n >= 3) { fputs(\"too much\\n\", stderr); exit(5); }",
        "",
        "runtime error",
        &["5", "too much"],
    );
}

#[test]
fn last_lines_of_an_exception_are_shown() {
    if !installed(&["python3", "python"]) {
        return;
    }
    let text = "n = int(input())\nprint(n if n < 3 else n // 0)\n";
    check_stress("sol.py", text, "", "runtime error", &["ZeroDivisionError", "line 2"]);
}

#[test]
fn compile_error_shows_the_message_of_the_compiler() {
    let folder = Folder::new().file("sol.c", "int main() { return x; }\n").file("brute.c", ECHO_C);
    let ran = folder.rebut(&format!("stress sol.c {INPUT}")).exits(1);
    ran.shows_all(&["compile error", "sol.c:1:", "error:", "undeclared"]);
    assert!(folder.names("findings").is_empty());
}

#[test]
fn compile_error_does_not_stop_other_submissions() {
    let folder = Folder::new()
        .file("broken.c", "int main() { return x; }\n")
        .file("wrong.c", c_about_n("n = n >= 3 ? 1 : n;"))
        .file("brute.c", ECHO_C);
    let ran = folder.rebut(&format!("stress broken.c wrong.c {INPUT}")).exits(1);
    ran.shows_all(&["broken.c: compile error", "wrong.c: wrong answer"]);
    assert_eq!(folder.finding().read("input.txt"), "3\n");
}

#[test]
fn correct_program_has_no_finding() {
    let folder = Folder::new().file("sol.c", ECHO_C).file("brute.c", ECHO_C);
    folder.rebut(&format!("stress sol.c {INPUT}")).exits(0).hides("FAIL").shows("200 cases");
    assert!(folder.names("findings").is_empty());
}
