//! `rebut verify` on several machines: shards of a verdict table, and their merge.

use crate::environment::{Folder, Ran};
use crate::programs::{FORMAT, RIGHT_C, WRONG_C, c_about_n};
use rebut_packages::{JournalSet, JournalWriter};
use serde_json::Value;
use std::fs;

/// How the table is made, apart from what differs from test to test.
const VERIFY: &str = "verify p --no-cache --no-probes";

/// Creates a package: print the largest of some numbers. One submission does not compile, and one is not as expected.
pub(crate) fn package() -> Folder {
    let mut folder = Folder::new()
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 5\n")
        .file("p/input.format", FORMAT)
        .file("p/submissions/accepted/right.c", RIGHT_C)
        .file("p/submissions/accepted/zero.c", WRONG_C)
        .file("p/submissions/wrong_answer/broken.c", "int main() { return x; }\n")
        .file("p/submissions/run_time_error/abort.c", c_about_n("abort();"));
    for (name, input, answer) in
        [("sample/1", "2\n3 5\n", "5\n"), ("secret/2", "2\n-3 -5\n", "-3\n"), ("secret/3", "1\n7\n", "7\n")]
    {
        folder = folder.file(&format!("p/data/{name}.in"), input).file(&format!("p/data/{name}.ans"), answer);
    }
    folder
}

/// Returns the events of a report without times.
pub(crate) fn events(folder: &Folder, name: &str) -> Vec<Value> {
    let text = folder.read(name);
    let mut events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    events.retain(|event| event["event"] != "compiled" && event["event"] != "activity");
    events.iter_mut().for_each(forget_times);
    events
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_time = |name: &str| name.ends_with("_ms") || name == "memory_peak_bytes" || name == "slowest";
            fields.retain(|name, _| !is_time(name));
            fields.values_mut().for_each(forget_times);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}

/// Returns a JUnit report without the values of its attributes `time` and `timestamp`.
fn junit(folder: &Folder, name: &str) -> String {
    let text = folder.read(name);
    let mut parts = text.split(" time");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |kept, part| kept + part.splitn(3, '"').last().unwrap_or_default())
}

/// Runs all shards, each with a journal of its own. Returns the names of the journals.
fn run_shards(folder: &Folder, options: &str, count: usize) -> String {
    let run = |number: usize| {
        let options = format!("{VERIFY} {options} --journal part-{number} --shard {number}/{count}");
        folder.rebut(&options).exits(0).shows("DONE").hides("FAIL");
        format!("part-{number}")
    };
    (1..=count).map(run).collect::<Vec<_>>().join(" ")
}

fn merge(folder: &Folder, journals: &str, report: &str) -> Ran {
    folder.rebut(&format!("merge {journals} --jobs 1 --json {report}.json --junit {report}.xml"))
}

#[test]
fn merge_of_three_shards_is_the_table_of_one_job() {
    let folder = package();
    for (options, runs) in [("", "9 runs"), ("--lazy", "6 runs")] {
        let ran = folder.rebut(&format!("{VERIFY} {options} --jobs 1 --json one.json --junit one.xml")).exits(1);
        ran.shows(runs);
        let parts = run_shards(&folder, options, 3);
        merge(&folder, &parts, "merged").exits(1).shows_all(&["FAIL  2 of 4 submissions", runs]);
        assert_eq!(events(&folder, "merged.json"), events(&folder, "one.json"));
        assert_eq!(junit(&folder, "merged.xml"), junit(&folder, "one.xml"));
        // In any order, and with copies. Even the times are those of the journals.
        merge(&folder, "part-3 part-1 part-3 part-2", "again").exits(1);
        let cells = |name: &str| folder.read(name).lines().filter(|line| line.contains("_time_ms")).count();
        assert_eq!(cells("again.json"), cells("merged.json"));
        assert_eq!(events(&folder, "again.json"), events(&folder, "merged.json"));
        for part in parts.split(' ') {
            fs::remove_dir_all(folder.path(part)).unwrap();
        }
    }
}

#[test]
fn table_with_missing_blocks_has_no_result() {
    let folder = package();
    run_shards(&folder, "", 2);
    let merged = merge(&folder, "part-1", "merged").exits(4);
    merged.shows_all(&["INCOMPLETE", "5 of 12 runs known", "blocks 2, 4, 6 and 8 of 9 are missing", "is not verified"]);
    // A damaged block is as good as a missing one, and its shard runs it again.
    let name = folder.names("part-2").into_iter().find(|name| name.starts_with("block-00000003")).unwrap();
    folder.write(&format!("part-2/{name}"), "{}");
    merge(&folder, "part-1 part-2", "merged").exits(4).shows_all(&["damaged", &name, "block 4 of 9 is missing"]);
    let again = folder.rebut(&format!("{VERIFY} --journal part-2 --shard 2/2")).exits(0);
    again.shows("shard 2/2: 4 blocks, 1 run now and 3 before");
    merge(&folder, "part-1 part-2", "merged").exits(1).hides("damaged");
    // Nothing is left to run on one machine that has all blocks.
    fs::create_dir_all(folder.path("all")).unwrap();
    for part in ["part-1", "part-2"] {
        for name in folder.names(part) {
            fs::copy(folder.path(&format!("{part}/{name}")), folder.path(&format!("all/{name}"))).unwrap();
        }
    }
    folder.rebut(&format!("{VERIFY} --journal all --json whole.json --jobs 1")).exits(1);
    assert_eq!(events(&folder, "whole.json"), events(&folder, "merged.json"));
}

#[test]
fn flaky_submission_of_a_table_is_named() {
    let folder = package();
    folder.rebut(&format!("{VERIFY} -s right.c --journal whole")).exits(0);
    let set = JournalSet::open(&[folder.path("whole")]).unwrap();
    let (mut result, times) = set.read_block::<Value, Value>(1).runs.remove(0);
    result[0]["verdict"] = "WA".into();
    JournalWriter::open(&folder.path("whole"), set.manifest()).unwrap().write_block(1, result, times).unwrap();
    let merged = merge(&folder, "whole", "merged").exits(1);
    merged.shows_all(&["`accepted/right.c` is flaky: two runs on `secret/2` are", "not as expected", "FAIL"]);
}

#[test]
fn tables_of_other_tests_are_not_merged() {
    let folder = package();
    folder.rebut(&format!("{VERIFY} -s right.c --journal one --shard 1/2")).exits(0);
    folder.write("p/data/secret/3.in", "1\n8\n");
    let merged = merge(&folder, "one", "merged").exits(2);
    merged.shows_all(&["in this folder", "tests in secret: "]).hides("tests in sample");
    let other = folder.rebut(&format!("{VERIFY} -s right.c --journal one --shard 2/2")).exits(2);
    other.shows_all(&["another search", "tests in secret: "]);
}

#[test]
fn shards_of_a_table_need_a_time_limit_and_one_problem() {
    let folder = package();
    folder.rebut(&format!("{VERIFY} p --journal one")).exits(2).shows("single problem");
    folder.write("p/problem.yaml", "name: Largest\n");
    folder.rebut(&format!("{VERIFY} -s right.c --journal one")).exits(2).shows_all(&["time limit", "--time-limit"]);
    folder.rebut(&format!("{VERIFY} -s right.c --journal one --time-limit 5s")).exits(0).shows("OK");
}

#[test]
fn machines_share_the_results_of_a_store() {
    let folder = package();
    let verify = |machine: &str| {
        let typed =
            folder.typed("verify p --no-probes").variable("REBUT_CACHE", folder.path(machine).display().to_string());
        typed.variable("REBUT_STORE", folder.path("store").display().to_string()).run().exits(1)
    };
    verify("machine-1").shows("9 runs").hides("cached)");
    verify("machine-2").shows("9 runs (9 cached)");
    // An entry that is not whole is made again.
    let group = &folder.names("store")[0];
    let entry = format!("store/{group}/{}", folder.names(&format!("store/{group}"))[0]);
    folder.write(&entry, folder.read(&entry).replace("\"value\"", "\"verdict\""));
    verify("machine-3").shows("9 runs (8 cached)");
    verify("machine-4").shows("9 runs (9 cached)");
}
