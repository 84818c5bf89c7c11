//! Mount namespaces, in which a program sees only the files that it is to see.
//!
//! Landlock keeps a program from opening other files, but not from asking for their sizes. In a namespace of its own they
//! do not exist. A namespace is made once for each kind of program, by a child process that becomes the first in it;
//! a run enters it by its descriptor. Without root, the namespace belongs to a user namespace, which is entered first.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The file system that becomes the root is mounted here first: a folder that exists everywhere.
const FIRST_MOUNT: &CStr = c"/proc";
/// Where the old root is until everything is taken from it.
const OLD_ROOT: &str = "/old";
/// Links that programs expect in `/dev`.
const DEVICE_LINKS: [(&str, &str); 4] = [
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
];

#[derive(Debug)]
pub(crate) struct MountNamespace {
    /// The user namespace, if there is one.
    user: Option<OwnedFd>,
    mounts: OwnedFd,
    pub(crate) root: OwnedFd,
}

/// A path in a namespace.
enum VisiblePath {
    /// A link with this target.
    Link(PathBuf),
    /// A file or a folder with its contents.
    Mount(PathBuf),
}

impl MountNamespace {
    /// Creates a namespace with these files and folders, each at its own path; missing ones are left out. Must be called
    /// in a process with a single thread, which the child is a copy of.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses.
    pub(crate) fn create(paths: &[PathBuf]) -> io::Result<MountNamespace> {
        let paths = list_visible_paths(paths);
        // The child shares the table of descriptors, and replaces these.
        let places = [(); 3].map(|()| File::open("/dev/null"));
        let [user, mounts, root] = places;
        let (user, mounts, root) = (OwnedFd::from(user?), OwnedFd::from(mounts?), OwnedFd::from(root?));
        // SAFETY: without a shared memory this is `fork`, with null pointers for what is not asked for.
        let pid = unsafe { libc::syscall(libc::SYS_clone, libc::CLONE_FILES | libc::SIGCHLD, 0, 0, 0, 0) } as i32;
        if pid == 0 {
            let made = make_namespace(&paths, [&user, &mounts, &root]);
            // SAFETY: ends the child without running any other code of this process.
            unsafe { libc::_exit(made.map_or(2, i32::from)) };
        }
        let mut status = 0;
        // SAFETY: the pointer is valid for writing.
        if pid < 0 || unsafe { libc::waitpid(pid, &raw mut status, 0) } != pid {
            return Err(io::Error::last_os_error());
        }
        match libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)) {
            Some(has_user @ (0 | 1)) => Ok(MountNamespace { user: (has_user == 1).then_some(user), mounts, root }),
            _ => Err(io::ErrorKind::PermissionDenied.into()),
        }
    }

    /// Returns the descriptors of the namespaces, in the order in which a process enters them; -1 for none.
    pub(super) fn descriptors(&self) -> [RawFd; 2] {
        [self.user.as_ref().map_or(-1, AsRawFd::as_raw_fd), self.mounts.as_raw_fd()]
    }
}

/// Returns true if this process can mount something in a namespace of its own. Makes only plain system calls.
pub(super) fn can_mount() -> bool {
    enter_new_namespace().is_ok() && mount(Some(c"tmpfs"), FIRST_MOUNT, 0).is_ok()
}

/// Returns the paths, the outer ones first, so that what is inside of another is recognized: the files themselves, and
/// the paths that lead to them.
fn list_visible_paths(paths: &[PathBuf]) -> Vec<(PathBuf, VisiblePath)> {
    let mut real = Vec::new();
    let mut others = Vec::new();
    for path in paths {
        let Ok(target) = std::fs::canonicalize(path) else { continue };
        match std::fs::read_link(path) {
            Ok(link) => others.push((path.clone(), VisiblePath::Link(link))),
            Err(_) if target != *path => others.push((path.clone(), VisiblePath::Mount(target.clone()))),
            Err(_) => {}
        }
        real.push((target.clone(), VisiblePath::Mount(target)));
    }
    real.sort_by(|one, other| one.0.cmp(&other.0));
    others.sort_by(|one, other| one.0.cmp(&other.0));
    others.extend(DEVICE_LINKS.map(|(path, target)| (path.into(), VisiblePath::Link(target.into()))));
    real.into_iter().chain(others).collect()
}

/// Makes the namespaces, and puts their descriptors and that of the root in the place of these. Returns true if there is
/// a user namespace.
fn make_namespace(paths: &[(PathBuf, VisiblePath)], places: [&OwnedFd; 3]) -> io::Result<bool> {
    let has_user = enter_new_namespace()?;
    mount(Some(c"tmpfs"), FIRST_MOUNT, 0)?;
    let old = CString::new([FIRST_MOUNT.to_bytes(), OLD_ROOT.as_bytes()].concat())?;
    std::fs::create_dir(Path::new(std::ffi::OsStr::from_bytes(old.to_bytes())))?;
    // SAFETY: both paths are valid.
    check(unsafe { libc::syscall(libc::SYS_pivot_root, FIRST_MOUNT.as_ptr(), old.as_ptr()) })?;
    std::env::set_current_dir("/")?;
    for (path, visible) in paths {
        show_path(path, visible)?;
    }
    let names = ["/proc/self/ns/user", "/proc/self/ns/mnt", "/"];
    for (name, place) in names.into_iter().zip(places) {
        let opened = File::open(name)?;
        // SAFETY: both descriptors are open. The owner of the second has the new file from now on.
        check(unsafe { libc::dup3(opened.as_raw_fd(), place.as_raw_fd(), libc::O_CLOEXEC) }.into())?;
    }
    let old = CString::new(OLD_ROOT)?;
    // SAFETY: the path is valid.
    check(unsafe { libc::umount2(old.as_ptr(), libc::MNT_DETACH) }.into())?;
    std::fs::remove_dir(OLD_ROOT)?;
    mount(None, c"/", libc::MS_REMOUNT | libc::MS_BIND | libc::MS_RDONLY)?;
    Ok(has_user)
}

/// Makes a path visible, unless it is inside of one that is.
fn show_path(path: &Path, visible: &VisiblePath) -> io::Result<()> {
    if std::fs::symlink_metadata(path).is_ok() {
        return Ok(());
    }
    std::fs::create_dir_all(path.parent().unwrap_or(path))?;
    match visible {
        VisiblePath::Link(target) => symlink(target, path),
        VisiblePath::Mount(real) => {
            let source = Path::new(OLD_ROOT).join(real.strip_prefix("/").unwrap_or(real));
            if source.is_dir() {
                std::fs::create_dir(path)?
            } else {
                drop(File::create(path)?)
            }
            let [source, target] = [&source, path].map(|path| CString::new(path.as_os_str().as_bytes()));
            mount(Some(&source?), &target?, libc::MS_BIND | libc::MS_REC)
        }
    }
}

/// Moves this process into a new mount namespace, which gets no mounts from others. Returns true if that needed a user namespace,
/// in which it keeps its user and its group.
fn enter_new_namespace() -> io::Result<bool> {
    // SAFETY: plain system calls without pointers.
    let (user, group, made) = unsafe { (libc::geteuid(), libc::getegid(), libc::unshare(libc::CLONE_NEWNS)) };
    if made != 0 {
        // SAFETY: plain system calls without pointers. The kernel gives the files below `/proc/self` of a process
        // that must not be inspected to root.
        check(unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 1, 0, 0, 0) }.into())?;
        // SAFETY: same.
        check(unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS) }.into())?;
        std::fs::write("/proc/self/setgroups", "deny")?;
        std::fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        std::fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    mount(None, c"/", libc::MS_REC | libc::MS_PRIVATE)?;
    Ok(made != 0)
}

/// Mounts a file system of this name or, with the flags for it, a folder, or changes a mount.
fn mount(source: Option<&CStr>, target: &CStr, flags: libc::c_ulong) -> io::Result<()> {
    let name = source.map_or(std::ptr::null(), CStr::as_ptr);
    let (file_system, options) =
        if flags == 0 { (name, c"mode=0755".as_ptr()) } else { (std::ptr::null(), std::ptr::null()) };
    // SAFETY: every pointer is null or a valid text.
    check(unsafe { libc::mount(name, target.as_ptr(), file_system, flags, options.cast()) }.into())
}

/// Returns the error of the last system call if it failed.
fn check(result: i64) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
