//! The formats to begin with, `examples/`: a search finds the smallest input on which the wrong program fails, the page
//! lists it, and each is a package that builds.

use crate::environment::{Folder, Ran, home, installed};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folders of all examples.
fn examples() -> Vec<PathBuf> {
    let entries = fs::read_dir(home().join("examples")).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn kind(example: &Path) -> String {
    example.file_name().unwrap().to_string_lossy().into_owned()
}

fn read(example: &Path, name: &str) -> String {
    fs::read_to_string(example.join(name)).unwrap()
}

/// Searches for an input on which `wrong.py` fails, with the command of the page.
fn search(example: &Path, folder: &Folder) -> Ran {
    let judge = match kind(example).as_str() {
        "interactive" => "--interactor interactor.py",
        "any-answer" => "--reference right.py --checker checker.py",
        _ => "--reference right.py",
    };
    // The default time for shrinking may not suffice beside other tests.
    folder.rebut(&format!("stress wrong.py {judge} --seed 1 --certify 0s --shrink-time 2m"))
}

#[test]
fn wrong_programs_of_the_examples_have_the_stated_smallest_inputs() {
    if !installed(&["python3"]) {
        return;
    }
    for example in examples() {
        let folder = fs::read_dir(&example).unwrap().fold(Folder::new(), |folder, entry| {
            let entry = entry.unwrap();
            folder.file(&entry.file_name().to_string_lossy(), fs::read(entry.path()).unwrap())
        });
        search(&example, &folder).exits(1);
        assert_eq!(folder.finding().read("input.txt"), read(&example, "finding.txt"), "{}", kind(&example));
    }
}

#[test]
fn page_of_the_examples_lists_each_with_its_finding() {
    let page = fs::read_to_string(home().join("examples/README.md")).unwrap();
    for example in examples() {
        let (format, wrong) = (read(&example, "input.format"), read(&example, "wrong.py"));
        let row = format!(
            "| [{0}]({0}/input.format) | {1} | {2} | `{3}` |\n",
            kind(&example),
            format.lines().next().unwrap().strip_prefix("# ").unwrap(),
            wrong.lines().next().unwrap().trim_start_matches("# Wrong ").trim_start_matches("if "),
            read(&example, "finding.txt").trim_end().replace('\n', " / ")
        );
        assert!(page.contains(&row), "missing: {row}");
    }
}

#[test]
fn every_example_begins_a_package() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new();
    for example in examples() {
        let kind = kind(&example);
        folder.rebut(&format!("new --kind {kind} {kind}")).exits(0).shows(&format!("next: rebut build {kind}"));
        assert_eq!(folder.read(&format!("{kind}/input.format")), read(&example, "input.format"));
    }
    folder.rebut("new --kind any-answer --as legacy pair").exits(0);
    for package in ["tree", "interactive", "pair"] {
        // The second that it states is enough for a machine that does nothing else.
        let settings = folder.read(&format!("{package}/problem.yaml")).replace("time_limit: 1\n", "time_limit: 20\n");
        folder.write(&format!("{package}/problem.yaml"), &settings);
        folder.rebut(&format!("build {package}")).exits(0).shows("WA as expected");
    }
}

#[test]
fn help_shows_the_language_on_a_screen_as_a_format_that_parses() {
    let help = Folder::new().rebut("format --help").exits(0);
    let screen = help.stdout.split("Usage:").next().unwrap();
    assert!(screen.lines().count() <= 40, "{screen}");
    let indented = screen.lines().filter_map(|line| line.strip_prefix("    "));
    let format: String = indented.flat_map(|line| [line, "\n"]).collect();
    let folder = Folder::new().file("input.format", format);
    folder.rebut("generate input.format --min").exits(0);
}

#[test]
fn interactor_of_a_new_package_refuses_what_it_cannot_read() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new();
    folder.rebut("new guess --kind interactive").exits(0);
    folder.rebut("build guess").exits(0);
    for print in
        ["print('9' * 5000)", "sys.stdout.buffer.write(b'\\xff\\n')", "print('\\u0663')", "print(-1)", "print()"]
    {
        folder.write("odd.py", format!("import sys\n{print}\n"));
        folder.rebut("run odd.py guess").exits(1).hides("JE");
    }
}
