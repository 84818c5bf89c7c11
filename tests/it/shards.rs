//! A search on several machines: shards, journals, and their merge, which is the same as one machine with one job.

use crate::environment::{Folder, Ran, skipped};
use crate::programs::{FORMAT, RARELY_WRONG_C, RIGHT_C, WRONG_C};
use rebut_engine::{BlockResult, BlockTimes};
use rebut_packages::{JournalSet, JournalWriter};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::process::Command;

/// Options of a search that finds both submissions wrong.
fn wrong_search() -> String {
    format!("stress rare.c wrong.c --reference brute.c --input '{FORMAT}' --seed 3 --cases 200 --certify 0s")
}

/// Options of a search that finds nothing.
fn right_search() -> String {
    format!("stress right.c --reference brute.c --input '{FORMAT}' --seed 1 --cases 96")
}

fn programs() -> Folder {
    let folder = Folder::new().file("rare.c", RARELY_WRONG_C).file("wrong.c", WRONG_C);
    folder.file("right.c", RIGHT_C).file("brute.c", RIGHT_C)
}

/// Returns the events of a report without what depends on time.
fn events(folder: &Folder, name: &str) -> Vec<Value> {
    let lines = folder.read(name);
    let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let events = events.filter(|event| !["progress", "shrinking"].contains(&event["event"].as_str().unwrap()));
    events.map(without_times).collect()
}

fn without_times(value: Value) -> Value {
    const TIMES: [&str; 10] = [
        "elapsed_ms",
        "wall_time_ms",
        "time_ms",
        "cpu_time_ms",
        "shrink_time_ms",
        "time_budget_ms",
        "programs_cpu_time_us",
        "memory_peak_bytes",
        "shares",
        "cached",
    ];
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, _)| !TIMES.contains(&name.as_str()));
            Value::Object(kept.map(|(name, value)| (name, without_times(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_times).collect()),
        other => other,
    }
}

/// Returns the files of all findings, without times.
fn findings(folder: &Folder) -> Vec<[String; 4]> {
    let read = |finding: crate::environment::Finding<'_>| {
        let mut record = finding.record();
        record["certificate"] = Value::Null;
        [finding.name.clone(), record.to_string(), finding.read("input.txt"), finding.read("original.txt")]
    };
    folder.findings().into_iter().map(read).collect()
}

fn forget_findings(folder: &Folder) {
    fs::remove_dir_all(folder.path("findings")).unwrap();
}

fn block_names(folder: &Folder, journal: &str) -> Vec<String> {
    folder.names(journal).into_iter().filter(|name| name.starts_with("block-")).collect()
}

/// Runs all shards of a search, each with a journal of its own.
fn run_shards(folder: &Folder, search: &str, count: usize) {
    for number in 1..=count {
        folder.rebut(&format!("{search} --journal part-{number} --shard {number}/{count}")).exits(0).shows("DONE");
    }
}

/// Packs a journal as CI systems do.
fn pack(folder: &Folder, journal: &str) {
    let mut archive = zip::ZipWriter::new(fs::File::create(folder.path(&format!("{journal}.zip"))).unwrap());
    for name in folder.names(journal) {
        archive.start_file(format!("{journal}/{name}"), zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(folder.read(&format!("{journal}/{name}")).as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    fs::remove_dir_all(folder.path(journal)).unwrap();
}

#[test]
fn merge_of_eight_shards_is_the_search_of_one_job() {
    let folder = programs();
    let search = wrong_search();
    folder.rebut(&format!("{search} --jobs 1 --json one.json")).exits(1);
    let (one_events, one_findings) = (events(&folder, "one.json"), findings(&folder));
    assert_eq!(one_findings.len(), 2);
    run_shards(&folder, &search, 8);
    pack(&folder, "part-2");
    forget_findings(&folder);
    fs::create_dir(folder.path("downloads")).unwrap();
    for name in ["part-2.zip", "part-3"] {
        fs::rename(folder.path(name), folder.path(&format!("downloads/{name}"))).unwrap();
    }
    let parts = "part-8 downloads part-1 part-4 part-5 part-6 part-7 part-1";
    let merged = folder.rebut(&format!("merge {parts} --jobs 1 --json merged.json")).exits(1);
    assert_eq!(events(&folder, "merged.json"), one_events, "{merged}");
    assert_eq!(findings(&folder), one_findings);
    // The same from one journal on one machine, with several jobs, and from its merge.
    for (command, name) in [(format!("{search} --journal whole"), "whole"), ("merge whole".to_owned(), "again")] {
        forget_findings(&folder);
        folder.rebut(&format!("{command} --json {name}.json")).exits(1);
        assert_eq!(findings(&folder), one_findings);
        let summary = |events: &[Value]| events.last().unwrap().clone();
        assert_eq!(summary(&events(&folder, &format!("{name}.json"))), summary(&one_events));
    }
}

#[test]
fn counts_do_not_depend_on_the_number_of_jobs() {
    let folder = programs();
    let summary = |jobs: usize| {
        folder.rebut(&format!("{} --jobs {jobs} --no-save --json {jobs}.json", wrong_search())).exits(1);
        events(&folder, &format!("{jobs}.json")).pop().unwrap()
    };
    let alone = summary(1);
    assert_eq!(alone["progress"]["cases"], 91, "one worker stops at the last first failure");
    assert_eq!(summary(3), alone);
}

#[test]
fn missing_blocks_are_named_and_a_shard_runs_them() {
    let folder = programs();
    let search = right_search();
    run_shards(&folder, &search, 2);
    folder.rebut("merge part-1 part-2").exits(0).shows_all(&["OK", "96 cases"]);
    let merged = folder.rebut("merge part-1").exits(0);
    merged
        .shows_all(&["INCONCLUSIVE", "blocks 2, 4 and 6 of 6 are missing from the journal", "run their shards"])
        .hides("search longer");
    // A damaged file is as good as a missing one.
    let name = &block_names(&folder, "part-2")[1];
    let path = format!("part-2/{name}");
    let whole = folder.read(&path);
    folder.write(&path, &whole[..whole.len() / 2]);
    let merged = folder.rebut("merge part-1 part-2").exits(0);
    merged.shows_all(&["the file of a block is damaged", name, "INCONCLUSIVE", "block 4 of 6 is missing"]);
    let again = folder.rebut(&format!("{search} --journal part-2 --shard 2/2")).exits(0);
    again.shows_all(&["damaged", "it is run again", "3 blocks, 1 run now and 2 before"]);
    folder.rebut("merge part-1 part-2").exits(0).shows("OK").hides("damaged");
}

#[test]
fn finding_is_reported_though_blocks_are_missing() {
    let folder = programs();
    folder.rebut(&format!("{} --journal part --shard 6/8", wrong_search())).exits(0).shows("failing");
    let merged = folder.rebut("merge part").exits(1);
    merged.shows_all(&[
        "warning: blocks",
        "missing from the journal",
        "an input before the failing one may fail",
        "FAIL",
    ]);
}

#[test]
fn program_that_does_not_compile_is_a_result_of_the_merge() {
    let folder = programs().file("sol.c", "int main( {\n");
    let search = right_search().replace("right.c", "sol.c");
    folder.rebut(&search).exits(1).shows("compile error");
    run_shards(&folder, &search, 2);
    folder.rebut("merge part-1 part-2").exits(1).shows_all(&["FAIL", "sol.c", "compile error"]);
    // Nor does a shard draw a conclusion when there is nothing to search.
    folder.write("p/problem.yaml", "name: Twice\n");
    folder.write("p/input.format", FORMAT);
    folder.write("p/submissions/accepted/right.c", RIGHT_C);
    let search = "stress --problem p --seed 1 --cases 96";
    let one = folder.rebut(search).exits(0);
    folder.rebut(&format!("{search} --journal none --shard 1/2")).exits(0);
    assert_eq!(folder.rebut("merge none").exits(0).stdout, one.stdout);
}

#[test]
fn flaky_program_is_named() {
    let folder = programs();
    folder.rebut(&format!("{} --journal whole", right_search())).exits(0);
    let set = JournalSet::open(&[folder.path("whole")]).unwrap();
    let (mut result, times) = set.read_block::<BlockResult, BlockTimes>(2).runs.remove(0);
    let verdicts = &mut result.stretches[0].verdicts[0];
    verdicts.insert(rebut_packages::verdict::Verdict::TimeLimit, 1);
    let writer = JournalWriter::open(&folder.path("whole"), set.manifest()).unwrap();
    writer.write_block(2, result, times).unwrap();
    let merged = folder.rebut("merge whole").exits(0);
    merged.shows_all(&["right.c is flaky", "block 3", "FLAKY"]);
}

#[test]
fn killed_shard_resumes() {
    let folder = programs();
    let search =
        format!("{} --cases 960 --block 16 --journal whole --jobs 1", right_search().replace("--cases 96", ""));
    let running = folder.typed(&search).start();
    while block_names(&folder, "whole").len() < 2 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    running.signal(rustix::process::Signal::KILL);
    let kept = block_names(&folder, "whole");
    running.finish();
    let ran = folder.rebut(&search).exits(0).shows_all(&["OK", "960 cases"]);
    let all = block_names(&folder, "whole");
    assert!(all.len() == 60 && kept.iter().all(|name| all.contains(name)), "{ran}");
    let again: Ran = folder.rebut(&search).exits(0);
    assert_eq!(again.stdout, ran.stdout, "the same time of the same blocks");
}

#[test]
fn other_searches_are_refused() {
    let folder = programs();
    let search = right_search();
    folder.rebut(&format!("{search} --journal one")).exits(0);
    let other = search.replace("--seed 1", "--seed 2");
    let refused = folder.rebut(&format!("{other} --journal one")).exits(2);
    refused.shows_all(&["`one`", "another search", "seed: 1 / 2"]);
    folder.rebut(&format!("{other} --journal two")).exits(0);
    folder.rebut("merge one two").exits(2).shows_all(&["`two` is of another search than `one`", "seed: 1 / 2"]);
    folder.write("right.c", format!("{RIGHT_C}// changed\n"));
    folder.rebut("merge one").exits(2).shows_all(&["in this folder", "submission 1 right.c"]);
    folder.rebut("merge findings").exits(2);
}

#[test]
fn machines_with_other_compilers_are_not_merged() {
    let folder = programs().script("patched-gcc", "#!/bin/sh\nexec gcc \"$@\"\n");
    let search = right_search();
    folder.rebut(&format!("{search} --journal part-1 --shard 1/2")).exits(0);
    let elsewhere = folder.typed(&format!("{search} --journal part-2 --shard 2/2"));
    elsewhere.variable("CC", folder.path("patched-gcc").display().to_string()).run().exits(0);
    let refused = folder.rebut("merge part-1 part-2").exits(2);
    refused.shows_all(&["`part-2` is of another search than `part-1`", "gcc for C, file: "]).hides("gcc for C: ");
    // Nor is a merge on a machine with another compiler, which would make other programs.
    folder.rebut("merge part-2").exits(2).shows_all(&["in this folder", "gcc for C, file: "]);
}

#[test]
fn shards_need_a_plan_that_is_the_same_everywhere() {
    let folder = programs();
    let search = format!("stress right.c --reference brute.c --input '{FORMAT}' --journal j");
    folder.rebut(&search).exits(2).shows("--cases");
    folder.rebut(&format!("{search} --cases 90 --shard 1/2")).exits(2).shows("--seed");
    folder.rebut(&format!("{search} --cases 90 --shard 3/2")).exits(2).shows("3/8");
}

#[test]
fn shard_of_a_ci_system_is_taken_from_its_variables() {
    let folder = programs();
    let search = format!("{} --journal part", right_search());
    let typed = folder.typed(&search).variable("CI_NODE_INDEX", "2").variable("CI_NODE_TOTAL", "3");
    typed.run().exits(0).shows("shard 2/3: 2 blocks");
    let typed = folder.typed(&search).variable("CI_NODE_INDEX", "4").variable("CI_NODE_TOTAL", "3");
    typed.run().exits(2).shows_all(&["CI_NODE_INDEX=4", "--shard"]);
}

/// Returns the only command of rebut in the steps of a job of the workflow.
fn workflow_command(job: &str) -> String {
    let text = fs::read_to_string(crate::environment::home().join("docs/github-shards.yml")).unwrap();
    let workflow: Value = serde_saphyr::from_str(&text).unwrap();
    let steps = workflow["jobs"][job]["steps"].as_array().unwrap();
    let runs = steps.iter().filter_map(|step| step["run"].as_str()?.strip_prefix("rebut "));
    let [command] = runs.collect::<Vec<_>>()[..] else { panic!("one command in {job}") };
    command.to_owned()
}

#[test]
fn workflow_of_github_merges_what_its_matrix_found() {
    let format = "n\na[n]\nwhere:\n    1 <= n <= 8\n    -9 <= a <= 9\n";
    let folder = programs().file("sol.c", RARELY_WRONG_C).file("input.format", format);
    let shard =
        workflow_command("shard").replace("--cases 1000000 --seed 1 --require-isolation", "--cases 200 --seed 3");
    for number in 1..=8 {
        folder.rebut(&shard.replace("${{ matrix.shard }}", &number.to_string())).exits(0);
        // As an artifact is uploaded here, and downloaded there.
        fs::create_dir_all(folder.path("journals")).unwrap();
        fs::rename(folder.path("blocks"), folder.path(&format!("journals/blocks-{number}"))).unwrap();
    }
    let merged = folder.rebut(&workflow_command("merge")).exits(1);
    merged.shows_all(&["FAIL  sol.c: wrong answer   input 91", "::error"]);
}

#[test]
fn full_disk_ends_a_shard_and_keeps_whole_blocks() {
    let mount = ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/tmp"];
    if !Command::new("unshare").args(mount).output().is_ok_and(|output| output.status.success()) {
        return skipped("no file system can be mounted here");
    }
    let folder = programs().file("full/x", "");
    let full = "mount -t tmpfs -o size=32k none full; \"$@\"; status=$?; cp -r full/journal kept; exit $status";
    let search = format!("{} --cases 960 --block 16", right_search().replace("--cases 96", ""));
    let command = folder.typed(&format!("{search} --journal full/journal"));
    let ran = command.through(&["unshare", "--map-root-user", "--mount", "sh", "-c", full, "sh"]).run().exits(4);
    ran.shows_all(&["failed to", "full/journal", "no space left on device"]);
    let kept = block_names(&folder, "kept").len();
    assert!(kept > 0);
    let merged = folder.rebut("merge kept").exits(0).hides("damaged");
    merged.shows_all(&["INCONCLUSIVE", "missing from the journal"]);
}

/// Options of an exhaustive search of 380 inputs.
fn exhaustive_search(submission: &str) -> String {
    let format = "n; a[n] where 1<=n<=2; -9<=a<=9";
    let options = "--exhaustive --block 32 --engine exec --certify 60s";
    format!("stress {submission} --reference brute.c --input '{format}' {options}")
}

#[test]
fn shards_of_an_exhaustive_search_prove_what_one_machine_proves() {
    let folder = programs();
    let search = exhaustive_search("right.c");
    folder.rebut(&format!("{} --seed 1 --jobs 1 --json one.json", search.replace("--block 32", ""))).exits(0);
    run_shards(&folder, &search, 3);
    let merged = folder.rebut("merge part-1 part-2 part-3 --jobs 1 --json merged.json").exits(0);
    assert_eq!(events(&folder, "merged.json"), events(&folder, "one.json"), "{merged}");
    merged.shows("all 380 inputs agree");
    // Nothing is left to run, and a gap ends the proof.
    folder.rebut(&format!("{search} --journal part-1 --shard 1/3")).exits(0).shows("4 blocks, 0 run now and 4 before");
    let merged = folder.rebut("merge part-1 part-3").exits(0);
    merged.shows_all(&["INCONCLUSIVE", "blocks 2, 5, 8 and 11 of an unknown number", "the 32 smallest inputs"]);
    folder.rebut("merge part-1 part-2").exits(0).shows_all(&["INCONCLUSIVE", "the 64 smallest inputs"]);
}

#[test]
fn shards_of_an_exhaustive_search_find_the_smallest_counterexample() {
    let folder = programs();
    let search = exhaustive_search("rare.c wrong.c");
    folder.rebut(&format!("{} --seed 1 --jobs 1 --json one.json", search.replace("--block 32", ""))).exits(1);
    let (one_events, one_findings) = (events(&folder, "one.json"), findings(&folder));
    run_shards(&folder, &search, 2);
    forget_findings(&folder);
    let merged = folder.rebut("merge part-1 part-2 --jobs 1 --json merged.json").exits(1);
    assert_eq!(findings(&folder), one_findings, "{merged}");
    assert_eq!(events(&folder, "merged.json"), one_events, "{merged}");
}
