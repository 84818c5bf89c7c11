//! Copies of warm processes behave as fresh ones do; and where a program can tell them apart, that is told.

use crate::environment::{Folder, installed};
use rebut::run::{Builder, Cancel, Environment, LimitHit, Limits, Outcome, Program, Variant};
use std::path::Path;

fn program(folder: &Folder, name: &str) -> Program {
    let environment = Environment::capture().unwrap().with_spawner(env!("CARGO_BIN_EXE_rebut"));
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let builder = Builder::new(environment.with("REBUT_CACHE", cache)).unwrap();
    builder.compile(&folder.path(name), Variant::Judged, &Cancel::new()).unwrap().program
}

/// Nothing here sleeps: however busy the machine is, the wall clock decides nothing.
fn limits() -> Limits {
    Limits { memory_limit_bytes: 256 << 20, wall_time_limit_ms: 120_000, ..Limits::with_cpu_time_ms(1000) }
}

/// All that a judge sees of a run.
fn seen(outcome: Outcome) -> (String, String, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (outcome.exit.to_string(), format!("{:?}", outcome.limit), text(outcome.output), text(outcome.stderr))
}

/// What is seen without messages: some name threads by numbers that are new each time.
fn told(outcome: Outcome) -> (String, String, String) {
    let (exit, limit, output, _) = seen(outcome);
    (exit, limit, output)
}

/// Runs a program on each input, afresh and as a copy, several times; what both did must be the same.
fn alike(name: &str, source: &str, inputs: &[&str]) {
    let folder = Folder::new().file(name, source);
    let program = program(&folder, name);
    assert!(program.is_quick(), "{name} is no fork server");
    let limits = limits();
    for input in inputs.iter().cycle().take(2 * inputs.len()) {
        let fresh = program.run(input.as_bytes(), &[], &limits, &Cancel::new()).unwrap();
        let copied = program.run_quickly(input.as_bytes(), &[], &limits, &Cancel::new()).unwrap();
        if name.ends_with(".rs") {
            assert_eq!(told(copied), told(fresh), "{name} on {input:?}");
        } else {
            assert_eq!(seen(copied), seen(fresh), "{name} on {input:?}");
        }
    }
    assert!(program.is_quick(), "{name} could not be copied");
}

/// Runs a program on several inputs at once; what came of the first of them, which must be as it is afresh. How many that are.
fn at_once(program: &Program, inputs: &[&str]) -> usize {
    let all: Vec<&[u8]> = inputs.iter().map(|input| input.as_bytes()).collect();
    let outcomes = program.run_several(&all, &limits(), &Cancel::new()).unwrap();
    let count = outcomes.len();
    for (input, outcome) in inputs.iter().zip(outcomes) {
        let fresh = program.run(input.as_bytes(), &[], &limits(), &Cancel::new()).unwrap();
        assert_eq!(seen(outcome), seen(fresh), "{input:?}");
    }
    count
}

/// What the number read decides.
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
    if (n == 5) { char *p = (char *)malloc(300 << 20); if (!p) { fputs(\"std::bad_alloc\", stderr); return 1; } memset(p, 1, 300 << 20); }
    if (n == 6) printf(\"%d\\n\", deep(50000));
    if (n == 7) for (;;) puts(\"flood\");
    if (n == 8) { fputs(\"to stderr\\n\", stderr); exit(0); }
    if (n == 9) printf(\"%s\\n\", getenv(\"REBUT_FORK_SERVER\") ? \"told\" : \"not told\");
}
";

#[test]
fn programs_in_c_and_cpp() {
    if !installed(&["gcc"]) || !installed(&["g++"]) {
        return;
    }
    let inputs = ["", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    alike("sol.c", C, &inputs);
    alike("sol.cpp", C, &inputs[..3]);
}

#[test]
fn programs_in_rust() {
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
        alike("sol.rs", source, &["1 2 3\n", "", "x"]);
    }
}

#[test]
fn programs_in_python() {
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
    if line == ['4']: deep(10 ** 6)
    if line == ['5']: x = [0] * 10 ** 9
    if line == ['6']:
        while True: pass
    if line == ['7']:
        import threading
        threading.Thread(target=lambda: print('thread')).start()
    if line == ['8']: sys.stdout.write('no newline')
    if line == ['9']: raise SystemExit
";
    if installed(&["python3"]) {
        alike("sol.py", source, &["", "0\n", "1\n", "2\n", "7\n", "8\n", "9\n", "6\n"]);
        // How far a stack of frames reaches, and which frames a message shows, is the interpreter's own affair.
        let folder = Folder::new().file("sol.py", source);
        let program = program(&folder, "sol.py");
        let limits = limits();
        for input in ["3\n", "4\n", "5\n"] {
            let fresh = program.run(input.as_bytes(), &[], &limits, &Cancel::new()).unwrap();
            let copied = program.run_quickly(input.as_bytes(), &[], &limits, &Cancel::new()).unwrap();
            assert_eq!(told(copied), told(fresh), "{input}");
        }
    }
}

#[test]
fn executables_that_were_compiled_elsewhere() {
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
            let limits = Limits::default();
            let run = if quickly { Program::run_quickly } else { Program::run };
            seen(run(&program, input.as_bytes(), &[], &limits, &Cancel::new()).unwrap())
        };
        assert_eq!(run(true), run(false), "{input}");
    }
    assert!(program.is_quick());
}

/// Fails where it is a copy: what ran before `main` ran in another process.
const SUSPICIOUS: &str = "\
#include <stdio.h>
#include <unistd.h>
int before;
__attribute__((constructor)) void remember(void) { before = getpid(); }
int main() { int n; scanf(\"%d\", &n); printf(\"%d\\n\", before == getpid() ? n : -1); }
";

const ECHO: &str = "#include <stdio.h>\nint main() { int n; scanf(\"%d\", &n); printf(\"%d\\n\", n); }\n";

#[test]
fn a_failure_of_copies_alone_is_told_and_is_no_finding() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", SUSPICIOUS).file("brute.c", ECHO);
    let stress = "stress sol.c --input 'n where 0<=n<=9' --cases 40";
    let told =
        ["engine fork server", "in a copy of a warm process, but not in a process of its own", "OK  nothing found"];
    folder.rebut(stress).exits(0).shows_all(&told);
    folder.rebut(&format!("{stress} --engine exec")).exits(0).shows("engine exec").hides("copy of");
}

#[test]
fn a_failure_of_fresh_processes_alone_is_found() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", SUSPICIOUS.replace("? n : -1", "? -1 : n")).file("brute.c", ECHO);
    folder.rebut("stress sol.c --input 'n where 0<=n<=9' --cases 40").exits(1).shows("FAIL  sol.c: wrong answer");
    assert_eq!(folder.finding().read("input.txt"), "0\n");
}

#[test]
fn both_engines_and_any_number_of_workers_find_the_same() {
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

/// After 20 ms a spawner takes no further run: on a busy machine that may be after the first.
#[track_caller]
fn up_to(count: usize, most: usize) {
    assert!((1..=most).contains(&count), "{count} of {most}");
}

#[test]
fn several_inputs_at_once() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new().file("sol.c", C).file("long.c", LONG);
    let sol = program(&folder, "sol.c");
    up_to(at_once(&sol, &["", "0", "9", "6", "0"]), 5);
    up_to(at_once(&sol, &["1", "0", "2", "3", "0"]), 5);
    // What reaches a limit, writes to its error stream or writes much is the last.
    up_to(at_once(&sol, &["0", "4", "0"]), 2);
    up_to(at_once(&sol, &["0", "7", "0"]), 2);
    up_to(at_once(&sol, &["0", "8", "0"]), 2);
    assert_eq!(at_once(&sol, &["8", "0"]), 1);
    up_to(at_once(&program(&folder, "long.c"), &["3", "100000", "5"]), 2);
    assert_eq!((at_once(&sol, &["0"]), at_once(&sol, &[])), (0, 0), "one by one is as well");
    // More than is sent together: most of it goes with a second order.
    let long = format!("5{}", " ".repeat(60_000));
    up_to(at_once(&sol, &[&long, &long, &long, &long, "0"]), 5);
    assert_eq!(at_once(&sol, &[&long.repeat(3), "0"]), 0);
}

/// So many lines.
const LONG: &str =
    "#include <stdio.h>\nint main() { int n; scanf(\"%d\", &n); for (int i = 0; i < n; i++) printf(\"%d\\n\", i); }\n";

#[test]
fn runs_at_once_do_not_see_each_other() {
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
        up_to(at_once(&program, &["1000", "2", "30", "4"]), 4);
        let limits = Limits { output_limit_bytes: 1000, ..limits() };
        for outcome in program.run_several(&[b"1", b"2", b"3"], &limits, &Cancel::new()).unwrap() {
            assert_eq!(outcome.limit, None, "{meddler}");
        }
    }
}

/// What a program finds: its variables, and which descriptors are open and would stay so.
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
fn runs_at_once_find_what_others_do() {
    if !installed(&["gcc", "python3"]) {
        return;
    }
    for (name, source) in [("sol.c", FINDS_C), ("sol.py", FINDS_PYTHON)] {
        let folder = Folder::new().file(name, source);
        let program = program(&folder, name);
        up_to(at_once(&program, &["1", "2", "3", "4"]), 4);
        let copied = program.run_quickly(b"", &[], &limits(), &Cancel::new()).unwrap();
        assert_eq!(seen(copied), seen(program.run(b"", &[], &limits(), &Cancel::new()).unwrap()));
        assert!(program.is_quick(), "{name}");
    }
}

/// To be stopped is not to end, though it is told in the same way.
#[test]
fn who_stops_among_runs_at_once_is_idle() {
    if !installed(&["gcc"]) {
        return;
    }
    let stops = "#include <signal.h>\n#include <stdio.h>\n
int main() { int n; scanf(\"%d\", &n); if (n > 1) raise(SIGSTOP); }\n";
    let folder = Folder::new().file("sol.c", stops);
    let program = program(&folder, "sol.c");
    let limits = Limits { wall_time_limit_ms: 200, ..limits() };
    // On a busy machine the first may be the last of its order.
    let mut seen_stopped = false;
    for _ in 0..20 {
        let outcomes = program.run_several(&[b"1", b"1", b"2", b"1"], &limits, &Cancel::new()).unwrap();
        let told: Vec<Option<LimitHit>> = outcomes.iter().map(|outcome| outcome.limit).collect();
        assert!([None, None, Some(LimitHit::WallTime)].starts_with(&told), "{told:?}");
        seen_stopped = told.len() == 3;
        if seen_stopped {
            break;
        }
    }
    assert!(seen_stopped, "none came so far");
}

#[test]
fn who_writes_to_the_error_stream_is_searched_like_others() {
    if !installed(&["gcc"]) {
        return;
    }
    let wrong =
        ECHO.replace("printf", "fprintf(stderr, \"debug\\n\"); printf").replace(", n);", ", n == 777 ? 0 : n);");
    let found = |options: &str| {
        let folder = Folder::new().file("sol.c", &wrong).file("brute.c", ECHO);
        let stress = format!("stress sol.c --input 'n where 0<=n<=999' --seed 1 {options}");
        folder.rebut(&stress).exits(1).shows("wrong answer");
        let finding = folder.finding();
        assert_eq!(finding.read("input.txt"), "777\n");
        finding.record()["case"].clone()
    };
    assert_eq!(found("--jobs 1"), found("--jobs 3"));
    assert_eq!(found("--jobs 1"), found("--engine exec"));
}

#[test]
fn program_that_cannot_be_copied_is_started_again_and_the_user_is_told() {
    if !installed(&["gcc"]) {
        return;
    }
    let thread = "pthread_t t; pthread_create(&t, 0, (void *(*)(void *))pause, 0);";
    let reasons = [(thread, "starts threads before `main`"), ("sleep(1000);", "is not ready to be copied in time")];
    for (constructor, reason) in reasons {
        let constructor = format!("if (getenv(\"REBUT_FORK_SERVER\")) {{ {constructor} }}");
        let includes = "#include <pthread.h>\n#include <stdlib.h>\n#include <unistd.h>\n";
        let source = format!("{includes}{ECHO}__attribute__((constructor)) void start(void) {{ {constructor} }}\n");
        let folder = Folder::new().file("sol.c", &source).file("brute.c", ECHO);
        let stress = "stress sol.c --reference brute.c --input 'n where 0<=n<=9' --cases 40";
        folder.rebut(stress).exits(0).shows_all(&["sol.c is not copied", reason, "OK  nothing found"]);
        folder.rebut(&format!("{stress} --engine exec")).exits(0).hides("is not copied");
    }
}

/// A right submission beside one whose constructor makes processes that burn time, fail, and print.
#[test]
fn hostile_submission_changes_nothing_for_its_neighbour() {
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
        let ran = folder.rebut(&format!("{stress} --time-limit 0.2 --json events.json"));
        ran.hides("right.c fails").hides("right.c is not").hides("brute.c is not");
        let events = std::fs::read_to_string(folder.path("events.json")).unwrap();
        let last: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
        let survivors = last["survivors"].as_array().unwrap();
        assert!(survivors.iter().any(|name| name == "right.c"), "{attack}: {last}");
        assert_eq!(last["progress"]["skipped"], 0, "{attack}: {last}");
    }
}
