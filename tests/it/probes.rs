//! Tests of a package's validators and checkers, and the search for missing test cases.

use crate::environment::{Folder, installed};
use crate::programs::{FORMAT, RIGHT_C, RIGHT_RUST, WRONG_C};

/// Reads the input as strictly as the format. `{}` is the maximum number of numbers.
const STRICT: &str = r"
import re, sys
data = sys.stdin.buffer.read()
number = rb'(0|-?[1-9][0-9]*)'
match = re.fullmatch(rb'([1-9][0-9]*)\n(' + number + rb'(?: ' + number + rb')*)\n', data)
if not match:
    sys.exit(43)
n, a = int(match[1]), [int(word) for word in match[2].split(b' ')]
sys.exit(42 if 1 <= n <= {} and len(a) == n and all(-9 <= x <= 9 for x in a) else 43)
";

fn package(validator: &str) -> Folder {
    Folder::new()
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 1\n")
        .file("p/input.format", FORMAT)
        .file("p/data/sample/1.in", "2\n3 5\n")
        .file("p/data/sample/1.ans", "5\n")
        .file("p/data/secret/2.in", "1\n7\n")
        .file("p/data/secret/2.ans", "7\n")
        .file("p/input_validators/strict.py", validator)
        .file("p/submissions/accepted/right.c", RIGHT_C)
        .file("p/submissions/accepted/right.rs", RIGHT_RUST)
}

#[test]
fn strict_validator_is_not_exposed() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package(&STRICT.replace("{}", "8"));
    folder.rebut("verify p --no-cache").exits(0).shows("validators and checker are right about").hides("exposed");
}

#[test]
fn validator_that_ends_at_byte_255_as_testlib_does_is_not_exposed() {
    if !installed(&["python3"]) {
        return;
    }
    let validator = STRICT.replace("{}", "8").replace(".read()", r".read().split(b'\xff')[0]");
    package(&validator).rebut("verify p --no-cache").exits(0).hides("exposed");
}

#[test]
fn lenient_validator_is_exposed() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package(&STRICT.replace("{}", "9"));
    let ran = folder.rebut("verify p --no-cache").exits(1);
    ran.shows("`strict.py` accepts `invalid/n-above-8`").shows("FAIL");
    let folder = package("import sys\nsys.exit(42 if sys.stdin.read().split() else 43)\n");
    let ran = folder.rebut("verify p --no-cache").exits(1);
    let ran = ran.shows("`damaged/crlf`").shows("`damaged/leading-zero`").shows("`damaged/trailing-garbage`");
    ran.hides("`damaged/empty`");
    folder.rebut("verify p --no-cache --no-probes").exits(0);
}

/// Reads line by line and names the line that it refuses. It lacks the bound of `n`, and refuses its elements instead.
const MISPLACED: &str = r"
import re, sys
lines = sys.stdin.read().split('\n')
number = '(0|-?[1-9][0-9]*)'
for at, pattern in enumerate([number, number + '( ' + number + '){0,7}', number, '']):
    if at >= len(lines) or not re.fullmatch(pattern, lines[at]):
        print(f'unexpected text in line {at + 1}')
        sys.exit(43)
n, a, m = int(lines[0]), [int(word) for word in lines[1].split()], int(lines[2])
if len(lines) > 4 or len(a) != n or not all(-9 <= x <= 9 for x in a) or not 0 <= m <= 9:
    sys.exit(43)
sys.exit(42)
";

#[test]
fn refusal_of_a_wrong_number_in_another_line_is_shown() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package(MISPLACED);
    folder.write("p/input.format", "n\na[n]\nm\nwhere:\n    1 <= n <= 8\n    -9 <= a <= 9\n    0 <= m <= 9\n");
    folder.write("p/data/sample/1.in", "2\n3 5\n0\n");
    folder.write("p/data/secret/2.in", "1\n7\n0\n");
    let found = "refused in line 2, though only line 1 is wrong";
    folder.rebut("verify p --no-cache").exits(0).shows("warning").shows(found);
    folder.rebut("verify p --no-cache --strict").exits(1).shows(found);
    // One that checks the bound where it reads the number is right.
    let text = folder.read("p/input_validators/strict.py");
    folder.write("p/input_validators/strict.py", text.replace("[number, number + '( '", "['[1-8]', number + '( '"));
    folder.rebut("verify p --no-cache --strict").exits(0).hides(found);
}

#[test]
fn too_strict_validator_is_exposed() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package(&STRICT.replace("{}", "1"));
    folder.rebut("verify p --no-cache").exits(1).shows("`strict.py`, `sample/1`: refused, though it is a test case");
}

#[test]
fn invalid_test_case_is_reported() {
    let folder = package("").file("p/data/secret/3.in", "2\n3  5\n").file("p/data/secret/3.ans", "5\n");
    std::fs::remove_file(folder.path("p/input_validators/strict.py")).unwrap();
    folder.rebut("verify p --no-cache").exits(1).shows("`input.format`, `secret/3`: refused");
}

#[test]
fn probe_results_are_cached() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package(&STRICT.replace("{}", "8"));
    let cache = folder.path("cache").display().to_string();
    let verify = || folder.typed("verify p").variable("REBUT_CACHE", cache.clone()).run().exits(0);
    verify();
    let stored: Vec<String> = folder.names("cache/results");
    assert_eq!(stored.len(), 1);
    let (before, again) = (folder.read(&format!("cache/results/{}", stored[0])), verify());
    again.shows("(4 cached)");
    let after = folder.read(&format!("cache/results/{}", stored[0]));
    let entries =
        |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["entries"].as_object().unwrap().len();
    assert_eq!(entries(&before), entries(&after));
}

/// Accepts any text, and reads as much of it as possible as a positive number.
const CARELESS: &str = "
import sys
try:
    value = float(sys.stdin.read().split()[0])
except Exception:
    sys.exit(43)
if value != value:
    sys.exit(42)
raise SystemExit(42 if value > 0 else 43)
";

#[test]
fn checker_that_accepts_junk_is_exposed() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Positive\nvalidation: custom\nlimits:\n    time_limit: 1\n")
        .file("p/data/secret/1.in", "1\n")
        .file("p/data/secret/1.ans", "1\n")
        .file("p/output_validators/careless.py", CARELESS)
        .file("p/submissions/accepted/one.py", "print(1)\n");
    let ran = folder.rebut("verify p --no-cache").exits(1);
    ran.shows("accepts `nan on secret/1`").shows("accepts `flood on secret/1`").hides("`nothing on secret/1`");
}

/// Takes the first number for the number of those that follow, without a check.
const TRUSTING: &str = "
import sys
try:
    numbers = [int(word) for word in sys.stdin.buffer.read().split()]
except ValueError:
    sys.exit(43)
wanted = [int(word) for word in open(sys.argv[2]).read().split()]
if not numbers:
    sys.exit(43)
total = sum(numbers[i + 1] for i in range(numbers[0])) if 0 <= numbers[0] < 5 else 0
sys.exit(42 if total == sum(wanted[1:]) and numbers[0] == wanted[0] else 43)
";

#[test]
fn checker_that_fails_beside_the_answer_is_exposed() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Numbers\nvalidation: custom\nlimits:\n    time_limit: 1\n")
        .file("p/data/secret/1.in", "1\n")
        .file("p/data/secret/1.ans", "2\n3 4\n")
        .file("p/output_validators/trusting.py", TRUSTING)
        .file("p/submissions/accepted/two.py", "print(2)\nprint(3, 4)\n");
    let ran = folder.rebut("verify p --no-cache").exits(3);
    ran.shows("IndexError").shows("`removed-1 on secret/1`").shows("the answer without token 1");
}

/// Takes any number of numbers with the sum of the answer.
const SUM: &str = r#"
#include <stdio.h>
static long sum(FILE *from) { long all = 0, x; while (fscanf(from, "%ld", &x) == 1) all += x; return all; }
int main(int argc, char **argv) {
    long ours = sum(stdin), right = sum(fopen(argv[2], "r"));
    char rest[9];
    return scanf("%8s", rest) == 1 || ours != right ? 43 : 42;
}
"#;

fn sums(checker: &str) -> Folder {
    Folder::new()
        .file("p/problem.yaml", "name: Parts\nvalidation: custom\nlimits:\n    time_limit: 1\n")
        .file("p/data/secret/1.in", "3\n")
        .file("p/data/secret/1.ans", "1 2\n")
        .file("p/output_validators/sum.c", checker)
        .file(
            "p/submissions/accepted/parts.c",
            "#include <stdio.h>\nint main() { int n; scanf(\"%d\", &n); printf(\"1 %d\\n\", n - 1); }\n",
        )
}

#[test]
fn checkers_are_proved_on_small_outputs() {
    if !installed(&["gcc"]) {
        return;
    }
    let folder = sums(SUM);
    let ran = folder.rebut("verify p --no-cache").exits(0);
    ran.shows("small outputs on 1 input, the checker accepts").shows("It does not contradict itself").shows("`3`");
    // With the smallest inputs of a format there are three; that of 1 has the same answer as no other.
    folder.write("p/input.format", "n where 1 <= n <= 9\n");
    folder.rebut("verify p --no-cache").exits(0).shows("small outputs on 3 inputs");
    // A checker that compares in one direction, so that larger sums pass, contradicts itself.
    let larger = sums(&SUM.replace("ours != right", "ours < right || ours > right + 9"));
    let found = "but with it as the answer `1 2` is not";
    larger.rebut("verify p --no-cache").exits(0).shows("warning  `sum.c`, `4 on secret/1`").shows(found);
    larger.rebut("verify p --no-cache --strict").exits(1).shows(found);
    // One that demands more of answers than of outputs does not.
    let demanding = sums(&SUM.replace("ours != right", "ours < right || ours > right + 9 || right > 3"));
    demanding.rebut("verify p --no-cache").exits(0).shows("It does not contradict itself");
    // One that accepts everything does not contradict itself either.
    let lazy = sums("int main() { return 42; }\n").rebut("verify p --no-cache").exits(1);
    lazy.shows("warning  the checker accepts each of").shows("does it refuse anything?");
}

#[test]
fn validators_of_answers_read_accepted_outputs() {
    if !installed(&["gcc", "python3"]) {
        return;
    }
    let sorted = "import sys\na = sys.stdin.read().split()\nsys.exit(42 if a == sorted(a) else 43)\n";
    let folder = sums(SUM).file("p/answer_validators/sorted.py", sorted);
    let refused = "warning  `sorted.py`, `2 1 on secret/1` and 2 more";
    folder.rebut("verify p --no-cache").exits(0).shows(refused).shows("though the checker accepts it");
}

/// Accepts 1, or also an empty output without the flag for strictness.
const SMALL: &str = "\
import sys
is_small = sys.stdin.read().split() == ['1']
sys.exit(43 if 'strict' in sys.argv[4:] or not is_small else 42)
";

#[test]
fn validator_probes_use_their_own_arguments() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Small\nvalidation: custom\nlimits:\n    time_limit: 1\n")
        .file("p/output_validators/small.py", SMALL)
        .file("p/submissions/accepted/one.py", "print(1)\n")
        .file("p/data/invalid_output/testdata.yaml", "output_validator_flags: strict\n");
    for (place, endings) in [("secret", &["in", "ans"][..]), ("invalid_output", &["in", "ans", "out"])] {
        endings.iter().for_each(|ending| folder.write(&format!("p/data/{place}/1.{ending}"), "1\n"));
    }
    folder.rebut("verify p --no-cache").exits(0).hides("accepts `invalid_output/1`");
    folder.write("p/data/invalid_output/testdata.yaml", "output_validator_flags: kind\n");
    folder.rebut("verify p --no-cache").exits(1).shows("accepts `invalid_output/1`");
    // The same with rebut's own checker.
    std::fs::remove_dir_all(folder.path("p/output_validators")).unwrap();
    folder.write("p/problem.yaml", "name: Small\nlimits:\n    time_limit: 1\n");
    folder.write("p/data/invalid_output/1.out", "1.0\n");
    folder.write("p/data/invalid_output/testdata.yaml", "output_validator_flags: float_tolerance 0.1\n");
    folder.rebut("verify p --no-cache").exits(1).shows("accepts `invalid_output/1`");
    folder.write("p/data/invalid_output/testdata.yaml", "output_validator_flags: case_sensitive\n");
    folder.rebut("verify p --no-cache").exits(0);
    folder.write("p/data/invalid_output/testdata.yaml", "output_validator_flags: kind\n");
    folder.rebut("verify p --no-cache").exits(2).shows("data/invalid_output/1").shows("kind");
}

#[test]
fn survivors_are_searched_and_killing_tests_saved() {
    let folder = package("").file("p/submissions/wrong_answer/zero.c", WRONG_C);
    std::fs::remove_file(folder.path("p/input_validators/strict.py")).unwrap();
    folder.rebut("verify p --no-cache").exits(1).shows("no test case kills it");
    let ran = folder.rebut("stress --problem p --seed 1 --cases 200 --save").exits(1);
    ran.shows("no test case kills `wrong_answer/zero.c`").shows("has a new test case, `kills_zero`");
    assert_eq!(folder.read("p/data/secret/kills_zero.in"), "1\n-1\n");
    assert_eq!(folder.read("p/data/secret/kills_zero.ans"), "-1\n");
    folder.rebut("verify p --no-cache").exits(0);
}

#[test]
fn killing_test_is_added_to_the_recipe() {
    let folder = package("").file("p/submissions/wrong_answer/zero.c", WRONG_C);
    std::fs::remove_file(folder.path("p/input_validators/strict.py")).unwrap();
    std::fs::remove_dir_all(folder.path("p/data")).unwrap();
    folder.write("p/tests.toml", "[[test]]\nname = \"one\"\ntext = \"\"\"\n1\n7\n\"\"\"\n");
    folder.rebut("build p --no-verify").exits(0);
    folder.rebut("stress --problem p --seed 1 --cases 200 --save").exits(1).shows("has a new test, `kills_zero`");
    assert!(
        folder.read("p/tests.toml").ends_with("\n[[test]]\nname = \"kills_zero\"\nfile = \"handmade/kills_zero.in\"\n")
    );
    folder.rebut("build p").exits(0).shows("OK  3 submissions as expected");
    // Once is enough.
    folder
        .rebut("replay findings/0001-zero-wrong-answer --save p")
        .exits(1)
        .shows("`p/handmade` has this input already: `kills_zero`");
}

#[test]
fn search_without_survivors_is_no_failure() {
    let folder = package("");
    std::fs::remove_file(folder.path("p/input_validators/strict.py")).unwrap();
    std::fs::remove_file(folder.path("p/submissions/accepted/right.rs")).unwrap();
    folder.rebut("stress --problem p").exits(0).shows_all(&["has nothing to search for", "no wrong submission"]);
    folder.rebut("stress --problem p --min-cases 1").exits(1);
    let folder = folder.file("p/submissions/wrong_answer/zero.c", "int main() { puts(\"0\"); }\n");
    folder.rebut("stress --problem p").exits(0).shows_all(&["has nothing to search for", "kill all wrong"]);
    // A copy of the reference would be compared with itself.
    folder.write("p/submissions/accepted/copy.c", RIGHT_C);
    folder.rebut("stress --problem p").exits(0).shows("has nothing to search for");
    folder.rebut("stress").exits(2).shows("SUBMISSION");
}

/// An answer is a line with one number of the input.
const ONE_OF_THEM: &str = r"
import re, sys
numbers = open(sys.argv[1]).read().split()[1:]
match = re.fullmatch(r'(-?[0-9]+)\n', sys.stdin.read())
if not match:
    sys.exit('no number in a line' and 43)
sys.stderr.write('not among the numbers\n' if match[1] not in numbers else '')
sys.exit(42 if match[1] in numbers and sys.argv[2:] in ([], ['one']) else 43)
";

#[test]
fn answer_validator_checks_answers() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package(&STRICT.replace("{}", "8")).file("p/answer_validators/one.py", ONE_OF_THEM);
    // The default output validator accepts spaces at the end, the answer validator does not.
    folder.write("p/data/invalid_answer/space.in", "1\n7\n");
    folder.write("p/data/invalid_answer/space.ans", "7 \n");
    folder.rebut("verify p --no-cache").exits(0).shows("3 answers and");
    folder.write("p/answer_validators/digits.ctd", "INT(0, 9) NEWLINE EOF\n");
    folder.rebut("verify p --no-cache").exits(0);
    folder.write("p/data/secret/2.ans", "8\n");
    folder.write("p/submissions/accepted/right.c", RIGHT_C);
    let ran = folder.rebut("verify p --no-cache").exits(1);
    ran.shows("`one.py`, `secret/2`: refused").shows("not among the numbers");
    folder.write("p/data/secret/2.ans", "7\n");
    folder.write("p/data/secret/3.in", "1\n-7\n");
    folder.write("p/data/secret/3.ans", "-7\n");
    folder.rebut("verify p --no-cache").exits(1).shows("`digits.ctd`, `secret/3`: refused");
    std::fs::remove_file(folder.path("p/answer_validators/digits.ctd")).unwrap();
    folder.write("p/answer_validators/one.py", "raise SystemExit(7)\n");
    folder.rebut("verify p --no-cache").exits(3).shows("one.py").shows("exited with status 7");
}

#[test]
fn answer_validator_arguments_are_passed() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package(&STRICT.replace("{}", "8")).file("p/answer_validators/one.py", ONE_OF_THEM);
    for (arguments, status) in
        [("[one]", 0), ("[two]", 1), ("{one: [one]}", 0), ("{two: [two]}", 0), ("{one: [two]}", 1)]
    {
        folder.write(
            "p/problem.yaml",
            "problem_format_version: 2023-07-draft\nname: Largest\nlimits:\n    time_limit: 1\n",
        );
        folder.write("p/data/secret/test_group.yaml", format!("answer_validator_args: {arguments}\n"));
        folder.rebut("verify p --no-cache").exits(status);
    }
}

#[test]
fn leniency_is_a_warning_once_for_each_cause() {
    if !installed(&["python3"]) {
        return;
    }
    // Reads numbers regardless of white space, and checks all constraints.
    let lenient = "import sys\ntry:\n    n, *a = map(int, sys.stdin.buffer.read().decode('ascii').split())\n\
                   except ValueError:\n    sys.exit(43)\n\
                   sys.exit(42 if 1 <= n <= 8 and len(a) == n and all(-9 <= x <= 9 for x in a) else 43)\n";
    let folder = package(lenient);
    let ran = folder.rebut("verify p --no-cache").exits(0);
    let ran = ran.shows("warning  `strict.py` accepts `damaged/crlf` and").shows("`damaged/trailing-space`");
    let ran = ran.shows("warning  `strict.py` accepts `damaged/leading-zero` and").hides("exposed");
    assert_eq!(ran.stdout.matches("warning  ").count(), 2, "{ran}");
    let ran = ran.shows("OK  validators and checker are right about");
    ran.shows("except for the warnings above (errors with `--strict`)");
    let ran = folder.rebut("verify p --no-cache --strict --junit out.xml --github").exits(1);
    let ran = ran.shows("exposed  `strict.py` accepts `damaged/crlf` and").shows("FAIL  2 wrong decisions");
    ran.shows("::error file=p/input_validators/strict.py,title=strict.py::accepts `damaged/crlf` and");
    assert!(folder.read("out.xml").contains("<failure message=\"`strict.py` accepts `damaged/crlf` and"));
    folder.rebut("verify p --no-cache --junit out.xml --github").exits(0).shows(",title=strict.py::accepts");
    assert!(!folder.read("out.xml").contains("<failure"), "{}", folder.read("out.xml"));
    // A broken constraint is an error, once for each constraint.
    let folder = package(&lenient.replace("-9 <= x <= 9", "True"));
    let ran = folder.rebut("verify p --no-cache").exits(1).shows("FAIL  2 wrong decisions on");
    assert_eq!(ran.stdout.matches("exposed  ").count(), 2, "{ran}");
    // Test cases that are refused for the same reason are reported once.
    let folder = package("raise SystemExit(43)\n");
    let ran = folder.rebut("verify p --no-cache").exits(1);
    ran.shows("exposed  `strict.py`, `sample/1` and 1 more (`secret/2`): refused, though it is a test case");
}

/// A checktestdata script for the whole input, except that the first number is odd, which only `odd.py` checks.
fn package_with_script(script: &str) -> Folder {
    Folder::new()
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 1\n")
        .file("p/data/sample/1.in", "3\n3 5 -2\n")
        .file("p/data/sample/1.ans", "5\n")
        .file("p/input_validators/numbers.ctd", script)
        .file("p/input_validators/odd.py", "import sys\nsys.exit(42 if int(input()) % 2 else 43)\n")
        .file("p/submissions/accepted/right.c", RIGHT_C)
}

const SCRIPT: &str = "INT(1, 7, n) NEWLINE\nREP(n, SPACE)\n  INT(-9, 9)\nEND NEWLINE EOF\n";

#[test]
fn inputs_refused_by_a_script_need_no_other_validator() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package_with_script(SCRIPT);
    folder.rebut("verify p --no-cache").exits(0).shows("validators and checker are right about").hides("accepts");
    // The same in addition to a format of the package. The script's judgement of test cases counts as well.
    let folder = package_with_script(&SCRIPT.replace("1, 7", "1, 2")).file("p/input.format", FORMAT);
    folder.rebut("verify p --no-cache").exits(1).shows("`numbers.ctd`, `sample/1`: refused").hides("accepts");
}

#[test]
fn unconvertible_script_leaves_refusals_undecided() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package_with_script("INT(1, 7, n) NEWLINE\nREP(n, SPACE)\n  FLOAT(-9, 9)\nEND NEWLINE EOF\n");
    let ran = folder.rebut("verify p --no-cache").exits(0);
    ran.shows("numbers.ctd` is not run: no format expresses the same").shows("warning  `odd.py` accepts");
    // The exception that an empty input causes counts as well.
    folder.rebut("verify p --no-cache --strict").exits(3);
}

#[test]
fn validator_that_does_not_read_to_the_end_is_reported_once() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package(
        "import sys\nn = int(input())\na = list(map(int, input().split()))\n\
         sys.exit(42 if 1 <= n <= 8 and len(a) == n and max(map(abs, a)) <= 9 else 43)\n",
    );
    let ran = folder.rebut("verify p --no-cache").exits(1);
    ran.shows("accepts `damaged/trailing-garbage` and ").shows("FAIL  1 wrong decision");
}

#[test]
fn empty_answer_does_not_expose_a_checker() {
    if !installed(&["python3"]) {
        return;
    }
    // The checker computes the answer itself, so the answer files are mere placeholders.
    let checker = "import sys\nnumbers = open(sys.argv[1]).read().split()[1:]\n\
                   sys.exit(42 if sys.stdin.read().split() == [str(max(map(int, numbers)))] else 43)\n";
    let folder = package(&STRICT.replace("{}", "8"))
        .file("p/problem.yaml", "name: Largest\nvalidation: custom\nlimits:\n    time_limit: 1\n")
        .file("p/output_validators/max.py", checker)
        .file("p/data/secret/2.ans", "");
    let ran = folder.rebut("verify p --no-cache").exits(0);
    ran.shows("warning  `max.py`").shows("refused, though it is the answer itself");
}

#[test]
fn refusal_by_assertion_is_a_warning() {
    let validator = "#include <assert.h>\n#include <stdio.h>\nint main(void) {\n    int n, x, sum = 0;\n    \
                     assert(scanf(\"%d\", &n) == 1 && 1 <= n && n <= 8);\n    \
                     for (int i = 0; i < n; i++) assert(scanf(\"%d\", &x) == 1 && -9 <= x && x <= 9);\n    \
                     assert(scanf(\" \") == EOF || getchar() == EOF);\n    return 42;\n}\n";
    let folder = package("");
    std::fs::remove_file(folder.path("p/input_validators/strict.py")).unwrap();
    folder.write("p/input_validators/asserts.c", validator);
    let ran = folder.rebut("verify p --no-cache").exits(0);
    ran.shows("warning  `asserts.c`: the validator").shows("was killed by SIGABRT").hides("exposed");
    folder.rebut("verify p --no-cache --strict").exits(3);
    // A failed assertion on a test case is not a refusal.
    folder.write("p/input_validators/asserts.c", validator.replace("n <= 8", "n <= 1"));
    folder.rebut("verify p --no-cache").exits(3).shows("exposed  `asserts.c`");
}

#[test]
fn inputs_that_a_package_declares_invalid_are_tried_on_its_format() {
    let folder =
        package("").file("p/data/invalid_input/fine.in", "1\n7\n").file("p/data/invalid_input/bad.in", "0\n\n");
    let folder = folder.file("p/data/valid_input/nine.in", "9\n1 1 1 1 1 1 1 1 1\n");
    std::fs::remove_file(folder.path("p/input_validators/strict.py")).unwrap();
    let ran = folder.rebut("verify p --no-cache").exits(1);
    let ran = ran.shows("exposed  `input.format` accepts `invalid_input/fine`").hides("invalid_input/bad");
    ran.shows("`input.format`, `valid_input/nine`: refused");
}

#[test]
fn validator_that_does_not_exit_with_42_or_43_is_a_judge_error() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package("import sys\nsys.exit(0)\n");
    let ran = folder.rebut("verify p --no-cache").exits(3);
    ran.shows("exposed  `strict.py`").shows("exited with status 0 instead of accepting or refusing");
    // An exception is no refusal either, but other judges take it for one.
    let crashes =
        "import sys\nn, *a = map(int, sys.stdin.read().split())\nassert 1 <= n <= 8 and len(a) == n\nsys.exit(42)\n";
    folder.write("p/input_validators/strict.py", crashes);
    let ran = folder.rebut("verify p --no-cache");
    ran.shows("warning  `strict.py`: the validator").hides("exposed  `strict.py`: the validator");
    folder.write("p/data/invalid_input/none.in", "0\n");
    let ran = folder.rebut("verify p --no-cache").exits(3);
    ran.shows("exposed  `strict.py`").shows("exited with status 1 instead of accepting or refusing");
}

#[test]
fn output_that_the_statement_shows_is_judged() {
    let folder = package("").file("p/data/sample/1.out", "5.0\n").file("p/data/secret/2.out", " 7\n");
    let yaml = "problem_format_version: 2025-09\nname: Largest\nuuid: 5c0f1c6e-1d5b-4b6e-9d3a-6f0a2b7c8d22\n\
                limits: {time_limit: 1}\n";
    folder.write("p/problem.yaml", yaml);
    std::fs::remove_file(folder.path("p/input_validators/strict.py")).unwrap();
    let ran = folder.rebut("verify p --no-cache").exits(1);
    ran.shows("`sample/1.out`: refused, though it is the output that the statement shows").hides("secret/2.out");
}

#[test]
fn package_without_validation_of_inputs_is_warned_of() {
    let folder = package("").file("p/data/sample/1.in", "2 \n3  5").file("p/data/secret/2.in", "1\r\n7\n\n");
    std::fs::remove_file(folder.path("p/input_validators/strict.py")).unwrap();
    std::fs::remove_file(folder.path("p/input.format")).unwrap();
    let ran = folder.rebut("verify p --no-cache").exits(0);
    let ran = ran.shows("nothing validates the inputs; there are carriage returns in `secret/2`");
    ran.shows_all(&["blanks at line ends in `sample/1`", "double spaces", "an empty line at the end", "no newline"]);
}
