//! Programs that are folders: several sources, scripts of their own, headers elsewhere.

use crate::environment::installed;
use rebut::diagnostic::ErrorKind;
use rebut::run::{Builder, Cancel, CompileError, Compiled, Environment, Limits, Variant};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder with programs in it, and a cache of its own.
struct Shelf {
    folder: TempDir,
    builder: Builder,
}

impl Shelf {
    fn new(files: &[(&str, &str)]) -> Shelf {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment::capture().unwrap().with("REBUT_CACHE", folder.path().join("cache"));
        let builder = Builder::new(environment.with_spawner(env!("CARGO_BIN_EXE_rebut"))).unwrap();
        let shelf = Shelf { folder, builder };
        files.iter().for_each(|(name, text)| shelf.write(name, text));
        shelf
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
        if text.starts_with("#!") {
            fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    fn compile(&self, includes: &[&str]) -> Result<Compiled, CompileError> {
        let includes: Vec<PathBuf> = includes.iter().map(|name| self.path(name)).collect();
        let includes: Vec<&std::path::Path> = includes.iter().map(PathBuf::as_path).collect();
        self.builder.compile_including(&self.path("p"), &includes, Variant::Judged, &Cancel::new())
    }

    /// What the program `p` prints, given `5`.
    #[track_caller]
    fn prints(&self, includes: &[&str], expected: &str) -> Compiled {
        let compiled = self.compile(includes).unwrap_or_else(|error| panic!("{error}"));
        for quickly in [false, true] {
            let run = if quickly { rebut::run::Program::run_quickly } else { rebut::run::Program::run };
            let outcome = run(&compiled.program, b"5\n", &[], &Limits::default(), &Cancel::new()).unwrap();
            let stderr = String::from_utf8_lossy(&outcome.stderr);
            assert!(outcome.is_success(), "{:?} {:?} {stderr}", outcome.exit, outcome.limit);
            assert_eq!(String::from_utf8_lossy(&outcome.output), expected);
        }
        compiled
    }

    /// Why there is no program.
    #[track_caller]
    fn fails(&self, kind: ErrorKind, expected: &str) {
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
fn cpp_sources_are_compiled_together_with_headers_of_theirs_and_elsewhere() {
    if !installed(&["g++", "clang++"]) {
        return;
    }
    let shelf = Shelf::new(&[
        ("p/a.cpp", MAIN_CPP),
        ("p/sub/twice.cc", TWICE_CPP),
        ("p/sub/twice.h", TWICE_H),
        ("lib/far.h", "#define FAR 1\n"),
        ("p/README.md", "nothing"),
    ]);
    assert!(matches!(shelf.compile(&[]), Err(CompileError::Rejected { text, .. }) if text.contains("far.h")));
    let first = shelf.prints(&["lib"], "11\n");
    assert!(!first.from_cache && first.language.is_some_and(|language| language.name == "C++"));
    assert!(first.command.is_some_and(|command| command.contains("twice.cc") && command.contains("-I")));
    assert!(shelf.prints(&["lib"], "11\n").from_cache);
    // Whatever of it changes, it is another program.
    shelf.write("lib/far.h", "#define FAR 2\n");
    assert!(!shelf.prints(&["lib"], "12\n").from_cache);
    shelf.write("p/sub/twice.cc", &TWICE_CPP.replace("2 *", "3 *"));
    assert!(!shelf.prints(&["lib"], "17\n").from_cache);
    shelf.write("p/far.h", "#define FAR 0\n");
    assert!(!shelf.prints(&[], "15\n").from_cache);
}

#[test]
fn one_file_finds_headers_elsewhere() {
    if !installed(&["g++", "clang++"]) {
        return;
    }
    let shelf = Shelf::new(&[("lib/testlib.h", "#define N 4\n"), ("lib/two.h", "#define N 8\n")]);
    shelf.write("p.cpp", "#include <cstdio>\n#include \"testlib.h\"\nint main() { printf(\"%d\\n\", N); }\n");
    let printed = || {
        let lib = shelf.path("lib");
        let path = shelf.path("p.cpp");
        let compiled = shelf.builder.compile_including(&path, &[&lib], Variant::Judged, &Cancel::new()).unwrap();
        compiled.program.run(b"", &[], &Limits::default(), &Cancel::new()).unwrap().output
    };
    assert_eq!(printed(), b"4\n");
    shelf.write("lib/testlib.h", "#include \"two.h\"\n");
    assert_eq!(printed(), b"8\n");
}

#[test]
fn rust_modules_belong_to_their_main_file() {
    let shelf = Shelf::new(&[
        (
            "p/src/main.rs",
            "mod twice;\nfn main() { println!(\"{}\", twice::twice(&std::io::read_to_string(std::io::stdin()).unwrap())); }",
        ),
        ("p/src/twice.rs", "pub fn twice(text: &str) -> i32 { 2 * text.trim().parse::<i32>().unwrap() }"),
    ]);
    assert!(!shelf.prints(&[], "10\n").from_cache);
    shelf.write("p/src/twice.rs", "pub fn twice(_: &str) -> i32 { 7 }");
    assert!(!shelf.prints(&[], "7\n").from_cache);
}

#[test]
fn python_imports_what_lies_beside() {
    if !installed(&["python3", "python"]) {
        return;
    }
    let shelf = Shelf::new(&[
        ("p/main.py", "from lib.twice import twice\nprint(twice(int(input())))\n"),
        ("p/lib/__init__.py", ""),
        ("p/lib/twice.py", "def twice(n): return 2 * n\n"),
    ]);
    shelf.prints(&[], "10\n");
    assert!(!shelf.path("p/__pycache__").exists() && !shelf.path("p/lib/__pycache__").exists());
}

#[test]
fn links_inside_the_folder_are_followed() {
    if !installed(&["python3", "python"]) {
        return;
    }
    let shelf = Shelf::new(&[
        ("p/main.py", "from linked import twice\nprint(twice(int(input())))\n"),
        ("p/lib/twice.py", "def twice(n): return 2 * n\n"),
    ]);
    symlink("lib/twice.py", shelf.path("p/linked.py")).unwrap();
    shelf.prints(&[], "10\n");
}

#[test]
fn java_classes_are_compiled_together() {
    if !installed(&["javac"]) || !installed(&["java"]) {
        return;
    }
    let shelf = Shelf::new(&[
        (
            "p/Start.java",
            "public class Start { public static void main(String[] a) {
            System.out.println(Twice.of(new java.util.Scanner(System.in).nextInt())); } }",
        ),
        ("p/Twice.java", "class Twice { static int of(int n) { return 2 * n; } }"),
    ]);
    shelf.prints(&[], "10\n");
}

#[test]
fn scripts_of_the_folder_build_and_run_it() {
    let shelf = Shelf::new(&[
        (
            "p/build",
            "#!/bin/sh\nset -e\necho '#!/bin/sh' > run\necho 'read n; echo $((n * '$(cat factor)'))' >> run\nchmod +x run\n",
        ),
        ("p/factor", "2"),
    ]);
    let first = shelf.prints(&[], "10\n");
    assert!(!first.from_cache && first.language.is_none() && first.command.unwrap().ends_with("p/build"));
    assert!(!shelf.path("p/run").exists(), "it is built in a copy");
    assert!(shelf.prints(&[], "10\n").from_cache);
    shelf.write("p/factor", "3");
    assert!(!shelf.prints(&[], "15\n").from_cache);
    shelf.write("p/build", "#!/bin/sh\necho no way >&2\nexit 1\n");
    assert!(matches!(shelf.compile(&[]), Err(CompileError::Rejected { text, .. }) if text == "no way\n"));
    shelf.write("p/build", "#!/bin/sh\n");
    shelf.fails(ErrorKind::Usage, "`p/build` made no executable file `run`");
    shelf.write("p/run", "#!/bin/sh\nread n; cat \"$(dirname \"$0\")/factor\"\n");
    shelf.prints(&[], "3");
    fs::remove_file(shelf.path("p/build")).unwrap();
    assert!(shelf.prints(&[], "3").command.is_none());
}

#[test]
fn what_is_no_program_is_explained() {
    let shelf = Shelf::new(&[("p/README.md", "nothing")]);
    shelf.fails(ErrorKind::Usage, "there is no source file in the folder `p`");
    shelf.write("p/a.py", "");
    shelf.write("p/b.rs", "");
    shelf.fails(ErrorKind::Usage, "cannot tell the language of `p`: there are sources of Rust and Python");
    shelf.write("outside.py", "print(1)");
    symlink("../outside.py", shelf.path("p/main.py")).unwrap();
    shelf.fails(ErrorKind::Usage, "the link `p/main.py` leads out of the program's folder");
}
