//! `rebut strength` reports what a test set kills, and what it does not.

use crate::environment::{Folder, installed};
use crate::programs::{FORMAT, RIGHT_C, WRONG_C};
use serde_json::Value;

/// A package with one wrong submission that its tests kill, and one that they do not.
fn package() -> Folder {
    Folder::new()
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 1\n")
        .file("p/input.format", FORMAT)
        .file("p/data/sample/1.in", "2\n3 5\n")
        .file("p/data/sample/1.ans", "5\n")
        .file("p/data/secret/2_negative.in", "2\n-3 -5\n")
        .file("p/data/secret/2_negative.ans", "-3\n")
        .file("p/data/secret/3_five.in", "1\n5\n")
        .file("p/data/secret/3_five.ans", "5\n")
        .file("p/submissions/accepted/right.c", RIGHT_C)
        .file("p/submissions/wrong_answer/w_survivor.c", RIGHT_C)
        .file("p/submissions/wrong_answer/w_zero.c", WRONG_C)
}

#[test]
fn survivors_and_thin_kills_are_reported_and_gate() {
    let folder = package();
    let ran = folder.typed("strength p --depth 1").run().exits(1);
    let ran = ran.shows("survives wrong_answer/w_survivor.c passes every test");
    let ran = ran.shows("thin     wrong_answer/w_zero.c dies only on `secret/2_negative` (WA)");
    let ran = ran.shows("always printing `5` dies only on `secret/2_negative`").shows("never  n = 8");
    ran.shows("2 of 3 tests kill as many programs; fewer cannot").shows("`secret/3_five`");
    // The results are cached, and the gate counts programs.
    let ran = folder.typed("strength p --min 50 --json -").run().exits(0);
    let events: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let strength = events.iter().find(|event| event["event"] == "strength").unwrap();
    assert_eq!(strength["submissions"][1]["killed_by"][0]["test_case"], "secret/2_negative");
    let (killed, programs) = (&strength["score"]["killed"], &strength["score"]["programs"]);
    assert_eq!(killed.as_u64().unwrap() + 1, programs.as_u64().unwrap());
    folder.typed("strength p --min 99.9").run().exits(1);
}

/// The largest number, with a special case that no test of the package has.
const RIGHT_CPP: &str = "\
#include <cstdio>
int main() {
    int n, best = -100;
    scanf(\"%d\", &n);
    for (int i = 0, x; i < n; i++) {
        scanf(\"%d\", &x);
        if (x > best) best = x;
    }
    if (best == -9) best = -9 + 0;
    printf(\"%d\\n\", best);
}
";

#[test]
fn mutants_share_a_program_and_survivors_are_placed() {
    if !installed(&["g++"]) {
        return;
    }
    let folder = package().file("p/submissions/accepted/right.cpp", RIGHT_CPP);
    let strength = |options: &str| {
        let ran = folder.typed(&format!("strength p --json - {options}")).run().exits(1);
        let mut events = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        events.rfind(|event| event["event"] == "strength").unwrap()["mutation"][0].clone()
    };
    let mutation = strength("--mutants 30 --mutation-report p/mutants.json");
    let report: Value = serde_json::from_str(&folder.read("p/mutants.json")).unwrap();
    let file = &report["files"]["submissions/accepted/right.cpp"];
    assert_eq!(file["source"], RIGHT_CPP);
    assert_eq!(file["mutants"].as_array().unwrap().len(), mutation["mutants"].as_array().unwrap().len());
    assert_eq!(mutation["submission"], "accepted/right.cpp");
    assert_eq!(mutation["separate_because"], Value::Null);
    assert_eq!(mutation["mutants"].as_array().unwrap().len(), mutation["found"].as_u64().unwrap().min(30) as usize);
    assert!(mutation["in_one_program"].as_u64() >= Some(20), "{mutation}");
    let mutant = |operator: &str, line: u64| {
        let mutants = mutation["mutants"].as_array().unwrap();
        mutants.iter().find(|mutant| mutant["operator"] == operator && mutant["line"] == line).unwrap()
    };
    assert_eq!(mutant("guard", 7)["killed_by"]["verdict"], "WA", "nothing is the largest");
    assert_eq!(mutant("guard", 9)["killed_by"], Value::Null, "no test has only -9");
    assert_eq!(mutant("comparison", 7)["survival"]["is"], "identical", "of equal numbers, either is the largest");
    assert_eq!(mutant("guard", 9)["survival"]["is"], "identical", "the compiler sees that -9 becomes -9");
    // What was found is remembered, with its times.
    assert_eq!(strength("--mutants 30"), mutation);
}

/// The largest number in Rust.
const RIGHT_RUST: &str = "\
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let mut best = -100i64;
    for word in text.split_whitespace().skip(1) {
        let x: i64 = word.parse().unwrap();
        if x > best { best = x; }
    }
    println!(\"{best}\");
}
";

#[test]
fn mutants_of_rust_share_a_program() {
    if !installed(&["rustc"]) {
        return;
    }
    let folder = package().file("p/submissions/accepted/right.rs", RIGHT_RUST);
    let ran = folder.typed("strength p --json -").run().exits(1);
    let mut events = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let strength = events.rfind(|event| event["event"] == "strength").unwrap();
    let mutation = &strength["mutation"][0];
    assert!(mutation["in_one_program"].as_u64() >= Some(6), "{mutation}");
    assert_eq!(mutation["separate_because"], Value::Null);
}

/// A right submission with a special case that no test of the package has.
const WITH_SPECIAL_CASE: &str = "\
#include <cstdio>
int main() {
    int n, best = -100, seen = 0;
    scanf(\"%d\", &n);
    for (int i = 0, x; i < n; i++) {
        scanf(\"%d\", &x);
        if (x == -9) continue;
        seen = 1;
        if (x > best) best = x;
    }
    if (!seen) best = -9;
    printf(\"%d\\n\", best);
}
";

#[test]
fn what_kills_a_survivor_is_shown_and_saved() {
    if !installed(&["g++"]) {
        return;
    }
    let folder = package().file("p/submissions/accepted/right.cpp", WITH_SPECIAL_CASE);
    folder.typed("strength p --save").run().exits(1).shows("has a new test case, `kills_right`");
    // A wrong number, a wrong starting value, and `break` instead of `continue`.
    let saved = ["kills_right", "kills_right_2", "kills_right_3"];
    let saved = saved.map(|name| folder.read(&format!("p/data/secret/{name}.in")));
    let expected = ["1\n-9\n", "1\n0\n", "2\n-9 0\n"].map(str::to_owned);
    assert_eq!(std::collections::BTreeSet::from(saved), expected.into());
    // The saved tests kill every mutant that an input kills.
    let ran = folder.typed("strength p --json -").run().exits(1);
    assert!(ran.stdout.contains("secret/kills_right_3") && ran.stdout.contains("\"is\":\"alike\""), "{}", ran.stdout);
    assert!(!ran.stdout.contains("\"is\":\"killable\""), "{}", ran.stdout);
}
