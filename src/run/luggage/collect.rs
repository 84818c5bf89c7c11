//! Bringing back what a run has left, whatever it is.
//!
//! The folder was the program's to do with as it likes: there may be links, pipes, folders that nobody may enter, names
//! that are no text, more than fits anywhere. Nothing lives any more that could change it while we look. What is found
//! is written into one file in memory, the *hold*: whether it is all, then name and bytes of each file.

use super::PackingList;
use crate::run::isolation::folder::{Folder, MOST_NAMES, is_folder, names, open_any};
use crate::run::sys::{AsFd, BorrowedFd, OwnedFd, write_all_at};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, chmodat, fstat, openat, statat};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Write};

/// More folders in folders than this are too much.
const MOST_DEPTH: usize = 16;

/// Fills the hold with what is wanted and there, at most so many bytes of it.
///
/// # Errors
///
/// The machine refuses.
pub(super) fn collect(list: &PackingList, folder: &Folder, hold: BorrowedFd<'_>, limit_bytes: u64) -> io::Result<()> {
    let hold = File::from(hold.try_clone_to_owned()?);
    let mut collector = Collector { hold: io::BufWriter::new(&hold), left_bytes: limit_bytes, left_names: MOST_NAMES };
    collector.number(0)?;
    let mut is_all = true;
    for name in &list.wanted {
        is_all &= collector.wanted(folder, name)?;
    }
    collector.hold.flush()?;
    drop(collector);
    write_all_at(&hold, &u64::from(!is_all).to_le_bytes(), 0)
}

/// A hold, and how much may still go into it.
struct Collector<'a> {
    hold: io::BufWriter<&'a File>,
    left_bytes: u64,
    left_names: usize,
}

impl Collector<'_> {
    fn number(&mut self, number: u64) -> io::Result<()> {
        self.hold.write_all(&number.to_le_bytes())
    }

    /// Takes what has this name. Says whether it was taken whole, or is not there.
    fn wanted(&mut self, folder: &Folder, name: &CStr) -> io::Result<bool> {
        let parts: Vec<&[u8]> = name.to_bytes().split(|byte| *byte == b'/').collect();
        let Some((last, before)) = parts.split_last() else { return Ok(true) };
        let mut at = folder.as_fd().try_clone_to_owned()?;
        for part in before {
            let part = CString::new(*part)?;
            match is_folder(at.as_fd(), &part) {
                Ok(true) => at = open_any(at.as_fd(), &part)?,
                _ => return Ok(true),
            }
        }
        self.take(at.as_fd(), &CString::new(*last)?, name.to_bytes(), 0)
    }

    /// Takes a file, or all that is in a folder; what is neither does not count.
    fn take(&mut self, parent: BorrowedFd<'_>, name: &CStr, whole: &[u8], depth: usize) -> io::Result<bool> {
        let about = match statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(true),
            about => about?,
        };
        if self.left_names == 0 || depth > MOST_DEPTH {
            return Ok(false);
        }
        self.left_names -= 1;
        match FileType::from_raw_mode(about.st_mode) {
            FileType::RegularFile => self.file(parent, name, whole),
            FileType::Directory => {
                let opened = open_any(parent, name)?;
                let mut is_all = true;
                let mut inner = names(opened.as_fd())?;
                inner.sort();
                for child in inner {
                    let whole = [whole, b"/", child.to_bytes()].concat();
                    is_all &= self.take(opened.as_fd(), &child, &whole, depth + 1)?;
                }
                Ok(is_all)
            }
            _ => Ok(true),
        }
    }

    fn file(&mut self, parent: BorrowedFd<'_>, name: &CStr, whole: &[u8]) -> io::Result<bool> {
        let file = File::from(open_file(parent, name)?);
        let length = fstat(&file)?.st_size as u64;
        if length > self.left_bytes {
            return Ok(false);
        }
        self.left_bytes -= length;
        self.number(whole.len() as u64)?;
        self.hold.write_all(whole)?;
        self.number(length)?;
        let copied = io::copy(&mut io::Read::take(file, length), &mut self.hold)?;
        // Nobody lives who could have cut it short; a disk can fail.
        if copied == length { Ok(true) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// Opens a regular file, also one that nobody may read.
fn open_file(parent: BorrowedFd<'_>, name: &CStr) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    match openat(parent, name, flags, Mode::empty()) {
        Err(Errno::ACCESS) => {
            chmodat(parent, name, Mode::RUSR, AtFlags::empty())?;
            Ok(openat(parent, name, flags, Mode::empty())?)
        }
        opened => Ok(opened?),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Brought;
    use super::*;
    use crate::run::memory_file::MemoryFile;
    use std::collections::BTreeMap;
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::{Path, PathBuf};

    fn brought(prepare: impl Fn(&Path) -> io::Result<()>, wanted: &[&CStr], limit_bytes: u64) -> io::Result<Brought> {
        let outside = tempfile::tempdir()?;
        let path = outside.path().join("run");
        let folder = Folder::make(CString::new(path.as_os_str().as_bytes())?)?;
        fs::write(outside.path().join("secret"), "secret")?;
        prepare(&path)?;
        let hold = MemoryFile::empty().map_err(io::Error::other)?;
        let wanted = wanted.iter().map(|name| (*name).to_owned()).collect();
        collect(&PackingList { wanted, ..PackingList::default() }, &folder, hold.as_fd(), limit_bytes)?;
        Brought::unload(&hold).map_err(io::Error::other)
    }

    #[test]
    fn files_come_back_and_nothing_else() -> io::Result<()> {
        let prepare = |path: &Path| {
            fs::create_dir_all(path.join("out/deep"))?;
            fs::write(path.join("out/a"), "1")?;
            fs::write(path.join("out/deep").join(OsStr::from_bytes(b"\xff\n")), "2")?;
            fs::write(path.join("unasked"), "3")?;
            fs::set_permissions(path.join("out/a"), fs::Permissions::from_mode(0o000))?;
            fs::set_permissions(path.join("out/deep"), fs::Permissions::from_mode(0o000))?;
            symlink("../../secret", path.join("out/link"))?;
            symlink("..", path.join("up"))?;
            symlink("..", path.join("out/up"))
        };
        let brought = brought(prepare, &[c"out", c"up", c"up/secret", c"out/up/unasked", c"missing", c"a/b"], 100)?;
        let odd = Path::new("out/deep").join(OsStr::from_bytes(b"\xff\n"));
        let expected = BTreeMap::from([(PathBuf::from("out/a"), b"1".to_vec()), (odd, b"2".to_vec())]);
        assert_eq!(brought, Brought { files: expected, is_too_much: false });
        Ok(())
    }

    #[test]
    fn too_much_is_left_and_said() -> io::Result<()> {
        let prepare = |path: &Path| {
            fs::write(path.join("a"), "12")?;
            fs::write(path.join("b"), "1234")?;
            fs::File::create(path.join("sparse"))?.set_len(1 << 40)?;
            fs::create_dir_all(path.join("d/".repeat(40)))
        };
        let names = |brought: &Brought| brought.files.keys().cloned().collect::<Vec<_>>();
        let fits = brought(prepare, &[c"a", c"b"], 6)?;
        assert_eq!((names(&fits).len(), fits.is_too_much), (2, false));
        let over = brought(prepare, &[c"a", c"b"], 5)?;
        assert_eq!((names(&over), over.is_too_much), (vec![PathBuf::from("a")], true));
        assert!(brought(prepare, &[c"sparse"], 1 << 30)?.is_too_much);
        assert!(brought(prepare, &[c"d"], 100)?.is_too_much);
        Ok(())
    }
}
