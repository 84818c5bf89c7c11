//! Collects the files that a run has left.
//!
//! The program could do anything in its folder: there can be links, pipes, unreadable folders, names that are not
//! UTF-8, and more data than fits anywhere. No process of the run is left that could change it meanwhile. The files are
//! written into one file in memory, the archive: first a flag for missing files, then name and contents of each file.

use super::RunFileList;
use crate::isolation::work_folder::{WorkFolder, is_folder, list_names, open_folder_forced};
use crate::sys::{AsFd, BorrowedFd, OwnedFd, write_all_at};
use crate::tuning::{MAX_COLLECTED_DEPTH, MAX_COUNTED_NAMES};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, chmodat, fstat, openat, statat};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Write};

/// Writes the wanted files that exist into the archive, up to a total size.
///
/// # Errors
///
/// Returns an error if the operating system refuses.
pub(super) fn collect_files(
    list: &RunFileList,
    folder: &WorkFolder,
    archive: BorrowedFd<'_>,
    limit_bytes: u64,
) -> io::Result<()> {
    let archive = File::from(archive.try_clone_to_owned()?);
    let mut collector =
        FileCollector { archive: io::BufWriter::new(&archive), left_bytes: limit_bytes, left_names: MAX_COUNTED_NAMES };
    collector.write_number(0)?;
    let mut is_complete = true;
    for name in &list.collected_names {
        is_complete &= collector.collect_name(folder, name)?;
    }
    collector.archive.flush()?;
    drop(collector);
    write_all_at(&archive, &u64::from(!is_complete).to_le_bytes(), 0)
}

/// An archive that is being written, and the remaining limits.
struct FileCollector<'a> {
    archive: io::BufWriter<&'a File>,
    left_bytes: u64,
    left_names: usize,
}

impl FileCollector<'_> {
    fn write_number(&mut self, number: u64) -> io::Result<()> {
        self.archive.write_all(&number.to_le_bytes())
    }

    /// Collects the entry with this name. Returns false if it is incomplete; a missing entry is complete.
    fn collect_name(&mut self, folder: &WorkFolder, name: &CStr) -> io::Result<bool> {
        let parts: Vec<&[u8]> = name.to_bytes().split(|byte| *byte == b'/').collect();
        let Some((last, before)) = parts.split_last() else { return Ok(true) };
        let mut at = folder.as_fd().try_clone_to_owned()?;
        for part in before {
            let part = CString::new(*part)?;
            match is_folder(at.as_fd(), &part) {
                Ok(true) => at = open_folder_forced(at.as_fd(), &part)?,
                _ => return Ok(true),
            }
        }
        self.collect_entry(at.as_fd(), &CString::new(*last)?, name.to_bytes(), 0)
    }

    /// Collects a file, or a folder with its contents. Anything else is skipped.
    fn collect_entry(
        &mut self,
        parent: BorrowedFd<'_>,
        name: &CStr,
        full_name: &[u8],
        depth: usize,
    ) -> io::Result<bool> {
        let metadata = match statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(true),
            metadata => metadata?,
        };
        if self.left_names == 0 || depth > MAX_COLLECTED_DEPTH {
            return Ok(false);
        }
        self.left_names -= 1;
        match FileType::from_raw_mode(metadata.st_mode) {
            FileType::RegularFile => self.collect_file(parent, name, full_name),
            FileType::Directory => {
                let opened = open_folder_forced(parent, name)?;
                let mut is_complete = true;
                let mut inner = list_names(opened.as_fd())?;
                inner.sort();
                for child in inner {
                    let full_name = [full_name, b"/", child.to_bytes()].concat();
                    is_complete &= self.collect_entry(opened.as_fd(), &child, &full_name, depth + 1)?;
                }
                Ok(is_complete)
            }
            _ => Ok(true),
        }
    }

    fn collect_file(&mut self, parent: BorrowedFd<'_>, name: &CStr, full_name: &[u8]) -> io::Result<bool> {
        let file = File::from(open_file(parent, name)?);
        let length = fstat(&file)?.st_size as u64;
        if length > self.left_bytes {
            return Ok(false);
        }
        self.left_bytes -= length;
        self.write_number(full_name.len() as u64)?;
        self.archive.write_all(full_name)?;
        self.write_number(length)?;
        let copied = io::copy(&mut io::Read::take(file, length), &mut self.archive)?;
        // No process is left that could have truncated it, but a disk can fail.
        if copied == length { Ok(true) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// Opens a regular file, even one without read permission.
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
    use super::super::CollectedFiles;
    use super::*;
    use crate::memory_file::MemoryFile;
    use std::collections::BTreeMap;
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::{Path, PathBuf};

    fn collect_from_folder(
        prepare: impl Fn(&Path) -> io::Result<()>,
        wanted: &[&CStr],
        limit_bytes: u64,
    ) -> io::Result<CollectedFiles> {
        let outside = tempfile::tempdir()?;
        let path = outside.path().join("run");
        let folder = WorkFolder::create(CString::new(path.as_os_str().as_bytes())?)?;
        fs::write(outside.path().join("secret"), "secret")?;
        prepare(&path)?;
        let archive = MemoryFile::create_empty().map_err(io::Error::other)?;
        let wanted = wanted.iter().map(|name| (*name).to_owned()).collect();
        collect_files(
            &RunFileList { collected_names: wanted, ..RunFileList::default() },
            &folder,
            archive.as_fd(),
            limit_bytes,
        )?;
        CollectedFiles::from_archive(&archive).map_err(io::Error::other)
    }

    #[test]
    fn only_regular_files_are_collected() -> io::Result<()> {
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
        let collected =
            collect_from_folder(prepare, &[c"out", c"up", c"up/secret", c"out/up/unasked", c"missing", c"a/b"], 100)?;
        let odd = Path::new("out/deep").join(OsStr::from_bytes(b"\xff\n"));
        let expected = BTreeMap::from([(PathBuf::from("out/a"), b"1".to_vec()), (odd, b"2".to_vec())]);
        assert_eq!(collected, CollectedFiles { files: expected, is_truncated: false });
        Ok(())
    }

    #[test]
    fn oversized_files_are_omitted_and_reported() -> io::Result<()> {
        let prepare = |path: &Path| {
            fs::write(path.join("a"), "12")?;
            fs::write(path.join("b"), "1234")?;
            fs::File::create(path.join("sparse"))?.set_len(1 << 40)?;
            fs::create_dir_all(path.join("d/".repeat(40)))
        };
        let names = |collected: &CollectedFiles| collected.files.keys().cloned().collect::<Vec<_>>();
        let fits = collect_from_folder(prepare, &[c"a", c"b"], 6)?;
        assert_eq!((names(&fits).len(), fits.is_truncated), (2, false));
        let over = collect_from_folder(prepare, &[c"a", c"b"], 5)?;
        assert_eq!((names(&over), over.is_truncated), (vec![PathBuf::from("a")], true));
        assert!(collect_from_folder(prepare, &[c"sparse"], 1 << 30)?.is_truncated);
        assert!(collect_from_folder(prepare, &[c"d"], 100)?.is_truncated);
        Ok(())
    }
}
