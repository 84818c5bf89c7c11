//! What a run takes along, and what it brings back.
//!
//! A checker is told where input and answer are and writes its message into a folder; a generator may write files. So
//! a run can have *luggage*: files and empty folders that lie in a folder of that run alone when the program starts,
//! and names that are looked for there when it has ended. Walled programs work in that folder and may call what is in
//! it by its bare name; everybody else is told the place by an argument, see [`Luggage::place`].
//!
//! Files are packed once, sealed and in memory, however many runs take them along. Whoever starts the program
//! [unpacks](unpack) them, so the program has files of its own, which it may even spoil. What it leaves is
//! [collected](collect) when nothing of the run lives any more: regular files only, no link is followed, and no more
//! than the output limit allows.

mod brought;
#[cfg_attr(not(unix), path = "plain_collect.rs")]
mod collect;
mod copy;
#[cfg_attr(not(unix), path = "plain_unpack.rs")]
mod unpack;

pub(super) use brought::Brought;

use super::isolation::folder::Folder;
use super::memory_file::MemoryFile;
use super::sys::BorrowedFd;
use crate::diagnostic::{Error, Result};
use std::ffi::{CString, OsString};
use std::io;
use std::sync::Arc;

/// Stands for the folder of the run at the beginning of an argument.
const PLACE: &str = "{luggage}";

/// The most files and folders that a run takes along: each file is a descriptor on its way.
const MOST_PACKED: usize = 60;

/// The longest name.
const MOST_NAME_BYTES: usize = 200;

/// Files that a run takes along, and names of what it brings back. Clones are cheap and share the files.
#[derive(Clone, Debug, Default)]
pub struct Luggage {
    files: Vec<(String, Arc<MemoryFile>)>,
    folders: Vec<String>,
    wanted: Vec<String>,
}

impl Luggage {
    /// Nothing at all.
    pub fn new() -> Self {
        Luggage::default()
    }

    /// With a file that holds these bytes. Folders in its name are made.
    ///
    /// # Errors
    ///
    /// The name leaves the folder of the run, or is taken (`Usage`); it is too much, or memory is short (`Operating`).
    pub fn with_file(mut self, name: &str, bytes: &[u8]) -> Result<Self> {
        self.admit(name)?;
        self.files.push((name.to_owned(), Arc::new(MemoryFile::sealed(bytes)?)));
        Ok(self)
    }

    /// With an empty folder, for the program to write into.
    ///
    /// # Errors
    ///
    /// As [`with_file`](Luggage::with_file).
    pub fn with_folder(mut self, name: &str) -> Result<Self> {
        self.admit(name)?;
        self.folders.push(name.to_owned());
        Ok(self)
    }

    /// To bring back the file of this name, or all files in the folder of this name; nothing if there is none.
    ///
    /// # Errors
    ///
    /// The name leaves the folder of the run (`Usage`).
    pub fn bringing(mut self, name: &str) -> Result<Self> {
        require_inside(name)?;
        self.wanted.push(name.to_owned());
        Ok(self)
    }

    /// The argument that tells a program where this name is: an absolute path, once the place of the run is known.
    pub fn place(name: &str) -> OsString {
        format!("{PLACE}/{name}").into()
    }

    /// Refuses a name that cannot be packed.
    fn admit(&self, name: &str) -> Result<()> {
        require_inside(name)?;
        if self.files.len() + self.folders.len() >= MOST_PACKED {
            return Err(Error::operating(format!("a run takes along at most {MOST_PACKED} files and folders")));
        }
        let all = || self.files.iter().map(|(name, _)| name).chain(&self.folders);
        let is_inside_file = |(file, _): &(String, _)| is_below(name, file);
        let is_taken = all().any(|known| known == name) || self.files.iter().any(is_inside_file);
        if is_taken || all().any(|known| is_below(known, name)) {
            return Err(Error::usage(format!("`{name}` is packed twice")));
        }
        Ok(())
    }

    /// What is packed, in words; the files come beside it, in the same order.
    pub(super) fn list(&self) -> PackingList {
        let spell = |names: &mut dyn Iterator<Item = &String>| {
            names.filter_map(|name| CString::new(name.as_str()).ok()).collect::<Vec<_>>()
        };
        PackingList {
            files: spell(&mut self.files.iter().map(|(name, _)| name)),
            folders: spell(&mut self.folders.iter()),
            wanted: spell(&mut self.wanted.iter()),
        }
    }

    /// The files.
    pub(super) fn files(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.files.iter().map(|(_, file)| file.as_fd())
    }
}

/// What is packed and wanted, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PackingList {
    pub(super) files: Vec<CString>,
    pub(super) folders: Vec<CString>,
    pub(super) wanted: Vec<CString>,
}

/// Luggage in the hands of whoever starts the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handed<'a> {
    list: &'a PackingList,
    hold: BorrowedFd<'a>,
    files: &'a [BorrowedFd<'a>],
}

impl<'a> Handed<'a> {
    /// What is on the list, with the descriptors that came along: the hold, then the files.
    ///
    /// # Errors
    ///
    /// Some are missing: the kernel leaves out those for which there is no room.
    pub(super) fn new(list: &'a PackingList, descriptors: &'a [BorrowedFd<'a>]) -> io::Result<Self> {
        match descriptors.split_first() {
            Some((hold, files)) if files.len() == list.files.len() => Ok(Handed { list, hold: *hold, files }),
            _ => Err(no_room()),
        }
    }

    /// Puts it into an empty folder, and the folder into the arguments.
    ///
    /// # Errors
    ///
    /// The machine refuses.
    pub(super) fn unpack(&self, folder: &Folder, argv: &mut [CString]) -> io::Result<()> {
        settle(argv, folder.path().to_bytes());
        unpack::unpack(self.list, self.files, folder)
    }

    /// Brings back what is wanted, at most so much of it.
    ///
    /// # Errors
    ///
    /// The machine refuses.
    pub(super) fn collect(&self, folder: &Folder, limit_bytes: u64) -> io::Result<()> {
        collect::collect(self.list, folder, self.hold, limit_bytes)
    }
}

/// Puts the place of the run into its arguments.
fn settle(argv: &mut [CString], place: &[u8]) {
    for word in argv {
        let rest = word.to_bytes().strip_prefix(PLACE.as_bytes());
        if let Some(settled) = rest.and_then(|rest| CString::new([place, rest].concat()).ok()) {
            *word = settled;
        }
    }
}

/// What the kernel means by leaving out descriptors.
fn no_room() -> io::Error {
    #[cfg(unix)]
    return rustix::io::Errno::MFILE.into();
    #[cfg(not(unix))]
    io::Error::other("too many open files")
}

fn is_below(name: &str, folder: &str) -> bool {
    name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Names are those of files in the folder, or in folders in it, and nothing cleverer than that.
fn require_inside(name: &str) -> Result<()> {
    let is_part = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    if name.len() <= MOST_NAME_BYTES && name.split('/').all(is_part) {
        return Ok(());
    }
    let shown = crate::diagnostic::shorten(name.as_bytes(), 60);
    Err(Error::usage(format!("`{shown}` is no name of a file in the folder of a run"))
        .with_help("a relative path without `.`, `..` and empty parts"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_leave_the_folder_are_refused() -> Result<()> {
        let long = "a".repeat(201);
        for name in ["", "/etc/passwd", "..", "a/../b", "./a", "a//b", "a/", "a\0b", long.as_str()] {
            assert!(Luggage::new().with_file(name, b"").is_err(), "{name:?}");
            assert!(Luggage::new().with_folder(name).is_err(), "{name:?}");
            assert!(Luggage::new().bringing(name).is_err(), "{name:?}");
        }
        Luggage::new().with_file("...", b"")?.with_folder("-rf")?.bringing("a b/ü")?;
        Ok(())
    }

    #[test]
    fn no_name_is_packed_twice() -> Result<()> {
        let luggage = Luggage::new().with_file("a/b", b"")?.with_folder("c")?;
        for name in ["a/b", "a", "a/b/c", "c"] {
            assert!(luggage.clone().with_file(name, b"").is_err(), "{name}");
        }
        luggage.with_file("c/d", b"")?.with_file("a/bc", b"")?;
        Ok(())
    }

    #[test]
    fn only_what_fits_into_one_message_is_taken_along() -> Result<()> {
        let mut luggage = Luggage::new();
        for i in 0..MOST_PACKED {
            luggage = luggage.with_folder(&i.to_string())?;
        }
        assert!(luggage.with_file("more", b"").is_err());
        Ok(())
    }

    #[test]
    fn a_place_is_settled_only_at_the_beginning_of_a_word() {
        let place = Luggage::place("a");
        let mut words =
            [CString::new(place.as_encoded_bytes()).unwrap_or_default(), c"x{luggage}".into(), c"{luggage".into()];
        settle(&mut words, b"/here");
        assert_eq!(words, [CString::from(c"/here/a"), c"x{luggage}".into(), c"{luggage".into()]);
    }
}
