//! `rebut build`: test sets from recipes.

use crate::environment::{Folder, Ran, home, installed, make_executable};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FORMAT: &str =
    "n K\na[n]\nwhere:\n    1 <= n <= 1000\n    1 <= K <= n\n    -10^9 <= a <= 10^9\n    subtask small (20): n <= 10\n";

/// Prints the sum of the K largest numbers.
const SUM: &str = "use std::io::*;
fn main() {
    let mut s = String::new();
    stdin().read_to_string(&mut s).unwrap();
    let mut v: Vec<i64> = s.split_whitespace().map(|x| x.parse().unwrap()).collect();
    let k = v[1] as usize;
    v.drain(..2);
    v.sort_by(|a, b| b.cmp(a));
    println!(\"{}\", v[..k].iter().sum::<i64>());
}
";

/// Creates a package in `p/` with this recipe.
fn package(recipe: &str) -> Folder {
    Folder::new()
        .file("p/input.format", FORMAT)
        .file("p/problem.yaml", "name: Sums\n")
        .file("p/submissions/accepted/sum.rs", SUM)
        .file("p/tests.toml", recipe)
}

fn build(folder: &Folder, options: &str) -> Ran {
    folder.rebut(&format!("build p --no-verify {options}"))
}

/// Returns the bytes of all files below a folder by path.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

const MIXED: &str = "
[[test]]
group = 'sample'
text = '''
2 1
5 7
'''
answer = '7'
[[test]]
name = 'tiny'
exhaustive = ['n <= 2', '0 <= a <= 1']
[[test]]
name = 'any'
count = 3
growth = 50
[[test]]
name = 'sorted'
shape = 'sorted'
where = 'n <= 20'
";

#[test]
fn build_does_not_depend_on_the_number_of_jobs() {
    let (one, four) = (package(MIXED), package(MIXED));
    build(&one, "--jobs 1").exits(0).shows("new files");
    build(&four, "--jobs 4").exits(0);
    assert_eq!(tree(&one.path("p")), tree(&four.path("p")));
    assert_eq!(one.read("p/data/sample/1.ans"), "7");
    assert_eq!(one.names("p/data/secret").iter().filter(|name| name.contains("_any_")).count(), 6);
    // Four of one number and eight of two: for K = 1 and K = 2, two numbers each.
    assert_eq!(one.names("p/data/secret").iter().filter(|name| name.contains("_tiny_")).count(), 2 * (2 + 8));
    build(&one, "--check --force").exits(0).shows("up to date");
}

#[test]
fn unchanged_tests_are_not_rebuilt() {
    let folder = package(MIXED);
    build(&folder, "").exits(0);
    let before = tree(&folder.path("p/data"));
    // A test in front of the others changes their names and none of their bytes.
    folder.write(
        "p/tests.toml",
        MIXED.replacen(
            "[[test]]\nname = 'tiny'",
            "[[test]]\nname = 'new'\ncopy = 'sample/1'\n[[test]]\nname = 'tiny'",
            1,
        ),
    );
    let kept = build(&folder, "--verbose").exits(0).stdout.matches(" kept ").count();
    assert!(kept >= 15, "{kept}");
    let after = tree(&folder.path("p/data"));
    assert_eq!(before["secret/2_any_1.in"], after["secret/3_any_1.in"]);
    assert!(!after.contains_key("secret/2_any_1.in"), "{:?}", after.keys());
    build(&folder, "--check").exits(0).shows("up to date");
}

#[test]
fn check_names_differences_and_writes_nothing() {
    let folder = package(MIXED);
    build(&folder, "--check").exits(1).shows("missing").shows("sample/1.in").shows("differs");
    assert!(!folder.path("p/data").exists() && !folder.path("p/tests.lock").exists());
    build(&folder, "").exits(0);
    folder.write("p/tests.toml", MIXED.replace("n <= 20", "n >= 100"));
    let before = tree(&folder.path("p"));
    build(&folder, "--check").exits(1).shows("changed  secret/3_sorted.in");
    assert_eq!(before, tree(&folder.path("p")));
}

#[test]
fn foreign_and_edited_files_are_kept() {
    let folder = package(MIXED);
    folder.write("p/data/secret/mine.in", "1 1\n5\n");
    build(&folder, "").exits(2).shows("foreign  secret/mine.in");
    assert!(!folder.path("p/data/sample/1.in").exists());
    fs::remove_file(folder.path("p/data/secret/mine.in")).unwrap();
    build(&folder, "").exits(0);
    folder.write("p/data/sample/1.in", "1 1\n5\n");
    build(&folder, "").exits(2).shows("edited   sample/1.in");
    assert_eq!(folder.read("p/data/sample/1.in"), "1 1\n5\n");
    build(&folder, "--force").exits(0);
    assert_eq!(folder.read("p/data/sample/1.in"), "2 1\n5 7\n");
    // Files of an earlier recipe are removed, unless they have been edited since.
    folder.write("p/tests.toml", "[[test]]\nname = 'only'\n");
    folder.write("p/data/secret/3_sorted.in", "1 1\n6\n");
    build(&folder, "").exits(2).shows("edited   secret/3_sorted.in");
    fs::remove_file(folder.path("p/data/secret/3_sorted.in")).unwrap();
    build(&folder, "").exits(0);
    assert_eq!(tree(&folder.path("p/data")).len(), 2);
    assert!(!folder.path("p/data/sample").exists() || folder.names("p/data/sample").is_empty());
}

/// A recipe, the exit status, and texts of the message.
const REFUSED: &[(&str, i32, &[&str])] = &[
    ("", 2, &["the recipe has no test"]),
    ("[[test]\n", 2, &["p/tests.toml:1:"]),
    ("[[tests]]\n", 2, &["a recipe has no key `tests`", "did you mean `test`?"]),
    ("[[test]]\nshap = 'x'\n", 2, &["a test has no key `shap`", "did you mean `shape`?", "p/tests.toml:2:1"]),
    ("[[test]]\ncolour = 'x'\n", 2, &["a test has no key `colour`", "the keys of a test are `name`, `group`"]),
    ("[[test]]\nname = 'a/b'\n", 2, &["the name of a test can only contain", "it becomes the name of a file"]),
    ("[[test]]\nname = '..'\n", 2, &["the name of a test can only contain"]),
    ("[[test]]\ngroup = '../x'\n", 2, &["the name of a group can only contain"]),
    ("[[test]]\nname = 5\n", 2, &["`name` must be a string in quotes", "this is an integer"]),
    ("[[test]]\nname = 'a'\n[[test]]\nname = 'a'\n", 2, &["two tests in the group `secret` are named `a`"]),
    ("[[test]]\ncount = 0\n", 2, &["`count` must be a whole number from 1 to 1000"]),
    ("[[test]]\nseed = -1\n", 2, &["`seed` must be a whole number that is not negative"]),
    ("[[test]]\ngrowth = 101\n", 2, &["`growth` must be a number from 0 to 100, or two of them"]),
    ("[[test]]\ngrowth = [1, 2, 3]\n", 2, &["`growth` must be a number from 0 to 100, or two of them"]),
    ("[[test]]\nmax = true\nmin = true\n", 2, &["an input cannot be both the largest and the smallest"]),
    ("[[test]]\nmax = 1\n", 2, &["`max` must be `true` or `false`"]),
    ("[[test]]\ntext = ''\nfile = 'x'\n", 2, &["a test has one source of inputs, not both `file` and `text`"]),
    ("[[test]]\ntext = ''\ncount = 2\n", 2, &["`count` has no effect together with `text`"]),
    ("[[test]]\nshape = 'sortd'\n", 2, &["unknown shape `sortd`", "did you mean `sorted`?"]),
    ("[[test]]\nshape = 'palindrom'\n", 2, &["did you mean `palindrome`?"]),
    ("[[test]]\nshape = []\n", 2, &["`shape` is an empty list"]),
    ("[[test]]\nshape = [1]\n", 2, &["`shape` must be a string in quotes, or a list of strings"]),
    ("[[test]]\nshape = 'star'\n", 2, &["no part of the format can have the shape `star`"]),
    ("[[test]]\nwhere = 'm <= 3'\n", 2, &["p/tests.toml:2:10", "`m`"]),
    ("[[test]]\nwhere = ['n <= 3', 'n <=']\n", 2, &["p/tests.toml:2:"]),
    ("[[test]]\nwhere = 'n <= 0'\n", 2, &["p/tests.toml:2:"]),
    ("[[test]]\nlet = { N = 3 }\n", 2, &["p/tests.toml:2:"]),
    ("[[test]]\nlet = 'n = 3'\n", 2, &["`let` must be a table such as `{ N = 10 }`"]),
    ("[[test]]\nsubtask = 'smal'\n", 2, &["p/tests.toml:2:", "did you mean `small`?"]),
    ("[[test]]\ncases = 3\n", 2, &["the format has no `cases` with a count"]),
    ("[[test]]\nfile = 'none.in'\n", 2, &["no file `none.in` in the package"]),
    ("[[test]]\nfile = '../outside.in'\n", 2, &["`../outside.in` is outside the package"]),
    ("[[test]]\nfile = ''\n", 2, &["`file` is empty"]),
    ("[[test]]\ncopy = 'sample/2'\n", 2, &["no other test `sample/2` in this recipe"]),
    (
        "[[test]]\nname = 'a'\ncandidates = 9\n[[test]]\ncopy = 'secret/a'\n",
        2,
        &["`secret/a` has candidates, not tests"],
    ),
    ("[[test]]\nname = 'a'\ncopy = 'secret/a'\n", 2, &["no other test `secret/a` in this recipe"]),
    ("[[test]]\n[group.smal]\nwhere = 'n < 3'\n", 2, &["the group `smal` has no tests"]),
    ("[[test]]\n[group.secret]\nwher = 'n < 3'\n", 2, &["a group has no key `wher`", "did you mean `where`?"]),
    ("group = 5\n[[test]]\n", 2, &["`group` must be a table"]),
    ("test = 5\n", 2, &["`test` must be an array of tables", "write `[[test]]` above each"]),
    ("reference = 'sm.rs'\n[[test]]\n", 2, &["there is no file `sm.rs`", "did you mean `sum.rs`?"]),
    ("[[test]]\ntext = '3 4'\n", 2, &["wrong  secret/1: this input is invalid", "not built"]),
    ("[[test]]\ntext = \"3 4\\n1 2 3\\n\"\n", 2, &["this input is invalid", "K"]),
    (
        "[[test]]\ngroup = 'small'\ntext = \"11 1\\n1 2 3 4 5 6 7 8 9 10 11\\n\"\n[group.small]\nsubtask = 'small'\n",
        2,
        &["secret/small/1: this input violates the restrictions in the recipe"],
    ),
    ("[[test]]\nexhaustive = 'n <= 3'\n", 2, &["the scope has more than 200000 inputs: narrow it"]),
    ("[[test]]\nexhaustive = ['n <= 4', '0 <= a <= 2']\n", 2, &["need more than 200 files: narrow it"]),
    ("[[test]]\ngenerator = 'no_such_program {seed}'\n", 2, &["no_such_program"]),
    ("[[test]]\ngenerator = 'sh -c \"exit 3\"'\n", 3, &["exited with status 3"]),
    ("[[test]]\ngenerator = 'echo {seed}'\n", 3, &["judge error  secret/1: this input is invalid"]),
    ("[[test]]\ngenerator = \"sh -c 'echo 1 1; echo $$'\"\n", 3, &["is not deterministic: seed"]),
    (
        "[[test]]\ntext = \"1 1\\n5\\n\"\nanswer = '6'\n",
        1,
        &["the answer in `tests.toml` differs from that of the reference"],
    ),
];

#[test]
fn recipe_errors_are_located() {
    let folder = package("").file("outside.in", "1 1\n5\n");
    for (recipe, status, texts) in REFUSED {
        folder.write("p/tests.toml", recipe);
        let before = tree(&folder.path("p"));
        build(&folder, "").exits(*status).shows_all(texts);
        assert_eq!(before, tree(&folder.path("p")), "{recipe}");
    }
}

#[test]
fn recipe_errors_are_reported_together() {
    let folder = package("[[test]]\nname = 'a b'\ncount = 0\n[[test]]\nshap = 'x'\n");
    build(&folder, "").exits(2).shows("the name of a test").shows("`count` must be").shows("no key `shap`");
}

#[test]
fn generator_that_ignores_its_seed_is_a_warning() {
    let folder = package("[[test]]\ngenerator = \"sh -c 'echo 1 1; echo 4' {seed}\"\n");
    build(&folder, "").exits(0).shows("ignores its seed");
    folder.write("p/generators/gen.rs", "fn main() {\n    let n: u64 = std::env::args().last().unwrap().parse().unwrap();\n    println!(\"1 1\\n{n}\");\n}\n");
    folder.write("p/tests.toml", "[[test]]\nname = 'g'\ngenerator = 'gen {seed}'\nseed = 7\ncount = 2\n");
    build(&folder, "").exits(0).hides("ignores its seed");
    assert_eq!(folder.read("p/data/secret/1_g_2.in"), "1 1\n8\n");
    // Another source has another key.
    folder.write("p/generators/gen.rs", "fn main() {\n    println!(\"1 1\\n{}\", std::env::args().count());\n}\n");
    build(&folder, "--check").exits(1).shows("changed  secret/1_g_1.in");
}

#[test]
fn generator_can_be_a_folder_of_sources() {
    let folder = package("[[test]]\nname = 'g'\ngenerator = 'gen {seed}'\nseed = 7\n");
    folder.write(
        "p/generators/gen/main.rs",
        "mod number;\nfn main() {\n    println!(\"1 1\\n{}\", number::draw());\n}\n",
    );
    folder.write(
        "p/generators/gen/number.rs",
        "pub fn draw() -> usize {\n    std::env::args().last().unwrap().len()\n}\n",
    );
    build(&folder, "").exits(0);
    assert_eq!(folder.read("p/data/secret/1_g.in"), "1 1\n1\n");
    // Each of its files is part of the key.
    folder.write("p/generators/gen/number.rs", "pub fn draw() -> usize {\n    5\n}\n");
    build(&folder, "--check").exits(1).shows("changed  secret/1_g.in");
}

#[test]
fn command_runs_in_the_folder_of_the_package() {
    let folder = package("[[test]]\nname = 'file'\ngenerator = \"sh -c 'cat generators/data.txt'\"\n")
        .file("p/generators/data.txt", "1 1\n5\n");
    build(&folder, "").exits(0);
    assert_eq!(folder.read("p/data/secret/1_file.in"), "1 1\n5\n");
}

#[test]
fn other_points_than_those_of_the_format_are_a_warning() {
    let recipe = "[[test]]\ngroup = '1_low'\n[group.1_low]\nsubtask = 'small'\nscore = 25\n";
    let folder = package(recipe).file("p/problem.yaml", "name: Sums\ntype: scoring\n");
    let ran = build(&folder, "").exits(0);
    ran.shows("the group `1_low` gives 25 points, but the format says 20 of `small`");
    // `verify` checks the restrictions of the group, too, which are not those of the whole problem.
    let others = folder.file("p/data/secret/1_low/2_more.in", format!("11 1\n1{}\n", " 1".repeat(10)));
    let others = others.file("p/data/secret/1_low/2_more.ans", "1\n");
    others.rebut("verify p").exits(1).shows("a test case of `1_low`: `n` = 11 is outside 1..10");
}

#[test]
fn equal_inputs_are_a_warning() {
    let folder = package("[[test]]\ntext = \"1 1\\n5\\n\"\n[[test]]\ntext = \"1 1\\n5\\n\"\n");
    build(&folder, "").exits(0).shows("`secret/1` and `secret/2` are the same input");
    folder.write("p/tests.toml", "[[test]]\ntext = \"1 1\\n5\\n\"\n[[test]]\ncopy = 'secret/1'\n");
    build(&folder, "").exits(0).hides("the same input");
}

#[test]
fn validator_that_disagrees_with_the_format_is_reported() {
    if !installed(&["python3"]) {
        return;
    }
    let strict = "import sys\nn = int(sys.stdin.readline().split()[0])\nsys.stderr.write('n is odd')\nsys.exit(42 if n % 2 == 0 else 43)\n";
    let folder = package("[[test]]\ntext = \"1 1\\n5\\n\"\n").file("p/input_validators/even.py", strict);
    let ran = build(&folder, "").exits(1).shows("the format accepts this input, and the validator").shows("n is odd");
    ran.shows("not built");
    folder.write("p/tests.toml", "[[test]]\ntext = \"2 3\\n5 5\\n\"\n");
    build(&folder, "").exits(1).shows("accepts this input, and the format refuses it").shows("K");
    folder.write("p/tests.toml", "[[test]]\ntext = \"3 4\\n5 5 5\\n\"\n");
    build(&folder, "").exits(2).shows("this input is invalid");
    folder.write("p/input_validators/even.py", "import sys\nsys.exit(7)\n");
    folder.write("p/tests.toml", "[[test]]\ntext = \"2 2\\n5 5\\n\"\n");
    build(&folder, "").exits(3).shows("exited with status 7");
}

#[test]
fn accepted_submissions_must_agree_and_the_reference_must_answer() {
    let wrong = SUM.replace("b.cmp(a)", "a.cmp(b)");
    let folder = package("reference = 'sum.rs'\n[[test]]\ntext = \"2 1\\n5 6\\n\"\n")
        .file("p/submissions/accepted/wrong.rs", wrong);
    build(&folder, "")
        .exits(1)
        .shows("`wrong.rs` must be accepted, but gets: wrong answer")
        .shows("nothing was written");
    assert!(!folder.path("p/data").exists());
    folder.write("p/submissions/accepted/wrong.rs", "fn main() {\n    panic!()\n}\n");
    folder.write("p/tests.toml", "reference = 'wrong.rs'\n[[test]]\ntext = \"2 1\\n5 6\\n\"\n");
    build(&folder, "").exits(3).shows("the reference").shows("exited with status 101");
}

#[test]
fn build_reports_what_rejects_each_wrong_submission() {
    let folder = package(MIXED);
    folder.write("p/submissions/wrong_answer/all.rs", SUM.replace("v[..k]", "v[..]"));
    folder.rebut("build p").exits(0).shows("all.rs").shows("never  n = 1000");
    folder.write("p/tests.toml", "[[test]]\ntext = \"1 1\\n5\\n\"\n");
    folder.rebut("build p").exits(1).shows("all.rs");
}

#[cfg(unix)]
#[test]
fn read_only_folder_loses_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = package(MIXED);
    build(&folder, "").exits(0);
    let before = tree(&folder.path("p"));
    folder.write("p/tests.toml", MIXED.replace("n <= 20", "n <= 21"));
    fs::set_permissions(folder.path("p"), fs::Permissions::from_mode(0o555)).unwrap();
    let can_write = fs::write(folder.path("p/probe"), "").is_ok();
    let ran = build(&folder, "");
    make_executable(&folder.path("p"));
    if can_write {
        crate::environment::skipped("the user that runs the tests can write everywhere");
        return;
    }
    ran.exits(4).shows("failed to");
    let mut after = tree(&folder.path("p"));
    after.insert("tests.toml".to_owned(), before["tests.toml"].clone());
    assert_eq!(before, after);
}

#[cfg(unix)]
#[test]
fn build_does_not_write_through_links() {
    let folder = package(MIXED);
    fs::create_dir_all(folder.path("elsewhere")).unwrap();
    fs::create_dir_all(folder.path("p/data")).unwrap();
    std::os::unix::fs::symlink(folder.path("elsewhere"), folder.path("p/data/secret")).unwrap();
    assert_ne!(build(&folder, "").status, Some(0));
    assert!(folder.names("elsewhere").is_empty());
}

#[test]
fn interrupted_build_changes_nothing() {
    if !installed(&["sleep", "sh"]) {
        return;
    }
    let folder = package(MIXED);
    build(&folder, "").exits(0);
    let before = tree(&folder.path("p/data"));
    let slow = "[[test]]\nname = 'slow'\ngenerator = \"sh -c 'touch started; sleep 60'\"\n";
    folder.write("p/tests.toml", slow);
    let running = folder.typed("build p --no-verify").start();
    crate::environment::eventually("the generator runs", || folder.path("p/started").exists());
    running.signal(rustix::process::Signal::INT);
    running.finish().exits(130);
    assert_eq!(before, tree(&folder.path("p/data")));
    let hidden = folder.names("p").into_iter().filter(|name| name.starts_with('.')).count();
    assert_eq!(hidden, 0);
}

#[test]
fn damaged_lock_is_an_error_unless_forced() {
    let folder = package(MIXED);
    build(&folder, "").exits(0);
    folder.write("p/tests.lock", "version = 1\nfile = [ { path = \"../x\", key = \"\", sha256 = \"\" } ]\n");
    build(&folder, "").exits(2).shows("is damaged");
    build(&folder, "--force").exits(0);
    build(&folder, "--check").exits(0);
    folder.write("p/tests.lock", "version = 99\n");
    build(&folder, "").exits(2).shows("was written by a newer rebut");
}

#[test]
fn events_contain_what_the_terminal_shows() {
    let folder = package(MIXED);
    let ran = folder.rebut("build p --no-verify --json -").exits(0);
    let events: Vec<serde_json::Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let built = events.iter().find(|event| event["event"] == "built").unwrap();
    assert_eq!(built["tests"][0]["name"], "sample/1");
    assert_eq!(built["written"], true);
    assert_eq!(events.last().unwrap()["event"], "summary");
    assert_eq!(events.last().unwrap()["exit_status"], 0);
}

#[test]
fn recipes_of_the_page_work_as_documented() {
    let page = fs::read_to_string(home().join("docs/recipes.md")).unwrap();
    let (mut format, mut recipes) = (String::new(), 0);
    for block in page.split("\n```").skip(1).step_by(2) {
        let (mark, text) = block.split_once('\n').unwrap();
        match mark {
            "format" => text.clone_into(&mut format),
            "recipe" | "refused" => {
                let folder = package(text).file("p/input.format", format!("{format}\n"));
                build(&folder, "").exits(if mark == "recipe" { 0 } else { 2 });
                recipes += 1;
            }
            _ => {}
        }
    }
    assert_eq!(recipes, 5);
}

#[test]
fn inputs_are_drawn_until_they_have_the_answer() {
    let folder = package("[[test]]\nname = \"zero\"\nwhere = \"n <= 3; a <= 2\"\nanswer = \" 0 \"\ncount = 3\n");
    build(&folder, "").exits(0);
    let answers: Vec<String> =
        (1..=3).map(|number| folder.read(&format!("p/data/secret/1_zero_{number}.ans"))).collect();
    assert_eq!(answers, ["0\n", "0\n", "0\n"]);
    build(&folder, "--check --force --jobs 3").exits(0);
    // Another reference may answer otherwise, so the inputs are drawn anew.
    folder.write("p/submissions/accepted/sum.rs", SUM.replace("println!(\"{}\",", "println!(\"{}\", 1 +"));
    build(&folder, "--check").exits(1);
}

#[test]
fn answer_that_no_input_has_is_reported() {
    let folder = package("[[test]]\nname = \"many\"\nwhere = \"n = 1; 0 <= a <= 3\"\nanswer = \"7\"\n");
    build(&folder, "")
        .exits(2)
        .shows("many: of 4 different inputs, none has the answer `7`; the search ends after 2,000 draws")
        .shows("of 4 different inputs, none has the answer `7`\n")
        .shows("the most frequent answers are");
    let folder = package("[[test]]\ngenerator = \"gen\"\nanswer = \"7\"\n");
    build(&folder, "").exits(2).shows("`answer` has no effect together with `generator`");
}

/// A package with two wrong submissions, and a program that prints 1 if `n + K` is odd.
fn package_with_wrong_submissions(recipe: &str) -> Folder {
    package(recipe)
        .file("p/submissions/wrong_answer/all.rs", SUM.replace("v[..k]", "v[..]"))
        .file("p/submissions/wrong_answer/positive.rs", SUM.replace(".sum::<i64>()", ".sum::<i64>().max(0)"))
        .file("p/generators/odd.rs", SUM.replace("v[..k].iter().sum::<i64>()", "v.len() as i64 + k as i64 & 1"))
}

#[test]
fn inputs_are_drawn_on_which_a_finder_expression_holds() {
    let recipe = "[[test]]\nname = \"lone\"\nwhere = \"n <= 5; -9 <= a <= 9\"\nfind = \"positive fails and all passes\"\ncount = 3\n\
                  [[test]]\nname = \"odd\"\nfind = \"answer(odd) = 1\"\nanswer = \"!= 0\"\ngrowth = 1\ncount = 4\n";
    let folder = package_with_wrong_submissions(recipe);
    build(&folder, "").exits(0);
    let numbers = |name: &str, number: usize| -> Vec<i64> {
        let text = folder.read(&format!("p/data/secret/{name}_{number}.in"));
        text.split_whitespace().map(|word| word.parse().unwrap()).collect()
    };
    for number in 1..=3 {
        let [n, k, elements @ ..] = &*numbers("1_lone", number) else { panic!("two numbers come first") };
        let mut elements = elements.to_vec();
        elements.sort_unstable();
        let all: i64 = elements.iter().sum();
        let largest: i64 = elements.iter().rev().take(*k as usize).sum();
        assert!(*n <= 5 && largest < 0 && all == largest, "{n} {k} {elements:?}");
    }
    for number in 1..=4 {
        let odd = numbers("2_odd", number);
        assert_eq!((odd[0] + odd[1]) % 2, 1, "{odd:?}");
    }
    build(&folder, "--check --force --jobs 3").exits(0);
    // Another submission may do otherwise, so the inputs are drawn anew.
    folder.write("p/submissions/wrong_answer/all.rs", SUM.replace("v[..k]", "v[1..]"));
    build(&folder, "--check").exits(1);
}

#[test]
fn expression_that_never_holds_and_mistakes_in_one_are_reported() {
    let recipe = |find: &str| format!("[[test]]\nname = \"x\"\nwhere = \"n = 1; 0 <= a <= 3\"\nfind = \"{find}\"\n");
    let folder = package_with_wrong_submissions(&recipe("all fails"));
    build(&folder, "").exits(2).shows_all(&[
        "x: of 4 different inputs, none meets `all fails`; the search ends after 2,000 draws",
        "of 4 different inputs, none meets `all fails`\n",
    ]);
    folder.write("p/tests.toml", recipe("positive fails and al passes"));
    build(&folder, "").exits(2).shows_all(&["p/tests.toml:4:28", "did you mean `all`?"]);
    let folder = package("[[test]]\ngenerator = \"gen\"\nfind = \"sum fails\"\n");
    build(&folder, "").exits(2).shows("`find` has no effect together with `generator`");
}

#[test]
fn tests_are_selected_among_candidates() {
    let recipe = "[select]\ndepth = 2\ntests = 6\n[[test]]\ngroup = 'sample'\ntext = '1 1\\n5\\n'\n\
                  [[test]]\nname = 'drawn'\ncandidates = 40\n";
    let recipe = recipe.replace('\'', "\"");
    // It is wrong only if the second number is below zero.
    let wrong = SUM.replace("v.drain(..2);", "v.drain(..2); if v.len() > 1 && v[1] < 0 { v[1] = 0; }");
    let folder = package(&recipe).file("p/submissions/wrong_answer/no_negative.rs", &wrong);
    let ran = build(&folder, "--jobs 1 --json -").exits(0);
    let events: Vec<serde_json::Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let built = events.iter().find(|event| event["event"] == "built").unwrap();
    let selection = &built["selection"];
    assert_eq!((selection["candidates"].as_u64(), selection["killed"] == selection["killable"]), (Some(41), true));
    let names: Vec<&str> = built["tests"].as_array().unwrap().iter().filter_map(|test| test["name"].as_str()).collect();
    assert_eq!(names[..2], ["sample/1", "secret/1_1_drawn"]);
    assert!((3..6).contains(&selection["needed"].as_u64().unwrap()), "the wrong submission dies twice: {selection}");
    assert_eq!((names.len(), selection["tests"].as_u64()), (6, Some(6)), "the others differ the most: {names:?}");
    let mut bounds = built["goals"].as_array().unwrap().iter().filter(|goal| goal["kind"] == "bound");
    assert!(bounds.all(|goal| goal["inputs"].as_u64() > Some(0)), "{}", built["goals"]);
    // The lock names what was selected; selecting anew with other jobs selects the same.
    build(&folder, "--check").exits(0).hides("selected");
    build(&folder, "--check --force --jobs 3").exits(0).shows("selected");
}

fn check_shipped_test_set(problem: &str) {
    let folder = Folder::new();
    let problem = home().join("testdata/problems").join(problem);
    // The answers are those of one accepted submission, and all others give them, too.
    assert!(fs::read_dir(problem.join("submissions/accepted")).unwrap().count() >= 2, "{}", problem.display());
    let ran = folder.typed("build --check --force").argument(problem.display().to_string()).run();
    ran.exits(0).shows("up to date");
}

#[test]
fn test_set_of_cf1921e_matches_its_recipe() {
    check_shipped_test_set("cf1921e");
}

#[test]
#[ignore = "nightly: each of their programs is compiled"]
fn other_shipped_test_sets_match_their_recipes() {
    ["caos3", "cheftic", "ckcgame", "gamedots"].into_iter().for_each(check_shipped_test_set);
}

#[test]
fn group_points_are_written_for_judges() {
    let recipe = "[[test]]\ngroup = 'small'\n[group.small]\nsubtask = 'small'\nscore = 20\n";
    let folder = package(recipe);
    build(&folder, "").exits(0).shows("does not set `type: scoring`");
    assert_eq!(
        folder.read("p/data/secret/small/testdata.yaml"),
        "on_reject: break\ngrader_flags: min\naccept_score: 20\nrange: 0 20\n"
    );
    assert_eq!(
        folder.read("p/data/secret/testdata.yaml"),
        "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted\naccept_score: 0\nrange: 0 20\n"
    );
    let folder = package(recipe);
    folder.write(
        "p/problem.yaml",
        "problem_format_version: 2025-09\nname: Sums\nuuid: 11111111-1111-4111-8111-111111111111\ntype: scoring\n",
    );
    build(&folder, "").exits(0);
    assert_eq!(folder.read("p/data/secret/small/test_group.yaml"), "max_score: 20\nscore_aggregation: pass-fail\n");
    assert_eq!(folder.read("p/data/secret/test_group.yaml"), "max_score: 20\n");
}

/// Picks a number and answers guesses.
const GUESSED: &str = "\
#include <stdio.h>
int main(int argc, char **argv) {
    int secret, guess, turn = 0;
    FILE *file = fopen(argv[1], \"r\");
    if (fscanf(file, \"%d\", &secret) != 1) return 1;
    while (turn++ < 8 && scanf(\"%d\", &guess) == 1) {
        puts(guess == secret ? \"right\" : guess < secret ? \"more\" : \"less\");
        fflush(stdout);
        if (guess == secret) return 42;
    }
    return 43;
}
";

/// Guesses a number from 1 to `most` by bisection.
fn bisection(most: u32) -> String {
    format!(
        "#include <stdio.h>\nint main() {{ int a = 1, b = {most}; char said[9]; while (1) {{ int m = (a + b) / 2; \
         printf(\"%d\\n\", m); fflush(stdout); if (scanf(\"%8s\", said) != 1) return 0; \
         if (said[0] == 'r') return 0; if (said[0] == 'm') a = m + 1; else b = m - 1; }} }}\n"
    )
}

#[test]
fn interactive_problem_is_built_with_its_interactor() {
    let recipe = "[[test]]\ngroup = 'sample'\ntext = \"5\\n\"\nanswer = 'five'\n[[test]]\ntext = \"100\\n\"\n";
    let folder = Folder::new()
        .file("p/input.format", "n where 1 <= n <= 100")
        .file("p/problem.yaml", "name: Guess\nvalidation: custom interactive\n")
        .file("p/output_validators/guessed.c", GUESSED)
        .file("p/submissions/accepted/a.c", bisection(100))
        .file("p/tests.toml", recipe);
    build(&folder, "").exits(0);
    assert_eq!((folder.read("p/data/sample/1.ans"), folder.read("p/data/secret/1.ans")), ("five".into(), "".into()));
    build(&folder, "--check").exits(0).shows("up to date");
    folder.write("p/submissions/accepted/a.c", bisection(64));
    let ran = build(&folder, "").exits(1).shows("secret/1: `a.c` must be accepted, but gets: wrong answer");
    ran.shows("not built  1 flaw found");
    folder.write("p/output_validators/guessed.c", "int main() { return 5; }\n");
    build(&folder, "").exits(3).shows("judge error").shows("exited with code 5");
}

#[test]
fn multi_pass_problem_is_built() {
    // The first pass prints `n`, and the second has to print the output of the first.
    let passes = "\
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char what[9], place[1000], state[1000];
    int n, got;
    FILE *file = fopen(argv[1], \"r\");
    if (fscanf(file, \"%8s%d\", what, &n) != 2 || scanf(\"%d\", &got) != 1) return 43;
    if (!strcmp(what, \"decode\")) return got == n - 7 ? 42 : 43;
    snprintf(place, sizeof place, \"%s/nextpass.in\", argv[3]);
    file = fopen(place, \"w\");
    fprintf(file, \"decode %d\\n\", got);
    return fclose(file) ? 1 : 42;
}
";
    let code = |back: u8| {
        format!(
            "#include <stdio.h>\nint main() {{ char what[9]; int n; scanf(\"%8s%d\", what, &n); \
             printf(\"%d\\n\", what[0] == 'e' ? n + 7 : n - {back}); }}\n"
        )
    };
    let folder = Folder::new()
        .file("p/problem.yaml", "name: Passes\nvalidation: custom multi-pass\n")
        .file("p/output_validators/passes.c", passes)
        .file("p/submissions/accepted/a.c", code(7))
        .file("p/tests.toml", "[[test]]\ntext = \"encode 5\\n\"\n");
    build(&folder, "").exits(0);
    assert_eq!(folder.read("p/data/secret/1.ans"), "");
    folder.write("p/submissions/accepted/b.c", code(8));
    build(&folder, "--force").exits(1).shows("`b.c` must be accepted, but gets: wrong answer");
}

#[test]
fn answer_that_a_validator_refuses_is_an_error() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = package("[[test]]\ngroup = 'sample'\ntext = '''\n2 1\n5 7\n'''\n");
    folder.write("p/answer_validators/small.py", "import sys\nsys.exit(42 if int(input()) < 10 else 43)\n");
    build(&folder, "").exits(0);
    folder.write("p/answer_validators/small.py", "import sys\nsys.exit(42 if int(input()) < 5 else 43)\n");
    // The files of the previous build are checked again.
    build(&folder, "").exits(1).shows("the answer validator `small.py` refuses this answer");
}

const OVER_ALL: &str = "T
cases T:
    n
    s[n]
where:
    1 <= T <= 10^4
    1 <= n <= 2*10^5
    s over \"ab\"
    sum(n) <= 2*10^5
";

/// Returns the length of each case of a test.
fn lengths(folder: &Folder, test: &str) -> Vec<usize> {
    folder.read(&format!("p/data/secret/{test}.in")).lines().skip(1).step_by(2).map(|n| n.parse().unwrap()).collect()
}

#[test]
fn cases_share_a_total_bound() {
    let recipe = "
[[test]]
name = 'down'
cases = 100
growth = [100, 0]
[[test]]
name = 'up'
cases = 10
growth = [0, 100]
[[test]]
name = 'even'
cases = 100
[[test]]
name = 'giants'
cases = 1000
shape = ['one-big', 'two-big']
count = 2
[[test]]
name = 'max'
max = true
cases = 10000
";
    let folder = package(recipe).file("p/input.format", OVER_ALL);
    folder.write("p/submissions/accepted/sum.rs", "fn main() { println!(\"1\"); }\n");
    build(&folder, "").exits(0);
    let down = lengths(&folder, "1_down");
    assert!(down[0] >= 50_000 && down[99] == 1 && down.windows(2).all(|pair| pair[0] >= pair[1]), "{down:?}");
    let up = lengths(&folder, "2_up");
    assert!(up[9] >= 50_000 && up[0] <= 10, "{up:?}");
    let even = lengths(&folder, "3_even");
    assert!(even.len() == 100 && even.iter().any(|n| *n >= 1000), "{even:?}");
    let mut one = lengths(&folder, "4_giants_1");
    one.sort_unstable();
    assert_eq!(one[998..], [1, 199_001]);
    let mut two = lengths(&folder, "4_giants_2");
    two.sort_unstable();
    assert_eq!(two[997..], [1, 99_501, 99_501]);
    assert_eq!(lengths(&folder, "5_max").iter().sum::<usize>(), 200_000);
}

#[test]
fn generator_that_is_missing_or_does_not_compile_is_located() {
    let folder = package("[[test]]\nname = 'ok'\n\n[[test]]\ngenerator = 'nog 5 {seed}'\n");
    let ran = build(&folder, "").exits(2);
    ran.shows("cannot find the program `nog`").shows("--> p/tests.toml:5:13").shows("a source in `generators/`");
    if installed(&["g++"]) {
        folder.write("p/generators/nog.cpp", "int main({\n");
        build(&folder, "").exits(3).shows("p/tests.toml line 5: `nog` does not compile").shows("nog.cpp:1");
    }
}

/// The submission is wrong, not the jury: `verify` has the same exit status.
#[test]
fn accepted_submission_that_does_not_compile_is_a_finding() {
    if !installed(&["g++"]) {
        return;
    }
    let folder = package("reference = 'accepted/sum.rs'\n[[test]]\nname = 'ok'\n");
    build(&folder, "").exits(0);
    folder.write("p/submissions/accepted/z.cpp", "int main( {\n");
    for command in ["build p", "build p --check"] {
        folder.rebut(command).exits(1).shows("z.cpp").shows("compile error");
    }
    folder.rebut("verify p --no-probes").exits(1).shows("does not compile");
    folder.rebut("build p --check --journal blocks --shard 1/2").exits(0);
    folder.rebut("build p --check --journal blocks --shard 2/2").exits(0);
    folder.rebut("merge blocks").exits(1).shows("z.cpp").shows("compile error");
}
