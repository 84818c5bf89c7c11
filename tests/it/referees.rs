//! Problems whose outputs a program of the jury judges: asked after each run, speaking with it, or in several passes.

use crate::environment::{Folder, installed};

/// Any number above the one that is given is right. The checker writes what it thinks where packages want it.
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

fn above(checker: &str) -> Folder {
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
fn a_checker_of_the_package_judges() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = above(ABOVE);
    folder.rebut("verify p --no-cache").exits(0).shows("OK  3 submissions as expected");
    folder.rebut("run same p --no-cache").exits(1).shows("3 is not above 3").shows("an answer");
    folder.rebut("run words p --no-cache").exits(1).shows("that is no number");
}

#[test]
fn its_arguments_come_from_the_package() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = above(ABOVE);
    folder.write(
        "p/problem.yaml",
        "name: Above\nvalidation: custom\nvalidator_flags: strict\nlimits:\n    time_limit: 2\n",
    );
    folder.rebut("run twice p --no-cache").exits(1).shows("7 is not above 3");
}

#[test]
fn a_checker_that_fails_is_never_blamed_on_a_submission() {
    if !installed(&["python3"]) {
        return;
    }
    for (checker, said) in [
        ("import sys\nsys.exit(7)\n", "exit code 7"),
        ("import sys\nsys.exit(0)\n", "exit code 0"),
        ("raise ValueError('nobody told me')\n", "nobody told me"),
    ] {
        above(checker).rebut("verify p --no-cache").exits(3).shows(said);
    }
}

#[test]
fn a_checker_is_not_asked_about_a_crash() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = above(ABOVE);
    folder.write("p/submissions/run_time_error/r.py", "print(100)\nraise SystemExit(3)\n");
    folder.rebut("verify p --no-cache").exits(0).shows("RTE as expected");
}

/// Written as if with testlib: other arguments, other exit statuses. Only its first function matters for how it is called.
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
fn a_testlib_checker_is_called_its_own_way() {
    if !installed(&["g++"]) || !installed(&["python3"]) {
        return;
    }
    let checker = "#include \"testlib.h\"\nint main(int argc, char** argv) {\n    registerTestlibCmd(argc, argv);\n    \
                   if (ouf > inf) return _ok;\n    std::cerr << ouf << \" is too small\";\n    return _wa;\n}\n";
    let folder = above("");
    std::fs::remove_file(folder.path("p/output_validators/above.py")).unwrap();
    folder.write("p/output_validators/check.cpp", checker);
    folder.write("p/output_validators/testlib.h", TESTLIB);
    folder.rebut("verify p --no-cache").exits(0).shows("OK  3 submissions as expected");
    folder.rebut("run same p --no-cache").exits(1).shows("3 is too small");
}

/// Thinks of a number; answers guesses.
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
        open(sys.argv[3] + '/judgemessage.txt', 'w').write('nobody listens in turn %d' % turn)
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

fn guessing() -> Folder {
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
fn an_interactor_speaks_with_submissions() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = guessing();
    folder.rebut("verify g --no-cache").exits(0).shows("OK  5 submissions as expected").shows("idle");
    let ran = folder.rebut("run by_one g --no-cache").exits(1).shows("too many guesses");
    ran.shows("> 12").shows("< higher");
    folder.rebut("run waits g --no-cache").exits(1).shows("is what it prints flushed");
}

/// It speaks only when nobody listens any more, and of that it ends in Python with 120, in C by a signal.
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
fn an_interactor_judges_who_does_not_wait_for_its_last_words() {
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
    // Who cannot judge it then either has failed.
    folder.write("g/output_validators/fails.py", "import sys\nsys.exit(1 if sys.stdin.read() else 0)\n");
    folder.rebut("run right g --no-cache").exits(3).shows("exit code 1");
}

/// Encodes a number in the first pass, which has to come out of the second.
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
fn a_submission_is_run_in_several_passes() {
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
    folder.rebut("verify m --no-cache").exits(3).shows("asks for another pass of what it refuses");
}

#[test]
fn a_conversation_that_went_wrong_is_had_again() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = guessing().file("g/input.format", "n\nwhere 1 <= n <= 1000\n");
    let ran = folder.rebut("stress --problem g by_one.py --seed 3 --certify 0s").exits(1).shows("too many guesses");
    ran.shows("conversation").shows("   1 | 13\n");
    folder.finding().replay().exits(1).shows("conversation").shows("> 12");
}
