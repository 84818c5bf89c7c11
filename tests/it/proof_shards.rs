//! `rebut replay` on several machines: shards of the proof that a finding is the smallest, and their merge.

use crate::certificate::{FORMAT, NEVER, pair};
use crate::environment::{Folder, Ran};
use crate::table_shards::events;

/// Creates a finding with 12 smaller inputs, and returns its name.
fn found() -> (Folder, String) {
    let folder = Folder::new().file("sol.c", NEVER).file("brute.c", pair(2, 1));
    folder.rebut(&format!("stress sol.c --input '{FORMAT}' --seed 1 --certify 0s")).exits(1).shows("2 | 2 1");
    let name = folder.finding().name.clone();
    (folder, name)
}

fn shard(folder: &Folder, finding: &str, options: &str) -> Ran {
    folder.rebut(&format!("replay {finding} --block 4 --journal {options}"))
}

#[test]
fn merge_of_two_shards_is_the_proof_of_one_job() {
    let (folder, finding) = found();
    folder.rebut(&format!("replay {finding} --certify 60s --jobs 1 --json one.json")).exits(1);
    shard(&folder, &finding, "part-1 --shard 1/2").exits(0).shows("shard 1/2: 2 blocks, 2 run now and 0 before");
    let merge = |journals: &str| folder.rebut(&format!("merge {journals} --json merged.json")).exits(1);
    merge("part-1").shows_all(&["block 2 of 3 is missing", "the proof ends there"]).hides("smallest possible");
    shard(&folder, &finding, "third --shard 1/3").exits(0);
    merge("third").shows("block 2 of an unknown number is missing");
    shard(&folder, &finding, "part-2 --shard 2/2").exits(0).shows("1 run now");
    merge("part-2 part-1").shows("smallest possible: all 12 smaller inputs pass");
    assert_eq!(events(&folder, "merged.json"), events(&folder, "one.json"));
    // Nothing is left to run, and everything at once is the same.
    shard(&folder, &finding, "part-2 --shard 2/2").exits(0).shows("0 run now and 1 before");
    shard(&folder, &finding, "all --json whole.json").exits(1).shows("smallest possible");
    assert_eq!(events(&folder, "whole.json"), events(&folder, "one.json"));
}

#[test]
fn smaller_failing_input_ends_a_shared_proof() {
    let (folder, finding) = found();
    folder.write(
        "sol.c",
        "#include <stdio.h>\nint main() { int n; scanf(\"%d\", &n); puts(n < 2 ? \"NO\" : \"MAYBE\"); }\n",
    );
    shard(&folder, &finding, "part-2 --shard 2/2").exits(0).shows("1 run now");
    // No input of a single number fails, so block 1 is needed.
    folder.rebut("merge part-2").exits(1).shows("block 1 of 2 is missing").hides("also fails");
    shard(&folder, &finding, "part-1 --shard 1/2").exits(0);
    let merged = folder.rebut("merge part-1 part-2").exits(1);
    merged.shows_all(&["a smaller input also fails", "  a smaller input that also fails\n   1 | 2\n   2 | 0 0\n"]);
    folder.write("brute.c", pair(1, 2));
    folder.rebut("merge part-1 part-2").exits(2).shows("reference: ");
    shard(&folder, &finding, "part-3 --certify 3s").exits(2).shows("--certify");
}
