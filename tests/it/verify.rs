//! `rebut verify` checks packages against their own expectations, and `rebut run` runs one submission on all test
//! cases.

use crate::environment::{Folder, Ran, installed};
use crate::programs::{ECHO_C, FORMAT, RIGHT_C, RIGHT_RUST, WRONG_C, c_about_n};
use serde_json::Value;

/// Creates a package: print the largest of some numbers. The second test case kills `w_zero.c`.
fn package() -> Folder {
    Folder::new()
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 1\n")
        .file("p/input.format", FORMAT)
        .file("p/data/sample/1.in", "2\n3 5\n")
        .file("p/data/sample/1.ans", "5\n")
        .file("p/data/secret/2_negative.in", "2\n-3 -5\n")
        .file("p/data/secret/2_negative.ans", "-3\n")
        .file("p/data/secret/3_one.in", "1\n7\n")
        .file("p/data/secret/3_one.ans", "7\n")
        .file("p/submissions/accepted/right.c", RIGHT_C)
        .file("p/submissions/accepted/right.rs", RIGHT_RUST)
        .file("p/submissions/wrong_answer/w_zero.c", WRONG_C)
        .file("p/submissions/run_time_error/r_abort.c", c_about_n("abort();"))
}

/// Returns the events of a command with `--json -`, without the parts that differ between runs.
fn events(ran: &Ran) -> Vec<Value> {
    let parsed = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut events: Vec<Value> = parsed.collect();
    events.retain(|event| event["event"] != "compiled");
    for event in &mut events {
        forget_times(event);
    }
    events
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| {
                !name.ends_with("_ms") && !name.ends_with("_bytes") && name != "jobs" && name != "slowest"
            });
            fields.values_mut().for_each(forget_times);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}

fn all<'e>(events: &'e [Value], kind: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["event"] == kind).collect()
}

#[test]
fn package_that_meets_its_expectations_passes() {
    let ran = package().rebut("verify p --no-cache").exits(0);
    let ran = ran.shows("sample  secret").shows("wrong_answer/w_zero.c").shows("WA as expected");
    ran.shows("RTE as expected").shows("OK  4 submissions as expected: 12 runs").hides("FAIL");
}

#[test]
fn surviving_wrong_submission_is_an_error() {
    let folder = package().file("p/submissions/wrong_answer/w_fine.c", RIGHT_C);
    let ran = folder.rebut("verify p --no-cache").exits(1);
    ran.shows("wrong_answer/w_fine.c").shows("no test case kills it").shows("FAIL  1 of 5 submissions");
}

#[test]
fn submission_of_which_nothing_is_expected_is_not_as_expected() {
    let folder = package().file("p/submissions/mixed/any.c", WRONG_C);
    let ran = folder.rebut("verify p --no-cache --no-probes --junit j.xml").exits(0);
    let ran = ran.shows("has no expectation: `mixed` states none").shows("WA, none expected");
    ran.shows("OK  4 submissions as expected, 1 without an expectation");
    assert!(folder.read("j.xml").contains("<skipped message=\"nothing is expected of it\"/>"));
}

#[test]
fn what_a_package_lacks_is_an_error_if_strict() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Twice\nlimits:\n    time_limit: 2\n")
        .file("p/input_validators/valid.unknown", "")
        .file("p/data/sample/1.in", "2\n")
        .file("p/data/sample/1.ans", "4\n")
        .file("p/submissions/accepted/right.py", "print(int(input()) * 2)\n");
    let ran = folder.rebut("verify p").exits(0);
    ran.shows("there are no secret test cases").shows("nothing validates the inputs");
    folder.rebut("verify p --strict").exits(1).shows("error: p: there are no secret test cases");
}

#[test]
fn stopped_submission_requires_no_limit() {
    let folder = package().file("p/submissions/accepted/hangs.c", c_about_n("for (;;);"));
    let ran = folder.rebut("verify p --no-cache --no-probes").exits(1);
    ran.shows("`accepted/hangs.c` was stopped on").hides("that requires a limit");
}

#[test]
fn wrong_accepted_submission_is_an_error() {
    let folder = package().file("p/submissions/accepted/zero.c", WRONG_C);
    let ran = folder.rebut("verify p --no-cache").exits(1);
    ran.shows("wrong answer on `secret/2_negative`, where only AC is permitted").shows("expected -3, found 0");
}

#[test]
fn submission_that_does_not_compile_is_an_error() {
    let folder = package().file("p/submissions/accepted/broken.c", "int main() { return x; }\n");
    folder.rebut("verify p --no-cache").exits(1).shows("does not compile").shows("undeclared");
}

#[test]
fn unsupported_languages_are_left_out() {
    let folder = package().file("p/submissions/accepted/old.py", "#!/usr/bin/env python2\nprint 1\n");
    let folder = folder.script("p/submissions/accepted/right.R", "n <- 1\n");
    let ran = folder.file("p/submissions/accepted/right.zig", "").rebut("verify p --no-cache").exits(0);
    ran.shows("`accepted/right.R` is skipped")
        .shows("`accepted/old.py` is skipped")
        .shows("is in Python 2")
        .shows("`accepted/right.zig` is skipped");
}

#[test]
fn python_2_is_detected_by_its_statements() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package().file("p/submissions/accepted/old.py", "print ' '.join(raw_input())\n");
    let folder = folder.file("p/submissions/accepted/broken.py", "print(1\n");
    let ran = folder.rebut("verify p --no-cache").exits(1);
    ran.shows("`accepted/old.py` is skipped").shows("is in Python 2").shows("FAIL  1 of ");
}

#[test]
fn submissions_left_out_are_named() {
    let folder = package()
        .file("p/include/default/data.txt", "1\n")
        .file("p/submissions/submissions.yaml", "accepted/right.php: {language: php}\n")
        .file("p/submissions/accepted/right.php", "<?php\n");
    let ran = folder.rebut("verify p --no-cache").exits(0);
    ran.shows("`accepted/right.php` is skipped: cannot tell the language of").hides("in the folder");
}

#[test]
fn cached_results_are_not_run_again() {
    let folder = package();
    let cache = |folder: &Folder| folder.path("cache").display().to_string();
    let verify = |options: &str| {
        let ran = folder.typed(&format!("verify p --json - {options}")).variable("REBUT_CACHE", cache(&folder)).run();
        let events: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        all(&events, "judged").iter().filter(|event| event["remembered"] == true).count()
    };
    assert_eq!(verify(""), 0);
    assert_eq!(verify(""), 12);
    assert_eq!(verify("--no-cache"), 0);
    folder.write("p/data/secret/3_one.ans", "8\n");
    assert_eq!(verify(""), 8, "an answer has changed");
    folder.write("p/submissions/accepted/right.c", format!("// new\n{RIGHT_C}"));
    assert_eq!(verify(""), 9, "a source has changed");
    assert_eq!(verify("--memory-limit 300"), 0, "a limit has changed");
}

#[test]
fn results_do_not_depend_on_the_number_of_workers() {
    let folder = package().file("p/submissions/wrong_answer/w_fine.c", RIGHT_C);
    let verify = |jobs: u8| events(&folder.rebut(&format!("verify p --no-cache --json - --jobs {jobs}")).exits(1));
    let one = verify(1);
    assert_eq!(all(&one, "judged").len(), 15);
    assert_eq!(one, verify(4));
}

#[test]
fn lazy_stops_when_the_verdict_is_decided() {
    let folder = package();
    let verify =
        |jobs: u8| events(&folder.rebut(&format!("verify p --no-cache --lazy --json - --jobs {jobs}")).exits(0));
    let events = verify(1);
    let of = |name: &str| all(&events, "judged").iter().filter(|event| event["submission"] == name).count();
    assert_eq!((of("accepted/right.c"), of("wrong_answer/w_zero.c"), of("run_time_error/r_abort.c")), (3, 2, 1));
    assert_eq!(events, verify(4), "more workers do no more than one");
}

#[test]
fn missing_time_limit_is_derived() {
    let folder = package().file("p/problem.yaml", "name: Largest\n");
    let ran = folder.rebut("verify p --no-cache").exits(0);
    ran.shows("limit  1.0 s, derived from the slowest");
}

#[test]
fn slow_submissions_run_beyond_the_limit() {
    let spin = c_about_n("for (volatile int i = 0; ; i++) ;");
    let folder = package()
        .file("p/submissions/time_limit_exceeded/t.c", spin)
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 0.2\n    time_safety_margin: 1.5\n");
    let events = events(&folder.rebut("verify p --no-cache --json -").exits(0));
    let limits = all(&events, "time-limit");
    assert_eq!(limits[0]["fastest"]["submission"], "time_limit_exceeded/t.c");
    assert_eq!(limits[0]["fastest"]["was_stopped"], true);
}

#[test]
fn sleeping_submission_does_not_affect_the_time_limit() {
    let folder = package()
        .file("p/submissions/time_limit_exceeded/t.c", c_about_n("pause();"))
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 0.1\n");
    let ran = folder.rebut("verify p --no-cache --no-probes --json -").exits(0);
    let events = events(&ran);
    assert_eq!(all(&events, "time-limit")[0]["fastest"], Value::Null);
    assert_eq!(all(&events, "time-limit")[0]["advice"], serde_json::json!([]));
}

#[test]
fn packages_need_test_cases_and_answers() {
    let empty = Folder::new().file("p/problem.yaml", "name: Empty\n").file("p/submissions/accepted/a.c", RIGHT_C);
    empty.rebut("verify p").exits(2).shows("has no test case in `data/`").shows("`rebut build`");
    let folder = package().file("p/data/secret/4.in", "1\n7\n");
    folder.rebut("verify p").exits(2).shows("secret/4").shows("answer");
}

#[test]
fn statement_with_other_bounds_than_the_format_is_a_warning() {
    let statement = "\\problemname{Largest}\n\\section*{Input}\nThe first line has an integer $n$ \
                     ($1 \\le n \\le 200\\,000$). The second line has $n$ integers $a_1, \\dots, a_n$.\n";
    let package = package().file("p/problem_statement/problem.en.tex", statement);
    let ran = package.rebut("verify p --no-cache").exits(0);
    ran.shows("`n` is at most 200000 in `problem_statement/problem.en.tex`, and at most ");
}

#[test]
fn statement_with_other_names_or_samples_than_the_package_is_a_warning() {
    let statement = |names: &str, sample: &str| {
        format!(
            "# Sum\n## Input\nThe first line has two integers {names}.\n\n### Sample Input 1\n\n```\n{sample}\n```\n\n\
             ### Sample Output 1\n\n```\n5\n```\n"
        )
    };
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Sum\nlimits:\n    time_limit: 1\n")
        .file("p/input.format", "n k\nwhere:\n    1 <= k <= n <= 9\n")
        .file("p/data/sample/1.in", "3 2\n")
        .file("p/data/sample/1.ans", "5\n")
        .file("p/submissions/accepted/sum.py", "print(sum(map(int, input().split())))\n");
    let verify = |names: &str, sample: &str| {
        folder.write("p/problem_statement/problem.md", statement(names, sample));
        folder.rebut("verify p --no-cache --no-probes").exits(0)
    };
    verify("$n$ and $k$", "3 2").hides("problem_statement");
    let ran = verify("$k$ and $n$", "3  2\n");
    ran.shows("the numbers of a line are `k n` in `problem_statement/problem.md`, and `n k` in the format")
        .hides("the sample in line");
    verify("$n$ and $m$", "3 2").shows("are `n m` in `problem_statement/problem.md`, and `n k` in the format");
    verify("$n$ and $k$", "2 3")
        .shows("the sample in line 8 of `problem_statement/problem.md` is not in `data/sample`");
}

#[test]
fn measured_time_limit_is_written_into_the_package() {
    let yaml = "# Ours.\nname: Largest\nlimits: # of all\n    time_limit: 7.5  # too much\n    memory: 256\n";
    let folder = package().file("p/problem.yaml", yaml);
    let ran = folder.rebut("verify p --no-cache --no-probes --write-limit").exits(0);
    ran.shows("1 s in p/problem.yaml: ").shows(" ms for `accepted/right.");
    assert_eq!(folder.read("p/problem.yaml"), yaml.replace("7.5", "1"));
    folder.rebut("verify p --write-limit --submission right").exits(2).shows("cannot be used with");
    folder.write(
        "p/submissions/accepted/right.c",
        crate::programs::WRONG_C.replace("int main() {", "int main() { for (;;);"),
    );
    let ran = folder.rebut("verify p --no-cache --no-probes --write-limit").exits(2);
    ran.shows("was stopped on").shows("--time-limit");
    assert_eq!(folder.read("p/problem.yaml"), yaml.replace("7.5", "1"));
}

#[test]
fn package_without_submissions_is_reported() {
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Lonely\n")
        .file("p/input.format", FORMAT)
        .file("p/data/secret/1.in", "1\n7\n")
        .file("p/data/secret/1.ans", "7\n");
    let ran = folder.rebut("verify p --no-cache").exits(0).shows("`p` has no submissions");
    ran.shows("NONE  no submission was verified: 0 runs")
        .shows("submissions/accepted/")
        .hides("OK  0")
        .hides("limit  ");
    folder.write("p/data/secret/1.in", "1\n\n");
    folder.rebut("verify p --no-cache").exits(1).shows("NONE").shows("exposed");
}

#[test]
fn broken_package_does_not_hide_the_others() {
    let folder = package().file("q/problem.yaml", "name: [\n");
    let ran = folder.rebut("verify q p --no-cache").exits(2);
    ran.shows("OK  4 submissions as expected").shows("q/problem.yaml");
}

#[test]
fn likely_mistakes_of_jury_programs_are_warnings() {
    let folder = package().file("p/generators/unused.py", "import random\nprint(1)\nprint(random.randint(-9, 9))\n");
    folder.write("p/generators/used.py", "import shared\nprint(1)\nprint(3)\n");
    folder.write("p/generators/shared.py", "");
    folder.write("p/tests.toml", "[[test]]\nname = \"one\"\ngenerator = \"used\"\n");
    let ran = folder.rebut("verify p --no-probes").exits(0);
    let ran = ran.shows("`generators/unused.py`, line 3: each run or each system gives other numbers");
    let ran = ran.shows("a comment `rebut: allow unseeded` silences this");
    ran.shows("the recipe does not use `generators/unused.py`")
        .hides("does not use `generators/used.py`")
        .hides("does not use `generators/shared.py`");
    folder.write(
        "p/generators/unused.py",
        "import random\nprint(1)  # rebut: allow unseeded\nprint(random.randint(-9, 9))\n",
    );
    folder.rebut("verify p --no-probes").exits(0).hides("gives other numbers");
}

#[test]
fn contest_is_verified_as_a_whole() {
    let folder = package();
    let contest = |name: &str, title: &str| {
        for file in ["input.format", "data/sample/1.in", "data/sample/1.ans", "submissions/accepted/right.c"] {
            folder.write(&format!("contest/{name}/{file}"), folder.read(&format!("p/{file}")));
        }
        let limits = if name == "largest" { "memory: 512" } else { "memory: 1024" };
        folder.write(
            &format!("contest/{name}/problem.yaml"),
            format!("name: {title}\nlimits:\n    time_limit: 1\n    {limits}\n"),
        );
    };
    [("largest", "Largest"), ("numbers", "Numbers"), ("other", "Other")]
        .iter()
        .for_each(|(name, title)| contest(name, title));
    folder.write("contest/other/submissions/wrong_answer/right.c", RIGHT_C);
    folder.write("contest/solutions/README", "no package\n");
    let listed = "- {id: numbers, label: A, name: Numbers, rgb: '#FF0000'}\n- {id: largest, label: B, name: Big, rgb: '#ff0000'}\n";
    folder.write("contest/problems.yaml", listed);
    let ran = folder.rebut("verify contest --no-probes --json now.json").exits(1);
    ran.shows("FAIL  contest: 2 of 3 problems as expected").shows_all(&[
        "A  numbers  as expected",
        "B  largest  as expected",
        "other    1 not as expected",
        "`problems.yaml`: it does not list `other`",
        "`numbers` and `largest` have the same colour, `#ff0000`",
        "`largest` is `Big` in the contest, and `Largest` in its package",
        "memory limit of `largest`: 512 MiB, of the other problems: 1024 MiB",
    ]);
    folder.rebut("compare now.json now.json").exits(0).shows_all(&["largest", "numbers", "nothing changed"]);
    // A problem that cannot be read does not hide the others.
    folder.write("contest/numbers/problem.yaml", "name: [\n");
    folder
        .rebut("verify contest --no-probes")
        .exits(2)
        .shows("A  numbers  stopped by an error")
        .shows("1 of 3 problems");
    folder.write("contest/problems.yaml", listed.replace("id: numbers", "id: nubers").replace("label: B", "label: A"));
    let ran = folder.rebut("verify contest").exits(2).shows("there is no problem `nubers` in this contest");
    ran.shows("did you mean `numbers`?").shows("`nubers` and `largest` are both problem `A`");
}

#[test]
fn junit_report_has_a_test_for_each_submission() {
    let folder = package().file("p/submissions/accepted/zero.c", WRONG_C);
    folder.rebut("verify p --no-cache --junit out/junit.xml").exits(1);
    let text = folder.read("out/junit.xml");
    assert!(text.contains("<testsuite name=\"p\" tests=\"5\" failures=\"1\""), "{text}");
    assert!(text.contains("<testcase classname=\"p\" name=\"wrong_answer/w_zero.c\""), "{text}");
    assert!(text.contains("first rejection: secret/2_negative: token 1: expected -3, found 0"), "{text}");
}

#[test]
fn github_workflow_gets_annotations_and_a_summary() {
    let folder = package().file("p/submissions/accepted/zero.c", WRONG_C);
    let summary = folder.path("summary.md").display().to_string();
    let ran = folder.typed("verify p --no-cache --github").variable("GITHUB_STEP_SUMMARY", summary).run().exits(1);
    let wanted =
        "::error file=p/submissions/accepted/zero.c,title=accepted/zero.c::wrong answer on `secret/2_negative`";
    assert!(ran.stdout.contains(wanted), "{}", ran.stdout);
    let summary = folder.read("summary.md");
    assert!(summary.contains("| ❌ | accepted/zero.c | WA |"), "{summary}");
    assert!(summary.contains("| ✅ | wrong_answer/w_zero.c | WA |"), "{summary}");
}

#[test]
fn run_shows_the_first_failure() {
    let folder = package();
    let ran = folder.rebut("run w_zero p --no-cache").exits(1);
    let ran = ran.shows("secret/2_negative").shows("FAIL").shows("wrong answer").shows("expected -3, found 0");
    assert!(ran.stdout.contains(" 1 | 2\n") && ran.stdout.contains(" 2 | -3 -5\n"), "{}", ran.stdout);
    folder.rebut("run right.rs p --no-cache").exits(0).shows("secret/3_one").shows("AC");
}

#[test]
fn submission_outside_the_package_can_be_run() {
    let folder = package().file("mine.c", WRONG_C);
    folder.rebut("run mine.c p --no-cache").exits(1).shows("mine.c");
    folder.rebut("run absent.c p").exits(2).shows("absent.c");
    folder.rebut("run mine.c mine.c").exits(2);
}

#[test]
fn selected_submissions_are_verified() {
    let folder = package();
    let events = events(&folder.rebut("verify p -s w_zero.c -s right.c --no-cache --json -").exits(0));
    let names: Vec<&str> = all(&events, "assessed").iter().map(|e| e["submission"].as_str().unwrap()).collect();
    assert_eq!(names, ["accepted/right.c", "wrong_answer/w_zero.c"]);
}

#[test]
fn submissions_are_found_by_prefix() {
    let folder = package();
    folder.rebut("run w_z p --no-cache").exits(1).shows("w_zero.c");
    folder.rebut("run right p --no-cache").exits(0).shows("right.c");
    let several = folder.rebut("run rig p").exits(2).shows("there is no file `rig`");
    several.shows("2 submissions start with this name: `right.c`, `right.rs`");
    folder.rebut("run w_zeros p").exits(2).shows("did you mean `w_zero.c`?");
}

#[test]
fn cached_results_are_found_by_content() {
    let package = |folder: Folder, place: &str| {
        [
            ("problem.yaml", "name: Echo\nvalidation: custom\nlimits: {time_limit: 5}\n".to_owned()),
            ("data/secret/1.in", "7\n".to_owned()),
            ("data/secret/1.ans", "7\n".to_owned()),
            ("include/own.h", "#define FINE 42\n".to_owned()),
            ("output_validators/v.c", "#include \"own.h\"\nint main() { return FINE; }\n".to_owned()),
            ("submissions/accepted/a.c", ECHO_C.to_owned()),
            ("submissions/accepted/f/main.c", ECHO_C.to_owned()),
            ("submissions/wrong_answer/w.c", "int main() { return 1; }\n".to_owned()),
        ]
        .into_iter()
        .fold(folder, |folder, (name, text)| folder.file(&format!("{place}/p/{name}"), text))
    };
    let folder = package(package(Folder::new(), "one"), "two");
    let cache = folder.path("cache").display().to_string();
    let verify = |place: &str| {
        let typed = folder.typed(&format!("verify {place}/p")).variable("REBUT_CACHE", cache.clone());
        typed.run().exits(1)
    };
    verify("one").hides("cached)");
    verify("two").shows("3 runs (3 cached)");
    // Changed parts are run.
    folder.write("two/p/data/secret/1.in", "8\n");
    verify("two").shows("3 runs").hides("cached)");
    folder.write("two/p/data/secret/1.in", "7\n");
    folder.write("two/p/include/own.h", "#define FINE 43\n");
    verify("two").hides("cached)");
    verify("one").shows("3 runs (3 cached)");
}

#[test]
fn table_has_the_times_of_all_submissions() {
    let ran = package().rebut("verify p --no-probes --times");
    let at = |text: &str| ran.stdout.find(text).unwrap_or_else(|| panic!("no `{text}`: {ran}"));
    let head = &ran.stdout[at("      time ")..];
    let line = head.lines().next().unwrap();
    assert!(line.contains("right.c") && line.contains("w_zero.c"), "{line}");
    let cells = head.lines().nth(2).unwrap();
    assert!(cells.trim_start().starts_with("secret/2") && cells.contains("WA ") && cells.contains(" ms"), "{cells}");
}
