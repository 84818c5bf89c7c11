//! `rebut campaign` on a stand-in for HyperQueue: a script that knows the commands that campaigns use.

use crate::environment::{Folder, Typed};
use crate::programs::{FORMAT, RARELY_WRONG_C, RIGHT_C, WRONG_C};

/// A stand-in for `hq`. It runs the tasks of an array one after another when they are submitted, but not those that the
/// file `lost` names, and it does not answer if there is a file `down`, which it then removes. A file `forget` makes it
/// forget its jobs. The tasks that the file `held` names never begin.
const HQ: &str = r#"#!/bin/sh
state=$HQ_SERVER_DIR
printf '%s\n' "$*" >> "$state/log"
while [ "${1#--}" != "$1" ]; do shift 2; done
case "$1 $2" in
"worker list") echo '[{}]' ;;
"job cancel") touch "$state/cancelled" ;;
"job info")
    if [ -e "$state/down" ]; then rm "$state/down"; echo '{"error": "no server\n\nStack backtrace: x"}'; exit 1; fi
    if [ -e "$state/forget" ]; then rm "$state/forget"; echo '[]'; exit 0; fi
    cat "$state/job" ;;
submit*)
    while [ "$1" != -- ]; do
        case "$1" in
        --array=1-*) last=${1#--array=1-} ;;
        --env=*) export "${1#--env=}" ;;
        --stderr=*) stderr=${1#--stderr=}; mkdir -p "${stderr%/*}" ;;
        esac
        shift
    done
    shift
    finished=0; failed=0; waiting=0; tasks=
    for task in $(seq "$last"); do
        if grep -qx "$task" "$state/lost" 2>/dev/null; then continue; fi
        if grep -qx "$task" "$state/held" 2>/dev/null; then waiting=$((waiting + 1)); continue; fi
        if HQ_TASK_ID=$task "$@" > /dev/null 2> "${stderr%/*}/$task.stderr"; then
            finished=$((finished + 1))
        else
            failed=$((failed + 1)); tasks="$tasks,{\"id\": $task, \"state\": \"failed\"}"
        fi
    done
    rm -f "$state/lost"
    stats="{\"running\": 0, \"waiting\": $waiting, \"finished\": $finished, \"failed\": $failed, \"canceled\": 0, \"aborted\": 0}"
    echo "[{\"info\": {\"task_stats\": $stats}, \"tasks\": [${tasks#,}]}]" > "$state/job"
    echo '{"id": 7}' ;;
esac
"#;

fn folder() -> Folder {
    let folder = Folder::new().file("rare.c", RARELY_WRONG_C).file("brute.c", RIGHT_C).file("right.c", RIGHT_C);
    folder.script("bin/hq", HQ).file("hq/log", "")
}

/// Returns a command that finds the stand-in.
fn campaign<'f>(folder: &'f Folder, arguments: &str) -> Typed<'f> {
    let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").unwrap());
    let server = folder.path("hq").display().to_string();
    folder.typed(&format!("campaign {arguments}")).variable("PATH", path).variable("HQ_SERVER_DIR", server)
}

fn search(submission: &str) -> String {
    format!("stress {submission} -r brute.c -i '{FORMAT}' --cases 96 --certify 0s --journal blocks")
}

#[test]
fn campaign_is_the_search_of_one_machine() {
    let folder = folder();
    let ran = campaign(&folder, &format!("--shards 3 {} --seed 3 --json all.json", search("rare.c"))).run().exits(1);
    let one = folder.rebut(&search("rare.c").replace("--journal blocks", "--seed 3 --jobs 1")).exits(1);
    let first_line = |text: &str| text.split("after").next().unwrap().to_owned();
    assert_eq!(first_line(&ran.stdout), first_line(&one.stdout));
    assert!(folder.read("all.json").contains("\"summary\""));
    let log = folder.read("hq/log");
    assert!(log.contains("--array=1-3") && log.contains("--cpus=all") && log.contains("--env=REBUT_SHARDS=3"), "{log}");
    assert!(log.contains("--crash-limit=unlimited") && !log.contains("--json all.json"), "{log}");
}

#[test]
#[ignore = "nightly: it waits for a server that is down"]
fn campaign_survives_lost_tasks_and_a_server_that_forgets() {
    let folder = folder();
    for (name, text) in [("hq/lost", "2\n"), ("hq/down", ""), ("hq/forget", "")] {
        folder.write(name, text);
    }
    let ran = campaign(&folder, &format!("--shards 2 {}", search("right.c"))).run().exits(0);
    let ran = ran.shows_all(&[
        "does not answer: waiting",
        "has lost the job: its tasks are submitted again",
        "OK",
        "96 cases",
    ]);
    // The seed was chosen once, so the same command has nothing to do.
    let again = campaign(&folder, &search("right.c")).run().exits(0).shows_all(&["OK", "96 cases"]);
    assert_eq!(again.stdout, ran.stdout);
}

#[test]
fn campaign_stops_at_the_first_failure_of_any_shard() {
    let folder = folder().file("zero.c", WRONG_C);
    folder.write("hq/held", "1\n");
    let command = format!("--shards 2 --stop-at-failure {} --seed 1", search("zero.c"));
    let ran = campaign(&folder, &command).run().exits(1);
    ran.shows_all(&["FAIL  zero.c", "missing from the journal: an input before the failing one may fail as well"]);
    assert!(folder.path("hq/cancelled").exists(), "the tasks that wait are cancelled");
}

#[test]
fn tasks_that_fail_are_named_and_missing_blocks_too() {
    let folder = folder();
    folder.write("hq/lost", "2\n");
    let ran = campaign(&folder, &format!("--shards 2 {} --seed 1", search("right.c"))).run().exits(0);
    ran.shows_all(&["INCONCLUSIVE", "missing from the journal"]);
    let ran = campaign(&folder, &format!("--shards 2 {} --seed 2", search("right.c"))).run().exits(4);
    ran.shows_all(&["2 of 2 shards failed, the first of them shard 1", "another search"]);
    let other = search("right.c").replace("--journal blocks", "--journal other").replace("right.c", "absent.c");
    let ran = campaign(&folder, &format!("--shards 2 {other} --seed 1")).run().exits(4);
    ran.shows_all(&["2 of 2 shards failed", "absent.c"]);
}

#[test]
fn commands_that_cannot_be_shared_are_refused() {
    let folder = folder();
    for (command, message) in [
        ("stress rare.c --cases 9", "--journal"),
        ("shapes", "`stress`, `verify`, `strength`, `build` or `replay`"),
        ("stress rare.c --journal j --time 5s", "--time"),
        ("stress rare.c --cases 9 --journal j --shard 1/2", "--shard"),
    ] {
        campaign(&folder, command).run().exits(2).shows(message);
    }
    let ran = folder.typed("campaign verify p --journal j").variable("PATH", "").run().exits(4);
    ran.shows_all(&["`hq`", "not in PATH"]);
}
