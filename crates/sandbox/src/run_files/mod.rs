//! Files that are attached to a run, and files that are collected after it.
//!
//! A checker gets the paths of input and answer and writes its message into a folder; a generator can write files. So a
//! run can have *run files*: files and empty folders that are in a folder of that run when the program starts, and
//! names of files to collect from it at the end. Sandboxed programs work in that folder and can refer to its files by
//! name; any other program gets the path as an argument, see [`RunFiles::path_argument`].
//!
//! Files are stored once, sealed and in memory, no matter how many runs use them. The process that starts the program
//! unpacks them, so the program has its own copies, which it can even destroy. The files that it leaves are collected
//! after all processes of the run have ended: only regular files, without following links, and no more than the output
//! limit allows.

#[cfg_attr(not(unix), path = "plain_collect.rs")]
mod collect;
mod collected;
#[cfg_attr(not(unix), path = "plain_unpack.rs")]
mod unpack;

use super::isolation::work_folder::WorkFolder;
use super::memory_file::MemoryFile;
use super::sys::BorrowedFd;
use crate::tuning::{MAX_RUN_FILE_NAME_BYTES, MAX_RUN_FILES};
pub(super) use collected::CollectedFiles;
use rebut_diagnostics::{Error, Result};
use std::ffi::{CString, OsString};
use std::io;
use std::sync::Arc;

/// Placeholder for the folder of the run at the start of an argument.
const FOLDER_PLACEHOLDER: &str = "{run_files}";

/// Files that are attached to a run, and names of files to collect. Clones are cheap and share the files.
#[derive(Clone, Debug, Default)]
pub struct RunFiles {
    files: Vec<(String, Arc<MemoryFile>)>,
    folders: Vec<String>,
    collected_names: Vec<String>,
}

impl RunFiles {
    /// Creates an empty set.
    pub fn new() -> Self {
        RunFiles::default()
    }

    /// Attaches a file with these contents. Folders in its name are created.
    ///
    /// # Errors
    ///
    /// Returns `Usage` if the name leaves the folder of the run or is taken, and `Operating` if there are too many
    /// files or memory is exhausted.
    pub fn with_file(mut self, name: &str, bytes: &[u8]) -> Result<Self> {
        self.check_name(name)?;
        self.files.push((name.to_owned(), Arc::new(MemoryFile::create_sealed(bytes)?)));
        Ok(self)
    }

    /// Attaches an empty folder for the program to write into.
    ///
    /// # Errors
    ///
    /// See [`with_file`](RunFiles::with_file).
    pub fn with_folder(mut self, name: &str) -> Result<Self> {
        self.check_name(name)?;
        self.folders.push(name.to_owned());
        Ok(self)
    }

    /// Collects the file with this name, or all files in the folder with this name, if it exists.
    ///
    /// # Errors
    ///
    /// Returns `Usage` if the name leaves the folder of the run.
    pub fn with_collected(mut self, name: &str) -> Result<Self> {
        require_relative_name(name)?;
        self.collected_names.push(name.to_owned());
        Ok(self)
    }

    /// Returns an argument that contains the path of this name. It becomes an absolute path when the folder of the run
    /// is known.
    pub fn path_argument(name: &str) -> OsString {
        format!("{FOLDER_PLACEHOLDER}/{name}").into()
    }

    /// Attaches the files of another set as well, except for names that are taken.
    ///
    /// # Errors
    ///
    /// Returns `Operating` if there are too many files.
    pub(super) fn completed_by(mut self, others: &RunFiles) -> Result<Self> {
        for (name, file) in &others.files {
            if !self.has_name(name) {
                self.check_name(name)?;
                self.files.push((name.clone(), Arc::clone(file)));
            }
        }
        Ok(self)
    }

    fn check_name(&self, name: &str) -> Result<()> {
        require_relative_name(name)?;
        if self.files.len() + self.folders.len() >= MAX_RUN_FILES {
            return Err(Error::operating_error(format!(
                "too many files for a run: the limit is {MAX_RUN_FILES} files and folders"
            )));
        }
        if self.has_name(name) {
            return Err(Error::usage_error(format!("the file `{name}` is attached to the run twice")));
        }
        Ok(())
    }

    /// Returns true if a file or folder has this name, or cannot exist beside one that has.
    fn has_name(&self, name: &str) -> bool {
        let mut all = self.files.iter().map(|(name, _)| name).chain(&self.folders);
        let is_inside_file = |(file, _): &(String, _)| is_inside_folder(name, file);
        self.files.iter().any(is_inside_file) || all.any(|known| known == name || is_inside_folder(known, name))
    }

    /// Returns the names; the files are passed as descriptors in the same order.
    pub(super) fn to_list(&self) -> RunFileList {
        let to_c_strings = |names: &mut dyn Iterator<Item = &String>| {
            names.filter_map(|name| CString::new(name.as_str()).ok()).collect::<Vec<_>>()
        };
        RunFileList {
            files: to_c_strings(&mut self.files.iter().map(|(name, _)| name)),
            folders: to_c_strings(&mut self.folders.iter()),
            collected_names: to_c_strings(&mut self.collected_names.iter()),
        }
    }

    pub(super) fn file_descriptors(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.files.iter().map(|(_, file)| file.as_fd())
    }
}

/// The names of attached and collected files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RunFileList {
    pub(super) files: Vec<CString>,
    pub(super) folders: Vec<CString>,
    pub(super) collected_names: Vec<CString>,
}

/// Run files as received by the process that starts the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReceivedRunFiles<'a> {
    list: &'a RunFileList,
    archive: BorrowedFd<'a>,
    files: &'a [BorrowedFd<'a>],
}

impl<'a> ReceivedRunFiles<'a> {
    /// Combines the names with the descriptors that came with them: the archive, then the files.
    ///
    /// # Errors
    ///
    /// Returns an error if descriptors are missing: the kernel drops those that exceed the limit on open files.
    pub(super) fn new(list: &'a RunFileList, descriptors: &'a [BorrowedFd<'a>]) -> io::Result<Self> {
        match descriptors.split_first() {
            Some((archive, files)) if files.len() == list.files.len() => {
                Ok(ReceivedRunFiles { list, archive: *archive, files })
            }
            _ => Err(too_many_files_error()),
        }
    }

    /// Unpacks the files into an empty folder, and puts the folder's path into the arguments.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses.
    pub(super) fn unpack_into(&self, folder: &WorkFolder, argv: &mut [CString]) -> io::Result<()> {
        replace_placeholders(argv, folder.path().to_bytes());
        unpack::unpack_files(self.list, self.files, folder)
    }

    /// Collects the wanted files, up to a total size.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses.
    pub(super) fn collect_from(&self, folder: &WorkFolder, limit_bytes: u64) -> io::Result<()> {
        collect::collect_files(self.list, folder, self.archive, limit_bytes)
    }
}

/// Replaces the placeholder in arguments by the folder of the run.
fn replace_placeholders(argv: &mut [CString], place: &[u8]) {
    for word in argv {
        let rest = word.to_bytes().strip_prefix(FOLDER_PLACEHOLDER.as_bytes());
        if let Some(argument) = rest.and_then(|rest| CString::new([place, rest].concat()).ok()) {
            *word = argument;
        }
    }
}

/// Returns the error that missing descriptors stand for.
fn too_many_files_error() -> io::Error {
    #[cfg(unix)]
    return rustix::io::Errno::MFILE.into();
    #[cfg(not(unix))]
    io::Error::other("too many open files")
}

fn is_inside_folder(name: &str, folder: &str) -> bool {
    name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Checks that a name is a relative path of a file in the folder or its subfolders.
fn require_relative_name(name: &str) -> Result<()> {
    let is_part = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    if name.len() <= MAX_RUN_FILE_NAME_BYTES && name.split('/').all(is_part) {
        return Ok(());
    }
    let shown = rebut_diagnostics::shorten_text(name.as_bytes(), 60);
    Err(Error::usage_error(format!("`{shown}` is not a valid name for a file of a run"))
        .with_help("use a relative path without `.`, `..` and empty parts"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_leave_the_folder_are_refused() -> Result<()> {
        let long = "a".repeat(201);
        for name in ["", "/etc/passwd", "..", "a/../b", "./a", "a//b", "a/", "a\0b", long.as_str()] {
            assert!(RunFiles::new().with_file(name, b"").is_err(), "{name:?}");
            assert!(RunFiles::new().with_folder(name).is_err(), "{name:?}");
            assert!(RunFiles::new().with_collected(name).is_err(), "{name:?}");
        }
        RunFiles::new().with_file("...", b"")?.with_folder("-rf")?.with_collected("a b/ü")?;
        Ok(())
    }

    #[test]
    fn duplicate_name_is_rejected() -> Result<()> {
        let run_files = RunFiles::new().with_file("a/b", b"")?.with_folder("c")?;
        for name in ["a/b", "a", "a/b/c", "c"] {
            assert!(run_files.clone().with_file(name, b"").is_err(), "{name}");
        }
        run_files.with_file("c/d", b"")?.with_file("a/bc", b"")?;
        Ok(())
    }

    #[test]
    fn completing_keeps_the_files_that_are_there() -> Result<()> {
        let others = RunFiles::new().with_file("a", b"other")?.with_file("b/c", b"")?.with_file("d", b"")?;
        let run_files = RunFiles::new().with_file("a", b"own")?.with_folder("d")?.completed_by(&others)?;
        let names: Vec<&str> = run_files.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!((names, run_files.files[0].1.len()), (vec!["a", "b/c"], 3));
        Ok(())
    }

    #[test]
    fn too_many_files_are_rejected() -> Result<()> {
        let mut run_files = RunFiles::new();
        for i in 0..MAX_RUN_FILES {
            run_files = run_files.with_folder(&i.to_string())?;
        }
        assert!(run_files.with_file("more", b"").is_err());
        Ok(())
    }

    #[test]
    fn placeholder_is_replaced_only_at_word_start() {
        let place = RunFiles::path_argument("a");
        let mut words =
            [CString::new(place.as_encoded_bytes()).unwrap_or_default(), c"x{run_files}".into(), c"{run_files".into()];
        replace_placeholders(&mut words, b"/here");
        assert_eq!(words, [CString::from(c"/here/a"), c"x{run_files}".into(), c"{run_files".into()]);
    }
}
