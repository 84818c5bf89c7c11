//! Generated source code: validators with testlib, which must agree with rebut, and readers, which must read what is there.
//! Programs of many formats are compiled together.

use crate::environment::{Folder, installed};
use crate::interop::inputs;
use rebut_codegen::{ReaderLanguage, generate_reader, generate_validator};
use rebut_diagnostics::SourceText;
use rebut_format::language::Format;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// As much of testlib as generated validators need.
const TESTLIB: &str = include_str!("codegen_testlib.h");

/// Constructs that published formats have rarely or never.
const OWN_FORMATS: &[&str] = &[
    "T; cases T: { n; a[n] } where 1 <= T <= 3; 1 <= n <= 4; 0 <= a <= 9; sum(n) <= 6; sorted(a); max(n) >= 2",
    "n; repeat n: u v where 1 <= n <= 4; 0 <= u, v <= 3; u != v; distinct((u, v)); sum(u*v) <= 12; gcd(u) = 1",
    "n q; repeat q: either: { 1 l r x; 2 l r } where 1 <= n, q <= 4; 1 <= l <= r <= n; 0 <= x <= 9; distinct((l, r)); \
     sum(l) <= 9; forall i in 1..q-1: l[i] <= l[i+1]; exists i in 1..q: x[i] = 1",
    "q; repeat q: either: { \"add\" a; \"remove\" r } where 1 <= q <= 5; 1 <= a, r <= 3; \
     forall i in 1..q: count(a[1..i-1], r[i]) > count(r[1..i-1], r[i])",
    "k; (x y)[k] c where 0 <= k <= 3; 0 <= x, y, c <= 3; distinct((x, y)); forall i in 1..k-1: x[i] <= x[i+1]",
    "repeat 0..4 until 0 0: u v where 0 <= u, v <= 2; u + v >= 1; sum(u) <= 4",
    "repeat 1..3 until eof: { n; s } where 1 <= n <= 3; s over \"ab()\"; len(s) = n; balanced(s)",
    "k; repeat k separated by \"--\": { u v }; n where 1 <= k <= 3; 0 <= u, v <= 3; 1 <= n <= 3; u <= n; v / n <= 1",
    "t n; if t = 1: { a[n] }; if t = 2: { b[n] } where 1 <= t <= 2; 0 <= n <= 3; 0 <= a <= 3; 1 <= b <= 4; distinct(b); a % 2 = 1",
    "n; V[n][n]; s; w[n][2] where 1 <= n <= 3; 0 <= V <= 2; symmetric(V); forall i in 1..n: V[i][i] = 0; s over \"a-c \"; \
     1 <= len(s) <= 4; w over \"xy\"; distinct(w)",
    "x y where x real, 0 <= x <= 1, 2 decimals; y real, -1 <= y <= 1, 0..1 decimals; x + y <= 1.5",
    "R C; b[R][C] where 1 <= R, C <= 3; b over \".#S\"; connected(b, \".S\"); count(b, 'S') <= 1",
    "n; p[n]; a[] where 1 <= n <= 4; p permutation of 1..n; 1 <= a <= 10^18; 1 <= len(a) <= 3; prime(a)",
    "n; repeat n: x y where 3 <= n <= 4; -3 <= x, y <= 3; polygon (x, y): convex, counterclockwise",
    "n m; repeat m: u v w where 2 <= n <= 4; 1 <= m <= 4; edges (u, v) on 1..n: simple, bipartite; 1 <= w <= 2; \
     w = 2 => m > 1; abs(n - m) <= 2",
    "n k m; repeat m: u v where 1 <= n <= 4; 1 <= k <= 2; 1 <= m <= 4; edges (u, v) on 1..n: regular k",
    "n m; repeat m: u v where 1 <= n <= 3; 0 <= m <= 4; edges (u, v) on 1..n: even",
    "n; V[n][n] where 1 <= n <= 3; 1 <= V <= n; forall i in 1..n: distinct(V[i]); exists i in 1..n: not distinct(V[i]) or V[i][1] = 1",
    "n; V[n][n] where 1 <= n <= 3; 1 <= V <= n; forall i in 1..n: distinct(V[i]); forall j in 1..n: distinct(V[1..n][j]); \
     forall j in 1..n-1: sum(V[1..j][n]) >= j",
    "k; a[k]; r[k][] where 1 <= k <= 3; 1 <= a, len(r) <= 3; len(r) = a; 0 <= r <= 9",
    "n; a[n]; V[n][] where 1 <= n, V <= 3; 1 <= len(V) <= 2; 0 <= a <= 2; forall j in 1..n: count(a[1..n], a[j]) = 1",
    "n m; a[n]; l; repeat m: x where 1 <= n, m <= 3; 1 <= a, x <= 4; distinct(a[1..n]); disjoint(a, x); l over \"ab\"; \
     1 <= len(l) <= 3; distinct(l) = 2",
    "n k; p[n] where 1 <= n <= 4; 0 <= k <= 6; p permutation of 0..n-1; inversions(p) = k; cycles(p) <= 2; p[1] = 0 or cycles(p) = 1",
    "n; c[n]; repeat n: w where 1 <= n <= 3; 0 <= c <= 3; cycles(c) != 1; inversions(w) >= 1; 0 <= w <= 2; distinct(w) >= 2",
    "n; repeat n-1: u v where 2 <= n <= 4; edges (u, v) on 1..n: tree, depth 2..3",
    "n; p[n-1] where 2 <= n <= 4; parents p of 1..n-1 on 1..n: tree, depth <= 2",
    "s; repeat count(s, '?'): { x; t; repeat len(t): y } where s over \"a?\"; 1 <= len(s) <= 2; t over \"ab\"; 0 <= len(t) <= 1; 0 <= x, y <= 1",
    "n; x where -10^30 <= n <= 10^30; 1 <= x <= 10^18; n * x <= 10^31; (n + x) % 7 != 3",
];

/// Returns formats with their names.
fn formats() -> Vec<(String, Format)> {
    let own = OWN_FORMATS.iter().enumerate().map(|(at, text)| {
        let (format, _) = Format::parse(&SourceText::new("own", *text)).unwrap_or_else(|p| panic!("{text}: {p:?}"));
        (format!("own-{at}"), format)
    });
    own.chain(crate::formats::published()).collect()
}

/// Runs a program of several with the number of one of them, and returns whether it succeeds, and what it prints.
fn run(command: &mut Command, input: &[u8]) -> (bool, Vec<u8>) {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // A program may end before it has read everything, or print before it has.
        scope.spawn(move || stdin.write_all(input));
        let ran = child.wait_with_output().unwrap();
        (ran.status.success(), ran.stdout)
    })
}

#[track_caller]
fn compile(command: &mut Command) {
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr).chars().take(3000).collect::<String>());
}

/// Compiles sources of C++ to one program, which takes the number of the one to run as its argument.
fn compile_cpp(folder: &Folder, sources: &[String], lead: &str, options: &[&str]) -> PathBuf {
    let mut text = lead.to_owned();
    for (at, source) in sources.iter().enumerate() {
        let kept: String = source.lines().filter(|l| !l.starts_with("#include")).flat_map(|l| [l, "\n"]).collect();
        let renamed = kept.replace("int main(", "void run(");
        text += &format!("namespace v{at} {{\n{renamed}}}\n");
    }
    text += "int main(int argc, char* argv[]) {\n    int which = std::atoi(argv[1]);\n    (void)argc;\n";
    for (at, source) in sources.iter().enumerate() {
        let call = if source.contains("int main(int argc") { "run(argc, argv)" } else { "run()" };
        text += &format!("    if (which == {at}) v{at}::{call};\n");
    }
    folder.write("all.cpp", text + "}\n");
    let program = folder.path("all");
    compile(
        Command::new("g++")
            .args(["-std=c++17", "-w"])
            .args(options)
            .arg(folder.path("all.cpp"))
            .arg("-o")
            .arg(&program),
    );
    program
}

/// Compares the validators of formats with rebut. Returns the numbers of formats and of inputs.
fn compare_validators(formats: &[(String, Format)], lead: &str, options: &[&str]) -> (usize, usize) {
    let folder = Folder::new().file("stand_in/testlib.h", TESTLIB);
    let (mut sources, mut compared) = (Vec::new(), Vec::new());
    for (name, format) in formats {
        let Ok(validator) = generate_validator(format) else { continue };
        if validator.left_out.is_empty() {
            sources.push(validator.text);
            compared.push((name, format));
        }
    }
    let stand_in = folder.path("stand_in").display().to_string();
    let program = compile_cpp(&folder, &sources, lead, &[options, &["-I", &stand_in]].concat());
    let (mut count, mut wrong) = (0, Vec::new());
    for (at, (name, format)) in compared.iter().enumerate() {
        for (bytes, is_valid) in inputs(format) {
            count += 1;
            if run(Command::new(&program).arg(at.to_string()), &bytes).0 != is_valid {
                wrong.push(format!("{name}: {is_valid}: {:?}", String::from_utf8_lossy(&bytes)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    (compared.len(), count)
}

const VALIDATOR_LEAD: &str = "#include \"testlib.h\"\n#include <bits/stdc++.h>\n";

#[test]
fn validators_agree_with_rebut() {
    if !installed(&["g++"]) {
        return;
    }
    let some: Vec<(String, Format)> = formats()
        .into_iter()
        .enumerate()
        .filter(|(at, _)| *at < OWN_FORMATS.len() || at % 12 == 0)
        .map(|(_, f)| f)
        .collect();
    let (compared, count) = compare_validators(&some, VALIDATOR_LEAD, &[]);
    assert!(compared > 20 && count > 1000, "{compared} formats, {count} inputs");
}

/// With the folder of testlib in `REBUT_TESTLIB`, compares the validators of all formats.
#[test]
#[ignore = "needs testlib, and compiles for minutes"]
fn validators_with_testlib_agree_with_rebut() {
    let Ok(testlib) = std::env::var("REBUT_TESTLIB") else { return };
    let mut total = (0, 0);
    for some in formats().chunks(20) {
        let (compared, count) = compare_validators(some, VALIDATOR_LEAD, &["-I", &testlib]);
        total = (total.0 + compared, total.1 + count);
    }
    assert!(total.0 > 150, "{} formats, {} inputs", total.0, total.1);
}

#[test]
fn constraint_without_counterpart_is_left_out_with_a_warning() {
    let format = |text: &str| Format::parse(&SourceText::new("test", text)).unwrap().0;
    let validator = generate_validator(&format("s where s matches \"[a-z]+\"; len(s) <= 5000")).unwrap();
    let [warning] = &*validator.left_out else { panic!("{:?}", validator.left_out) };
    assert_eq!(warning.code, "not-in-testlib");
    assert!(validator.text.contains("// Not checked here: s: a regular expression"), "{}", validator.text);
    // Columns have one, unless they may end before their rows.
    let column = "forall j in 1..n: distinct(V[1..n][j])";
    for (size, left_out) in [("n", 0), ("", 1)] {
        let length = if size.is_empty() { "1 <= len(V) <= 3; " } else { "" };
        let text = format!("n; V[n][{size}] where 1 <= n <= 3; 1 <= V <= n; {length}{column}");
        assert_eq!(generate_validator(&format(&text)).unwrap().left_out.len(), left_out, "{text}");
    }
    let problem =
        generate_validator(&format("q; repeat q: either: { n; x } where 1 <= q, n <= 3; 5 <= x <= 7")).map(|v| v.text);
    assert!(problem.is_err(), "{problem:?}");
}

#[test]
fn validator_is_written_as_a_setter_would() {
    let text = "T; cases T: { n m; a[n]; s[m] } where 1 <= T <= 10; 1 <= n <= 100; 0 <= m <= n; 1 <= a <= n; distinct(a); \
                s over \"ab\"; sum(n) <= 500; forall i in 1..n-1: a[i] != a[i+1] + 1";
    let format = Format::parse(&SourceText::new("test", text)).unwrap().0;
    let validator = generate_validator(&format).unwrap().text;
    let main = &validator[validator.find("int main(").unwrap()..];
    assert_eq!(
        main,
        r#"int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    long long T = inf.readInt(1, 10, "T");
    inf.readEoln();
    vector<long long> all_n;
    for (long long i = 0; i < T; i++) {
        setTestCase(int(i + 1));
        long long n = inf.readInt(1, 100, "n");
        inf.readSpace();
        long long m = inf.readInt(0, n, "m");
        inf.readEoln();
        vector<long long> a = inf.readLongs(int(n), 1LL, n, "a");
        inf.readEoln();
        ensuref(allDifferent(a), "distinct(a) does not hold");
        for (long long i2 = 1; i2 <= n - 1; i2++)
            ensuref(a[i2 - 1] != a[i2] + 1, "forall i in 1..n-1: a[i] != a[i+1] + 1 does not hold");
        string s = readText(m, m, "ab", "s");
        inf.readEoln();
        all_n.push_back(n);
    }
    ensuref(sumOf(all_n) <= 500, "sum(n) <= 500 does not hold");
    inf.readEof();
}
"#
    );
}

/// A format and inputs of it.
type ReaderCase = (String, Vec<Vec<u8>>);

/// Returns the readers of formats, and inputs for each of them.
fn reader_cases(language: ReaderLanguage) -> (Vec<String>, Vec<ReaderCase>) {
    let (mut sources, mut cases) = (Vec::new(), Vec::new());
    for (at, (name, format)) in formats().into_iter().enumerate() {
        if at >= OWN_FORMATS.len() && at % 5 != 0 || format.has_several_spellings() {
            continue;
        }
        if let Ok(source) = generate_reader(&format, language, true) {
            sources.push(source);
            let valid = inputs(&format).into_iter().filter(|(_, is_valid)| *is_valid).map(|(bytes, _)| bytes);
            cases.push((name, valid.take(3).collect()));
        }
    }
    assert!(sources.len() > 35, "{} readers", sources.len());
    (sources, cases)
}

/// Checks that each reader prints what it reads. `command` returns the program of a number.
fn check_readers(cases: &[ReaderCase], command: &dyn Fn(usize) -> Command) {
    for (at, (name, inputs)) in cases.iter().enumerate() {
        for input in inputs {
            let (ended, printed) = run(&mut command(at), input);
            assert!(ended && printed == *input, "{name}: {}", String::from_utf8_lossy(&printed));
        }
    }
}

#[test]
fn readers_in_cpp_read_what_is_there() {
    if !installed(&["g++"]) {
        return;
    }
    let (sources, cases) = reader_cases(ReaderLanguage::Cpp);
    let folder = Folder::new();
    let program = compile_cpp(&folder, &sources, "#include <bits/stdc++.h>\n", &[]);
    check_readers(&cases, &|at| {
        let mut command = Command::new(&program);
        command.arg(at.to_string());
        command
    });
}

#[test]
fn readers_in_python_read_what_is_there() {
    if !installed(&["python3"]) {
        return;
    }
    let (sources, mut cases) = reader_cases(ReaderLanguage::Python);
    let folder = Folder::new();
    // An interpreter takes long to start.
    cases.iter_mut().for_each(|(_, inputs)| inputs.truncate(1));
    sources.iter().enumerate().for_each(|(at, source)| folder.write(&format!("{at}.py"), source));
    check_readers(&cases, &|at| {
        let mut command = Command::new("python3");
        command.arg(folder.path(&format!("{at}.py")));
        command
    });
}

#[test]
fn readers_in_java_read_what_is_there() {
    if !installed(&["javac"]) {
        return;
    }
    let (sources, mut cases) = reader_cases(ReaderLanguage::Java);
    let folder = Folder::new();
    let mut text = "import java.io.*;\nimport java.util.*;\n".to_owned();
    for (at, source) in sources.iter().enumerate() {
        let kept: String = source.lines().filter(|l| !l.starts_with("import")).flat_map(|l| [l, "\n"]).collect();
        text += &kept.replace("public class Main", &format!("class R{at}"));
    }
    folder.write("All.java", text);
    compile(Command::new("javac").arg("-d").arg(folder.path("")).arg(folder.path("All.java")));
    // A virtual machine takes long to start.
    cases.iter_mut().for_each(|(_, inputs)| inputs.truncate(1));
    check_readers(&cases, &|at| {
        let mut command = Command::new("java");
        command.args(["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp"]).arg(folder.path("")).arg(format!("R{at}"));
        command
    });
}

#[test]
fn readers_in_rust_read_what_is_there() {
    if !installed(&["rustc"]) {
        return;
    }
    let (sources, cases) = reader_cases(ReaderLanguage::Rust);
    let mut text = String::new();
    for (at, source) in sources.iter().enumerate() {
        text += &format!("mod r{at} {{\n{}}}\n", source.replace("fn main()", "pub fn main()"));
    }
    text += "fn main() {\n    match std::env::args().nth(1).unwrap().as_str() {\n";
    (0..sources.len()).for_each(|at| text += &format!("        \"{at}\" => r{at}::main(),\n"));
    let folder = Folder::new().file("all.rs", text + "        _ => {}\n    }\n}\n");
    let (source, program) = (folder.path("all.rs"), folder.path("all"));
    compile(Command::new("rustc").args(["--edition", "2021", "-A", "warnings"]).arg(source).arg("-o").arg(&program));
    check_readers(&cases, &|at| {
        let mut command = Command::new(&program);
        command.arg(at.to_string());
        command
    });
}

/// Rows up to the ends of their lines are read; what has no reader is shown where it is.
#[test]
fn place_without_a_reader_is_shown() {
    let format = |text: &str| Format::parse(&SourceText::new("test", text)).unwrap().0;
    let ragged = format("k; a[k]; r[k][] where 1 <= k <= 3; 1 <= a, len(r) <= 4; len(r) = a; 0 <= r <= 9");
    assert!(generate_reader(&ragged, ReaderLanguage::Rust, true).is_ok());
    let glued = format("n; \"Case\" hh\":\"mm where 1 <= n <= 3; 10 <= hh, mm <= 23");
    let problem = generate_reader(&glued, ReaderLanguage::Cpp, true).unwrap_err();
    assert_eq!(glued.source_text(problem.span), "mm");
}

#[test]
fn commands_print_validators_and_readers() {
    let folder = Folder::new().file("input.format", "n; a[n] where 1 <= n <= 5; 1 <= a <= n\n");
    folder.rebut("format to-testlib input.format").exits(0).shows("inf.readLongs(int(n), 1LL, n, \"a\")");
    folder.rebut("format reader input.format").exits(0).shows("cin >> n;");
    folder.rebut("format reader input.format --lang py").exits(0).shows("a = list(map(int, input().split()))");
    folder.write("glued.format", "x\":\"y where 1 <= x, y <= 5\n");
    folder.rebut("format to-testlib glued.format").exits(0).shows("readJoined(1, 5, \"x\")");
    folder
        .rebut("format reader glued.format")
        .exits(2)
        .shows("there is no reader for parts without a space between them");
    folder.write("long.format", "s where s matches \"[a-z]+\"; len(s) <= 5000\n");
    folder.rebut("format to-testlib long.format").exits(1).shows("the validator does not check");
    let program = Path::new("validator.cpp");
    assert!(!folder.path(&program.display().to_string()).exists());
}

/// The same method in three languages: it finds a word's letters on a board, and counts the words that are long enough.
const BOARD_SOLUTIONS: [(&str, &str, &str); 3] = [
    (
        "solution.py",
        "brute_main.py",
        "class Solution:\n    def mark(self, board: List[List[str]], words: List[str], k: int, every: bool) -> None:\n        letters = Counter(''.join(words) if every else words[0])\n        for row in board:\n            for j, letter in enumerate(row):\n                if letters[letter] >= k:\n                    row[j] = '#'\n",
    ),
    (
        "solution.cpp",
        "main.cpp",
        "class Solution {\npublic:\n    void mark(vector<vector<char>>& board, vector<string>& words, int k, bool every) {\n        map<char, int> letters;\n        for (size_t w = 0; w < (every ? words.size() : 1); w++) for (char c : words[w]) letters[c]++;\n        for (auto& row : board) for (char& c : row) if (letters[c] >= k) c = '#';\n    }\n};\n",
    ),
    (
        "Solution.java",
        "Main.java",
        "class Solution {\n    public void mark(char[][] board, List<String> words, int k, boolean every) {\n        Map<Character, Integer> letters = new HashMap<>();\n        for (String word : every ? words : words.subList(0, 1)) for (char c : word.toCharArray()) letters.merge(c, 1, Integer::sum);\n        for (char[] row : board) for (int j = 0; j < row.length; j++) if (letters.getOrDefault(row[j], 0) >= k) row[j] = '#';\n    }\n}\n",
    ),
];

#[test]
fn solutions_of_leetcode_are_called_in_three_languages() {
    if !installed(&["g++"]) || !installed(&["python3"]) || !installed(&["javac"]) {
        return;
    }
    let folder = Folder::new();
    for (source, program, text) in BOARD_SOLUTIONS {
        folder.write(source, text);
        let format = folder.rebut(&format!("format from-signature {source}")).exits(0).stdout;
        if folder.path("input.format").exists() {
            assert_eq!(format, folder.read("input.format"), "{source}");
        }
        folder.write("input.format", format);
        folder.write(program, folder.rebut(&format!("format reader input.format --call {source}")).exits(0).stdout);
    }
    let search = "--reference brute_main.py --format input.format --seed 1 --cases 100 --time-limit 10s";
    folder.rebut(&format!("stress main.cpp {search}")).exits(0);
    folder.rebut(&format!("stress Main.java {search}")).exits(0);
}

#[test]
fn wrong_solution_of_leetcode_is_refuted() {
    if !installed(&["g++"]) || !installed(&["python3"]) {
        return;
    }
    let wrong = "// Kadane\nclass Solution {\npublic:\n    vector<long long> best(vector<int>& nums, long long k) {\n        long long sum = 0, best = 0;\n        for (int x : nums) best = max(best, sum = max<long long>(sum + x, 0));\n        return {best * k};\n    }\n};\n";
    let right = "class Solution:\n    def best(self, nums: list[int], k: int) -> list[int]:\n        sums = [0, *accumulate(nums)]\n        return [k * max(sums[j] - sums[i] for i, j in combinations(range(len(sums)), 2))]\n";
    let folder = Folder::new().file("sol.cpp", wrong).file("slow.py", right);
    folder.write("f.format", folder.rebut("format from-signature sol.cpp").exits(0).stdout);
    folder.write("main.cpp", folder.rebut("format reader f.format --call sol.cpp").exits(0).stdout);
    folder.write("brute.py", folder.rebut("format reader f.format --call slow.py").exits(0).stdout);
    let ran = folder.rebut("stress main.cpp --reference brute.py --format f.format --seed 1 --cases 300").exits(1);
    ran.shows("expected [-1], found [0]").shows("smallest possible");
    assert_eq!(folder.finding().read("input.txt"), "1\n-1\n1\n");
    // A method alone is no program.
    folder.rebut("stress slow.py --reference brute.py --format f.format --seed 1 --cases 3").exits(1).shows_all(&[
        "`slow.py` is a method, and nothing calls it",
        "rebut format from-signature slow.py >input.format",
    ]);
    // Fields that do not fit are refused.
    folder.write("g.format", "n; nums[n] where 1 <= n <= 6; 1 <= nums <= 10^9");
    folder.rebut("format reader g.format --call sol.cpp").exits(2).shows("no-argument").shows("no field `k`");
    folder.write("g.format", "n k; nums[n] where 1 <= n, k <= 6; 1 <= nums <= 10^10");
    folder.rebut("format reader g.format --call sol.cpp").exits(2).shows("`nums` is too large");
    folder.write("g.format", "n k; nums[n] where 1 <= n, k <= 6; 0 <= nums <= 1; nums real, 1 decimals");
    folder.rebut("format reader g.format --call sol.cpp").exits(2).shows("`nums` has decimals");
    folder.write("tree.py", "class Solution:\n    def f(self, root: TreeNode) -> int:\n        return 1\n");
    folder.rebut("format from-signature tree.py").exits(2).shows("`TreeNode`, the type of `root`, has no layout");
    folder.rebut("format from-signature sol.rs").exits(2).shows("no source in C++, Python or Java");
}

#[test]
fn real_parameters_and_methods_without_a_result_are_tested() {
    if !installed(&["python3"]) {
        return;
    }
    let reals =
        |body: &str| format!("class Solution:\n    def f(self, x: float, k: int) -> float:\n        return {body}\n");
    let lists = |body: &str| {
        format!("class Solution:\n    def f(self, k: int, nums: List[int]) -> None:\n        nums.sort({body})\n")
    };
    for (wrong, right, layout) in
        [(reals("int(x) * k"), reals("x * k"), "x real, 2 decimals"), (lists("reverse=k > 1"), lists(""), "nums[n]")]
    {
        let folder = Folder::new().file("wrong.py", wrong).file("right.py", right);
        folder.write("f.format", folder.rebut("format from-signature wrong.py").exits(0).shows(layout).stdout.clone());
        folder.write("main.py", folder.rebut("format reader f.format --call wrong.py").exits(0).stdout);
        folder.write("brute.py", folder.rebut("format reader f.format --call right.py").exits(0).stdout);
        folder.rebut("stress main.py --reference brute.py --format f.format --seed 1 --cases 300").exits(1);
    }
    let flags = "class Solution {\n    public int count(boolean[] flags) { return flags.length; }\n}\n";
    let folder = Folder::new().file("sub/S.java", flags);
    folder.write("f.format", folder.rebut("format from-signature sub/S.java").exits(0).stdout);
    folder.rebut("format reader f.format --call sub/S.java").exits(0).shows("new boolean[");
    let elsewhere = Folder::new()
        .file("f.format", "x where 1 <= x <= 9")
        .file("sub/two.py", "class Solution:\n    def f(self, x: int) -> int:\n        return x\n");
    elsewhere.rebut("format reader f.format --call sub/two.py").exits(0).shows("in the folder of `sub/two.py`");
}
