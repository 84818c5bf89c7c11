//! Defaults, hints and messages for users with a solution, a slow solution and little time.

use crate::environment::{Folder, installed};
use crate::programs::{ECHO_C, FORMAT, RIGHT_C, WRONG_C, c_about_n};

fn two_programs() -> Folder {
    Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C)
}

#[test]
fn folder_with_the_usual_names_needs_no_argument() {
    let folder = two_programs().file("input.format", "n\na[n]\nwhere:\n    1 <= n <= 8\n    -9 <= a <= 9\n");
    folder.rebut("stress").exits(1).shows_all(&["sol.c vs brute.c", "FAIL  sol.c: wrong answer", "2 | -1"]);
    folder.finding().replay().exits(1);
}

#[test]
fn missing_files_are_named_with_a_command_that_adds_them() {
    let line = "--input 'n; a[n] where 1<=n<=8; -9<=a<=9'";
    two_programs().rebut("stress").exits(2).shows_all(&["no input format or generator", line, "gen.*"]);
    let alone = Folder::new().file("solution.c", WRONG_C);
    let whole = format!("`rebut stress solution.c --reference brute.cpp {line}`");
    alone.rebut("stress").exits(2).shows_all(&["no reference solution", &whole]).hides("Compil");
    Folder::new().rebut("stress").exits(2).shows_all(&["no `sol.*`", "rebut stress sol.cpp --reference brute.cpp"]);
}

#[test]
fn generator_in_the_folder_is_used() {
    if !installed(&["python3"]) {
        return;
    }
    let generator =
        "import random, sys\nrandom.seed(sys.argv[-1])\nprint(2)\nprint(*[random.randint(-9, 2) for _ in 'ab'])\n";
    let folder = two_programs().file("gen.py", generator);
    folder.rebut("stress --seed 1 --cases 50").exits(1).shows_all(&["gen.py", "sol.c: wrong answer"]);
}

#[test]
fn package_needs_no_argument() {
    let folder = Folder::new()
        .file("problem.yaml", "name: Largest\n")
        .file("input.format", "n\na[n]\nwhere:\n    1 <= n <= 8\n    -9 <= a <= 9\n")
        .file("submissions/accepted/a.c", RIGHT_C)
        .file("submissions/wrong_answer/w.c", WRONG_C);
    folder.rebut("stress --no-save --cases 50").exits(1).shows("w.c: wrong answer");
    folder.rebut("stress submissions/wrong_answer/w.c --no-save --cases 50").exits(1).shows("w.c: wrong answer");
}

#[test]
fn package_without_a_format_is_refused_before_compiling() {
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Largest\n")
        .file("p/data/secret/1.in", "1\n7\n")
        .file("p/data/secret/1.ans", "7\n")
        .file("p/submissions/accepted/a.c", RIGHT_C)
        .file("p/submissions/accepted/b.c", RIGHT_C)
        .file("p/submissions/wrong_answer/w.c", WRONG_C);
    for arguments in ["", "wrong_answer/w.c"] {
        let ran = folder.rebut(&format!("stress --problem p {arguments}")).exits(2).hides("Compil");
        ran.shows_all(&["no input format or generator", "`p/input.format`"]);
    }
}

#[test]
fn ambiguous_reference_is_an_error_before_compiling() {
    let folder = two_programs();
    // Of two programs, the one with the name of a reference is the reference.
    folder
        .rebut("stress sol.c brute.c")
        .exits(2)
        .hides("Compil")
        .shows("no input format or generator")
        .hides("is `brute.c`");
    let ran = folder.rebut("stress sol.c other.c brute.c").exits(2).hides("Compil");
    ran.shows_all(&[
        "is `brute.c` the reference, or a submission to test?",
        "`rebut stress sol.c other.c --reference brute.c`",
    ]);
    let folder = Folder::new().file("a.c", WRONG_C).file("b.c", RIGHT_C);
    let ran = folder.rebut(&format!("stress a.c b.c --input '{FORMAT}'")).exits(2).hides("Compil");
    ran.shows_all(&["which of `a.c` or `b.c` is the reference?", "`rebut stress a.c --reference b.c`"]);
    // A reference in the folder resolves the ambiguity.
    let folder = two_programs().file("other.c", RIGHT_C);
    folder.rebut(&format!("stress sol.c other.c --input '{FORMAT}' --no-save --cases 50")).exits(1);
    // A program that is both a submission and the reference is compiled once.
    let ran =
        folder.rebut(&format!("stress sol.c brute.c --reference brute.c --input '{FORMAT}' --no-save --cases 50"));
    assert!(ran.exits(1).stderr.lines().any(|line| line.contains("Cached") && line.contains("brute.c")));
}

#[test]
fn shrink_without_a_reference_is_an_error_before_compiling() {
    let folder = Folder::new().file("sol.c", WRONG_C).file("1.in", "1\n-1\n");
    folder.rebut("shrink 1.in sol.c").exits(2).shows("no reference solution").hides("Compil");
}

#[test]
fn options_of_other_tools_suggest_the_right_ones() {
    for (typed, suggested) in
        [("--brute", "--reference"), ("--gen", "--generator"), ("--iterations", "--cases"), ("--tl", "--time-limit")]
    {
        Folder::new().rebut(&format!("stress sol.cpp {typed} x")).exits(2).shows_all(&[typed, suggested]);
    }
}

#[test]
fn crash_of_a_brute_force_is_explained() {
    let folder = Folder::new().file("sol.c", ECHO_C).file("brute.c", c_about_n("if (n >= 3) abort();"));
    let ran = folder.rebut("stress sol.c --input 'n where 1<=n<=8' --seed 1 --cases 50").exits(3);
    ran.shows_all(&["the reference brute.c fails on this input", "fix brute.c"]);
}

#[test]
fn programs_that_read_a_file_get_a_hint() {
    let reads_a_file = "#include <stdio.h>\nint main() {\n    freopen(\"cowdance.in\", \"r\", stdin);\n    int n = 0; \
                        scanf(\"%d\", &n); printf(\"%d\\n\", n);\n}\n";
    let search = "--input 'n where 1<=n<=8' --seed 1 --cases 50 --no-save";
    let hint = "it reads nothing from its standard input, and opens the file `cowdance.in` (line 3)";
    let folder = Folder::new().file("sol.c", reads_a_file).file("brute.c", ECHO_C);
    folder.rebut(&format!("stress sol.c {search}")).exits(1).shows(hint);
    let folder = Folder::new().file("sol.c", ECHO_C).file("brute.c", reads_a_file);
    folder.rebut(&format!("stress sol.c {search}")).exits(1).shows(&format!("the reference `brute.c`: {hint}"));
}

/// These neither read a file nor read beyond the end of the input, although they look as if they did.
#[test]
fn other_failures_get_no_hint_about_reading() {
    let maps = "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/mman.h>\nint main() {\n    char *text = mmap(0, 2, PROT_READ, \
                MAP_PRIVATE, 0, 0);\n    if (text == MAP_FAILED) return 3;\n    printf(\"%d\\n\", (text[0] - '0') % 3);\n}\n";
    let to_the_end = "#include <stdio.h>\n#include <stdlib.h>\nint main() { int n, m = 0, k; scanf(\"%d\", &n); while (scanf(\"%d\", &k) \
                      == 1) m++; if (n > 2 && m < 9) abort(); printf(\"%d\\n\", n); }\n";
    for source in [maps, to_the_end] {
        let folder = Folder::new().file("sol.c", source).file("brute.c", ECHO_C);
        let search = "stress sol.c --input 'n where 1<=n<=8' --seed 1 --cases 50 --no-save";
        folder.rebut(search).exits(1).hides("it reads nothing").hides("more input than there is");
    }
}

#[test]
fn programs_that_wait_for_more_input_get_a_hint() {
    let search = "--input 'n where 1<=n<=8' --seed 1 --cases 50 --no-save --certify 0s";
    let loops = c_about_n("int zero = 1; while (zero != 0) scanf(\"%d\", &zero);");
    let folder = Folder::new().file("sol.c", loops).file("brute.c", ECHO_C);
    let ran = folder.rebut(&format!("stress sol.c {search} --time-limit 100ms")).exits(1);
    ran.shows_all(&["time limit exceeded", "it waits for more input than there is"]);
    if installed(&["python3"]) {
        let folder =
            Folder::new().file("sol.py", "n = int(input())\nm = int(input())\nprint(n)\n").file("brute.c", ECHO_C);
        // Starting Python takes longer than the limit of the other program on a busy machine.
        let ran = folder.rebut(&format!("stress sol.py {search} --time-limit 10s")).exits(1);
        ran.shows_all(&["EOFError", "it expects more input than there is"]);
    }
}

#[test]
fn reference_that_waits_for_more_input_gets_a_hint() {
    let loops = c_about_n("int zero = 1; while (zero != 0) scanf(\"%d\", &zero);");
    let folder = Folder::new().file("sol.c", ECHO_C).file("brute.c", loops);
    let ran = folder.rebut("stress sol.c --input 'n where 1<=n<=8' --reference-time 50ms").exits(3);
    ran.shows_all(&["runs out of time or memory", "it waits for more input than there is"]);
    // If no run ends in time, it is a warning in addition to the result.
    let ran = folder.rebut("stress sol.c --input 'n where 1<=n<=8' --time 100ms --jobs 1").exits(0);
    ran.shows_all(&["no test case was run", "the reference `brute.c` answers no input", "more input than there is"]);
}

#[test]
fn strict_comparison_suggests_another_checker() {
    let program = |format: &str, value: &str| {
        format!("#include <stdio.h>\nint main() {{ int n; scanf(\"%d\", &n); printf(\"{format}\\n\", {value}); }}\n")
    };
    let cases = [
        (program("%.6f", "n / 3.0"), program("%.9f", "n / 3.0"), "--checker numbers:1e-6"),
        (program("%d %d", "n, n + 1"), program("%d %d", "n + 1, n"), "--checker check.cpp"),
        (program("%d\\n%d", "n, n + 1"), program("%d\\n%d", "n + 1, n"), "--checker unordered-lines"),
    ];
    for (sol, brute, checker) in cases {
        let folder = Folder::new().file("sol.c", sol).file("brute.c", brute);
        let search = "stress sol.c --input 'n where 1<=n<=8' --seed 1 --cases 20 --no-save";
        folder.rebut(&search.replace(" --no-save", "")).exits(1).shows(checker);
        folder.finding().replay().exits(1).shows(checker);
        if !checker.ends_with(".cpp") {
            folder.rebut(&format!("{search} {checker}")).exits(0);
        }
    }
}

/// Picks a number below a bound and compares guesses with it.
const INTERACTOR: &str = "\
import os, sys
bound, secret = map(int, open(sys.argv[1]).read().split())
def refuse(why):
    open(sys.argv[3] + 'judgemessage.txt', 'w').write(why)
    os._exit(43)
print(bound, flush=True)
for line in sys.stdin:
    what, number = line.split()
    if what == '!':
        if int(number) != secret:
            refuse('it is %d' % secret)
        sys.exit(42)
    print('<' if secret < int(number) else '>=', flush=True)
refuse('no answer')
";

const HALVES: &str = "\
bound = int(input())
low, high = 1, bound + 1
while high - low > 1:
    middle = (low + high) // 2
    print('?', middle, flush=True)
    if input() == '<':
        high = middle
    else:
        low = middle
print('!', low, flush=True)
";

#[test]
fn interactive_problem_needs_no_package_and_no_reference() {
    if !installed(&["python3"]) {
        return;
    }
    let wrong = HALVES.replace("print('!', low", "print('!', min(low, 2)");
    let folder = Folder::new().file("inter.py", INTERACTOR).file("sol.py", HALVES).file("wrong.py", wrong);
    let search = "--interactor inter.py --input 'n s where 1<=s<=n<=4' --seed 1 --cases 6 --certify 0s --time-limit 10s \
         --shrink-time 10m";
    folder.rebut(&format!("stress sol.py {search}")).exits(0);
    let ran = folder.rebut(&format!("stress wrong.py {search}")).exits(1);
    let shown = [
        "wrong.py: wrong answer",
        "conversation",
        "< wrong.py reads, > wrong.py writes",
        "< 4",
        "> ? 3",
        "> ! 2",
        "it is 3",
    ];
    // On `3 3` both questions are answered by `>=`, on `4 3` one of them by `<`.
    ran.shows_all(&shown).shows("interaction at this size: 6 messages of 19 bytes");
    let finding = folder.finding();
    assert_eq!(finding.read("input.txt"), "4 3\n");
    assert!(finding.read("README.md").contains("> ! 2"));
    finding.replay().exits(1).shows_all(&["> ! 2", "it is 3"]);
    folder.rebut("stress sol.py --interactor none.py --input 'n s where 1<=s<=n<=9'").exits(2).shows("none.py");
}

/// Conversations fail at their end, so it is shown even if they are long.
#[test]
fn end_of_a_long_conversation_is_shown() {
    if !installed(&["python3"]) {
        return;
    }
    let by_one = "bound = int(input())\nfor i in range(1, bound + 1):\n    print('?', i, flush=True)\n    input()\nprint('!', 0, flush=True)\n";
    let folder = Folder::new().file("inter.py", INTERACTOR).file("sol.py", by_one);
    let search =
        "--interactor inter.py --input 'n s where 200<=n<=200; 1<=s<=n' --seed 1 --cases 1 --no-save --certify 0s";
    let ran = folder.rebut(&format!("stress sol.py {search} --time-limit 10s --shrink-time 0s")).exits(1);
    ran.shows_all(&["> ? 1 ", "lines omitted", "> ? 200 ", "> ! 0"]).hides("> ? 100\n");
}
