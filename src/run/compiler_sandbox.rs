//! What a compiler may do: the policy of its sandbox, its environment, and what the sandbox refused it.
//!
//! A source tells its compiler what to read: `#include`, `.incbin`, `include_str!`. So a compiler is a program that does what
//! untrusted text asks for, and it prints what it reads. It runs in the sandbox of all programs made from sources, with
//! another policy:
//!
//! * It reads its toolchain (programs, libraries and headers of the system, the folder that it is installed in), the sources
//!   of the program and the package's headers. It reads no test data, no home folder, no configuration of the system, no
//!   devices and nothing in `/proc`.
//! * It writes a temporary folder and the folder for its results, and is stopped when these grow too large.
//! * It has processes, and no network.
//! * It knows the variables of the environment that configure toolchains, and no others: `env!` puts them into programs.
//!
//! A script that stands in for a compiler from outside the system has no sandbox: there is no telling what it starts.

use super::Environment;
use super::build::is_script;
use super::included::is_code;
use super::isolation::{CompilerAccess, Readable, TOOLCHAIN_FOLDERS, Walls, files_beside, spelt_paths};
use super::language::{CC, Language};
use super::sources::Sources;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Variables that configure compilers, and through which these find their parts. A name that ends in `*` stands for all that
/// begin so.
const VARIABLES: &[&str] = &[
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

/// Variables that name folders in which compilers look for headers and libraries.
const SEARCH_PATHS: &[&str] = &["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH"];

/// The largest number of files beside a source that its compiler may read.
const MAX_FILES_BESIDE: usize = 1000;

/// The sandbox of one compilation.
#[derive(Debug, Default)]
pub(super) struct CompilerSandbox {
    toolchain: Readable,
    sources: Vec<PathBuf>,
    listable: Vec<PathBuf>,
    results: PathBuf,
    caches: Vec<PathBuf>,
}

impl CompilerSandbox {
    /// The sandbox of that compiler, which writes into that folder.
    pub(super) fn new(compiler: &[OsString], results: &Path, environment: &Environment) -> Self {
        let mut sandbox = CompilerSandbox { results: results.to_owned(), ..CompilerSandbox::default() };
        sandbox.add_toolchain(compiler, environment);
        sandbox
    }

    /// Adds a compiler with its arguments: what was installed with it, and the folders that it searches.
    fn add_toolchain(&mut self, compiler: &[OsString], environment: &Environment) {
        let linker = environment.tool(&CC, "C").ok().and_then(|words| words.first().cloned());
        for program in compiler.first().into_iter().chain(&linker).map(Path::new) {
            if !is_part_of_system(program) {
                self.toolchain.add_tool(program, environment);
            }
        }
        for name in SEARCH_PATHS {
            let folders = environment.get(name).map(std::env::split_paths).into_iter().flatten();
            folders.for_each(|folder| self.add_named(&folder, environment));
        }
        for word in compiler.iter().skip(1) {
            // `/x`, `-I/x`, `--sysroot=/x`
            let bytes = word.as_encoded_bytes();
            if let Some(at) = bytes.iter().position(|byte| *byte == b'/') {
                self.add_named(Path::new(&*String::from_utf8_lossy(&bytes[at..])), environment);
            }
        }
        for (name, folder) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
            if let Some(home) = home_of(name, folder, environment) {
                // Beside these there are credentials in it.
                ["bin", "settings.toml", "toolchains"].iter().for_each(|part| self.toolchain.add(&home.join(part)));
            }
        }
        // Distributions keep what belongs to a Java installation in a folder of such a name.
        let configured = std::fs::read_dir("/etc").into_iter().flatten().flatten();
        let is_java = |name: &OsStr| name.as_encoded_bytes().starts_with(b"java");
        configured.filter(|entry| is_java(&entry.file_name())).for_each(|entry| self.toolchain.add(&entry.path()));
    }

    /// Adds a folder or file that the user named to the compiler, unless the user's own files are in it.
    fn add_named(&mut self, path: &Path, environment: &Environment) {
        if path.is_absolute() && !environment.is_above_own_files(path) {
            self.toolchain.add(path);
        }
    }

    /// Adds the sources of a program, with what is included.
    pub(super) fn add_sources(&mut self, sources: &Sources, includes: &[PathBuf]) {
        self.sources.extend(includes.iter().cloned());
        self.listable.push(sources.folder.clone());
        if sources.tree.is_some() {
            return self.sources.push(sources.folder.clone());
        }
        self.sources.push(sources.file());
        self.sources.extend(sources.included.iter().map(|file| file.path.clone()));
        let is_wanted = |path: &Path| is_related(sources.language, path);
        self.sources.extend(files_beside(&sources.file(), is_wanted).take(MAX_FILES_BESIDE));
    }

    /// Adds a file or folder that is read.
    pub(super) fn add_file(&mut self, path: &Path) {
        self.sources.push(path.to_owned());
    }

    /// Adds a folder that is kept from one build to the next.
    pub(super) fn add_cache(&mut self, folder: &Path) {
        self.caches.push(folder.to_owned());
    }

    /// The policy.
    pub(super) fn walls(&self) -> Walls {
        let compiler = CompilerAccess {
            sources: spelt_paths(self.sources.clone()),
            results: spelt_paths(vec![self.results.clone()]).pop().unwrap_or_default(),
            caches: spelt_paths(self.caches.clone()),
        };
        let mut walls = self.toolchain.clone().into_walls(true);
        walls.listable = spelt_paths(self.listable.clone());
        walls.compiler = Some(compiler);
        walls
    }

    /// The paths in a compiler's messages that lead to something which the sandbox refuses it, as they are spelt there.
    /// Relative paths are looked for in `folder` and beside the sources.
    pub(super) fn refused(&self, text: &str, folder: &Path) -> Vec<String> {
        let mut folders: Vec<&Path> = self.sources.iter().filter_map(|source| source.parent()).collect();
        folders.insert(0, folder);
        folders.dedup();
        let mut found: Vec<String> = Vec::new();
        for name in named_paths(text) {
            let is_refused = || folders.iter().any(|folder| self.refuses(&folder.join(name)));
            if !found.iter().any(|known| known == name) && is_refused() {
                found.push(name.to_owned());
            }
        }
        found
    }

    /// Returns true if there is something at that path that a compiler in this sandbox cannot read.
    fn refuses(&self, path: &Path) -> bool {
        let Ok(real) = std::fs::canonicalize(path) else { return false };
        let readable = self.toolchain.paths().chain(&self.sources).chain(&self.caches).chain([&self.results]);
        let is_readable = |folder: &PathBuf| std::fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder));
        !real.is_dir() && !is_part_of_system(&real) && !readable.into_iter().any(is_readable)
    }
}

/// Returns true if a compiler can run in a sandbox.
pub(super) fn has_sandbox(compiler: &[OsString]) -> bool {
    compiler.first().map(Path::new).is_some_and(|program| is_part_of_system(program) || !is_script(program))
}

/// The environment of a compiler with its temporary files in that folder.
pub(super) fn compiler_environment(environment: &Environment, temporary: &Path) -> Environment {
    let is_kept = |name: &OsStr| {
        let name = name.to_string_lossy();
        VARIABLES.iter().any(|known| match known.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *known,
        })
    };
    // Elsewhere there is no sandbox, and more that a compiler cannot do without.
    let mut kept = environment.clone().keeping(|name| !cfg!(target_os = "linux") || is_kept(name));
    for (name, folder) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
        if let Some(home) = home_of(name, folder, environment) {
            kept = kept.with(name, home);
        }
    }
    kept.with("LC_ALL", "C.UTF-8")
        .with("HOME", temporary)
        .with("TMPDIR", temporary)
        .with("GO111MODULE", "off")
        .with("GOTOOLCHAIN", "local")
}

/// The folder that such a variable names, or else the one in the user's home, if it is there.
fn home_of(variable: &str, folder: &str, environment: &Environment) -> Option<PathBuf> {
    let named = environment.get(variable).map(PathBuf::from);
    let usual = || environment.get("HOME").map(|home| Path::new(home).join(folder));
    named.or_else(usual).filter(|home| home.is_dir())
}

/// Returns true if a file belongs to a toolchain of the system, wherever links lead.
fn is_part_of_system(path: &Path) -> bool {
    let Ok(real) = std::fs::canonicalize(path) else { return false };
    let leads_to = |folder: &&str| std::fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder));
    // Most of these are no links.
    TOOLCHAIN_FOLDERS.iter().any(|folder| real.starts_with(folder)) || TOOLCHAIN_FOLDERS.iter().any(leads_to)
}

/// Returns true if a file beside a source may belong to its program.
fn is_related(language: &Language, path: &Path) -> bool {
    if language.includes {
        return is_code(path);
    }
    let names_others = language.together || language.name == "Rust";
    names_others && Language::of(path).is_some_and(|other| other.name == language.name)
}

/// Whatever may be a path in messages that tell of a file that cannot be read: what is in quotes or between colons, and words.
fn named_paths(text: &str) -> impl Iterator<Item = &str> {
    const MAX_LINES: usize = 400;
    const SIGNS: &[&str] = &["denied", "not found", "open", "read", "find", "No such file"];
    let is_about_files = |line: &&str| SIGNS.iter().any(|sign| line.contains(sign));
    text.lines().take(MAX_LINES).filter(is_about_files).flat_map(|line| {
        let quoted = line.split(['\'', '"', '`', '‘', '’']).skip(1);
        let parts = line.split(": ").map(str::trim);
        let words =
            line.split([' ', '\t', ':', ',', '(', ')']).map(|word| word.trim_matches(['\'', '"', '`', '.', ';']));
        quoted.chain(parts).chain(words).filter(|part| !part.is_empty())
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
        let check = |text: &str, expected: &[&str]| assert_eq!(sandbox.refused(text, &sources), expected, "{text}");
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
        let environment = Environment::default()
            .with("PATH", "/bin")
            .with("API_TOKEN", "secret")
            .with("CPATH", "/include")
            .with("NIX_CFLAGS", "-O2")
            .with("HOME", "/nowhere");
        let known = compiler_environment(&environment, Path::new("/temporary"));
        if cfg!(target_os = "linux") {
            assert_eq!(known.get("API_TOKEN"), None);
        }
        for (name, value) in [("PATH", "/bin"), ("CPATH", "/include"), ("NIX_CFLAGS", "-O2"), ("HOME", "/temporary")] {
            assert_eq!(known.get(name), Some(OsStr::new(value)));
        }
    }

    #[test]
    fn scripts_from_outside_the_system_have_no_sandbox() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let script = folder.path().join("g++");
        fs::write(&script, "#!/bin/sh\n")?;
        assert!(!has_sandbox(&[script.into()]));
        assert!(has_sandbox(&["/bin/sh".into()]));
        Ok(())
    }
}
