//! Programs that are folders: several sources, build scripts, and headers in other folders.

use crate::environment::{Folder, installed, make_executable};
use rebut_diagnostics::ErrorKind;
use rebut_sandbox::{CancelToken, HostEnvironment, RunLimits};
use rebut_toolchain::{BuildVariant, CompileError, CompiledProgram, ProgramBuilder};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with programs and a cache of its own.
struct SourceFolder {
    folder: TempDir,
    builder: ProgramBuilder,
}

impl SourceFolder {
    fn new(files: &[(&str, &str)]) -> SourceFolder {
        let folder = tempfile::tempdir().unwrap();
        let environment =
            HostEnvironment::from_process().unwrap().with_variable("REBUT_CACHE", folder.path().join("cache"));
        let builder = ProgramBuilder::new(environment.with_spawner(env!("CARGO_BIN_EXE_rebut"))).unwrap();
        let programs = SourceFolder { folder, builder };
        files.iter().for_each(|(name, text)| programs.write(name, text));
        programs
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
        if text.starts_with("#!") {
            make_executable(&self.path(name));
        }
    }

    fn compile(&self, includes: &[&str]) -> Result<CompiledProgram, CompileError> {
        let includes: Vec<PathBuf> = includes.iter().map(|name| self.path(name)).collect();
        let includes: Vec<&std::path::Path> = includes.iter().map(PathBuf::as_path).collect();
        self.builder.compile_with_includes(&self.path("p"), &includes, BuildVariant::Judged, &CancelToken::new())
    }

    /// Asserts the output of the program `p` for the input `5`.
    #[track_caller]
    fn check_output(&self, includes: &[&str], expected: &str) -> CompiledProgram {
        let compiled = self.compile(includes).unwrap_or_else(|error| panic!("{error}"));
        for quickly in [false, true] {
            let run = if quickly { rebut_sandbox::Program::run_fast } else { rebut_sandbox::Program::run };
            let outcome = run(&compiled.program, b"5\n", &[], &RunLimits::default(), &CancelToken::new()).unwrap();
            let stderr = String::from_utf8_lossy(&outcome.stderr);
            assert!(outcome.is_success(), "{:?} {:?} {stderr}", outcome.exit, outcome.limit);
            assert_eq!(String::from_utf8_lossy(&outcome.output), expected);
        }
        compiled
    }

    /// Asserts the error of compiling the program.
    #[track_caller]
    fn check_failure(&self, kind: ErrorKind, expected: &str) {
        match self.compile(&[]) {
            Err(CompileError::Failed(error)) => {
                assert_eq!(error.kind(), kind, "{error}");
                let shown = self.path("p").display().to_string();
                assert_eq!(error.message().replace(&shown, "p"), expected);
                assert!(error.help().is_some(), "{error}");
            }
            other => panic!("{other:?}"),
        }
    }
}

const TWICE_CPP: &str = "#include \"sub/twice.h\"\nlong twice(long n) { return 2 * n; }\n";
const TWICE_H: &str = "long twice(long);\n";
const MAIN_CPP: &str = "#include <iostream>\n#include <sub/twice.h>\n#include \"far.h\"
int main() { long n; std::cin >> n; std::cout << twice(n) + FAR << std::endl; }\n";

#[test]
fn cpp_sources_are_compiled_with_local_and_foreign_headers() {
    if !installed(&["g++", "clang++"]) {
        return;
    }
    let programs = SourceFolder::new(&[
        ("p/a.cpp", MAIN_CPP),
        ("p/sub/twice.cc", TWICE_CPP),
        ("p/sub/twice.h", TWICE_H),
        ("lib/far.h", "#define FAR 1\n"),
        ("p/README.md", "nothing"),
    ]);
    assert!(matches!(programs.compile(&[]), Err(CompileError::Rejected { text, .. }) if text.contains("far.h")));
    let first = programs.check_output(&["lib"], "11\n");
    assert!(!first.is_from_cache && first.language.is_some_and(|language| language.name == "C++"));
    assert!(first.command.is_some_and(|command| command.contains("twice.cc") && command.contains("-I")));
    assert!(programs.check_output(&["lib"], "11\n").is_from_cache);
    // It is another program after a change of any of its parts.
    programs.write("lib/far.h", "#define FAR 2\n");
    assert!(!programs.check_output(&["lib"], "12\n").is_from_cache);
    programs.write("p/sub/twice.cc", &TWICE_CPP.replace("2 *", "3 *"));
    assert!(!programs.check_output(&["lib"], "17\n").is_from_cache);
    programs.write("p/far.h", "#define FAR 0\n");
    assert!(!programs.check_output(&[], "15\n").is_from_cache);
}

#[test]
fn single_file_finds_foreign_headers() {
    if !installed(&["g++", "clang++"]) {
        return;
    }
    let programs = SourceFolder::new(&[("lib/testlib.h", "#define N 4\n"), ("lib/two.h", "#define N 8\n")]);
    programs.write("p.cpp", "#include <cstdio>\n#include \"testlib.h\"\nint main() { printf(\"%d\\n\", N); }\n");
    let printed = || {
        let lib = programs.path("lib");
        let path = programs.path("p.cpp");
        let compiled =
            programs.builder.compile_with_includes(&path, &[&lib], BuildVariant::Judged, &CancelToken::new()).unwrap();
        compiled.program.run(b"", &[], &RunLimits::default(), &CancelToken::new()).unwrap().output
    };
    assert_eq!(printed(), b"4\n");
    programs.write("lib/testlib.h", "#include \"two.h\"\n");
    assert_eq!(printed(), b"8\n");
}

#[test]
fn header_added_to_an_earlier_folder_is_noticed() {
    if !installed(&["g++", "clang++"]) {
        return;
    }
    let mut programs = SourceFolder::new(&[("second/mine.h", "#define N 4\n")]);
    let folders = std::env::join_paths([programs.path("first"), programs.path("second")]).unwrap();
    let environment = HostEnvironment::from_process().unwrap().with_variable("REBUT_CACHE", programs.path("cache"));
    programs.builder = ProgramBuilder::new(environment.with_variable("CPATH", folders)).unwrap();
    programs.write("p/p.cpp", "#include <cstdio>\n#include <mine.h>\nint main() { std::printf(\"%d\\n\", N); }\n");
    assert!(!programs.check_output(&[], "4\n").is_from_cache);
    assert!(programs.check_output(&[], "4\n").is_from_cache);
    programs.write("first/mine.h", "#define N 8\n");
    assert!(!programs.check_output(&[], "8\n").is_from_cache);
}

#[test]
fn rust_modules_belong_to_their_main_file() {
    let programs = SourceFolder::new(&[
        (
            "p/src/main.rs",
            "mod twice;\nfn main() { println!(\"{}\", twice::twice(&std::io::read_to_string(std::io::stdin()).unwrap())); }",
        ),
        ("p/src/twice.rs", "pub fn twice(text: &str) -> i32 { 2 * text.trim().parse::<i32>().unwrap() }"),
    ]);
    assert!(!programs.check_output(&[], "10\n").is_from_cache);
    programs.write("p/src/twice.rs", "pub fn twice(_: &str) -> i32 { 7 }");
    assert!(!programs.check_output(&[], "7\n").is_from_cache);
}

#[test]
fn python_imports_modules_of_its_folder() {
    if !installed(&["python3", "python"]) {
        return;
    }
    let programs = SourceFolder::new(&[
        ("p/main.py", "from lib.twice import twice\nprint(twice(int(input())))\n"),
        ("p/lib/__init__.py", ""),
        ("p/lib/twice.py", "def twice(n): return 2 * n\n"),
    ]);
    programs.check_output(&[], "10\n");
    assert!(!programs.path("p/__pycache__").exists() && !programs.path("p/lib/__pycache__").exists());
}

#[test]
fn links_inside_the_folder_are_followed() {
    if !installed(&["python3", "python"]) {
        return;
    }
    let programs = SourceFolder::new(&[
        ("p/main.py", "from linked import twice\nprint(twice(int(input())))\n"),
        ("p/lib/twice.py", "def twice(n): return 2 * n\n"),
    ]);
    symlink("lib/twice.py", programs.path("p/linked.py")).unwrap();
    programs.check_output(&[], "10\n");
}

#[test]
fn java_classes_are_compiled_together() {
    if !installed(&["javac"]) || !installed(&["java"]) {
        return;
    }
    let programs = SourceFolder::new(&[
        (
            "p/Start.java",
            "public class Start { public static void main(String[] a) {
            System.out.println(Twice.of(new java.util.Scanner(System.in).nextInt())); } }",
        ),
        ("p/Twice.java", "class Twice { static int of(int n) { return 2 * n; } }"),
    ]);
    programs.check_output(&[], "10\n");
}

#[test]
fn build_and_run_scripts_of_the_folder_are_used() {
    let programs = SourceFolder::new(&[
        (
            "p/build",
            "#!/bin/sh\nset -e\necho '#!/bin/sh' > run\necho 'read n; echo $((n * '$(cat factor)'))' >> run\nchmod +x run\n",
        ),
        ("p/factor", "2"),
    ]);
    let first = programs.check_output(&[], "10\n");
    assert!(!first.is_from_cache && first.language.is_none() && first.command.unwrap().ends_with("p/build"));
    assert!(!programs.path("p/run").exists(), "it is built in a copy");
    assert!(programs.check_output(&[], "10\n").is_from_cache);
    programs.write("p/factor", "3");
    assert!(!programs.check_output(&[], "15\n").is_from_cache);
    programs.write("p/build", "#!/bin/sh\necho no way >&2\nexit 1\n");
    assert!(matches!(programs.compile(&[]), Err(CompileError::Rejected { text, .. }) if text == "no way\n"));
    programs.write("p/build", "#!/bin/sh\n");
    programs.check_failure(ErrorKind::Usage, "`p/build` did not create an executable file `run`");
    programs.write("p/run", "#!/bin/sh\nread n; cat \"$(dirname \"$0\")/factor\"\n");
    programs.check_output(&[], "3");
    fs::remove_file(programs.path("p/build")).unwrap();
    assert!(programs.check_output(&[], "3").command.is_none());
}

#[test]
fn link_to_nothing_is_named() {
    let folder = Folder::new().file("brute.py", "print(input())\n");
    symlink("gone.py", folder.path("sol.py")).unwrap();
    folder
        .rebut("stress sol.py -i 'n where 1 <= n <= 9'")
        .exits(2)
        .shows("`sol.py` is a link to `gone.py`, which is not there");
}

#[test]
fn folder_without_a_program_is_explained() {
    let programs = SourceFolder::new(&[("p/README.md", "nothing")]);
    programs.check_failure(ErrorKind::Usage, "no source file in the folder `p`");
    programs.write("p/a.py", "");
    programs.write("p/b.rs", "");
    programs.check_failure(ErrorKind::Usage, "cannot tell the language of `p`: there are sources of Rust and Python");
    programs.write("outside.py", "print(1)");
    symlink("../outside.py", programs.path("p/main.py")).unwrap();
    programs.check_failure(ErrorKind::Usage, "the link `p/main.py` leads outside the program's folder");
}
