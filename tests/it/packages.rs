//! Problem packages, broken and valid: each file of `testdata/packages` describes one, with a summary of its parsed
//! contents or the message. `REBUT_UPDATE_GOLDEN=1` regenerates the expectations, to be reviewed in the change.

mod summary;
mod tree;

use crate::environment::{Folder, home, installed};
use crate::programs::{ECHO_C, c_about_n};
use rebut_diagnostics::ErrorKind;
use rebut_packages::Package;
use std::fs;
use std::path::PathBuf;

/// Returns all descriptions, sorted.
fn descriptions() -> Vec<PathBuf> {
    let entries = fs::read_dir(home().join("testdata/packages")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 60, "{}", files.len());
    files
}

#[test]
fn packages_are_loaded_or_refused_with_a_place() {
    let mut differences = Vec::new();
    let mut refused = 0;
    for file in descriptions() {
        let text = fs::read_to_string(&file).unwrap();
        let folder = Folder::new();
        let package = folder.path("p");
        fs::create_dir(&package).unwrap();
        let expected = tree::make(&text, &package);
        let found = match Package::load(&package) {
            Ok(package) => summary::package(&package),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
                folder.rebut("stress none.c --problem p --input n").exits(2);
                refused += 1;
                format!("{error}\n").replace(&package.display().to_string(), "p")
            }
        };
        if found == expected {
            continue;
        }
        if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
            let (before, _) = text.split_once("=== expected\n").unwrap_or((&text, ""));
            fs::write(&file, format!("{}\n=== expected\n{found}", before.trim_end())).unwrap();
        }
        differences.push(format!("{}\n--- expected\n{expected}--- found\n{found}", file.display()));
    }
    assert!(refused >= 60, "{refused} are broken");
    assert!(differences.is_empty(), "REBUT_UPDATE_GOLDEN=1 writes them anew\n{}", differences.join("\n"));
}

#[test]
fn shipped_packages_are_loaded() {
    for problem in fs::read_dir(home().join("testdata/problems")).unwrap().map(|entry| entry.unwrap().path()) {
        if !problem.is_dir() {
            continue;
        }
        let package = Package::load(&problem).unwrap();
        assert_eq!(package.notes, Vec::<String>::new(), "{}", problem.display());
        assert!(!package.reference_candidates().is_empty() && package.format.is_some());
        assert!(package.test_cases.iter().all(|case| case.answer.is_some()));
        assert!(package.test_cases.first().is_some_and(|case| case.is_sample));
        let folders = ["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"];
        assert!(package.submissions.iter().all(|s| folders.contains(&Package::submission_folder(s))));
    }
}

#[test]
fn constants_are_substituted_in_programs() {
    if !installed(&["python3"]) {
        return;
    }
    let uuid = "11111111-1111-4111-8111-111111111111";
    let yaml = format!(
        "problem_format_version: 2025-09\nname: A\nuuid: {uuid}\nlimits: {{time_limit: 5}}\n\
         constants:\n  most: 9\n  step: {{value: 2, words: two}}\n"
    );
    let validator = "import re, sys, helper\ndata = sys.stdin.buffer.read()\n\
                     fine = re.fullmatch(rb'[1-9]\\n', data) and int(data) <= helper.MOST\n\
                     sys.exit(42 if fine else 43)\n";
    let folder = Folder::new()
        .file("p/problem.yaml", yaml)
        .file("p/data/secret/1.in", "7\n")
        .file("p/data/secret/1.ans", "9 {{step}}\n")
        .file("p/input_validators/v/main.py", validator)
        .file("p/input_validators/v/helper.py", "MOST = {{most}}\n")
        .file("p/submissions/accepted/a.py", "print(int(input()) + {{step.value}}, '{{' + 'step}}')\n")
        .file(
            "p/submissions/accepted/c.c",
            "#include \"own.h\"\n#include <stdio.h>\nint main() { int n; scanf(\"%d\", &n); \
               printf(\"%d %s\\n\", n + STEP, \"{{\" \"step}}\"); }\n",
        )
        .file("p/include/own.h", "#define STEP {{step}}\n")
        .file("p/submissions/wrong_answer/w.py", "print(int(input()) + {{nothing}}0)\n".replace("{{nothing}}", "1"));
    let cache = folder.path("cache").display().to_string();
    let run = |command: &str| folder.typed(command).variable("REBUT_CACHE", cache.clone()).run();
    run("verify p").exits(0).shows("OK  3 submissions as expected").shows("validators and checker are right");
    run("run p/submissions/accepted/a.py p").exits(0).shows("accepted on 1 of 1 test case");
    run("export p --as legacy -o legacy").exits(0);
    let exported = "print(int(input()) + 2, '{{' + 'step}}')\n";
    assert_eq!(folder.read("legacy/submissions/accepted/a.py"), exported);
    folder.write("p/submissions/accepted/b.py", "print(int(input()) + {{step}}, '{{step.words}}')\n");
    run("verify p").exits(1).shows("found two");
}

#[test]
fn include_files_are_compiled_with_submissions() {
    if !installed(&["g++", "python3"]) {
        return;
    }
    let folder = Folder::new()
        .file("p/problem.yaml", "name: A\nlimits: {time_limit: 5}\n")
        .file("p/data/secret/1.in", "7\n")
        .file("p/data/secret/1.ans", "14\n")
        .file("p/include/cpp/twice.h", "int twice(int n);\n")
        .file(
            "p/include/cpp/grader.cpp",
            "#include \"twice.h\"\n#include <cstdio>\n\
             int main() { int n; std::scanf(\"%d\", &n); std::printf(\"%d\\n\", twice(n)); }\n",
        )
        .file("p/include/default/ours.py", "def read():\n    return int(input())\n")
        .file("p/submissions/accepted/sum.cpp", "#include \"twice.h\"\nint twice(int n) { return n + n; }\n")
        .file("p/submissions/accepted/shift/shift.cc", "#include \"twice.h\"\nint twice(int n) { return n << 1; }\n")
        .file("p/submissions/accepted/product.py", "import ours\nprint(2 * ours.read())\n")
        .file("p/submissions/wrong_answer/square.cpp", "int twice(int n) { return n * n; }\n");
    let cache = folder.path("cache").display().to_string();
    let run = |command: &str| folder.typed(command).variable("REBUT_CACHE", cache.clone()).run();
    run("verify p").exits(0).shows("OK  4 submissions as expected");
    for kind in ["legacy", "2025-09", "domjudge"] {
        run(&format!("export p --as {kind} -o {kind}")).exits(0);
        run(&format!("verify {kind}")).exits(0).shows("OK  4 submissions as expected");
    }
    run("run p/submissions/accepted/sum.cpp p").exits(0).shows("accepted on 1 of 1 test case");
    // A submission from another folder gets the same includes, and its findings replay with them.
    folder.write("mine.cpp", "#include \"twice.h\"\nint twice(int n) { return n * 2 + n / 8; }\n");
    folder.write("mine.py", "import ours\nprint(2 * ours.read())\n");
    run("run mine.cpp p").exits(0).shows("accepted on 1 of 1 test case");
    run("run mine.py p").exits(0).shows("accepted on 1 of 1 test case");
    folder.write("p/input.format", "n\nwhere 1 <= n <= 50\n");
    run("stress mine.cpp --problem p").exits(1).shows("expected 16, found 17");
    run("replay findings/0001-mine-wrong-answer").exits(1).shows("expected 16, found 17");
    std::fs::remove_file(folder.path("p/input.format")).unwrap();
    // The files beside a source that it names come with it.
    folder.write("p/submissions/accepted/near.h", "#define NEAR 0\n");
    folder.write("p/submissions/accepted/near.cpp", "#include \"near.h\"\nint twice(int n) { return n + n + NEAR; }\n");
    run("verify p").exits(0).shows("OK  5 submissions as expected");
    std::fs::remove_file(folder.path("p/submissions/accepted/near.cpp")).unwrap();
    // An included file replaces one of the same name.
    folder.write("p/submissions/accepted/shift/grader.cpp", "int main() {}\n");
    run("verify p").exits(0).shows("OK  4 submissions as expected");
    folder.write("p/include/cpp/grader.cpp", "int main() {}\n");
    run("verify p").exits(1).shows("FAIL  2 of 4 submissions not as expected");
}

#[test]
fn unsupported_package_is_refused_before_compiling() {
    let folder = Folder::new()
        .file("p/problem.yaml", "name: A\n")
        .file("p/submissions/accepted/a.py", "print(1)\n")
        .file("q/problem.yaml", "name: A\n")
        .file("q/data/secret/1.in", "1\n")
        .file("q/submissions/accepted/a.py", "print(1)\n");
    folder.rebut("verify p").exits(2).shows("has no test case in `data/`").hides("Compiled");
    folder.rebut("verify q").exits(2).shows("the test case `secret/1` of `q` has no answer").hides("Compiled");
}

#[test]
fn file_that_makes_absent_test_data_is_named() {
    let folder = Folder::new()
        .file("p/problem.yaml", "name: LAN\n")
        .file("p/data/sample/1.in", "1\n")
        .file("p/data/sample/1.ans", "1\n")
        .file("p/generators/generators.yaml", "data:\n  secret:\n")
        .file("p/submissions/accepted/a.py", "print(1)\n")
        .file("q/problem.yaml", "name: Almost sorted\n")
        .file("q/data/gen_rand.py", "print(1)\n")
        .file("q/data/gen.sh", "python3 gen_rand.py > secret/1.in\n");
    let ran = folder.rebut("verify p --no-probes").exits(0);
    ran.shows("`data/secret`: has no test cases, so only the samples are used").shows("`bt generate`");
    let ran = folder.rebut("verify q").exits(2).shows("has no test case in `data/`");
    ran.shows("`data/gen.sh` seems to make them").hides("`rebut build`");
}

/// Creates a package for printing `n`, with validators and submissions that cannot be run here.
fn mixed_bag() -> Folder {
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Echo\nlimits: {time_limit: 5}\n")
        .file("p/input.format", "n where 1 <= n <= 9")
        .file("p/data/secret/1.in", "7\n")
        .file("p/data/secret/1.ans", "7\n")
        .file("p/submissions/accepted/a.lua", "print(1)\n")
        .file("p/submissions/accepted/b.py", "print(int(input()))\n")
        .file("p/submissions/accepted/c.c", ECHO_C)
        .file("p/submissions/accepted/g.go", "package main\nfunc main() {}\n")
        .file("p/submissions/wrong_answer/late.c", c_about_n("if (n == 9) n = 0;"))
        .file("p/submissions/wrong_answer/w.exe", b"MZ\x90\x00\x03\x00\x00\x00")
        .file("p/input_validators/plain", "#!/usr/bin/env python3\nraise SystemExit(42)\n")
        .file("p/input_validators/slow.py.TOOSLOW", "raise SystemExit(43)\n")
        .file("p/tests.toml", "[[test]]\ntext = \"7\\n\"\n");
    folder.script("p/submissions/wrong_answer/x.exe", b"MZ\x90\x00\x03\x00\x00\x00")
}

/// Messages about the programs of the mixed bag that are left out.
const LEFT_OUT: [&str; 4] = [
    "`accepted/a.lua` is skipped: cannot tell the language",
    "`accepted/g.go` is skipped: cannot find `/no/go`",
    "`wrong_answer/w.exe` is skipped: ",
    "`wrong_answer/x.exe` is skipped: ",
];

#[test]
fn unsupported_programs_are_left_out_with_a_warning() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = mixed_bag();
    let run = |command: &str| folder.typed(command).variable("GO", "/no/go").run();
    let ran = run("verify p --no-cache").exits(1).shows_all(&LEFT_OUT).shows("no test case kills it");
    let ran =
        ran.shows("`p/input_validators/plain` is skipped: `p/input_validators/plain` is a script, but not executable");
    ran.shows("`input_validators/slow.py.TOOSLOW`: is skipped: its extension disables it").shows("FAIL  1 of 3");
    // The reference is that in the fastest language, regardless of its name.
    let ran = run("stress --problem p --seed 1 --cases 100 --no-save").exits(1).shows("FAIL  late.c");
    let ran = ran.shows("Verifying  p: 3 wrong submissions on 1 test case, to find survivors");
    ran.shows("`a.lua` is skipped").shows("vs c.c").hides("error:");
    run("stress b.py --problem p --cases 5").exits(0).shows("vs c.c");
    std::fs::remove_file(folder.path("p/data/secret/1.in")).unwrap();
    std::fs::remove_file(folder.path("p/data/secret/1.ans")).unwrap();
    run("build p --no-verify").exits(0).shows("`a.lua` is skipped").shows("`g.go` is skipped");
    // A reference on the command line has to exist.
    run("run g.go p").exits(4).shows("error: cannot find `/no/go`");
    run("verify p -s a.lua").exits(2).shows("error: cannot tell the language");
}

#[test]
fn fastest_accepted_submission_is_the_reference() {
    let slow = c_about_n("for (volatile long i = 0; i < 300000000; i++);");
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Echo\nlimits: {time_limit: 5}\n")
        .file("p/data/secret/1.in", "7\n")
        .file("p/data/secret/1.ans", "7\n")
        .file("p/submissions/accepted/a.c", slow)
        .file("p/submissions/accepted/b.c", ECHO_C)
        .file("mine.c", ECHO_C);
    let ran = folder.rebut("stress mine.c --problem p --input 'n where 1<=n<=9' --cases 5").exits(0);
    ran.shows("Timing  a.c and b.c: the fastest is the reference").shows("vs b.c");
}

/// Accepts `n` from 1 to `MOST`, which is defined in a header next to the package.
const BOUNDED: &str = "#include \"bounds.h\"\n#include <stdio.h>\n\
                       int main() { int n; return scanf(\"%d\", &n) == 1 && 1 <= n && n <= MOST ? 42 : 43; }\n";

#[test]
fn links_are_followed_within_the_repository_only() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new()
        .file("repo/.git/HEAD", "ref: refs/heads/main\n")
        .file("repo/headers/bounds.h", "#define MOST 9\n")
        .file("repo/headers/twice.h", "static int twice(int n) { return n + n; }\n")
        .file("repo/contest/p/problem.yaml", "name: Echo\nlimits: {time_limit: 5}\n")
        .file("repo/contest/p/data/secret/1.in", "7\n")
        .file("repo/contest/p/data/secret/1.ans", "7\n")
        .file("repo/contest/p/input_validators/beside.c", BOUNDED)
        .file("repo/contest/p/input_validators/within/v.c", BOUNDED)
        .file("repo/contest/p/submissions/accepted/a.c", ECHO_C)
        .file("repo/contest/p/submissions/accepted/f/main.c", format!("#include \"twice.h\"\n{ECHO_C}"))
        .file("outside.h", "#define MOST 9\n");
    let link = |target: &str, at: &str| {
        let at = folder.path(&format!("repo/contest/p/{at}"));
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        symlink(target, at).unwrap();
    };
    link("../../../headers/bounds.h", "input_validators/bounds.h");
    link("../../../../headers/bounds.h", "input_validators/within/bounds.h");
    link("../../../../../headers/twice.h", "submissions/accepted/f/twice.h");
    link("../../headers", "include");
    let ran = folder.rebut("verify repo/contest/p --no-cache --no-probes").exits(0);
    ran.shows("OK  2 submissions as expected");
    let probed = folder.rebut("verify repo/contest/p --no-cache");
    assert!(probed.stderr.contains("Compiled  beside.c") && probed.stderr.contains("Compiled  within"), "{probed}");
    folder.rebut("export repo/contest/p --as legacy -o out").exits(0);
    assert_eq!(folder.read("out/input_validators/within/bounds.h"), "#define MOST 9\n");
    // Links out of the repository and to hidden files in it are refused.
    for target in ["../../../../outside.h", "../../../.git/HEAD"] {
        std::fs::remove_file(folder.path("repo/contest/p/input_validators/bounds.h")).unwrap();
        link(target, "input_validators/bounds.h");
        let ran = folder.rebut("verify repo/contest/p").exits(2);
        ran.shows(&format!("input_validators/bounds.h`: a link that leaves the repository: `{target}`"));
    }
    // So are links out of a package that is in no repository.
    std::fs::remove_dir_all(folder.path("repo/.git")).unwrap();
    folder.rebut("verify repo/contest/p").exits(2).shows("a link that leaves the package: `../../headers`");
}

#[test]
fn small_mistakes_are_warnings_with_lines() {
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Echo\nlimits:\n  time_limit: 5\n  time_multipliers: 3\nname: Echoes\n")
        .file("p/data/secret/1.in", "7\n")
        .file("p/data/secret/1.ans", "7\n")
        .file("p/submissions/accepted/a.c", format!("\n// @EXPECTED_RESULTS@: CORRECT, NO-IDEA\n{ECHO_C}"));
    let ran = folder.rebut("verify p --no-cache").exits(0);
    ran.shows_all(&[
        "`problem.yaml:5:1`: the key `name` is repeated here; this value is used",
        "`problem.yaml:4:21`: `time_multipliers` should be a map; `3` is used as `ac_to_time_limit`",
        "`submissions/accepted/a.c:2`: `@EXPECTED_RESULTS@:` names an unknown result, which is ignored: `NO-IDEA`",
    ]);
}

/// Returns a package of version 2025-09 that wants the sum of the numbers in `1.in`, which is 6.
fn sum_package() -> Folder {
    let yaml = "problem_format_version: 2025-09\nname: Sum\nuuid: 5c0f1c6e-1d5b-4b6e-9d3a-6f0a2b7c8d22\n\
                limits: {time_limit: 5}\n";
    let folder = Folder::new().file("p/problem.yaml", yaml).file("p/input.format", "a b c\nwhere 0 <= a, b, c <= 9\n");
    folder.file("p/data/sample/1.in", "1 2 3\n").file("p/data/sample/1.ans", "6\n")
}

#[test]
fn programs_find_their_files() {
    if !installed(&["python3", "gcc"]) {
        return;
    }
    let add = "print(int(open('extra.txt').read()) + sum(map(int, input().split())))\n";
    let validator = "import sys\nsys.exit(42 if len(open('extra.txt').read()) == 2 else 43)\n";
    let folder = sum_package()
        .file("p/data/sample/1.files/extra.txt", "0\n")
        .file("p/input_validators/extra.py", validator)
        .file("p/submissions/accepted/of_case.py", add)
        .file("p/submissions/accepted/own/main.py", add.replace("extra", "sub/own"))
        .file("p/submissions/accepted/own/sub/own.txt", "0\n")
        // Files of a test case replace those of the same name.
        .file("p/submissions/accepted/both/main.py", add)
        .file("p/submissions/accepted/both/extra.txt", "1\n")
        .file("p/include/c/words.txt", "0 \n")
        .file(
            "p/submissions/accepted/included.c",
            "#include <stdio.h>\nint main() { int a, b, c, d; fscanf(fopen(\"words.txt\", \"r\"), \"%d\", &d); \
             scanf(\"%d%d%d\", &a, &b, &c); printf(\"%d\\n\", a + b + c + d); }\n",
        );
    let cache = folder.path("cache").display().to_string();
    let run = |command: &str| folder.typed(command).variable("REBUT_CACHE", cache.clone()).run();
    run("verify p --no-probes").exits(0).shows("OK  4 submissions as expected");
    run("verify p").hides("`extra.py`, `sample/1`");
    run("strength p").shows("mutants  100% of 1 mutant");
    // The files are part of what results are cached by.
    folder.write("p/data/sample/1.files/extra.txt", "1\n");
    run("verify p --no-probes").exits(1).shows("FAIL  2 of 4");
    folder.write("p/submissions/accepted/own/sub/own.txt", "1\n");
    run("verify p --no-probes").exits(1).shows("FAIL  3 of 4");
    folder.write("p/data/sample/1.files/extra.txt", "10\n");
    run("verify p").shows("`extra.py`, `sample/1`: refused");
}

#[test]
fn entry_point_is_obeyed() {
    if !installed(&["python3", "javac"]) {
        return;
    }
    let right = "print(sum(map(int, input().split())))\n";
    let java = |name: &str, print: &str| {
        format!(
            "public class {name} {{ public static void main(String[] a) {{ var in = new java.util.Scanner(System.in); \
             System.out.println({print}); }} }}\n"
        )
    };
    let sum = "in.nextInt() + in.nextInt() + in.nextInt()";
    let folder = sum_package()
        .file("p/submissions/accepted/multi/main.py", "print(0)\n")
        .file("p/submissions/accepted/multi/b.py", right)
        .file("p/submissions/accepted/classes/Main.java", java("Main", "0"))
        .file("p/submissions/accepted/classes/Sum.java", java("Sum", sum));
    for pattern in ["accepted/multi", "accepted/mul*", "**/multi"] {
        let yaml = format!("\"{pattern}\": {{entrypoint: b.py}}\naccepted/classes: {{entrypoint: Sum}}\n");
        folder.write("p/submissions/submissions.yaml", yaml);
        folder.rebut("verify p --no-probes").exits(0).shows("OK  2 submissions as expected");
    }
    folder.rebut("run multi p").exits(0).shows("accepted on 1 of 1 test case");
    folder.write("p/submissions/submissions.yaml", "accepted/multi: {entrypoint: c.py}\n");
    folder.rebut("verify p --no-probes").exits(1).shows("`c.py`").shows("FAIL  accepted on 0 of 1");
}

#[test]
fn tag_that_contradicts_its_folder_is_a_warning() {
    let folder = Folder::new()
        .file("p/problem.yaml", "name: A\nlimits: {time_limit: 5}\n")
        .file("p/data/secret/1.in", "7\n")
        .file("p/data/secret/1.ans", "7\n")
        .file("p/submissions/accepted/wrong.c", format!("// @EXPECTED_RESULTS@: WRONG-ANSWER\n{}", c_about_n("n = 0;")))
        .file("p/submissions/wrong_answer/slow.c", "// @EXPECTED_RESULTS@: TIMELIMIT, WRONG-ANSWER\nint main() {}\n")
        .file("p/submissions/mixed/right.c", format!("// @EXPECTED_RESULTS@: CORRECT\n{ECHO_C}"));
    let ran = folder.rebut("verify p").exits(0);
    let ran =
        ran.shows("`submissions/accepted/wrong.c`: its tag `@EXPECTED_RESULTS@` contradicts the folder `accepted`");
    ran.hides("slow.c`: its tag").hides("right.c`: its tag");
}
