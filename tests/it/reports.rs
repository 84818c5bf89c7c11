//! Several submissions in one search, and machine-readable reports: one JSON object a line, with the summary last.

use crate::environment::{Folder, Ran, home, installed};
use crate::programs::{ECHO_C, c_about_n};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const INPUT: &str = "--reference brute.c --input 'n where 1<=n<=8' --seed 1 --cases 200";

fn folder() -> Folder {
    Folder::new()
        .file("brute.c", ECHO_C)
        .file("right.c", ECHO_C)
        .file("wrong.c", c_about_n("if (n >= 5) n--;"))
        .file("crash.c", c_about_n("if (n >= 3) abort();"))
        .file("both.c", c_about_n("if (n == 2) n = 9; if (n >= 5 && n <= 8) abort();"))
}

/// The published schema of events.
static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let text = std::fs::read_to_string(home().join("docs/events.schema.json")).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
});

/// Returns the events of a report. Each line is one object that conforms to the schema.
#[track_caller]
fn events(text: &str) -> Vec<Value> {
    assert!(text.ends_with('\n'), "{text}");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for event in &events {
        assert!(event["version"] == 1 && event["event"].is_string(), "{event}");
        let wrong: Vec<String> = SCHEMA.iter_errors(event).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{wrong:?} in {event}");
    }
    events
}

fn named<'e>(events: &'e [Value], name: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["event"] == name).collect()
}

/// Returns the summary, which is the only one, the last event, and has the exit status of the process.
#[track_caller]
fn summary<'e>(events: &'e [Value], ran: &Ran) -> &'e Value {
    let last = events.last().unwrap();
    assert_eq!(last["event"], "summary", "{ran}");
    assert_eq!(named(events, "summary").len(), 1, "{ran}");
    assert_eq!(last["exit_status"].as_i64().map(|s| s as i32), ran.status, "{ran}");
    last
}

#[test]
fn submissions_get_findings_and_survivors_are_listed() {
    let folder = folder();
    let ran = folder.rebut(&format!("stress right.c wrong.c crash.c {INPUT}")).exits(1);
    ran.shows_all(&["wrong.c: wrong answer", "crash.c: runtime error", "2 findings", "nothing found for", "right.c"]);
    let inputs: Vec<String> =
        folder.names("findings").iter().map(|name| folder.read(&format!("findings/{name}/input.txt"))).collect();
    assert!(inputs == ["3\n", "5\n"] || inputs == ["5\n", "3\n"], "{inputs:?}");
}

#[test]
fn keep_going_finds_each_kind_of_failure() {
    let folder = folder();
    folder.rebut(&format!("stress both.c {INPUT}")).exits(1);
    assert_eq!(folder.names("findings").len(), 1);
    folder.rebut(&format!("stress both.c {INPUT} --keep-going --findings all")).exits(1).shows("2 findings");
    let inputs: Vec<String> =
        folder.names("all").iter().map(|name| folder.read(&format!("all/{name}/input.txt"))).collect();
    assert!(inputs == ["2\n", "5\n"] || inputs == ["5\n", "2\n"], "{inputs:?}");
}

#[test]
fn report_file_contains_all_events() {
    let folder = folder();
    let ran = folder.rebut(&format!("stress wrong.c right.c {INPUT} --json events")).exits(1);
    let events = events(&folder.read("events"));
    assert_eq!(named(&events, "compiled").len(), 3);
    let started = named(&events, "started")[0];
    assert_eq!(started["submissions"], serde_json::json!(["wrong.c", "right.c"]));
    assert_eq!((&started["reference"], &started["seed"]), (&"brute.c".into(), &1.into()));
    let found = named(&events, "found")[0];
    assert_eq!((&found["verdict"], &found["input"]), (&"WA".into(), &"5\n".into()));
    assert_eq!((&found["answer"], &found["output"]), (&"5\n".into(), &"4\n".into()));
    assert_eq!(found["folder"], folder.finding().name);
    let summary = summary(&events, &ran);
    assert_eq!((&summary["findings"], &summary["survivors"]), (&1.into(), &serde_json::json!(["right.c"])));
}

#[test]
fn report_is_the_only_output_on_stdout() {
    let folder = folder();
    let ran = folder.rebut(&format!("stress wrong.c {INPUT} --json -")).exits(1);
    summary(&events(&ran.stdout), &ran);
    assert!(ran.stderr.contains("FAIL  wrong.c"), "{ran}");
}

#[test]
fn summary_has_the_exit_status_of_the_process() {
    let folder =
        folder().file("broken.c", "int main() { return x; }\n").file("brute2.c", c_about_n("if (n >= 3) abort();"));
    let cases = [
        (format!("stress right.c {INPUT}"), 0),
        (format!("stress broken.c {INPUT}"), 1),
        (format!("stress broken.c right.c {INPUT}"), 1),
        (format!("stress right.c {INPUT}").replace("brute.c", "brute2.c"), 3),
    ];
    for (command, status) in cases {
        let ran = folder.rebut(&format!("{command} --json -")).exits(status);
        summary(&events(&ran.stdout), &ran);
    }
    let ran = folder.rebut(&format!("stress wrong.c {INPUT} --findings again")).exits(1);
    let name = &folder.names("again")[0];
    let replayed = folder.rebut(&format!("replay again/{name} --json -")).exits(1);
    summary(&events(&replayed.stdout), &replayed);
    drop(ran);
}

#[test]
fn quiet_prints_results_and_verbose_prints_builds() {
    let folder = folder();
    let ran = folder.rebut(&format!("stress wrong.c {INPUT} --quiet")).exits(1);
    assert_eq!(ran.stderr, "", "{ran}");
    folder.rebut(&format!("stress wrong.c {INPUT} --verbose")).exits(1).shows_all(&["-O2", "Failing"]);
}

#[test]
fn chosen_checker_compares_outputs() {
    let yes = "#include <stdio.h>\nint main() { puts(\"Yes 0.3333334\"); }\n";
    let folder = Folder::new().file("brute.c", yes).file("sol.c", yes.replace("Yes 0.3333334", "YES  0.3333333 "));
    let stress = "stress sol.c --reference brute.c --input 'n where 1<=n<=3' --cases 5 --no-save --checker";
    for (checker, status) in [("tokens", 1), ("tokens:ignore-case", 1), ("numbers:1e-6", 1), ("exact", 1)] {
        folder.rebut(&format!("{stress} {checker}")).exits(status);
    }
    folder.write("sol.c", yes.replace("Yes 0.3333334", "Yes  0.3333333 "));
    for (checker, status) in [("tokens", 1), ("numbers:1e-6", 0), ("numbers:1e-9", 1), ("exact", 1), ("lines", 1)] {
        folder.rebut(&format!("{stress} {checker}")).exits(status);
    }
    folder.write("a", "1\n2\n");
    folder.write("b", "2\n1\n");
    folder.rebut("check unordered-lines a b a").exits(0).shows("accepted");
    folder.rebut("check lines a b a").exits(1).shows("wrong answer");
}

#[test]
fn checkers_have_the_same_names_everywhere() {
    let names = ["tokens", "icpc:float_tolerance=1e-6", "acmp", "rcmp9", "yesno"];
    let folder = Folder::new().file("a", "1\n2\n").file("b", "2\n1\n").file("c", "1.0000001 2\n");
    folder.rebut("check").exits(0).shows_all(&names);
    folder.rebut("check --help").exits(0).shows_all(&names);
    folder.rebut("check wcmp").exits(2).shows("ANSWER");
    folder.rebut("check uncmp a b a").exits(0).shows("accepted");
    folder.rebut("check ncmp a b a").exits(1).shows("wrong answer: token 1: expected 1, found 2");
    folder.rebut("check yesno a b a").exits(3).shows("could not judge");
    folder.rebut("check icpc:float_tolerance=1e-6 a c a").exits(0);
    folder.rebut("check icpc:float_tolerance=1e-9 a c a").exits(1).shows("relative error 1.0e-07 > 1e-09");
    folder
        .rebut("check icpc:float_tolerance a c a")
        .exits(2)
        .shows("the validator flag `float_tolerance` needs a number");
    let one = "#include <stdio.h>\nint main() { puts(\"0.3333333\"); }\n";
    folder.write("brute.c", one);
    folder.write("sol.c", one.replace("0.3333333", "+.3333334"));
    let stress = "stress sol.c --reference brute.c --input 'n where 1<=n<=3' --cases 5 --no-save";
    for (checker, status) in [("dcmp", 0), ("rcmp9", 1), ("wcmp", 1), ("icpc:float_tolerance=1e-6", 0), ("icmp", 3)] {
        folder.rebut(&format!("{stress} --checker {checker}")).exits(status);
    }
}

/// Creates a scoring package with a recipe, a submission that fails, and one that survives.
fn package() -> Folder {
    let recipe = "[[test]]\ngroup = 'sample'\ntext = \"1\\n\"\n[[test]]\ngroup = 'one'\ntext = \"7\\n\"\n[group.one]\nscore = 30\n";
    Folder::new()
        .file("p/problem.yaml", "name: Echo\ntype: scoring\nlimits: {time_limit: 5}\n")
        .file("p/input.format", "n where 1 <= n <= 9")
        .file("p/tests.toml", recipe)
        .file("p/submissions/accepted/a.c", ECHO_C)
        .file("p/submissions/accepted/b.c", format!("\n{ECHO_C}"))
        .file("p/submissions/wrong_answer/w.c", c_about_n("if (n == 9) n = 0;"))
        .file("p/input_validators/any.c", "int main() { return 42; }\n")
}

#[test]
fn events_of_all_commands_conform_to_the_schema() {
    let folder = package();
    let mut kinds = BTreeSet::new();
    for command in [
        "build p",
        "build p --check --no-verify",
        "verify p --no-cache",
        "verify p",
        "run w.c p",
        "stress --problem p --seed 1 --cases 50",
        "stress a.c w.c --problem p --seed 1 --exhaustive",
        "replay findings/0001-w-wrong-answer",
        "shrink findings/0001-w-wrong-answer/input.txt w.c --problem p --no-save",
        "generate p --profile",
        "generate p --invalid",
        "enumerate p",
        "enumerate p --count",
        "validate p p/data/sample/1.in",
        "stress nothing.c --problem p",
    ] {
        let ran = folder.rebut(&format!("{command} --json events"));
        assert!(ran.status != Some(101), "{ran}");
        let text = folder.read("events");
        let found = if text.is_empty() { Vec::new() } else { events(&text) };
        kinds.extend(found.iter().map(|event| event["event"].as_str().unwrap().to_owned()));
    }
    folder.write("p/tests.toml", "[[test]]\ntext = \"77\\n\"\n");
    folder.rebut("build p --json events").exits(1);
    kinds.extend(events(&folder.read("events")).iter().map(|event| event["event"].as_str().unwrap().to_owned()));
    let seen: Vec<&str> = kinds.iter().map(String::as_str).collect();
    for wanted in [
        "assessed",
        "building",
        "built",
        "compiled",
        "enumerated",
        "exposed",
        "flaw",
        "found",
        "input",
        "judged",
        "probed",
        "profile",
        "started",
        "summary",
        "time-limit",
        "validated",
        "verifying",
        "warning",
    ] {
        assert!(seen.contains(&wanted), "no {wanted} among {seen:?}");
    }
}

#[test]
fn builds_and_searches_write_reports_for_ci() {
    let folder = package();
    let github = |command: &str, status: i32| {
        let summary = folder.path("summary.md").display().to_string();
        let typed = folder.typed(&format!("{command} --github --junit out.xml"));
        let ran = typed.variable("GITHUB_STEP_SUMMARY", summary).run().exits(status);
        (ran, folder.read("out.xml"))
    };
    let (ran, junit) = github("build p --check", 1);
    ran.shows("::error file=p/data/secret/one/1.in,title=test set::missing: does not match the recipe");
    assert!(junit.contains("<testsuite name=\"p\"") && junit.contains("files not matching the recipe"), "{junit}");
    let (_, junit) = github("build p --no-verify", 0);
    assert!(junit.contains("tests=\"1\" failures=\"0\"") && junit.contains("name=\"test set\""), "{junit}");
    let (_, junit) = github("build p --check", 0);
    assert!(junit.contains("failures=\"0\""), "{junit}");
    let (ran, junit) = github("stress a.c w.c --problem p --seed 1 --cases 200", 1);
    ran.shows("::error file=p/submissions/wrong_answer/w.c,title=w.c::wrong answer: ").shows("%0A").hides("\\n");
    assert!(junit.contains("<testsuite name=\"stress p\" tests=\"2\" failures=\"1\""), "{junit}");
    assert!(junit.contains("replay: rebut replay findings/") && junit.contains("nothing found in "), "{junit}");
    let (_, junit) = github("stress a.c --problem p --seed 1 --cases 50", 0);
    assert!(junit.contains("tests=\"1\" failures=\"0\""), "{junit}");
    let (_, junit) = github("stress nothing.c --problem p", 2);
    assert!(junit.contains("failures=\"1\"") && junit.contains("there is no file `nothing.c`"), "{junit}");
    folder.write("p/tests.toml", "[[test]]\ngroup = 'one'\ntext = \"77\\n\"\n");
    let (ran, junit) = github("build p", 1);
    ran.shows("::error file=p/tests.toml,title=secret/one/1::");
    assert!(junit.contains("name=\"secret/one/1\""), "{junit}");
    let summary = folder.read("summary.md");
    for line in [
        "- ❌ missing secret/one/1.in",
        "- ✅ 2 tests",
        "- ❌ w.c: wrong answer",
        "\n  ```text\n  ",
        "- ✅ a.c: nothing found",
        "### stress p\n",
    ] {
        assert!(summary.contains(line), "no `{line}` in {summary}");
    }
}

/// Three packages, of which the second one is broken.
fn packages_for_ci() -> Folder {
    let folder = Folder::new();
    for name in ["aa", "bb", "cc"] {
        folder.write(&format!("{name}/problem.yaml"), "name: Twice\nlimits: {time_limit: 1}\n");
        folder.write(&format!("{name}/input.format"), "n\nwhere:\n    1 <= n <= 10\n");
        folder.write(&format!("{name}/tests.toml"), "[[test]]\nname = 'x'\n");
        folder.write(&format!("{name}/submissions/accepted/a.py"), "print(int(input()) * 2)\n");
    }
    folder
}

/// Runs a command with all reports for CI, and returns them: annotations, JUnit and the summary of the step.
fn run_for_ci(folder: &Folder, command: &str, status: i32) -> (String, String, String) {
    folder.write("summary.md", "");
    let summary = folder.path("summary.md").display().to_string();
    let typed = folder.typed(&format!("{command} --github --junit out.xml"));
    let ran = typed.variable("GITHUB_STEP_SUMMARY", summary).run().exits(status);
    (ran.stdout, folder.read("out.xml"), folder.read("summary.md"))
}

/// Returns the names of the suites, each with whether it failed. Those of the sections of the summary are the same.
fn suites(junit: &str, summary: &str) -> Vec<(String, bool)> {
    let heads = junit.lines().filter_map(|line| line.trim().strip_prefix("<testsuite name=\""));
    let suites: Vec<(String, bool)> = heads
        .map(|line| (line.split('"').next().unwrap_or_default().to_owned(), !line.contains("failures=\"0\"")))
        .collect();
    let sections = summary.split("### ").skip(1);
    let sections: Vec<(String, bool)> =
        sections.map(|text| (text.lines().next().unwrap_or_default().to_owned(), text.contains('❌'))).collect();
    assert_eq!(suites, sections, "{junit}\n{summary}");
    suites
}

#[test]
fn errors_are_in_all_reports_under_the_name_of_their_package() {
    if !installed(&["python3"]) {
        return;
    }
    let is_bb = |name: &str| (name.to_owned(), name == "bb");
    let expected = ["aa", "bb", "cc"].map(is_bb);
    let folder = packages_for_ci();
    for name in ["aa", "bb", "cc"] {
        folder.rebut(&format!("build {name}")).exits(0);
    }
    for (file, text, annotation) in [
        ("bb/input.format", "n\nwhere:\n    1 <= nn <= 10\n", "::error file=bb/input.format,line=3,title=rebut::"),
        ("bb/problem.yaml", "name: Twice\nlimits: 1\n", "::error title=rebut::"),
        ("bb/tests.toml", "[[test]]\nnamee = 'x'\n", "::error file=bb/tests.toml,line=2,title=rebut::"),
    ] {
        let right = folder.read(file);
        folder.write(file, text);
        let commands = [("verify", file != "bb/tests.toml"), ("build --check", true)];
        for (command, _) in commands.iter().filter(|(_, is_wrong)| *is_wrong) {
            let (printed, junit, summary) = run_for_ci(&folder, &format!("{command} aa bb cc"), 2);
            assert!(printed.contains(annotation), "{command} {annotation}: {printed}");
            assert_eq!(suites(&junit, &summary), expected, "{command} {file}");
        }
        folder.write(file, right);
    }
}

#[test]
fn exposed_validators_fail_in_all_reports() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = packages_for_ci();
    folder.rebut("build aa").exits(0);
    folder.write("aa/input_validators/v.py", "import sys\nsys.exit(42)\n");
    let (printed, junit, summary) = run_for_ci(&folder, "verify aa", 1);
    assert!(printed.contains("::error file=aa/input_validators/v.py,title=v.py::accepts"), "{printed}");
    assert!(summary.contains("\n- ❌ v.py: accepts "), "{summary}");
    assert_eq!(suites(&junit, &summary), [("aa".to_owned(), true)]);
    folder.write("aa/submissions/wrong_answer/w.py", "print(int(input()) * 2)\n");
    let (_, junit, summary) = run_for_ci(&folder, "strength aa", 1);
    assert_eq!(suites(&junit, &summary), [("aa".to_owned(), true)]);
}

#[test]
fn inconclusive_searches_fail_in_all_reports() {
    let folder = package();
    let (_, junit, summary) = run_for_ci(&folder, "stress a.c --problem p --seed 1 --cases 3 --min-cases 50", 1);
    assert_eq!(suites(&junit, &summary), [("stress p".to_owned(), true)]);
}
