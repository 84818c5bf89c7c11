//! A working folder, and how it is emptied whatever a program has made of it: folders in folders to any depth,
//! folders that nobody may enter, names of any kind.

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, chmodat, fstat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;
#[cfg(target_os = "linux")]
use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// More names than this are not counted, but too many.
pub(in crate::run) const MOST_NAMES: usize = 1024;

/// A folder that belongs to us alone.
#[derive(Debug)]
pub(in crate::run) struct Folder {
    path: CString,
    opened: OwnedFd,
    #[cfg(target_os = "linux")]
    names: Names,
}

/// Whether names have come into a folder since there were none, as the kernel tells; where it does not, nothing is certain.
#[cfg(target_os = "linux")]
#[derive(Debug)]
struct Names {
    news: Option<OwnedFd>,
    may_be_some: Cell<bool>,
}

#[cfg(target_os = "linux")]
impl Names {
    /// Those of a folder that was just made.
    fn watched(path: &CStr) -> Names {
        use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
        let news = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).and_then(|news| {
            let all = WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::MOVE_SELF | WatchFlags::DELETE_SELF;
            add_watch(&news, path, all | WatchFlags::ONLYDIR).map(|_| news)
        });
        Names { news: news.ok(), may_be_some: Cell::new(false) }
    }

    fn are_certainly_none(&self) -> bool {
        let Some(news) = &self.news else { return false };
        // What cannot be said, because there is too much of it or for any other reason, is no silence.
        let is_silent = rustix::io::read(news, &mut [0_u8; 512]) == Err(Errno::AGAIN);
        if !is_silent {
            self.may_be_some.set(true);
        }
        is_silent && !self.may_be_some.get()
    }

    fn none_is_left(&self) {
        self.may_be_some.set(false);
    }
}

impl Folder {
    /// Makes a folder.
    ///
    /// # Errors
    ///
    /// The machine refuses.
    pub(in crate::run) fn make(path: CString) -> io::Result<Folder> {
        rustix::fs::mkdir(path.as_c_str(), Mode::RWXU)?;
        let opened = open(CWD, &path)?;
        Ok(Folder {
            #[cfg(target_os = "linux")]
            names: Names::watched(&path),
            path,
            opened,
        })
    }

    /// A folder that is there.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be opened.
    #[cfg(target_os = "linux")]
    pub(in crate::run) fn open(path: CString) -> io::Result<Folder> {
        let opened = open(CWD, &path)?;
        let names = Names { news: None, may_be_some: Cell::new(true) };
        Ok(Folder { path, opened, names })
    }

    /// Where it is.
    pub(in crate::run) fn path(&self) -> &CStr {
        &self.path
    }

    /// What it is opened as.
    pub(in crate::run) fn as_fd(&self) -> BorrowedFd<'_> {
        self.opened.as_fd()
    }

    /// Removes everything in it. Nobody may be working in it.
    ///
    /// # Errors
    ///
    /// The machine refuses.
    pub(in crate::run) fn empty(&self) -> io::Result<()> {
        if self.is_empty()? {
            return Ok(());
        }
        let mut moved = 0_u64;
        each_name(self.opened.as_fd(), |name| self.remove(name, &mut moved))?;
        #[cfg(target_os = "linux")]
        self.names.none_is_left();
        Ok(())
    }

    /// Whether there is nothing in it, as most programs leave it. It is read from its beginning without being opened again.
    #[cfg(target_os = "linux")]
    fn is_empty(&self) -> io::Result<bool> {
        use rustix::fs::{RawDir, SeekFrom, seek};
        if self.names.are_certainly_none() {
            return Ok(true);
        }
        let mut space = [std::mem::MaybeUninit::uninit(); 1024];
        seek(&self.opened, SeekFrom::Start(0))?;
        let mut names = RawDir::new(&self.opened, &mut space);
        while let Some(name) = names.next() {
            if !matches!(name?.file_name().to_bytes(), b"." | b"..") {
                return Ok(false);
            }
        }
        self.names.none_is_left();
        Ok(true)
    }

    /// Not known without opening it.
    #[cfg(not(target_os = "linux"))]
    fn is_empty(&self) -> io::Result<bool> {
        Ok(false)
    }

    /// Removes one of its names. What is in a folder comes one level up, so that no depth is too deep.
    fn remove(&self, name: &CStr, moved: &mut u64) -> io::Result<()> {
        if !is_folder(self.opened.as_fd(), name)? {
            return Ok(unlinkat(&self.opened, name, AtFlags::empty())?);
        }
        let inner = open_any(self.opened.as_fd(), name)?;
        each_name(inner.as_fd(), |child| {
            if !is_folder(inner.as_fd(), child)? {
                return Ok(unlinkat(&inner, child, AtFlags::empty())?);
            }
            // A folder is moved only by somebody who may write into it.
            chmodat(&inner, child, Mode::RWXU, AtFlags::empty())?;
            let place = self.free_name(moved)?;
            Ok(renameat(&inner, child, &self.opened, &place)?)
        })?;
        Ok(unlinkat(&self.opened, name, AtFlags::REMOVEDIR)?)
    }

    /// A name that nothing here has, whatever a program has called its own.
    fn free_name(&self, moved: &mut u64) -> io::Result<CString> {
        loop {
            let place = CString::new(format!("moved-{moved}"))?;
            *moved += 1;
            if statat(&self.opened, &place, AtFlags::SYMLINK_NOFOLLOW).err() == Some(Errno::NOENT) {
                return Ok(place);
            }
        }
    }

    /// Returns how many bytes its files take on the disk, or more than any limit if there are too many names to look at. Programs
    /// may be working in it, so this is what was seen: enough to stop one that fills the disk, and no ground for a verdict.
    pub(in crate::run) fn used_bytes(&self) -> u64 {
        self.sum_sizes(MOST_NAMES, 0, |about| about.st_blocks as u64 * 512)
    }

    /// Returns how long its files are together, or more than any limit if there are more than [`MOST_NAMES`]. Where nothing works
    /// in it any more, that depends on nothing but what was written.
    pub(in crate::run) fn size_bytes(&self) -> u64 {
        if self.is_empty().unwrap_or(false) {
            return 0;
        }
        let is_folder = |about: &Stat| FileType::from_raw_mode(about.st_mode) == FileType::Directory;
        self.sum_sizes(MOST_NAMES, u64::MAX, |about| if is_folder(about) { 0 } else { about.st_size as u64 })
    }

    /// Adds up a size of everything in it, and one for each folder that cannot be looked into.
    fn sum_sizes(&self, max_names: usize, unknown_bytes: u64, size: impl Fn(&Stat) -> u64) -> u64 {
        let mut waiting = vec![self.opened.try_clone().ok()];
        let (mut bytes, mut seen) = (0_u64, 0);
        while let Some(folder) = waiting.pop() {
            let Some(folder) = folder else {
                bytes = bytes.saturating_add(unknown_bytes);
                continue;
            };
            for name in names_up_to(folder.as_fd(), max_names).unwrap_or_default() {
                seen += 1;
                let Ok(about) = statat(&folder, &name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
                bytes = bytes.saturating_add(size(&about));
                if FileType::from_raw_mode(about.st_mode) == FileType::Directory {
                    waiting.push(open(folder.as_fd(), &name).ok());
                }
            }
            if seen > max_names || waiting.len() > 200 {
                return u64::MAX;
            }
        }
        bytes
    }
}

fn open(parent: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<OwnedFd> {
    openat(parent, name, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

/// A folder in a folder, also where nobody may enter; no link is followed.
///
/// # Errors
///
/// The machine refuses.
pub(in crate::run) fn open_any(parent: BorrowedFd<'_>, name: &CStr) -> rustix::io::Result<OwnedFd> {
    let opened = open(parent, name);
    let is_ours = |opened: &OwnedFd| fstat(opened).is_ok_and(|about| about.st_mode & 0o700 == 0o700);
    if opened.as_ref().is_ok_and(is_ours) {
        return opened;
    }
    chmodat(parent, name, Mode::RWXU, AtFlags::empty())?;
    open(parent, name)
}

/// Whether that is a folder, and no link to one.
///
/// # Errors
///
/// There is nothing of this name.
pub(in crate::run) fn is_folder(parent: BorrowedFd<'_>, name: &CStr) -> io::Result<bool> {
    let about = statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileType::from_raw_mode(about.st_mode) == FileType::Directory)
}

/// Does to each name in a folder what takes it out of there, until none is left. They are read in parts, so that
/// a folder of any size takes little memory.
fn each_name(folder: BorrowedFd<'_>, mut take_out: impl FnMut(&CStr) -> io::Result<()>) -> io::Result<()> {
    loop {
        let names = names(folder)?;
        if names.is_empty() {
            return Ok(());
        }
        for name in &names {
            take_out(name)?;
        }
    }
}

/// The names in a folder, not many more than [`MOST_NAMES`] at once.
///
/// # Errors
///
/// It cannot be read.
pub(in crate::run) fn names(folder: BorrowedFd<'_>) -> io::Result<Vec<CString>> {
    names_up_to(folder, MOST_NAMES)
}

/// Returns the names in a folder, at most one more than `max_names`.
fn names_up_to(folder: BorrowedFd<'_>, max_names: usize) -> io::Result<Vec<CString>> {
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
    fn whatever_is_in_it_goes_and_nothing_else() -> io::Result<()> {
        let outside = tempfile::tempdir()?;
        let path = outside.path().join("work");
        let folder = Folder::make(CString::new(path.as_os_str().as_bytes())?)?;
        let precious = outside.path().join("precious");
        fs::write(&precious, "here")?;
        folder.empty()?;
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
            // Only what is in a folder that may be entered is known.
            assert_eq!(
                folder.size_bytes(),
                100_001
                    + [&precious, &*outside.path().to_owned()]
                        .map(|to| to.as_os_str().len() as u64)
                        .iter()
                        .sum::<u64>()
            );
        }
        deepen(&path, 3000)?;
        for place in ["", "wide", "wide/a"] {
            for number in 0..3 * MOST_NAMES {
                fs::write(path.join(place).join(format!("many{number}")), "")?;
            }
        }
        assert_eq!([folder.used_bytes(), folder.size_bytes()], [u64::MAX; 2]);
        folder.empty()?;
        assert_eq!(fs::read_dir(&path)?.count(), 0);
        assert_eq!(fs::read_to_string(&precious)?, "here");
        Ok(())
    }

    /// Makes folders in folders, deeper than any path can say.
    fn deepen(path: &Path, depth: usize) -> io::Result<()> {
        let mut at = openat(CWD, path, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        for _ in 0..depth {
            rustix::fs::mkdirat(&at, c"deep", Mode::RWXU)?;
            at = open(at.as_fd(), c"deep")?;
            for name in [c"1", c"2"] {
                openat(&at, name, OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC, Mode::RWXU)?;
            }
        }
        Ok(())
    }
}
