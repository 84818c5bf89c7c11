//! Import of foreign packages and export to them; broken ones are refused with a message, and nothing is written.

use crate::environment::{Folder, home, installed};
use rebut_checkers::Checker;
use rebut_diagnostics::{ErrorKind, SourceText};
use rebut_format::generate::{Extreme, GenerationPlan, GenerationSettings, generate_value};
use rebut_format::invalid::{find_refusal, generate_invalid_inputs};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_generators::Choices;
use rebut_packages::Bundle;
use rebut_packages::interop;
use std::cell::Cell;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn polygon() -> PathBuf {
    home().join("testdata/exchange/polygon")
}

fn library_checker() -> PathBuf {
    home().join("testdata/exchange/library_checker/sums")
}

/// Returns the paths of all files below a folder, except for those that a build adds.
fn listing(folder: &Path) -> Vec<String> {
    Bundle::read_folder(folder).unwrap().iter().map(|(path, _)| path.to_owned()).collect()
}

fn import(source: &Path, folder: &Folder) {
    folder.rebut(&format!("import '{}' p", source.display())).exits(0).shows("next: rebut build p");
}

#[test]
fn polygon_package_is_imported() {
    let folder = Folder::new();
    let ran = folder.rebut(&format!("import '{}' p", polygon().display())).exits(0);
    let ran = ran.shows("imported The Sum of \"Two\": 4 test cases, 4 submissions").shows("next: rebut build p");
    let ran = ran
        .shows("`pretests` is left out")
        .shows("verdict `crashed` are left out")
        .shows("there is no statement in russian");
    ran.shows("`never.py` is left out").shows("the tests of `big` give the same points now: theirs are left out");
    let expected = [
        "data/invalid_input/02.in",
        "data/invalid_output/02.ans",
        "data/invalid_output/02.in",
        "data/invalid_output/02.out",
        "data/secret/1_small/test_group.yaml",
        "data/secret/2_big/test_group.yaml",
        "data/secret/test_group.yaml",
        "data/valid_input/01.in",
        "data/valid_input/01.yaml",
        "data/valid_output/01.ans",
        "data/valid_output/01.in",
        "data/valid_output/01.out",
        "generators/gen.cpp",
        "generators/manual/t1.in",
        "generators/manual/t2.in",
        "generators/testlib.h",
        "input_validators/val/testlib.h",
        "input_validators/val/val.cpp",
        "output_validator/check.cpp",
        "output_validator/testlib.h",
        "problem.yaml",
        "statement/problem.en.tex",
        "submissions/accepted/also_right.cpp",
        "submissions/accepted/right.py",
        "submissions/slow_or_accepted/slow.py",
        "submissions/submissions.yaml",
        "submissions/wrong_answer/wrong.py",
        "tests.toml",
    ];
    assert_eq!(listing(&folder.path("p")), expected);
    let recipe = folder.read("p/tests.toml");
    assert!(recipe.starts_with("reference = \"accepted/right.py\"\n"), "{recipe}");
    assert!(recipe.contains("[[test]]\ngroup = \"2_big\"\nname = \"t3\"\ngenerator = \"gen 1 5\"\n"), "{recipe}");
    assert!(recipe.ends_with("# stress: name=small timeout=5 gen [1..9] 5\n"), "{recipe}");
    let sheet = "\"accepted/right.py\":\n    model_solution: true\n\"wrong_answer/wrong.py\":\n    \
                 secret/1_small: {permitted: [AC]}\n\"slow_or_accepted\":\n    permitted: [AC, TLE]\n";
    assert_eq!(folder.read("p/submissions/submissions.yaml"), sheet);
    let group = "max_score: 70\nscore_aggregation: sum\ninput_validator_args: [\"--group\", \"big\"]\n";
    assert_eq!(folder.read("p/data/secret/2_big/test_group.yaml"), group);
}

#[test]
fn imported_package_builds_and_verifies() {
    if !installed(&["g++"]) || !installed(&["python3"]) {
        return;
    }
    for (source, submissions) in [(polygon(), 4), (library_checker(), 3)] {
        let folder = Folder::new();
        import(&source, &folder);
        folder.rebut("build p --checker tokens").exits(0);
        let all = format!("{submissions} submissions as expected");
        folder.rebut("verify p --no-cache --no-probes --time-limit 10s").exits(0).shows(&all);
    }
}

#[test]
fn library_checker_problem_is_imported() {
    let folder = Folder::new();
    import(&library_checker(), &folder);
    let expected = [
        "generators/manual/example_00.in",
        "generators/params.h",
        "generators/random.cpp",
        "generators/random.h",
        "generators/rows.h",
        "input_validators/verifier/params.h",
        "input_validators/verifier/testlib.h",
        "input_validators/verifier/verifier.cpp",
        "output_validator/checker.cpp",
        "output_validator/testlib.h",
        "problem.yaml",
        "statement/task.md",
        "submissions/accepted/correct.cpp",
        "submissions/slow_or_accepted/slow.py",
        "submissions/submissions.yaml",
        "submissions/wrong_answer/wrong.py",
        "tests.toml",
    ];
    assert_eq!(listing(&folder.path("p")), expected);
    assert_eq!(folder.read("p/generators/params.h"), "#define N_MAX (long long)1000\n");
    assert!(folder.read("p/generators/random.cpp").starts_with("#include \"params.h\"\n#include \"rows.h\"\n"));
}

/// Returns a ZIP archive of these members.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn archive_is_imported_like_a_folder() {
    let bundle = Bundle::read_folder(&polygon()).unwrap();
    // Windows line ends in all files, and one folder around them.
    let windows = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\n', "\r\n").into_bytes();
    let members: Vec<(String, Vec<u8>)> =
        bundle.iter().map(|(path, bytes)| (format!("two-sum/{path}"), windows(bytes))).collect();
    let members: Vec<(&str, &[u8])> = members.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let folder = Folder::new().file("package.zip", archive(&members));
    folder.rebut("import package.zip p").exits(0);
    folder.rebut(&format!("import '{}' q", polygon().display())).exits(0);
    let read = |name: &str| Bundle::read_folder(&folder.path(name)).unwrap();
    let (p, q) = (read("p"), read("q"));
    for (path, bytes) in q.iter() {
        let same = p.get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        assert_eq!(same.as_deref(), Some(&*String::from_utf8_lossy(bytes)), "{path}");
    }
    assert_eq!(p.len(), q.len());
}

#[test]
fn full_package_needs_no_recipe() {
    let folder = Folder::new();
    for (path, bytes) in Bundle::read_folder(&polygon()).unwrap().iter() {
        folder.write(&format!("s/{path}"), bytes);
    }
    for (name, input, answer) in
        [("01", "2 3\n", "5\n"), ("02", "10 10\n", "20\n"), ("03", "1 5\n", "6\n"), ("04", "2 4\n", "6\n")]
    {
        folder.write(&format!("s/tests/{name}"), input);
        folder.write(&format!("s/tests/{name}.a"), answer);
    }
    folder.rebut("import s p").exits(0).shows("next: rebut verify p");
    assert_eq!(folder.read("p/data/secret/2_big/3.in"), "1 5\n");
    assert_eq!(folder.read("p/data/sample/1.ans"), "5\n");
    assert!(folder.read("p/generators/commands.txt").starts_with("3: gen 1 5\n4: gen 2 5\nstress: "));
    assert_eq!(folder.names("p").iter().filter(|name| *name == "tests.toml").count(), 0);
}

/// Returns the message about the Polygon package after a text in one of its files is replaced.
fn import_message(file: &str, from: &str, to: &str) -> String {
    let mut changed = Bundle::default();
    for (path, bytes) in Bundle::read_folder(&polygon()).unwrap().iter() {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let text = if path == file { text.replacen(from, to, 1) } else { text };
        assert!(path != file || from.is_empty() || text.as_bytes() != bytes, "{from}");
        if !(path == file && from.is_empty()) {
            changed.insert(path, text.into_bytes()).unwrap();
        }
    }
    let flaw = interop::import_package(&changed, &Bundle::default(), "p").unwrap_err();
    let error = flaw.into_error(Path::new("p"));
    assert_eq!(error.kind(), ErrorKind::Usage);
    error.to_string()
}

/// A change of `problem.xml`, and how the message starts.
const BROKEN: [(&str, &str, &str); 24] = [
    ("<problem ", "<problem <", "`p/problem.xml:2:10`: is not valid XML"),
    ("</problem>", "", "`p/problem.xml:"),
    ("<problem revision", "<contest revision", "`p/problem.xml:"),
    ("<?xml", "<!DOCTYPE a [<!ENTITY b \"c\">]><?xml", "`p/problem.xml:"),
    ("<judging ", "<jugding ", "`p/problem.xml:"),
    ("<time-limit>1500<", "<time-limit>soon<", "`p/problem.xml:9:13`: expected a positive whole number, found `soon`"),
    ("<time-limit>1500<", "<time-limit>0<", "`p/problem.xml:9:13`: expected a positive whole number"),
    ("<memory-limit>268435456</memory-limit>", "", "`p/problem.xml:8:9`: `<testset>` has no `<memory-limit>`"),
    ("tests/%02d<", "tests/%s<", "`p/problem.xml:12:13`: `tests/%s` is not a pattern of paths in the package"),
    ("tests/%02d<", "../../%02d<", "`p/problem.xml:12:13`: `../../%02d` is not a pattern"),
    ("tests/%02d<", "/etc/%02d<", "`p/problem.xml:12:13`: `/etc/%02d` is not a pattern"),
    ("tests/%02d<", "tests/x%02d<", "`p/problem.xml:15:17`: the file `tests/x01` is missing"),
    ("method=\"manual\" sample", "method=\"magic\" sample", "`p/problem.xml:15:17`: the method `magic` is unknown"),
    (" method=\"manual\" sample=\"true\"", "", "`p/problem.xml:15:17`: `<test>` has no attribute `method`"),
    ("cmd=\"gen 1 5\" ", "", "`p/problem.xml:17:17`: `<test>` has no attribute `cmd`"),
    ("cmd=\"gen 1 5\"", "cmd=\"make 1 5\"", "`p/problem.xml:17:17`: there is no generator `make`"),
    (
        "points=\"30.0\"",
        "points=\"many\"",
        "`p/problem.xml:16:17`: `points` must be a number of at least 0, not `many`",
    ),
    ("path=\"files/check.cpp\"", "path=\"../check.cpp\"", "`p/problem.xml:"),
    ("path=\"files/check.cpp\"", "path=\"/tmp/check.cpp\"", "`p/problem.xml:"),
    ("path=\"files/check.cpp\"", "path=\"files/none.cpp\"", "`p/problem.xml:"),
    ("checker-tests/%02d.o", "checker-tests/%02d.x", "`p/problem.xml:"),
    ("tag=\"wrong-answer\"", "tag=\"wrong-anwser\"", "`p/problem.xml:"),
    ("value=\"The Sum", "worth=\"The Sum", "`p/problem.xml:4:9`: `<name>` has no attribute `value`"),
    ("path=\"solutions/right.py\"", "file=\"solutions/right.py\"", "`p/problem.xml:"),
];

#[test]
fn broken_polygon_packages_are_refused() {
    for (from, to, expected) in BROKEN {
        let message = import_message("problem.xml", from, to);
        assert!(message.starts_with(expected), "{from} -> {to}\n{message}");
    }
    let message = import_message("problem.xml", "tag=\"wrong-answer\"", "tag=\"wrong-anwser\"");
    assert!(message.ends_with("help: did you mean `wrong-answer`?"), "{message}");
    let message = import_message("files/testlib.h", "", "");
    assert!(message.contains("includes `testlib.h`, which the package does not have"), "{message}");
}

/// A change of `info.toml`, and how the message starts.
const BROKEN_INFO: [(&str, &str, &str); 9] = [
    ("title = ", "title ", "`s/info.toml:1:"),
    ("title = 'Sum of a Row'", "", "`s/info.toml:"),
    ("timelimit = 2.0", "timelimit = 'two'", "`s/info.toml:2:13`"),
    ("timelimit = 2.0", "timelimit = -1.0", "`s/info.toml`: `timelimit` must be a positive number of seconds"),
    ("number = 2", "number = 2000000000", "`s/info.toml`: there are more than 10000 tests"),
    ("\"random.cpp\"", "\"../random.cpp\"", "`s/info.toml`: `../random.cpp`: the path leaves the folder"),
    ("\"random.cpp\"", "\"nothing.cpp\"", "`s/info.toml`: the file `gen/nothing.cpp` is missing"),
    ("\"example.in\"\n    number = 1", "\"example.in\"\n    number = 2", "`s/info.toml`: the file `gen/example_01.in`"),
    ("expect = \"WA\"", "expect = \"XX\"", "`s/info.toml`: `XX` is not a value of `expect`"),
];

#[test]
fn broken_library_checker_problems_are_refused() {
    let common = Bundle::read_folder(&home().join("testdata/exchange/library_checker/common")).unwrap();
    for (from, to, expected) in BROKEN_INFO {
        let mut changed = Bundle::default();
        for (path, bytes) in Bundle::read_folder(&library_checker()).unwrap().iter() {
            let text = String::from_utf8_lossy(bytes).into_owned();
            assert!(path != "info.toml" || text.contains(from), "{from}");
            let text = if path == "info.toml" { text.replacen(from, to, 1) } else { text };
            changed.insert(path, text.into_bytes()).unwrap();
        }
        let message =
            interop::import_package(&changed, &common, "s").unwrap_err().into_error(Path::new("s")).to_string();
        assert!(message.starts_with(expected), "{from} -> {to}\n{message}");
    }
}

#[test]
fn broken_archives_are_refused_and_nothing_is_written() {
    let twice = {
        // The writer refuses two members of the same name, so one is renamed in the bytes.
        let mut bytes = archive(&[("a/problem.xml", b"x"), ("b/problem.xml", b"y")]);
        let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(b"b/problem")).collect();
        places.iter().for_each(|at| bytes[*at] = b'a');
        bytes
    };
    let link = {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_symlink("problem.xml", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        writer.finish().unwrap().into_inner()
    };
    let latin = {
        let mut bytes = archive(&[("problem_.xml", b"x")]);
        let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(b"problem_")).collect();
        places.iter().for_each(|at| bytes[*at + 7] = 0xff);
        bytes
    };
    for (bytes, words) in [
        (b"no archive".to_vec(), "is not a zip archive"),
        (archive(&[("../problem.xml", b"x")]), "the path leaves the folder"),
        (archive(&[("/problem.xml", b"x")]), "the path is absolute"),
        (archive(&[("a\\problem.xml", b"x")]), "backslash"),
        (archive(&[("a", b"x"), ("a/b", b"y")]), "a file and a folder have the same name"),
        (archive(&[("readme", b"x")]), "has neither `problem.xml` nor `info.toml`"),
        (archive(&[("problem.xml", b"\xff\xfe")]), "is not valid UTF-8"),
        (twice, "two members with the same name"),
        (link, "is a link"),
        (latin, "a name that is not valid UTF-8"),
    ] {
        let folder = Folder::new().file("p.zip", bytes);
        folder.rebut("import p.zip made").exits(2).shows("p.zip").shows(words);
        assert_eq!(folder.names("."), ["p.zip"], "{words}");
    }
}

#[test]
fn existing_target_is_left_alone() {
    let folder = Folder::new().file("taken/file", "x").file("file", "y");
    let source = polygon();
    let import = |target: &str| folder.rebut(&format!("import '{}' {target}", source.display()));
    import("taken").exits(2).shows("`taken` is not empty");
    import("file").exits(2).shows("`file` exists and is not a folder");
    import("none/p").exits(2).shows("there is no folder `none`");
    folder.rebut("import nothing p").exits(2).shows("nothing");
    assert_eq!(folder.names("."), ["file", "taken"]);
    std::fs::create_dir(folder.path("empty")).unwrap();
    import("empty").exits(0);
    #[cfg(unix)]
    {
        folder.write("s/problem.xml", "x");
        std::os::unix::fs::symlink("/etc/passwd", folder.path("s/link")).unwrap();
        folder.rebut("import s p").exits(2).shows("s/link").shows("is a link that leaves the folder");
    }
}

/// Creates a small package with all features that an export handles.
fn sample_package() -> Folder {
    Folder::new()
        .file("p/problem.yaml", "name: {en: \"Twice\"}\nauthor: Somebody\nlicense: cc by-sa\nvalidation: default\nvalidator_flags: case_sensitive\nlimits:\n    time_limit: 1.5\n    memory: 256\n")
        .file("p/input.format", "n\nwhere:\n    1 <= n <= 10\n")
        .file("p/data/sample/1.in", "2\n")
        .file("p/data/sample/1.ans", "4\n")
        .file("p/data/secret/1_low/1.in", "1\n")
        .file("p/data/secret/1_low/1.ans", "2\n")
        .file("p/data/secret/2_top.in", "10\n")
        .file("p/data/secret/2_top.ans", "20\n")
        .file("p/input_validators/own.rs", "fn main() {\n    std::process::exit(42);\n}\n")
        .file("p/submissions/accepted/right.py", "print(int(input()) * 2)\n")
        .file("p/submissions/wrong_answer/wrong.py", "print(int(input()) + 2)\n")
        .file("p/submissions/slow_accepted/slow.py", "print(int(input()) * 2)\n")
        .file("p/submissions/accepted/right.zig", "pub fn main() void {}\n")
}

#[test]
fn exported_packages() {
    let common = [
        "data/sample/1.ans",
        "data/sample/1.in",
        "data/secret/1_low/1.ans",
        "data/secret/1_low/1.in",
        "data/secret/2_top.ans",
        "data/secret/2_top.in",
        "input_validators/format.py",
        "problem.yaml",
    ];
    let submissions =
        ["submissions/accepted/right.py", "submissions/mixed/slow.py", "submissions/wrong_answer/wrong.py"];
    let folder = sample_package();
    for (kind, more) in [
        ("legacy", vec![".timelimit", "input_validators/own.rs", "problem_statement/problem.en.tex"]),
        (
            "2025-09",
            vec![
                "data/sample/test_group.yaml",
                "data/secret/test_group.yaml",
                "statement/problem.en.tex",
                "submissions/submissions.yaml",
            ],
        ),
    ] {
        let ran = folder.rebut(&format!("export p --as {kind} -o {kind}")).exits(0);
        let ran = ran.shows("`accepted/right.zig` is left out");
        let ran = if kind == "legacy" {
            ran.shows("`slow_accepted/slow.py` is in `mixed`, which problemtools ignores")
        } else {
            ran.shows("`own.rs` is left out: the 2025-09 format supports validators in")
        };
        ran.shows("there is no statement");
        let mut expected: Vec<&str> = common.iter().chain(&submissions).copied().chain(more).collect();
        expected.sort_unstable();
        let listed = listing(&folder.path(kind));
        let listed: Vec<&String> = listed.iter().filter(|path| !path.ends_with("1_low/test_group.yaml")).collect();
        assert_eq!(listed, expected, "{kind}");
    }
    let legacy = folder.read("legacy/problem.yaml");
    assert!(
        legacy.starts_with("name: \"Twice\"\nvalidation: default\nvalidator_flags: \"case_sensitive\"\nuuid: "),
        "{legacy}"
    );
    let rest = "\nauthor: \"Somebody\"\nlicense: \"cc by-sa\"\nlimits:\n    memory: 256\n";
    assert!(legacy.ends_with(rest), "{legacy}");
    assert_eq!(folder.read("legacy/.timelimit"), "1.5\n");
    let newer = folder.read("2025-09/problem.yaml");
    assert!(
        newer.starts_with("problem_format_version: 2025-09\nname:\n    en: \"Twice\"\ntype: pass-fail\nuuid: "),
        "{newer}"
    );
    assert!(
        newer
            .ends_with("credits: \"Somebody\"\nlicense: \"cc by-sa\"\nlimits:\n    time_limit: 1.5\n    memory: 256\n"),
        "{newer}"
    );
    assert_eq!(folder.read("2025-09/data/secret/test_group.yaml"), "output_validator_args: [\"case_sensitive\"]\n");
}

#[test]
fn archive_for_domjudge_is_exported() {
    let folder = sample_package();
    folder.rebut("export p --as domjudge -o one.zip").exits(0).shows("exported p: ");
    folder.rebut("export p --as domjudge -o two.zip").exits(0);
    folder.rebut("export p --as domjudge -o two.zip").exits(2).shows("already exists");
    let read = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert_eq!(read("one.zip"), read("two.zip"));
    let files = interop::unpack_archive(&read("one.zip")).unwrap();
    let listed: Vec<&str> = files.iter().map(|(path, _)| path).collect();
    let expected = [
        "data/sample/1.ans",
        "data/sample/1.in",
        "data/secret/1_low-1.ans",
        "data/secret/1_low-1.in",
        "data/secret/2_top.ans",
        "data/secret/2_top.in",
        "domjudge-problem.ini",
        "problem.yaml",
        "problem_statement/problem.en.tex",
        "submissions/accepted/right.py",
        "submissions/mixed/slow.py",
        "submissions/wrong_answer/wrong.py",
    ];
    assert_eq!(listed, expected);
    let text = |path: &str| String::from_utf8_lossy(files.get(path).unwrap()).into_owned();
    assert_eq!(text("domjudge-problem.ini"), "name = 'Twice'\ntimelimit = '1.5'\n");
    assert!(text("submissions/mixed/slow.py").ends_with("# @EXPECTED_RESULTS@: CORRECT, TIMELIMIT\n"));
}

#[test]
fn statements_that_the_target_does_not_have_are_named() {
    let folder = sample_package();
    std::fs::remove_file(folder.path("p/input.format")).unwrap();
    let ran = folder.rebut("export p --as legacy -o none").exits(0);
    ran.shows("there is no statement; the exported one has only the title").hides("generated from the format");
    assert_eq!(folder.read("none/problem_statement/problem.en.tex").trim(), "\\problemname{Twice}");
    folder.write("p/problem_statement/problem.en.md", "# Twice\n");
    let ran = folder.rebut("export p --as legacy -o legacy").exits(0);
    ran.shows("`problem_statement/problem.en.md` is in Markdown").hides("there is no statement");
    folder.rebut("export p --as 2025-09 -o newer").exits(0).hides("Markdown");
}

#[test]
fn rejected_submissions_have_to_fail_in_exports_as_well() {
    let folder = sample_package().file("p/submissions/rejected/right.py", "print(int(input()) * 2)\n");
    let version = "problem_format_version: 2025-09\n";
    folder.write("p/problem.yaml", format!("{version}name: Twice\nlimits:\n    time_limit: 1\n"));
    std::fs::remove_dir_all(folder.path("p/submissions/slow_accepted")).unwrap();
    for kind in ["legacy", "domjudge"] {
        folder.rebut(&format!("export p --as {kind} -o {kind}")).exits(0);
        let text = folder.read(&format!("{kind}/submissions/mixed/right.py"));
        assert!(text.ends_with("# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT, RUN-ERROR\n"), "{text}");
        folder.rebut(&format!("verify {kind} --no-probes")).exits(1).shows("right.py");
    }
}

#[test]
fn time_limit_factors_are_exported() {
    let folder = sample_package();
    let limits = "limits:\n    time_limit: 1\n    time_multiplier: 2.5\n    time_safety_margin: 2\n";
    folder.write("p/problem.yaml", format!("name: Twice\n{limits}"));
    for (kind, expected) in [
        ("legacy", "limits:\n    time_multiplier: 2.5\n    time_safety_margin: 2\n"),
        (
            "2025-09",
            "    time_limit: 1\n    time_multipliers:\n        ac_to_time_limit: 2.5\n        time_limit_to_tle: 2\n",
        ),
    ] {
        folder.rebut(&format!("export p --as {kind} -o {kind}")).exits(0);
        let text = folder.read(&format!("{kind}/problem.yaml"));
        assert!(text.ends_with(expected), "{text}");
    }
}

#[test]
fn export_is_a_package() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = sample_package();
    for kind in ["legacy", "2025-09", "domjudge"] {
        folder.rebut(&format!("export p --as {kind} -o {kind}")).exits(0);
        folder.rebut(&format!("verify {kind} --no-cache")).exits(0).shows("3 submissions as expected: 9 runs");
    }
    folder.write("p/data/secret/3.in", "3\n");
    folder.rebut("export p --as legacy -o other").exits(2).shows("data/secret/3").shows("has no answer");
    assert!(folder.names("other").is_empty());
}

/// Runs validators in one process because starting one for each input is slow.
const DRIVER: &str = r#"
import os, runpy, sys
for name in sorted(os.listdir(sys.argv[1])):
    folder = os.path.join(sys.argv[1], name)
    refusal = runpy.run_path(os.path.join(folder, "format.py"))["refusal"]
    for case in sorted(os.listdir(folder)):
        if case.endswith(".in"):
            with open(os.path.join(folder, case), "rb") as file:
                print(name, case, "bad" if refusal(file.read()) else "good")
"#;

/// Returns inputs that a format generates and inputs that it refuses, with whether it accepts them.
pub(crate) fn inputs(format: &Format) -> Vec<(Vec<u8>, bool)> {
    const MAX_ELEMENTS: usize = 60;
    const MAX_LOOKS: usize = 3000;
    let plan = GenerationPlan::new(format);
    let mut found = Vec::new();
    for seed in 0..4 {
        let extreme = (seed == 0).then_some(Extreme::Min);
        let settings = GenerationSettings {
            extreme,
            growth: 30 * seed as u32,
            max_elements: MAX_ELEMENTS,
            ..GenerationSettings::default()
        };
        if let Ok(made) = generate_value(&plan, &mut Choices::from_seed(seed, 0), &settings) {
            found.push((print_value(format, &made.value), true));
        }
    }
    // The tests of invalid inputs make all of them; here, the first of the slow ones are enough.
    let looks = Cell::new(0);
    let stop = || looks.replace(looks.get() + 1) >= MAX_LOOKS;
    let broken = generate_invalid_inputs(format, 1, MAX_ELEMENTS, &stop).unwrap();
    found.extend(broken.inputs.into_iter().filter(|input| input.bytes.len() < 2_000).map(|input| (input.bytes, false)));
    let damaged: Vec<Vec<u8>> = found.iter().take(2).flat_map(|(bytes, _)| damaged_copies(bytes)).collect();
    found.extend(damaged.into_iter().map(|bytes| {
        let is_valid = find_refusal(format, &bytes).is_none();
        (bytes, is_valid)
    }));
    found
}

/// Returns copies of an input with one damage each.
fn damaged_copies(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut found = vec![bytes[..bytes.len() / 2].to_vec(), [bytes, b"\n"].concat(), [bytes, b"7"].concat()];
    for (at, new) in [(0, b'0'), (bytes.len() / 3, b' '), (bytes.len() / 2, b'-'), (bytes.len() * 2 / 3, b'9')] {
        if at < bytes.len() {
            let mut damaged = bytes.to_vec();
            damaged[at] = new;
            found.push(damaged.clone());
            damaged.insert(at, new);
            found.push(damaged);
        }
    }
    found
}

/// Formats about rows, texts by their number, and wholes.
const OF_WHOLES: &[&str] = &[
    "k; repeat k: u where 1 <= k <= 8; u over \"ab\"; 1 <= len(u) <= 3; forall i in 1..k: forall j in i+1..k: u[i] != u[j]",
    "k; repeat k: { u; w[2][] } where 2 <= k <= 4; u, w over \"ab\"; 1 <= len(u), len(w) <= 4; forall i in 1..k: len(u[i]) <= i; \
     forall i in 1..k: count(u[i], 'a') >= 1; forall i in 1..k-1: u[i] <= u[i+1]; len(w[1]) < 4; u[2][1] = 'a'; u[1] != \"b\"",
    "n q; repeat q: either: { 1 l r x; 2 l r } where 1 <= n, q <= 5; 1 <= l <= r <= n; 0 <= x <= 9; distinct((l, r)); sum(l) <= 9; \
     forall i in 1..q-1: l[i] != l[i+1] + 1; count(r, 3) <= 1",
    "n; V[n][n]; s t where 1 <= n <= 4; 0 <= V <= 3; forall i in 1..n: sum(V[i]) >= 2; forall i in 1..n-1: whole(V[i]) <= \
     whole(V[i+1]); s, t over \"ab\"; 1 <= len(s), len(t) <= 3; s <= t; t != \"aa\"",
    "q; repeat q: either: { 1 s; 2 } where 1 <= q <= 4; s over \"ab\"; 1 <= len(s) <= 3; forall i in 1..q: len(s[i]) <= 2; \
     not len(s[1]) = 2; forall i in 1..q: count(s[i], 'a') <= 1",
    "n; s; w[n][2] where 1 <= n <= 3; s, w over \"()[]\"; 1 <= len(s) <= 6; balanced(s); balanced(w)",
    "R C; b[R][C] where 1 <= R, C <= 4; b over \".#S\"; connected(b, \".S\")",
    "k; (x y)[k] c where 1 <= k <= 3; 0 <= x, y, c <= 3; distinct((x, y)); forall i in 1..k-1: x[i] <= x[i+1]",
];

#[test]
#[ignore = "nightly: it agrees on each constraint in the gate"]
fn python_validator_agrees_with_published_formats() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new().file("driver.py", DRIVER);
    let mut expected = Vec::new();
    let mut partial = 0;
    let own = OF_WHOLES.iter().enumerate().map(|(i, text)| {
        let format = Format::parse(&SourceText::new("own", *text)).unwrap_or_else(|p| panic!("{text}: {p:?}")).0;
        assert!(interop::generate_python_validator(&format).left_out.is_empty(), "{text}");
        (format!("own-{i}"), format)
    });
    for (name, format) in crate::formats::published().into_iter().chain(own) {
        let validator = interop::generate_python_validator(&format);
        if !validator.left_out.is_empty() {
            partial += 1;
            continue;
        }
        folder.write(&format!("formats/{name}/format.py"), &validator.text);
        for (at, (bytes, is_valid)) in inputs(&format).into_iter().enumerate() {
            folder.write(&format!("formats/{name}/{at:05}.in"), bytes);
            expected.push(format!("{name} {at:05}.in {}", if is_valid { "good" } else { "bad" }));
        }
    }
    expected.sort();
    let mut found = run_driver(&folder);
    found.sort();
    let wrong: Vec<_> = found.iter().zip(&expected).filter(|(found, expected)| found != expected).take(20).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(found.len(), expected.len());
    assert!(partial <= 4 && expected.len() > 3000, "{partial} formats, {} inputs", expected.len());
}

/// Runs the validators of all formats on their inputs, and returns a line for each input.
fn run_driver(folder: &Folder) -> Vec<String> {
    let ran = std::process::Command::new("python3")
        .args([folder.path("driver.py"), folder.path("formats")])
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Returns all texts of a length over an alphabet.
fn all_texts(alphabet: &str, length: usize) -> Vec<String> {
    let longer = |texts: Vec<String>| {
        texts.iter().flat_map(|text| alphabet.chars().map(move |letter| format!("{text}{letter}"))).collect()
    };
    (0..length).fold(vec![String::new()], |texts, _| longer(texts))
}

#[test]
fn python_validator_knows_properties_of_texts() {
    if !installed(&["python3"]) {
        return;
    }
    let brackets = "s where s over \"()[]\"; 1 <= len(s) <= 4; balanced(s)";
    let board = "b[2][3] where b over \".#S\"; connected(b, \".S\")";
    let rows = |cells: String| format!("{}\n{}\n", &cells[..3], &cells[3..]);
    let texts = (1..=4).flat_map(|length| all_texts("()[]", length)).map(|text| text + "\n").collect::<Vec<_>>();
    let boards = all_texts(".#S", 6).into_iter().map(rows).collect::<Vec<_>>();
    let folder = Folder::new().file("driver.py", DRIVER);
    let mut expected = Vec::new();
    for (name, text, inputs) in [("board", board, boards), ("brackets", brackets, texts)] {
        let format = Format::parse(&SourceText::new(name, text)).unwrap().0;
        let validator = interop::generate_python_validator(&format);
        folder.write(&format!("formats/{name}/format.py"), &validator.text);
        for (at, input) in inputs.iter().enumerate() {
            folder.write(&format!("formats/{name}/{at:05}.in"), input);
            let is_valid = find_refusal(&format, input.as_bytes()).is_none();
            expected.push(format!("{name} {at:05}.in {}", if is_valid { "good" } else { "bad" }));
        }
    }
    assert_eq!(run_driver(&folder), expected);
    let good = |name: &str| expected.iter().filter(|line| line.starts_with(name) && line.ends_with("good")).count();
    // Two of length 2, and two nested or adjacent pairs of two kinds.
    assert_eq!(good("brackets"), 2 + 8);
    assert!(good("board") > 200 && good("board") < 700, "{} boards", good("board"));
}

#[test]
fn python_validator_states_what_it_does_not_check() {
    let written = |text: &str| {
        let format = Format::parse(&SourceText::new("test", text)).unwrap().0;
        interop::generate_python_validator(&format)
    };
    let validator = written("s\nwhere:\n    s matches \"[a-z&&[^x]]{1,5}\"\n");
    assert_eq!(validator.left_out, ["s matches \"[a-z&&[^x]]{1,5}\""]);
    assert!(validator.text.contains("# Not checked here"), "{}", validator.text);
    assert!(written("n\nwhere:\n    1 <= n <= 5\n").left_out.is_empty());
}

#[test]
fn polygon_group_dependencies_are_imported() {
    let folder = Folder::new();
    for (path, bytes) in Bundle::read_folder(&polygon()).unwrap().iter() {
        folder.write(&format!("s/{path}"), bytes);
    }
    let text = folder.read("s/problem.xml");
    let (small, big) = ("points=\"30.0\" points-policy=\"complete-group\"/>", "points-policy=\"each-test\"/>");
    let depends = |end: &str, on: &str| {
        let all = on.split(' ').map(|group| format!("<dependency group=\"{group}\"/>")).collect::<String>();
        format!("{}><dependencies>{all}</dependencies></group>", end.trim_end_matches("/>"))
    };
    let text = text.replace(small, &depends(small, "big")).replace(big, &depends(big, "small none"));
    folder.write("s/problem.xml", text);
    let ran = folder.rebut("import s p").exits(0);
    let ran = ran.shows("`small` requires `big`, which is left out: that group gives points for each test");
    ran.shows("`big` requires `none`, which is left out: that group has no tests");
    let group = folder.read("p/data/secret/2_big/test_group.yaml");
    assert!(group.contains("\nrequire_pass: [\"secret/1_small\"]\n"), "{group}");
    assert!(!folder.read("p/data/secret/1_small/test_group.yaml").contains("require_pass"));
}

/// Validators depend on the name of the group, so it stays the same on both sides; the order and the dependencies as well.
#[test]
fn polygon_groups_come_back_with_their_names() {
    let folder = Folder::new();
    for (path, bytes) in Bundle::read_folder(&polygon()).unwrap().iter() {
        folder.write(&format!("s/{path}"), bytes);
    }
    (1..=4).for_each(|test| folder.write(&format!("s/tests/0{test}"), "1 2\n"));
    (1..=4).for_each(|test| folder.write(&format!("s/tests/0{test}.a"), "3\n"));
    let depends = "complete-group\"><dependencies><dependency group=\"0\"/></dependencies></group>";
    let text = folder.read("s/problem.xml").replace("complete-group\"/>", depends);
    let text = text.replace("sample=\"true\"", "group=\"0\" sample=\"true\"");
    for (small, big, folders) in [("1", "2", ["1", "2"]), ("small", "big", ["1_small", "2_big"])] {
        let text = text.replace("\"small\"", &format!("\"{small}\"")).replace("\"big\"", &format!("\"{big}\""));
        folder.write("s/problem.xml", text);
        folder.write(&format!("{small}/back/note"), "");
        folder.rebut(&format!("import s {small}/p")).exits(0);
        folder.rebut(&format!("export {small}/p --as polygon -o {small}/q")).exits(0);
        folder.rebut(&format!("import {small}/q {small}/back/p")).exits(0);
        folder.rebut(&format!("export {small}/back/p --as polygon -o {small}/again")).exits(0);
        let xml = folder.read(&format!("{small}/q/problem.xml"));
        for part in [
            "sample=\"true\" group=\"0\"/>".to_owned(),
            format!("group=\"{small}\"/>"),
            format!("group=\"{big}\" points=\"35\"/>"),
            "<group name=\"0\" points=\"0\"".to_owned(),
            "<dependency group=\"0\"/>".to_owned(),
        ] {
            assert!(xml.contains(&part), "{part}: {xml}");
        }
        let again = folder.read(&format!("{small}/again/problem.xml"));
        assert_eq!(xml.split("<files>").next(), again.split("<files>").next());
        for group in ["sample", &format!("secret/{}", folders[0]), &format!("secret/{}", folders[1])] {
            let settings = |package: &str| folder.read(&format!("{small}/{package}/data/{group}/test_group.yaml"));
            assert_eq!(settings("p"), settings("back/p"), "{group}");
        }
        let first = folder.read(&format!("{small}/back/p/data/secret/{}/test_group.yaml", folders[0]));
        assert!(first.contains("require_pass: [\"sample\"]"), "{first}");
        assert!(first.contains(&format!("input_validator_args: [\"--group\", \"{small}\"]")), "{first}");
    }
}

#[test]
fn expectation_of_the_first_failure_is_exported() {
    let folder = sample_package();
    folder.rebut("export p --as 2025-09 -o newer").exits(0).shows("cannot express that the first failure decides");
    let sheet = "wrong_answer:\n    permitted: [AC, WA, TLE, RTE]\n    required: [WA]\n";
    assert_eq!(folder.read("newer/submissions/submissions.yaml"), sheet);
    folder.write("p/submissions/wrong_answer/wrong.py", "n = int(input())\nprint(n + 2 if n < 10 else 1 // 0)\n");
    if installed(&["python3"]) {
        folder.rebut("export p --as 2025-09 -o late").exits(0);
        folder.rebut("verify p --no-cache -s wrong.py").exits(0);
        folder.rebut("verify late --no-cache -s wrong.py").exits(0);
    }
}

/// Returns a package of version 2025-09 with a file of each kind.
fn rich_package() -> Folder {
    let yaml = "problem_format_version: 2025-09\nname: Total\ntype: pass-fail\n\
                uuid: 5c0f1c6e-1d5b-4b6e-9d3a-6f0a2b7c8d22\nlimits:\n  time_limit: 1\n  compilation_time: 7\n\
                languages: [python3, cpp]\nkeywords:\n- sums\n- two words\nsource: Some Cup\n\
                credits:\n  authors: [Some One, Other]\n  testers: T\nlicense: cc by-sa\nrights_owner: Somebody\n\
                allow_file_writing: true\n";
    let folder = Folder::new().file("p/problem.yaml", yaml).file("p/input.format", "a b\nwhere 0 <= a, b <= 9\n");
    let mut folder = folder.file("p/submissions/accepted/sum.py", "import lib\nprint(lib.total())\n");
    for case in ["sample/1", "secret/a/01"] {
        folder = folder.file(&format!("p/data/{case}.in"), "1 2\n").file(&format!("p/data/{case}.ans"), "3\n");
    }
    for (path, text) in [
        ("include/python3/lib.py", "def total(): return sum(map(int, input().split()))\n"),
        ("data/sample/1.in.statement", "1 and 2\n"),
        ("data/sample/1.ans.download", "3\n"),
        ("data/sample/1.interaction", "<1\n"),
        ("data/secret/a/01.files/extra.txt", "x\n"),
        ("data/secret/a/01.yaml", "description: small\n"),
        ("data/secret/a/01.svg", "<svg/>\n"),
        ("data/invalid_input/x.in", "x\n"),
        ("attachments/tool.py", "print()\n"),
        ("solution/solution.en.md", "Add.\n"),
        ("generators/g.py", "print()\n"),
        ("input_visualizer/draw.py", "print()\n"),
        ("statement/problem.en.tex", "Add.\n"),
        ("submissions/submissions.yaml", "accepted/sum.py: {permitted: [AC]}\n"),
        ("README.md", "read\n"),
        ("submissions/accepted/notes.txt", "fast\n"),
    ] {
        folder = folder.file(&format!("p/{path}"), text);
    }
    folder
}

#[test]
fn everything_is_exported_or_named() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = rich_package();
    let before = listing(&folder.path("p"));
    let ran = folder.rebut("export p --as 2025-09 -o newer").exits(0);
    ran.shows("`README.md` and `submissions/accepted/notes.txt` are left out").hides("no such");
    let same = listing(&folder.path("newer"));
    let lost: Vec<&String> = before.iter().filter(|path| !same.contains(path)).collect();
    assert_eq!(lost, ["README.md", "input.format", "submissions/accepted/notes.txt"]);
    let yaml = folder.read("newer/problem.yaml");
    for line in folder
        .read("p/problem.yaml")
        .lines()
        .filter(|line| !["license", "rights", "name"].iter().any(|key| line.starts_with(key)))
    {
        assert!(yaml.replace('"', "").contains(line.trim()), "{line}: {yaml}");
    }
    folder.rebut("verify newer --no-cache").exits(0).shows("accepted on 2 of 2");
    let ran = folder.rebut("export p --as legacy -o legacy").exits(0);
    let ran = ran.shows("`README.md`, `generators/`, `input_visualizer/`, `solution/` and `submissions/accepted/notes.txt` are left out");
    let ran =
        ran.shows_all(&["`.ans.download` of `sample/1`", "`.files` of `secret/a/01`", "`.in.statement`", "`.yaml`"]);
    let ran = ran.shows_all(&["`data/invalid_input`", "`allow_file_writing`", "`credits.testers`"]);
    ran.shows("`submissions/submissions.yaml` is left out");
    let yaml = folder.read("legacy/problem.yaml");
    for line in [
        "uuid: 5c0f1c6e-1d5b-4b6e-9d3a-6f0a2b7c8d22",
        "author: \"Some One, Other\"",
        "keywords: \"sums two-words\"",
        "languages: \"python3 cpp\"",
        "    compilation_time: 7",
    ] {
        assert!(yaml.lines().any(|own| own == line), "{line}: {yaml}");
    }
    for path in ["include/python3/lib.py", "attachments/tool.py", "data/sample/1.interaction", "data/secret/a/01.svg"] {
        assert!(folder.path(&format!("legacy/{path}")).is_file(), "{path}");
    }
    folder.rebut("verify legacy --no-cache").exits(0).shows("accepted on 2 of 2");
    let ran = folder.rebut("export p --as domjudge -o dom").exits(0).shows("DOMjudge adds no files to submissions");
    ran.shows("`include/`");
    assert!(folder.path("dom/data/secret/a-01.svg").is_file() && folder.path("dom/attachments/tool.py").is_file());
    folder.rebut("verify dom --no-cache").exits(0).shows("accepted on 2 of 2");
    // Back again: the parts of the older package are kept.
    folder.rebut("export legacy --as 2025-09 -o again").exits(0);
    let yaml = folder.read("again/problem.yaml");
    assert!(yaml.contains("keywords: [\"sums\", \"two-words\"]") && yaml.contains("uuid: 5c0f1c6e"), "{yaml}");
}

/// As much of testlib's outward form as these programs need: the arguments, the report and the exit status.
const TESTLIB: &str = r#"
#pragma once
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#ifndef OK_EXIT_CODE
#define OK_EXIT_CODE 0
#endif
enum Result { _ok, _wa, _pe, _fail, _points = 7 };
inline std::ifstream inf, answer_file, output_file;
inline std::ofstream tout;
inline std::istream *ouf_stream = &output_file;
inline std::string report;
struct Guard { ~Guard() { if (!report.empty()) std::ofstream(report, std::ios::app) << "\n"; } };
inline Guard guard;
inline void registerTestlibCmd(int count, char **words) {
    if (count < 4 || count > 6) std::exit(_fail);
    inf.close(); inf.clear(); inf.open(words[1]);
    output_file.open(words[2]); answer_file.open(words[3]);
    if (count > 4) report = words[4];
}
inline void registerInteraction(int count, char **words) {
    if (count < 3) std::exit(_fail);
    inf.open(words[1]); tout.open(words[2]); ouf_stream = &std::cin;
    if (count > 4) report = words[4];
}
inline void registerValidation(int, char **) {}
inline void quit(Result result, const std::string &message) {
    if (!report.empty()) std::ofstream(report) << message;
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(result == _ok ? OK_EXIT_CODE : result);
}
"#;

#[test]
fn testlib_programs_are_exported_with_wrappers() {
    if !installed(&["g++"]) || !installed(&["python3"]) {
        return;
    }
    let checker = "#include \"testlib.h\"\nint main(int argc, char* argv[]) {\n    registerTestlibCmd(argc, argv);\n    \
                   int n, x; inf >> n;\n    if (!(output_file >> x)) quit(_pe, \"no number\");\n    \
                   quit(x == 2 * n ? _ok : _wa, \"found \" + std::to_string(x));\n}\n";
    let interactor = "#include \"testlib.h\"\nint main(int argc, char **argv) {\n    registerInteraction(argc, argv);\n    \
                      int n, x; inf >> n;\n    std::cout << n << std::endl;\n    \
                      if (!(std::cin >> x)) quit(_pe, \"no number\");\n    \
                      quit(x == 2 * n ? _ok : _wa, \"found \" + std::to_string(x));\n}\n";
    let validator = "#include \"testlib.h\"\nint main(int argc, char** argv) {\n    registerValidation(argc, argv);\n    \
                     int n; char end;\n    if (!(std::cin >> n) || n < 1 || n > 9) quit(_fail, \"not from 1 to 9\");\n    \
                     std::cin.get(end);\n}\n";
    for (program, kind) in [(checker, "custom"), (interactor, "custom interactive")] {
        let folder = Folder::new()
            .file("p/problem.yaml", format!("name: Twice\nvalidation: {kind}\nlimits:\n    time_limit: 2\n"))
            .file("p/data/secret/1.in", "2\n")
            .file("p/data/secret/1.ans", "4\n")
            .file("p/input_validators/valid.cpp", validator)
            .file("p/input_validators/testlib.h", TESTLIB)
            .file("p/output_validators/check.cpp", program)
            .file("p/output_validators/testlib.h", TESTLIB)
            .file("p/submissions/accepted/right.py", "print(int(input()) * 2)\n")
            .file("p/submissions/wrong_answer/wrong.py", "print(int(input()) + 1)\n")
            .file("p/submissions/wrong_answer/silent.py", "input()\n");
        folder.rebut("verify p --no-probes").exits(0);
        for target in ["legacy", "2025-09", "domjudge"] {
            let ran = folder.rebut(&format!("export p --as {target} -o {target}")).exits(0);
            ran.shows("is written with testlib").hides("of the export");
            folder.rebut(&format!("verify {target} --no-probes")).exits(0).shows("OK  3 submissions as expected");
        }
        folder.rebut("run wrong 2025-09").exits(1).shows("found 3");
        let ran = folder.rebut("verify legacy");
        ran.hides("`valid`: the validator").hides("instead of accepting or refusing");
    }
}

/// Polygon lets the checker judge what an interactor wrote, which need not know the answer.
#[test]
fn interactor_and_checker_of_polygon_judge_together() {
    if !installed(&["g++", "python3"]) {
        return;
    }
    let interactor = "#include \"testlib.h\"\nint main(int argc, char **argv) {\n    registerInteraction(argc, argv);\n    \
                      int n, x; inf >> n;\n    std::cout << n << std::endl;\n    \
                      if (!(std::cin >> x)) quit(_pe, \"no number\");\n    tout << x << std::endl;\n    \
                      quit(_ok, \"one number\");\n}\n";
    let checker = "#include \"testlib.h\"\nint main(int argc, char* argv[]) {\n    registerTestlibCmd(argc, argv);\n    \
                   int n, x; inf >> n;\n    if (!(output_file >> x)) quit(_pe, \"nothing written\");\n    \
                   quit(x == 2 * n ? _ok : _wa, \"found \" + std::to_string(x));\n}\n";
    let xml = "<problem short-name=\"twice\"><judging><testset name=\"tests\"><time-limit>2000</time-limit>\
               <memory-limit>268435456</memory-limit><input-path-pattern>tests/%02d</input-path-pattern>\
               <answer-path-pattern>tests/%02d.a</answer-path-pattern><tests><test method=\"manual\"/></tests></testset>\
               </judging><assets><checker><source path=\"files/check.cpp\"/></checker><interactor><source path=\"files/inter.cpp\"/>\
               </interactor><solutions><solution tag=\"main\"><source path=\"solutions/right.py\"/></solution>\
               <solution tag=\"wrong-answer\"><source path=\"solutions/wrong.py\"/></solution><solution tag=\"wrong-answer\">\
               <source path=\"solutions/silent.py\"/></solution></solutions></assets></problem>";
    let folder = Folder::new()
        .file("s/problem.xml", xml)
        .file("s/tests/01", "2\n")
        .file("s/tests/01.a", "4\n")
        .file("s/files/inter.cpp", interactor)
        .file("s/files/check.cpp", checker)
        .file("s/files/testlib.h", TESTLIB)
        .file("s/solutions/right.py", "print(int(input()) * 2)\n")
        .file("s/solutions/wrong.py", "print(int(input()) + 1)\n")
        .file("s/solutions/silent.py", "input()\n");
    folder.rebut("import s p").exits(0).hides("left out");
    folder.rebut("verify p --no-probes").exits(0).shows("OK  3 submissions as expected");
    folder.rebut("run wrong p").exits(1).shows("found 3").hides("one number");
    folder.rebut("run silent p").exits(1).shows("no number");
    for target in ["legacy", "2025-09", "domjudge"] {
        folder.rebut(&format!("export p --as {target} -o {target}")).exits(0).hides("of the export");
        folder.rebut(&format!("verify {target} --no-probes")).exits(0).shows("OK  3 submissions as expected");
    }
    folder.rebut("export p --as polygon -o q").exits(0);
    assert_eq!(folder.read("q/files/inter.cpp") + &folder.read("q/files/check.cpp"), interactor.to_owned() + checker);
    folder.rebut("import q back").exits(0);
    assert_eq!(listing(&folder.path("p/output_validator")), listing(&folder.path("back/output_validator")));
    // Without a checker in C++, what the interactor accepts is accepted.
    folder.write("s/problem.xml", xml.replace("check.cpp", "check.pas"));
    folder.write("s/files/check.pas", "begin end.\n");
    folder.rebut("import s alone").exits(0).shows("what the interactor alone accepts is accepted");
}

#[test]
fn program_that_other_judges_cannot_run_is_found_by_the_export() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = sample_package().file("p/input_validators/plain.py", "import sys\nsys.exit(0)\n");
    let ran = folder.rebut("export p --as legacy -o out").exits(3);
    ran.shows("`input_validators/plain.py` of the export fails on").shows("exited with status 0");
    assert!(folder.path("out/problem.yaml").is_file());
    folder.write("p/input_validators/plain.py", "import sys\nprint('never')\nsys.exit(43)\n");
    folder.rebut("export p --as legacy -o again").exits(3).shows("it refuses the input: never");
}

#[test]
fn polygon_packages_come_back() {
    if !installed(&["g++", "python3"]) {
        return;
    }
    let folder = Folder::new();
    import(&polygon(), &folder);
    folder.rebut("build p").exits(0);
    let exported = folder.rebut("export p --as polygon -o q").exits(0);
    exported.shows("exported p: 29 files in q").shows("expectations on single test cases are left out");
    folder.rebut("import q back").exits(0).shows("4 test cases, 4 submissions").shows("no statement in russian");
    let xml = folder.read("q/problem.xml");
    for part in [
        "<name language=\"english\" value=\"The Sum of &quot;Two&quot;\"/>",
        "<test method=\"manual\" sample=\"true\"/>",
        "<test method=\"manual\" group=\"big\" points=\"35\"/>",
        "<group name=\"small\" points=\"30\" points-policy=\"complete-group\">",
        "<source path=\"files/val.cpp\" type=\"cpp.g++17\"/>",
        "<test verdict=\"VALID\" group=\"small\"/>",
        "<test verdict=\"INVALID\"/>",
        "<solution tag=\"time-limit-exceeded-or-accepted\">",
    ] {
        assert!(xml.contains(part), "{part}: {xml}");
    }
    // Sections, programs, expectations and the tests of programs are the same; tests have numbers for names.
    for (path, other) in [
        ("statement/problem.en.tex", "statement/problem.en.tex"),
        ("data/invalid_output/02.out", "data/invalid_output/002.out"),
        ("data/valid_input/01.in", "data/valid_input/001.in"),
        ("output_validator/check.cpp", "output_validator/check.cpp"),
        ("submissions/slow_or_accepted/slow.py", "submissions/slow_or_accepted/slow.py"),
        ("data/secret/2_big/1_t3.in", "data/secret/2_big/3.in"),
        ("data/secret/2_big/2_t4.ans", "data/secret/2_big/4.ans"),
    ] {
        assert_eq!(folder.read(&format!("p/{path}")), folder.read(&format!("back/{other}")), "{path}");
    }
    let limits = |name: &str| {
        folder
            .read(&format!("{name}/problem.yaml"))
            .lines()
            .skip_while(|line| !line.starts_with("limits"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(limits("p"), limits("back"));
    // The checker of this package accepts what follows an answer, before and after.
    folder.rebut("verify back").exits(1).shows("OK  4 submissions as expected");
}

/// Polygon has one folder of resources: headers beside the sources, and in folders that they are searched in, go there.
#[test]
fn headers_of_exported_programs_come_back_from_polygon() {
    let validator = "#include <testlib.h>\n#include \"../common/limits.h\"\nint main(int c, char **v) { registerValidation(c, v); }\n";
    let checker =
        "#include \"testlib.h\"\n#include \"msg.h\"\nint main(int c, char **v) { registerTestlibCmd(c, v); }\n";
    let folder = sample_package()
        .file("p/problem.yaml", "name: Twice\nvalidation: custom\n")
        .file("p/testlib.h", TESTLIB)
        .file("p/input_validators/val/val.cpp", validator)
        .file("p/input_validators/common/limits.h", "#include \"deep.h\"\n")
        .file("p/input_validators/common/deep.h", "enum { MOST = 10 };\n")
        .file("p/output_validators/check.cpp", checker)
        .file("p/output_validators/msg.h", "#define MSG \"no\"\n")
        .file("p/generators/gen.cpp", "#include \"params.h\"\nint main() {}\n")
        .file("p/generators/params.h", "#define N 5\n")
        .file("p/submissions/accepted/two/main.cpp", "#include \"deep.h\"\nint main() {}\n")
        .file("p/submissions/accepted/two/deep.h", "// another\n");
    let ran = folder.rebut("export p --as polygon -o q").exits(0);
    ran.shows("`submissions/accepted/two/main.cpp` needs a `deep.h` of its own, but Polygon has one for all programs");
    let xml = folder.read("q/problem.xml");
    for (name, own) in [
        ("limits.h", "p/input_validators/common/limits.h"),
        ("deep.h", "p/input_validators/common/deep.h"),
        ("msg.h", "p/output_validators/msg.h"),
        ("params.h", "p/generators/params.h"),
        ("testlib.h", "p/testlib.h"),
    ] {
        assert_eq!(folder.read(&format!("q/files/{name}")), folder.read(own), "{name}");
        assert!(xml.contains(&format!("            <file path=\"files/{name}\"/>\n")), "{xml}");
    }
    assert!(folder.read("q/files/val.cpp").contains("#include \"limits.h\"\n"));
    folder.rebut("import q back").exits(0);
    assert!(
        folder.path("back/input_validators/val/deep.h").is_file()
            || folder.path("back/input_validators/deep.h").is_file()
    );
    assert_eq!(folder.read("back/output_validator/msg.h"), folder.read("p/output_validators/msg.h"));
}

/// A package with a format and without programs that judge gets a validator and a checker that do the same.
#[test]
fn formats_become_validators_and_checkers_for_polygon() {
    let folder = Folder::new();
    folder.rebut("new coins").exits(0);
    let problem = folder.read("coins/problem.yaml");
    folder.write("coins/problem.yaml", problem + "validator_flags: float_absolute_tolerance 1e-6\n");
    folder.rebut("build coins").exits(0);
    let exported = folder.rebut("export coins --as polygon -o q").exits(0);
    exported.shows("`testlib.h` is not exported");
    let validator = folder.read("q/files/format_validator.cpp");
    assert!(
        validator.contains("registerValidation(argc, argv);") && validator.contains("inf.readEof();"),
        "{validator}"
    );
    let checker = folder.read("q/files/check.cpp");
    assert!(checker.contains("case_sensitive = false") && !checker.contains('@'), "{checker}");
    // Without the header, it cannot be compiled here.
    folder.rebut("import q back").exits(2).shows("add `testlib.h` to the package");
}

/// A validator for Polygon knows the group of a test, which need not be named like its subtask.
#[test]
fn validator_for_polygon_checks_the_subtask_of_each_group() {
    let folder = Folder::new()
        .file("p/problem.yaml", "problem_format_version: 2025-09\nname: Twice\ntype: scoring\n")
        .file(
            "p/input.format",
            "n\nwhere:\n    1 <= n <= 100\n    subtask small: n <= 10\n    subtask even: n % 2 = 0\n",
        )
        .file(
            "p/tests.toml",
            "[[test]]\ngroup = 'first'\n[[test]]\ngroup = '2-even'\n[group.first]\nsubtask = 'small'\n",
        )
        .file("p/data/secret/first/1.in", "2\n")
        .file("p/data/secret/first/1.ans", "4\n")
        .file("p/submissions/accepted/right.py", "print(int(input()) * 2)\n")
        .file("p/submissions/partially_accepted/small.py", "print(4)\n")
        .file("p/submissions/mixed/unknown.py", "print(4)\n");
    let ran = folder.rebut("export p --as polygon -o q").exits(0);
    ran.shows("`mixed/unknown.py` is tagged `do-not-run`")
        .shows("states no `time_limit`, so Polygon gets 1 s")
        .shows("no `memory`, so");
    let validator = folder.read("q/files/format_validator.cpp");
    assert!(validator.contains("group == \"first\"") && validator.contains("group == \"2-even\""), "{validator}");
    let xml = folder.read("q/problem.xml");
    assert!(xml.contains("<test method=\"manual\" group=\"first\"") && xml.contains("tag=\"rejected\""), "{xml}");
    folder.rebut("export p --as legacy -o legacy").exits(0);
    assert!(folder.path("legacy/submissions/partially_accepted/small.py").is_file());
}

/// As much of testlib as the checker of packages without one needs.
const TESTLIB_STREAMS: &str = r#"
#pragma once
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
enum { _ok, _wa };
struct InStream {
    std::string text;
    size_t at = 0;
    void open(const char *path) { std::stringstream all; all << std::ifstream(path).rdbuf(); text = all.str(); }
    bool eof() { return at >= text.size(); }
    char curChar() { return text[at]; }
    char readChar() { return text[at++]; }
} ouf, ans;
inline void registerTestlibCmd(int, char **words) { ouf.open(words[2]); ans.open(words[3]); }
inline void quitf(int result, const char *, ...) { std::exit(result); }
inline std::string compress(const std::string &text) { return text; }
"#;

#[test]
fn checker_for_polygon_judges_like_the_default_one() {
    if !installed(&["g++"]) {
        return;
    }
    let folder = sample_package();
    let flags = "space_change_sensitive float_tolerance 1e-6";
    folder.write("p/problem.yaml", folder.read("p/problem.yaml").replace("case_sensitive", flags));
    folder.rebut("export p --as polygon -o q").exits(0);
    folder.write("q/files/testlib.h", TESTLIB_STREAMS);
    let [source, program] = ["q/files/check.cpp", "check"].map(|path| folder.path(path));
    assert!(Command::new("g++").arg(source).arg("-o").arg(&program).status().unwrap().success());
    for (answer, output) in [
        ("YES 0.5\n", "yes 0.5000001\n"),
        ("YES 0.5\n", "yes  0.5\n"),
        ("16\n", "0x10\n"),
        ("16\n", "1.6e1"),
        ("inf\n", "Inf\n"),
        ("1\n", ""),
    ] {
        folder.write("answer", answer);
        folder.write("output", output);
        let paths = ["output", "output", "answer"].map(|name| folder.path(name));
        let exported = Command::new(&program).args(paths).status().unwrap().code();
        let own = icpc_checker("space_change_sensitive,float_tolerance=1e-6", answer, output);
        assert_eq!(exported == Some(0), own, "{answer:?} {output:?}");
    }
}

fn icpc_checker(flags: &str, answer: &str, output: &str) -> bool {
    let checker = Checker::parse(&format!("icpc:{flags}")).unwrap();
    checker.check(b"", answer.as_bytes(), output.as_bytes()).is_accepted()
}
