//! The checkers and interactors on the page about checkers, run as they are printed there.

use crate::environment::{Folder, home, installed};

/// Returns the fenced block with this info string.
fn example(name: &str) -> String {
    let page = std::fs::read_to_string(home().join("docs/checkers.md")).unwrap();
    let is_start = |line: &&str| line.starts_with("```") && line.ends_with(&format!(" {name}"));
    let lines: Vec<&str> =
        page.lines().skip_while(|line| !is_start(line)).skip(1).take_while(|line| *line != "```").collect();
    assert!(!lines.is_empty(), "docs/checkers.md has no example `{name}`");
    lines.join("\n") + "\n"
}

fn two_numbers(a: &str, b: &str) -> String {
    format!("#include <stdio.h>\nint main() {{ int n; scanf(\"%d\", &n); printf(\"%d %d\\n\", {a}, {b}); }}\n")
}

/// The part of testlib that the example needs.
const TESTLIB: &str = "\
#pragma once
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
enum { _ok, _wa, _pe, _fail };
struct Stream {
    FILE* file;
    int readInt() { int value; if (fscanf(file, \"%d\", &value) != 1) exit(_pe); return value; }
    int readInt(int low, int high, const char* name) {
        int value = readInt();
        if (value < low || value > high) { fprintf(stderr, \"%s is out of range\", name); exit(_wa); }
        return value;
    }
};
static Stream inf, ouf;
static void registerTestlibCmd(int, char** argv) { inf.file = fopen(argv[1], \"r\"); ouf.file = fopen(argv[2], \"r\"); }
static void quitf(int status, const char* format, ...) {
    va_list rest;
    va_start(rest, format);
    vfprintf(stderr, format, rest);
    exit(status);
}
";

#[test]
fn example_checkers_judge_as_documented() {
    for (name, file, tool) in [
        ("check.py", "check.py", "python3"),
        ("check.cpp", "check.cpp", "g++"),
        ("check-testlib.cpp", "check.cpp", "g++"),
    ] {
        if !installed(&[tool]) {
            continue;
        }
        let folder = Folder::new()
            .file(file, example(name))
            .file("testlib.h", TESTLIB)
            .file("brute.c", two_numbers("1", "n - 1"))
            .file("sol.c", two_numbers("n - 1", "1"))
            .file("far.c", two_numbers("n - 1", "n > 5 ? 2 : 1"))
            .file("zero.c", two_numbers("n", "0"));
        let search =
            format!("--checker {file} --input 'n where 2<=n<=100' --seed 1 --cases 6 --certify 0s --time-limit 10s");
        folder.rebut(&format!("stress sol.c {search}")).exits(0);
        folder.rebut(&format!("stress far.c {search}")).exits(1).shows_all(&[
            "wrong answer",
            "5 + 2 is not 6",
            "an answer",
        ]);
        folder.finding().replay().exits(1).shows("5 + 2 is not 6");
        folder.write("in", "6\n");
        folder.write("right", "2 4\n");
        folder.write("wrong", "2 5\n");
        folder.rebut(&format!("check {file} in right right")).exits(0).shows("accepted");
        folder.rebut(&format!("check {file} in wrong right")).exits(1).shows("wrong answer: 2 + 5 is not 6");
        folder.rebut(&format!("stress zero.c {search} --no-save --shrink-time 0s")).exits(1).shows("wrong answer");
    }
}

#[test]
fn example_interactor_judges_as_documented() {
    if !installed(&["python3"]) {
        return;
    }
    let halves = "low, high = 1, int(input()) + 1\nwhile high - low > 1:\n    middle = (low + high) // 2\n    \
                  print('?', middle, flush=True)\n    if input() == 'less':\n        high = middle\n    else:\n        \
                  low = middle\nprint('!', low, flush=True)\n";
    let folder = Folder::new()
        .file("inter.py", example("inter.py"))
        .file("sol.py", halves)
        .file("wrong.py", "input()\nprint('!', 1, flush=True)\n")
        .file("silent.py", "input()\n");
    // All inputs of the smallest size are compared by their conversations, so there are few of them.
    let search = |most: u32| {
        format!(
            "--interactor inter.py --input 'n secret where 1<=secret<=n<={most}' --seed 1 --cases 5 --certify 0s \
             --time-limit 10s --no-save"
        )
    };
    folder.rebut(&format!("stress sol.py {}", search(100))).exits(0);
    folder.rebut(&format!("stress wrong.py {}", search(4))).exits(1).shows("1 is wrong, the number is 2");
    let silent = folder.rebut(&format!("stress silent.py {} --shrink-time 0s", search(100))).exits(1);
    silent.shows("the submission ended without an answer");
}
