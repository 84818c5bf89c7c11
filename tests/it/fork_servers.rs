//! Forks of a warm process behave like new processes. A program that behaves differently in the two is reported.

use crate::environment::{Folder, installed};
use rebut_sandbox::{CancelToken, HostEnvironment, LimitHit, Program, ProgramVariant, RunLimits, RunOutcome};
use rebut_toolchain::{BuildVariant, ProgramBuilder};
use std::path::Path;

fn program(folder: &Folder, name: &str) -> Program {
    let environment = HostEnvironment::from_process().unwrap().with_spawner(env!("CARGO_BIN_EXE_rebut"));
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let builder = ProgramBuilder::new(environment.with_variable("REBUT_CACHE", cache)).unwrap();
    builder.compile(&folder.path(name), BuildVariant::Judged, &CancelToken::new()).unwrap().program
}

/// No program here sleeps, so only CPU time decides, even on a busy machine.
fn limits() -> RunLimits {
    limits_of_ms(1000)
}

fn limits_of_ms(cpu_time_ms: u64) -> RunLimits {
    RunLimits {
        memory_limit_bytes: 256 << 20,
        wall_time_limit_ms: 120_000,
        output_limit_bytes: 1 << 20,
        ..RunLimits::with_cpu_time_ms(cpu_time_ms)
    }
}

/// The input on which the programs in C and Python loop for ever.
const ENDLESS: &str = "4";

/// Returns the limits for some inputs: low ones if a program loops for ever on one of them.
fn limits_for(inputs: &[&str]) -> RunLimits {
    if inputs.contains(&ENDLESS) { limits_of_ms(100) } else { limits() }
}

/// Returns all parts of an outcome that a judge sees.
fn observable_outcome(outcome: RunOutcome) -> (String, String, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (outcome.exit.to_string(), format!("{:?}", outcome.limit), text(outcome.output), text(outcome.stderr))
}

/// Returns an outcome without messages: some of them name threads by numbers that change with each run.
fn outcome_without_messages(outcome: RunOutcome) -> (String, String, String) {
    let (exit, limit, output, _) = observable_outcome(outcome);
    (exit, limit, output)
}

/// Runs a program on each input several times, in new processes and on the fast path, and compares the outcomes.
fn check_both_paths(name: &str, source: &str, inputs: &[&str]) {
    let folder = Folder::new().file(name, source);
    let program = program(&folder, name);
    assert!(program.has_fast_path(), "{name} is no fork server");
    for input in inputs.iter().cycle().take(2 * inputs.len()) {
        let limits = limits_for(&[input]);
        let fresh = program.run(input.as_bytes(), &[], &limits, &CancelToken::new()).unwrap();
        let copied = program.run_fast(input.as_bytes(), &[], &limits, &CancelToken::new()).unwrap();
        if name.ends_with(".rs") {
            assert_eq!(outcome_without_messages(copied), outcome_without_messages(fresh), "{name} on {input:?}");
        } else {
            assert_eq!(observable_outcome(copied), observable_outcome(fresh), "{name} on {input:?}");
        }
    }
    assert!(program.has_fast_path(), "{name} could not be copied");
}

/// Prints its variant, and whether it is a copy: in a server, a constructor with a reserved priority ran in another process.
const VARIANTS: &str = r#"
#include <cstdlib>
#include <iostream>
#include <unistd.h>
static long variant = 0, first = 0;
extern "C" void rebut_choose_variant(long number) { variant = number; }
__attribute__((constructor(100))) static void start(int count, char **words) {
    first = getpid();
    if (count > 1) variant = std::atol(words[count - 1]);
}
int main() {
    int n;
    std::cin >> n;
    std::cout << variant * n << (getpid() == first ? " started\n" : " copied\n");
}
"#;

/// The same in Rust, without the place.
const RUST_VARIANTS: &str = r#"
use std::sync::atomic::{AtomicI64, Ordering};
static VARIANT: AtomicI64 = AtomicI64::new(0);
#[no_mangle]
pub extern "C" fn rebut_choose_variant(number: i64) { VARIANT.store(number, Ordering::Relaxed); }
fn main() {
    let word = std::env::args().last().and_then(|word| word.parse().ok());
    println!("{}", word.unwrap_or(VARIANT.load(Ordering::Relaxed)));
}
"#;

#[test]
fn copies_in_rust_run_the_variant_that_is_asked_for() {
    let program = program(&Folder::new().file("variants.rs", RUST_VARIANTS), "variants.rs");
    for number in [3, 1] {
        let variant = program.with_variant(ProgramVariant { number, argument: number.to_string().into() });
        for run in [Program::run, Program::run_fast] {
            let output = run(&variant, b"", &[], &limits(), &CancelToken::new()).unwrap().output;
            assert_eq!(String::from_utf8_lossy(&output), format!("{number}\n"));
        }
    }
    assert_eq!(program.fast_path_refusal(), None);
}

#[test]
fn copies_run_the_variant_that_is_asked_for() {
    let folder =
        Folder::new().file("variants.cpp", VARIANTS).file("plain.cpp", VARIANTS.replace("rebut_choose", "choose"));
    let text = |outcome: RunOutcome| String::from_utf8_lossy(&outcome.output).trim_end().to_owned();
    for (name, how) in [("variants.cpp", "copied"), ("plain.cpp", "started")] {
        let program = program(&folder, name);
        for number in [3, 1, 2] {
            let variant = program.with_variant(ProgramVariant { number, argument: number.to_string().into() });
            let fresh = variant.run(b"5", &[], &limits(), &CancelToken::new()).unwrap();
            let copied = variant.run_fast(b"5", &[], &limits(), &CancelToken::new()).unwrap();
            assert_eq!(text(fresh), format!("{} started", 5 * number), "{name}");
            assert_eq!(text(copied), format!("{} {how}", 5 * number), "{name}");
        }
        let own = program.run_fast(b"5", &[], &limits(), &CancelToken::new()).unwrap();
        assert_eq!(text(own), format!("0 {how}"), "{name}: no variant is left over from an earlier copy");
    }
}

/// Runs a program on several inputs in a batch, checks that each outcome is that of a new process, and returns the
/// number of outcomes.
fn run_in_batch(program: &Program, inputs: &[&str]) -> usize {
    let all: Vec<&[u8]> = inputs.iter().map(|input| input.as_bytes()).collect();
    let limits = limits_for(inputs);
    let outcomes = program.run_batch(&all, &limits, &CancelToken::new()).unwrap();
    let count = outcomes.len();
    for (input, outcome) in inputs.iter().zip(outcomes) {
        let fresh = program.run(input.as_bytes(), &[], &limits, &CancelToken::new()).unwrap();
        assert_eq!(observable_outcome(outcome), observable_outcome(fresh), "{input:?}");
    }
    count
}

/// Its behaviour depends on the number that it reads.
const C: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int global = 7;
int deep(int n) { volatile char room[1024]; room[0] = n; return n == 0 ? 0 : deep(n - 1) + room[0]; }
int main(int argc, char **argv) {
    int n = -1;
    if (scanf(\"%d\", &n) != 1) puts(\"nothing\");
    printf(\"%d %d %d\\n\", argc, n, global++);
    if (n == 1) return 3;
    if (n == 2) abort();
    if (n == 3) *(volatile int *)0 = 1;
    if (n == 4) for (;;) global++;
    if (n == 5) { char *p = (char *)malloc(200 << 20); if (!p) { fputs(\"std::bad_alloc\", stderr); return 1; } memset(p, 1, 200 << 20); }
    if (n == 6) printf(\"%d\\n\", deep(50000));
    if (n == 7) for (;;) puts(\"flood\");
    if (n == 8) { fputs(\"to stderr\\n\", stderr); exit(0); }
    if (n == 9) printf(\"%s\\n\", getenv(\"REBUT_FORK_SERVER\") ? \"told\" : \"not told\");
}
";

#[test]
fn c_and_cpp_programs_run_alike_on_both_paths() {
    if !installed(&["gcc"]) || !installed(&["g++"]) {
        return;
    }
    let inputs = ["", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    check_both_paths("sol.c", C, &inputs);
    check_both_paths("sol.cpp", C, &inputs[..3]);
}

#[test]
fn rust_programs_run_alike_on_both_paths() {
    let source = "\
use std::io::Read;
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let numbers: Vec<i64> = text.split_whitespace().map(|t| t.parse().unwrap()).collect();
    println!(\"{}\", numbers.iter().sum::<i64>() + std::env::args().count() as i64);
}
";
    if installed(&["gcc"]) {
        check_both_paths("sol.rs", source, &["1 2 3\n", "", "x"]);
    }
}

#[test]
fn python_programs_run_alike_on_both_paths() {
    let source = "\
import sys
import atexit
from collections import defaultdict
atexit.register(lambda: print('at the end', flush=True))
seen = defaultdict(int)
def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)
if __name__ == '__main__':
    line = sys.stdin.readline().split()
    seen[len(line)] += 1
    print(len(sys.argv), line, dict(seen), sys.getrecursionlimit(), deep(500))
    if line == ['1']: sys.exit(4)
    if line == ['2']: sys.exit('no')
    if line == ['3']: print(1 // 0)
    if line == ['4']:
        while True: pass
    if line == ['5']: x = [0] * 10 ** 9
    if line == ['6']: deep(10 ** 6)
    if line == ['7']:
        import threading
        threading.Thread(target=lambda: print('thread')).start()
    if line == ['8']: sys.stdout.write('no newline')
    if line == ['9']: raise SystemExit
";
    if installed(&["python3"]) {
        check_both_paths("sol.py", source, &["", "0\n", "1\n", "2\n", "7\n", "8\n", "9\n", "4"]);
        // Where the stack ends and which frames a message shows depends on the interpreter.
        let folder = Folder::new().file("sol.py", source);
        let program = program(&folder, "sol.py");
        let limits = limits();
        for input in ["3\n", "5\n", "6\n"] {
            let fresh = program.run(input.as_bytes(), &[], &limits, &CancelToken::new()).unwrap();
            let copied = program.run_fast(input.as_bytes(), &[], &limits, &CancelToken::new()).unwrap();
            assert_eq!(outcome_without_messages(copied), outcome_without_messages(fresh), "{input}");
        }
    }
}

#[test]
fn foreign_executables_run_alike_on_both_paths() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", C);
    let compiled =
        std::process::Command::new("gcc").args(["-o", "sol", "sol.c"]).current_dir(folder.path(".")).status();
    assert!(compiled.unwrap().success());
    let program = program(&folder, "sol");
    for input in ["0", "1", "2", "9"] {
        let run = |quickly: bool| {
            let limits = RunLimits::default();
            let run = if quickly { Program::run_fast } else { Program::run };
            observable_outcome(run(&program, input.as_bytes(), &[], &limits, &CancelToken::new()).unwrap())
        };
        assert_eq!(run(true), run(false), "{input}");
    }
    assert!(program.has_fast_path());
}

/// Fails on the fast path, where its constructor ran in another process.
const SUSPICIOUS: &str = "\
#include <stdio.h>
#include <unistd.h>
int before;
__attribute__((constructor(100))) void remember(void) { before = getpid(); }
int main() { int n; scanf(\"%d\", &n); printf(\"%d\\n\", before == getpid() ? n : -1); }
";

const ECHO: &str = "#include <stdio.h>\nint main() { int n; scanf(\"%d\", &n); printf(\"%d\\n\", n); }\n";

#[test]
fn failure_on_the_fast_path_only_is_reported_and_no_finding() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", SUSPICIOUS).file("brute.c", ECHO);
    let stress = "stress sol.c --input 'n where 0<=n<=9' --cases 40";
    let messages = ["engine fork server", "in a forked process, but not in a new one", "OK  nothing found"];
    folder.rebut(stress).exits(0).shows_all(&messages);
    folder.rebut(&format!("{stress} --engine exec")).exits(0).shows("engine exec").hides("copy of");
}

#[test]
fn failure_of_new_processes_only_is_found() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", SUSPICIOUS.replace("? n : -1", "? -1 : n")).file("brute.c", ECHO);
    folder.rebut("stress sol.c --input 'n where 0<=n<=9' --cases 40").exits(1).shows("FAIL  sol.c: wrong answer");
    assert_eq!(folder.finding().read("input.txt"), "0\n");
}

#[test]
fn finding_does_not_depend_on_engine_or_workers() {
    if !installed(&["g++"]) {
        return;
    }
    let home = crate::environment::home().join("testdata/problems/cf1921e");
    let found = |options: &str| {
        let folder = Folder::new();
        let stress = format!("stress w04_bob_never_chases_right --problem {} --seed 5 {options}", home.display());
        folder.rebut(&stress).exits(1);
        let record = folder.finding().record();
        (folder.finding().read("input.txt"), folder.finding().read("original.txt"), record["case"].clone())
    };
    let first = found("--engine exec --jobs 1");
    for options in ["--engine auto --jobs 1", "--engine auto --jobs 3", "--engine exec --jobs 2"] {
        assert_eq!(found(options), first, "{options}");
    }
}

/// After 20 ms a spawner starts no further run of a batch: on a busy machine that can be after the first.
#[track_caller]
fn check_batch_size(count: usize, most: usize) {
    assert!((1..=most).contains(&count), "{count} of {most}");
}

#[test]
fn batch_gives_the_same_outcomes() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", C).file("long.c", LONG);
    let sol = program(&folder, "sol.c");
    check_batch_size(run_in_batch(&sol, &["", "0", "9", "6", "0"]), 5);
    check_batch_size(run_in_batch(&sol, &["1", "0", "2", "3", "0"]), 5);
    // A run that reaches a limit ends the batch.
    check_batch_size(run_in_batch(&sol, &["0", "4", "0"]), 2);
    check_batch_size(run_in_batch(&sol, &["0", "7", "0"]), 2);
    check_batch_size(run_in_batch(&sol, &["0", "8", "0"]), 3);
    check_batch_size(run_in_batch(&program(&folder, "long.c"), &["3", "100000", "5"]), 3);
    assert_eq!(run_in_batch(&sol, &[]), 0);
    // More than one message holds: most inputs are sent with a second batch.
    let long = format!("5{}", " ".repeat(60_000));
    check_batch_size(run_in_batch(&sol, &[&long, &long, &long, &long, "0"]), 5);
    // Too long for a batch of copies, but not for one in place.
    assert!(run_in_batch(&sol, &[&long.repeat(3), "0"]) <= 2);
}

/// Many lines.
const LONG: &str =
    "#include <stdio.h>\nint main() { int n; scanf(\"%d\", &n); for (int i = 0; i < n; i++) printf(\"%d\\n\", i); }\n";

#[test]
fn runs_of_a_batch_are_isolated() {
    if !installed(&["gcc"]) {
        return;
    }
    let meddlers = [
        "lseek(1, 0, SEEK_SET); show();",
        "ftruncate(1, 0); show();",
        "show(); ftruncate(1, 0); lseek(1, 0, SEEK_SET);",
        "show(); lseek(1, 0, SEEK_SET);",
        "show(); lseek(1, 10, SEEK_CUR);",
        "show(); pwrite(1, \"7\\n\", 2, 0); pwrite(1, \"8\", 1, 50);",
        "show(); fcntl(0, F_SETFL, O_APPEND); fcntl(1, F_SETFL, O_APPEND);",
        "n = fcntl(1, F_GETFL) & O_APPEND; fcntl(1, F_SETFL, O_APPEND); show(); lseek(1, 0, SEEK_SET); show();",
        "n = fcntl(2, F_GETFL) & (O_APPEND | O_NONBLOCK); fcntl(2, F_SETFL, O_APPEND | O_NONBLOCK); show();",
        "show(); lseek(0, 0, SEEK_SET); flock(0, LOCK_EX); flock(1, LOCK_EX);",
        "show(); char all[600]; memset(all, 'x', 600); write(1, all, 600);",
        "show(); n == 4 ? write(2, \"x\", 1) : lseek(2, 10, SEEK_SET);",
        "show(); dup2(1, 0); close(1); close(2);",
        "show(); kill(getppid(), SIGCHLD); for (int i = 0; i < 1000000; i++) n += i; show();",
    ];
    for meddler in meddlers {
        let source = format!(
            "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <string.h>\n\
             #include <sys/file.h>\n#include <unistd.h>\nunsigned n;\n\
             void show(void) {{ printf(\"%u\\n\", n); fflush(stdout); }}\n\
             int main() {{ scanf(\"%u\", &n); {meddler} }}\n"
        );
        let folder = Folder::new().file("sol.c", source);
        let program = program(&folder, "sol.c");
        check_batch_size(run_in_batch(&program, &["1000", "2", "30", "4"]), 4);
        let limits = RunLimits { output_limit_bytes: 1000, ..limits() };
        for outcome in program.run_batch(&[b"1", b"2", b"3"], &limits, &CancelToken::new()).unwrap() {
            assert_eq!(outcome.limit, None, "{meddler}");
        }
    }
}

/// Prints its environment variables and the descriptors that are open and would be inherited.
const FINDS_C: &str = "#include <fcntl.h>\n#include <stdio.h>\nextern char **environ;\n
int main() {
    for (char **one = environ; *one; one++) puts(*one);
    for (int i = 0; i < 64; i++) printf(\"%d\", fcntl(i, F_GETFD));
}
";

const FINDS_PYTHON: &str = "import fcntl, os
print(sorted(os.environ.items()))
for number in range(64):
    try:
        print(number, fcntl.fcntl(number, fcntl.F_GETFD))
    except OSError:
        pass
";

#[test]
fn runs_of_a_batch_have_the_usual_environment() {
    if !installed(&["gcc", "python3"]) {
        return;
    }
    for (name, source) in [("sol.c", FINDS_C), ("sol.py", FINDS_PYTHON)] {
        let folder = Folder::new().file(name, source);
        let program = program(&folder, name);
        // One that reads nothing is not run in place.
        assert!(run_in_batch(&program, &["1", "2", "3", "4"]) <= 4);
        let copied = program.run_fast(b"", &[], &limits(), &CancelToken::new()).unwrap();
        assert_eq!(
            observable_outcome(copied),
            observable_outcome(program.run(b"", &[], &limits(), &CancelToken::new()).unwrap())
        );
        assert!(program.has_fast_path(), "{name}");
    }
}

/// A stopped process has not ended, although `waitpid` reports both.
#[test]
fn stopped_process_in_a_batch_is_reported_as_idle() {
    if !installed(&["gcc"]) {
        return;
    }
    let stops = "#include <signal.h>\n#include <stdio.h>\n
int main() { int n; scanf(\"%d\", &n); if (n > 1) raise(SIGSTOP); }\n";
    let folder = Folder::new().file("sol.c", stops);
    let program = program(&folder, "sol.c");
    let limits = RunLimits { wall_time_limit_ms: 200, ..limits() };
    // On a busy machine the first run can be the last of its batch.
    let mut seen_stopped = false;
    for _ in 0..20 {
        let outcomes = program.run_batch(&[b"1", b"1", b"2", b"1"], &limits, &CancelToken::new()).unwrap();
        let limits_hit: Vec<Option<LimitHit>> = outcomes.iter().map(|outcome| outcome.limit).collect();
        assert!([None, None, Some(LimitHit::WallTime)].starts_with(&limits_hit), "{limits_hit:?}");
        seen_stopped = limits_hit.len() == 3;
        if seen_stopped {
            break;
        }
    }
    assert!(seen_stopped, "none came so far");
}

#[test]
fn programs_that_write_to_stderr_are_searched_like_others() {
    if !installed(&["gcc"]) {
        return;
    }
    let wrong =
        ECHO.replace("printf", "fprintf(stderr, \"debug\\n\"); printf").replace(", n);", ", n == 777 ? 0 : n);");
    let found = |options: &str| {
        let folder = Folder::new().file("sol.c", &wrong).file("brute.c", ECHO);
        let stress = format!("stress sol.c --input 'n where 0<=n<=999' --seed 1 --certify 0s {options}");
        folder.rebut(&stress).exits(1).shows("wrong answer");
        let finding = folder.finding();
        assert_eq!(finding.read("input.txt"), "777\n");
        finding.record()["case"].clone()
    };
    let first = found("--jobs 1");
    assert_eq!(found("--jobs 3"), first);
    assert_eq!(found("--engine exec"), first);
}

#[test]
fn program_without_fork_server_is_restarted_with_a_note() {
    if !installed(&["gcc"]) {
        return;
    }
    let thread = "pthread_t t; pthread_create(&t, 0, (void *(*)(void *))pause, 0);";
    let reasons = [(thread, "starts threads before `main`"), ("sleep(1000);", "takes too long to get ready")];
    for (constructor, reason) in reasons {
        let constructor = format!("if (getenv(\"REBUT_FORK_SERVER\")) {{ {constructor} }}");
        let includes = "#include <pthread.h>\n#include <stdlib.h>\n#include <unistd.h>\n";
        let source =
            format!("{includes}{ECHO}__attribute__((constructor(100))) void start(void) {{ {constructor} }}\n");
        let folder = Folder::new().file("sol.c", &source).file("brute.c", ECHO);
        let stress = "stress sol.c --reference brute.c --input 'n where 0<=n<=9' --cases 40";
        folder.rebut(stress).exits(0).shows_all(&["sol.c cannot use the fork server", reason, "OK  nothing found"]);
        folder.rebut(&format!("{stress} --engine exec")).exits(0).hides("cannot use the fork server");
    }
}

/// A correct submission next to one with a constructor that starts processes which burn CPU time, fail and print.
#[test]
fn hostile_submission_does_not_affect_its_neighbour() {
    if !installed(&["gcc"]) {
        return;
    }
    let home = crate::environment::home().join("testdata/attacks");
    let read = |name: &str| std::fs::read_to_string(home.join(name)).unwrap();
    let main = "int main() { int n; if (scanf(\"%d\", &n) == 1) printf(\"%d\\n\", n); }";
    for attack in ["server_timer_sibling.c", "server_many_siblings.c", "server_timer_files.c"] {
        let source = read(attack).replace("int main() {}", main);
        assert!(source.contains(main), "{attack}");
        let folder = Folder::new().file("right.c", ECHO).file("brute.c", ECHO).file("hostile.c", &source);
        let folder = folder.file("server.h", read("server.h")).file("attack.h", read("attack.h"));
        let stress = "stress hostile.c right.c --reference brute.c --input 'n where 0<=n<=9' --cases 6 --jobs 1";
        let ran = folder.rebut(&format!("{stress} --time-limit 200ms --json events.json"));
        ran.hides("right.c fails").hides("right.c is not").hides("brute.c is not");
        let events = std::fs::read_to_string(folder.path("events.json")).unwrap();
        let last: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
        let survivors = last["survivors"].as_array().unwrap();
        assert!(survivors.iter().any(|name| name == "right.c"), "{attack}: {last}");
        assert_eq!(last["progress"]["skipped"], 0, "{attack}: {last}");
    }
}
