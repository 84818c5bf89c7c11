//! Judge programs of packages: custom checkers that run after each submission, interactors, and problems of several
//! passes.

use crate::environment::{Folder, installed};

/// Accepts any number above the given one. The checker writes its message where packages expect it.
const ABOVE: &str = "\
import sys
with open(sys.argv[1]) as f:
    n = int(f.read())
strict = 'strict' in sys.argv[4:]
words = sys.stdin.read().split()
try:
    (got,) = map(int, words)
except ValueError:
    open(sys.argv[3] + '/judgemessage.txt', 'w').write('that is no number')
    sys.exit(43)
if got > n + (10 if strict else 0):
    sys.exit(42)
open(sys.argv[3] + '/judgemessage.txt', 'w').write('%d is not above %d' % (got, n))
sys.exit(43)
";

const TWICE: &str = "print(int(input()) * 2 + 1)\n";
const SAME: &str = "print(int(input()))\n";

fn package_with_checker(checker: &str) -> Folder {
    Folder::new()
        .file("p/problem.yaml", "name: Above\nvalidation: custom\nlimits:\n    time_limit: 2\n")
        .file("p/data/secret/1.in", "3\n")
        .file("p/data/secret/1.ans", "4\n")
        .file("p/data/secret/2.in", "5\n")
        .file("p/data/secret/2.ans", "6\n")
        .file("p/output_validators/above.py", checker)
        .file("p/submissions/accepted/twice.py", TWICE)
        .file("p/submissions/wrong_answer/same.py", SAME)
        .file("p/submissions/wrong_answer/words.py", "print('many')\n")
}

#[test]
fn checker_of_the_package_judges() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package_with_checker(ABOVE);
    folder.rebut("verify p --no-cache --no-probes").exits(0).shows("OK  3 submissions as expected");
    folder.rebut("run same p --no-cache").exits(1).shows("3 is not above 3").shows("an answer");
    folder.rebut("run words p --no-cache").exits(1).shows("that is no number");
}

#[test]
fn folder_of_an_output_validator_is_one_program() {
    if !installed(&["python3"]) {
        return;
    }
    let main = "import helper, sys\nsys.exit(helper.verdict(sys.stdin.read()))\n";
    let folder = Folder::new()
        .file("p/problem.yaml", "problem_format_version: 2025-09\nname: Any\nlimits:\n    time_limit: 2\n")
        .file("p/data/secret/1.in", "3\n")
        .file("p/data/secret/1.ans", "4\n")
        .file("p/output_validator/main.py", main)
        .file("p/output_validator/helper.py", "def verdict(text):\n    return 42 if text else 43\n")
        .file("p/submissions/accepted/same.py", SAME);
    folder.rebut("verify p --no-cache --no-probes").exits(0).shows("OK  accepted on 1 of 1 test case");
}

#[test]
fn checker_arguments_come_from_the_package() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package_with_checker(ABOVE);
    folder.write(
        "p/problem.yaml",
        "name: Above\nvalidation: custom\nvalidator_flags: strict\nlimits:\n    time_limit: 2\n",
    );
    folder.rebut("run twice p --no-cache").exits(1).shows("7 is not above 3");
}

#[test]
fn failure_of_a_checker_is_a_judge_error() {
    if !installed(&["python3"]) {
        return;
    }
    for (checker, message) in [
        ("import sys\nsys.exit(7)\n", "exited with code 7"),
        ("import sys\nsys.exit(0)\n", "exited with code 0"),
        ("raise ValueError('no such rule')\n", "no such rule"),
    ] {
        package_with_checker(checker).rebut("verify p --no-cache --no-probes").exits(3).shows(message);
    }
}

#[test]
fn checker_does_not_run_after_a_crash() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package_with_checker(ABOVE);
    folder.write("p/submissions/run_time_error/r.py", "print(100)\nraise SystemExit(3)\n");
    folder.rebut("verify p --no-cache --no-probes").exits(0).shows("RTE as expected");
}

/// A checker in the style of testlib, with other arguments and exit statuses. Only the first function matters for how
/// it is called.
const TESTLIB: &str = "\
#pragma once
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
enum { _ok = 0, _wa = 1, _pe = 2, _fail = 3 };
static long inf, ouf, ans;
static void registerTestlibCmd(int argc, char** argv) {
    if (argc < 4) std::exit(_fail);
    std::ifstream a(argv[1]), b(argv[2]), c(argv[3]);
    if (!(a >> inf) || !(c >> ans)) std::exit(_fail);
    std::string rest;
    if (!(b >> ouf) || b >> rest) { std::cerr << \"wrong output format\"; std::exit(_pe); }
}
";

#[test]
fn testlib_checker_is_called_in_the_style_of_testlib() {
    if !installed(&["g++"]) || !installed(&["python3"]) {
        return;
    }
    let checker = "#include \"testlib.h\"\nint main(int argc, char** argv) {\n    registerTestlibCmd(argc, argv);\n    \
                   if (ouf > inf) return _ok;\n    std::cerr << ouf << \" is too small\";\n    return _wa;\n}\n";
    let folder = package_with_checker("");
    std::fs::remove_file(folder.path("p/output_validators/above.py")).unwrap();
    folder.write("p/output_validators/check.cpp", checker);
    folder.write("p/output_validators/testlib.h", TESTLIB);
    folder.rebut("verify p --no-cache").exits(0).shows("OK  3 submissions as expected");
    folder.rebut("run same p --no-cache").exits(1).shows("3 is too small");
}

/// Picks a number and answers guesses.
const GUESSING: &str = "\
import os, sys
secret = int(open(sys.argv[1]).read())
for turn in range(12):
    line = sys.stdin.readline().split()
    if len(line) != 1 or not line[0].isdigit():
        open(sys.argv[3] + '/judgemessage.txt', 'w').write('no guess in turn %d' % turn)
        sys.exit(43)
    guess = int(line[0])
    try:
        print('correct' if guess == secret else 'higher' if guess < secret else 'lower', flush=True)
    except BrokenPipeError:
        open(sys.argv[3] + '/judgemessage.txt', 'w').write('no reader in turn %d' % turn)
        os._exit(43)
    if guess == secret:
        sys.exit(42)
open(sys.argv[3] + '/judgemessage.txt', 'w').write('too many guesses')
sys.exit(43)
";

const HALVING: &str = "\
low, high = 1, 1000
while True:
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == 'correct':
        break
    if answer == 'higher':
        low = guess + 1
    else:
        high = guess - 1
";

fn guessing_problem() -> Folder {
    Folder::new()
        .file("g/problem.yaml", "name: Guess\nvalidation: custom interactive\nlimits:\n    time_limit: 1\n")
        .file("g/data/secret/1.in", "617\n")
        .file("g/data/secret/1.ans", "\n")
        .file("g/data/secret/2.in", "1\n")
        .file("g/data/secret/2.ans", "\n")
        .file("g/output_validators/guess.py", GUESSING)
        .file("g/submissions/accepted/halving.py", HALVING)
        .file(
            "g/submissions/wrong_answer/by_one.py",
            "n = 1\nwhile True:\n    print(n, flush=True)\n    n += 1\n    input()\n",
        )
        .file("g/submissions/wrong_answer/leaves.py", "print(5, flush=True)\n")
        .file("g/submissions/time_limit_exceeded/waits.py", "input()\n")
        .file("g/submissions/run_time_error/crashes.py", "print(5, flush=True)\ninput()\nraise SystemExit(1)\n")
}

#[test]
fn interactor_judges_conversations() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = guessing_problem();
    folder.rebut("verify g --no-cache").exits(0).shows("OK  5 submissions as expected").shows("idle");
    let ran = folder.rebut("run by_one g --no-cache").exits(1).shows("too many guesses");
    ran.shows("> 12").shows("< higher");
    folder.rebut("run waits g --no-cache").exits(1).shows("is its output flushed");
}

#[test]
fn interactive_verdicts_follow_from_causes() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = guessing_problem();
    let add = |name: &str, source: &str| folder.write(&format!("g/submissions/{name}"), source);
    add("wrong_answer/bad_message.py", "print('hello', flush=True)\nraise SystemExit(1)\n");
    add("wrong_answer/closes_output.py", "import os, time\nos.close(1)\ntime.sleep(9)\n");
    add("run_time_error/crashes_first.py", "raise SystemExit(1)\n");
    add("run_time_error/crashes_last.py", &format!("{HALVING}raise SystemExit(1)\n"));
    folder.rebut("verify g --no-cache").exits(0).shows("OK  9 submissions as expected");
}

/// It writes only after the submission has exited. Then Python exits with 120, and C is killed by SIGPIPE.
const LAST_WORDS: &str = "\
import sys
said = sys.stdin.read().split()
print('thanks')
sys.exit(42 if said == ['5', '6'] else 43)
";
const LAST_WORDS_C: &str = "\
#include <stdio.h>
int main(void) {
    int a = 0, b = 0, c, n = scanf(\"%d%d%d\", &a, &b, &c);
    printf(\"thanks\\n\");
    fflush(stdout);
    return n == 2 && a == 5 && b == 6 ? 42 : 43;
}
";

#[test]
fn interactor_judges_submissions_that_exit_first() {
    if !installed(&["python3"]) || !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new()
        .file("g/problem.yaml", "name: Short\nvalidation: custom interactive\nlimits:\n    time_limit: 1\n")
        .file("g/data/secret/1.in", "\n")
        .file("g/data/secret/1.ans", "\n")
        .file("g/submissions/accepted/right.py", "print(5, flush=True)\nprint('6', end='')\n")
        .file("g/submissions/accepted/long.py", "print(5, ' ' * 4000, 6)\n")
        .file("g/submissions/wrong_answer/wrong.py", "print(7)\n")
        .file("g/submissions/wrong_answer/silent.py", "");
    for (name, interactor) in [("short.py", LAST_WORDS), ("short.c", LAST_WORDS_C)] {
        let path = format!("g/output_validators/{name}");
        folder.write(&path, interactor);
        folder.rebut("verify g --no-cache").exits(0).shows("OK  4 submissions as expected");
        std::fs::remove_file(folder.path(&path)).unwrap();
    }
    // An interactor that cannot judge a submission which has exited is a judge error.
    folder.write("g/output_validators/fails.py", "import sys\nsys.exit(1 if sys.stdin.read() else 0)\n");
    folder.rebut("run right g --no-cache").exits(3).shows("exited with code 1");
}

/// Encodes a number in the first pass, and expects it from the second.
const TWO_PASSES: &str = "\
import os, sys
data = open(sys.argv[1]).read().split()
state = sys.argv[3] + '/state.txt'
got = sys.stdin.read().split()
if data[0] == 'encode':
    open(state, 'w').write(data[1])
    open(sys.argv[3] + '/nextpass.in', 'w').write('decode %s\\n' % got[0])
    sys.exit(42)
sys.exit(42 if got[0] == open(state).read() else 43)
";

#[test]
fn submission_runs_in_several_passes() {
    if !installed(&["python3"]) {
        return;
    }
    let code = |back: &str| format!("what, n = input().split()\nprint(int(n) + 7 if what == 'encode' else {back})\n");
    let folder = Folder::new()
        .file("m/problem.yaml", "problem_format_version: 2025-09\nname: Passes\ntype: multi-pass\nuuid: 5ca3f1a2-3b53-4d8c-9f0e-b6f6a4a7d001\nlicense: unknown\nlimits:\n    time_limit: 1\n")
        .file("m/data/secret/1.in", "encode 35\n")
        .file("m/data/secret/1.ans", "\n")
        .file("m/output_validator/passes.py", TWO_PASSES)
        .file("m/submissions/accepted/right.py", code("int(n) - 7"))
        .file("m/submissions/wrong_answer/wrong.py", code("int(n) - 8"));
    folder.rebut("verify m --no-cache").exits(0).shows("OK  2 submissions as expected");
    folder.write(
        "m/output_validator/passes.py",
        TWO_PASSES.replace(
            "sys.exit(42 if",
            "open(sys.argv[3] + '/nextpass.in', 'w').write('decode 1\\n')\nsys.exit(42 if 1 or",
        ),
    );
    folder.rebut("verify m --no-cache").exits(3).shows("more than 2 passes");
    let refuses = TWO_PASSES.replacen("sys.exit(42)", "sys.exit(43)", 1);
    folder.write("m/output_validator/passes.py", refuses);
    folder.rebut("verify m --no-cache").exits(3).shows("requests another pass although it rejects the output");
}

#[test]
fn finding_of_a_conversation_replays() {
    if !installed(&["python3"]) {
        return;
    }
    // All inputs of a size are compared by their conversations, so there are few of them.
    let folder =
        guessing_problem().file("g/input.format", "n\nwhere 12 <= n <= 14\n").file("g/data/secret/1.in", "14\n");
    let ran = folder.rebut("stress --problem g by_one.py --seed 3 --certify 0s").exits(1).shows("too many guesses");
    ran.shows("conversation").shows("   1 | 13\n");
    folder.finding().replay().exits(1).shows("conversation").shows("> 12");
}
