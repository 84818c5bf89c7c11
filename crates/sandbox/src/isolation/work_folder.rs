//! The working folder of a run, and how it is emptied regardless of its contents: folders nested to any depth,
//! unreadable folders, names of any kind.

use crate::tuning::MAX_COUNTED_NAMES;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, chmodat, fstat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;
#[cfg(target_os = "linux")]
use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// A folder that only rebut uses.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    path: CString,
    descriptor: OwnedFd,
    #[cfg(target_os = "linux")]
    watch: FolderWatch,
}

/// Uses inotify to know whether names have been added to a folder since it was empty. Without inotify, a folder is
/// never certainly empty.
#[cfg(target_os = "linux")]
#[derive(Debug)]
struct FolderWatch {
    inotify: Option<OwnedFd>,
    may_have_names: Cell<bool>,
}

#[cfg(target_os = "linux")]
impl FolderWatch {
    /// Watches a folder that was just created.
    fn for_new_folder(path: &CStr) -> FolderWatch {
        use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
        let inotify = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).and_then(|inotify| {
            let all = WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::MOVE_SELF | WatchFlags::DELETE_SELF;
            add_watch(&inotify, path, all | WatchFlags::ONLYDIR).map(|_| inotify)
        });
        FolderWatch { inotify: inotify.ok(), may_have_names: Cell::new(false) }
    }

    fn is_certainly_empty(&self) -> bool {
        let Some(inotify) = &self.inotify else { return false };
        // Only `EAGAIN` means no events; a queue overflow or any other error does not.
        let is_silent = rustix::io::read(inotify, &mut [0_u8; 512]) == Err(Errno::AGAIN);
        if !is_silent {
            self.may_have_names.set(true);
        }
        is_silent && !self.may_have_names.get()
    }

    fn mark_empty(&self) {
        self.may_have_names.set(false);
    }
}

impl WorkFolder {
    /// Creates a folder.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses.
    pub(crate) fn create(path: CString) -> io::Result<WorkFolder> {
        rustix::fs::mkdir(path.as_c_str(), Mode::RWXU)?;
        let opened = open_folder(CWD, &path)?;
        Ok(WorkFolder {
            #[cfg(target_os = "linux")]
            watch: FolderWatch::for_new_folder(&path),
            path,
            descriptor: opened,
        })
    }

    /// Opens an existing folder.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be opened.
    #[cfg(target_os = "linux")]
    pub(crate) fn open_existing(path: CString) -> io::Result<WorkFolder> {
        let opened = open_folder(CWD, &path)?;
        let names = FolderWatch { inotify: None, may_have_names: Cell::new(true) };
        Ok(WorkFolder { path, descriptor: opened, watch: names })
    }

    pub(crate) fn path(&self) -> &CStr {
        &self.path
    }

    pub(crate) fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }

    /// Removes everything in the folder. No process may be working in it.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses.
    pub(crate) fn remove_contents(&self) -> io::Result<()> {
        if self.is_empty()? {
            return Ok(());
        }
        let mut moved = 0_u64;
        drain_names(self.descriptor.as_fd(), |name| self.remove_entry(name, &mut moved))?;
        #[cfg(target_os = "linux")]
        self.watch.mark_empty();
        Ok(())
    }

    /// Returns true if the folder is empty, as most programs leave it. Reads it from the start without opening it
    /// again.
    #[cfg(target_os = "linux")]
    fn is_empty(&self) -> io::Result<bool> {
        use rustix::fs::{RawDir, SeekFrom, seek};
        if self.watch.is_certainly_empty() {
            return Ok(true);
        }
        let mut space = [std::mem::MaybeUninit::uninit(); 1024];
        seek(&self.descriptor, SeekFrom::Start(0))?;
        let mut names = RawDir::new(&self.descriptor, &mut space);
        while let Some(name) = names.next() {
            if !matches!(name?.file_name().to_bytes(), b"." | b"..") {
                return Ok(false);
            }
        }
        self.watch.mark_empty();
        Ok(true)
    }

    /// Always false: finding out would mean opening the folder again.
    #[cfg(not(target_os = "linux"))]
    fn is_empty(&self) -> io::Result<bool> {
        Ok(false)
    }

    /// Removes an entry. Subfolders of a folder are first moved one level up, so that no depth is too deep.
    fn remove_entry(&self, name: &CStr, moved: &mut u64) -> io::Result<()> {
        if !is_folder(self.descriptor.as_fd(), name)? {
            return Ok(unlinkat(&self.descriptor, name, AtFlags::empty())?);
        }
        let inner = open_folder_forced(self.descriptor.as_fd(), name)?;
        drain_names(inner.as_fd(), |child| {
            if !is_folder(inner.as_fd(), child)? {
                return Ok(unlinkat(&inner, child, AtFlags::empty())?);
            }
            // Only a folder with write permission can be moved.
            chmodat(&inner, child, Mode::RWXU, AtFlags::empty())?;
            let place = self.unused_name(moved)?;
            Ok(renameat(&inner, child, &self.descriptor, &place)?)
        })?;
        Ok(unlinkat(&self.descriptor, name, AtFlags::REMOVEDIR)?)
    }

    /// Returns an unused name for a folder that is moved here.
    fn unused_name(&self, moved: &mut u64) -> io::Result<CString> {
        loop {
            let place = CString::new(format!("moved-{moved}"))?;
            *moved += 1;
            if statat(&self.descriptor, &place, AtFlags::SYMLINK_NOFOLLOW).err() == Some(Errno::NOENT) {
                return Ok(place);
            }
        }
    }

    /// Returns the number of bytes that its files take on disk, or `u64::MAX` if there are too many names. Programs may
    /// still be working in the folder, so this is a sample: enough to stop a program that fills the disk, but no basis
    /// for a verdict.
    pub(crate) fn used_bytes(&self) -> u64 {
        self.sum_sizes(MAX_COUNTED_NAMES, 0, |about| about.st_blocks as u64 * 512)
    }

    /// Returns the total length of its files, or `u64::MAX` if there are more than [`MAX_COUNTED_NAMES`]. Once no process works
    /// in the folder, the result depends only on what was written.
    pub(crate) fn size_bytes(&self) -> u64 {
        if self.is_empty().unwrap_or(false) {
            return 0;
        }
        let is_folder = |about: &Stat| FileType::from_raw_mode(about.st_mode) == FileType::Directory;
        self.sum_sizes(MAX_COUNTED_NAMES, u64::MAX, |about| if is_folder(about) { 0 } else { about.st_size as u64 })
    }

    /// Sums a size over all entries, and adds `unknown_bytes` for each folder that cannot be opened.
    fn sum_sizes(&self, max_names: usize, unknown_bytes: u64, size: impl Fn(&Stat) -> u64) -> u64 {
        let mut waiting = vec![self.descriptor.try_clone().ok()];
        let (mut bytes, mut seen) = (0_u64, 0);
        while let Some(folder) = waiting.pop() {
            let Some(folder) = folder else {
                bytes = bytes.saturating_add(unknown_bytes);
                continue;
            };
            for name in list_names_up_to(folder.as_fd(), max_names).unwrap_or_default() {
                seen += 1;
                let Ok(about) = statat(&folder, &name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
                bytes = bytes.saturating_add(size(&about));
                if FileType::from_raw_mode(about.st_mode) == FileType::Directory {
                    waiting.push(open_folder(folder.as_fd(), &name).ok());
                }
            }
            if seen > max_names || waiting.len() > 200 {
                return u64::MAX;
            }
        }
        bytes
    }
}

fn open_folder(parent: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<OwnedFd> {
    openat(parent, name, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

/// Opens a folder inside a folder, even without permissions; links are not followed.
///
/// # Errors
///
/// Returns an error if the operating system refuses.
pub(crate) fn open_folder_forced(parent: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<OwnedFd> {
    let opened = open_folder(parent, name);
    let is_ours = |opened: &OwnedFd| fstat(opened).is_ok_and(|about| about.st_mode & 0o700 == 0o700);
    if opened.as_ref().is_ok_and(is_ours) {
        return opened;
    }
    chmodat(parent, name, Mode::RWXU, AtFlags::empty())?;
    open_folder(parent, name)
}

/// Returns true if the entry is a folder, not a link to one.
///
/// # Errors
///
/// Returns an error if there is no such entry.
pub(crate) fn is_folder(parent: BorrowedFd<'_>, name: &CStr) -> io::Result<bool> {
    let about = statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileType::from_raw_mode(about.st_mode) == FileType::Directory)
}

/// Calls `remove` for each name, which must remove it from the folder, until the folder is empty. Names are read in
/// batches, so that a folder of any size takes little memory.
fn drain_names(folder: BorrowedFd<'_>, mut remove: impl FnMut(&CStr) -> io::Result<()>) -> io::Result<()> {
    loop {
        let names = list_names(folder)?;
        if names.is_empty() {
            return Ok(());
        }
        for name in &names {
            remove(name)?;
        }
    }
}

/// Returns the names in a folder, at most one more than [`MAX_COUNTED_NAMES`].
///
/// # Errors
///
/// Returns an error if the folder cannot be read.
pub(crate) fn list_names(folder: BorrowedFd<'_>) -> io::Result<Vec<CString>> {
    list_names_up_to(folder, MAX_COUNTED_NAMES)
}

/// Returns the names in a folder, at most one more than `max_names`.
fn list_names_up_to(folder: BorrowedFd<'_>, max_names: usize) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        if entry.file_name() != c"." && entry.file_name() != c".." {
            names.push(entry.file_name().to_owned());
        }
        if names.len() > max_names {
            break;
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    #[test]
    fn folder_contents_are_removed_and_nothing_else() -> io::Result<()> {
        let outside = tempfile::tempdir()?;
        let path = outside.path().join("work");
        let folder = WorkFolder::create(CString::new(path.as_os_str().as_bytes())?)?;
        let precious = outside.path().join("precious");
        fs::write(&precious, "here")?;
        folder.remove_contents()?;
        fs::write(path.join("moved-0"), vec![1; 100_000])?;
        fs::write(path.join(OsStr::from_bytes(b"\xff\n -rf")), "x")?;
        symlink(&precious, path.join("link"))?;
        symlink(outside.path(), path.join("up"))?;
        for name in ["closed/inner/file", "wide/a/x", "wide/b/x"] {
            fs::create_dir_all(path.join(name))?;
        }
        for name in ["closed/inner", "closed"] {
            fs::set_permissions(path.join(name), fs::Permissions::from_mode(0o000))?;
        }
        assert!(folder.used_bytes() >= 100_000);
        if fs::read_dir(path.join("closed")).is_ok() {
            // Only folders with permissions contribute to the size.
            assert_eq!(
                folder.size_bytes(),
                100_001
                    + [&precious, &*outside.path().to_owned()]
                        .map(|to| to.as_os_str().len() as u64)
                        .iter()
                        .sum::<u64>()
            );
        }
        create_nested_folders(&path, 3000)?;
        for place in ["", "wide", "wide/a"] {
            for number in 0..3 * MAX_COUNTED_NAMES {
                fs::write(path.join(place).join(format!("many{number}")), "")?;
            }
        }
        assert_eq!([folder.used_bytes(), folder.size_bytes()], [u64::MAX; 2]);
        folder.remove_contents()?;
        assert_eq!(fs::read_dir(&path)?.count(), 0);
        assert_eq!(fs::read_to_string(&precious)?, "here");
        Ok(())
    }

    /// Creates nested folders, deeper than any path can express.
    fn create_nested_folders(path: &Path, depth: usize) -> io::Result<()> {
        let mut at = openat(CWD, path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        for _ in 0..depth {
            rustix::fs::mkdirat(&at, c"deep", Mode::RWXU)?;
            at = open_folder(at.as_fd(), c"deep")?;
            for name in [c"1", c"2"] {
                openat(&at, name, OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC, Mode::RWXU)?;
            }
        }
        Ok(())
    }
}
