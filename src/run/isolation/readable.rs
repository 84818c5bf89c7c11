//! What a walled program needs to read beside the system: its own files, and the interpreter where that was installed.

use super::Walls;
use crate::run::Environment;
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// The parts of the system that toolchains consist of: programs, libraries, headers. Neither configuration nor processes
/// nor data of services: a source can make a compiler print any file that it reads.
pub(in crate::run) const TOOLCHAIN_FOLDERS: &[&str] = &[
    "/bin",
    "/gnu/store",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/sbin",
    "/usr/bin",
    "/usr/include",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/libx32",
    "/usr/local/bin",
    "/usr/local/include",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/libexec",
    "/usr/sbin",
    "/usr/share",
];

/// What will be readable, collected piece by piece.
#[derive(Clone, Debug, Default)]
pub(in crate::run) struct Readable {
    readable: Vec<PathBuf>,
    listable: Vec<PathBuf>,
}

impl Readable {
    /// With a file, or a folder and all that is in it.
    pub(in crate::run) fn add(&mut self, path: &Path) {
        self.readable.push(path.to_owned());
    }

    /// With a source and those of its language beside it, which it may import. The other files there, such as answers,
    /// can be seen but not read.
    pub(in crate::run) fn add_source(&mut self, source: &Path) {
        let Some(folder) = source.parent() else { return };
        self.listable.push(folder.to_owned());
        self.readable.push(source.to_owned());
        self.readable.extend(files_beside(source, |path| path.extension() == source.extension()));
    }

    /// With a program from outside the system and what was installed with it: the folder that its `bin` is in.
    pub(in crate::run) fn add_tool(&mut self, program: &Path, environment: &Environment) {
        let real = std::fs::canonicalize(program).unwrap_or_else(|_| program.to_owned());
        for path in [program, &real] {
            let installed = path.parent().filter(|bin| bin.ends_with("bin")).and_then(Path::parent);
            let is_private = |folder: &&Path| !environment.is_above_own_files(folder);
            self.readable.push(installed.filter(is_private).unwrap_or(path).to_owned());
        }
    }

    /// With the folders that libraries are looked for in.
    pub(in crate::run) fn add_libraries(&mut self, environment: &Environment) {
        let folders = environment.get("LD_LIBRARY_PATH").map(std::env::split_paths).into_iter().flatten();
        let is_fit = |folder: &PathBuf| folder.is_absolute() && !environment.is_above_own_files(folder);
        self.readable.extend(folders.filter(is_fit));
    }

    /// Files, and folders with all that is in them.
    pub(in crate::run) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.readable.iter()
    }

    /// The walls of a program that reads this.
    pub(in crate::run) fn into_walls(self, has_processes: bool) -> Walls {
        Walls {
            readable: spelt_paths(self.readable),
            listable: spelt_paths(self.listable),
            has_processes,
            compiler: None,
        }
    }
}

/// The regular files of some names in the folder of a source. A link counts as the file that it leads to, and only if that is
/// in the same folder.
pub(in crate::run) fn files_beside(source: &Path, is_wanted: impl Fn(&Path) -> bool) -> impl Iterator<Item = PathBuf> {
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

/// Paths as the kernel reads them, each once.
pub(in crate::run) fn spelt_paths(mut paths: Vec<PathBuf>) -> Vec<CString> {
    paths.sort();
    paths.dedup();
    paths.iter().filter_map(|path| CString::new(path.as_os_str().as_encoded_bytes()).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interpreter_brings_what_was_installed_with_it_and_no_home() {
        let environment = Environment::default().with("HOME", "/people/me");
        let readable = |program: &str| {
            let mut readable = Readable::default();
            readable.add_tool(Path::new(program), &environment);
            readable.into_walls(false).readable
        };
        assert_eq!(readable("/people/me/versions/3/bin/python3"), [CString::from(c"/people/me/versions/3")]);
        assert_eq!(readable("/people/me/bin/python3"), [CString::from(c"/people/me/bin/python3")]);
        assert_eq!(readable("/python3"), [CString::from(c"/python3")]);
    }
}
