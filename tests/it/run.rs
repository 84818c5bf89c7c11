//! Real compilers and processes: the outcomes of broken and hostile programs, and what they leave behind.
//!
//! No test here waits for a fixed time or compares times: each limit is either far away or certain to be reached.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use crate::environment::make_executable;
use rebut_diagnostics::{Error, ErrorKind};
use rebut_sandbox::{CancelToken, HostEnvironment, LimitHit, ProcessExit, Program, RunLimits, RunOutcome};
use rebut_toolchain::{
    BuildVariant, CompileError, CompiledProgram, ProgramBuilder, SanitizerResult, SourceOptions, run_with_sanitizers,
};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const MIB: u64 = 1 << 20;

/// Returns a builder with a cache that is shared by test runs, because compilers are slow.
fn builder() -> ProgramBuilder {
    builder_with(Path::new(env!("CARGO_TARGET_TMPDIR")))
}

fn builder_with(cache: &Path) -> ProgramBuilder {
    ProgramBuilder::new(environment().with_variable("REBUT_CACHE", cache).with_spawner(env!("CARGO_BIN_EXE_rebut")))
        .unwrap()
}

/// Returns the environment without a spawner: programs are started by the test process itself.
fn environment() -> HostEnvironment {
    HostEnvironment::from_process().unwrap()
}

/// A source in a folder of its own.
struct SourceFile {
    folder: TempDir,
    name: &'static str,
}

impl SourceFile {
    fn new(name: &'static str, text: &str) -> Self {
        let source = SourceFile { folder: tempfile::tempdir().unwrap(), name };
        fs::write(source.path(), text).unwrap();
        source
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    fn compile(&self) -> Result<CompiledProgram, CompileError> {
        self.compile_by(&builder())
    }

    fn compile_by(&self, builder: &ProgramBuilder) -> Result<CompiledProgram, CompileError> {
        builder.compile(&self.path(), BuildVariant::Judged, &CancelToken::new())
    }
}

/// Returns true if a compiler is installed, and prints that the test is skipped if not.
fn installed(tool: &str) -> bool {
    let found = std::env::split_paths(&std::env::var_os("PATH").unwrap()).any(|folder| folder.join(tool).is_file());
    if !found {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("skipped: no {tool} here\n").as_bytes());
    }
    found
}

/// Compiles a C program, or returns `None` without a compiler.
fn c(text: &str) -> Option<Program> {
    installed("gcc").then(|| c_source(text).compile().expect("a C program").program)
}

/// Compiles a C program as the user's own command, which runs outside the sandbox.
fn tool_c(text: &str) -> Option<Program> {
    let source = c_source(text);
    let command = format!("'{}'", source.path().display());
    installed("gcc").then(|| builder().compile_command(&command, &CancelToken::new()).expect("a C program").program)
}

fn c_source(text: &str) -> SourceFile {
    let headers = ["errno", "fcntl", "signal", "stdio", "stdlib", "string", "unistd"];
    let includes: String = headers.iter().map(|name| format!("#include <{name}.h>\n")).collect();
    SourceFile::new("sol.c", &format!("{includes}{text}\n"))
}

fn arguments(arguments: &[&str]) -> Vec<OsString> {
    arguments.iter().map(OsString::from).collect()
}

fn run(program: &Program, input: &[u8]) -> RunOutcome {
    run_within(program, input, &RunLimits::default())
}

fn run_within(program: &Program, input: &[u8], limits: &RunLimits) -> RunOutcome {
    program.run(input, &[], limits, &CancelToken::new()).unwrap()
}

/// Waits for a condition that becomes true for certain.
fn eventually(mut is_so: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

/// Returns true if a process is gone or a zombie.
fn is_gone(pid: &str) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return true };
    stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with(['Z', 'X']))
}

// Languages ----------------------------------------------------------------------------------------------------------

fn check_sum_of_two_numbers(tool: &str, name: &'static str, text: &str) {
    if !installed(tool) {
        return;
    }
    let compiled = SourceFile::new(name, text).compile();
    // Interpreted sources run in place, so the folder has to stay.
    let source = SourceFile::new(name, text);
    let compiled = compiled.and_then(|_| source.compile()).unwrap();
    for input in ["2 3\n", "-7 7\n"] {
        let outcome = run(&compiled.program, input.as_bytes());
        let sum: i32 = input.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum();
        assert_eq!(String::from_utf8_lossy(&outcome.output), format!("{sum}\n"), "{outcome:?}");
        assert!(outcome.is_success(), "{outcome:?}");
    }
    assert!(compiled.is_from_cache, "the same source under the same name was just compiled");
    assert!(compiled.command.is_some_and(|command| command.contains(name)));
    assert!(compiled.language.is_some_and(|language| language.extensions.iter().any(|end| name.ends_with(end))));
}

#[test]
fn c_program_runs() {
    check_sum_of_two_numbers(
        "gcc",
        "sol.c",
        "#include <stdio.h>\nint main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); }",
    );
}

#[test]
fn cpp_program_runs() {
    check_sum_of_two_numbers(
        "g++",
        "sol.cpp",
        "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b << \"\\n\"; }",
    );
}

#[test]
fn rust_program_runs() {
    let text = "fn main() { let text = std::io::read_to_string(std::io::stdin()).unwrap();
        println!(\"{}\", text.split_whitespace().map(|word| word.parse::<i32>().unwrap()).sum::<i32>()); }";
    check_sum_of_two_numbers("rustc", "my-1.rs", text);
}

#[test]
fn python_program_runs() {
    check_sum_of_two_numbers("python3", "sol.py", "print(sum(map(int, input().split())))");
}

#[test]
fn java_program_runs() {
    let text = "package a.b; import java.util.*; class Helper {}
        public class Main { public static void main(String[] x) { Scanner in = new Scanner(System.in);
        System.out.println(in.nextInt() + in.nextInt()); } }";
    check_sum_of_two_numbers("javac", "w01.java", text);
    check_sum_of_two_numbers("javac", "Main.java", text);
}

#[test]
fn javascript_program_runs() {
    let text = "const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number); console.log(a + b);";
    check_sum_of_two_numbers("node", "sol.js", text);
}

#[test]
fn go_program_runs() {
    let text = "package main\nimport \"fmt\"\nfunc main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(a + b) }";
    check_sum_of_two_numbers("go", "sol.go", text);
}

#[test]
fn executable_runs_in_place() {
    let source = SourceFile::new("gen", "#!/bin/sh\necho \"$1\"; cat\n");
    let error = builder().compile(&source.path(), BuildVariant::Judged, &CancelToken::new()).unwrap_err();
    assert!(error.to_string().contains("chmod +x"), "{error}");
    make_executable(&source.path());
    let program = source.compile().unwrap().program;
    let outcome = program.run(b"in", &arguments(&["a b"]), &RunLimits::default(), &CancelToken::new()).unwrap();
    assert_eq!(outcome.output, b"a b\nin");
}

#[test]
fn commands_are_split_and_resolved() {
    let compiled = builder().compile_command("sh -c 'echo \"$0 $1 $2\"; pwd' a 'b  c'", &CancelToken::new()).unwrap();
    let outcome = compiled.program.run(b"", &arguments(&["7"]), &RunLimits::default(), &CancelToken::new()).unwrap();
    let here = std::env::current_dir().unwrap();
    assert_eq!(String::from_utf8_lossy(&outcome.output), format!("a b  c 7\n{}\n", here.display()));
    for (command, message) in [
        ("no-such-program 1", "cannot find the program `no-such-program` of the command `no-such-program 1`"),
        ("sh -c 'a", "unclosed ' in the command `sh -c 'a`"),
    ] {
        match builder().compile_command(command, &CancelToken::new()) {
            Err(CompileError::Failed(error)) => assert_eq!(error.message(), message),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn source_can_be_a_command() {
    if !installed("python3") {
        return;
    }
    let source = SourceFile::new("gen.py", "import sys; print(sys.argv[1:])");
    let command = format!("'{}' --n 5", source.path().display());
    let compiled = builder().compile_command(&command, &CancelToken::new()).unwrap();
    let outcome = compiled.program.run(b"", &arguments(&["9"]), &RunLimits::default(), &CancelToken::new()).unwrap();
    assert_eq!(String::from_utf8_lossy(&outcome.output), "['--n', '5', '9']\n");
    assert_eq!(compiled.program.display_name(), command);
}

// Compilation --------------------------------------------------------------------------------------------------------

fn compile_error(result: Result<CompiledProgram, CompileError>) -> Error {
    match result {
        Err(CompileError::Failed(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn compiler_messages_are_passed_on() {
    for (tool, name, text, word) in [
        ("g++", "sol.cpp", "int main() { return x; }", "sol.cpp:1:"),
        ("rustc", "sol.rs", "fn main() { x }", "sol.rs:1:13"),
        ("python3", "sol.py", "print((1)", "SyntaxError"),
        ("javac", "Sol.java", "class Sol { int x = y; }", "Sol.java:1: error"),
        ("node", "sol.js", "let x = ;", "SyntaxError"),
    ] {
        if installed(tool) {
            match SourceFile::new(name, text).compile() {
                Err(CompileError::Rejected { command, text }) => {
                    assert!(text.contains(word), "{text}");
                    assert!(command.contains(name), "{command}");
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn uncompilable_file_is_an_error_with_help() {
    let error =
        compile_error(builder().compile(Path::new("nowhere/sol.cpp"), BuildVariant::Judged, &CancelToken::new()));
    assert_eq!(error.message(), "failed to read `nowhere/sol.cpp`: no such file or directory");
    assert_eq!(error.kind(), ErrorKind::Usage);
    let error = compile_error(SourceFile::new("sol.xyz", "").compile());
    assert!(error.message().starts_with("cannot tell the language of"), "{error}");
    let source = SourceFile::new("sol.cpp", "int main() {}");
    let folder = tempfile::tempdir().unwrap();
    let environment = environment().with_variable("REBUT_CACHE", folder.path());
    let bare = ProgramBuilder::new(environment.with_variable("CXX", "no-such-compiler")).unwrap();
    let error = compile_error(bare.compile(&source.path(), BuildVariant::Judged, &CancelToken::new()));
    assert_eq!(error.kind(), ErrorKind::Operating);
    let cancel = CancelToken::new();
    cancel.cancel();
    if installed("g++") {
        let error = compile_error(builder_with(folder.path()).compile(&source.path(), BuildVariant::Judged, &cancel));
        assert_eq!(error.kind(), ErrorKind::Interrupted);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing unfinished is left");
    }
}

#[test]
fn cached_build_is_used_until_a_dependency_changes() {
    if !installed("gcc") {
        return;
    }
    let cache = tempfile::tempdir().unwrap();
    let source = SourceFile::new("sol.c", "#include <stdio.h>\n#include \"n.h\"\nint main() { printf(\"%d\", N); }");
    let compile = |n: &str| {
        fs::write(source.folder.path().join("n.h"), format!("#define N {n}\n")).unwrap();
        let compiled = source.compile_by(&builder_with(cache.path())).unwrap();
        (compiled.is_from_cache, String::from_utf8(run(&compiled.program, b"").output).unwrap())
    };
    assert_eq!(compile("1"), (false, "1".to_owned()));
    assert_eq!(compile("1"), (true, "1".to_owned()));
    assert_eq!(compile("2"), (false, "2".to_owned()));
    assert_eq!(compile("1"), (true, "1".to_owned()));
}

#[test]
fn builders_can_share_a_cache_concurrently() {
    if !installed("gcc") {
        return;
    }
    let cache = tempfile::tempdir().unwrap();
    let source = SourceFile::new("sol.c", "#include <stdio.h>\nint main() { puts(\"x\"); }");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let compiled = source.compile_by(&builder_with(cache.path())).unwrap();
                assert_eq!(run(&compiled.program, b"").output, b"x\n");
            });
        }
    });
    // The program and the fork server that is linked into it.
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 2);
}

#[test]
fn temporary_cache_lives_as_long_as_its_programs() {
    if !installed("gcc") {
        return;
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    let source = SourceFile::new("sol.c", "int main() { return 7; }");
    let builder = builder_with(&file.path().join("cache"));
    let folder = builder.cache_folder().to_owned();
    let program = builder.compile(&source.path(), BuildVariant::Judged, &CancelToken::new()).unwrap().program;
    drop(builder);
    assert_eq!(run(&program, b"").exit, ProcessExit::Code(7));
    drop(program);
    assert!(!folder.exists());
}

// Outcomes -----------------------------------------------------------------------------------------------------------

#[test]
fn exit_statuses_and_signals_are_distinguished() {
    let Some(program) = c("int main(int n, char **a) {
        if (n == 2) exit(atoi(a[1]));
        raise(atoi(a[2])); }")
    else {
        return;
    };
    let run = |list: &[&str]| program.run(b"", &arguments(list), &RunLimits::default(), &CancelToken::new()).unwrap();
    for code in [0, 1, 42, 139, 255] {
        let outcome = run(&[&code.to_string()]);
        assert_eq!((outcome.exit, outcome.limit), (ProcessExit::Code(code), None));
    }
    for signal in [libc::SIGSEGV, libc::SIGABRT, libc::SIGFPE, libc::SIGILL, libc::SIGBUS, libc::SIGTERM, libc::SIGPIPE]
    {
        let outcome = run(&["-s", &signal.to_string()]);
        assert_eq!((outcome.exit, outcome.limit), (ProcessExit::Signal(signal), None));
    }
}

#[test]
fn crashes_are_signals_and_keep_the_output() {
    let Some(program) = c("int main() { write(1, \"ab\\xff\\0\", 4); write(2, \"oops\", 4);
        volatile int *p = 0; return *p; }")
    else {
        return;
    };
    let outcome = run(&program, b"");
    assert_eq!(outcome.exit, ProcessExit::Signal(libc::SIGSEGV));
    assert_eq!((outcome.output.as_slice(), outcome.stderr.as_slice()), (b"ab\xff\0".as_slice(), b"oops".as_slice()));
}

#[test]
fn endless_computation_reaches_the_cpu_time_limit() {
    let Some(program) = c("int main() { for (;;) __asm__(\"\"); }") else { return };
    let outcome =
        run_within(&program, b"", &RunLimits { wall_time_limit_ms: 600_000, ..RunLimits::with_cpu_time_ms(100) });
    assert_eq!(outcome.limit, Some(LimitHit::CpuTime));
    assert!(outcome.cpu_time_us >= 100_000);
    assert!(!outcome.is_idle());
}

#[test]
fn run_near_the_limit_is_repeated_and_the_shortest_time_counts() {
    // While a file exists it is slow, just beyond the limit, and it removes the file.
    let Some(program) = tool_c(
        "#include <time.h>
         int main() { char path[4096]; scanf(\"%4000s\", path);
             if (unlink(path) == 0) while (clock() < CLOCKS_PER_SEC * 22 / 100) ; return 0; }",
    ) else {
        return;
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    let limits = RunLimits { wall_time_limit_ms: 600_000, ..RunLimits::with_cpu_time_ms(200) };
    let outcome = run_within(&program, file.path().display().to_string().as_bytes(), &limits);
    assert!(outcome.is_success(), "{outcome:?}");
    assert!(!file.path().exists() && outcome.cpu_time_us < 200_000);
    let Some(slow) = c("#include <time.h>\nint main() { while (clock() < CLOCKS_PER_SEC * 22 / 100) ; return 0; }")
    else {
        return;
    };
    assert_eq!(run_within(&slow, b"", &limits).limit, Some(LimitHit::CpuTime));
}

#[test]
fn program_that_waits_for_ever_is_idle() {
    for text in ["int main() { for (;;) pause(); }", "int main() { raise(SIGSTOP); }"] {
        let Some(program) = c(text) else { return };
        let outcome = run_within(&program, b"", &RunLimits { wall_time_limit_ms: 300, ..RunLimits::default() });
        assert_eq!((outcome.limit, outcome.is_idle()), (Some(LimitHit::WallTime), true), "{outcome:?}");
    }
}

#[test]
fn memory_is_limited_in_every_language() {
    let limits =
        RunLimits { memory_limit_bytes: 256 * MIB, wall_time_limit_ms: 600_000, ..RunLimits::with_cpu_time_ms(60_000) };
    for (tool, name, text) in [
        (
            "gcc",
            "sol.c",
            "#include <stdlib.h>\n#include <string.h>\nint main() { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }",
        ),
        (
            "gcc",
            "keep.c",
            "#include <stdlib.h>\n#include <string.h>\nint main() { for (;;) {
             void *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); } }",
        ),
        ("g++", "sol.cpp", "#include <vector>\nint main() { std::vector<int> v; for (;;) v.push_back(1); }"),
        ("rustc", "sol.rs", "fn main() { let mut v = Vec::new(); loop { v.push(1u64) } }"),
        ("python3", "sol.py", "v = []\nwhile True: v.append([0] * 1000)"),
        (
            "javac",
            "Sol.java",
            "import java.util.*; class Sol { public static void main(String[] a) {
             List<int[]> v = new ArrayList<>(); for (;;) v.add(new int[10000]); } }",
        ),
        ("node", "sol.js", "const v = []; for (;;) v.push(new Array(1000).fill(1.5));"),
    ] {
        if installed(tool) {
            let source = SourceFile::new(name, text);
            let outcome = run_within(&source.compile().unwrap().program, b"", &limits);
            let end = String::from_utf8_lossy(&outcome.stderr);
            assert_eq!(outcome.limit, Some(LimitHit::Memory), "{name}: {:?} {end}", outcome.exit);
        }
    }
}

#[test]
fn memory_peak_is_that_of_the_program() {
    let Some(program) = c("int main() {
        char *volatile p = malloc(300 << 20); memset(p, 1, 300 << 20); return p[5] - 1; }")
    else {
        return;
    };
    // The kernel counts pages in batches and can be a few behind, and reclaims some when memory is short: while a program
    // waits for a processor, even most of them.
    let peaks: Vec<u64> = (0..5)
        .map(|_| {
            let outcome = run(&program, b"");
            assert_eq!((outcome.exit, outcome.limit), (ProcessExit::Code(0), None));
            outcome.memory_peak_bytes
        })
        .collect();
    let largest = peaks.iter().max().unwrap();
    assert!((250 * MIB..340 * MIB).contains(largest), "{peaks:?}");
    // A small program is smaller than the test process.
    let own_memory = vec![1_u8; 200 << 20];
    let Some(program) = c("int main() { return 0; }") else { return };
    let outcome = run(&program, b"");
    assert!(outcome.memory_peak_bytes < 50 * MIB, "{} {}", outcome.memory_peak_bytes, own_memory[own_memory.len() / 2]);
}

#[test]
fn deep_recursion_is_not_a_crash() {
    let limits = RunLimits { wall_time_limit_ms: 600_000, ..RunLimits::with_cpu_time_ms(60_000) };
    for (tool, name, text) in [
        (
            "gcc",
            "sol.c",
            "#include <stdio.h>\nint f(int n) { volatile char x[300]; x[0] = 1; return n ? f(n - 1) + x[0] : 0; }
             int main() { printf(\"%d\\n\", f(1000000)); }",
        ),
        (
            "rustc",
            "sol.rs",
            "fn f(n: u32) -> u32 { let x = std::hint::black_box([1u8; 300]);
             if n > 0 { f(n - 1) + u32::from(x[0]) } else { 0 } }
             fn main() { println!(\"{}\", f(1000000)) }",
        ),
        (
            "python3",
            "sol.py",
            "import sys\nsys.setrecursionlimit(10**7)\ndef f(n): return f(n - 1) + 1 if n else 0\nprint(f(1000000))",
        ),
        (
            "javac",
            "Sol.java",
            "class Sol { static int f(int n) { return n > 0 ? f(n - 1) + 1 : 0; }
             public static void main(String[] a) { System.out.println(f(1000000)); } }",
        ),
        ("node", "sol.js", "const f = n => n ? f(n - 1) + 1 : 0; console.log(f(1000000));"),
    ] {
        if installed(tool) {
            let source = SourceFile::new(name, text);
            let outcome = run_within(&source.compile().unwrap().program, b"", &limits);
            assert_eq!(outcome.output, b"1000000\n", "{name}: {:?} {:?}", outcome.exit, outcome.limit);
        }
    }
}

#[test]
fn stacks_of_threads_fit_into_memory() {
    if !installed("g++") {
        return;
    }
    let text = "#include <thread>\n#include <cstdio>\nint main() { int sum = 0; for (int i = 0; i < 4; i++) {
        std::thread t([&] { sum += i; }); t.join(); } printf(\"%d\", sum); }";
    let outcome = run(&SourceFile::new("sol.cpp", text).compile().unwrap().program, b"");
    assert_eq!(outcome.output, b"6", "{outcome:?}");
}

// Input and output ---------------------------------------------------------------------------------------------------

#[test]
fn endless_output_is_stopped_and_truncated() {
    let ignoring = "signal(SIGXFSZ, SIG_IGN); ";
    for (stream, start) in [(1, ""), (2, ""), (1, ignoring), (2, ignoring)] {
        let text = format!("int main() {{ {start}static char x[65536]; for (;;) write({stream}, x, sizeof x); }}");
        let Some(program) = c(&text) else { return };
        let limits =
            RunLimits { output_limit_bytes: MIB, wall_time_limit_ms: 600_000, ..RunLimits::with_cpu_time_ms(500) };
        let outcome = run_within(&program, b"", &limits);
        assert_eq!(outcome.limit, Some(LimitHit::Output));
        assert_eq!(outcome.output.len() as u64, if stream == 1 { MIB } else { 0 });
        assert!(outcome.stderr.len() <= 64 << 10);
    }
}

#[test]
fn output_as_long_as_the_limit_is_allowed() {
    let Some(program) = c("int main() { static char x[1000]; write(1, x, sizeof x); return 0; }") else { return };
    let limit = |output_limit_bytes| RunLimits { output_limit_bytes, ..RunLimits::default() };
    assert!(run_within(&program, b"", &limit(1000)).is_success());
    assert_eq!(run_within(&program, b"", &limit(999)).limit, Some(LimitHit::Output));
}

#[test]
fn reading_and_writing_in_any_order_does_not_block() {
    let big = vec![b'7'; 10 << 20];
    for (text, written) in [
        ("int main() { return 0; }", 0),
        ("int main() { close(0); close(1); close(2); return 0; }", 0),
        (
            "int main() { static char x[3 << 20]; write(1, x, sizeof x); write(2, x, sizeof x);
              long n = 0, k; while ((k = read(0, x, sizeof x)) > 0) n += k; return n != 10 << 20; }",
            3 << 20,
        ),
    ] {
        let Some(program) = c(text) else { return };
        let outcome = run(&program, &big);
        assert_eq!((outcome.exit, outcome.limit), (ProcessExit::Code(0), None));
        assert_eq!(outcome.output.len(), written);
    }
}

#[test]
fn input_is_read_only_and_nothing_else_is_inherited() {
    let Some(program) = c("extern char **environ; int main() {
        int again = open(\"/proc/self/fd/0\", O_RDWR);
        if (again >= 0 && (write(again, \"9\", 1) > 0 || ftruncate(again, 0) == 0)) return 1;
        if (again >= 0) close(again);
        for (int i = 3; i < 1000; i++) if (fcntl(i, F_GETFD) >= 0) return 2;
        for (char **e = environ; *e; e++) puts(*e);
        return 0; }")
    else {
        return;
    };
    // A descriptor that every child would inherit.
    let leaky = rustix::io::dup(std::io::stderr()).unwrap();
    let outcome = run(&program, b"1 2\n");
    drop(leaky);
    assert_eq!(outcome.exit, ProcessExit::Code(0));
    let output = String::from_utf8_lossy(&outcome.output).into_owned();
    let names: Vec<&str> = output.lines().filter_map(|line| line.split('=').next()).collect();
    let allowed = ["LANG", "ONLINE_JUDGE", "HOME", "TMPDIR", "PATH", "LD_LIBRARY_PATH"];
    assert!(names.iter().all(|name| allowed.contains(name)) && names.contains(&"PATH"), "{names:?}");
}

#[test]
fn ignored_signals_and_masks_are_not_inherited() {
    let Some(program) = c("int main() { sigset_t s; sigprocmask(SIG_BLOCK, 0, &s);
        for (int i = 1; i < 32; i++) { struct sigaction a; sigaction(i, 0, &a);
            if (a.sa_handler != SIG_DFL || sigismember(&s, i)) return i; } return 0; }")
    else {
        return;
    };
    // The test process itself ignores SIGPIPE, as every Rust program does.
    assert_eq!(run(&program, b"").exit, ProcessExit::Code(0));
}

// Leftovers ----------------------------------------------------------------------------------------------------------

/// Returns a program that starts `count` others in the given way, each of which prints its pid and stays. They append
/// because in a file of memory writes of several processes at the same offset would overlap.
fn starter(how: &str, count: usize) -> String {
    format!(
        "#include <sys/prctl.h>
         #include <sys/wait.h>
         int p[2];
         void stay() {{ char b[20]; int n = sprintf(b, \"%d \", getpid()); write(1, b, n); write(p[1], b, 1);
             for (;;) pause(); }}
         int main() {{ char b; pipe(p); fcntl(1, F_SETFL, O_APPEND); {how} for (int i = 0; i < {count}; i++) read(p[0], &b, 1); return 0; }}"
    )
}

/// Ways to start processes that are meant to outlive their parent, with their number.
const STARTERS: &[(&str, usize)] = &[
    ("if (!fork()) stay();", 1),
    ("if (!fork()) { setsid(); if (!fork()) { setsid(); chdir(\"/\"); stay(); } _exit(0); } wait(0);", 1),
    ("for (int i = 0; i < 100; i++) if (!fork()) { setsid(); stay(); }", 100),
    (
        "if (!fork()) { signal(SIGTERM, SIG_IGN); setsid(); prctl(PR_SET_CHILD_SUBREAPER, 1);
      if (!fork()) { if (!fork()) stay(); _exit(0); } stay(); }",
        2,
    ),
    ("if (!fork()) { for (int i = 0; i < 20; i++) if (fork()) stay(); stay(); }", 21),
];

#[test]
fn descendants_do_not_outlive_the_run() {
    for (how, count) in STARTERS {
        let Some(program) = tool_c(&starter(how, *count)) else { return };
        let outcome = run_within(&program, b"", &RunLimits { wall_time_limit_ms: 600_000, ..RunLimits::default() });
        assert!(outcome.is_success(), "{how}: {outcome:?}");
        let text = String::from_utf8(outcome.output).unwrap();
        let pids: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(pids.len(), *count, "{how}");
        assert_eq!(pids.iter().find(|pid| !is_gone(pid)), None, "{how}");
    }
}

#[test]
fn stopping_a_program_kills_its_descendants() {
    let Some(program) = tool_c(&starter("for (int i = 0; i < 10; i++) if (!fork()) { setsid(); stay(); }", 11)) else {
        return;
    };
    let outcome = run_within(&program, b"", &RunLimits { wall_time_limit_ms: 300, ..RunLimits::default() });
    assert!(outcome.is_idle(), "{outcome:?}");
    let text = String::from_utf8(outcome.output).unwrap();
    assert_eq!(text.split_whitespace().find(|pid| !is_gone(pid)), None);
}

#[test]
fn cpu_time_of_orphans_counts() {
    // The parent sleeps while its grandchild burns CPU time, or after it has.
    for burn in ["for (;;) __asm__(\"\");", "while (clock() < CLOCKS_PER_SEC * 3 / 10) ; _exit(0);"] {
        let text = format!(
            "#include <time.h>
             int main() {{ if (!fork()) {{ setsid(); if (!fork()) {{ {burn} }} _exit(0); }} for (;;) pause(); }}"
        );
        let Some(program) = tool_c(&text) else { return };
        let limits = RunLimits { wall_time_limit_ms: 600_000, ..RunLimits::with_cpu_time_ms(150) };
        let outcome = run_within(&program, b"", &limits);
        assert_eq!(outcome.limit, Some(LimitHit::CpuTime), "{outcome:?}");
        assert!(outcome.cpu_time_us >= 150_000);
    }
}

#[test]
fn memory_limit_applies_to_the_process_tree() {
    let Some(program) = tool_c(
        "int main() { for (int i = 0; i < 4; i++) if (!fork()) {
        char *volatile p = malloc(40 << 20); memset(p, 1, 40 << 20); write(1, p, 1);
        for (;;) pause(); } for (;;) pause(); }",
    ) else {
        return;
    };
    let limits = RunLimits { memory_limit_bytes: 100 * MIB, wall_time_limit_ms: 60_000, ..RunLimits::default() };
    assert_eq!(run_within(&program, b"", &limits).limit, Some(LimitHit::Memory));
}

#[test]
fn pages_shared_after_a_fork_count_once() {
    let Some(program) = tool_c(
        "int main() { char *volatile p = malloc(60 << 20); memset(p, 1, 60 << 20);
        for (int i = 0; i < 4; i++) if (!fork()) { usleep(100000); _exit(p[5] - 1); } usleep(200000); return 0; }",
    ) else {
        return;
    };
    let limits = RunLimits { memory_limit_bytes: 100 * MIB, wall_time_limit_ms: 600_000, ..RunLimits::default() };
    assert!(run_within(&program, b"", &limits).is_success());
}

#[test]
fn process_group_dies_with_its_leader_without_a_spawner() {
    if !installed("gcc") {
        return;
    }
    // The process in another session ends by itself, so that nothing is left behind for long.
    let text = "#include <stdio.h>\n#include <unistd.h>\nint main() { if (!fork()) { setsid(); sleep(5); _exit(0); }
        int pid = fork(); if (!pid) for (;;) pause(); printf(\"%d\", pid); return 0; }";
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let direct = ProgramBuilder::new(environment().with_variable("REBUT_CACHE", cache)).unwrap();
    let program = SourceFile::new("sol.c", text).compile_by(&direct).unwrap().program;
    let outcome = run_within(&program, b"", &RunLimits { wall_time_limit_ms: 600_000, ..RunLimits::default() });
    assert!(outcome.is_success(), "{outcome:?}");
    assert!(outcome.wall_time_us < 5_000_000, "waited for the other session");
    let pid = String::from_utf8(outcome.output).unwrap();
    assert!(eventually(|| is_gone(&pid)), "{pid} is alive");
}

#[test]
fn cancelling_stops_a_run() {
    let Some(program) = c("int main() { for (;;) pause(); }") else { return };
    let cancel = CancelToken::new();
    let limits = RunLimits { wall_time_limit_ms: 600_000, ..RunLimits::default() };
    std::thread::scope(|scope| {
        let running = scope.spawn(|| program.run(b"", &[], &limits, &cancel));
        cancel.cancel();
        assert_eq!(running.join().unwrap().unwrap_err().kind(), ErrorKind::Interrupted);
    });
}

#[test]
fn threads_can_share_a_program() {
    let Some(program) = c("int main() { int n; scanf(\"%d\", &n); printf(\"%d\", n * 2); return n % 7; }") else {
        return;
    };
    let limits = RunLimits { wall_time_limit_ms: 600_000, ..RunLimits::default() };
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (program, limits) = (&program, &limits);
            scope.spawn(move || {
                for i in 0..50 {
                    let n = thread * 50 + i;
                    let outcome = run_within(program, n.to_string().as_bytes(), limits);
                    assert_eq!(outcome.output, (n * 2).to_string().as_bytes());
                    assert_eq!(outcome.exit, ProcessExit::Code(n % 7));
                }
            });
        }
    });
}

/// Runs an ignored test of this module in a process of its own.
fn ignored_test(test: &str, variables: &[(&str, &Path)]) -> Command {
    let module = module_path!().split_once("::").map_or("", |(_, module)| module);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("{module}::{test}"), "--ignored", "--test-threads=1"]);
    command.envs(variables.iter().copied());
    command
}

#[test]
fn runs_do_not_leak_descriptors() {
    let output = ignored_test("alone_no_descriptor_leaks", &[]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
#[ignore = "counts the descriptors of its process, so it is run alone by `runs_do_not_leak_descriptors`"]
fn alone_no_descriptor_leaks() {
    let Some(program) = c("int main() { return 0; }") else { return };
    let count = || fs::read_dir("/proc/self/fd").unwrap().count();
    run(&program, b"1");
    let before = count();
    for _ in 0..100 {
        run(&program, b"1");
    }
    assert_eq!(count(), before);
}

#[test]
fn running_out_of_descriptors_is_an_operating_failure() {
    let output = ignored_test("alone_out_of_descriptors", &[]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
#[ignore = "uses up the descriptors of its process, so it is run alone by `running_out_of_descriptors_...`"]
fn alone_out_of_descriptors() {
    let Some(program) = c("int main() { return 0; }") else { return };
    let mut held = Vec::new();
    while let Ok(one) = rustix::io::dup(std::io::stdin()) {
        held.push(one);
    }
    // Each descriptor that is released lets a run get one step further, until it succeeds.
    let mut refusals = 0;
    loop {
        match program.run(b"1", &[], &RunLimits::default(), &CancelToken::new()) {
            Ok(outcome) => break assert!(outcome.is_success()),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Operating);
                assert!(error.message().contains("too many open files"), "{error}");
            }
        }
        refusals += 1;
        held.pop().expect("a run needs few descriptors");
    }
    assert!(refusals >= 3, "{refusals}");
}

#[test]
fn killing_rebut_leaves_no_process_behind() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let mut child = ignored_test("alone_runs_for_ever", &[("PID_FILE", &file)]).stdout(Stdio::null()).spawn().unwrap();
    let read = || fs::read_to_string(&file).ok().filter(|pid| pid.ends_with('\n'));
    let mut ended = false;
    assert!(eventually(|| {
        ended = child.try_wait().unwrap().is_some();
        ended || read().is_some()
    }));
    child.kill().unwrap();
    child.wait().unwrap();
    if let Some(pid) = read() {
        assert!(eventually(|| is_gone(pid.trim())), "{pid} is alive");
    } else {
        assert!(ended && !installed("gcc"));
    }
}

#[test]
#[ignore = "never ends, so it is run and killed by `killing_rebut_leaves_no_process_behind`"]
fn alone_runs_for_ever() {
    let (Some(file), Some(program)) = (
        std::env::var_os("PID_FILE"),
        tool_c(
            "int main(int n, char **a) {
             FILE *f = fopen(a[1], \"w\"); fprintf(f, \"%d\\n\", getpid()); fclose(f); for (;;) pause(); }",
        ),
    ) else {
        return;
    };
    let limits = RunLimits { wall_time_limit_ms: 600_000, ..RunLimits::default() };
    let _ = program.run(b"", &[file], &limits, &CancelToken::new());
}

#[test]
fn resources_do_not_grow_with_the_number_of_runs() {
    let output = ignored_test("alone_soak", &[]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
#[ignore = "looks at its own process, so it is run alone by `resources_do_not_grow_...`, and by `scripts/soak`"]
fn alone_soak() {
    let runs = std::env::var("SOAK_RUNS").ok().map_or(300, |runs| runs.parse::<u64>().unwrap());
    let Some(program) = c("int main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\", a + b); return 0; }") else {
        return;
    };
    let limits = RunLimits { wall_time_limit_ms: 600_000, ..RunLimits::default() };
    let some_runs = |count: u64| {
        for i in 0..count {
            // Runs in place are a hundred times as fast as new processes.
            let run = if i % 50 == 0 { Program::run } else { Program::run_fast };
            let outcome = run(&program, format!("{i} 1").as_bytes(), &[], &limits, &CancelToken::new()).unwrap();
            assert_eq!(outcome.output, (i + 1).to_string().as_bytes());
        }
    };
    some_runs(100);
    let before = process_tree();
    some_runs(runs);
    let after = process_tree();
    assert_eq!(after.len(), before.len(), "processes");
    for ((name, descriptors, kibibytes), (_, descriptors_then, kibibytes_then)) in after.iter().zip(&before) {
        assert_eq!(descriptors, descriptors_then, "descriptors of {name}");
        assert!(*kibibytes < kibibytes_then + 4096, "memory of {name}: {kibibytes_then} kB, then {kibibytes} kB");
    }
}

/// Returns the name, number of descriptors and memory in KiB of this process and its descendants.
fn process_tree() -> Vec<(String, usize, u64)> {
    let mut waiting = vec![std::process::id().to_string()];
    let mut found = Vec::new();
    while let Some(pid) = waiting.pop() {
        let read = |name: &str| fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
        let status = read("status");
        let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
        found.push((read("comm"), descriptors, memory.split_whitespace().next().unwrap().parse().unwrap()));
        for thread in fs::read_dir(format!("/proc/{pid}/task")).unwrap().flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            waiting.extend(children.split_whitespace().map(str::to_owned));
        }
    }
    found
}

#[test]
#[ignore = "measures: run it alone, with `--nocapture`"]
fn alone_cost_of_a_spawner() {
    const RUNS: u32 = 500;
    let cpp = "#include <cstdio>\nint main() { int a, b; std::scanf(\"%d %d\", &a, &b); std::printf(\"%d\", a + b); }";
    let source = SourceFile::new("sol.cpp", cpp);
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let cost = |spawner: bool, sandbox: bool| {
        let environment = environment().with_variable("REBUT_CACHE", cache);
        let environment = if spawner { environment.with_spawner(env!("CARGO_BIN_EXE_rebut")) } else { environment };
        let before = processor_time();
        let builder = ProgramBuilder::new(environment).unwrap();
        let command = format!("'{}'", source.path().display());
        let compiled =
            if sandbox { source.compile_by(&builder) } else { builder.compile_command(&command, &CancelToken::new()) }
                .unwrap();
        for _ in 0..RUNS {
            assert_eq!(run(&compiled.program, b"2 3\n").output, b"5");
        }
        // The CPU time of a spawner counts after it has been waited for.
        drop((compiled, builder));
        (processor_time() - before).as_secs_f64()
    };
    let _ = cost(false, false);
    let rounds: Vec<[f64; 3]> = (0..9).map(|_| [cost(false, false), cost(true, false), cost(true, true)]).collect();
    for (name, way) in [("a spawner", 1), ("a spawner and a sandbox", 2)] {
        let mut ratios: Vec<f64> = rounds.iter().map(|round| round[way] / round[0]).collect();
        ratios.sort_by(f64::total_cmp);
        let line = format!("{name}, to a direct start: {:.2} ({:.2} to {:.2})\n", ratios[4], ratios[0], ratios[8]);
        let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    }
}

/// Returns the CPU time of this process and of its reaped children.
fn processor_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit(") ").next().unwrap().split(' ').skip(11).take(4);
    Duration::from_millis(fields.map(|ticks| ticks.parse::<u64>().unwrap() * 10).sum())
}

// Faulty lines -------------------------------------------------------------------------------------------------------

/// Name, input, kind of the fault, and a program with a comment on the faulty line.
const FAULTS: &[(&str, &str, &str, &str)] = &[
    (
        "debug.cpp",
        "3",
        "debug-assertion",
        "#include <vector>
         #include <iostream>
         int main() {
             int n; std::cin >> n;
             std::vector<int> v(3);
             std::cout << v[n]; // fault
         }",
    ),
    (
        "heap.c",
        "3",
        "heap-buffer-overflow",
        "#include <stdio.h>
         #include <stdlib.h>
         int main() {
             int n; scanf(\"%d\", &n);
             int *a = malloc(12);
             a[n] = 5; // fault
             return a[0];
         }",
    ),
    (
        "overflow.cpp",
        "1",
        "signed-integer-overflow",
        "#include <cstdio>
         int f(int n) {
             return n + 2147483647; // fault
         }
         int main() { int n; scanf(\"%d\", &n); printf(\"%d\", f(n)); }",
    ),
    (
        "zero.cpp",
        "0",
        "division-by-zero",
        "#include <cstdio>
         int main() {
             int n; scanf(\"%d\", &n);
             printf(\"%d\", 7 / n); // fault
         }",
    ),
    (
        "throw.cpp",
        "",
        "abort",
        "#include <string>
         int main() {
             return std::stoi(\"x\"); // fault
         }",
    ),
    (
        "assert.cpp",
        "",
        "assertion",
        "#include <cassert>
         int main() {
             assert(1 == 2); // fault
         }",
    ),
    (
        "deep.cpp",
        "",
        "stack-overflow",
        "int f(volatile int n) { return f(n + 1) + n; } // fault
         int main() { return f(0); }",
    ),
];

#[test]
fn sanitizers_name_the_faulty_line() {
    if !installed("g++") {
        return;
    }
    for (name, input, kind, text) in FAULTS {
        let source = SourceFile::new(name, text);
        match run_with_sanitizers(
            &builder(),
            &source.path(),
            &SourceOptions::default(),
            input.as_bytes(),
            &CancelToken::new(),
        )
        .unwrap()
        {
            SanitizerResult::Fault(report) => {
                assert_eq!(report.kind, *kind, "{report:?}");
                assert!(report.source_line.as_ref().is_some_and(|line| line.ends_with("// fault")), "{report:?}");
                assert_eq!(report.file, source.path().display().to_string());
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn correct_run_is_clean_under_sanitizers() {
    let python = SourceFile::new("sol.py", "1/0");
    let other =
        run_with_sanitizers(&builder(), &python.path(), &SourceOptions::default(), b"", &CancelToken::new()).unwrap();
    assert!(matches!(other, SanitizerResult::Unavailable(_)));
    if installed("g++") {
        let source = SourceFile::new("sol.cpp", "int main() { return 3; }");
        let clean =
            run_with_sanitizers(&builder(), &source.path(), &SourceOptions::default(), b"", &CancelToken::new())
                .unwrap();
        assert_eq!(clean, SanitizerResult::Clean);
    }
}
