//! Runs in place, in a process that is used again after its memory was put back, behave like new processes.

use crate::environment::{Folder, installed};
use rebut_sandbox::{CancelToken, HostEnvironment, Program, RunLimits, RunOutcome};
use rebut_toolchain::{BuildVariant, ProgramBuilder};
use std::collections::BTreeSet;
use std::path::Path;

fn program(folder: &Folder, name: &str) -> Program {
    let environment = HostEnvironment::from_process().unwrap().with_spawner(env!("CARGO_BIN_EXE_rebut"));
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("a cache in place");
    let builder = ProgramBuilder::new(environment.with_variable("REBUT_CACHE", &cache)).unwrap();
    builder.compile(&folder.path(name), BuildVariant::Judged, &CancelToken::new()).unwrap().program
}

/// No program here sleeps, so only CPU time decides, even on a busy machine.
fn limits() -> RunLimits {
    RunLimits { memory_limit_bytes: 256 << 20, wall_time_limit_ms: 120_000, ..RunLimits::with_cpu_time_ms(1000) }
}

/// Returns what a judge sees of an outcome.
fn observed(outcome: &RunOutcome) -> (String, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (format!("{} {:?}", outcome.exit, outcome.limit), text(&outcome.output), text(&outcome.stderr))
}

/// Runs a program on inputs, one after the other in as few batches as possible.
fn run_all(program: &Program, inputs: &[&str]) -> Vec<RunOutcome> {
    let (limits, cancel) = (limits(), CancelToken::new());
    let bytes: Vec<&[u8]> = inputs.iter().map(|input| input.as_bytes()).collect();
    let mut outcomes = Vec::new();
    while outcomes.len() < inputs.len() {
        let rest = &bytes[outcomes.len()..];
        let ran = program.run_batch(rest, &limits, &cancel).unwrap();
        if ran.is_empty() {
            outcomes.push(program.run_fast(rest[0], &[], &limits, &cancel).unwrap());
        }
        outcomes.extend(ran);
    }
    outcomes
}

/// Compares runs in batches with new processes, in several orders of the inputs.
#[track_caller]
fn check_alike(name: &str, source: &str, inputs: &[&str]) {
    let folder = Folder::new().file(name, source);
    let program = program(&folder, name);
    let fresh = |input: &str| observed(&program.run(input.as_bytes(), &[], &limits(), &CancelToken::new()).unwrap());
    let expected: Vec<_> = inputs.iter().map(|input| fresh(input)).collect();
    let count = inputs.len();
    for step in [1, count - 1] {
        let order: Vec<usize> = (0..3 * count).map(|i| i * step % count).collect();
        let ordered: Vec<&str> = order.iter().map(|i| inputs[*i]).collect();
        for (i, outcome) in order.iter().zip(run_all(&program, &ordered)) {
            assert_eq!(observed(&outcome), expected[*i], "{name} on {:?}\n{source}", inputs[*i]);
        }
    }
    let refusal = program.fast_path_refusal().unwrap_or_default();
    assert!(!refusal.contains("behaves differently"), "{source}");
}

/// The headers of programs in C++: `<bits/stdc++.h>` takes four times as long to compile.
const HEADERS: [&str; 16] = [
    "cerrno",
    "csignal",
    "cstdlib",
    "cstring",
    "fstream",
    "future",
    "iomanip",
    "iostream",
    "map",
    "numeric",
    "sys/mman.h",
    "sys/resource.h",
    "sys/stat.h",
    "thread",
    "unistd.h",
    "vector",
];

/// Returns a program in C++ with `global` before `main` and `body` in it, after `n` was read.
fn cpp(global: &str, body: &str) -> String {
    let headers: String = HEADERS.iter().map(|name| format!("#include <{name}>\n")).collect();
    let random = if (global.to_owned() + body).contains("mt19937") { "#include <random>\n" } else { "" };
    format!(
        "{headers}{random}using namespace std;\n{global}\nint main() {{ int n; if (!(cin >> n)) n = -1; {body} }}\n"
    )
}

fn has_in_place() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64")) && installed(&["gcc"]) && installed(&["g++"])
}

/// Writes the number of its process to its error stream, so it tells whether runs share one. Outputs are compared with those
/// of copies.
const PROCESS: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n
int main() { int n; scanf(\"%d\", &n); fprintf(stderr, \"%d\\n\", (int)getpid()); if (n == 1) system(\"true\"); }\n";

/// Returns what programs write to their error streams in the runs that are not compared with copies: after the 16th.
fn later_messages(program: &Program, last: &[&str]) -> Vec<String> {
    run_all(program, &["0"; 16]);
    run_all(program, last).iter().map(|outcome| observed(outcome).2).collect()
}

#[test]
fn runs_share_a_process_that_nothing_happens_to() {
    if !has_in_place() {
        return;
    }
    let folder = Folder::new().file("sol.c", PROCESS);
    let program = program(&folder, "sol.c");
    let numbers = later_messages(&program, &["0", "2", "1", "3", "4"]);
    assert!([1, 3, 4].iter().all(|i| numbers[*i] == numbers[0]), "{numbers:?}");
    assert_ne!(numbers[2], numbers[0], "a call that starts a process is left to a copy");
}

#[test]
fn memory_of_one_run_is_not_seen_by_the_next() {
    if !has_in_place() {
        return;
    }
    let inputs = ["3", "", "5", "0", "1000", "7"];
    for (global, body) in [
        (
            "int runs; vector<int> seen; map<string, int> names;",
            "runs++; seen.push_back(n); names[to_string(n)]++; cout << runs << seen.size() << names.size();",
        ),
        (
            "static int big[1 << 20];",
            "int zeros = 0; for (int x : big) zeros += x == 0; fill(big, big + abs(n) % 1000, 7); cout << zeros;",
        ),
        ("struct Last { ~Last() { printf(\"end %d\\n\", n); } int n = 0; } last;", "last.n += n; cout << n << endl;"),
        ("", "static int calls = 10; calls += n; cout << calls << ' ' << rand() << ' ' << mt19937(5)() + n;"),
        ("", "cout << setprecision(n % 7 + 1) << 1.0 / 3 << hex << n + 30; cin.clear(); cout.setf(ios::showpos);"),
        ("", "errno = n; cout << n; atexit([] { puts(\"bye\"); }); setlocale(LC_ALL, \"C\");"),
        ("", "printf(\"no newline %d\", n); ungetc('9', stdin); char c = getchar(); putchar(c);"),
        (
            "",
            "string s(1 << (n % 20 + 2), 'x'); char *p = (char *)malloc(3 << 20); memset(p, 1, n + 5); cout << s.size(); free(p);",
        ),
        ("", "vector<long long> all(n * 1000, 5); cout << accumulate(all.begin(), all.end(), 0LL);"),
        ("", "try { if (n % 2) throw runtime_error(\"odd\"); cout << n; } catch (exception &e) { cout << e.what(); }"),
        (
            "int deep(int n) { volatile char a[100] = {}; return n <= 0 ? a[5] : deep(n - 1) + 1; }",
            "cout << deep(n * 20);",
        ),
        ("", "cerr << \"debug \" << n << endl; cout << n; clog << \"more\";"),
        (
            "",
            "void *p = mmap(0, 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); memset(p, n, 1 << 20); munmap(p, 1 << 20); cout << n;",
        ),
        ("", "struct stat s; fstat(0, &s); cout << s.st_size << ' ' << lseek(0, 0, SEEK_END) << S_ISREG(s.st_mode);"),
        ("", "lseek(0, 0, SEEK_SET); char c[9]; int k = read(0, c, 9); write(1, c, k > 0 ? k : 0); cout << k;"),
        (
            "auto before = (cout << \"early \", 0);",
            "cout << n; cout.flush(); if (n == 3) _exit(0); if (n == 5) quick_exit(0);",
        ),
    ] {
        check_alike("sol.cpp", &cpp(global, body), &inputs);
    }
}

#[test]
fn run_that_ends_badly_is_made_by_a_copy_and_harms_no_other() {
    if !has_in_place() {
        return;
    }
    for (global, body) in [
        ("", "cout << n; cout.flush(); if (n == 5) return 3; if (n == 7) abort();"),
        ("", "cout << n << endl; if (n == 5) *(volatile int *)8 = 1; if (n == 7) raise(SIGFPE);"),
        ("", "cout << n << endl; if (n == 5) throw 1; if (n == 7) cout << vector<int>{1}.at(n);"),
        (
            "int deep(int n) { volatile char a[1000] = {}; return n ? deep(n + 1) + a[9] : 0; }",
            "cout << (n == 5 ? deep(1) : n);",
        ),
        ("", "if (n == 5) for (;;) n ^= 1; cout << n;"),
        ("", "if (n == 5) { string all(300 << 20, 'x'); cout << all[n]; } cout << n;"),
        ("", "if (n == 5) cout << string(3 << 20, 'x'); if (n == 7) cerr << string(100000, 'y'); cout << n;"),
        ("", "if (n == 5) { ofstream(\"f\") << 1; ifstream(\"f\") >> n; } cout << n + 3;"),
        ("", "if (n == 5) { thread t([&] { n = 8; }); t.join(); } cout << n;"),
        ("", "if (n == 5) signal(SIGSEGV, [](int) { _exit(0); }), *(volatile int *)8 = 1; cout << n;"),
        ("", "if (n == 5) { fclose(stdin); fclose(stdout); } cout << n;"),
        ("", "if (n == 5) { rlimit r = {1 << 20, 1 << 20}; setrlimit(RLIMIT_STACK, &r); } cout << n;"),
        (
            "",
            "if (n == 5) { alarm(100); pause; sigset_t s; sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0); } cout << n;",
        ),
    ] {
        let inputs: Vec<&str> =
            if body.contains("for (;;)") { vec!["1", "5", "2", "3"] } else { vec!["3", "5", "1", "7", "2"] };
        let source = cpp(global, body);
        let folder = Folder::new().file("sol.cpp", source.as_str());
        let program = program(&folder, "sol.cpp");
        for (input, outcome) in inputs.iter().zip(run_all(&program, &inputs)) {
            let fresh = program.run(input.as_bytes(), &[], &limits(), &CancelToken::new()).unwrap();
            let of = |outcome: &RunOutcome| (outcome.exit, outcome.limit, outcome.output.clone());
            assert_eq!(of(&outcome), of(&fresh), "on {input}: {source}");
        }
    }
}

#[test]
fn rust_programs_run_in_place() {
    if !has_in_place() {
        return;
    }
    let source = "use std::io::*;
static mut RUNS: u32 = 0;
fn main() {
    let mut text = String::new();
    stdin().read_to_string(&mut text).unwrap();
    let all: Vec<i64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    unsafe { RUNS += 1 };
    println!(\"{} {} {}\", all.iter().sum::<i64>(), unsafe { RUNS }, std::process::id() > 0);
    if all.len() == 4 { std::process::exit(0) }
}
";
    check_alike("sol.rs", source, &["1 2 3", "", "4 5 6 7", "-1"]);
}

/// Runs share a process, but no random numbers, wherever those come from.
#[test]
fn chance_differs_between_runs() {
    if !has_in_place() || !installed(&["python3"]) {
        return;
    }
    let rust = "use std::hash::{BuildHasher, RandomState};
fn main() {
    let random = RandomState::new().hash_one(1);
    let _ = std::io::read_to_string(std::io::stdin());
    eprintln!(\"{}\", std::process::id());
    print!(\"{random}\");
}
";
    let shown = "cerr << getpid() << '\\n'; cout << rng();";
    for (name, source) in [
        ("sol.cpp", cpp("mt19937 rng(random_device{}());", shown)),
        ("sol.cpp", cpp("mt19937_64 rng(chrono::steady_clock::now().time_since_epoch().count());", shown)),
        (
            "sol.cpp",
            cpp("mt19937 rng([] { unsigned s; ifstream(\"/dev/urandom\").read((char *)&s, 4); return s; }());", shown),
        ),
        ("sol.rs", rust.to_owned()),
        (
            "sol.py",
            "import os, random, sys\nn = input()\nprint(os.getpid(), file=sys.stderr)\nprint(random.random())\n"
                .to_owned(),
        ),
    ] {
        let folder = Folder::new().file(name, source.as_str());
        let program = program(&folder, name);
        let seen: Vec<_> = run_all(&program, &["1"; 40]).iter().map(observed).collect();
        let numbers: BTreeSet<&String> = seen.iter().map(|(_, output, _)| output).collect();
        assert_eq!(numbers.len(), seen.len(), "{source}");
        let processes: BTreeSet<&String> = seen.iter().map(|(_, _, process)| process).collect();
        assert!(processes.len() < 20 || source.contains("urandom"), "{source}");
        assert_eq!(program.fast_path_refusal(), None, "{source}");
    }
}

/// The preparation of a program is done once, and its clocks go on from there.
#[test]
fn clocks_begin_anew_with_each_run() {
    if !has_in_place() {
        return;
    }
    let global =
        "auto start = chrono::steady_clock::now(); auto date = chrono::system_clock::now(); clock_t used = clock();
double s(auto d) { return chrono::duration<double>(d).count(); }";
    let body = "double a = s(chrono::steady_clock::now() - start), b = s(chrono::system_clock::now() - date);
double c = double(clock() - used) / CLOCKS_PER_SEC;
if (n == 1) while (clock() - used < CLOCKS_PER_SEC / 50) {}
cout << (a < 1) << (b < 1) << (c < 0.01) << (a >= 0) << (b >= 0) << (c >= 0) << (clock() >= used);";
    let folder = Folder::new().file("sol.cpp", cpp(global, body));
    let program = program(&folder, "sol.cpp");
    for _ in 0..3 {
        for outcome in run_all(&program, &["0", "1", "2", "1", "3"]) {
            assert_eq!(observed(&outcome).1, "1111111");
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
}

/// An uninitialized variable has the same value in each run in place, whatever ran before.
#[test]
fn undefined_values_do_not_depend_on_earlier_runs() {
    if !has_in_place() {
        return;
    }
    let source = cpp(
        "int noisy(int n) { volatile int a[200]; for (int i = 0; i < 200; i++) a[i] = n * i; return a[n % 200]; }
unsigned quiet() { unsigned a[300]; asm(\"\" : \"+m\"(a)); unsigned s = 0; for (unsigned x : a) s = s * 31 + x; return s; }",
        "unsigned *p = (unsigned *)malloc(4000), s = quiet(); for (int i = 10; i < 1000; i++) s = s * 7 + p[i];
for (int i = 0; i < 1000; i++) p[i] = n; free(p); noisy(n); cerr << s;",
    );
    let folder = Folder::new().file("sol.cpp", source);
    let program = program(&folder, "sol.cpp");
    // After each of these inputs, the same one.
    let inputs: Vec<String> = (0..100).map(|i| if i % 2 == 0 { i * 37 % 200 + 1 } else { 7 }.to_string()).collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let is_compared = |i: usize| (i + 1).is_power_of_two();
    let outcomes = run_all(&program, &inputs).into_iter().enumerate();
    let outputs: Vec<String> =
        outcomes.filter(|(i, _)| i % 2 == 1 && !is_compared(*i)).map(|(_, outcome)| observed(&outcome).2).collect();
    assert!(outputs.iter().all(|output| *output == outputs[0]), "{outputs:?}");
}

#[test]
fn python_programs_run_in_place() {
    if !has_in_place() || !installed(&["python3"]) {
        return;
    }
    let start = "import sys, math, collections, random, time, bisect, heapq, itertools, functools\n\
                 count = 0\nseen = []\nstart = time.time()\nused = time.process_time()\n";
    for body in [
        "n = int(input() or 0)\ncount += 1\nseen.append(n)\nprint(n, count, seen)",
        "for line in sys.stdin:\n    seen.append(line)\nprint(len(seen), seen)",
        "text = sys.stdin.read().split()\nprint(text, hash('x') == hash('x'), len(collections.Counter(text)))",
        "data = sys.stdin.buffer.read()\nsys.stdout.buffer.write(data[::-1])\nsys.stdout.buffer.flush()",
        "import fractions, decimal\nn = int(input() or 1)\nprint(fractions.Fraction(n, 7), decimal.Decimal(n) / 3)",
        "n = int(input() or 1)\nbig = [0] * (n * 100000)\nd = {i: str(i) for i in range(n * 1000)}\nprint(len(big), len(d))",
        "n = int(input() or 1)\n@functools.lru_cache(None)\ndef f(k):\n    return k if k < 2 else f(k - 1) + f(k - 2)\nprint(f(n % 80))",
        "n = int(input() or 1)\nprint(time.time() - start < 0.9, time.process_time() - used < 0.9, time.time() >= start)",
        "n = int(input() or 1)\nprint('error', n, file=sys.stderr)\nprint(n)",
        "n = int(input() or 1)\nif n == 3: sys.exit(1)\nif n == 5: print(1 // 0)\nif n == 7: raise SystemExit\nprint(n)",
        "n = int(input() or 1)\nif n == 3:\n    import threading\n    t = threading.Thread(target=seen.append, args=(1,))\n    t.start()\n    t.join()\nprint(n, seen)",
        "n = int(input() or 1)\nif n == 3:\n    import json, this\nif n == 5: open('f', 'w').write('x')\nprint(n)",
    ] {
        check_alike("sol.py", &format!("{start}{body}\n"), &["3\n", "", "5\n", "7\n", "20\n"]);
    }
}

#[test]
fn python_programs_share_a_process() {
    if !has_in_place() || !installed(&["python3"]) {
        return;
    }
    let folder =
        Folder::new().file("sol.py", "import os, sys\nn = int(input())\nprint(os.getpid(), file=sys.stderr)\n");
    let program = program(&folder, "sol.py");
    let numbers = later_messages(&program, &["0\n", "2\n", "3\n"]);
    assert!(numbers.iter().all(|number| *number == numbers[0]), "{numbers:?}");
}

#[test]
fn java_programs_run_in_one_machine() {
    if !has_in_place() || !installed(&["javac"]) {
        return;
    }
    let body = "static int runs = 0; static java.util.List<Integer> seen = new java.util.ArrayList<>();
    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
    public static void main(String[] words) throws Exception {
        java.util.Scanner in = new java.util.Scanner(System.in);
        int n = in.hasNextInt() ? in.nextInt() : -1;
        runs++; seen.add(n);
        System.out.println(n + \" \" + runs + seen + words.length + deep(Math.max(n, 0) * 100));
        if (n == 2) System.exit(0);
        if (n == 3) { System.err.print(\"told\"); Runnable later = () -> System.out.print(\"later\"); new Thread(null, later, \"\", 1 << 26).start(); }
        if (n == 4) try { System.exit(5); } finally { System.out.println(\"not seen\"); }
        if (n == 5) throw new IllegalStateException();
        if (n == 6) while (true) n ^= 1;
    }";
    let inputs = ["1", "2", "3", "4", "7", "", "20"];
    check_alike("Main.java", &format!("public class Main {{ {body} }}"), &inputs);
    // Exceptions and endless loops are left to new processes.
    let folder = Folder::new().file("Main.java", format!("public class Main {{ {body} }}"));
    let main = program(&folder, "Main.java");
    for (input, outcome) in ["1", "5", "2", "6", "3"].iter().zip(run_all(&main, &["1", "5", "2", "6", "3"])) {
        let fresh = main.run(input.as_bytes(), &[], &limits(), &CancelToken::new()).unwrap();
        let of = |outcome: &RunOutcome| (outcome.limit, outcome.exit.is_success(), outcome.output.clone());
        assert_eq!(of(&outcome), of(&fresh), "on {input}");
    }
    // One that could see the descriptors of its machine is not run in it.
    let source = "import java.io.*; public class Main { public static void main(String[] words) throws Exception {
        System.out.println(new DataInputStream(new FileInputStream(FileDescriptor.in)).readLine()); } }";
    check_alike("Main.java", source, &["1 2\n", "3\n"]);
}

#[test]
fn java_programs_share_a_machine() {
    if !has_in_place() || !installed(&["javac"]) {
        return;
    }
    let source = "public class Main { public static void main(String[] words) {
        System.out.println(new java.util.Scanner(System.in).nextInt());
        System.err.println(ProcessHandle.current().pid()); } }";
    let folder = Folder::new().file("Main.java", source);
    let numbers = later_messages(&program(&folder, "Main.java"), &["0", "2", "3"]);
    assert!(numbers.iter().all(|number| *number == numbers[0]), "{numbers:?}");
}

/// Timers would fire in a later run, and clocks that stand still would end waits at once.
#[test]
fn timers_and_waits_are_those_of_a_new_process() {
    if !has_in_place() {
        return;
    }
    // Before the number is read.
    let timer =
        cpp("#include <signal.h>\nvolatile int stop;", "int i = 0; while (!stop && i < 5000) i++; cout << i << n;")
            .replace("int n;", "signal(SIGALRM, [](int) { stop = 1; }); alarm(1); int n;");
    let wait = cpp(
        "",
        "promise<int> p; thread t([&] { this_thread::sleep_for(chrono::milliseconds(50)); p.set_value(n); });
auto f = p.get_future(); cout << (f.wait_for(chrono::seconds(20)) == future_status::ready) << n; t.join();",
    );
    for source in [timer, wait] {
        let folder = Folder::new().file("sol.cpp", source.as_str());
        let program = program(&folder, "sol.cpp");
        for _ in 0..3 {
            for (input, outcome) in ["3", "5", "7"].iter().zip(run_all(&program, &["3", "5", "7"])) {
                let expected = if source.contains("alarm") { format!("5000{input}") } else { format!("1{input}") };
                assert_eq!(observed(&outcome).1, expected, "{source}");
            }
            std::thread::sleep(std::time::Duration::from_millis(600));
        }
    }
}

/// Output from before the first read belongs to each run. Runs that fill the shared memory are repeated.
#[test]
fn long_outputs_are_whole() {
    if !has_in_place() {
        return;
    }
    let source = cpp("", "cout << string(9000 + n % 7 * 5000, 'x') << n;")
        .replace("int n;", "cout << string(8000, 'e') << flush; int n;");
    let inputs: Vec<String> = (0..64).map(|i| i.to_string()).collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    check_alike("sol.cpp", &source, &inputs);
}

#[test]
fn what_java_programs_change_for_all_is_not_seen_by_other_runs() {
    if !has_in_place() || !installed(&["javac"]) {
        return;
    }
    for body in [
        "if (n == 4) java.util.Locale.setDefault(java.util.Locale.GERMANY); System.out.printf(\"%.2f\", n * 1.5);",
        "if (n == 4) { Thread t = new Thread(() -> { try { Thread.sleep(60); } catch (Exception e) {} System.out.println(\"late\"); System.exit(0); });
            t.setDaemon(true); t.start(); System.exit(0); } System.out.println(n);",
        "if (n == 4) System.setProperty(\"line.separator\", \"!\"); System.out.println(n + System.lineSeparator());",
    ] {
        let source = format!(
            "public class Main {{ public static void main(String[] words) {{
                int n = new java.util.Scanner(System.in).nextInt(); {body} }} }}"
        );
        check_alike("Main.java", &source, &["1", "4", "2", "3"]);
    }
}
