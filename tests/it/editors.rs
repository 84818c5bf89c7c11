//! The extensions in `editors/`, and the options of the program that they use.

use crate::environment::{Folder, home, installed};
use serde_json::Value;
use std::process::Command;

const RIGHT: &str = "n = int(input())\nprint(max(map(int, input().split())))\n";
const WRONG: &str = "n = int(input())\nprint(max(0, *map(int, input().split())))\n";
const FORMAT: &str = "n\na[n]\nwhere:\n    1 <= n <= 5\n    -9 <= a <= 9\n";

/// A folder with a wrong solution, a reference, a format, and samples that it passes.
fn problem() -> Folder {
    Folder::new()
        .file("sol.py", WRONG)
        .file("brute.py", RIGHT)
        .file("input.format", FORMAT)
        .file("1.in", "2\n1 2\n")
        .file("1.ans", "2\n")
}

/// Searches for the finding of the problem.
fn search(folder: &Folder) {
    folder.rebut("stress sol.py --seed 1 --cases 100 --certify 0s").exits(1);
}

#[test]
fn samples_are_listed_without_a_submission() {
    let folder = Folder::new().file("1.in", "1\n").file("1.out", "1\n").file("10.in", "1\n").file("10.out", "1\n");
    let folder = folder.file("2.in", "1\n").file("2.ans", "1\n").file("3.in", "1\n");
    let ran = folder.rebut("test --list").exits(0).shows("no answer beside `3.in`: left out");
    assert_eq!(ran.stdout, "1.in 1.out\n2.in 2.ans\n10.in 10.out\n");
    let ran = folder.rebut("test --list --json -").exits(0);
    let events: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let samples: Vec<&Value> = events.iter().filter(|event| event["event"] == "sample").collect();
    assert_eq!(samples.len(), 3);
    let second = ["name", "input", "answer"].map(|field| samples[1][field].as_str().unwrap());
    assert_eq!(second, ["2", "2.in", "2.ans"]);
    assert_eq!(events.last().unwrap()["event"], "summary");
    Folder::new().rebut("test --list").exits(2).shows("no samples were found in this folder");
}

#[test]
fn finding_becomes_a_sample() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = problem();
    search(&folder);
    let replay = format!("replay {}", folder.finding().name);
    folder.rebut(&format!("{replay} --save .")).exits(1).shows("`./` has a new sample, `kills_sol`");
    let input = folder.finding().read("input.txt");
    assert_eq!((folder.read("kills_sol.in"), folder.read("kills_sol.ans")), (input, "-1\n".to_owned()));
    folder.rebut("test sol.py").exits(1).shows("-1  AC").shows("-kills_sol  WA");
    // Once is enough, also after the submission is repaired; another input has a name of its own.
    folder.write("sol.py", RIGHT);
    folder.rebut(&format!("{replay} --save .")).exits(0).shows("`./` has this input already: `kills_sol`");
    folder.write("kills_sol.in", "2\n1 2\n");
    folder.write("kills_sol.ans", "2\n");
    folder.rebut(&format!("{replay} --save .")).exits(0).shows("has a new sample, `kills_sol_2`");
    folder.rebut("test sol.py").exits(0);
}

#[test]
fn added_sample_is_found_beside_others() {
    if !installed(&["python3"]) {
        return;
    }
    // Samples named so come alone.
    let folder = problem();
    search(&folder);
    let folder = folder.file("tests/sample-1.in", "2\n1 2\n").file("tests/sample-1.out", "2\n");
    std::fs::remove_file(folder.path("1.in")).unwrap();
    let replay = format!("replay {} --save .", folder.finding().name);
    folder.rebut(&replay).exits(1).shows("`./tests/` has a new sample, `sample-kills_sol`");
    folder.rebut("test sol.py").exits(1).shows("-sample-kills_sol  WA").shows("-sample-1  AC");
}

#[test]
fn finding_becomes_a_test_of_a_package() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = problem();
    search(&folder);
    for (name, text) in [
        ("problem.yaml", "name: Largest\n"),
        ("input.format", FORMAT),
        ("data/secret/1.in", "2\n1 2\n"),
        ("data/secret/1.ans", "2\n"),
        ("submissions/accepted/right.py", RIGHT),
    ] {
        folder.write(&format!("largest/{name}"), text);
    }
    let replay = format!("replay {} --save largest", folder.finding().name);
    folder.rebut(&replay).exits(1).shows("has a new test case, `kills_sol`");
    assert_eq!(folder.read("largest/data/secret/kills_sol.ans"), "-1\n");
    folder.rebut("verify largest --no-probes").exits(0).shows("2 test cases");
    folder.rebut(&replay.replace("largest", "missing")).exits(2).shows("`missing` does not exist");
}

#[test]
fn extension_of_vscode_understands_the_program() {
    if !installed(&["node"]) || !installed(&["python3"]) {
        return;
    }
    let folder = problem();
    let ran = Command::new("node")
        .arg("--test")
        .current_dir(home().join("editors/vscode"))
        .env("REBUT", env!("CARGO_BIN_EXE_rebut"))
        .env("PROBLEM", folder.path(""))
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
}

#[test]
fn commands_of_neovim_do_what_they_say() {
    if !installed(&["nvim"]) || !installed(&["python3"]) {
        return;
    }
    let folder = problem();
    let ran = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-S"])
        .arg(home().join("editors/neovim/test/commands.lua"))
        .env("REBUT", env!("CARGO_BIN_EXE_rebut"))
        .env("PROBLEM", folder.path(""))
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}
