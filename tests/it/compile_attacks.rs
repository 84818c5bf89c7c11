//! Hostile sources, compiled as submissions: none of them makes its compiler read foreign files, run for ever or fill
//! the machine.
//!
//! The first lines of each source in `testdata/compile_attacks/` state what it does and the expected part of the
//! compiler's message. It is compiled as the only submission of a package with a secret answer.

use crate::environment::{Folder, home, installed};
use rebut_sandbox::{CancelToken, HostEnvironment};
use rebut_toolchain::{BuildVariant, CompileError, CompileLimits, ProgramBuilder};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A text that no message and no program may contain.
const SECRET: &str = "31415926535";

/// The folder of the submissions in the package.
const SUBMISSIONS: &str = "p/submissions/accepted";

/// A hostile source, or a folder of sources.
struct HostileSource {
    path: PathBuf,
    expected: String,
}

impl HostileSource {
    fn read(path: PathBuf) -> HostileSource {
        let first = if path.is_dir() { path.join("@options.c") } else { path.clone() };
        let text = fs::read_to_string(first).unwrap();
        let value = |name: &str| text.lines().take(3).find_map(|line| Some(line.strip_prefix(name)?.trim().to_owned()));
        assert!(value("// attack:").is_some(), "{path:?} does not say what it does");
        HostileSource { expected: value("// expect:").unwrap_or_else(|| panic!("{path:?} expects nothing")), path }
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap().to_string_lossy().into_owned()
    }

    /// Returns the processor time of its compiler: the compilers of some attacks reach any limit, so it can be a low one.
    fn cpu_time_ms(&self) -> u64 {
        match self.expected.as_str() {
            text if text.contains("it takes more than 1 s of processor time") => 1000,
            // The wall time limit is five times as long.
            text if text.contains("it does not finish within 2 s") => 400,
            _ => 4000,
        }
    }

    /// Returns the memory of its compiler, of which bombs reach any amount.
    fn memory_mib(&self) -> u64 {
        if self.expected == "compiling was stopped" { 256 } else { 400 }
    }

    fn tools(&self) -> &'static [&'static str] {
        match self.path.extension().and_then(|end| end.to_str()) {
            Some("cpp") => &["g++"],
            Some("rs") => &["rustc"],
            Some("java") => &["javac"],
            _ => &["gcc"],
        }
    }
}

/// Returns the attacks with names that start with `bomb`, or all others.
fn attacks(is_bomb: bool) -> Vec<HostileSource> {
    let entries = fs::read_dir(home().join("testdata/compile_attacks")).unwrap().map(|entry| entry.unwrap().path());
    let mut attacks: Vec<HostileSource> = entries.map(HostileSource::read).collect();
    attacks.sort_by_key(HostileSource::name);
    attacks.retain(|attack| attack.name().to_lowercase().starts_with("bomb") == is_bomb);
    attacks
}

/// Creates a package with a secret answer and the files that sources try to reach.
fn package() -> Folder {
    let folder = Folder::new()
        .file("p/data/secret/1.ans", SECRET)
        .file("p/include/allowed.h", "#define ALLOWED 1\n")
        .file(&format!("{SUBMISSIONS}/1.ans"), SECRET);
    symlink("../../data/secret/1.ans", folder.path(SUBMISSIONS).join("link.h")).unwrap();
    symlink("../../data", folder.path(SUBMISSIONS).join("out")).unwrap();
    for pipe in ["p/include/waiting.h".to_owned(), format!("{SUBMISSIONS}/pipe.h")] {
        rustix::fs::mkfifoat(rustix::fs::CWD, folder.path(&pipe), rustix::fs::Mode::RWXU).unwrap();
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        fs::read_dir(from).unwrap().flatten().for_each(|entry| copy(&entry.path(), &to.join(entry.file_name())));
    } else {
        fs::copy(from, to).unwrap();
    }
}

/// Creates a builder with a cache of its own and low limits for compilers.
fn builder(cache: &Path, cpu_time_ms: u64, memory_mib: u64) -> ProgramBuilder {
    let environment = HostEnvironment::from_process()
        .unwrap()
        .with_variable("REBUT_CACHE", cache)
        .with_variable("REBUT_TEST_SECRET", SECRET);
    let limits = CompileLimits { cpu_time_ms, memory_bytes: memory_mib << 20, output_bytes: 24 << 20 };
    ProgramBuilder::new(environment.with_spawner(env!("CARGO_BIN_EXE_rebut"))).unwrap().with_compile_limits(limits)
}

fn has_sandbox(builder: &ProgramBuilder) -> bool {
    builder.sandbox_layers().iter().all(|layer| layer.state.is_ok())
}

/// Compiles attacks one after the other, each in a package of its own.
fn compile_attacks<'a>(attacks: impl Iterator<Item = &'a HostileSource>) {
    let cache = tempfile::tempdir().unwrap();
    assert!(has_sandbox(&builder(cache.path(), 4000, 400)) || std::env::var_os("CI").is_none());
    for attack in attacks.filter(|attack| installed(attack.tools())) {
        let builder = builder(cache.path(), attack.cpu_time_ms(), attack.memory_mib());
        let (folder, name) = (package(), attack.name());
        let source = folder.path(SUBMISSIONS).join(&name);
        copy(&attack.path, &source);
        let include = folder.path("p/include");
        let message =
            match builder.compile_with_includes(&source, &[&include], BuildVariant::Judged, &CancelToken::new()) {
                Ok(_) => "ok".to_owned(),
                Err(CompileError::Rejected { text, .. }) => text,
                Err(CompileError::Failed(error)) => panic!("{name}: {error}"),
            };
        assert!(message.contains(&attack.expected), "{name} expects `{}`:\n{message}", attack.expected);
        assert!(!message.contains(SECRET), "{name} shows the secret:\n{message}");
        assert!(!message.contains("root:"), "{name} shows a file of the host:\n{message}");
        let left = processes(&folder.path("p"), cache.path());
        assert_eq!(left, Vec::<String>::new(), "{name} left processes");
        let names = fs::read_dir(cache.path()).unwrap().flatten().map(|entry| entry.file_name());
        let unfinished = names.filter(|name| name.to_string_lossy().starts_with("building-")).count();
        assert_eq!(unfinished, 0, "{name} left unfinished builds");
    }
}

/// Returns the executables of processes that work in the package or write to the cache.
fn processes(package: &Path, cache: &Path) -> Vec<String> {
    let what = |process: PathBuf| {
        let line = String::from_utf8_lossy(&fs::read(process.join("cmdline")).ok()?).into_owned();
        let is_there = fs::read_link(process.join("cwd")).is_ok_and(|folder| folder.starts_with(package));
        (is_there || line.contains(&cache.display().to_string())).then_some(line)
    };
    fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| what(entry.path())).collect()
}

#[test]
fn compilers_cannot_read_foreign_files() {
    let attacks = attacks(false);
    assert!(attacks.len() >= 24);
    compile_attacks(attacks.iter());
}

#[test]
fn compile_bombs_end_within_their_limits_1() {
    compile_attacks(attacks(true).iter().step_by(2));
}

#[test]
fn compile_bombs_end_within_their_limits_2() {
    let attacks = attacks(true);
    assert!(attacks.len() >= 10);
    compile_attacks(attacks.iter().skip(1).step_by(2));
}

/// Compiles with a script as compiler, which executes the given commands except in queries of its version: `CC` can
/// name a shell script.
fn try_in_sandbox(folder: &Folder, script: &str, options: &str) -> crate::environment::Ran {
    let questions = "case \"$0 $*\" in *print-file*|*fork_server*) exit 1;; esac";
    folder
        .typed(&format!("stress {SUBMISSIONS}/a.c --reference brute.py --input 'n where 1<=n<=2' --cases 1 --no-save"))
        .arguments(options)
        .variable("CC", format!("sh -c '{questions}; {script}; exit 1'"))
        .variable("REBUT_TEST_SECRET", SECRET)
        .run()
        .exits(1)
        .shows("FAIL a.c: compile error")
}

fn package_of_one() -> Folder {
    package().file(&format!("{SUBMISSIONS}/a.c"), "int main(void) { return 0; }").file("brute.py", "print(1)\n")
}

fn is_complete() -> bool {
    installed(&["python3"]) && has_sandbox(&builder(tempfile::tempdir().unwrap().path(), 4000, 400))
}

#[test]
fn programs_of_a_compiler_run_in_its_sandbox() {
    if !is_complete() {
        return;
    }
    let folder = package_of_one();
    let home = folder.path("home");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("notes"), SECRET).unwrap();
    let cases = [
        ("cat ../../data/secret/1.ans", "denied"),
        ("cat /etc/shadow /etc/passwd", "denied"),
        ("cat /proc/self/environ", "denied"),
        ("ls ../../data", "denied"),
        ("cat $OLD/home/notes", "denied"),
        ("env", "PATH="),
        ("echo x > ../../data/secret/1.ans", "denied"),
        ("echo x > written.h", "denied"),
        ("rm -f a.c; cat a.c", "return 0"),
        ("cp /bin/true $TMPDIR/true; $TMPDIR/true", "denied"),
        ("kill -9 $PPID", "kill"),
    ];
    for (script, expected) in cases {
        let script = script.replace("$OLD", &folder.path("").display().to_string());
        let script = format!("exec 2>&1; {}", script.trim_end_matches('/'));
        try_in_sandbox(&folder, &script, "").shows(expected).hides(SECRET).hides("root:");
    }
    assert_eq!(folder.read("p/data/secret/1.ans"), SECRET);
}

#[test]
fn no_process_of_a_compiler_outlives_its_build() {
    if !is_complete() {
        return;
    }
    let folder = package_of_one();
    // A process in a session of its own, and one that ignores signals, while the driver waits for ever.
    try_in_sandbox(&folder, "setsid sleep 1000 & trap : TERM INT; sleep 1000 & wait", "--compile-time 300ms")
        .shows("compiling was stopped: it does not finish within 1.5 s");
    let left = processes(&folder.path("p"), Path::new("/nonexistent"));
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn compiler_limits_are_options() {
    if !is_complete() {
        return;
    }
    let folder = package_of_one();
    try_in_sandbox(&folder, "while :; do :; done", "--compile-time 500ms")
        .shows("compiling was stopped: it takes more than 0.5 s of processor time (see --compile-time)");
    let grow = "a=xxxxxxxxxxxxxxxx; while :; do a=$a$a; done";
    try_in_sandbox(&folder, grow, "--compile-memory 64")
        .shows("compiling was stopped: it takes more than 64 MiB of memory (see --compile-memory)");
}

#[test]
fn sources_find_their_own_files() {
    if !installed(&["g++"]) {
        return;
    }
    let cache = tempfile::tempdir().unwrap();
    let folder = package();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("named.h"), "#define NAMED 1\n").unwrap();
    let environment = HostEnvironment::from_process()
        .unwrap()
        .with_variable("REBUT_CACHE", cache.path())
        .with_variable("CPATH", elsewhere.path());
    let builder = ProgramBuilder::new(environment.with_spawner(env!("CARGO_BIN_EXE_rebut"))).unwrap();
    folder.write(&format!("{SUBMISSIONS}/plain.h"), "#define TABLE 0\n");
    folder.write(&format!("{SUBMISSIONS}/beside.h"), "#include \"deep/table.inc\"\n");
    folder.write(&format!("{SUBMISSIONS}/deep/table.inc"), "#define TABLE 1\n");
    folder.write(&format!("{SUBMISSIONS}/whole/main.cpp"), "int main() {\n#include \"numbers.txt\"\n}\n");
    folder.write(&format!("{SUBMISSIONS}/whole/numbers.txt"), "return 0;");
    let sources = [
        (
            "sol.cpp",
            Some(
                "#include \"beside.h\"\n#include <allowed.h>\n#include <named.h>\nint main() { return TABLE + ALLOWED + NAMED; }\n",
            ),
        ),
        ("macro.cpp", Some("#define NAME \"plain.h\"\n#include NAME\nint main() { return TABLE; }\n")),
        ("whole", None),
    ];
    for (name, text) in sources {
        let path = format!("{SUBMISSIONS}/{name}");
        text.into_iter().for_each(|text| folder.write(&path, text));
        let include = folder.path("p/include");
        let compiled =
            builder.compile_with_includes(&folder.path(&path), &[&include], BuildVariant::Judged, &CancelToken::new());
        assert!(compiled.is_ok(), "{name}: {compiled:?}");
    }
}

#[test]
fn long_compilations_show_progress() {
    if !is_complete() {
        return;
    }
    let folder = package_of_one();
    // It sleeps until its wall time limit, which is five times as long.
    try_in_sandbox(&folder, "sleep 1000", "--compile-time 800ms").shows("Compiling a.c");
}
