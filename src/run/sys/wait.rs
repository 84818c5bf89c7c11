//! Taking note of processes that have ended.

use super::Usage;
use std::io;

/// What asking for any child that has ended led to.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only a spawner has children it did not start"))]
pub(in crate::run) enum Reaped {
    /// One that had ended; its number has been given back.
    One(Usage),
    /// There are children, and all of them live.
    AllLive,
    /// There are no children: for a subreaper, no descendants of any kind.
    NoneLeft,
}

/// Lets the ends of children be waited for: who started this process may have had them ignored, and that is handed down. To be
/// called before there are children.
pub fn expect_children() {
    // SAFETY: the default action is no function, so none can be called at a wrong moment.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
}

/// Waits for one child, however long that takes.
pub(super) fn reap(pid: i32) -> io::Result<Usage> {
    wait4(pid, 0).map(|(_, usage)| usage)
}

/// Takes note of any child that has ended, without waiting.
///
/// # Errors
///
/// The system call failed, which would be a fault of ours.
#[cfg(target_os = "linux")]
pub(in crate::run) fn reap_any() -> io::Result<Reaped> {
    match wait4(-1, libc::WNOHANG | libc::__WALL) {
        Ok((0, _)) => Ok(Reaped::AllLive),
        Ok((_, usage)) => Ok(Reaped::One(usage)),
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => Ok(Reaped::NoneLeft),
        Err(error) => Err(error),
    }
}

/// Reaps a child if it has ended, without waiting. Returns `None` if it lives, or is no child of ours any more.
///
/// # Errors
///
/// Returns an error if the system call fails, which would be a fault of ours.
#[cfg(target_os = "linux")]
pub(in crate::run) fn reap_if_ended(pid: i32) -> io::Result<Option<Usage>> {
    match wait4(pid, libc::WNOHANG | libc::__WALL) {
        Ok((0, _)) => Ok(None),
        Ok((_, usage)) => Ok(Some(usage)),
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The number of the process, 0 if there was none to be noted, and what it used.
fn wait4(pid: i32, options: i32) -> io::Result<(i32, Usage)> {
    loop {
        let mut status = 0;
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: both pointers are valid for writing; zeros are a valid `rusage`.
        let (pid, usage) = unsafe {
            let pid = libc::wait4(pid, &raw mut status, options, usage.as_mut_ptr());
            (pid, usage.assume_init())
        };
        if pid >= 0 {
            return Ok((pid, Usage::new(status, &usage)));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}
