//! Features of the format language on the command line: inputs with words, reals, patterns, parent arrays, subtasks and
//! a format's own generator are stressed, shrunk, explained and profiled.

use crate::environment::{Folder, installed};
use crate::programs::ECHO_C;

/// Creates a folder with a reference and a submission in C and the format of their inputs.
fn problem(format: &str, reference: &str, submission: &str) -> Folder {
    Folder::new().file("input.format", format).file("brute.c", reference).file("sol.c", submission)
}

/// A C program that executes the given statements.
fn c_program(statements: &str) -> String {
    format!("#include <stdio.h>\n#include <string.h>\nint main() {{\n{statements}}}\n")
}

/// Stresses the submission and returns the shrunk counterexample.
#[track_caller]
fn smallest(folder: &Folder) -> String {
    let stress =
        "stress sol.c --reference brute.c --format input.format --seed 1 --time 60s --shrink-time 60s --certify 0s";
    folder.rebut(stress).exits(1);
    folder.finding().replay().exits(1);
    folder.finding().read("input.txt")
}

#[test]
fn stack_of_words_shrinks_to_the_needed_ones() {
    let format = "q\nrepeat q:\n    op\n    if op = \"push\":\n        x\nwhere:\n    1 <= q <= 30\n    op one of \"pop\", \"push\"\n    0 <= x <= 99\n";
    let run = "    int q, x, size = 0; char op[9];
    for (scanf(\"%d\", &q); q-- && scanf(\"%8s\", op) == 1;)
        if (!strcmp(op, \"push\")) { scanf(\"%d\", &x); size++; } else if (size) size--;
";
    let printed = |size: &str| c_program(&format!("{run}    printf(\"%d\\n\", {size});\n"));
    let folder = problem(format, &printed("size"), &printed("size < 2 ? size : 2 * size - 1"));
    assert_eq!(smallest(&folder), "2\npush\n0\npush\n0\n");
}

#[test]
fn reals_shrink_to_short_spellings() {
    let format = "n\nx[n]\nwhere:\n    1 <= n <= 20\n    x real, -10 <= x <= 10, 0..3 decimals\n";
    let largest = |start: &str| {
        c_program(&format!(
            "    int n; double x, most = {start};\n    scanf(\"%d\", &n);\n    \
             while (n-- && scanf(\"%lf\", &x) == 1) if (x > most) most = x;\n    printf(\"%.3f\\n\", most);\n"
        ))
    };
    let folder = problem(format, &largest("-1e9"), &largest("0"));
    assert_eq!(smallest(&folder), "1\n-0.001\n");
}

#[test]
fn parent_arrays_stay_trees_while_shrinking() {
    let format = "n\np[n-1]\nwhere:\n    2 <= n <= 12\n    parents p of 2..n on 1..n: tree\n";
    let depth = "    int n, p[99], most = 0;
    scanf(\"%d\", &n);
    for (int v = 2; v <= n; v++) scanf(\"%d\", p + v);
    for (int v = 2; v <= n; v++) {
        int depth = 0;
        for (int u = v; u != 1; u = p[u]) depth++;
        if (depth > most) most = depth;
    }
";
    let printed = |depth_shown: &str| c_program(&format!("{depth}    printf(\"%d\\n\", {depth_shown});\n"));
    let folder = problem(format, &printed("most"), &printed("most > 2 ? 2 : most"));
    let input = smallest(&folder);
    let (n, parents) = input.split_once('\n').unwrap();
    assert_eq!((n, parents.split_whitespace().count()), ("4", 3), "{input}");
}

#[test]
fn subtask_and_fixed_value_narrow_the_search() {
    let format =
        "n\na[n]\nwhere:\n    let MOST = 50\n    1 <= n <= MOST\n    1 <= a <= 9\n    subtask small (20): n <= 3\n";
    let folder = problem(format, ECHO_C, &ECHO_C.replace(", n);", ", n > 3 ? 3 : n);"));
    let stress = "stress sol.c --reference brute.c --format input.format --seed 1 --cases 40 --certify 0s";
    folder.rebut(&format!("{stress} --subtask small")).exits(0);
    folder.rebut(&format!("{stress} --let MOST=3")).exits(0);
    folder.rebut(&format!("{stress} --let n=4")).exits(1);
    assert!(folder.finding().read("input.txt").starts_with("4\n"));
    folder.finding().replay().exits(1);
    folder.write("four.in", "4\n1 1 1 1\n");
    folder.rebut("validate input.format four.in").exits(0);
    folder.rebut("validate input.format four.in --subtask small").exits(1).shows("outside 1..3");
}

/// A generator: no other input makes the submission fail.
const GENERATOR: &str =
    "import random, sys\nrandom.seed(sys.argv[-1])\nprint(4)\nprint(7, 7, 7, random.randint(1, 9))\n";

#[test]
fn generator_of_a_format_takes_part() {
    if !installed(&["python3"]) {
        return;
    }
    let format = "n\na[n]\nwhere:\n    1 <= n <= 6\n    1 <= a <= 10^9\n    generator \"gen.py\"\n";
    // Without the number 7, or it would be tried in many inputs.
    let wrong = c_program(
        "    int n, x, sevens = 0;\n    scanf(\"%d\", &n);\n    \
         for (int i = 0; i < n && scanf(\"%d\", &x) == 1; i++) sevens += x == 6 + 1;\n    \
         printf(\"%d\\n\", n - (sevens > 2));\n",
    );
    let folder = problem(format, ECHO_C, &wrong);
    folder.write("gen.py", GENERATOR);
    let stress = "stress sol.c --reference brute.c --format input.format --seed 1 --cases 60 --certify 0s";
    folder.rebut(stress).exits(1);
    assert_eq!(folder.finding().read("input.txt"), "3\n7 7 7\n");
    // A folder of sources is a generator, too.
    folder.write("gen/main.py", GENERATOR);
    folder.write("folder.format", format.replace("gen.py", "gen"));
    folder.rebut(&stress.replace("input.format", "folder.format")).exits(1);
    // A generator does not know of constraints on the command line, so the format replaces what violates them.
    folder.rebut(&format!("{stress} --where n!=4")).exits(0);
    folder.write("gen.py", "print(9)\nprint(1)\n");
    folder.rebut(stress).exits(3).shows_all(&["gen.py", "printed an invalid input", "outside 1..6"]);
}

/// Names that are distinct by a formula, as statements put it.
const NAMES: &str = "k\nrepeat k:\n    u\nwhere:\n    1 <= k <= 8\n    u over \"ab\"\n    1 <= len(u) <= 3\n    \
                     forall i in 1..k: forall j in i+1..k: u[i] != u[j]\n";

#[test]
fn indexed_texts_can_be_distinct_and_many() {
    let folder = Folder::new().file("a.format", NAMES).file("2.in", "2\nab\naa\n").file("twice.in", "2\nab\nab\n");
    folder.rebut("validate a.format 2.in").exits(0);
    folder.rebut("validate a.format twice.in").exits(1).shows("u[i] != u[j]");
    let most = folder.rebut("generate a.format --max --seed 1").exits(0).stdout;
    assert_eq!(most.lines().next(), Some("8"), "{most}");
    let sizes: Vec<String> = (0..30)
        .map(|seed| folder.rebut(&format!("generate a.format --seed {seed}")).exits(0).stdout)
        .map(|input| input.lines().next().unwrap().to_owned())
        .collect();
    assert!(sizes.iter().any(|size| size.parse::<u32>().unwrap() >= 5), "{sizes:?}");
}

#[test]
fn lengths_of_absent_texts_are_not_constrained() {
    let either = "q\nrepeat q:\n    either:\n        \"add\" s\n        \"show\"\nwhere:\n    1 <= q <= 3\n    s over \"ab\"\n    1 <= len(s) <= 2\n";
    let folder = Folder::new()
        .file("a.format", format!("{either}    forall i in 1..q: len(s[i]) = 1\n"))
        .file("b.format", format!("{either}    not len(s[1]) = 1\n"))
        .file("absent.in", "2\nshow\nadd b\n")
        .file("long.in", "2\nshow\nadd bb\n")
        .file("short.in", "2\nadd b\nshow\n");
    folder.rebut("validate a.format absent.in short.in").exits(0);
    folder.rebut("validate a.format long.in").exits(1).shows("len(s[i]) = 1");
    folder.rebut("validate b.format absent.in long.in").exits(0);
    folder.rebut("validate b.format short.in").exits(1).shows("len(s[1]) = 1");
    // Each of one to three lines is one of three.
    folder.rebut("enumerate a.format --count").exits(0).shows("all 39 inputs");
}

#[test]
fn indexed_texts_are_measured_counted_and_enumerated() {
    let format = "k\nrepeat k:\n    u\nwhere:\n    2 <= k <= 3\n    u over \"ab\"\n    1 <= len(u) <= 3\n    \
                  forall i in 1..k: len(u[i]) <= i\n    forall i in 1..k: count(u[i], \"a\") = 1\n    \
                  forall i in 1..k-1: u[i] < u[i+1]\n    u[2][1] != 'c'\n";
    let folder = Folder::new().file("a.format", format);
    let all = folder.rebut("enumerate a.format").exits(0).stdout;
    assert_eq!(
        all,
        "2\na\nab\n2\na\nba\n3\na\nab\nba\n3\na\nab\nabb\n3\na\nab\nbab\n3\na\nab\nbba\n3\na\nba\nbab\n3\na\nba\nbba\n"
    );
    folder.rebut("format describe a.format").exits(0).shows_all(&[
        r"$\lvert u_i \rvert \le i$ for all $1 \le i \le k$",
        r"`a` occurs exactly once in $u_i$ for all $1 \le i \le k$",
        r"$u_{2,1} \ne \texttt{c}$",
    ]);
}

#[test]
fn indexed_texts_shrink() {
    let third = |length: &str| {
        c_program(&format!(
            "    int k; char u[9][9];\n    scanf(\"%d\", &k);\n    for (int i = 0; i < k; i++) scanf(\"%8s\", u[i]);\n    \
             int length = k > 2 ? strlen(u[2]) : 0;\n    printf(\"%d\\n\", {length});\n"
        ))
    };
    let folder = problem(NAMES, &third("0"), &third("length && u[2][length - 1] == 'b' ? length : 0"));
    assert_eq!(smallest(&folder), "3\na\naa\nb\n");
}

#[test]
fn format_is_explained() {
    let folder = Folder::new().file(
        "a.format",
        "n m\na[n]\nwhere:\n    1 <= n <= 3\n    1 <= m <= 2\n    0 <= a <= 1\n    a != m\n    sum(a) <= 2\n    distinct(n, m)\n",
    );
    folder.rebut("format explain a.format").exits(0).shows_all(&[
        "domain      1 <= n <= 3",
        "residual    a != m",
        "holds by itself in",
        "budget      sum(a) <= 2",
        "n  1..3",
        "of at most 3 elements",
        "a sample (seed 1)",
    ]);
    folder.rebut("format explain nothing.format").exits(2);
}

#[test]
fn profile_states_what_a_constant_would_pass() {
    let format = "n\na[n]\nwhere:\n    1 <= n <= 9\n    1 <= a <= 3\n    n >= 2 => n >= 3\n";
    let has_three = c_program(
        "    int n, x, found = 0;\n    scanf(\"%d\", &n);\n    \
         while (n-- && scanf(\"%d\", &x) == 1) found |= x == 3;\n    puts(found ? \"YES\" : \"NO\");\n",
    );
    let folder = problem(format, &has_three, "");
    let ran = folder.rebut("generate input.format --profile --reference brute.c -n 60 --json profile.json").exits(0);
    let ran = ran.shows_all(&[
        "profile of 60 inputs (seed 1)",
        "2 different",
        "always printing `YES` passes",
        "shapes",
        "reached",
    ]);
    let json = folder.read("profile.json");
    assert!(json.contains("\"event\":\"profile\"") && json.contains("\"most_common\""), "{json}");
    let again = folder.rebut("generate input.format --profile --reference brute.c -n 60 --jobs 1").exits(0);
    assert_eq!(again.stdout, ran.stdout, "the same with one job");
}
