//! What a walled program needs to read beside the system: its own files, and the interpreter where that was installed.

use super::Walls;
use crate::run::Environment;
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// What will be readable, collected piece by piece.
#[derive(Debug, Default)]
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
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        self.readable.extend(entries.filter(|path| path.extension() == source.extension() && path.is_file()));
    }

    /// With a program from outside the system and what was installed with it: the folder that its `bin` is in.
    pub(in crate::run) fn add_tool(&mut self, program: &Path, environment: &Environment) {
        let real = std::fs::canonicalize(program).unwrap_or_else(|_| program.to_owned());
        for path in [program, &real] {
            let installed = path.parent().filter(|bin| bin.ends_with("bin")).and_then(Path::parent);
            let is_private = |folder: &&Path| !holds_the_users_own(folder, environment);
            self.readable.push(installed.filter(is_private).unwrap_or(path).to_owned());
        }
    }

    /// With the folders that libraries are looked for in.
    pub(in crate::run) fn add_libraries(&mut self, environment: &Environment) {
        let folders = environment.get("LD_LIBRARY_PATH").map(std::env::split_paths).into_iter().flatten();
        let is_fit = |folder: &PathBuf| folder.is_absolute() && !holds_the_users_own(folder, environment);
        self.readable.extend(folders.filter(is_fit));
    }

    /// The walls of a program that reads this.
    pub(in crate::run) fn into_walls(self, has_processes: bool) -> Walls {
        Walls { readable: spelt(self.readable), listable: spelt(self.listable), has_processes }
    }
}

/// Whether a folder is so far up that the user's own files are in it.
fn holds_the_users_own(folder: &Path, environment: &Environment) -> bool {
    let home = environment.get("HOME").is_some_and(|home| Path::new(home).starts_with(folder));
    home || environment.folder().starts_with(folder) || folder.parent().is_none()
}

fn spelt(mut paths: Vec<PathBuf>) -> Vec<CString> {
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
