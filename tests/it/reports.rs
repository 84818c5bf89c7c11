//! Several submissions in one search, and what programs read of it: one JSON object a line, the last the summary.

use crate::environment::{Folder, Ran};
use crate::programs::{ECHO_C, c_about_n};
use serde_json::Value;

const INPUT: &str = "--reference brute.c --input 'n where 1<=n<=8' --seed 1 --cases 200";

fn folder() -> Folder {
    Folder::new()
        .file("brute.c", ECHO_C)
        .file("right.c", ECHO_C)
        .file("wrong.c", c_about_n("if (n >= 5) n--;"))
        .file("crash.c", c_about_n("if (n >= 3) abort();"))
        .file("both.c", c_about_n("if (n == 2) n = 9; if (n >= 5 && n <= 8) abort();"))
}

/// The events of a report; each line is one object.
#[track_caller]
fn events(text: &str) -> Vec<Value> {
    assert!(text.ends_with('\n'), "{text}");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for event in &events {
        assert!(event["version"] == 1 && event["event"].is_string(), "{event}");
    }
    events
}

fn named<'e>(events: &'e [Value], name: &str) -> Vec<&'e Value> {
    events.iter().filter(|event| event["event"] == name).collect()
}

/// The summary is the last event, the only one, and tells the exit status that the process had.
#[track_caller]
fn summary<'e>(events: &'e [Value], ran: &Ran) -> &'e Value {
    let last = events.last().unwrap();
    assert_eq!(last["event"], "summary", "{ran}");
    assert_eq!(named(events, "summary").len(), 1, "{ran}");
    assert_eq!(last["exit_status"].as_i64().map(|s| s as i32), ran.status, "{ran}");
    last
}

#[test]
fn every_submission_gets_its_own_finding_and_survivors_are_named() {
    let folder = folder();
    let ran = folder.rebut(&format!("stress right.c wrong.c crash.c {INPUT}")).exits(1);
    ran.shows_all(&["wrong.c: wrong answer", "crash.c: runtime error", "2 findings", "nothing found for", "right.c"]);
    let inputs: Vec<String> =
        folder.names("findings").iter().map(|name| folder.read(&format!("findings/{name}/input.txt"))).collect();
    assert!(inputs == ["3\n", "5\n"] || inputs == ["5\n", "3\n"], "{inputs:?}");
}

#[test]
fn a_submission_fails_once_or_with_keep_going_once_in_each_way() {
    let folder = folder();
    folder.rebut(&format!("stress both.c {INPUT}")).exits(1);
    assert_eq!(folder.names("findings").len(), 1);
    folder.rebut(&format!("stress both.c {INPUT} --keep-going --findings all")).exits(1).shows("2 findings");
    let inputs: Vec<String> =
        folder.names("all").iter().map(|name| folder.read(&format!("all/{name}/input.txt"))).collect();
    assert!(inputs == ["2\n", "5\n"] || inputs == ["5\n", "2\n"], "{inputs:?}");
}

#[test]
fn a_report_to_a_file_tells_all() {
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
fn a_report_to_the_standard_output_is_all_that_is_there() {
    let folder = folder();
    let ran = folder.rebut(&format!("stress wrong.c {INPUT} --json -")).exits(1);
    summary(&events(&ran.stdout), &ran);
    assert!(ran.stderr.contains("FAIL  wrong.c"), "{ran}");
}

#[test]
fn every_ending_has_a_summary_with_the_real_exit_status() {
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
fn quiet_says_results_only_and_verbose_says_how_programs_are_made() {
    let folder = folder();
    let ran = folder.rebut(&format!("stress wrong.c {INPUT} --quiet")).exits(1);
    assert_eq!(ran.stderr, "", "{ran}");
    folder.rebut(&format!("stress wrong.c {INPUT} --verbose")).exits(1).shows_all(&["-O2", "Failing"]);
}

#[test]
fn outputs_are_compared_by_the_checker_that_was_chosen() {
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
fn checkers_go_by_their_names_everywhere() {
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
