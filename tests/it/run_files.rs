//! Runs with files: the files that programs of each kind find and leave behind.

use crate::environment::installed;
use rebut_sandbox::{CancelToken, HostEnvironment, LimitHit, Program, RunFiles, RunJob, RunLimits, RunOutcome};
use rebut_toolchain::{BuildVariant, ProgramBuilder};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A program builder and a folder for sources.
struct Workshop {
    folder: TempDir,
    builder: ProgramBuilder,
}

impl Workshop {
    /// With a spawner, so programs run in a sandbox.
    fn new() -> Workshop {
        Workshop::with(|environment| environment.with_spawner(env!("CARGO_BIN_EXE_rebut")))
    }

    fn with(change: impl FnOnce(HostEnvironment) -> HostEnvironment) -> Workshop {
        let environment =
            HostEnvironment::from_process().unwrap().with_variable("REBUT_CACHE", env!("CARGO_TARGET_TMPDIR"));
        Workshop { folder: tempfile::tempdir().unwrap(), builder: ProgramBuilder::new(change(environment)).unwrap() }
    }

    fn source(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn program(&self, name: &str, text: &str) -> Program {
        let path = self.source(name, text);
        self.builder.compile(&path, BuildVariant::Judged, &CancelToken::new()).unwrap().program
    }

    /// The same as the user's own command, which runs outside the sandbox.
    fn command(&self, name: &str, text: &str) -> Program {
        let path = self.source(name, text);
        self.builder.compile_command(&path.display().to_string(), &CancelToken::new()).unwrap().program
    }
}

fn run(program: &Program, files: &RunFiles, args: &[OsString], limits: &RunLimits) -> RunOutcome {
    let job = RunJob { args, files: Some(files), ..RunJob::new(b"on the input\n", limits) };
    program.run_job(&job, &CancelToken::new()).unwrap()
}

fn text(outcome: &RunOutcome) -> String {
    String::from_utf8_lossy(&outcome.output).into_owned()
}

/// Copies its first argument and its input to a file in the folder named by its second argument.
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

/// Runs it as a checker of a package is run.
fn check_scribe(program: &Program) {
    let files = RunFiles::new().with_file("data/1.in", b"in a file\n").unwrap().with_folder("feedback").unwrap();
    let files = files.with_collected("feedback").unwrap();
    let args = [RunFiles::path_argument("data/1.in"), RunFiles::path_argument("feedback"), "flag".into()];
    for _ in 0..2 {
        let outcome = run(program, &files, &args, &RunLimits::default());
        assert_eq!((text(&outcome).as_str(), outcome.limit), ("41\n", None), "{outcome:?}");
        let expected = (PathBuf::from("feedback/judgemessage.txt"), b"in a file\non the input\n".to_vec());
        assert_eq!(outcome.files.into_iter().collect::<Vec<_>>(), [expected]);
    }
}

#[test]
fn checker_reads_files_and_writes_feedback() {
    if !installed(&["g++", "clang++"]) {
        return;
    }
    let workshop = Workshop::new();
    check_scribe(&workshop.program("scribe.cpp", SCRIBE));
    check_scribe(&workshop.command("scribe.cpp", SCRIBE));
    check_scribe(&Workshop::with(|environment| environment).program("scribe.cpp", SCRIBE));
}

#[test]
fn sandboxed_program_finds_its_files_by_name() {
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
    let files = RunFiles::new().with_file("a", b"1").unwrap().with_collected("b").unwrap().with_collected("c").unwrap();
    for _ in 0..2 {
        let outcome = run(&program, &files, &[], &RunLimits::default());
        assert_eq!(text(&outcome), "[\"a\"] Ok(\"1\")\n");
        assert_eq!(outcome.files.into_iter().collect::<Vec<_>>(), [(PathBuf::from("b"), b"made".to_vec())]);
    }
    let without = program.run(b"", &[], &RunLimits::default(), &CancelToken::new()).unwrap();
    assert_eq!(text(&without), "[] Err(Os { code: 2, kind: NotFound, message: \"No such file or directory\" })\n");
}

#[test]
fn planted_links_are_not_followed() {
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
    // The sandbox denies some of it; outside, everything is possible.
    for program in [
        workshop.program("plant.py", &text),
        workshop
            .command("plant2.py", &format!("import os\nos.chdir(os.path.dirname(__import__('sys').argv[1]))\n{text}")),
    ] {
        let files = RunFiles::new().with_folder("out").unwrap().with_folder("empty").unwrap();
        let files = files
            .with_collected("out")
            .unwrap()
            .with_collected("gone")
            .unwrap()
            .with_collected("gone/etc/passwd")
            .unwrap();
        let files = files.with_collected("empty").unwrap().with_collected("empty/real").unwrap();
        let outcome = run(&program, &files, &[RunFiles::path_argument("out")], &RunLimits::default());
        assert!(outcome.is_success(), "{}", String::from_utf8_lossy(&outcome.stderr));
        assert_eq!(outcome.files.into_iter().collect::<Vec<_>>(), [(PathBuf::from("out/real"), b"1".to_vec())]);
    }
    assert_eq!(fs::read_to_string(secret).unwrap(), "the answer");
}

#[test]
fn huge_and_deep_feedback_reaches_the_output_limit() {
    let workshop = Workshop::new();
    let limits = RunLimits { output_limit_bytes: 1 << 20, ..RunLimits::default() };
    let files = RunFiles::new().with_file("in", &vec![b'x'; 3 << 20]).unwrap().with_folder("out").unwrap();
    let files = files.with_collected("out").unwrap();
    let write = |size: usize, count: usize| {
        let lines = format!(
            "fn main() {{ assert_eq!(std::fs::metadata(\"in\").unwrap().len(), {});
                for i in 0..{count} {{ std::fs::write(format!(\"out/{{i}}\"), vec![b'y'; {size}]).unwrap(); }} }}",
            3 << 20
        );
        run(&workshop.program(&format!("write{size}x{count}.rs"), &lines), &files, &[], &limits)
    };
    let fits = write(400_000, 2);
    assert_eq!((fits.limit, fits.files.len()), (None, 2), "the files themselves do not count");
    let over = write(400_000, 3);
    assert_eq!((over.limit, over.files.len()), (Some(LimitHit::Output), 2));
    let many = write(1, 2000);
    assert_eq!(many.limit, Some(LimitHit::Output));
    let deep = "fn main() { for _ in 0..500 { std::fs::create_dir(\"out\").ok(); std::env::set_current_dir(\"out\").unwrap(); }
        std::fs::write(\"a\", \"1\").unwrap(); }";
    let deep = run(&workshop.program("deep.rs", deep), &files, &[], &limits);
    assert_eq!((deep.limit, deep.files.len()), (Some(LimitHit::Output), 0));
}

#[test]
fn large_files_are_packed_once_and_shared() {
    let workshop = Workshop::new();
    let program = workshop.program(
        "size.rs",
        "fn main() { println!(\"{}\", std::fs::metadata(std::env::args().nth(1).unwrap()).unwrap().len()); }",
    );
    let files = RunFiles::new().with_file("in", &vec![7; 64 << 20]).unwrap();
    std::thread::scope(|scope| {
        let one =
            |_| scope.spawn(|| run(&program, &files.clone(), &[RunFiles::path_argument("in")], &RunLimits::default()));
        let all: Vec<_> = (0..3).map(one).collect();
        for outcome in all {
            assert_eq!(text(&outcome.join().unwrap()), format!("{}\n", 64 << 20));
        }
    });
}

#[test]
fn files_of_a_run_are_not_left_for_the_next() {
    let workshop = Workshop::new();
    let source = "fn main() { std::fs::write(std::env::args().nth(1).unwrap() + \"2\", \"\").unwrap(); }";
    let program = workshop.command("leave.rs", source);
    let files = RunFiles::new().with_folder("a").unwrap().with_collected("a2").unwrap();
    for _ in 0..2 {
        let outcome = run(&program, &files, &[RunFiles::path_argument("a")], &RunLimits::default());
        assert_eq!(outcome.files.keys().collect::<Vec<_>>(), [Path::new("a2")], "{outcome:?}");
        let none = run(
            &program,
            &RunFiles::new().with_collected("a2").unwrap(),
            &["/dev/null/".into()],
            &RunLimits::default(),
        );
        assert!(!none.is_success() && none.files.is_empty());
    }
}
