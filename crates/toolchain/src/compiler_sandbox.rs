//! The sandbox of compilers: its policy, the environment, and an explanation of what it refused.
//!
//! A source controls what its compiler reads: `#include`, `.incbin`, `include_str!`. So a compiler does what untrusted
//! text asks for, and it prints what it reads. It runs in the sandbox of all programs built from sources, with another
//! policy:
//!
//! * It reads its toolchain (system programs, libraries and headers, and the folder that it is installed in), the
//!   sources of the program and the package's headers. It cannot read test data, home folders, system configuration,
//!   devices or `/proc`.
//! * It writes to a temporary folder and to the folder for its results, and is stopped when these grow too large.
//! * It can start processes, but has no network.
//! * Its environment contains only the variables that configure toolchains: `env!` would put others into programs.
//!
//! A wrapper script from outside the system that stands in for a compiler is not sandboxed, because the programs that
//! it starts are unknown.

use super::find_tool::find_tool;
use super::language::CC;
use super::named_files::is_related;
use super::sources::ProgramSources;
use rebut_sandbox::{
    CompilerAccess, HostEnvironment, ReadablePaths, SandboxPolicy, TOOLCHAIN_FOLDERS, is_script, to_c_paths,
};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Variables that configure compilers, or through which they find their parts. A name that ends in `*` is a prefix.
const COMPILER_VARIABLES: &[&str] = &[
    "CARGO_HOME",
    "CGO_ENABLED",
    "COMPILER_PATH",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "C_INCLUDE_PATH",
    "DEVELOPER_DIR",
    "GCC_EXEC_PREFIX",
    "GOFLAGS",
    "GOROOT",
    "GUIX_*",
    "JAVA_HOME",
    "JDK_JAVAC_OPTIONS",
    "LANG",
    "LD_LIBRARY_PATH",
    "LIBRARY_PATH",
    "MACOSX_DEPLOYMENT_TARGET",
    "NIX_*",
    "PATH",
    "PYTHONHOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "SDKROOT",
];

/// Variables that list folders in which compilers look for headers and libraries.
const SEARCH_PATHS: &[&str] = &["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH"];

/// Those that list folders of headers.
const HEADER_PATHS: &[&str] = &["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"];

/// Maximum number of files in folders of headers that are looked at.
const MAX_HEADERS: usize = 100_000;

/// The variable that names the folder of modules for sources that include files by a path.
pub(super) const MODULES_VARIABLE: &str = "REBUT_INCLUDE";

/// Maximum number of files next to a source that its compiler can read.
const MAX_FILES_BESIDE: usize = 1000;

/// The sandbox of one compilation.
#[derive(Debug, Default)]
pub(super) struct CompilerSandbox {
    toolchain: ReadablePaths,
    sources: Vec<PathBuf>,
    listable: Vec<PathBuf>,
    results: PathBuf,
    caches: Vec<PathBuf>,
    modules: Option<PathBuf>,
    /// The file for the paths that the compiler reads.
    pub(super) dependencies: Option<PathBuf>,
}

impl CompilerSandbox {
    /// Creates the sandbox of a compiler that writes its results into that folder.
    pub(super) fn new(compiler: &[OsString], results: &Path, environment: &HostEnvironment) -> Self {
        let mut sandbox = CompilerSandbox { results: results.to_owned(), ..CompilerSandbox::default() };
        sandbox.add_toolchain(compiler, environment);
        sandbox
    }

    /// Adds a compiler with its arguments: its installation, and the folders that it searches.
    fn add_toolchain(&mut self, compiler: &[OsString], environment: &HostEnvironment) {
        let linker = find_tool(environment, &CC, "C").ok().and_then(|words| words.first().cloned());
        for program in compiler.first().into_iter().chain(&linker).map(Path::new) {
            if !is_system_path(program) {
                self.toolchain.add_tool(program, environment);
            }
        }
        for name in SEARCH_PATHS {
            let folders = environment.get_variable(name).map(std::env::split_paths).into_iter().flatten();
            folders.for_each(|folder| self.add_named_path(&folder, environment));
        }
        for word in compiler.iter().skip(1) {
            // Matches `/x`, `-I/x` and `--sysroot=/x`.
            let bytes = word.as_encoded_bytes();
            if let Some(at) = bytes.iter().position(|byte| *byte == b'/') {
                self.add_named_path(Path::new(&*String::from_utf8_lossy(&bytes[at..])), environment);
            }
        }
        // Debian has the index of packages of Haskell there.
        self.toolchain.add_path(Path::new("/var/lib/ghc"));
        for (name, folder) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
            if let Some(home) = toolchain_home(name, folder, environment) {
                // The other files in these folders include credentials.
                ["bin", "settings.toml", "toolchains"]
                    .iter()
                    .for_each(|part| self.toolchain.add_path(&home.join(part)));
            }
        }
        // Linux distributions keep the configuration of Java, Pascal and Mono in folders and files with such names.
        let configured = std::fs::read_dir("/etc").into_iter().flatten().flatten();
        let is_toolchain = |name: &OsStr| {
            ["java", "fpc", "mono"].iter().any(|tool| name.as_encoded_bytes().starts_with(tool.as_bytes()))
        };
        configured
            .filter(|entry| is_toolchain(&entry.file_name()))
            .for_each(|entry| self.toolchain.add_path(&entry.path()));
    }

    /// Adds a folder or file that the user passed to the compiler, unless it contains the user's own files.
    fn add_named_path(&mut self, path: &Path, environment: &HostEnvironment) {
        if path.is_absolute() && !environment.contains_user_files(path) {
            self.toolchain.add_path(path);
        }
    }

    /// Adds the sources of a program, and the files that they include.
    pub(super) fn add_sources(&mut self, sources: &ProgramSources, includes: &[PathBuf]) {
        self.sources.extend(includes.iter().cloned());
        if sources.language.name == "C#" {
            // Its compiler runs on Mono, which finds its stack there. A source cannot include a file.
            self.toolchain.add_path(Path::new("/proc"));
        }
        self.listable.push(sources.folder.clone());
        if sources.is_folder {
            return self.sources.push(sources.folder.clone());
        }
        self.sources.extend(sources.files.keys().map(|name| sources.folder.join(name)));
        // For a name that is put together by macros; the compiler records that it read the file.
        let has_macros = sources.language.has_includes || sources.language.name == "Rust";
        let is_wanted = |path: &Path| has_macros && is_related(sources.language, path);
        self.sources.extend(files_beside(&sources.main_file(), is_wanted).take(MAX_FILES_BESIDE));
    }

    /// Adds a file or folder that the compiler reads.
    pub(super) fn add_file(&mut self, path: &Path) {
        self.sources.push(path.to_owned());
    }

    /// Adds a folder of modules, which a variable names.
    pub(super) fn add_modules(&mut self, folder: &Path) {
        self.sources.push(folder.to_owned());
        self.modules = Some(folder.to_owned());
    }

    pub(super) fn modules(&self) -> Option<&Path> {
        self.modules.as_deref()
    }

    /// Adds a folder that is kept from one build to the next.
    pub(super) fn add_cache(&mut self, folder: &Path) {
        self.caches.push(folder.to_owned());
    }

    pub(super) fn to_policy(&self) -> SandboxPolicy {
        let compiler = CompilerAccess {
            sources: to_c_paths(self.sources.clone()),
            results: to_c_paths(vec![self.results.clone()]).pop().unwrap_or_default(),
            caches: to_c_paths(self.caches.clone()),
        };
        let mut policy = self.toolchain.clone().into_policy(true);
        policy.listable = to_c_paths(self.listable.clone());
        policy.compiler = Some(compiler);
        policy
    }

    /// Returns the paths in a compiler's messages that lead to files which the sandbox refuses, as they are written
    /// there. Relative paths are resolved in `folder` and in the folders of the sources.
    pub(super) fn find_refused_paths(&self, text: &str, folder: &Path) -> Vec<String> {
        let mut folders: Vec<&Path> = self.sources.iter().filter_map(|source| source.parent()).collect();
        folders.insert(0, folder);
        folders.dedup();
        let mut found: Vec<String> = Vec::new();
        for name in find_named_paths(text) {
            let is_refused = || folders.iter().any(|folder| self.is_refused(&folder.join(name)));
            if !found.iter().any(|known| known == name) && is_refused() {
                found.push(name.to_owned());
            }
        }
        found
    }

    /// Returns true if the path exists and a compiler in this sandbox cannot read it.
    fn is_refused(&self, path: &Path) -> bool {
        let Ok(real) = std::fs::canonicalize(path) else { return false };
        let readable = self.toolchain.readable_paths().chain(&self.sources).chain(&self.caches).chain([&self.results]);
        let is_readable = |folder: &PathBuf| std::fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder));
        !real.is_dir() && !is_system_path(&real) && !readable.into_iter().any(is_readable)
    }
}

/// Returns true if a compiler can run in a sandbox.
pub(super) fn can_be_sandboxed(compiler: &[OsString]) -> bool {
    compiler.first().map(Path::new).is_some_and(|program| is_system_path(program) || !is_script(program))
}

/// Returns the variables that configure compilers, and decide what they make of a source.
pub(super) fn configuring_variables(environment: &HostEnvironment) -> impl Iterator<Item = &OsStr> {
    let named = COMPILER_VARIABLES.iter().filter(|name| **name != "PATH");
    named.flat_map(|name| [Some(OsStr::new(*name)), environment.get_variable(name)]).map(Option::unwrap_or_default)
}

/// Returns the paths of the files in the folders of headers that variables list. One that is added can hide another one that
/// a compiler has read.
pub(super) fn list_headers(environment: &HostEnvironment) -> Vec<PathBuf> {
    let listed = HEADER_PATHS.iter().filter_map(|name| environment.get_variable(name));
    let mut waiting: Vec<PathBuf> = listed.flat_map(std::env::split_paths).collect();
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop().filter(|_| found.len() < MAX_HEADERS) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => waiting.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    found.sort();
    found
}

/// Returns the environment of a compiler that has its temporary files in that folder.
pub(super) fn compiler_environment(environment: &HostEnvironment, temporary: &Path) -> HostEnvironment {
    let is_kept = |name: &OsStr| {
        let name = name.to_string_lossy();
        COMPILER_VARIABLES.iter().any(|known| match known.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *known,
        })
    };
    // Other systems have no sandbox, and compilers need more variables there.
    let mut cleaned = environment.clone().retaining_variables(|name| !cfg!(target_os = "linux") || is_kept(name));
    for (name, folder) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
        if let Some(home) = toolchain_home(name, folder, environment) {
            cleaned = cleaned.with_variable(name, home);
        }
    }
    cleaned
        .with_variable("LC_ALL", "C.UTF-8")
        .with_variable("HOME", temporary)
        .with_variable("TMPDIR", temporary)
        .with_variable("GO111MODULE", "off")
        .with_variable("GOTOOLCHAIN", "local")
}

/// Returns the folder named by a variable, or the default one in the user's home, if it exists.
fn toolchain_home(variable: &str, folder: &str, environment: &HostEnvironment) -> Option<PathBuf> {
    let named = environment.get_variable(variable).map(PathBuf::from);
    let usual = || environment.get_variable("HOME").map(|home| Path::new(home).join(folder));
    named.or_else(usual).filter(|home| home.is_dir())
}

/// Returns true if a file belongs to a toolchain of the system after resolving links.
fn is_system_path(path: &Path) -> bool {
    let Ok(real) = std::fs::canonicalize(path) else { return false };
    let leads_to = |folder: &&str| std::fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder));
    // Most of these folders are not links, so compare without resolving them first.
    TOOLCHAIN_FOLDERS.iter().any(|folder| real.starts_with(folder)) || TOOLCHAIN_FOLDERS.iter().any(leads_to)
}

/// Returns the parts of messages about unreadable files that could be paths: quoted text, text between colons, and
/// words.
fn find_named_paths(text: &str) -> impl Iterator<Item = &str> {
    const MAX_LINES: usize = 400;
    const ERROR_SIGNS: &[&str] = &["denied", "not found", "open", "read", "find", "No such file"];
    let is_about_files = |line: &&str| ERROR_SIGNS.iter().any(|sign| line.contains(sign));
    text.lines().take(MAX_LINES).filter(is_about_files).flat_map(|line| {
        let quoted = line.split(['\'', '"', '`', '‘', '’']).skip(1);
        let parts = line.split(": ").map(str::trim);
        let words =
            line.split([' ', '\t', ':', ',', '(', ')']).map(|word| word.trim_matches(['\'', '"', '`', '.', ';']));
        quoted.chain(parts).chain(words).filter(|part| !part.is_empty())
    })
}

/// Returns the regular files with wanted names in the folder of a source. A link counts as its target, and only if that
/// is in the same folder.
fn files_beside(source: &Path, is_wanted: impl Fn(&Path) -> bool) -> impl Iterator<Item = PathBuf> {
    let folder = source.parent().unwrap_or(Path::new("")).to_owned();
    let real = std::fs::canonicalize(&folder).unwrap_or_default();
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    entries.filter_map(move |entry| {
        let (path, kind) = (entry.path(), entry.file_type().ok()?);
        let is_inside = |path: &Path| {
            std::fs::canonicalize(path)
                .is_ok_and(|target| target.parent() == Some(&real) && is_wanted(&target) && target.is_file())
        };
        (is_wanted(&path) && (kind.is_file() || kind.is_symlink() && is_inside(&path))).then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn refused_files_are_found_in_messages() -> std::io::Result<()> {
        let package = tempfile::tempdir()?;
        let sources = package.path().join("submissions");
        for (name, text) in [("data/1.ans", ""), ("data/a b.ans", ""), ("submissions/sol.cpp", ""), ("include/a.h", "")]
        {
            let path = package.path().join(name);
            fs::create_dir_all(path.parent().unwrap_or(&sources))?;
            fs::write(path, text)?;
        }
        let sandbox = CompilerSandbox {
            sources: vec![sources.join("sol.cpp"), package.path().join("include")],
            ..CompilerSandbox::default()
        };
        let check =
            |text: &str, expected: &[&str]| assert_eq!(sandbox.find_refused_paths(text, &sources), expected, "{text}");
        check("sol.cpp:1:10: fatal error: ../data/1.ans: Permission denied", &["../data/1.ans"]);
        check("sol.cpp:1: Error: file not found: ../data/a b.ans", &["../data/a b.ans"]);
        check("error: couldn't read `/etc/passwd`: Permission denied (os error 13)", &["/etc/passwd"]);
        check("error: couldn't read 'sol.cpp', ../include/a.h, ../data/2.ans, /usr/bin/env, ..", &[]);
        check("sol.cpp:1:1: error: expected `;` before ../data/1.ans", &[]);
        check("", &[]);
        Ok(())
    }

    #[test]
    fn only_what_configures_toolchains_is_in_the_environment() {
        let environment = HostEnvironment::default()
            .with_variable("PATH", "/bin")
            .with_variable("API_TOKEN", "secret")
            .with_variable("CPATH", "/include")
            .with_variable("NIX_CFLAGS", "-O2")
            .with_variable("HOME", "/nowhere");
        let known = compiler_environment(&environment, Path::new("/temporary"));
        if cfg!(target_os = "linux") {
            assert_eq!(known.get_variable("API_TOKEN"), None);
        }
        for (name, value) in [("PATH", "/bin"), ("CPATH", "/include"), ("NIX_CFLAGS", "-O2"), ("HOME", "/temporary")] {
            assert_eq!(known.get_variable(name), Some(OsStr::new(value)));
        }
    }

    #[test]
    fn all_files_in_folders_of_headers_are_listed() -> std::io::Result<()> {
        let (one, other) = (tempfile::tempdir()?, tempfile::tempdir()?);
        fs::create_dir(one.path().join("inner"))?;
        let files = [one.path().join("inner/b.h"), other.path().join("a.h")];
        for file in &files {
            fs::write(file, "")?;
        }
        let listed = |folder: &Path| list_headers(&HostEnvironment::default().with_variable("CPATH", folder));
        assert_eq!(listed(one.path()), files[..1]);
        assert_eq!(listed(other.path()), files[1..]);
        assert_eq!(list_headers(&HostEnvironment::default()), Vec::<PathBuf>::new());
        Ok(())
    }

    #[test]
    fn scripts_from_outside_the_system_have_no_sandbox() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let script = folder.path().join("g++");
        fs::write(&script, "#!/bin/sh\n")?;
        assert!(!can_be_sandboxed(&[script.into()]));
        assert!(can_be_sandboxed(&["/bin/sh".into()]));
        Ok(())
    }
}
