//! Scoring problems: the points that `verify` and `run` report, and the expected ones.

use crate::environment::{Folder, Ran, installed};
use crate::programs::{ECHO_C, c_about_n};
use serde_json::Value;

/// Prints `n` if it is below a bound, and 0 otherwise.
fn up_to(most: u32) -> String {
    c_about_n(&format!("if (n >= {most}) n = 0;"))
}

/// Creates a package for printing `n`: a sample, and groups with 7 and 8, and with 70 and 80.
fn package(problem: &str) -> Folder {
    let mut folder = Folder::new()
        .file("p/problem.yaml", problem)
        .file("p/submissions/accepted/right.c", ECHO_C)
        .file("p/submissions/mixed/small.c", up_to(10));
    for (name, n) in [
        ("sample/1", "1"),
        ("secret/one/1", "7"),
        ("secret/one/2", "8"),
        ("secret/two/1", "70"),
        ("secret/two/2", "80"),
    ] {
        folder = folder.file(&format!("p/data/{name}.in"), format!("{n}\n"));
        folder = folder.file(&format!("p/data/{name}.ans"), format!("{n}\n"));
    }
    folder
}

/// The same with graders, as packages of the legacy format assign points to subtasks.
fn package_with_graders() -> Folder {
    let group =
        |points: u8| format!("on_reject: break\naccept_score: {points}\nrange: 0 {points}\ngrader_flags: min\n");
    package("name: Echo\ntype: scoring\nlimits:\n    time_limit: 1\n")
        .file("p/data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n")
        .file("p/data/secret/testdata.yaml", "grader_flags: first_error accept_if_any_accepted\n")
        .file("p/data/secret/one/testdata.yaml", group(30))
        .file("p/data/secret/two/testdata.yaml", group(70))
}

/// The same in the newest format.
fn package_with_points() -> Folder {
    let uuid = "11111111-1111-4111-8111-111111111111";
    package(&format!(
        "problem_format_version: 2025-09\nname: Echo\nuuid: {uuid}\ntype: scoring\n\
                      limits: {{time_limit: 1}}\n"
    ))
    .file("p/data/secret/one/test_group.yaml", "max_score: 30\n")
    .file("p/data/secret/two/test_group.yaml", "max_score: 70\nscore_aggregation: sum\nrequire_pass: secret/one\n")
}

#[test]
fn points_of_drafts_are_read_in_the_newest_version() {
    let folder = package_with_points();
    std::fs::remove_file(folder.path("p/data/secret/two/test_group.yaml")).unwrap();
    std::fs::remove_file(folder.path("p/data/secret/one/test_group.yaml")).unwrap();
    folder.write("p/data/secret/testdata.yaml", "scoring:\n  aggregation: sum\n");
    folder.write("p/data/secret/one/testdata.yaml", "scoring:\n  score: 30\n  aggregation: min\n");
    folder.write("p/data/secret/two/testdata.yaml", "scoring:\n  score: 70\n  aggregation: min\n");
    folder.write("p/submissions/mixed/small.c", format!("// @EXPECTED_SCORE@: 30\n{}", up_to(10)));
    let ran = folder.rebut(VERIFY).exits(0);
    ran.shows("`scoring` is a key of drafts, read as `max_score` and `score_aggregation`").shows("one 30/30");
}

/// Returns the total and group points of each submission, one line each.
fn points(ran: &Ran) -> Vec<String> {
    let events = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let assessed = events.filter(|event| event["event"] == "assessed").map(|event| {
        let all = [&event["marks"]["total"]].into_iter().chain(event["marks"]["groups"].as_array().unwrap());
        let all: Vec<String> = all.map(|mark| mark["score"].to_string()).collect();
        format!("{} {}", event["submission"].as_str().unwrap(), all.join(" "))
    });
    assessed.collect()
}

const VERIFY: &str = "verify p --no-cache --no-probes";

#[test]
fn points_of_graders_are_reported_and_expected() {
    let folder = package_with_graders().file("p/submissions/partially_accepted/half.c", up_to(75));
    folder.write("p/submissions/mixed/small.c", format!("// @EXPECTED_SCORE@: 30\n{}", up_to(10)));
    let ran = folder.rebut(&format!("{VERIFY} --junit out.xml")).exits(0);
    ran.shows("points: one 30/30, two WA").shows("OK  3 submissions as expected");
    let junit = folder.read("out.xml");
    assert!(junit.contains("<system-out>score: 30 of 100 points\nsecret/one: AC, 30 of 30 points\n"), "{junit}");
    let json = folder.rebut(&format!("{VERIFY} --json -")).exits(0);
    let wanted = [
        "accepted/right.c 100.0 30.0 70.0",
        "mixed/small.c 30.0 30.0 null",
        "partially_accepted/half.c 30.0 30.0 null",
    ];
    assert_eq!(points(&json), wanted);
    folder.rebut("run small.c p --no-cache").exits(1).shows("accepted on 3 of 5 test cases, 30 of 100 points");
}

#[test]
fn unexpected_points_are_an_error() {
    let folder = package_with_graders().file("p/submissions/partially_accepted/all.c", ECHO_C);
    folder.write("p/submissions/mixed/small.c", format!("// @EXPECTED_SCORE@: 70\n{}", up_to(10)));
    folder.write("p/submissions/wrong_answer/small.c", up_to(10));
    let ran = folder.rebut(VERIFY).exits(1);
    let ran =
        ran.shows("30 points, where 70 was expected").shows("100 points, where any but the best, 100, was expected");
    ran.shows("accepted overall: WA, PE or OLE was expected").shows("FAIL  3 of 4 submissions");
}

#[test]
fn points_of_the_newest_format_are_reported() {
    let rules = "mixed/small.c:\n  score: 30\n  secret/one: {score: 30}\n  secret/two: {score: [0, 5]}\n\
                 mixed/gap.c:\n  score: 0\n";
    let folder = package_with_points().file("p/submissions/submissions.yaml", rules);
    folder.write("p/submissions/mixed/gap.c", c_about_n("if (n == 7) n = 0;"));
    let ran = folder.rebut(&format!("{VERIFY} --json -")).exits(0);
    let wanted = ["accepted/right.c 100.0 30.0 70.0", "mixed/gap.c 0.0 0.0 0.0", "mixed/small.c 30.0 30.0 0.0"];
    assert_eq!(points(&ran), wanted);
    folder.write(
        "p/submissions/submissions.yaml",
        "mixed/small.c:\n  secret/two: {score: 35}\n  secret/six: {score: 1}\n",
    );
    let ran = folder.rebut(VERIFY).exits(1);
    ran.shows("0 points for `secret/two`, where 35 was expected").shows("FAIL  1 of 3 submissions");
}

/// An output validator that accepts each number and scores the share of `n` in 100 as a factor.
const SHARES: &str = r#"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char place[1000];
    int n;
    snprintf(place, sizeof place, "%s/score_multiplier.txt", argv[3]);
    if (scanf("%d", &n) != 1) return 43;
    FILE *file = fopen(place, "w");
    fprintf(file, "%f\n", n / 100.0);
    return fclose(file) ? 1 : 42;
}
"#;

#[test]
fn output_validator_assigns_points() {
    let folder = package_with_points().file("p/output_validator/v.c", SHARES);
    folder.write("p/data/secret/one/test_group.yaml", "max_score: 30\nscore_aggregation: min\n");
    folder.write("p/data/secret/two/test_group.yaml", "max_score: 70\nscore_aggregation: sum\n");
    let ran = folder.rebut(&format!("{VERIFY} --json -")).exits(0);
    assert_eq!(points(&ran), ["accepted/right.c 54.6 2.1 52.5", "mixed/small.c 2.1 2.1 0.0"]);
    folder.write("p/data/secret/two/test_group.yaml", "max_score: 70\n");
    let ran = folder.rebut(VERIFY).exits(3);
    ran.shows("cannot compute the score: `secret/two/1`: points were given in a `pass-fail` group");
}

#[test]
fn custom_graders_are_run() {
    let grader = "#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) {\n    char verdict[9];\n    \
                  double score; int good = 0;\n    while (scanf(\"%8s%lf\", verdict, &score) == 2) \
                  good += !strcmp(verdict, \"AC\");\n    printf(\"AC %d\\n\", good * 10 + argc);\n}\n";
    let folder = package_with_graders().file("p/graders/count.c", grader);
    folder.write(
        "p/data/secret/two/testdata.yaml",
        "grading: custom\ngrader_flags: a b\nrange: 0 100\non_reject: continue\n",
    );
    let ran = folder.rebut(&format!("{VERIFY} --json -")).exits(0);
    assert_eq!(points(&ran), ["accepted/right.c 53.0 30.0 23.0", "mixed/small.c 33.0 30.0 3.0"]);
    folder.write("p/graders/count.c", "int main() { return 3; }\n");
    folder.rebut(VERIFY).exits(3).shows("cannot compute the score: the grader").shows("exited with status 3");
}

#[test]
fn built_groups_have_the_points_of_the_recipe() {
    for (problem, small) in [
        ("name: Echo\ntype: scoring\n", "two WA"),
        (
            "problem_format_version: 2025-09\nname: Echo\nuuid: 11111111-1111-4111-8111-111111111111\ntype: scoring\n",
            "two 0/70",
        ),
    ] {
        let recipe = "[[test]]\ngroup = 'sample'\ntext = '1'\n[[test]]\ngroup = 'one'\ntext = '7'\n\
                      [[test]]\ngroup = 'two'\ntext = '70'\n[group.one]\nscore = 30\n[group.two]\nscore = 70\n";
        let folder = Folder::new()
            .file("p/problem.yaml", problem)
            .file("p/input.format", "n where 1 <= n <= 100")
            .file(
                "p/tests.toml",
                recipe.replace("'1'", "\"1\\n\"").replace("'7'", "\"7\\n\"").replace("'70'", "\"70\\n\""),
            )
            .file("p/submissions/accepted/right.c", ECHO_C)
            .file("p/submissions/wrong_answer/small.c", up_to(10));
        folder.rebut("build p --no-verify").exits(0).hides("type: scoring");
        folder
            .rebut("run small.c p --no-cache")
            .shows(&format!("points: one 30/30, {small}"))
            .shows("30 of 100 points");
        folder.rebut("run right.c p --no-cache").shows("100 of 100 points");
    }
}

/// A checker in the style of testlib, which gives `n` points for a correct output.
const POINTS: &str = r#"
#include "testlib.h"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    int wanted, got;
    FILE *output = fopen(argv[2], "r"), *answer = fopen(argv[3], "r");
    if (fscanf(answer, "%d", &wanted) != 1 || fscanf(output, "%d", &got) != 1 || wanted < 5) return wanted != got;
    fprintf(stderr, got < 0 ? "points many\n" : "points %d.5000 of them\n", got);
    return 7;
}
"#;

#[test]
fn testlib_checker_assigns_points() {
    let folder = package_with_points().file("p/output_validator/v.c", POINTS);
    folder.write(
        "p/output_validator/testlib.h",
        "#include <stdio.h>\nstatic void registerTestlibCmd(int n, char **v) {}\n",
    );
    folder.write("p/data/secret/one/test_group.yaml", "max_score: 30\nscore_aggregation: min\n");
    folder.write("p/data/secret/two/test_group.yaml", "max_score: 70\nscore_aggregation: sum\n");
    folder.write("p/submissions/accepted/right.c", c_about_n("if (n > 10) n = n / 10;"));
    folder.write("p/submissions/mixed/small.c", c_about_n("if (n > 10) n = 1;"));
    let ran = folder.rebut(&format!("{VERIFY} --json -")).exits(0);
    assert_eq!(points(&ran), ["accepted/right.c 23.5 7.5 16.0", "mixed/small.c 10.5 7.5 3.0"]);
    folder.write("p/submissions/mixed/small.c", c_about_n("if (n > 10) n = -1;"));
    folder.rebut(VERIFY).exits(3).shows("the checker gives points, but not as a number");
    folder.write("p/problem.yaml", "name: Echo\nlimits:\n    time_limit: 1\n");
    folder.rebut(VERIFY).exits(3).shows("the checker gives points, but points are not expected here");
}

/// Checks sources: the language code, the entry point, the feedback folder and a forbidden word.
const LOOKS: &str = r#"
import os, sys
language, entry_point, feedback, word = sys.argv[1:]
names = os.listdir()
if language != 'c' or entry_point or not feedback.endswith('/') or len([n for n in names if n.endswith('.c')]) != 1:
    sys.exit(f'called with {sys.argv[1:]} in {names}')
[text] = [open(name).read() for name in names if name.endswith('.c')]
if word in text:
    open(feedback + 'judgemessage.txt', 'w').write(f'`{word}` is not allowed')
    sys.exit(43)
if len(text) > 200:
    open(feedback + 'score_multiplier.txt', 'w').write('0.5')
sys.exit(42)
"#;

#[test]
fn static_validator_judges_sources_and_assigns_points() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package_with_points().file("p/static_validator/looks.py", LOOKS);
    let group = "max_score: 70\nscore_aggregation: sum\nstatic_validation_score: 20\nstatic_validator_args: [goto]\n";
    folder.write("p/data/secret/two/test_group.yaml", group);
    let long = format!("// {}\n{ECHO_C}", "long ".repeat(60));
    folder.write("p/submissions/accepted/long.c", &long);
    folder.write("p/submissions/mixed/jumps.c", format!("// goto\n{ECHO_C}"));
    let ran = folder.rebut(&format!("{VERIFY} --json -")).exits(0);
    let short = if ECHO_C.len() > 200 { 90.0 } else { 100.0 };
    let wanted = [
        "accepted/long.c 90.0 30.0 60.0".to_owned(),
        format!("accepted/right.c {short:?} 30.0 {:?}", short - 30.0),
        "mixed/jumps.c 80.0 30.0 50.0".to_owned(),
        "mixed/small.c 40.0 30.0 10.0".to_owned(),
    ];
    assert_eq!(points(&ran)[..1], wanted[..1]);
    assert_eq!(points(&ran)[1..3], wanted[1..3]);
    let ran = folder.rebut("run jumps.c p --no-cache").exits(1);
    ran.shows("secret/two/(static)").shows("`goto` is not allowed");
    folder.write("p/submissions/wrong_answer/jumps.c", format!("// goto\n{ECHO_C}"));
    folder.rebut(VERIFY).exits(0).shows("WA as expected");
}

#[test]
fn static_validator_gets_sources_and_includes() {
    if !installed(&["python3"]) {
        return;
    }
    let shown = "import os, sys\nlanguage, entry_point = sys.argv[1:3]\n\
                 names = sorted(name for name in os.listdir() if name.endswith('.py'))\n\
                 sys.exit(42 if language == 'c' or entry_point == 'same.py' and names == ['helper.py', 'same.py'] \
                 else f'called with {sys.argv[1:]} in {names}')\n";
    let folder = package_with_points()
        .file("p/static_validator/shown.py", shown)
        .file("p/include/python3/helper.py", "def read():\n    return input()\n")
        .file("p/submissions/accepted/same.py", "import helper\nprint(helper.read())\n");
    folder.write("p/data/secret/one/test_group.yaml", "max_score: 30\nstatic_validation_score: pass-fail\n");
    folder.rebut(VERIFY).exits(0).shows("OK  2 submissions as expected, 1 without an expectation");
}

#[test]
fn failure_of_a_static_validator_is_a_judge_error() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package_with_points().file("p/static_validator/looks.py", LOOKS);
    folder.write("p/data/secret/one/test_group.yaml", "max_score: 30\nstatic_validation_score: pass-fail\n");
    let ran = folder.rebut(VERIFY).exits(3);
    ran.shows("not enough values to unpack");
}

/// Returns the points of all submissions of a package by submission and in total, in either format.
fn totals(folder: &Folder, package: &str) -> Vec<String> {
    let ran = folder.rebut(&format!("verify {package} --no-cache --no-probes --json -"));
    points(&ran).iter().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn points_are_exported_to_the_other_format() {
    let folder = package_with_graders().file("p/submissions/mixed/gap.c", c_about_n("if (n == 7) n = 0;"));
    folder.write("p/data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n");
    folder.write(
        "p/data/secret/testdata.yaml",
        "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted\n",
    );
    folder.rebut("export p --as 2025-09 -o newer").exits(0).hides("exported as");
    let group = "max_score: 70\nscore_aggregation: pass-fail\n";
    assert_eq!(folder.read("newer/data/secret/two/test_group.yaml"), group);
    let wanted = ["accepted/right.c 100.0", "mixed/gap.c 70.0", "mixed/small.c 30.0"];
    assert_eq!(totals(&folder, "p"), wanted);
    assert_eq!(totals(&folder, "newer"), wanted);
    folder.rebut("export newer --as legacy -o older").exits(0).hides("left out");
    assert_eq!(totals(&folder, "older"), wanted);
}

#[test]
fn expected_failures_get_points_from_graders() {
    let folder = package_with_points().file("p/submissions/wrong_answer/small.c", up_to(10));
    folder.rebut("verify p --no-cache --no-probes").exits(0);
    let ran = folder.rebut("export p --as legacy -o older").exits(0);
    ran.shows("submissions that fail are in `partially_accepted`");
    assert_eq!(folder.names("older/submissions/partially_accepted"), ["small.c"]);
    folder.rebut("verify older --no-cache --no-probes").exits(0);
    folder.rebut("export p --as 2025-09 -o newer").exits(0).hides("partially_accepted");
    assert_eq!(folder.names("newer/submissions/wrong_answer"), ["small.c"]);
}

#[test]
fn points_that_cannot_be_exported_are_reported() {
    let folder = package_with_graders().file("p/graders/own.py", "import sys\nprint('AC 1')\n");
    let flags = "on_reject: break\naccept_score: 20\nrange: 0 40\ngrader_flags: sum\n";
    folder.write("p/data/secret/one/testdata.yaml", flags);
    folder.write("p/data/secret/two/testdata.yaml", "grading: custom\nrange: 0 60\n");
    let ran = folder.rebut("export p --as 2025-09 -o newer").exits(0);
    let ran = ran.shows("`secret/one` adds up points until the first rejected test case");
    ran.shows("`secret/two` has a custom grader").shows("the grader is left out");
    folder.rebut("export p --as legacy -o older").exits(0).hides("exported as");
    assert!(folder.path("older/graders/own.py").is_file());
    let folder = package_with_points();
    let ran = folder.rebut("export p --as legacy -o older").exits(0);
    ran.shows("`secret/two` gives points only if `secret/one` is passed, which graders cannot express");
    assert_eq!(totals(&folder, "older"), ["accepted/right.c 100.0", "mixed/small.c 30.0"]);
    folder.rebut("export p --as domjudge -o dj").exits(0).shows("points are left out: DOMjudge does not support them");
}

#[test]
fn test_case_outside_all_groups_of_a_scoring_package_is_an_error() {
    for folder in [package_with_points(), package_with_graders()] {
        folder.write(
            "p/data/secret/testdata.yaml",
            "grader_flags: first_error accept_if_any_accepted\naccept_score: 0\n",
        );
        if folder.path("p/data/secret/one/test_group.yaml").exists() {
            std::fs::remove_file(folder.path("p/data/secret/testdata.yaml")).unwrap();
        }
        folder.write("p/data/secret/kills_small.in", "90\n");
        folder.write("p/data/secret/kills_small.ans", "90\n");
        folder.write("p/submissions/wrong_answer/big.c", up_to(85));
        let ran = folder.rebut(VERIFY).exits(2).hides("OK  ");
        ran.shows("the test case `secret/kills_small` is not in a group, so it gives no points")
            .shows("move it into one of `secret/one` and `secret/two`");
        folder.rebut("run small.c p --no-cache").exits(2).shows("is not in a group");
    }
}

/// The specification of the legacy format lets graders ignore the samples in both the verdict and the points. In that of
/// 2025-09 an accepted submission has to be accepted on all test cases, of which the samples are some.
#[test]
fn accepted_submission_that_fails_on_an_ignored_sample_causes_a_warning() {
    let wrong_on_sample = c_about_n("if (n == 1) n = 0;");
    let folder = package_with_graders().file("p/submissions/accepted/sample.c", &wrong_on_sample);
    let warning = "`accepted/sample.c` is accepted by the graders, but gets wrong answer";
    folder.rebut(VERIFY).exits(0).shows_all(&[warning, "on `sample/1`", "the samples do not count here"]);
    // Without `ignore_sample` the verdict on `data` is that on the sample.
    folder.write("p/data/testdata.yaml", "on_reject: continue\nrange: 0 101\n");
    folder.rebut(VERIFY).exits(1).shows("wrong answer on `sample/1`, where only AC is permitted").hides("do not count");
    // Other test cases that a grader ignores still have to be accepted.
    folder.write("p/data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n");
    folder.write("p/submissions/accepted/sample.c", up_to(10));
    folder.rebut(VERIFY).exits(1).shows("wrong answer on `secret/two/1`, where only AC is").hides("do not count");
    let folder = package_with_points().file("p/submissions/accepted/sample.c", &wrong_on_sample);
    folder.rebut(VERIFY).exits(1).shows("wrong answer on `sample/1`, where only AC is permitted").hides("do not count");
}

#[test]
fn wrong_submission_with_full_points_is_unexpected() {
    // A failure in a sample or in a group without points loses no points.
    let folder = package_with_points().file("p/submissions/wrong_answer/sample.c", c_about_n("if (n == 1) n = 0;"));
    let ran = folder.rebut(VERIFY).exits(1).shows("FAIL  1 of 3 submissions");
    ran.shows("100 points, the maximum, where WA, PE or OLE was expected");
    // Unless such a failure is declared as expected.
    folder.write(
        "p/submissions/wrong_answer/sample.c",
        format!("// @EXPECTED_SCORE@: 100\n{}", c_about_n("if (n == 1) n = 0;")),
    );
    folder.rebut(VERIFY).exits(0);
    let folder = package_with_graders().file("p/submissions/wrong_answer/late.c", c_about_n("if (n == 95) n = 0;"));
    folder.write("p/data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n");
    for (file, text) in [
        ("p/data/secret/three/testdata.yaml", "on_reject: break\naccept_score: 0\nrange: 0 0\ngrader_flags: min\n"),
        ("p/data/secret/three/1.in", "95\n"),
        ("p/data/secret/three/1.ans", "95\n"),
    ] {
        folder.write(file, text);
    }
    folder.write(
        "p/data/secret/testdata.yaml",
        "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted\n",
    );
    folder.write("p/submissions/submissions.yaml", "wrong_answer/late.c:\n  permitted: [AC, WA]\n  required: [WA]\n");
    folder.rebut(VERIFY).exits(1).shows("100 points, the maximum");
}

/// The settings of the newest format with points.
const NEWEST: &str =
    "problem_format_version: 2025-09\nname: Echo\nuuid: 11111111-1111-4111-8111-111111111111\ntype: scoring\n";

/// A recipe of two groups with points.
const TWO_GROUPS: &str = "[[test]]\ngroup = 'one'\ntext = \"7\\n\"\n[[test]]\ngroup = 'two'\ntext = \"70\\n\"\n\
                          [group.one]\nwhere = 'n <= 10'\nscore = 30\n[group.two]\nscore = 70\n";

#[test]
fn recipe_with_points_needs_all_tests_in_groups() {
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Echo\ntype: scoring\n")
        .file("p/input.format", "n where 1 <= n <= 100")
        .file("p/tests.toml", format!("{TWO_GROUPS}[[test]]\nname = 'kills'\ntext = \"90\\n\"\n"))
        .file("p/submissions/accepted/right.c", ECHO_C);
    let ran = folder.rebut("build p --no-verify").exits(2).shows("this test is in no group, so it gives no points");
    ran.shows("p/tests.toml:12:1").shows("`group = \"one\"`");
    assert!(!folder.path("p/data").exists());
    folder.rebut("build p --check").exits(2).shows("this test is in no group");
}

#[test]
fn killing_test_is_saved_into_a_group_that_accepts_it() {
    let folder = Folder::new()
        .file("p/problem.yaml", NEWEST)
        .file("p/input.format", "n where 1 <= n <= 100")
        .file("p/tests.toml", TWO_GROUPS)
        .file("p/submissions/accepted/right.c", ECHO_C)
        .file("p/submissions/wrong_answer/three.c", c_about_n("if (n == 3) n = 0;"))
        .file("p/submissions/wrong_answer/late.c", c_about_n("if (n == 95) n = 0;"));
    folder.rebut("build p --no-verify").exits(0);
    folder.rebut("stress --problem p --seed 1 --cases 2000 --save").exits(1);
    let recipe = folder.read("p/tests.toml");
    assert!(recipe.contains("[[test]]\ngroup = \"one\"\nname = \"kills_three\"\n"), "{recipe}");
    assert!(recipe.contains("[[test]]\ngroup = \"two\"\nname = \"kills_late\"\n"), "{recipe}");
    let ran = folder.rebut("build p").exits(0).shows("OK  3 submissions as expected");
    ran.shows("points: one 30/30, two 0/70");
}

/// Accepts numbers up to the one in its arguments.
const UP_TO_PY: &str = "import sys\nn = int(sys.stdin.read())\nsys.exit(42 if 1 <= n <= int(sys.argv[1]) else 43)\n";

#[test]
fn killing_test_is_saved_where_flags_or_subtasks_allow_it() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package_with_points()
        .file("p/input_validators/up_to.py", UP_TO_PY)
        .file("p/input.format", "n where 1 <= n <= 100")
        .file("p/submissions/wrong_answer/three.c", c_about_n("if (n == 3) n = 0;"))
        .file("p/submissions/wrong_answer/late.c", c_about_n("if (n == 95) n = 0;"));
    folder.write("p/data/secret/one/test_group.yaml", "max_score: 30\ninput_validator_args: ['10']\n");
    folder.write("p/data/secret/two/test_group.yaml", "max_score: 70\ninput_validator_args: ['100']\n");
    let ran = folder.rebut("stress --problem p --seed 1 --cases 2000 --save").exits(1);
    ran.shows("`p/data/secret/one` has a new test case, `kills_three`");
    assert_eq!(folder.read("p/data/secret/two/kills_late.in"), "95\n");
    folder.rebut("verify p --no-cache --no-probes").exits(0);
    // The same with subtasks of the format that are named like the groups.
    let folder = package_with_points()
        .file("p/input.format", "n\nwhere:\n    1 <= n <= 100\n    subtask one: n <= 10\n    subtask two: n <= 90\n")
        .file("p/submissions/wrong_answer/three.c", c_about_n("if (n == 3) n = 0;"))
        .file("p/submissions/wrong_answer/late.c", c_about_n("if (n == 95) n = 0;"));
    let ran = folder.rebut("stress --problem p --seed 1 --cases 2000 --save").exits(1);
    ran.shows("`kills_three`").shows("no group of `p` accepts the input on which `late.c` fails, so it is not saved");
    assert_eq!(folder.read("p/data/secret/one/kills_three.in"), "3\n");
    assert!(!folder.names("p/data/secret/two").iter().any(|name| name.starts_with("kills")));
}

#[test]
fn built_package_is_migrated_between_formats() {
    let folder = Folder::new()
        .file("p/input.format", "n where 1 <= n <= 100")
        .file("p/tests.toml", TWO_GROUPS)
        .file("p/submissions/accepted/right.c", ECHO_C);
    folder.rebut("build p").exits(0);
    assert!(folder.path("p/data/secret/one/testdata.yaml").is_file());
    folder.write("p/problem.yaml", NEWEST);
    folder.rebut("build p --check --no-verify").exits(1).shows("stale    secret/one/testdata.yaml");
    folder.rebut("build p").exits(0).shows("100 of 100 points");
    assert_eq!(folder.names("p/data/secret/one"), ["1.ans", "1.in", "test_group.yaml"]);
    // And back.
    folder.write("p/problem.yaml", "name: Echo\ntype: scoring\n");
    folder.rebut("build p").exits(0);
    assert_eq!(folder.names("p/data/secret/one"), ["1.ans", "1.in", "testdata.yaml"]);
    // Files that have been edited since belong to the user.
    folder.write("p/data/secret/one/testdata.yaml", "on_reject: break\naccept_score: 31\nrange: 0 31\n");
    folder.write("p/problem.yaml", NEWEST);
    folder.rebut("build p").exits(2).shows("data/secret/one/testdata.yaml");
    assert!(folder.path("p/data/secret/one/testdata.yaml").is_file());
}
