//! Collects the paths that a sandboxed program reads in addition to the system: its own files, and an interpreter that
//! was installed outside the system.

use super::SandboxPolicy;
use crate::HostEnvironment;
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// System folders that toolchains consist of: programs, libraries and headers. Configuration, `/proc` and service data
/// are left out: a source can make a compiler print any file that it reads.
pub const TOOLCHAIN_FOLDERS: &[&str] = &[
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

/// Builds the set of readable paths of a [`SandboxPolicy`].
#[derive(Clone, Debug, Default)]
pub struct ReadablePaths {
    readable: Vec<PathBuf>,
}

impl ReadablePaths {
    /// Adds a file, or a folder with its contents.
    pub fn add_path(&mut self, path: &Path) {
        self.readable.push(path.to_owned());
    }

    /// Adds a program from outside the system and its installation: the folder that contains its `bin`.
    pub fn add_tool(&mut self, program: &Path, environment: &HostEnvironment) {
        let real = std::fs::canonicalize(program).unwrap_or_else(|_| program.to_owned());
        for path in [program, &real] {
            let installed = path.parent().filter(|bin| bin.ends_with("bin")).and_then(Path::parent);
            let is_private = |folder: &&Path| !environment.contains_user_files(folder);
            self.readable.push(installed.filter(is_private).unwrap_or(path).to_owned());
        }
    }

    /// Adds the folders of `LD_LIBRARY_PATH`.
    pub fn add_libraries(&mut self, environment: &HostEnvironment) {
        let folders = environment.get_variable("LD_LIBRARY_PATH").map(std::env::split_paths).into_iter().flatten();
        let is_fit = |folder: &PathBuf| folder.is_absolute() && !environment.contains_user_files(folder);
        self.readable.extend(folders.filter(is_fit));
    }

    /// Returns the readable files, and folders with their contents.
    pub fn readable_paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.readable.iter()
    }

    /// Returns the policy of a program that reads these paths.
    pub fn into_policy(self, has_processes: bool) -> SandboxPolicy {
        let inodes = self.readable.iter().flat_map(|path| inode_of(path)).collect();
        SandboxPolicy {
            readable: to_c_paths(self.readable),
            listable: Vec::new(),
            inodes,
            has_processes,
            compiler: None,
        }
    }
}

/// Returns the device and the inode of a file, both 0 if there is none.
#[cfg(unix)]
fn inode_of(path: &Path) -> [u64; 2] {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).map_or([0; 2], |about| [about.dev(), about.ino()])
}

/// Elsewhere there are no rules about files.
#[cfg(not(unix))]
fn inode_of(_: &Path) -> [u64; 2] {
    [0; 2]
}

/// Converts paths to C strings, without duplicates.
pub fn to_c_paths(mut paths: Vec<PathBuf>) -> Vec<CString> {
    paths.sort();
    paths.dedup();
    paths.iter().filter_map(|path| CString::new(path.as_os_str().as_encoded_bytes()).ok()).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn policy_of_a_replaced_file_is_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let (source, other) = (folder.path().join("a.py"), folder.path().join("b.txt"));
        let policy = || {
            let mut readable = ReadablePaths::default();
            readable.add_path(&source);
            readable.into_policy(false)
        };
        std::fs::write(&source, "1").unwrap();
        let first = policy();
        std::fs::write(&other, "1").unwrap();
        assert_eq!(policy(), first);
        std::fs::rename(&other, &source).unwrap();
        assert_ne!(policy(), first, "the rules of the first do not permit to read this file");
    }

    #[test]
    fn interpreter_adds_its_installation_but_no_home() {
        let environment = HostEnvironment::default().with_variable("HOME", "/people/me");
        let readable = |program: &str| {
            let mut readable = ReadablePaths::default();
            readable.add_tool(Path::new(program), &environment);
            readable.into_policy(false).readable
        };
        assert_eq!(readable("/people/me/versions/3/bin/python3"), [CString::from(c"/people/me/versions/3")]);
        assert_eq!(readable("/people/me/bin/python3"), [CString::from(c"/people/me/bin/python3")]);
        assert_eq!(readable("/python3"), [CString::from(c"/python3")]);
    }
}
