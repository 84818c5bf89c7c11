//! Scoring problems: what `verify` and `run` tell of points, and what they expect.

use crate::environment::{Folder, Ran};
use crate::programs::{ECHO_C, c_about_n};
use serde_json::Value;

/// Prints `n` where it is less than that, and 0 where it is not.
fn up_to(most: u32) -> String {
    c_about_n(&format!("if (n >= {most}) n = 0;"))
}

/// A package in which `n` has to be printed: a sample, and groups for 7 and 8, and for 70 and 80.
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

/// The same with graders, as packages of the legacy format give subtasks their points.
fn graded() -> Folder {
    let group =
        |points: u8| format!("on_reject: break\naccept_score: {points}\nrange: 0 {points}\ngrader_flags: min\n");
    package("name: Echo\ntype: scoring\nlimits:\n    time_limit: 1\n")
        .file("p/data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n")
        .file("p/data/secret/testdata.yaml", "grader_flags: first_error accept_if_any_accepted\n")
        .file("p/data/secret/one/testdata.yaml", group(30))
        .file("p/data/secret/two/testdata.yaml", group(70))
}

/// The same in the newest format.
fn pointed() -> Folder {
    let uuid = "11111111-1111-4111-8111-111111111111";
    package(&format!(
        "problem_format_version: 2025-09\nname: Echo\nuuid: {uuid}\ntype: scoring\n\
                      limits: {{time_limit: 1}}\n"
    ))
    .file("p/data/secret/one/test_group.yaml", "max_score: 30\n")
    .file("p/data/secret/two/test_group.yaml", "max_score: 70\nscore_aggregation: sum\nrequire_pass: secret/one\n")
}

/// Total and groups of each submission, a line each.
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
fn graded_points_are_told_and_expected() {
    let folder = graded().file("p/submissions/partially_accepted/half.c", up_to(75));
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
fn points_that_are_not_as_expected() {
    let folder = graded().file("p/submissions/partially_accepted/all.c", ECHO_C);
    folder.write("p/submissions/mixed/small.c", format!("// @EXPECTED_SCORE@: 70\n{}", up_to(10)));
    folder.write("p/submissions/wrong_answer/small.c", up_to(10));
    let ran = folder.rebut(VERIFY).exits(1);
    let ran =
        ran.shows("30 points, where 70 was expected").shows("100 points, where any but the best, 100, was expected");
    ran.shows("accepted on the whole: WA, PE, OLE was expected").shows("FAIL  3 of 4 submissions");
}

#[test]
fn points_of_the_newest_format() {
    let rules = "mixed/small.c:\n  score: 30\n  secret/one: {score: 30}\n  secret/two: {score: [0, 5]}\n\
                 mixed/gap.c:\n  score: 0\n";
    let folder = pointed().file("p/submissions/submissions.yaml", rules);
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

/// An output validator that gives the share of `n` in 100 as a factor, and accepts whatever is a number.
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
fn points_from_the_output_validator() {
    let folder = pointed().file("p/output_validator/v.c", SHARES);
    folder.write("p/data/secret/one/test_group.yaml", "max_score: 30\nscore_aggregation: min\n");
    folder.write("p/data/secret/two/test_group.yaml", "max_score: 70\nscore_aggregation: sum\n");
    let ran = folder.rebut(&format!("{VERIFY} --json -")).exits(0);
    assert_eq!(points(&ran), ["accepted/right.c 54.6 2.1 52.5", "mixed/small.c 2.1 2.1 0.0"]);
    folder.write("p/data/secret/two/test_group.yaml", "max_score: 70\n");
    let ran = folder.rebut(VERIFY).exits(3);
    ran.shows("no points can be given: `secret/two/1`: points were given in a group that is `pass-fail`");
}

#[test]
fn graders_of_the_jury() {
    let grader = "#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) {\n    char verdict[9];\n    \
                  double score; int good = 0;\n    while (scanf(\"%8s%lf\", verdict, &score) == 2) \
                  good += !strcmp(verdict, \"AC\");\n    printf(\"AC %d\\n\", good * 10 + argc);\n}\n";
    let folder = graded().file("p/graders/count.c", grader);
    folder.write(
        "p/data/secret/two/testdata.yaml",
        "grading: custom\ngrader_flags: a b\nrange: 0 100\non_reject: continue\n",
    );
    let ran = folder.rebut(&format!("{VERIFY} --json -")).exits(0);
    assert_eq!(points(&ran), ["accepted/right.c 53.0 30.0 23.0", "mixed/small.c 33.0 30.0 3.0"]);
    folder.write("p/graders/count.c", "int main() { return 3; }\n");
    folder.rebut(VERIFY).exits(3).shows("no points can be given: the grader").shows("exited with status 3");
}

#[test]
fn what_is_built_with_points_gives_them() {
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
