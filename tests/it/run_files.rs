//! Runs with luggage: files that a program finds, and files that it leaves, whatever it is and however it is started.

use crate::environment::installed;
use rebut::run::{Builder, Cancel, Environment, Job, LimitHit, Limits, Luggage, Outcome, Program, Variant};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A way to make programs, and a folder for their sources.
struct Workshop {
    folder: TempDir,
    builder: Builder,
}

impl Workshop {
    /// With spawners, so with walls.
    fn new() -> Workshop {
        Workshop::with(|environment| environment.with_spawner(env!("CARGO_BIN_EXE_rebut")))
    }

    fn with(change: impl FnOnce(Environment) -> Environment) -> Workshop {
        let environment = Environment::capture().unwrap().with("REBUT_CACHE", env!("CARGO_TARGET_TMPDIR"));
        Workshop { folder: tempfile::tempdir().unwrap(), builder: Builder::new(change(environment)).unwrap() }
    }

    fn source(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn program(&self, name: &str, text: &str) -> Program {
        let path = self.source(name, text);
        self.builder.compile(&path, Variant::Judged, &Cancel::new()).unwrap().program
    }

    /// The same as the user's own command: without walls.
    fn command(&self, name: &str, text: &str) -> Program {
        let path = self.source(name, text);
        self.builder.command(&path.display().to_string(), &Cancel::new()).unwrap().program
    }
}

fn run(program: &Program, luggage: &Luggage, args: &[OsString], limits: &Limits) -> Outcome {
    let job = Job { args, luggage: Some(luggage), ..Job::new(b"on the input\n", limits) };
    program.run_job(&job, &Cancel::new()).unwrap()
}

fn text(outcome: &Outcome) -> String {
    String::from_utf8_lossy(&outcome.output).into_owned()
}

/// Copies its first argument and its input into a file in the folder that its second argument names.
const SCRIBE: &str = "\
#include <fstream>
#include <iostream>
int main(int count, char **words) {
    std::ifstream input(words[1]);
    std::ofstream message(std::string(words[2]) + \"/judgemessage.txt\");
    message << input.rdbuf() << std::cin.rdbuf();
    std::cout << count << (words[1][0] == '/') << std::endl;
    return 43;
}
";

/// As a checker of a package is called.
fn scribe(program: &Program) {
    let luggage = Luggage::new().with_file("data/1.in", b"in a file\n").unwrap().with_folder("feedback").unwrap();
    let luggage = luggage.bringing("feedback").unwrap();
    let args = [Luggage::place("data/1.in"), Luggage::place("feedback"), "flag".into()];
    for _ in 0..2 {
        let outcome = run(program, &luggage, &args, &Limits::default());
        assert_eq!((text(&outcome).as_str(), outcome.limit), ("41\n", None), "{outcome:?}");
        let expected = (PathBuf::from("feedback/judgemessage.txt"), b"in a file\non the input\n".to_vec());
        assert_eq!(outcome.files.into_iter().collect::<Vec<_>>(), [expected]);
    }
}

#[test]
fn a_checker_reads_files_and_writes_its_feedback() {
    if !installed(&["g++", "clang++"]) {
        return;
    }
    let workshop = Workshop::new();
    scribe(&workshop.program("scribe.cpp", SCRIBE));
    scribe(&workshop.command("scribe.cpp", SCRIBE));
    scribe(&Workshop::with(|environment| environment).program("scribe.cpp", SCRIBE));
}

#[test]
fn a_walled_program_finds_its_luggage_by_bare_names() {
    let workshop = Workshop::new();
    let program = workshop.program(
        "look.rs",
        "fn main() {
            let mut names: Vec<_> = std::fs::read_dir(\".\").unwrap().map(|e| e.unwrap().file_name()).collect();
            names.sort();
            println!(\"{names:?} {:?}\", std::fs::read_to_string(\"a\"));
            std::fs::write(\"a\", \"spoilt\").unwrap();
            std::fs::write(\"b\", \"made\").unwrap();
        }",
    );
    let luggage = Luggage::new().with_file("a", b"1").unwrap().bringing("b").unwrap().bringing("c").unwrap();
    for _ in 0..2 {
        let outcome = run(&program, &luggage, &[], &Limits::default());
        assert_eq!(text(&outcome), "[\"a\"] Ok(\"1\")\n");
        assert_eq!(outcome.files.into_iter().collect::<Vec<_>>(), [(PathBuf::from("b"), b"made".to_vec())]);
    }
    let without = program.run(b"", &[], &Limits::default(), &Cancel::new()).unwrap();
    assert_eq!(text(&without), "[] Err(Os { code: 2, kind: NotFound, message: \"No such file or directory\" })\n");
}

#[test]
fn what_it_plants_leads_nowhere() {
    if !installed(&["python3", "python"]) {
        return;
    }
    let workshop = Workshop::new();
    let secret = workshop.source("secret.txt", "the answer");
    let text = format!(
        "import os\nos.symlink({secret:?}, 'out/link')\nos.symlink({:?}, 'out/folder')\nos.mkfifo('out/pipe')\n\
         os.symlink('/', 'gone')\nopen('out/real', 'w').write('1')\nos.rmdir('empty')\nos.symlink('out', 'empty')\n",
        workshop.folder.path()
    );
    // Walls refuse some of it; without walls all of it is possible.
    for program in [
        workshop.program("plant.py", &text),
        workshop
            .command("plant2.py", &format!("import os\nos.chdir(os.path.dirname(__import__('sys').argv[1]))\n{text}")),
    ] {
        let luggage = Luggage::new().with_folder("out").unwrap().with_folder("empty").unwrap();
        let luggage = luggage.bringing("out").unwrap().bringing("gone").unwrap().bringing("gone/etc/passwd").unwrap();
        let luggage = luggage.bringing("empty").unwrap().bringing("empty/real").unwrap();
        let outcome = run(&program, &luggage, &[Luggage::place("out")], &Limits::default());
        assert!(outcome.is_success(), "{}", String::from_utf8_lossy(&outcome.stderr));
        assert_eq!(outcome.files.into_iter().collect::<Vec<_>>(), [(PathBuf::from("out/real"), b"1".to_vec())]);
    }
    assert_eq!(fs::read_to_string(secret).unwrap(), "the answer");
}

#[test]
fn huge_and_deep_feedback_reaches_the_output_limit() {
    let workshop = Workshop::new();
    let limits = Limits { output_limit_bytes: 1 << 20, ..Limits::default() };
    let luggage = Luggage::new().with_file("in", &vec![b'x'; 3 << 20]).unwrap().with_folder("out").unwrap();
    let luggage = luggage.bringing("out").unwrap();
    let write = |size: usize, count: usize| {
        let lines = format!(
            "fn main() {{ assert_eq!(std::fs::metadata(\"in\").unwrap().len(), {});
                for i in 0..{count} {{ std::fs::write(format!(\"out/{{i}}\"), vec![b'y'; {size}]).unwrap(); }} }}",
            3 << 20
        );
        run(&workshop.program(&format!("write{size}x{count}.rs"), &lines), &luggage, &[], &limits)
    };
    let fits = write(400_000, 2);
    assert_eq!((fits.limit, fits.files.len()), (None, 2), "the luggage itself does not count");
    let over = write(400_000, 3);
    assert_eq!((over.limit, over.files.len()), (Some(LimitHit::Output), 2));
    let many = write(1, 2000);
    assert_eq!(many.limit, Some(LimitHit::Output));
    let deep = "fn main() { for _ in 0..500 { std::fs::create_dir(\"out\").ok(); std::env::set_current_dir(\"out\").unwrap(); }
        std::fs::write(\"a\", \"1\").unwrap(); }";
    let deep = run(&workshop.program("deep.rs", deep), &luggage, &[], &limits);
    assert_eq!((deep.limit, deep.files.len()), (Some(LimitHit::Output), 0));
}

#[test]
fn large_luggage_is_packed_once_and_shared() {
    let workshop = Workshop::new();
    let program = workshop.program(
        "size.rs",
        "fn main() { println!(\"{}\", std::fs::metadata(std::env::args().nth(1).unwrap()).unwrap().len()); }",
    );
    let luggage = Luggage::new().with_file("in", &vec![7; 64 << 20]).unwrap();
    std::thread::scope(|scope| {
        let one = |_| scope.spawn(|| run(&program, &luggage.clone(), &[Luggage::place("in")], &Limits::default()));
        let all: Vec<_> = (0..3).map(one).collect();
        for outcome in all {
            assert_eq!(text(&outcome.join().unwrap()), format!("{}\n", 64 << 20));
        }
    });
}

#[test]
fn nothing_of_one_run_is_left_for_the_next() {
    let workshop = Workshop::new();
    let source = "fn main() { std::fs::write(std::env::args().nth(1).unwrap() + \"2\", \"\").unwrap(); }";
    let program = workshop.command("leave.rs", source);
    let luggage = Luggage::new().with_folder("a").unwrap().bringing("a2").unwrap();
    for _ in 0..2 {
        let outcome = run(&program, &luggage, &[Luggage::place("a")], &Limits::default());
        assert_eq!(outcome.files.keys().collect::<Vec<_>>(), [Path::new("a2")], "{outcome:?}");
        let none = run(&program, &Luggage::new().bringing("a2").unwrap(), &["/dev/null/".into()], &Limits::default());
        assert!(!none.is_success() && none.files.is_empty());
    }
}
