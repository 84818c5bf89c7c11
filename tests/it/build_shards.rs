//! `rebut build` on several machines: shards of the tests of a recipe, and their merge.

use crate::build::tree;
use crate::environment::Folder;
use crate::programs::{FORMAT, RIGHT_C, WRONG_C};
use rebut_engine::BuiltPiece;
use rebut_packages::{JournalSet, JournalWriter};

/// All kinds of tests that need no compiler of their own.
const RECIPE: &str = "
[[test]]
group = 'sample'
text = '''
2
3 5
'''
[[test]]
name = 'tiny'
exhaustive = ['n = 1', '0 <= a <= 1']
[[test]]
name = 'any'
count = 3
[[test]]
copy = 'secret/tiny'
";

/// Entries with candidates, of which a selection becomes tests.
const CANDIDATES: &str = "[[test]]\nname = 'drawn'\ncandidates = 8\n[select]\ndepth = 1\ntests = 8\n";

/// Creates a package in `p/`: print the largest of some numbers.
fn package(recipe: &str) -> Folder {
    Folder::new()
        .file("p/problem.yaml", "name: Largest\nlimits:\n    time_limit: 5\n")
        .file("p/input.format", FORMAT)
        .file("p/submissions/accepted/right.c", RIGHT_C)
        .file("p/submissions/wrong_answer/zero.c", WRONG_C)
        .file("p/tests.toml", recipe)
}

/// Builds with a journal.
fn shard(folder: &Folder, journal: &str, shard: &str) -> crate::environment::Ran {
    folder.rebut(&format!("build p --no-verify --journal {journal} --shard {shard}"))
}

#[test]
fn merge_of_two_shards_is_the_test_set_of_one_job() {
    for (recipe, pieces) in [(RECIPE.to_owned(), 5), (format!("{RECIPE}{CANDIDATES}"), 13)] {
        let (one, two) = (package(&recipe), package(&recipe));
        let built = one.rebut("build p --no-verify --jobs 1").exits(0);
        shard(&two, "part-1", "1/2").exits(0).shows(&format!("shard 1/2: {} blocks", pieces / 2 + 1));
        assert!(!two.path("p/data").exists(), "a shard writes no test");
        let merge = |journals: &str| two.rebut(&format!("merge {journals} --jobs 1"));
        merge("part-1").exits(4).shows_all(&["not complete: blocks 2", "are missing"]);
        shard(&two, "part-2", "2/2").exits(0).shows(&format!("{} run now and 0 before", pieces / 2));
        let merged = merge("part-2 part-1").exits(0);
        assert_eq!(tree(&two.path("p/data")), tree(&one.path("p/data")));
        assert_eq!(merged.stdout, built.stdout);
        // Everything is there already.
        shard(&two, "part-1", "1/2").exits(0).shows("0 run now");
        merge("part-1 part-2").exits(0).shows("up to date");
        assert_eq!(tree(&two.path("p/data")), tree(&one.path("p/data")));
    }
}

#[test]
fn flaws_and_other_recipes_are_those_of_one_machine() {
    let recipe = RECIPE.replace("3 5\n", "3 5 7\n");
    let folder = package(&recipe);
    let one = folder.rebut("build p --no-verify --jobs 1").exits(2);
    let merged = folder.rebut("build p --no-verify --journal whole").exits(2);
    assert_eq!(merged.stdout, one.stdout);
    assert!(!folder.path("p/data").exists(), "a test set with flaws is not written");
    folder.write("p/tests.toml", RECIPE);
    shard(&folder, "whole", "1/2").exits(2).shows_all(&["another search", "tests in sample: "]).hides("in secret: ");
    // A reference that answers differently on another machine is not papered over.
    shard(&folder, "flaky", "1/1").exits(0);
    let set = JournalSet::open(&[folder.path("flaky")]).unwrap();
    let (pieces, ()) = set.read_block::<Vec<BuiltPiece>, ()>(0).runs.remove(0);
    let mut result = serde_json::to_value(pieces).unwrap();
    result[0]["inputs"][0]["answer"] = "7\n".into();
    let result: Vec<BuiltPiece> = serde_json::from_value(result).unwrap();
    JournalWriter::open(&folder.path("flaky"), set.manifest()).unwrap().write_block(0, result, ()).unwrap();
    folder.rebut("merge flaky").exits(3).shows_all(&["two runs of block 1", "flaky"]);
    folder.rebut("build p p --journal two").exits(2).shows("single problem");
}
