//! `rebut strength` on several machines: shards of the table and of the mutants, and their merge.

use crate::environment::{Folder, installed};
use crate::programs::{RIGHT_C, WRONG_C};
use crate::table_shards::events;
use rebut_engine::{MutantBlock, MutantBlockTimes};
use rebut_packages::{JournalSet, JournalWriter};
use std::fs;

/// How the strength is measured, apart from what differs from test to test.
const STRENGTH: &str = "strength p --no-cache --mutants 10";

/// The largest number, without a header that takes long to compile. No mutant reads a variable that has no value.
const RIGHT_CPP: &str = r#"extern "C" int scanf(const char*, ...);
extern "C" int printf(const char*, ...);
int main() {
    static int n, x;
    int best = -100;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &x);
        if (x > best) best = x;
    }
    printf("%d\n", best);
}
"#;

/// Creates a package: print the largest of some numbers. Without a format, no inputs are searched for that kill mutants.
fn package() -> Folder {
    let mut folder = Folder::new()
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 5\n")
        .file("p/submissions/accepted/right.cpp", RIGHT_CPP)
        .file("p/submissions/accepted/zero.c", WRONG_C)
        .file("p/submissions/wrong_answer/w_right.c", RIGHT_C);
    for (name, input, answer) in [("sample/1", "2\n3 5\n", "5\n"), ("secret/2", "2\n-3 -5\n", "-3\n")] {
        folder = folder.file(&format!("p/data/{name}.in"), input).file(&format!("p/data/{name}.ans"), answer);
    }
    folder
}

#[test]
fn merge_of_two_shards_is_the_strength_of_one_job() {
    if !installed(&["g++"]) {
        return;
    }
    let folder = package();
    let one = folder.rebut(&format!("{STRENGTH} --jobs 1 --json one.json")).exits(1);
    let one = one.shows_all(&["not accepted: `accepted/zero.c`", "10 mutants"]);
    // Six blocks of the table, and three of mutants.
    let shard = |number: usize, count: usize, journal: &str| {
        folder.rebut(&format!("{STRENGTH} --block 4 --journal {journal} --shard {number}/{count}")).exits(0)
    };
    shard(1, 2, "part-1").shows("shard 1/2: 5 blocks, 5 run now and 0 before");
    let merge = |journals: &str| folder.rebut(&format!("merge {journals} --jobs 1 --json merged.json"));
    merge("part-1").exits(4).shows("blocks 2, 4 and 6 of 6 are missing");
    shard(2, 2, "part-2").shows("shard 2/2: 4 blocks, 4 run now and 0 before");
    let merged = merge("part-2 part-1").exits(1);
    assert_eq!(events(&folder, "merged.json"), events(&folder, "one.json"));
    let without_times = |text: &str| {
        let (before, times) = text.split_once("10 of 17 tried").unwrap();
        [before, times.split_once("100% without").unwrap().1].concat()
    };
    assert_eq!(without_times(&merged.stdout), without_times(&one.stdout));
    // A block of mutants that is lost is run again, and no other.
    let name = folder.names("part-2").into_iter().find(|name| name.starts_with("block-00000007")).unwrap();
    fs::remove_file(folder.path(&format!("part-2/{name}"))).unwrap();
    merge("part-1 part-2").exits(4).shows("block 8 of 9 is missing");
    shard(2, 2, "part-2").shows("shard 2/2: 4 blocks, 1 run now and 3 before");
    merge("part-1 part-2").exits(1);
    assert_eq!(events(&folder, "merged.json"), events(&folder, "one.json"));
}

#[test]
fn flaky_mutants_are_named_and_other_tests_are_refused() {
    if !installed(&["g++"]) {
        return;
    }
    let folder = package();
    folder.rebut(&format!("{STRENGTH} --journal whole")).exits(1).shows("10 mutants");
    let set = JournalSet::open(&[folder.path("whole")]).unwrap();
    let (mut result, times) = set.read_block::<MutantBlock, MutantBlockTimes>(6).runs.remove(0);
    result.fates[0].is_rejected = true;
    JournalWriter::open(&folder.path("whole"), set.manifest()).unwrap().write_block(6, result, times).unwrap();
    folder.rebut("merge whole").exits(1).shows_all(&["a mutant of `accepted/right.cpp` is flaky", "line 6"]);
    folder.write("p/data/secret/2.in", "2\n-3 -6\n");
    folder.rebut("merge whole").exits(2).shows("tests in secret: ");
    folder.rebut(&format!("{STRENGTH} --journal whole --shard 1/2")).exits(2).shows("tests in secret: ");
    folder.rebut("strength p --save --journal whole").exits(2).shows("--journal");
}
